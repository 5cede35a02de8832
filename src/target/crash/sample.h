/*
 * sample: where an execution is that does not end.
 *
 * The engine asks, in worker memory, then sends a signal that is ignored
 * where nobody handles it. The handler notes the stack, lets the execution
 * go on, and watches which of its functions return: what never returns is
 * what hangs, wherever it was met. The engine ends it all soon after.
 */
#ifndef CFUZZ_TARGET_CRASH_SAMPLE_H
#define CFUZZ_TARGET_CRASH_SAMPLE_H

#include <stdbool.h>

#include "shared/wire/memory.h"

/* Looks whether the target wants the signal for itself. */
void sample_prepare(void);

/* In each child. */
void sample_install(struct worker_head *head);

/* If the walk has met a fault, what was found by then has to do. */
void sample_on_fault(void);

/* SIGTRAP, with what its handler got: was it a return that is watched? */
bool sample_on_trap(void *context);

#endif
