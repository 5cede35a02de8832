/*
 * shared_pages: memory that a child shares with the processes it forks.
 *
 * A run, the process that executes one input of a program, counts edges and
 * records comparisons in its own memory. The child must see them, so the pages
 * that hold them become shared. Other variables may lie on the first and last
 * of these pages. The child saves them before it forks and restores them after
 * the run has ended, so the run changes nothing else of the child. For what the
 * run forks in its turn, see fork_pages.h.
 */
#ifndef CFUZZ_TARGET_PROGRAM_SHARED_PAGES_H
#define CFUZZ_TARGET_PROGRAM_SHARED_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "target/hooks/counters.h"

/* All edge counters, and a few tables of the runtime. */
#define SHARED_RANGES_MAX (COUNTERS_REGIONS_MAX + 4u)

struct shared_range {
	uint8_t *start;
	size_t len; /* bytes */
};

/* Bytes of shared pages that a run must not change, and room to save them. */
struct shared_gap {
	uint8_t *start, *saved;
	size_t len; /* bytes */
};

struct shared_pages {
	struct shared_gap gaps[2 * SHARED_RANGES_MAX];
	uint32_t n;
};

/*
 * Shares the pages of these ranges (at most SHARED_RANGES_MAX) with all
 * processes forked from now on, until the process ends. Sorts the ranges, which
 * may not overlap. Call it in the process that forks the runs. False: no
 * memory; some of the pages may be shared all the same.
 */
bool shared_pages_open(struct shared_pages *pages, struct shared_range *ranges,
	uint32_t n);

/* Save before a fork, restore after the forked process has ended. */
void shared_pages_save(const struct shared_pages *pages);
void shared_pages_restore(const struct shared_pages *pages);

#endif
