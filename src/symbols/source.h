/*
 * source: what stands where a module's counters count: functions, files and
 * lines, as a table; and the messages in which it comes from the helper.
 *
 * A question is one packet with a descriptor: a file in memory that has the
 * counters' addresses, 64 bits each. The answer is many packets: a head, then
 * items of one kind; the one of SOURCE_END is the last. Both ends are the
 * same executable, so messages are structs. The answer is made from foreign
 * debug information: source_table_take() bounds and checks all of it.
 */
#ifndef CFUZZ_SYMBOLS_SOURCE_H
#define CFUZZ_SYMBOLS_SOURCE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"

#define SOURCE_COUNTERS_MAX (1u << 20) /* of a module */
#define SOURCE_FUNCTIONS_MAX (1u << 17)
#define SOURCE_FILES_MAX (1u << 14)
#define SOURCE_ROWS_MAX (1u << 21)
#define SOURCE_BLOCKS_MAX (1u << 20)
#define SOURCE_MEMBERS_MAX (1u << 22)
#define SOURCE_SET_MAX 64u
#define SOURCE_PATH_MAX 512u
#define SOURCE_NAME_MAX 192u
#define SOURCE_ID_MAX 129u /* as SYMBOL_ID_MAX */
#define SOURCE_PACKET_MAX 65536u
#define SOURCE_NONE UINT32_MAX

#define SOURCE_ENTRY (1ull << 63) /* of an address: a function begins there */

/* In order of addresses; those without a name at the end. */
struct source_function {
	uint64_t address; /* of its lowest code, or its first counter */
	uint32_t file;    /* SOURCE_NONE: not known */
	uint32_t line;    /* where it is declared, 0: not known */
	char name[SOURCE_NAME_MAX]; /* "": not known */
};

struct source_file {
	char path[SOURCE_PATH_MAX]; /* as the debug information has it */
};

/* Of a counter. */
struct source_place {
	uint32_t function; /* SOURCE_NONE: the counter has no place */
	uint32_t file;     /* SOURCE_NONE: not known */
	uint32_t line;     /* 0: not known */
	/* Its block only reports what a sanitizer's check found: it is no code
	 * of the target, and no row has it. */
	uint32_t check;
};

/*
 * Code of this line is in the block of this counter; or, from places_n on, in
 * the block without a counter of that number; or nobody can tell whether it
 * runs (SOURCE_NONE). By file, line, counter.
 */
struct source_row {
	uint32_t file, line, counter;
	uint32_t calls; /* the line's code in that block calls a function */
};

/* Some of the table's members, which are counters. */
struct source_set {
	uint32_t first, n;
};

/*
 * A block without a counter: if any of `hit` was hit, so was it; else, if none
 * of `before`, or none of `after`, was, neither was it. Empty ones say
 * nothing. At most SOURCE_SET_MAX each, of `hit` twice as many.
 */
struct source_block {
	uint32_t function; /* SOURCE_NONE: not known */
	struct source_set hit, before, after;
};

/* How the answer came about. */
struct source_end {
	uint32_t blind; /* there is nothing to read debug information with */
	uint32_t found; /* the file is there, and has that build-id */
	uint32_t debug; /* it has debug information of these counters */
	uint32_t cut;   /* there was too much of something */
	uint32_t ends;  /* it is known where blocks end */
};

struct source_table {
	struct source_function *functions;
	struct source_file *files;
	struct source_place *places; /* one for each counter */
	struct source_block *blocks;
	uint32_t *members;
	struct source_row *rows;
	uint32_t functions_n, files_n, places_n, rows_n;
	uint32_t blocks_n, members_n;
	struct source_end end;
};

struct source_request {
	uint32_t n; /* addresses in the file that comes with it */
	char id[SOURCE_ID_MAX];
	char path[PATH_MAX];
};

enum source_kind {
	SOURCE_FUNCTIONS,
	SOURCE_FILES,
	SOURCE_PLACES,
	SOURCE_BLOCKS,
	SOURCE_MEMBERS,
	SOURCE_ROWS,
	SOURCE_END, /* one item */
	SOURCE_KIND_COUNT
};

struct source_packet {
	uint32_t kind; /* enum source_kind */
	uint32_t n;    /* items that follow */
};

void source_table_clear(struct source_table *table);

/* Bytes of an item of this kind. */
size_t source_item_size(enum source_kind kind);

/*
 * Adds a packet to a table that was empty at first; *done after the last one.
 * counters_n is the number that was asked for. On failure the table is of no
 * use: clear it.
 */
enum status source_table_take(struct source_table *table, uint32_t counters_n,
	const void *packet, size_t len, bool *done, struct error *err)
	MUST_CHECK;

#endif
