/*
 * excerpt: a few lines of a source file, whose path stands in foreign debug
 * information: it may be anything.
 */
#ifndef CFUZZ_SYMBOLS_EXCERPT_H
#define CFUZZ_SYMBOLS_EXCERPT_H

#include "symbols/symbol.h"

/*
 * Reads the lines around one, as they are, cut, with blanks for tabs. Returns
 * how many; 0: it is no regular file, or has no such line near its beginning.
 */
uint32_t excerpt_read(const char *path, uint32_t line,
	struct symbol_line lines[SYMBOL_LINES_MAX]);

#endif
