/*
 * source_ranges: which functions' code stands where, by debug information;
 * also that of functions that are inlined into others.
 *
 * For the helper alone.
 */
#ifndef CFUZZ_SYMBOLS_SOURCE_RANGES_H
#define CFUZZ_SYMBOLS_SOURCE_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/debug_file.h"
#include "symbols/source.h"

/* A function of the debug information, wherever it is inlined. */
struct source_owner {
	Dwarf_Die die, unit; /* die: of its declaration, if that is known */
	uint32_t function;   /* in the table; SOURCE_NONE: it has no counters */
	uint32_t next;       /* of the same hash */
};

/* A stretch of its code. */
struct source_range {
	uint64_t start, end;
	uint32_t owner;
	uint32_t whole;  /* the function that it is compiled into */
	uint32_t parent; /* the range around it, SOURCE_NONE: none */
	/* It is inlined: into this line (0: it is not, or not known where). */
	uint32_t call_line, call_file; /* the file's number in the unit */
	Dwarf_Die unit;
};

/* All zero: empty. */
struct source_ranges {
	const struct libdw *dw;
	struct source_owner *owners;
	struct source_range *ranges;
	size_t owners_n, owners_room, ranges_n, ranges_room;
	uint32_t wholes_n;   /* functions with code of their own */
	uint32_t *owners_of; /* first ones of a hash */
	/* What is read now. */
	Dwarf_Die unit;
	Dwarf_Addr bias;
	uint32_t whole;
};

void source_ranges_make(struct source_ranges *ranges,
	const struct debug_file *file);
void source_ranges_clear(struct source_ranges *ranges);

/* The innermost range that has the address; NULL: none. */
const struct source_range *source_ranges_find(
	const struct source_ranges *ranges, uint64_t address);

#endif
