/*
 * unseen: failures that would happen unseen in a target, as it lacks the sanitizer or
 * nobody looks for leaks. A run of it without such a failure says nothing.
 */
#ifndef CFUZZ_WORKER_UNSEEN_H
#define CFUZZ_WORKER_UNSEEN_H

#include <stdbool.h>

#include "shared/wire/rpc.h"

/* A warning if leaks cannot be found here; NULL: none. */
const char *unseen_leaks_warning(enum rpc_leaks leaks);

/* Are leaks unseen in the worker that sent this reply to Ping? A program looks for
 * leaks itself. no_leaks: nobody is to look for them. Any worker may run an input:
 * one in which they are unseen counts for all. */
bool unseen_leaks(const struct rpc_reply *ping, bool no_leaks);

/*
 * Why this failure would be unseen in a target with that sanitizer; NULL: it would
 * be seen. had: the sanitizer of the build that failed. Both are named as in a
 * reply to Ping, "": none. Static.
 */
const char *unseen_why(const struct failure *failure, const char *had,
	const char *sanitizer, bool leaks_unseen);

#endif
