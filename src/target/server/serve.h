/*
 * serve: the worker's side of the RPC.
 *
 * Each request gets one reply, until the engine closes its end. An invalid
 * request ends the worker with status 70, together with all that it has
 * started.
 */
#ifndef CFUZZ_TARGET_SERVER_SERVE_H
#define CFUZZ_TARGET_SERVER_SERVE_H

#include "target/child/worker.h"

#define SERVE_EXIT_INTERNAL 70

void serve_run(struct worker *worker) __attribute__((noreturn));

/* Prints one line on stderr and ends with SERVE_EXIT_INTERNAL. */
void serve_give_up(const char *text) __attribute__((noreturn));

#endif
