/*
 * source_symbols: the symbol at an address, from a sorted copy of the symbol
 * table. The library walks through its whole table for each question.
 */
#ifndef CFUZZ_SYMBOLS_SOURCE_SYMBOLS_H
#define CFUZZ_SYMBOLS_SOURCE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/debug_file.h"

struct source_symbol {
	uint64_t start, end; /* equal: a label */
	/* The last end of this one and those before; their last label, or 0. */
	uint64_t reach, label;
	size_t around;    /* the last one before that ends behind start */
	const char *name; /* borrowed from the file */
	int rank;         /* the higher one of two names is taken */
	int index;        /* in the file */
};

/* All zero: empty. */
struct source_symbols {
	const struct debug_file *file;
	struct source_symbol *symbols; /* by start; the best one last */
	size_t n;
};

/* *symbols is empty before. The file must stay open as long as the symbols. */
void source_symbols_make(struct source_symbols *symbols,
	const struct debug_file *file);
void source_symbols_clear(struct source_symbols *symbols);

/*
 * The name of the symbol that contains the address, borrowed, and its start;
 * NULL: none does. Of several, exported ones come first, then those that begin
 * last. A label contains what follows it up to the next symbol.
 */
const char *source_symbols_find(const struct source_symbols *symbols,
	uint64_t address, uint64_t *start);

#endif
