/*
 * hex_text: bytes as lower-case hex digits and back.
 */
#ifndef CFUZZ_BASE_HEX_TEXT_H
#define CFUZZ_BASE_HEX_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Writes 2 * n digits and a zero byte. */
void hex_encode(const void *bytes, size_t n, char *hex);

/* Fills n bytes from 2 * n digits; false: there are fewer, or other letters.
 * Upper-case digits are other letters. */
bool hex_decode(const char *hex, void *bytes, size_t n);

#endif
