/*
 * number: numeric literals of the corpus format, which are those of Go:
 * decimal, 0x, 0o, 0b and leading-0 octal, "_" between digits, and decimal
 * and hexadecimal floats.
 */
#ifndef CFUZZ_SHARED_VALUES_NUMBER_H
#define CFUZZ_SHARED_VALUES_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum number_kind {
	NUMBER_INT,
	NUMBER_FLOAT,
	NUMBER_IMAGINARY,
};

enum number_result {
	NUMBER_OK,
	NUMBER_SYNTAX,
	NUMBER_RANGE,
};

/*
 * Scans the literal at the start of text, which is a digit or a point and a
 * digit. Returns NULL, with kind and length, or what is wrong.
 */
const char *number_scan(const char *text, size_t len, enum number_kind *kind,
	size_t *used);

/* Converts a scanned literal to an integer of this many bits. */
enum number_result number_parse_unsigned(const char *text, size_t len,
	unsigned bits, uint64_t *value);

/* The same for a signed integer; minus is its sign. */
enum number_result number_parse_signed(const char *text, size_t len, bool minus,
	unsigned bits, int64_t *value);

#endif
