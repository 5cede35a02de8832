/*
 * campaign_memory: the memory that the engine shares with all workers.
 *
 * It holds the global coverage map, the table of counter modules, the corpus
 * arena, and a word for each worker that ends its call. Workers map it
 * read-only, and its seal enforces this. Pages are allocated before they are
 * written, so that a machine without memory is an error here and not a SIGBUS.
 */
#ifndef CFUZZ_WORKER_MEMORY_CAMPAIGN_MEMORY_H
#define CFUZZ_WORKER_MEMORY_CAMPAIGN_MEMORY_H

#include <stdbool.h>

#include "shared/mutate/mutation.h"
#include "shared/wire/memory.h"
#include "worker/memory/coverage_log.h"
#include "worker/memory/sealed.h"

struct campaign_memory {
	struct sealed sealed;
	struct campaign_head *head; /* into the map */
	bool tuples;                /* entries are inputs of a typed target */
	uint64_t arena_used;        /* bytes taken */
	uint64_t arena_ready;       /* bytes allocated */
	uint64_t map_ready;         /* bytes of the coverage map allocated */
	uint32_t selection_ready; /* places of the selection table allocated */
	uint64_t bits;            /* set in the coverage map */
	uint64_t counters_hit;    /* edge counters with any bit set */
	/* The counters of the value profile are counted apart. */
	uint32_t profile_base, profile_n;
	uint64_t profile_bits;
	struct coverage_log log; /* changes of edge counters */
	/* Owned. times: how often a counter was not hit again by the same
	 * input; bits: its bits in the map when it was excluded as unstable. */
	struct counter_unstable {
		uint8_t times, bits;
	} * unstable;
	uint32_t unstable_n;
	/* Edges that were not hit again at least once; how many of these are
	 * not in counters_hit; and how many are excluded as unstable. */
	uint32_t unstable_seen, unstable_apart, unstable_excluded;
};

/* max_len, arena_size: in bytes. E_NOMEM: the system has no memory. */
enum status campaign_memory_open(struct campaign_memory *memory,
	uint32_t max_len, uint64_t arena_size, struct error *err) MUST_CHECK;
void campaign_memory_close(struct campaign_memory *memory);

/* Assigns counters to a module, or finds those it has. False: there is no room,
 * and its counters do not count. */
bool campaign_memory_add_module(struct campaign_memory *memory, uint64_t key,
	uint32_t n);

/* Does the counter belong to the value profile? */
bool campaign_memory_is_profile(const struct campaign_memory *memory,
	uint32_t counter);

/* The bits that were reached, also of an excluded counter; 0 for a counter of
 * the value profile. */
uint8_t campaign_memory_bits(const struct campaign_memory *memory,
	uint32_t counter);

/*
 * Adds the features to the map and to the log, and returns how many bits were
 * new. New features of the value profile only increase profile_bits. Counters
 * of no module are ignored.
 */
uint64_t campaign_memory_merge(struct campaign_memory *memory,
	const struct feature *features, size_t n);

/*
 * Notes that a counter was hit once, but not again by the same input. At the
 * second time the counter is unstable: it depends on more than the input, is
 * excluded, and never gives new features again. Returns true if an edge was
 * excluded just now. Counters of the value profile are excluded as well, but
 * return false: they say nothing about the target's coverage.
 */
bool campaign_memory_mark_unstable(struct campaign_memory *memory,
	uint32_t counter);

/* The share of the edges reached that are stable, in percent; 100 if none is
 * reached. */
double campaign_memory_stability(const struct campaign_memory *memory);

/* Copies an input into the arena and returns its number; MEMORY_NO_ENTRY if the
 * arena is full or the input longer than max_len. */
uint32_t campaign_memory_add_entry(struct campaign_memory *memory,
	const uint8_t *data, size_t len);

/* The bytes of an entry as added, valid as long as the memory is open; NULL:
 * there is no such entry. */
const uint8_t *campaign_memory_entry(const struct campaign_memory *memory,
	uint32_t index, size_t *len);

/* Adds a token of 1 to MEMORY_WORD_LEN_MAX bytes to the dictionary. False:
 * it is full, there is no memory, or the length is another. */
bool campaign_memory_add_word(struct campaign_memory *memory,
	const uint8_t *data, size_t len);
/* The dictionary; valid as long as the memory is open. */
struct tokens campaign_memory_words(const struct campaign_memory *memory);

/*
 * The sources of a mutation stack: its partner (none if MEMORY_NO_ENTRY or
 * invalid) and the first words_n tokens of the dictionary.
 */
struct mutation_sources campaign_memory_sources(
	const struct campaign_memory *memory, uint32_t partner,
	uint32_t words_n);

/*
 * Returns room for a selection table of n entries (at most
 * MEMORY_SELECTION_MAX), with the published ones first; NULL: no memory.
 * Workers may be drawing from it: write each entry with a single store, and
 * only valid entry numbers.
 */
uint32_t *campaign_memory_selection(struct campaign_memory *memory, uint32_t n);
void campaign_memory_publish_selection(struct campaign_memory *memory,
	uint32_t n);

/* Asks the worker to end its calls up to number seq. */
void campaign_memory_end_call(struct campaign_memory *memory, uint32_t slot,
	uint64_t seq);
void campaign_memory_set_paused(struct campaign_memory *memory, uint32_t slot,
	bool paused);

#endif
