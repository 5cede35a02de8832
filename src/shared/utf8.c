/*
 * utf8: see utf8.h.
 */

#include "shared/utf8.h"

/* The smallest code point that needs n bytes. */
static const uint32_t UTF8_MIN[] = { 0, 0, 0x80, 0x800, 0x10000 };

bool
utf8_is_code(uint32_t code)
{
	return code <= UTF8_CODE_MAX && (code < 0xd800 || code > 0xdfff);
}

/* The length that a first byte announces (0: invalid) and its code bits. */
static size_t
utf8_start(uint8_t byte, uint32_t *bits)
{
	if (byte < 0xc2 || byte > 0xf4)
		return 0;
	if (byte < 0xe0) {
		*bits = byte & 0x1fu;
		return 2;
	}
	if (byte < 0xf0) {
		*bits = byte & 0x0fu;
		return 3;
	}
	*bits = byte & 0x07u;
	return 4;
}

size_t
utf8_decode(const void *text, size_t len, uint32_t *code)
{
	const uint8_t *bytes = text;
	uint32_t bits;
	size_t n;

	if (len == 0)
		return 0;
	if (bytes[0] < 0x80) {
		*code = bytes[0];
		return 1;
	}
	n = utf8_start(bytes[0], &bits);
	if (n == 0 || n > len)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		bits = bits << 6 | (bytes[i] & 0x3fu);
	}
	if (bits < UTF8_MIN[n] || !utf8_is_code(bits))
		return 0;
	*code = bits;
	return n;
}

size_t
utf8_encode(uint8_t out[UTF8_LEN_MAX], uint32_t code)
{
	size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const uint8_t marks[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (size_t i = n - 1; i > 0; i--, code >>= 6)
		out[i] = (uint8_t)(0x80 | (code & 0x3f));
	out[0] = (uint8_t)(marks[n] | code);
	return n;
}
