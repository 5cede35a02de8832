/*
 * serve: the worker's side of the RPC.
 *
 * One request, one reply, until the engine closes its end. Anything that is
 * no request ends the worker with status 70, and all it has started with it.
 */
#ifndef CFUZZ_TARGET_SERVER_SERVE_H
#define CFUZZ_TARGET_SERVER_SERVE_H

#include "target/child/worker.h"

#define SERVE_EXIT_INTERNAL 70

void serve_run(struct worker *worker) __attribute__((noreturn));

/* One line on stderr, then the end with SERVE_EXIT_INTERNAL. */
void serve_give_up(const char *text) __attribute__((noreturn));

#endif
