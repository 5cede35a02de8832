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
 * Scans the literal at the start of text, which begins with a digit, or with a
 * point and a digit. Returns NULL, with the kind, and the length in *used; or
 * what is wrong, static, with *used unchanged.
 */
const char *number_scan(const char *text, size_t len, enum number_kind *kind,
	size_t *used);

/*
 * Converts a scanned literal to an integer of 1 to 64 bits. NUMBER_SYNTAX: the
 * literal is no integer. NUMBER_RANGE: it is too large. Only success sets
 * *value.
 */
enum number_result number_parse_unsigned(const char *text, size_t len,
	unsigned bits, uint64_t *value);

/* The same for a signed integer. minus: "-" is before the literal. */
enum number_result number_parse_signed(const char *text, size_t len, bool minus,
	unsigned bits, int64_t *value);

#endif
