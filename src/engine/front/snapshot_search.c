/*
 * snapshot_search: the part of the snapshot about the search itself: mutator
 * statistics, the automatic dictionary, and the stability of coverage.
 *
 * All of it is counted elsewhere; its cost does not grow with the campaign.
 */
#include <stdio.h>

#include "base/xmalloc.h"
#include "control/snapshot.h"
#include "corpus/mutator_stats.h"
#include "engine/front/snapshot_view.h"
#include "engine/parts.h"
#include "engine/schedule/schedule.h"
#include "engine/statistics/counts.h"
#include "shared/mutate/mutation.h"
#include "worker/memory/campaign_memory.h"

_Static_assert(MUTATE_N <= SNAPSHOT_MUTATORS_MAX, "mutators that are shown");

/* Whether this campaign can use the mutator, or has used it. */
static bool
view_mutator_exists(const struct engine *e, unsigned op)
{
	if (engine_mutator_stats(e)->mutations[op] > 0 ||
		engine_mutator_stats(e)->finds[op] > 0)
		return true;
	if (op == MUTATE_INSERT_WORD || op == MUTATE_OVERWRITE_WORD)
		return engine_memory(e)->head->words_n > 0;
	return op == MUTATE_COMPARE || op == MUTATE_PART_COUNT ||
		mutate_weight(op) > 0;
}

/* Before statistics are published, children use the default weights. */
static double
view_mutator_weight(const struct engine *e, unsigned op)
{
	const struct campaign_head *head = engine_memory(e)->head;
	unsigned i;

	for (i = 0; i < MEMORY_OPS_MAX; i++)
		if (head->weights[i] > 0)
			return head->weights[op];
	return mutate_weight(op);
}

static void
view_mutators(const struct engine *e, struct snapshot *s)
{
	struct snapshot_mutator *v;
	double sum = 0;
	unsigned op;
	size_t i;

	s->mutators = xcalloc(MUTATE_N, sizeof(*s->mutators));
	for (op = 0; op < MUTATE_N; op++) {
		if (!view_mutator_exists(e, op))
			continue;
		v = &s->mutators[s->mutators_n++];
		snprintf(v->name, sizeof(v->name), "%s", mutate_name(op));
		v->steps = engine_mutator_stats(e)->mutations[op];
		v->finds = engine_mutator_stats(e)->finds[op];
		v->share = view_mutator_weight(e, op);
		sum += v->share;
	}
	for (i = 0; i < s->mutators_n && sum > 0; i++)
		s->mutators[i].share /= sum;
}

void
view_search(const struct engine *e, struct snapshot *s)
{
	s->counters_stable = campaign_memory_stability(engine_memory(e));
	s->counters_masked = engine_memory(e)->unstable_excluded;
	s->words = engine_memory(e)->head->words_n;
	s->progress_inputs = counts_value_entries(e);
	s->words_learned = counts_auto_dictionary(e);
	s->length_cap = schedule_shown_length(e);
	view_mutators(e, s);
}
