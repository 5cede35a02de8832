/*
 * compare_find: where an operand stands in a value.
 *
 * Each search goes once through the value, from a place that the caller drew
 * and on from the beginning, and ends at the first hit, or when what may be
 * spent on a step is spent.
 */
#ifndef CFUZZ_TARGET_HOOKS_COMPARE_FIND_H
#define CFUZZ_TARGET_HOOKS_COMPARE_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct compare_find {
	const uint8_t *data;
	size_t len;
	size_t start;  /* any number; taken modulo what there is */
	size_t budget; /* bytes that may still be looked at */
	bool big;      /* numbers the same in either order count as these */
};

struct compare_hit {
	size_t offset, len;
	bool big;       /* a number with its high byte first */
	uint64_t extra; /* what stands there is so much more (modulo) */
};

/*
 * A number of 1, 2, 4 or 8 bytes in either order. If near, and it is not
 * there itself, one that differs by little will do.
 */
bool compare_find_number(struct compare_find *f, uint64_t number,
	unsigned width, bool near, struct compare_hit *hit);

/* Digits that stand alone, zeros in front apart; in any case of letters. */
bool compare_find_digits(struct compare_find *f, const uint8_t *digits,
	size_t n, bool hex, struct compare_hit *hit);

/*
 * Bytes, or the most of their beginning that is there: two at least, if they
 * are not fewer. fold: letters in any case.
 */
bool compare_find_bytes(struct compare_find *f, const uint8_t *bytes, size_t n,
	bool fold, struct compare_hit *hit);

#endif
