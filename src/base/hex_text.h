/*
 * hex_text: bytes as lower-case hex digits and back.
 */
#ifndef CFUZZ_BASE_HEX_TEXT_H
#define CFUZZ_BASE_HEX_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Writes 2 * n digits and a zero byte to hex. */
void hex_encode(const void *bytes, size_t n, char *hex);

/* Fills n bytes from 2 * n digits of hex; what follows is not read. False: one
 * of these characters is not a lower-case hex digit; then the first bytes may
 * be filled. */
bool hex_decode(const char *hex, void *bytes, size_t n);

#endif
