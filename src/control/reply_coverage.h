/*
 * reply_coverage: the replies about coverage and corpus, see query.h.
 *
 * Each struct says which members of the query it uses.
 */
#ifndef CFUZZ_CONTROL_REPLY_COVERAGE_H
#define CFUZZ_CONTROL_REPLY_COVERAGE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/field_row.h"

#define QUERY_MODULES_MAX 64u       /* PC_TABLE_MODULES_MAX fits */
#define QUERY_COUNTERS_MAX 131072u  /* of the map, per reply */
#define QUERY_CHANGES_MAX 4096u     /* of the map, per reply */
#define QUERY_NEW_FUNCTIONS_MAX 64u /* new functions */
#define QUERY_LINEAGE_MAX 256u      /* entries of a lineage */
#define QUERY_MUTATIONS_MAX 512u    /* of a mutation log */
#define QUERY_MUTATION_BYTES 32u    /* shown before and after a mutation */

/*
 * The coverage map, or its changes. Uses first, count, since. If the engine
 * still has all changes after `since`, the reply is `changes`, else `mask` for
 * the requested range. `counter` is the number of an edge in the map, from 0.
 * `bits` of an edge has one bit per bucket of hit counts: 1, 2-3, 4-7, 8-15,
 * 16-31, 32-63, 64-127, 128 and more. An unstable edge no longer counts as
 * coverage and keeps its bits. A value profile counter has no bits.
 */
struct reply_coverage {
	uint64_t revision;      /* grows with each change; never 0 */
	uint64_t counters;      /* number of code edges */
	bool whole;             /* `mask` is given, else `changes` */
	uint64_t first;         /* of mask */
	struct field_blob mask; /* a byte for each edge */
	struct reply_change {
		uint32_t counter;
		uint32_t bits; /* new ones */
		double at_s;   /* campaign time of the input */
	} * changes;           /* oldest first */
	size_t changes_n;
	/*
	 * The newest functions that inputs reached after the seeds, oldest
	 * first. A function is listed once its name is resolved.
	 */
	struct reply_new_function {
		char name[128]; /* or "module+0x…" */
		char file[96];  /* without folder, "" = unknown */
		uint32_t line;  /* 0 = unknown */
		char entry[17]; /* corpus entry that reached it first */
		double at_s;    /* of the campaign */
		uint32_t counter;
	} * reached;
	size_t reached_n;
};

/* Modules with edges, in the order of their edges. */
struct reply_modules {
	struct reply_module {
		char path[PATH_MAX]; /* absolute; "" = unknown */
		char id[130];        /* build-id in hex, "" = none */
		uint32_t base, n;    /* edges base … base + n - 1 */
	} * modules;
	size_t modules_n;
};

/*
 * The PC table of a module. Uses module, first, count. For each edge a 64-bit
 * little-endian number: the virtual address in the file; the highest bit marks
 * a function entry. 0: unknown.
 */
#define REPLY_PC_ENTRY (1ull << 63)
struct reply_pcs {
	uint32_t module;
	uint64_t first;
	uint32_t n; /* of the module */
	struct field_blob pcs;
};

/* A corpus entry in a list. */
struct reply_row {
	uint32_t index;
	char name[17];
	char parent[17]; /* "" = none is known */
	uint32_t generation;
	uint64_t len, new_bits; /* bytes; features that it was first to hit */
	double exec_us;         /* of one execution, measured once */
	double found_at_s;      /* elapsed time; of earlier runs: < 0 */
	double energy;          /* its share of the fuzzing time, 0 … 1 */
	uint32_t finds;         /* new inputs derived from it */
	double executions;      /* spent on it; < 0: not kept */
	bool seed, favoured, unstable;
	bool progress; /* kept for the value profile only */
};

/*
 * Rows that match the filter, sorted. Uses first, count, sort, falling, filter,
 * and name: an entry to locate among these rows, or "".
 */
struct reply_corpus {
	uint64_t total, matching;
	uint64_t place; /* rank of `name`, 1: first row; 0: not listed */
	uint64_t first;
	struct reply_row *rows;
	size_t rows_n;
};

/*
 * Bytes and lineage. Uses name, first, count. The lineage starts with the entry
 * itself; that of a finding starts with its parent. The name of a finding is
 * "ID" or "ID/min"; text for the user is in "ID/call" (the calls in C) and
 * "ID/seq" (the input sequence).
 */
struct reply_entry {
	char name[24];
	bool finding;
	uint64_t len;
	uint64_t first; /* of bytes */
	struct field_blob bytes;
	struct reply_row *lineage; /* back to the seed */
	size_t lineage_n;
	bool cut; /* further ancestors are left out */
};

/* The mutations that led to an entry, the earliest first. Uses name. */
struct reply_mutation_log {
	char name[24];
	bool complete; /* back to a seed */
	char why[96];  /* not complete: the missing part */
	struct reply_mutation {
		char entry[24];      /* result of the mutation */
		char parent[17];     /* entry that was mutated */
		char partner[17];    /* second parent, "" = none */
		uint32_t generation; /* of entry */
		char op[32];         /* the mutator's name */
		uint64_t offset;     /* the first byte that changed */
		uint64_t len_before, len_after;   /* of the whole input */
		uint64_t part_before, part_after; /* of what changed */
		uint32_t before_n, after_n;
		uint8_t before[QUERY_MUTATION_BYTES]; /* its first bytes */
		uint8_t after[QUERY_MUTATION_BYTES];
		bool minimized; /* minimized, not mutated */
	} * steps;
	size_t steps_n;
	bool cut; /* only the newest fit; older ones are left out */
};

#endif
