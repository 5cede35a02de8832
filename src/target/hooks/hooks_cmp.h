/*
 * hooks_cmp: what compilers and sanitizers call at comparisons.
 *
 * The calls are everywhere in a target, so a hook that nobody listens to is
 * a load, a test and a return. Who wants to hear of comparisons says so here.
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

/* A caller's address, the same wherever the program is loaded. */
uint32_t hooks_cmp_site(uintptr_t pc);

#endif
