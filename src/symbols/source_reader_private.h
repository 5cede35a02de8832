/*
 * source_reader_private: what the parts of source_reader.c share.
 */
#ifndef CFUZZ_SYMBOLS_SOURCE_READER_PRIVATE_H
#define CFUZZ_SYMBOLS_SOURCE_READER_PRIVATE_H

#include <stdint.h>

#include "symbols/debug_file.h"
#include "symbols/source.h"
#include "symbols/source_blocks.h"
#include "symbols/source_files.h"
#include "symbols/source_ranges.h"
#include "symbols/source_symbols.h"

struct reader {
	const struct libdw *dw;
	struct debug_file file;
	struct source_table *table;
	const uint64_t *pcs;
	struct source_ranges ranges;
	struct source_symbols symbols;
	struct source_blocks blocks;
	uint8_t *counted; /* functions, by `whole`, that have counters */
	uint32_t *copies; /* numbers of copies by `whole`; 0: none */
	uint32_t copies_n;
	struct source_point *points; /* in order of addresses */
	uint32_t points_n;
	struct source_files files;
	/* Code that may be that of another line. */
	struct source_row *weak;
	uint32_t weak_n;
	/* State of the unit being read. */
	Dwarf_Die unit;
	Dwarf_Addr bias;
};

/* The number of a file that the present unit names; SOURCE_NONE: unknown. */
uint32_t reader_file(struct reader *r, const char *path);

/* Adds the rows of all lines whose functions have counters. */
void reader_list_lines(struct reader *r);

#endif
