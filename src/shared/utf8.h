/*
 * utf8: decodes and encodes code points (RFC 3629). Strict: overlong forms,
 * surrogates and code points above U+10FFFF are invalid.
 */
#ifndef CFUZZ_SHARED_UTF8_H
#define CFUZZ_SHARED_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_LEN_MAX 4
#define UTF8_CODE_MAX 0x10ffffu

/* True for a code point that text can hold: in range, not a surrogate. */
bool utf8_is_code(uint32_t code);

/*
 * Decode the code point at the start of the text. Returns its length in
 * bytes, or 0, with *code unchanged, if the text is empty or does not start
 * with valid UTF-8.
 */
size_t utf8_decode(const void *text, size_t len, uint32_t *code);

/* Encode a valid code point. Returns the number of bytes. */
size_t utf8_encode(uint8_t out[UTF8_LEN_MAX], uint32_t code);

#endif
