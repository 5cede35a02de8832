/*
 * child_minimize: the smallest value that still reaches some coverage, see
 * child.h. The child drives the minimizer itself: no candidate is expected
 * to kill it, and one that does is a finding.
 */

#include <string.h>

#include "shared/minimize.h"
#include "target/child.h"

/* Runs the candidate: does it reach all pairs to be kept? */
static enum child_run
minimize_try(struct child *c, bool *accepted)
{
	enum child_run run;

	scan_clear();
	run = child_execute(c);
	*accepted = run == CHILD_FINE && scan_is_covered(&c->scan);
	return run;
}

static void
minimize_show(struct child *c, const struct minimizer *m)
{
	struct minimize_live *live = &c->head->live;

	live->phase = m->phase;
	live->position = (uint32_t)m->position;
	live->tries = m->tries;
	live->accepted = m->accepted;
	live->best_len = m->best_len;
	live->cut_offset = m->cut_offset;
	live->cut_len = m->cut_len;
	c->head->outcome.best_len = m->best_len;
}

static enum call_end
minimize_loop(struct child *c, struct minimizer *m)
{
	bool accepted;

	while (minimizer_next(m)) {
		enum call_end end = child_may_run(c);

		/* The limit is exact; time may wait for a good moment. */
		if (end == CALL_LIMIT ||
			(end != CALL_RUNNING && minimizer_may_stop(m)))
			return end;
		c->value_len = m->candidate_len;
		if (minimize_try(c, &accepted) == CHILD_FAILED)
			return CALL_FAILED;
		minimizer_verdict(m, accepted);
		minimize_show(c, m);
	}
	return CALL_DONE;
}

enum call_end
child_minimize(struct child *c)
{
	const struct worker_layout *layout = &c->worker->layout;
	uint8_t *best = c->worker->memory + layout->best_offset;
	const struct coverage_pair *pairs =
		(const void *)(c->worker->memory + layout->keep_offset);
	enum call_end end = child_may_run(c);
	struct minimizer m;
	bool accepted;

	c->head->live = (struct minimize_live){ .start_len = c->value_len,
		.best_len = c->value_len };
	c->head->outcome.best_len = c->value_len;
	if (c->call.keep_n > MEMORY_KEEP_MAX)
		return CALL_REFUSED;
	if (end != CALL_RUNNING)
		return end;
	memcpy(best, c->value, c->value_len);
	if (!scan_load(&c->scan, pairs, c->call.keep_n))
		return CALL_DONE; /* counters that this child does not have */
	if (minimize_try(c, &accepted) == CHILD_FAILED)
		return CALL_FAILED;
	if (!accepted)
		return CALL_DONE;
	c->head->outcome.verified = 1;
	c->head->raw_in_mem = 1;
	minimizer_init(&m, best, c->value_len, c->value, MINIMIZE_BLOCKS);
	end = minimize_loop(c, &m);
	if (end != CALL_FAILED)
		c->head->raw_in_mem = 0;
	return end;
}
