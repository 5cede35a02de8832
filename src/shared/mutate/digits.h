/*
 * digits: finds and writes numbers in a text.
 *
 * This is not a parser of any format: a number is a row of decimal digits, or
 * of hexadecimal digits behind "0x". Of a long row the number has at most 18
 * decimal or 15 hexadecimal digits, near the position.
 */
#ifndef CFUZZ_SHARED_MUTATE_DIGITS_H
#define CFUZZ_SHARED_MUTATE_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIGITS_TEXT_MAX 32 /* bytes; more than any number has */

struct digits {
	size_t at, len; /* the place of the digits */
	uint64_t value; /* below 10^18; hexadecimal: below 2^60 */
	bool minus;     /* "-" is before them */
	bool hex;
};

bool digits_is(uint8_t byte);

/*
 * The number at a position, or the first one behind it. False if none begins
 * within 64 bytes, or if at >= len.
 */
bool digits_find(const uint8_t *data, size_t len, size_t at,
	struct digits *digits);

/*
 * Writes a number with at least `width` digits, zeros in front. Returns the
 * number of digits, at most DIGITS_TEXT_MAX.
 */
size_t digits_format(uint8_t bytes[DIGITS_TEXT_MAX], uint64_t value, bool hex,
	size_t width);

#endif
