/*
 * unseen: failures that would happen unseen in a target, as it has no sanitizer or
 * nobody looks for leaks. A run of it without such a failure says nothing.
 */
#ifndef CFUZZ_WORKER_UNSEEN_H
#define CFUZZ_WORKER_UNSEEN_H

#include <stdbool.h>

#include "shared/wire/rpc.h"

/* A warning if leaks cannot be found here; NULL: none. */
const char *unseen_leaks_warning(enum rpc_leaks leaks);

/* Are leaks unseen in the target that sent this reply to Ping? A program looks for
 * leaks itself. */
bool unseen_leaks(const struct rpc_reply *ping);

/* Why a failure of that kind would be unseen; NULL: it would be seen. Static. */
const char *unseen_why(enum failure_kind kind, bool has_sanitizer,
	bool leaks_unseen);

#endif
