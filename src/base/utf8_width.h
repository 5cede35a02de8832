/*
 * utf8_width: the width of a character on a terminal. See shared/utf8.h for
 * decoding and encoding.
 */
#ifndef CFUZZ_BASE_UTF8_WIDTH_H
#define CFUZZ_BASE_UTF8_WIDTH_H

#include "shared/utf8.h"

/*
 * Columns on a terminal: 1 or 2; 0 for a combining mark; -1 for a code point
 * that must not be sent to a terminal: controls, invisible and direction
 * characters, private and unassigned code points. The same in every locale.
 */
int utf8_width(uint32_t code);

#endif
