/*
 * guardian: a small process that ends the worker when the engine is gone.
 *
 * Before the fork server runs, while it starts another fuzzer's program again,
 * and always if the target runs in the worker's own process, no other process
 * would notice that the engine is gone. The guardian notices it, and kills the
 * worker and all that it has started.
 */
#ifndef CFUZZ_TARGET_SERVER_GUARDIAN_H
#define CFUZZ_TARGET_SERVER_GUARDIAN_H

#include <sys/types.h>

#include "target/child/worker.h"

/*
 * Lets the kernel kill the worker together with the engine until a guardian
 * runs. in_fd: the pipe for requests. Ends the process if the engine is gone
 * already. Makes plain system calls only, so it may run before any constructor.
 */
void guardian_prepare(int in_fd);

/*
 * Starts the guardian of the worker, which must have none. Call it before the target's
 * initialisation, which may start threads. Ends the process if the engine is gone
 * already. If no guardian can be started, worker->guardian is 0, and the kernel
 * still kills the worker.
 */
void guardian_start(struct worker *worker);

/* Ends and reaps the guardian, if there is one, when the fork server takes over,
 * also after the worker has given up root. From another session such a worker may
 * not signal it; it stays then. If the engine is gone, the guardian kills the
 * worker. */
void guardian_end(struct worker *worker);

#endif
