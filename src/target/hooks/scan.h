/*
 * scan: reads the edge counters after an execution.
 *
 * Each counter becomes one bit, its hit-count bucket: the highest bit that is
 * set, so the buckets are 1, 2-3, 4-7 and so on to 128-255 (AFL's buckets, with
 * other bounds). Bits that the coverage map lacks are collected as features.
 * Nearly all counters are zero nearly always, so the scan skips blocks of
 * zeros. It clears the counters as it reads them. Quiet regions are neither
 * read nor cleared; regions without a place in the map are not read.
 */
#ifndef CFUZZ_TARGET_HOOKS_SCAN_H
#define CFUZZ_TARGET_HOOKS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory_call.h"
#include "shared/wire/memory_ring.h"
#include "target/hooks/scan_skip.h"

#define SCAN_FEATURES_MAX MEMORY_KEEP_MAX

struct scan {
	scan_skip *skip;
	struct feature *features; /* mapped: room for SCAN_FEATURES_MAX */
	uint8_t **counters;       /* the counter of each; mapped */
	uint32_t n;               /* number of features */
};

/* Maps memory until the process ends. False: no memory. */
bool scan_init(struct scan *scan);

/* Processes forked from now on do not get the memory of the scan. */
void scan_keep_from_forks(const struct scan *scan);

/*
 * Collects the features that map (MEMORY_COUNTERS_MAX bytes) lacks, at most
 * SCAN_FEATURES_MAX, and clears the counters that it reads. Returns the number
 * of features.
 */
uint32_t scan_collect(struct scan *scan, const uint8_t *map);

/* Clears all counters but those of quiet regions. */
void scan_clear(void);

/*
 * Lists the nonzero counters by their places in the coverage map, at most max;
 * returns their number. Clears nothing: call it after an execution, before the
 * counters are cleared.
 */
uint32_t scan_edges_hit(uint32_t *edges, uint32_t max);

/* Keeps only the features that map lacks. */
void scan_filter(struct scan *scan, const uint8_t *map);

/*
 * Keeps only the features that the counters show now, and clears all counters.
 * Returns the number of removed ones, which stand behind the others.
 */
uint32_t scan_confirm(struct scan *scan);

/* Adds the features to a map. */
void scan_merge(const struct scan *scan, uint8_t *map);

/*
 * Takes n features from elsewhere, at most SCAN_FEATURES_MAX, and finds their
 * counters. False: a counter is not in this process.
 */
bool scan_load(struct scan *scan, const struct feature *features, uint32_t n);

/* The number of features that the counters do not show now, or `most` if there
 * are more. Clears nothing. */
uint32_t scan_missing(const struct scan *scan, uint32_t most);

#endif
