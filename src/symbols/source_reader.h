/*
 * source_reader: makes the table of source.h from a file's debug information.
 *
 * A counter belongs to the function at its address: by debug information the
 * innermost one, even if it is inlined; else by the symbol table; else the
 * function extends from one address marked with SOURCE_ENTRY to the next. A
 * line belongs to the blocks that contain its code: to their counters, or, if a
 * block has none, to the counters that imply it (flow.h).
 *
 * Only for the helper process: it parses untrusted files with a large library.
 */
#ifndef CFUZZ_SYMBOLS_SOURCE_READER_H
#define CFUZZ_SYMBOLS_SOURCE_READER_H

#include <stdint.h>

#include "symbols/source.h"

/* Reads the file at path with this build-id ("": any) for n counters; pcs:
 * their addresses with SOURCE_ENTRY, 0: unknown. The table, which must be
 * initialised, is cleared first. It always has a location for each counter. */
void source_read(struct source_table *table, const char *path, const char *id,
	const uint64_t *pcs, uint32_t n);

#endif
