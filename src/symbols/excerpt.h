/*
 * excerpt: a few lines of a source file. The path comes from untrusted debug
 * information and may be anything.
 */
#ifndef CFUZZ_SYMBOLS_EXCERPT_H
#define CFUZZ_SYMBOLS_EXCERPT_H

#include "symbols/symbol.h"

/*
 * Reads `line` and three lines before and after it, long ones cut, tabs as
 * blanks; the text is not cleaned. Returns the number of lines; 0: the path is
 * not a regular file, or has no such line in its first 16 MiB.
 */
uint32_t excerpt_read(const char *path, uint32_t line,
	struct symbol_line lines[SYMBOL_LINES_MAX]);

#endif
