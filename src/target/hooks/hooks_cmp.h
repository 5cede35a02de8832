/*
 * hooks_cmp: the hooks that compilers and sanitizers call at comparisons.
 *
 * Calls of the hooks are everywhere in a target, so a hook that nobody uses is
 * a load, a test and a return. Recording and the value profile are switched
 * here.
 */
#ifndef CFUZZ_TARGET_HOOKS_HOOKS_CMP_H
#define CFUZZ_TARGET_HOOKS_HOOKS_CMP_H

#include <stdbool.h>
#include <stdint.h>

/* Starts recording with an empty table, see compare.h. */
void hooks_cmp_begin(void);
/* Ends recording. Returns the number of pairs. */
uint32_t hooks_cmp_end(void);
bool hooks_cmp_is_recording(void);

/* Turns the value profile on or off; no effect before value_profile_init(). */
void hooks_cmp_profile(bool on);

/* A site for a caller's address, the same at any load address. */
uint32_t hooks_cmp_site(uintptr_t pc);

#endif
