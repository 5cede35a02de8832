/* minimize_tasks_private: struct minimize_tasks, for its files. */
#ifndef CFUZZ_ENGINE_TRIAGE_MINIMIZE_TASKS_PRIVATE_H
#define CFUZZ_ENGINE_TRIAGE_MINIMIZE_TASKS_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/failure.h"

struct minimize_task;
struct minimize_tasks_handlers;

struct minimize_tasks {
	struct minimize_task **tasks; /* owned, oldest first */
	size_t n;
	const struct minimize_tasks_handlers *handlers;
	/* A failure of which no finding is made, because the campaign ends with
	 * another: the names of its frames say whether it is the same. */
	struct unknown_failure {
		struct failure failure; /* kind NONE: no question yet */
		bool waits;             /* for the names */
		uint64_t bucket;        /* 0: it waits */
	} unknown;
};

#endif
