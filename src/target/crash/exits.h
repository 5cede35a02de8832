/*
 * exits: the stack of a target that calls exit() or quick_exit().
 *
 * Both run the registered handlers on the caller's stack. The runtime's handler
 * stores that stack in worker memory. _exit() runs no handlers; the failure
 * then has no stack.
 */
#ifndef CFUZZ_TARGET_CRASH_EXITS_H
#define CFUZZ_TARGET_CRASH_EXITS_H

#include "shared/wire/memory.h"

/*
 * Registers the handlers; once, when the target is initialised, before the
 * first fork.
 */
void exits_prepare(void);

/* Reports exits of this process from now on; call it in each child. */
void exits_watch(struct worker_head *head);

/* The same, but an exit with status 0 is no failure. */
void exits_watch_failing(struct worker_head *head);

/*
 * Calls leave at each exit() of such a process, before anything is reported. It
 * need not return.
 */
void exits_catch(void (*leave)(int status));

#endif
