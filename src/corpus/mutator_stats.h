/*
 * mutator_stats: what each kind of mutation has brought, and how often it is tried.
 *
 * A find is credited to all kinds in its trail, for nobody knows which of the
 * steps it was. A kind that brings more per step than the others is tried
 * more often, within bounds: what is useless now may be what is needed later.
 */
#ifndef CFUZZ_CORPUS_MUTATOR_STATS_H
#define CFUZZ_CORPUS_MUTATOR_STATS_H

#include "worker/campaign_memory.h"

struct mutator_stats {
	uint64_t steps[MEMORY_OPS_MAX]; /* taken */
	uint64_t finds[MEMORY_OPS_MAX]; /* that it had a part in */
	double share[MEMORY_OPS_MAX];   /* of all tries, 0 to 1, as published */
};

void mutator_stats_add_steps(struct mutator_stats *yields,
	const uint64_t steps[MEMORY_OPS_MAX]);
void mutator_stats_add_find(struct mutator_stats *yields,
	const struct mutation *trail, uint32_t n);

/* Tells the workers. */
void mutator_stats_publish(struct mutator_stats *yields,
	struct campaign_memory *memory);

#endif
