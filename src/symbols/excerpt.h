/*
 * excerpt: a few lines of a source file. The path comes from untrusted debug
 * information and may be anything.
 */
#ifndef CFUZZ_SYMBOLS_EXCERPT_H
#define CFUZZ_SYMBOLS_EXCERPT_H

#include "symbols/symbol.h"

/*
 * Reads the lines around `line`, long ones cut, tabs as blanks. Returns their
 * number; 0: the path is not a regular file, or the line is too far from its
 * beginning.
 */
uint32_t excerpt_read(const char *path, uint32_t line,
	struct symbol_line lines[SYMBOL_LINES_MAX]);

#endif
