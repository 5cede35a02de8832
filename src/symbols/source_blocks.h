/*
 * source_blocks: maps ranges of a module's code to edge counters, or to blocks
 * without a counter.
 *
 * Only for the helper process.
 */
#ifndef CFUZZ_SYMBOLS_SOURCE_BLOCKS_H
#define CFUZZ_SYMBOLS_SOURCE_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/debug_file.h"
#include "symbols/source.h"
#include "symbols/source_ranges.h"

/* A counter's address. */
struct source_point {
	uint64_t at;
	uint32_t counter;
	uint32_t whole; /* the function that contains it, see
			   source_range; SOURCE_NONE: no debug information */
	uint32_t entry; /* not 0: a function begins there */
};

/*
 * Code that runs as a whole. If the ends of blocks are unknown, it is a whole
 * function: `counter` then decides about all its lines, except those
 * with a counter of their own.
 */
struct source_stretch {
	uint64_t start, end;
	uint64_t code, code_end; /* as in struct flow_block */
	uint32_t counter;        /* as in a row */
	uint32_t check;          /* a sanitizer's, not code of the target */
};

/* All pointers are borrowed. */
struct source_blocks_input {
	const struct debug_file *file;
	const char *path; /* of the file */
	const struct source_ranges *ranges;
	const struct source_point *points; /* in order */
	uint32_t points_n;
};

struct source_blocks {
	struct source_stretch *stretches; /* in order */
	size_t n;
	/* For each counter, a block for its line alone, where the blocks of the
	 * function are unknown; else SOURCE_NONE. */
	uint32_t *own;
	uint64_t *calls; /* addresses of calls, in order */
	size_t calls_n;
};

/*
 * Adds blocks and members to the table, which has its locations; sets end.ends,
 * and `check` of locations. *out is zero before; the caller clears it.
 */
void source_blocks_make(struct source_blocks *out, struct source_table *table,
	const struct source_blocks_input *input);
void source_blocks_clear(struct source_blocks *blocks);

/* The index of the first stretch that ends behind the address; n: none. */
size_t source_blocks_find(const struct source_blocks *blocks, uint64_t address);

/* Does the range call a function other than a sanitizer's? */
bool source_blocks_calls(const struct source_blocks *blocks, uint64_t start,
	uint64_t end);

#endif
