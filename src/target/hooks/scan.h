/*
 * scan: reading the hit counters after an execution.
 *
 * Counters become bucket bits, one per counter; bits that a mask lacks are
 * collected as pairs. Nearly all counters are zero nearly always, so the
 * scan passes over blocks of zeros, and clears what it read in the same go.
 * Regions that are quiet are neither read nor cleared.
 */
#ifndef CFUZZ_TARGET_HOOKS_SCAN_H
#define CFUZZ_TARGET_HOOKS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory.h"
#include "target/hooks/scan_skip.h"

#define SCAN_PAIRS_MAX MEMORY_KEEP_MAX

struct scan {
	scan_skip *skip;
	struct coverage_pair *pairs; /* SCAN_PAIRS_MAX of them */
	uint8_t **counters;          /* where each was read */
	uint32_t n;
};

/* False: no memory. */
bool scan_init(struct scan *scan);

/*
 * Collects the pairs that mask (MEMORY_COUNTERS_MAX bytes) lacks, and clears
 * all counters. Returns their number.
 */
uint32_t scan_collect(struct scan *scan, const uint8_t *mask);

/* Clears all counters. */
void scan_clear(void);

/*
 * Lists the counters that are not zero now, as many as max, by their places
 * in the mask; returns their number. Clears nothing: call it after an
 * execution, before whatever clears them.
 */
uint32_t scan_hits(uint32_t *hits, uint32_t max);

/* Keeps only the pairs that mask lacks. */
void scan_filter(struct scan *scan, const uint8_t *mask);

/*
 * Keeps only the pairs whose counters stand in the same bucket now, and
 * clears all counters. Returns how many went; they stand behind the others.
 */
uint32_t scan_confirm(struct scan *scan);

/* Adds the pairs to a mask. */
void scan_merge(const struct scan *scan, uint8_t *mask);

/*
 * Takes pairs from elsewhere and finds their counters. False if one has
 * none here.
 */
bool scan_load(struct scan *scan, const struct coverage_pair *pairs,
	uint32_t n);

/* How many pairs did not come back; counts no further than to `most`. Reads,
 * clears nothing. */
uint32_t scan_missing(const struct scan *scan, uint32_t most);

#endif
