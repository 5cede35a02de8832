/*
 * child_minimize: trims a value that must keep its features, see child.h. The
 * child runs the minimizer itself: candidates rarely kill it, and one that does
 * is a finding.
 */

#include <string.h>
#include <sys/mman.h>

#include "shared/minimize/minimize.h"
#include "target/child/child.h"
#include "target/child/child_log.h"
#include "target/child/live.h"
#include "target/traps/traps.h"

/* The largest number of lost features in a result. */
#define MINIMIZE_LOST_MAX (0xff - CANDIDATE_LOST)

struct minimize {
	struct child *child;
	struct minimizer m;
	uint8_t *results; /* the result of each try */
	uint32_t results_max;
	uint32_t lost; /* features lost by the last try; at least 1 */
};

/* Runs the candidate and checks whether it reaches all features to keep. */
static enum child_run
minimize_try(struct minimize *min, bool *accepted)
{
	struct child *c = min->child;
	enum child_run run;

	scan_clear();
	run = child_execute(c);
	if (run != CHILD_FAILED)
		log_put(c, EXEC_LOG_RAW);
	/* The exact number of lost features matters only if results are kept. */
	min->lost = run != CHILD_FINE
		? 1
		: scan_missing(&c->scan, min->results_max > 0 ? UINT32_MAX : 1);
	*accepted = min->lost == 0;
	return run;
}

static void
minimize_put_result(struct minimize *min, bool accepted)
{
	struct outcome *outcome = &min->child->head->outcome;
	uint32_t lost =
		min->lost < MINIMIZE_LOST_MAX ? min->lost : MINIMIZE_LOST_MAX;

	if (outcome->ring_used < min->results_max)
		min->results[outcome->ring_used++] =
			(uint8_t)(accepted ? CANDIDATE_SAME
					   : CANDIDATE_LOST + lost);
}

static enum call_end
minimize_may_run(const struct minimize *min)
{
	enum call_end end = child_may_run(min->child);

	return end == CALL_RUNNING && min->results_max > 0 &&
			min->child->head->outcome.ring_used == min->results_max
		? CALL_RING
		: end;
}

static enum call_end
minimize_loop(struct minimize *min)
{
	struct child *c = min->child;
	struct minimizer *m = &min->m;
	bool accepted;

	while (minimizer_next(m)) {
		enum call_end end = minimize_may_run(min);

		if (end != CALL_RUNNING)
			return end;
		c->value_len = m->candidate_len;
		if (minimize_try(min, &accepted) == CHILD_FAILED)
			return CALL_FAILED;
		minimizer_verdict(m, accepted);
		minimize_put_result(min, accepted);
		live_show(&c->head->live, m);
		c->head->outcome.best_len = m->s.best_len;
	}
	return CALL_DONE;
}

/*
 * Without a list of features: keeps those that the start reaches in both of two
 * runs, or in the only one of a program that leaves its loop.
 */
static enum child_run
minimize_find_features(struct minimize *min)
{
	struct child *c = min->child;
	struct feature *keep = (struct feature *)(c->worker->memory +
		c->worker->layout.keep_offset);
	enum child_run run = CHILD_FINE;
	void *none = mmap(NULL, MEMORY_COUNTERS_MAX, PROT_READ,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (none == MAP_FAILED)
		return CHILD_FINE;
	traps_choose(NULL);
	for (unsigned i = 0; i < 2 && run == CHILD_FINE && !c->worker->spent;
		i++) {
		scan_clear();
		run = child_execute(c);
		if (run != CHILD_FAILED)
			log_put(c, EXEC_LOG_RAW);
		if (run == CHILD_FINE && i == 0)
			(void)scan_collect(&c->scan, none);
		else if (run == CHILD_FINE)
			(void)scan_confirm(&c->scan);
	}
	(void)munmap(none, MEMORY_COUNTERS_MAX);
	memcpy(keep, c->scan.features, c->scan.n * sizeof(*keep));
	c->head->outcome.kept = c->scan.n;
	traps_choose(child_campaign_coverage(c));
	traps_renew(keep, c->scan.n);
	return run;
}

/*
 * Begins with the start value, which must pass, or continues from the engine's
 * saved state.
 */
static enum call_end
minimize_begin(struct minimize *min, uint8_t *best)
{
	struct child *c = min->child;
	struct minimizer_state state;
	size_t room = c->worker->layout.value_size;
	bool accepted;

	if (!c->call.machine) {
		if (c->call.keep_n == 0 &&
			minimize_find_features(min) == CHILD_FAILED)
			return CALL_FAILED;
		if (c->worker->spent)
			return CALL_LIMIT; /* another child learns, too */
		if (minimize_try(min, &accepted) == CHILD_FAILED)
			return CALL_FAILED;
		c->head->outcome.lost = min->lost;
		if (!accepted)
			return CALL_DONE;
		minimizer_init(&min->m, best, c->value_len, c->value,
			MINIMIZE_BLOCKS);
		if (c->worker->types.n > 0)
			(void)minimizer_tuples(&min->m);
		return CALL_RUNNING;
	}
	state = c->head->machine;
	return state.best_len == c->value_len &&
			minimizer_load(&min->m, best, c->value, NULL, room,
				&state)
		? CALL_RUNNING
		: CALL_REFUSED;
}

enum call_end
child_minimize(struct child *c)
{
	const struct worker_layout *layout = &c->worker->layout;
	uint8_t *best = c->worker->memory + layout->best_offset;
	const struct feature *features =
		(const void *)(c->worker->memory + layout->keep_offset);
	enum call_end end = child_may_run(c);
	struct minimize min = {
		.child = c,
		.results = c->worker->memory + layout->ring_offset,
		.results_max = c->call.tries_max < layout->ring_size
			? c->call.tries_max
			: (uint32_t)layout->ring_size,
	};

	c->head->live = (struct minimize_live){ .start_len = c->value_len,
		.best_len = c->value_len };
	c->head->outcome.best_len = c->value_len;
	if (c->call.keep_n > MEMORY_KEEP_MAX)
		return CALL_REFUSED;
	if (end != CALL_RUNNING)
		return end;
	memcpy(best, c->value, c->value_len);
	if (!scan_load(&c->scan, features, c->call.keep_n))
		return CALL_DONE; /* counters that this child lacks */
	traps_renew(c->scan.features, c->scan.n);
	end = minimize_begin(&min, best);
	if (end != CALL_RUNNING)
		return end;
	c->head->outcome.verified = 1;
	end = minimize_loop(&min);
	c->head->machine = min.m.s;
	return end;
}
