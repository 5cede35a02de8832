/*
 * coverage_map: the console's copy of a campaign's coverage.
 *
 * It holds the global coverage map of all edge counters, kept up to date by
 * changes, the time of each counter's first hit, and the modules that own the
 * counters. When the helper has read debug information, it also holds functions
 * and files with sums, which each change updates. The cost of a change does not
 * depend on the size of the target.
 */
#ifndef CFUZZ_COVERAGE_COVERAGE_MAP_H
#define CFUZZ_COVERAGE_COVERAGE_MAP_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/query.h"
#include "symbols/source.h"

#define COVERAGE_COUNTERS_MAX (1u << 22) /* further ones are dropped */
#define COVERAGE_RECENT_MAX 4096u        /* counters */
#define COVERAGE_WHY 160                 /* bytes of a reason */
#define COVERAGE_NEVER (-1.0f) /* first hit: none, or at an unknown time */
#define COVERAGE_NEW_S 10.0    /* hit just now */
#define COVERAGE_FRESH_S 60.0  /* hit in the last minute */
#define COVERAGE_BUCKETS 8

/*
 * Sums of a function or a file, without the counters of checks. A copy of an
 * inlined function counts from its first hit on.
 */
struct coverage_sum {
	uint32_t total, hit; /* edge counters */
	/* Campaign seconds of the earliest and the latest first hit of its
	 * counters. NEVER: not hit, or at an unknown time; an unknown time
	 * counts as the earliest. */
	float first_s, last_s;
};

enum coverage_names {
	NAMES_NO_PLACES, /* the PC table is not complete yet */
	NAMES_TO_ASK,    /* the helper has not been asked yet */
	NAMES_ASKED,
	NAMES_KNOWN,   /* `table` is complete */
	NAMES_REFUSED, /* failed: see `why` */
};

struct coverage_module {
	char path[PATH_MAX], id[130];
	uint32_t base, n; /* its edge counters */
	uint64_t *pcs;    /* n, of which pcs_n are known */
	uint32_t pcs_n;
	enum coverage_names names;
	char why[COVERAGE_WHY];
	struct source_table table;
	struct coverage_sum *functions, *files; /* of the table's */
	uint8_t *copies; /* 1: this copy of an inlined function was hit */
	uint32_t checks, checks_hit; /* counters of sanitizers' checks */
};

/* All zero is an empty map. It owns its arrays. */
struct coverage_map {
	uint64_t revision;  /* the engine's; 0: nothing is known */
	bool whole;         /* all counters are loaded */
	uint64_t changed;   /* grows with every change */
	uint64_t structure; /* grows when modules or tables change */
	uint32_t n;         /* edge counters */
	uint32_t loaded;    /* counters known while not whole */
	uint8_t *buckets;   /* n: hit-count buckets of each, a bit per bucket */
	float *first_s;     /* campaign seconds of each counter's first hit */
	/* Ring of the counters that were hit first lately; recent_n counts all
	 * that were put there. */
	uint32_t recent[COVERAGE_RECENT_MAX];
	size_t recent_n;
	struct coverage_module modules[QUERY_MODULES_MAX];
	size_t modules_n;
	bool modules_known;
	char why[COVERAGE_WHY]; /* the engine's error, or "" */
	struct reply_new_function *reached;
	size_t reached_n;
};

void coverage_map_clear(struct coverage_map *map);

/* Fills in the next queries, two or three, and returns their number. */
size_t coverage_map_query(const struct coverage_map *map,
	struct query *queries);
/* Takes the answer to such a query, and some of its lists, out of the reply;
 * the caller clears the reply. */
void coverage_map_reply(struct coverage_map *map, const struct query *query,
	struct reply *reply);

/* The first module that needs names from the helper; NULL: none. */
struct coverage_module *coverage_map_nameless(struct coverage_map *map);
/*
 * Takes the table's content and leaves it empty. A table of another number of
 * counters is refused and stays the caller's. NULL as the table: `why` says why
 * there is none.
 */
void coverage_map_name(struct coverage_map *map, struct coverage_module *module,
	struct source_table *take_table, const char *why);

/* The function of a counter; NULL: unknown. */
const struct source_function *coverage_map_function(
	const struct coverage_map *map, uint32_t counter);

/* Counts the counters of sanitizers' checks, in modules with names. */
void coverage_map_checks(const struct coverage_map *map, uint64_t *all,
	uint64_t *hit);

/* Was the counter hit? False beyond the map. */
bool coverage_is_hit(const struct coverage_map *map, uint64_t counter);

/* Is `copy` the number of a copy of an inlined function that was never hit?
 * False for 0, which is no copy. The module has names. */
bool coverage_is_unused_copy(const struct coverage_module *module,
	uint32_t copy);

/* Is the first hit known and within the last span_s seconds? elapsed_s:
 * campaign time now. */
bool coverage_is_new(float first_s, double elapsed_s, double span_s);

/* The highest hit-count bucket: 0 = none, 1 … 8. */
int coverage_bucket_of(uint8_t bits);
/* "1", "2-3" … "128+"; "" for 0. */
const char *coverage_bucket_name(int bucket);

/* "name", or "file+0x1234" without a name; in buf, or in the module's table.
 * function: an index into that table. */
const char *coverage_function_name(const struct coverage_module *module,
	uint32_t function, char *buf, size_t size);

#endif
