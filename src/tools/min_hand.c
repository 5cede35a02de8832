/*
 * min_hand: drives the minimizer from here, for targets that cannot be forked:
 * their process dies with each candidate that fails.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "tools/min_private.h"

static void
min_hand_begin(struct min *m)
{
	size_t len = m->best_len;

	m->hand_best = xmemdup(m->best, len > 0 ? len : 1);
	m->hand_candidate = xmalloc(len + 1);
	minimizer_init(&m->hand, m->hand_best, len, m->hand_candidate,
		MINIMIZE_BLOCKS);
	if (m->runner.types.n > 0)
		(void)minimizer_tuples(&m->hand);
}

static void
min_hand_end(struct min *m, bool time_over)
{
	m->tries += m->hand.tries;
	m->accepted += m->hand.accepted;
	min_take_best(m, m->hand_best, m->hand.best_len, time_over);
	min_hand_clear(m);
}

bool
min_hand_next(struct min *m, struct job *job)
{
	uint64_t ms, executions;
	bool left = min_left(m, &ms, &executions);

	if (m->hand_best == NULL)
		min_hand_begin(m);
	if (!left || !minimizer_next(&m->hand)) {
		min_hand_end(m, !left);
		return false;
	}
	runner_job(&m->runner, JOB_REPLAY, job);
	job->data = m->hand_candidate;
	job->len = m->hand.candidate_len;
	return true;
}

/* An input that did not run has no verdict and is tried again. */
void
min_hand_on_result(struct min *m, const struct worker_result *r)
{
	m->execs += r->count;
	if (!r->interrupted && r->count > 0)
		minimizer_verdict(&m->hand, min_accepts(m, &r->failure));
}

void
min_hand_clear(struct min *m)
{
	free(m->hand_best);
	free(m->hand_candidate);
	m->hand_best = m->hand_candidate = NULL;
}
