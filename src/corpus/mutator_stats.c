/* mutator_stats: see mutator_stats.h. */
#include "corpus/mutator_stats.h"

#include "shared/mutate/mutation.h"

/* Prior: each mutator has this many average mutations. */
#define PRIOR_MUTATIONS 50000.0
#define SPAN 3.0 /* maximum factor over or under the base weight */
#define SCALE 1024.0

void
mutator_stats_add_mutations(struct mutator_stats *stats,
	const uint64_t mutations[MEMORY_OPS_MAX])
{
	unsigned op;

	for (op = 0; op < MEMORY_OPS_MAX; op++)
		stats->mutations[op] += mutations[op];
}

void
mutator_stats_add_find(struct mutator_stats *stats, const struct mutation *log,
	uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		if (log[i].op < MEMORY_OPS_MAX)
			stats->finds[log[i].op]++;
}

/* New inputs for each mutation, over all mutators with a base weight. */
static double
mutator_mean_yield(const struct mutator_stats *stats)
{
	double mutations = 1, finds = 1e-3;
	unsigned op;

	for (op = 0; op < MEMORY_OPS_MAX; op++) {
		if (mutate_weight(op) == 0)
			continue;
		mutations += (double)stats->mutations[op];
		finds += (double)stats->finds[op];
	}
	return finds / mutations;
}

void
mutator_stats_publish(const struct mutator_stats *stats,
	struct campaign_memory *memory)
{
	double mean = mutator_mean_yield(stats), rate;
	unsigned op;

	for (op = 0; op < MEMORY_OPS_MAX; op++) {
		rate = ((double)stats->finds[op] + PRIOR_MUTATIONS * mean) /
			((double)stats->mutations[op] + PRIOR_MUTATIONS) / mean;
		rate = rate < 1 / SPAN ? 1 / SPAN : rate > SPAN ? SPAN : rate;
		__atomic_store_n(&memory->head->weights[op],
			(uint32_t)(mutate_weight(op) * rate * SCALE),
			__ATOMIC_RELAXED);
	}
}
