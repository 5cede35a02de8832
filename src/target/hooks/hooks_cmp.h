/*
 * hooks_cmp: the hooks that compilers and sanitizers call at comparisons.
 *
 * Calls of the hooks are everywhere in a target, so a hook without a listener
 * is a load, a test and a return. Listeners are switched here.
 */
#ifndef CFUZZ_TARGET_HOOKS_HOOKS_CMP_H
#define CFUZZ_TARGET_HOOKS_HOOKS_CMP_H

#include <stdbool.h>
#include <stdint.h>

enum hooks_listener {
	HOOKS_RECORD = 1,  /* compare_number() and compare_bytes() */
	HOOKS_PROFILE = 2, /* value_profile_number() and …_bytes() */
};

void hooks_cmp_listen(enum hooks_listener who, bool on);

/* A site for a caller's address, the same at any load address. */
uint32_t hooks_cmp_site(uintptr_t pc);

#endif
