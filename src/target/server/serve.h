/*
 * serve: the worker's side of the RPC.
 *
 * Each request gets one reply. When the engine closes its end, the worker ends
 * with status 0; after an invalid request, with status 70. In both cases it
 * kills all that it has started.
 */
#ifndef CFUZZ_TARGET_SERVER_SERVE_H
#define CFUZZ_TARGET_SERVER_SERVE_H

#include "target/child/worker.h"

/* Serves the engine until its end. The worker is open, the target
 * initialised. */
void serve_run(struct worker *worker) __attribute__((noreturn));

/*
 * Prints text as one line on stderr and ends with WORKER_EXIT_INTERNAL. Kills no
 * other process.
 */
void serve_give_up(const char *text) __attribute__((noreturn));

#endif
