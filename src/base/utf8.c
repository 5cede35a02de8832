/*
 * utf8: one character at a time, strictly, see utf8.h.
 */

#include "base/utf8.h"

#include <stdbool.h>

static bool
utf8_is_character(uint32_t code)
{
	return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}

/* Length of a character by its number; 0 for what is none. */
static size_t
utf8_len(uint32_t code)
{
	if (!utf8_is_character(code))
		return 0;
	if (code < 0x80)
		return 1;
	if (code < 0x800)
		return 2;
	return code < 0x10000 ? 3 : 4;
}

/* Length of a character by its first byte; 0 for a byte that starts none. */
static size_t
utf8_lead_len(uint8_t lead)
{
	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	if (lead < 0xe0)
		return 2;
	return lead < 0xf0 ? 3 : 4;
}

size_t
utf8_decode(const void *src, size_t len, uint32_t *code)
{
	const uint8_t *s = src;
	size_t n = len ? utf8_lead_len(s[0]) : 0;
	uint32_t value;

	if (n == 0 || n > len)
		return 0;
	if (n == 1) {
		*code = s[0];
		return 1;
	}
	value = s[0] & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (s[i] & 0x3fu);
	}
	if (utf8_len(value) != n)
		return 0;
	*code = value;
	return n;
}

size_t
utf8_encode(uint32_t code, char dst[UTF8_MAX])
{
	static const uint8_t leads[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t n = utf8_len(code);

	for (size_t i = n; i > 1; i--) {
		dst[i - 1] = (char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	if (n)
		dst[0] = (char)(leads[n] | code);
	return n;
}
