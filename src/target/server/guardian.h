/*
 * guardian: a small process that ends the worker when the engine is gone.
 *
 * Before the fork server runs, and always if the target runs in the worker's
 * own process, no other process would notice that the engine is gone. The
 * guardian notices it, and kills the worker and all that it has started.
 */
#ifndef CFUZZ_TARGET_SERVER_GUARDIAN_H
#define CFUZZ_TARGET_SERVER_GUARDIAN_H

#include <sys/types.h>

#include "target/child/worker.h"

/*
 * Before any constructor, with plain system calls: the kernel kills the worker
 * together with the engine until a guardian runs.
 */
void guardian_prepare(int in_fd);

/* Before the target's initialisation, which may start threads. 0: none. */
pid_t guardian_start(const struct worker *worker);

/* Called when the fork server takes over. */
void guardian_end(pid_t guardian);

#endif
