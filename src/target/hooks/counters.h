/*
 * counters: the edge counters of all loaded modules.
 *
 * Compilers and the runtime itself register regions of byte counters. Each
 * region has a key, and the key leads to a place in the global coverage map,
 * the same in every worker. Registration happens before any code of the runtime
 * has run, so all state here starts as zeros.
 */
#ifndef CFUZZ_TARGET_HOOKS_COUNTERS_H
#define CFUZZ_TARGET_HOOKS_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory_campaign.h"

#define COUNTERS_REGIONS_MAX MEMORY_MODULES_MAX

enum counters_kind {
	COUNTERS_INLINE,     /* clang's inline-8bit-counters */
	COUNTERS_GUARD,      /* trace-pc-guard */
	COUNTERS_TRACE,      /* gcc's trace-pc */
	COUNTERS_EXTRA,      /* the target's own */
	COUNTERS_COMPARE,    /* value profile: no code behind it */
	COUNTERS_BREAKPOINT, /* basic blocks, see traps/traps.h */
	COUNTERS_KIND_COUNT
};

/* Tables of the runtime that several processes may share are aligned to it. */
#define COUNTERS_PAGE 4096u

/* Counters per bit of counter_region.touched. */
#define COUNTERS_BLOCK 64u

struct module_info;

struct counter_region {
	uint8_t *start;
	const void *code; /* an address in the region's module */
	uint64_t key;     /* 0: not computed yet */
	uint32_t n;
	uint32_t base; /* in the global coverage map, if placed */
	enum counters_kind kind;
	bool assigned; /* to a place in the map, at base */
	bool reported; /* the engine knows it */
	bool listed;   /* by the last counters_assign() */
	bool quiet;    /* neither read nor cleared at present */
	/*
	 * For a large, sparsely used region: a bit for each COUNTERS_BLOCK
	 * counters. The code that counts sets it; without the bit, the counters
	 * are zero. NULL: no bits.
	 */
	uint64_t *touched;
	/* clang's PC table: for each counter an address, and flags with bit 0
	 * set at a function entry. NULL: none. */
	const uintptr_t *table;
	/* For each counter, the distance of its code from `code`, ascending.
	 * NULL: none. */
	const uint32_t *offsets;
	/* The module, if this process has not loaded it; NULL: it has. With a
	 * module, `code` is NULL and `table` has offsets in place of
	 * addresses. */
	const struct module_info *module;
};

struct counters {
	struct counter_region regions[COUNTERS_REGIONS_MAX];
	uint32_t n;
	uint32_t guards; /* guards of trace-pc-guard that have a counter */
};

/* The counters of this process; never NULL. */
struct counters *counters_get(void);

/*
 * Adds a region of n counters, unless it is empty, already known, or larger
 * than MEMORY_COUNTERS_MAX, or the table is full. code is an address in the
 * counters' module.
 */
void counters_add(enum counters_kind kind, uint8_t *start, size_t n,
	const void *code);

/* Copies a region whose key is known into the table, on the same terms. */
void counters_add_region(const struct counter_region *region);

/* Called for each region that counters_add() adds from now on, with its key,
 * and again with its PC table. */
typedef void counters_added_fn(const struct counter_region *region);
void counters_watch(counters_added_fn *on_added);

/* The region with this key and size; NULL: not in this process. */
const struct counter_region *counters_region(uint64_t key, uint32_t n);

/* The target's instrumentation, such as "inline-8bit-counters", or "". */
const char *counters_instrumentation(void);

/*
 * Lists regions with their keys, at most max, for the engine: it knows them
 * now.
 */
uint32_t counters_list(struct counter_module *modules, uint32_t max);

/*
 * Gives regions their places in the campaign's table. Lists in late, at most
 * max, the regions that the table lacks and that were not reported before.
 * Returns their number.
 */
uint32_t counters_assign(const struct campaign_head *campaign,
	struct counter_module *late, uint32_t max);

/* The answer that goes to the engine now has the regions that counters_assign()
 * listed last: they are not listed again. */
void counters_report(void);

#endif
