/*
 * child_cmplog: the comparison stage of a child.
 */
#ifndef CFUZZ_TARGET_CHILD_CHILD_CMPLOG_H
#define CFUZZ_TARGET_CHILD_CHILD_CMPLOG_H

#include <stdbool.h>

#include "target/child/child.h"

/*
 * The comparison stage. First the parent runs while the hooks record
 * comparisons. Then candidates are made from single pairs of operands: each
 * from the parent, or in some stages each from the candidate before, whose
 * comparisons are recorded as well.
 */

/* Does the next mutation stack begin with a stage? */
bool cmplog_is_due(const struct child *child);
void cmplog_begin(struct child *child);
/* Makes the next candidate, first the parent itself. False: havoc makes this
 * one; the stage may be over. */
bool cmplog_next(struct child *child);
/* Are the comparisons of the next execution to be recorded? */
bool cmplog_records(const struct child *child);
/* Executes the candidate and records its comparisons. */
enum child_run cmplog_execute(struct child *child);
/* Chooses for a call whether hooks that need not record are patched out. */
void cmplog_open(struct child *child);

#endif
