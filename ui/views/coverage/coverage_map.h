/*
 * coverage_map: what the console knows of a campaign's coverage.
 *
 * The mask of all counters, kept up to date by what has changed of it; when
 * each counter was first hit; whose counters they are; and, when the helper
 * has told, their functions and files with sums that follow each change. A
 * change costs the same however large the target is.
 */
#ifndef CFUZZ_UI_VIEWS_COVERAGE_COVERAGE_MAP_H
#define CFUZZ_UI_VIEWS_COVERAGE_COVERAGE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/query.h"
#include "symbols/source.h"

#define COVERAGE_COUNTERS_MAX (1u << 22) /* more of them are not kept */
#define COVERAGE_RECENT_MAX 4096u
#define COVERAGE_WHY 160
#define COVERAGE_NEVER (-1.0f) /* first hit: not, or it is not known when */
#define COVERAGE_NEW_S 10.0    /* just hit */
#define COVERAGE_FRESH_S 60.0  /* hit in the last minute */
#define COVERAGE_BUCKETS 8

/* Of a function or a file. */
struct coverage_sum {
	uint32_t total, hit;   /* counters, without those of checks */
	float first_s, last_s; /* time, of the first and the last that was
				  first hit while we looked; or NEVER */
};

enum coverage_names {
	NAMES_NO_PLACES, /* where its counters stand is not known yet */
	NAMES_TO_ASK,    /* it is; the helper is still to be asked */
	NAMES_ASKED,
	NAMES_KNOWN,   /* `table` is there */
	NAMES_REFUSED, /* see `why` */
};

struct coverage_module {
	char path[256], id[130];
	uint32_t base, n; /* its counters */
	uint64_t *pcs;    /* n, those below pcs_n are known */
	uint32_t pcs_n;
	enum coverage_names names;
	char why[COVERAGE_WHY];
	struct source_table table;
	struct coverage_sum *functions, *files; /* as in table */
	uint32_t checks, checks_hit; /* counters that lead to a report alone */
};

struct coverage_map {
	uint64_t revision;  /* the engine's, 0: nothing known */
	bool whole;         /* all of the mask is there */
	uint64_t changed;   /* grows with each change of any kind */
	uint64_t structure; /* grows when modules or tables are others */
	uint32_t n;         /* counters */
	uint32_t loaded;    /* those below are known, if not whole */
	uint8_t *mask;
	float *first_s; /* of the campaign, when a counter was first hit */
	uint32_t recent[COVERAGE_RECENT_MAX]; /* a ring: hit last */
	size_t recent_n;
	struct coverage_module modules[QUERY_MODULES_MAX];
	size_t modules_n;
	bool modules_known;
	char why[COVERAGE_WHY]; /* the engine's refusal, "" = none */
	struct reply_reached *reached;
	size_t reached_n;
};

void coverage_map_clear(struct coverage_map *map);

/* What is to be asked next, at most three queries. */
size_t coverage_map_want(const struct coverage_map *map, struct query *queries);
void coverage_map_reply(struct coverage_map *map, const struct query *query,
	struct reply *reply);

/* The first module whose names are to be asked for; NULL: none. */
struct coverage_module *coverage_map_nameless(struct coverage_map *map);
/* Takes the table (it is empty then); NULL: why there is none. */
void coverage_map_name(struct coverage_map *map, struct coverage_module *module,
	struct source_table *take_table, const char *why);

/* The function of a counter; NULL: not known. */
const struct source_function *coverage_map_function(
	const struct coverage_map *map, uint32_t counter);

/* Counters of sanitizers' checks, as far as names are known. */
void coverage_map_checks(const struct coverage_map *map, uint64_t *all,
	uint64_t *hit);

/* Was it first hit within the last span seconds, while we looked? */
bool coverage_is_new(float first_s, double elapsed_s, double span_s);

/* The magnitude of the highest hit count: 0 none, 1 … 8. */
int coverage_bucket_of(uint8_t bits);
/* "1", "2-3" … "128+"; "" for 0. */
const char *coverage_bucket_name(int bucket);

/* "name", or, without one, "file+0x1234". */
const char *coverage_function_name(const struct coverage_module *module,
	uint32_t function, char *buf, size_t size);

#endif
