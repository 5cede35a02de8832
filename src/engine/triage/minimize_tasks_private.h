/* minimize_tasks_private: struct minimize_tasks, for its files. */
#ifndef CFUZZ_ENGINE_TRIAGE_MINIMIZE_TASKS_PRIVATE_H
#define CFUZZ_ENGINE_TRIAGE_MINIMIZE_TASKS_PRIVATE_H

#include <stddef.h>

struct minimize_task;
struct minimize_tasks_handlers;

struct minimize_tasks {
	struct minimize_task **tasks; /* owned, oldest first */
	size_t n;
	const struct minimize_tasks_handlers *handlers;
};

#endif
