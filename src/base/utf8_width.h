/*
 * utf8_width: how wide a character is on a terminal. Reading and writing
 * characters is shared/utf8.h.
 */
#ifndef CFUZZ_BASE_UTF8_WIDTH_H
#define CFUZZ_BASE_UTF8_WIDTH_H

#include "shared/utf8.h"

/*
 * Columns on a terminal: 1 or 2, 0 for a combining mark, -1 for what must
 * not be sent to one: controls, invisible and direction characters, private
 * and unassigned numbers. The same in every locale.
 */
int utf8_width(uint32_t code);

#endif
