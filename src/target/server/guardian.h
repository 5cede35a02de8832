/*
 * guardian: a small process beside the target that outlives its engine.
 *
 * Until a keeper watches, and for good where the target runs in the worker's
 * own process, nobody there can be relied on to see that the engine is gone.
 * The guardian sees it, and ends the worker and all that it has started.
 */
#ifndef CFUZZ_TARGET_SERVER_GUARDIAN_H
#define CFUZZ_TARGET_SERVER_GUARDIAN_H

#include <sys/types.h>

#include "target/child/worker.h"

/*
 * Before any constructor, with plain system calls: until a guardian is there,
 * the kernel ends the worker with its engine.
 */
void guardian_prepare(int in_fd);

/* Before the target's initialisation, which may start threads. 0: none. */
pid_t guardian_start(const struct worker *worker);

/* The keeper takes over. */
void guardian_end(pid_t guardian);

#endif
