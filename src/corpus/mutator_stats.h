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

struct yields {
	uint64_t steps[MEMORY_OPS_MAX]; /* taken */
	uint64_t finds[MEMORY_OPS_MAX]; /* that it had a part in */
	double share[MEMORY_OPS_MAX];   /* of all tries, 0 to 1, as published */
};

void yields_add_steps(struct yields *yields,
	const uint64_t steps[MEMORY_OPS_MAX]);
void yields_add_find(struct yields *yields, const struct mutation *trail,
	uint32_t n);

/* Tells the workers. */
void yields_publish(struct yields *yields, struct campaign_memory *memory);

#endif
