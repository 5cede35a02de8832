/*
 * crash: what a dying process leaves behind.
 *
 * For crash signals that nobody else handles, a handler notes signal,
 * address and frames in worker memory, then lets the process die of the
 * signal as it would have done.
 */
#ifndef CFUZZ_TARGET_CRASH_CRASH_H
#define CFUZZ_TARGET_CRASH_CRASH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory.h"
#include "target/crash/guard.h"

/*
 * Loads what walking a stack needs, and looks which signals nobody handles;
 * before the first fork, when the target is initialised.
 */
void crash_prepare(void);

/* Installs the handlers; in each child. */
void crash_install(struct worker_head *head);

/*
 * The input that the target has: where it stands in worker memory, and how long
 * it is. Who has written over that memory may leave a length there that cannot
 * be; then it is copied once more when the process dies, from the target's copy.
 */
struct crash_input {
	const struct guard *guard;
	const size_t *len;
	uint8_t *value;
};
void crash_protect(const struct crash_input *input);

/* Is it ours that would be called? */
bool crash_is_handler(const struct sigaction *action);

/* Is a death by a signal under way? Then the failure is told already. */
bool crash_is_dying(void);

/* The engine has lost its patience: a death that is under way ends now. */
void crash_hurry(void);

/*
 * The callers of the present function, from the one that a call returns to at
 * "from"; at most max. Every frame lies inside its call.
 */
uint32_t crash_walk(uint64_t *frames, uint32_t max, const void *from);

#endif
