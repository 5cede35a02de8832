/*
 * source_reader: makes the table of source.h from a file's debug information.
 *
 * Counters belong to the function that has their address: by debug
 * information the innermost, even where it is inlined into others; else by the symbol table, else from one address that is marked
 * SOURCE_ENTRY to the next. A line belongs to the
 * blocks that its code stands in: to their counters, or, where the compiler
 * has left them out, to what others tell of them (flow.h).
 *
 * Reads foreign files with a library of some size: for the helper alone.
 */
#ifndef CFUZZ_SYMBOLS_SOURCE_READER_H
#define CFUZZ_SYMBOLS_SOURCE_READER_H

#include <stdint.h>

#include "symbols/source.h"

/* The table is cleared first; it has a place for each counter, always. */
void source_read(struct source_table *table, const char *path, const char *id,
	const uint64_t *pcs, uint32_t n);

#endif
