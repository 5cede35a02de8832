/* hex_text: see hex_text.h. */

#include "base/hex_text.h"

#include <stdint.h>

void
hex_encode(const void *bytes, size_t n, char *hex)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *from = bytes;

	for (size_t i = 0; i < n; i++) {
		*hex++ = digits[from[i] >> 4];
		*hex++ = digits[from[i] & 15];
	}
	*hex = '\0';
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool
hex_decode(const char *hex, void *bytes, size_t n)
{
	uint8_t *to = bytes;

	for (size_t i = 0; i < n; i++) {
		int high = hex_digit(hex[2 * i]);
		int low = high < 0 ? -1 : hex_digit(hex[2 * i + 1]);

		if (low < 0)
			return false;
		to[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}
