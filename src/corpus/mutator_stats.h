/*
 * mutator_stats: counts the new inputs of each mutator and sets its frequency.
 *
 * A new input is credited to all mutators in its mutation stack, because it is
 * unknown which of them mattered. A mutator with more new inputs for each
 * mutation is tried more often, at most three times as often as its base weight
 * says. Another one is tried less often, but at least a third as often: it may
 * be needed later.
 */
#ifndef CFUZZ_CORPUS_MUTATOR_STATS_H
#define CFUZZ_CORPUS_MUTATOR_STATS_H

#include "worker/memory/campaign_memory.h"

struct mutator_stats {
	uint64_t mutations[MEMORY_OPS_MAX]; /* mutations applied */
	uint64_t finds[MEMORY_OPS_MAX];     /* new inputs with this mutator */
};

void mutator_stats_add_mutations(struct mutator_stats *stats,
	const uint64_t mutations[MEMORY_OPS_MAX]);
/* Credits a new input to the n mutations that made it. */
void mutator_stats_add_find(struct mutator_stats *stats,
	const struct mutation *log, uint32_t n);

/* Writes the weights to campaign memory for the workers. */
void mutator_stats_publish(const struct mutator_stats *stats,
	struct campaign_memory *memory);

#endif
