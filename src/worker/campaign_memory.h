/*
 * campaign_memory: what the engine publishes to all workers at once.
 *
 * The coverage mask, the table of counter modules, the corpus arena, and
 * per worker the word that ends a call. Workers map it read only; the seal
 * keeps it so. Pages are allocated before they are written, so that a full
 * machine is an error here and not a SIGBUS.
 */
#ifndef CFUZZ_WORKER_CAMPAIGN_MEMORY_H
#define CFUZZ_WORKER_CAMPAIGN_MEMORY_H

#include <stdbool.h>

#include "shared/mutate/mutation.h"
#include "shared/wire/memory.h"
#include "worker/coverage_log.h"
#include "worker/sealed.h"

struct campaign_memory {
	struct sealed sealed;
	struct campaign_head *head; /* into the map */
	bool tuples;                /* entries are those of a typed target */
	uint64_t arena_used;        /* bytes taken */
	uint64_t arena_ready;       /* bytes allocated */
	uint64_t mask_ready;
	uint32_t tickets_ready;
	uint64_t bits;         /* set in the mask */
	uint64_t counters_hit; /* counters with any bit */
	/* Of these, progress in comparisons is counted apart. */
	uint32_t profile_base, profile_n;
	uint64_t profile_bits;
	struct coverage_log log; /* of the counters of code */
	/* Owned: how often a counter did not come back, and the bits that it
	 * had when it was masked. */
	struct counter_doubt {
		uint8_t times, bits;
	} * doubts;
	uint32_t doubts_n;
	/* Of the counters of code: those that did not come back once, how many
	 * of these are not among counters_hit, and those that are masked. */
	uint32_t doubted, doubted_apart, masked;
};

enum status campaign_memory_open(struct campaign_memory *memory,
	uint32_t max_len, uint64_t arena_size, struct error *err) MUST_CHECK;
void campaign_memory_close(struct campaign_memory *memory);

/* Gives a module its counters, or finds those it has. False: no room, the
 * module is known but does not count. */
bool campaign_memory_add_module(struct campaign_memory *memory, uint64_t key,
	uint32_t n);

/* Is it one of the counters of progress in comparisons? */
bool campaign_memory_is_profile(const struct campaign_memory *memory,
	uint32_t counter);

/* What was reached of a counter, masked or not; of progress, nothing. */
uint8_t campaign_memory_bits(const struct campaign_memory *memory,
	uint32_t counter);

/*
 * Adds the pairs; returns how many bits were new, which the log tells one by
 * one. Those of progress in comparisons are not among them: they only grow
 * profile_bits.
 */
uint64_t campaign_memory_merge(struct campaign_memory *memory,
	const struct coverage_pair *pairs, size_t n);

/*
 * A counter was hit, and the same input did not hit it again. One that does
 * so twice depends on more than the input: it is masked, and never tells
 * anything new again. True: now. Progress in comparisons is masked as well,
 * but says nothing of the target's coverage: false.
 */
bool campaign_memory_doubt(struct campaign_memory *memory, uint32_t counter);

/* The share of the counters reached that always came back, in percent. */
double campaign_memory_stability(const struct campaign_memory *memory);

/* Copies an input into the arena; MEMORY_NO_ENTRY when it is full. */
uint32_t campaign_memory_add_entry(struct campaign_memory *memory,
	const uint8_t *data, size_t len);

/* The bytes of an entry, as they were added; NULL: there is none. */
const uint8_t *campaign_memory_entry(const struct campaign_memory *memory,
	uint32_t index, size_t *len);

/* The dictionary; a word has 1 to MEMORY_WORD_LEN_MAX bytes. False: full. */
bool campaign_memory_add_word(struct campaign_memory *memory,
	const uint8_t *data, size_t len);
struct tokens campaign_memory_words(const struct campaign_memory *memory);

/*
 * What a chain drew on: a partner, MEMORY_NO_ENTRY or a number that means
 * nothing for none, and the words that there were when they were words_n.
 */
struct mutation_sources campaign_memory_sources(
	const struct campaign_memory *memory, uint32_t partner,
	uint32_t words_n);

/*
 * Room for n tickets (at most MEMORY_TICKETS_MAX), those that are published
 * first; NULL: no memory. Workers may be drawing from them: each is written
 * as a whole, and is always the number of an entry.
 */
uint32_t *campaign_memory_tickets(struct campaign_memory *memory, uint32_t n);
void campaign_memory_publish_tickets(struct campaign_memory *memory,
	uint32_t n);

/* Calls of this worker up to number seq shall end. */
void campaign_memory_end_call(struct campaign_memory *memory, uint32_t slot,
	uint64_t seq);
void campaign_memory_set_paused(struct campaign_memory *memory, uint32_t slot,
	bool paused);

#endif
