/*
 * child_log: the execution log of a child.
 */
#ifndef CFUZZ_TARGET_CHILD_CHILD_LOG_H
#define CFUZZ_TARGET_CHILD_CHILD_LOG_H

#include <stdint.h>

#include "target/child/child.h"

/* The execution log, see shared/wire/execution_log.h. */

/* Begins an empty log; before the first fork. */
void log_open(struct child *child);
/* Completes the record of the mutation stack, if it was executed. */
void log_close(struct child *child);
/* Logs the candidate with its bytes, after it has run. flags: EXEC_LOG_... */
void log_put(struct child *child, uint32_t flags);

/* Marks an execution of the mutation stack, before it runs. */
static inline void
log_run(struct child *child)
{
	child->head->log.runs |= UINT64_C(1)
		<< (child->mutations_n % EXEC_LOG_MUTATIONS_MAX);
}

/* Marks its repetition, which confirms a new input. */
static inline void
log_run_again(struct child *child)
{
	child->head->log.again |= UINT64_C(1)
		<< (child->mutations_n % EXEC_LOG_MUTATIONS_MAX);
}

#endif
