/*
 * child_candidates: runs candidates until one fails, see child.h.
 *
 * The child inherits the fork server's minimizer by the fork. Once the fork
 * server knows how many candidates did not fail, it repeats the child's steps
 * in its own minimizer. So damage by the target stays in the child, and a
 * candidate that does not fail wakes no other process.
 */

#include <string.h>

#include "target/child/child.h"
#include "target/child/child_log.h"
#include "target/child/live.h"

enum call_end
child_candidates(struct child *c)
{
	struct minimizer *m = c->minimizer;

	if (m == NULL)
		return CALL_REFUSED;
	if (c->candidate_failed)
		minimizer_verdict(m, c->call.first == 1);
	c->candidate_failed = false;
	while (minimizer_next(m)) {
		enum call_end end = child_may_run(c);

		if (end != CALL_RUNNING)
			return end;
		memcpy(c->value, m->candidate, m->candidate_len);
		c->value_len = m->candidate_len;
		live_show(&c->head->live, m);
		c->candidate_failed = true;
		if (child_execute(c) == CHILD_FAILED ||
			child_look_for_leaks(c) == CALL_FAILED)
			return CALL_FAILED;
		log_put(c, EXEC_LOG_RAW);
		c->candidate_failed = false;
		minimizer_verdict(m, false);
	}
	return CALL_DONE;
}
