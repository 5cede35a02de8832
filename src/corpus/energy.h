/*
 * energy: which inputs are worth the time, and how much of it.
 *
 * Each entry of the corpus has a weight. Weights become tickets in campaign
 * memory, from which the children draw the parent of each chain, so a choice
 * costs one load there, and nothing here. What the arena has no room for is
 * worked on for a whole call, as often as its weight says.
 *
 * A weight is made of: the rarity of what an entry reaches (each counter
 * gives one part, divided by how many entries reach it, to the smallest and
 * fastest of them, as AFL's favoured entries), its speed, how much time it
 * had already since something last came of it (AFLFast: Böhme, Pham,
 * Roychoudhury, "Coverage-based Greybox Fuzzing as Markov Chain", CCS 2016),
 * and its age: what is new is tried first.
 */
#ifndef CFUZZ_CORPUS_ENERGY_H
#define CFUZZ_CORPUS_ENERGY_H

#include "corpus/corpus.h"
#include "worker/campaign_memory.h"

enum energy_rule {
	ENERGY_FULL, /* all that is said above */
	ENERGY_FAST, /* by speed alone */
	ENERGY_EVEN, /* all alike */
};

struct energy;

/* Both are borrowed and outlive it. */
struct energy *energy_create(struct campaign_memory *memory,
	struct corpus *corpus);
void energy_destroy(struct energy *energy); /* NULL is fine */

/* The entry's bytes stand in the arena at entry->arena from now on; where
 * they stood before nobody draws any more. */
void energy_place(struct energy *energy, struct corpus_entry *entry);

/* Whose bytes those are; NULL: nobody's. */
struct corpus_entry *energy_owner(const struct energy *energy, uint32_t arena);

/* The entry reaches these counters (numbers beyond the mask are ignored). */
void energy_reach(struct energy *energy, struct corpus_entry *entry,
	const uint32_t *counters, uint32_t n);

/* Something new came of this parent. */
void energy_reward(struct energy *energy, struct corpus_entry *parent);

/* A child died of what came of this parent, which took so many nanoseconds. */
void energy_charge(struct energy *energy, struct corpus_entry *parent,
	uint64_t ns);

/*
 * So many executions were made with the tickets as they are: they are shared
 * out when new ones are made. timed: may what was measured with a clock count?
 */
void energy_spend(struct energy *energy, uint64_t executions);
void energy_publish(struct energy *energy, enum energy_rule rule, bool timed);

/* Has anything changed since the last time? */
bool energy_is_stale(const struct energy *energy);

/* Whose turn it is: all come round, as often as the weights that were
 * published last say. NULL: none were. */
struct corpus_entry *energy_draw(struct energy *energy);

/* The part of all time that an entry has, 0 to 1. */
double energy_share(const struct energy *energy,
	const struct corpus_entry *entry);

uint32_t energy_favoured(const struct energy *energy); /* entries */

#endif
