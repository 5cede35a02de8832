/*
 * energy: decides how much time the fuzzer spends on each input.
 *
 * Each entry of the corpus has a weight. The weights become a selection table
 * in campaign memory, from which the children draw the parent of each mutation
 * stack: a choice costs one load there and nothing here. Entries that do not
 * fit into the arena get whole calls, as often as their weights say.
 *
 * A weight is made of:
 * - rarity: each edge gives one share, divided by the number of entries that
 *   reach it, to the smallest and fastest of them (like AFL's favoured
 *   entries);
 * - speed;
 * - the time spent since the entry led to something new (AFLFast: Böhme, Pham,
 *   Roychoudhury, "Coverage-based Greybox Fuzzing as Markov Chain", CCS 2016);
 * - age: new entries are tried first.
 */
#ifndef CFUZZ_CORPUS_ENERGY_H
#define CFUZZ_CORPUS_ENERGY_H

#include "corpus/corpus.h"
#include "worker/memory/campaign_memory.h"

enum energy_rule {
	ENERGY_FULL, /* all of the above */
	ENERGY_FAST, /* speed only */
	ENERGY_EVEN, /* equal weights */
};

struct energy;

/* Borrows both; they must outlive it. */
struct energy *energy_create(struct campaign_memory *memory,
	struct corpus *corpus);
void energy_destroy(struct energy *energy); /* NULL is fine */

/* The entry's bytes are in the arena at entry->arena from now on. From the next
 * energy_publish() on, children draw it there and no longer at its former
 * place. */
void energy_place(struct energy *energy, struct corpus_entry *entry);

/* The entry is in no memory, and its file cannot be read: it is drawn no more. */
void energy_lose(struct energy *energy, struct corpus_entry *entry);

/* Returns the corpus entry that has, or had, this place in the arena; NULL:
 * none. */
struct corpus_entry *energy_owner(const struct energy *energy, uint32_t arena);

/* The entry reaches these edge counters, each named once. Invalid numbers and
 * counters of the value profile are ignored. */
void energy_reach(struct energy *energy, struct corpus_entry *entry,
	const uint32_t *counters, uint32_t n);

/* This parent has led to a new input. */
void energy_reward(struct energy *energy, struct corpus_entry *parent);

/*
 * One measured time of an entry may be a thousand times too long: the process
 * may have lost its processor meanwhile. The entry would then hardly ever be
 * drawn. energy_doubtful() returns the slowest entry that is far slower than the
 * mean, as last published, unless its is_measured is set; NULL: there is none.
 * energy_measure() gives an entry a second measured time, in nanoseconds: the
 * shorter one counts.
 */
struct corpus_entry *energy_doubtful(const struct energy *energy);
void energy_measure(struct energy *energy, struct corpus_entry *entry,
	uint64_t ns);

/* A child died of a mutation of this parent. The death cost ns nanoseconds. */
void energy_charge(struct energy *energy, struct corpus_entry *parent,
	uint64_t ns);

/*
 * energy_spend() counts executions with the current selection table;
 * energy_publish() distributes them among the entries by their weights,
 * computes new weights and makes a new table. timed: measured times may be
 * used.
 */
void energy_spend(struct energy *energy, uint64_t executions);
void energy_publish(struct energy *energy, enum energy_rule rule, bool timed);

/* Has anything changed since the last energy_publish()? */
bool energy_is_stale(const struct energy *energy);

/* Draws the next entry: each gets its turn as often as its published weight
 * says. NULL: nothing was published. */
struct corpus_entry *energy_draw(struct energy *energy);

/* The entry's share of the fuzzing time, 0 to 1, as last published. */
double energy_share(const struct energy *energy,
	const struct corpus_entry *entry);

/* Number of favoured entries, as last published. */
uint32_t energy_favoured(const struct energy *energy);

#endif
