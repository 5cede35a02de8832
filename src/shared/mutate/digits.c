/* digits: see digits.h. */

#include "shared/mutate/digits.h"

#include <string.h>

#define DIGITS_SEARCH 64 /* bytes to the first digit */
#define DIGITS_DECIMAL_MAX 18
#define DIGITS_HEX_MAX 15

bool
digits_is(uint8_t byte)
{
	return (uint8_t)(byte - '0') < 10;
}

static inline unsigned
digits_hex_value(uint8_t byte)
{
	if (digits_is(byte))
		return byte - '0';
	byte |= 0x20;
	return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10u : 16;
}

static inline bool
digits_is_x(const uint8_t *data, size_t at)
{
	return data[at] == '0' && (data[at + 1] | 0x20) == 'x';
}

/* The digits behind "0x", if the position is in such a number. */
static bool
digits_find_hex(const uint8_t *data, size_t len, size_t at,
	struct digits *digits)
{
	size_t last = DIGITS_SEARCH < len - at ? at + DIGITS_SEARCH : len;
	size_t begin = at, end;

	if (at + 2 < len && digits_is_x(data, at))
		begin = at + 2;
	else
		while (begin > 0 && at - begin <= DIGITS_HEX_MAX + 1 &&
			digits_hex_value(data[begin - 1]) < 16)
			begin--;
	if (begin < 2 || !digits_is_x(data, begin - 2))
		return false;
	for (end = begin; end < last && digits_hex_value(data[end]) < 16; end++)
		if (end - begin == DIGITS_HEX_MAX)
			begin++;
	if (begin == end)
		return false;
	*digits =
		(struct digits){ .at = begin, .len = end - begin, .hex = true };
	for (size_t i = begin; i < end; i++)
		digits->value = digits->value << 4 | digits_hex_value(data[i]);
	return true;
}

static void
digits_find_decimal(const uint8_t *data, size_t len, size_t at,
	struct digits *digits)
{
	size_t begin = at, end = at + 1;

	while (begin > 0 && digits_is(data[begin - 1]) &&
		at - begin < DIGITS_DECIMAL_MAX)
		begin--;
	while (end < len && digits_is(data[end]) &&
		end - at < DIGITS_DECIMAL_MAX)
		end++;
	if (end - begin > DIGITS_DECIMAL_MAX)
		begin = end - DIGITS_DECIMAL_MAX;
	*digits = (struct digits){ .at = begin,
		.len = end - begin,
		.minus = begin > 0 && data[begin - 1] == '-' };
	for (size_t i = begin; i < end; i++)
		digits->value = digits->value * 10 + (data[i] - '0');
}

bool
digits_find(const uint8_t *data, size_t len, size_t at, struct digits *digits)
{
	size_t last;

	if (at >= len)
		return false;
	last = DIGITS_SEARCH < len - at ? at + DIGITS_SEARCH : len;
	while (at < last && !digits_is(data[at]))
		at++;
	if (at == last)
		return false;
	if (!digits_find_hex(data, len, at, digits))
		digits_find_decimal(data, len, at, digits);
	return true;
}

size_t
digits_format(uint8_t bytes[DIGITS_TEXT_MAX], uint64_t value, bool hex,
	size_t width)
{
	uint8_t text[DIGITS_TEXT_MAX];
	size_t at = sizeof(text);

	do { /* constants: a variable divisor takes ten times longer */
		text[--at] = (uint8_t) "0123456789abcdef"[hex ? value % 16
							      : value % 10];
		value = hex ? value / 16 : value / 10;
	} while (value > 0);
	while (at > 0 && sizeof(text) - at < width)
		text[--at] = '0';
	memcpy(bytes, text + at, sizeof(text) - at);
	return sizeof(text) - at;
}
