/*
 * counters: the hit counters of all loaded modules.
 *
 * Compilers and the runtime itself register regions of byte counters; each
 * region gets a place in the campaign's mask, the same in every worker, by
 * its key. Registration happens before anything of ours has run, so all
 * state here starts as zeros.
 */
#ifndef CFUZZ_TARGET_HOOKS_COUNTERS_H
#define CFUZZ_TARGET_HOOKS_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory.h"

#define COUNTERS_REGIONS_MAX MEMORY_MODULES_MAX

enum counters_kind {
	COUNTERS_INLINE,  /* clang's inline-8bit-counters */
	COUNTERS_GUARD,   /* trace-pc-guard */
	COUNTERS_TRACE,   /* gcc's trace-pc */
	COUNTERS_EXTRA,   /* the target's own */
	COUNTERS_COMPARE, /* progress in comparisons: says nothing of code */
	COUNTERS_KIND_COUNT
};

/* What one bit of counter_region.marks stands for. */
#define COUNTERS_BLOCK 64u

struct counter_region {
	uint8_t *start;
	const void *code; /* an address in the module that it belongs to */
	uint64_t key;     /* 0: not made yet */
	uint32_t n;
	uint32_t base; /* in the mask, if placed */
	enum counters_kind kind;
	bool placed;   /* counts, at base */
	bool reported; /* the engine has been told of it */
	bool quiet;    /* not looked at now, not even cleared */
	/*
	 * A large region of few counters in use has a bit here for each
	 * COUNTERS_BLOCK of them (it has no part of one), set by who counts:
	 * where it is not set they are zero. NULL: nobody knows.
	 */
	uint64_t *marks;
	/* clang's pc-table: for each counter an address, and 1 in the next
	 * word if a function begins there. NULL: there is none. */
	const uintptr_t *table;
};

struct counters {
	struct counter_region regions[COUNTERS_REGIONS_MAX];
	uint32_t n;
	uint32_t guards;  /* used by trace-pc-guard */
	uint32_t dropped; /* regions for which there was no room */
};

struct counters *counters_get(void);

/*
 * Adds a region; one that is known already, or empty, is left alone. code
 * lies in the module that the counters belong to.
 */
void counters_add(enum counters_kind kind, uint8_t *start, size_t n,
	const void *code);

/* The region of this key and size; NULL: it is not here. */
const struct counter_region *counters_region(uint64_t key, uint32_t n);

/* What a target is instrumented with: "inline-8bit-counters" …, or "". */
const char *counters_instrumentation(void);

/* Makes the keys that are missing and lists all regions; at most max. */
uint32_t counters_list(struct counter_module *modules, uint32_t max);

/*
 * Looks up regions without a place in the campaign's table. Returns how many
 * new ones are unknown there, listed in late (at most max).
 */
uint32_t counters_place(const struct campaign_head *campaign,
	struct counter_module *late, uint32_t max);

#endif
