/*
 * source_ranges: address ranges of functions, by debug information, including
 * those of inlined functions. A function that the debug information does not
 * describe gets the range of its symbol, if it is in a unit's code.
 *
 * Only for the helper process.
 */
#ifndef CFUZZ_SYMBOLS_SOURCE_RANGES_H
#define CFUZZ_SYMBOLS_SOURCE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/debug_file.h"
#include "symbols/source.h"
#include "symbols/source_symbols.h"

/* A function, with all its inlined copies. */
struct source_owner {
	Dwarf_Die die, unit; /* die: of its declaration, if known; its addr is
			      * NULL: only a symbol is known */
	uint32_t function;   /* index in the table; SOURCE_NONE: no counters */
	uint32_t next;       /* next owner with the same hash */
	bool inlined;        /* somewhere */
};

/* A contiguous range of an owner's code. */
struct source_range {
	uint64_t start, end; /* addresses in the file, without the end */
	uint32_t owner;      /* index */
	uint32_t whole;  /* number of the function, not inlined, around it */
	uint32_t around; /* owner of that function, if it may be inlined
			  * elsewhere; else SOURCE_NONE */
	uint32_t parent; /* the enclosing range, SOURCE_NONE: none */
	/* The call site if it is inlined; 0: not inlined, or unknown. */
	uint32_t call_line, call_file; /* file: its index in the unit */
	Dwarf_Die unit;
};

/* Code of a unit. */
struct source_unit {
	uint64_t start, end;
	Dwarf_Die unit;
};

/* All zero: empty. */
struct source_ranges {
	const struct libdw *dw;
	struct source_owner *owners;
	struct source_range *ranges;
	struct source_unit *units; /* in order */
	size_t owners_n, ranges_n, units_n;
	uint32_t wholes_n;   /* functions that are not inlined */
	uint32_t *owners_of; /* heads of the hash chains */
	/* The unit and function being read. */
	Dwarf_Die unit;
	Dwarf_Addr bias;
	uint32_t whole, around;
};

/* *ranges is empty before. The file must stay open as long as the ranges. */
void source_ranges_make(struct source_ranges *ranges,
	const struct debug_file *file, const struct source_symbols *symbols);
void source_ranges_clear(struct source_ranges *ranges);

/* The innermost range that contains the address, borrowed; NULL: none. */
const struct source_range *source_ranges_find(
	const struct source_ranges *ranges, uint64_t address);

#endif
