/*
 * utf8: one character at a time, strictly.
 */
#ifndef CFUZZ_BASE_UTF8_H
#define CFUZZ_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_MAX 4 /* bytes of one character */

/*
 * Reads the character at the start of src. Returns its length in bytes, or
 * 0 if there is none: nothing left, a stray or missing byte, an overlong
 * form, a surrogate, a number beyond U+10FFFF.
 */
size_t utf8_decode(const void *src, size_t len, uint32_t *code);

/* Returns the length, or 0 for what is no character. */
size_t utf8_encode(uint32_t code, char dst[UTF8_MAX]);

/*
 * Columns on a terminal: 1 or 2, 0 for a combining mark, -1 for what must
 * not be sent to one: controls, invisible and direction characters, private
 * and unassigned numbers. The same in every locale.
 */
int utf8_width(uint32_t code);

#endif
