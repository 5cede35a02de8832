/*
 * strings: memcmp(), strcmp() and the like, on their way to the C library.
 *
 * In a program without a sanitizer that does the same, the functions that
 * compare memory and strings are ours, for the program and for all modules in
 * its process: they call the next one, and while strings_watch() is on they
 * tell the hooks (__sanitizer_weak_hook_*) what was compared.
 *
 * They are an object of their own in libcfuzz.a, which is linked only if
 * nothing before it defines them, so a sanitizer's and a target's own win.
 */
#ifndef CFUZZ_TARGET_HOOKS_STRINGS_H
#define CFUZZ_TARGET_HOOKS_STRINGS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * There, whether or not the functions are linked: gold takes the address of a
 * hidden weak symbol that is not there for another one.
 */
extern bool __cfuzz_strings_on __attribute__((visibility("hidden")));

/*
 * Functions that stand between the target and the C library, but only while
 * somebody watches: they are in a section of their own, so that they can be
 * left out of a stack.
 */
#define STRINGS_WATCHED __attribute__((section("cfuzz_strings"), noinline))
extern const char __start_cfuzz_strings[]
	__attribute__((weak, visibility("hidden")));
extern const char __stop_cfuzz_strings[]
	__attribute__((weak, visibility("hidden")));

/* From now on the hooks are called, or not. Sanitizers call them always. */
static inline void
strings_watch(bool on)
{
	__cfuzz_strings_on = on;
}

#endif
