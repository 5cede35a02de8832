/*
 * exits: where the target ends its process by exit() or quick_exit().
 *
 * Both call functions that were registered before, on the stack of the caller:
 * ours notes that stack in worker memory. _exit() asks nobody and leaves no
 * place.
 */
#ifndef CFUZZ_TARGET_CRASH_EXITS_H
#define CFUZZ_TARGET_CRASH_EXITS_H

#include "shared/wire/memory.h"

/* Registers; once, before the first fork, when the target is initialised. */
void exits_prepare(void);

/* From now on an exit of this process is noted; in each child. */
void exits_watch(struct worker_head *head);

#endif
