/*
 * child_candidates: candidates that do not fail, one after the other, see
 * child.h.
 *
 * The child has the keeper's minimizer, as a fork has all things of its
 * parent. What it does with it the keeper does as well, for itself, when it
 * knows how many candidates did not fail: so nothing that the target writes
 * over here leads the keeper astray, and nobody is woken for a candidate that
 * nothing comes of.
 */

#include <string.h>

#include "target/child/child.h"
#include "target/child/live.h"

enum call_end
child_candidates(struct child *c)
{
	struct minimizer *m = c->shrink;

	if (m == NULL)
		return CALL_REFUSED;
	if (c->shrink_failed)
		minimizer_verdict(m, c->call.first == 1);
	c->shrink_failed = false;
	while (minimizer_next(m)) {
		enum call_end end = child_may_run(c);

		if (end != CALL_RUNNING)
			return end;
		memcpy(c->value, m->candidate, m->candidate_len);
		c->value_len = m->candidate_len;
		live_show(&c->head->live, m);
		c->shrink_failed = true;
		if (child_execute(c) == CHILD_FAILED ||
			child_look_for_leaks(c) == CALL_FAILED)
			return CALL_FAILED;
		log_put(c, EXEC_LOG_RAW);
		c->shrink_failed = false;
		minimizer_verdict(m, false);
	}
	return CALL_DONE;
}
