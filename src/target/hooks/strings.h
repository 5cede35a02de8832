/*
 * strings: wraps memcmp(), strcmp() and the like for the comparison hooks.
 *
 * Without a sanitizer that does the same, the runtime defines the functions
 * that compare memory and strings, for all modules in the process. They call
 * the next function of that name, usually the C library's. While
 * strings_watch() is on, they also pass the operands to the hooks
 * (__sanitizer_weak_hook_*).
 *
 * They are an object of their own in libcfuzz.a, which is linked only if
 * nothing before it defines them. So a sanitizer's or the target's own version
 * wins.
 */
#ifndef CFUZZ_TARGET_HOOKS_STRINGS_H
#define CFUZZ_TARGET_HOOKS_STRINGS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Defined even if the functions are not linked: gold mistakes the address of a
 * missing hidden weak symbol for another one.
 */
extern bool __cfuzz_strings_on __attribute__((visibility("hidden")));

/*
 * Functions that stand between the target and the C library. They have a
 * section of their own, so that they can be removed from a stack: a build
 * without optimization calls where another one jumps.
 */
#define STRINGS_WATCHED __attribute__((section("cfuzz_strings"), noinline))
extern const char __start_cfuzz_strings[]
	__attribute__((weak, visibility("hidden")));
extern const char __stop_cfuzz_strings[]
	__attribute__((weak, visibility("hidden")));

/* Turns calls of the hooks on or off. A sanitizer calls them always. */
static inline void
strings_watch(bool on)
{
	__cfuzz_strings_on = on;
}

#endif
