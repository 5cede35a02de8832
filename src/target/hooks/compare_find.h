/*
 * compare_find: finds an operand in a value.
 *
 * A search goes through the value once, from a random start to the end and then
 * from the beginning. It stops at the first full match, or when the budget of
 * the mutation is used up. All searches return false if there is no match.
 */
#ifndef CFUZZ_TARGET_HOOKS_COMPARE_FIND_H
#define CFUZZ_TARGET_HOOKS_COMPARE_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct compare_find {
	const uint8_t *data;
	size_t len;
	size_t start;  /* any number; taken modulo the positions */
	size_t budget; /* positions that may still be searched */
	bool big;      /* the order to report if both match */
};

struct compare_hit {
	size_t offset, len;
	bool big;       /* the number stands in big-endian order */
	uint64_t extra; /* the value there minus the number, modulo 2^64 */
};

/*
 * Finds a number of width 1, 2, 4 or 8 bytes in either byte order. near: if
 * there is no exact match, accepts a number that differs by at most 2 (width 2)
 * or 16 (width 4 or 8).
 */
bool compare_find_number(struct compare_find *f, uint64_t number,
	unsigned width, bool near, struct compare_hit *hit);

/*
 * Finds digits with no other digit next to them, except leading zeros; ignores
 * case.
 */
bool compare_find_digits(struct compare_find *f, const uint8_t *digits,
	size_t n, bool hex, struct compare_hit *hit);

/*
 * Finds n bytes, or their longest prefix of at least two bytes (one, if n is
 * 1); hit->len is its length. fold: ignores case.
 */
bool compare_find_bytes(struct compare_find *f, const uint8_t *bytes, size_t n,
	bool fold, struct compare_hit *hit);

#endif
