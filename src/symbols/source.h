/*
 * source: functions, files and lines of a module's edge counters as a table,
 * and the messages that transfer it from the helper.
 *
 * A request is one packet with a descriptor of a memory file that has the
 * addresses of the counters, 64 bits each. The reply has many packets: a head
 * and items of one kind each; the last packet is SOURCE_END. Both sides are the
 * same executable, so messages are structs. The reply is made from untrusted
 * debug information: source_table_take() checks everything.
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
#define SOURCE_PATH_MAX 512u     /* bytes, with the NUL */
#define SOURCE_NAME_MAX 192u     /* the same */
#define SOURCE_ID_MAX 129u       /* as SYMBOL_ID_MAX */
#define SOURCE_PACKET_MAX 65536u /* bytes */
#define SOURCE_NONE UINT32_MAX

#define SOURCE_ENTRY (1ull << 63) /* in an address: a function begins there */

/* In the order of their first counters; functions without a name come last. */
struct source_function {
	uint64_t address; /* its start, or its first counter */
	uint32_t file;    /* SOURCE_NONE: unknown */
	uint32_t line; /* of its declaration, or else its first; 0: unknown */
	char name[SOURCE_NAME_MAX]; /* "": unknown */
};

struct source_file {
	char path[SOURCE_PATH_MAX]; /* as in the debug information */
};

/* The source location of a counter. */
struct source_location {
	uint32_t function; /* SOURCE_NONE: unknown */
	uint32_t file;     /* SOURCE_NONE: unknown */
	uint32_t line;     /* 0: unknown */
	/*
	 * The block only reports a sanitizer's error. It is not code of the
	 * target, and no row refers to it.
	 */
	uint32_t check;
	/*
	 * Number of the copy of a function that is inlined elsewhere: an
	 * external function keeps one that other modules can call. 0: no such
	 * copy.
	 */
	uint32_t copy; /* at most the number of locations */
};

/*
 * A line has code in the block of this counter. A number from locations_n on is
 * a block without a counter (number - locations_n). SOURCE_NONE: it is unknown
 * whether the code runs. Sorted by file, line, counter.
 */
struct source_row {
	uint32_t file, line, counter;
	uint32_t calls; /* the code in that block calls a function */
};

/* A slice of the table's members, which are counters. */
struct source_set {
	uint32_t first, n;
};

/*
 * A block without a counter. It was executed if any counter of `hit` was hit.
 * Otherwise it was not executed if none of `before`, or none of `after`, was
 * hit. An empty set says nothing. A set has at most SOURCE_SET_MAX members,
 * `hit` twice as many.
 */
struct source_block {
	uint32_t function; /* SOURCE_NONE: unknown */
	uint32_t copy;     /* as that of a location */
	struct source_set hit, before, after;
};

/* How complete the reply is. */
struct source_end {
	uint32_t blind; /* libdw is missing */
	uint32_t found; /* the file exists and has that build-id */
	uint32_t debug; /* it has debug information for these counters */
	uint32_t cut;   /* a limit was exceeded, items are missing */
	uint32_t ends;  /* the ends of blocks are known */
};

/* All zero is empty. It owns its arrays. */
struct source_table {
	struct source_function *functions;
	struct source_file *files;
	struct source_location *locations; /* one for each counter */
	struct source_block *blocks;
	uint32_t *members;
	struct source_row *rows;
	uint32_t functions_n, files_n, locations_n, rows_n;
	uint32_t blocks_n, members_n;
	struct source_end end;
};

struct source_request {
	uint32_t n; /* number of addresses in the memory file */
	char id[SOURCE_ID_MAX];
	char path[PATH_MAX];
};

enum source_kind {
	SOURCE_FUNCTIONS,
	SOURCE_FILES,
	SOURCE_LOCATIONS,
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

/* Size of an item of this kind in bytes. */
size_t source_item_size(enum source_kind kind);

/* The items of this kind, and their number. */
const void *source_items(const struct source_table *table,
	enum source_kind kind, uint32_t *n);

/* Sorts the rows and joins equal ones. */
void source_order_rows(struct source_table *table);

/*
 * Adds a packet to a table, which is empty before the first one. The last
 * packet sets *done, and the whole table is checked. counters_n is the number
 * in the request. E_FORMAT: an invalid packet or table; then clear the table.
 */
enum status source_table_take(struct source_table *table, uint32_t counters_n,
	const void *packet, size_t len, bool *done, struct error *err)
	MUST_CHECK;

#endif
