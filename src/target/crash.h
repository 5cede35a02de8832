/*
 * crash: what a dying process leaves behind.
 *
 * For crash signals that nobody else handles, a handler notes signal,
 * address, registers, frames and a piece of the stack in worker memory, then
 * lets the process die of the signal as it would have done.
 */
#ifndef CFUZZ_TARGET_CRASH_H
#define CFUZZ_TARGET_CRASH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "shared/memory.h"

/*
 * Loads what walking a stack needs, and looks which signals nobody handles;
 * before the first fork, when the target is initialised.
 */
void crash_prepare(void);

/* Installs the handlers; in each child. */
void crash_install(struct worker_head *head);

/* Is it ours that would be called? */
bool crash_is_handler(const struct sigaction *action);

/* The engine has lost its patience: a death that is under way ends now. */
void crash_hurry(void);

/*
 * The callers of the present function from address "from" on, which is one
 * of them; at most max. Every frame but the first lies inside its call.
 */
uint32_t crash_walk(uint64_t *frames, uint32_t max, const void *from);

#endif
