/*
 * child_log: the execution log of a child.
 */
#ifndef CFUZZ_TARGET_CHILD_CHILD_LOG_H
#define CFUZZ_TARGET_CHILD_CHILD_LOG_H

#include <stdint.h>

#include "target/child/child.h"

/*
 * The execution log, see shared/wire/execution_log.h. An execution is marked
 * before it runs. A mutation stack is closed before the next begins. Other
 * inputs are logged with their bytes, after they have run.
 */
void log_open(struct child *child);
void log_close(struct child *child);
void log_put(struct child *child, uint32_t flags);

static inline void
log_run(struct child *child)
{
	child->head->log.runs |= UINT64_C(1)
		<< (child->mutations_n % EXEC_LOG_MUTATIONS_MAX);
}

static inline void
log_run_again(struct child *child)
{
	child->head->log.again |= UINT64_C(1)
		<< (child->mutations_n % EXEC_LOG_MUTATIONS_MAX);
}

#endif
