/*
 * digits: numbers that are written in a text, found and written.
 *
 * Not a parser of any format: a number is a row of decimal digits, or of
 * hexadecimal ones behind "0x". Of a long row some digits near the position are
 * the number, as many as fit 64 bits.
 */
#ifndef CFUZZ_SHARED_MUTATE_DIGITS_H
#define CFUZZ_SHARED_MUTATE_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIGITS_TEXT_MAX 32 /* more than any number has */

struct digits {
	size_t at, len; /* where they stand */
	uint64_t value; /* less than 10^18, or than 2^60 */
	bool minus;     /* "-" stands before them */
	bool hex;
};

bool digits_is(uint8_t byte);

/*
 * The number in which a position lies, or the first one behind it. False if
 * there is none within some bytes. at < len, or it is false, too.
 */
bool digits_find(const uint8_t *data, size_t len, size_t at,
	struct digits *digits);

/*
 * Write a number with at least so many digits, zeros in front. Returns how
 * many they are: no more than the width, or DIGITS_TEXT_MAX.
 */
size_t digits_format(uint8_t bytes[DIGITS_TEXT_MAX], uint64_t value, bool hex,
	size_t width);

#endif
