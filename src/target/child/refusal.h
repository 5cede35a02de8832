/*
 * refusal: the system refuses what an execution needs, such as room on a disk
 * or a process.
 *
 * The execution then does not take place, which says nothing of its input. The
 * child tries for a second, and then marks its answer. The fork server passes
 * the reason on as it does if it cannot fork a child itself.
 */
#ifndef CFUZZ_TARGET_CHILD_REFUSAL_H
#define CFUZZ_TARGET_CHILD_REFUSAL_H

#include <stdbool.h>

#include "target/child/worker.h"

/*
 * Waits a moment before the next attempt at an input that could not run because
 * of this errno. The time does not count for the input. tries: attempts so far,
 * 0 at first. False: another attempt is of no use.
 */
bool refusal_wait(const struct worker *worker, int errnum, unsigned *tries);

/*
 * Ends an execution that did not take place: what has failed, and the errno. No
 * input is blamed, and a new child goes on.
 */
void refusal_fail(struct worker *worker, const char *what, int errnum);

/* The errno of the refusal that a child has marked; 0: there is none. */
int refusal_errnum(const struct outcome *outcome);

#endif
