/*
 * compare: the operands of the comparisons of one execution.
 *
 * Between compare_begin() and compare_end() the hooks put pairs of operands
 * that differ into a table. So it holds what the target wanted of this very
 * input and did not get. Nothing is allocated; all state starts as zeros,
 * since hooks run before our constructors. Threads of a target may race for
 * a place: then a pair may be wrong, but never out of bounds.
 */
#ifndef CFUZZ_TARGET_HOOKS_COMPARE_H
#define CFUZZ_TARGET_HOOKS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPARE_PAIRS_MAX 256u
#define COMPARE_BYTES_MAX 64u

/* What two operands are. */
enum compare_shape {
	COMPARE_WIDTH = 0x0f,    /* of numbers: 1, 2, 4, 8 bytes; 0: bytes */
	COMPARE_CONSTANT = 0x10, /* operand 0 is one of the program */
	COMPARE_FLOAT = 0x20,    /* the bits of floating-point numbers */
	COMPARE_TEXT = 0x40,     /* bytes that end before a zero */
	COMPARE_FOLD = 0x80,     /* upper and lower case are the same */
	COMPARE_SEARCH = 0x100,  /* operand 0 was looked for in 1 */
};

struct compare_pair {
	uint32_t goal; /* which comparison, and with which constant */
	uint16_t shape;
	uint8_t len[2]; /* of bytes, at most COMPARE_BYTES_MAX */
	uint64_t number[2];
	uint8_t bytes[2][COMPARE_BYTES_MAX];
};

/* A comparison of memory or text: up to n bytes of each. */
struct compare_call {
	const uint8_t *at[2];
	size_t n[2];
	unsigned shape;
};

/* Starts an empty table; the cost does not depend on what was in it. */
void compare_begin(void);
/* No more is recorded. Returns how many pairs there are to get. */
uint32_t compare_end(void);

/* What compare_end() said. */
uint32_t compare_pairs_n(void);
/* A copy of pair i, its numbers within bounds. False: there is none. */
bool compare_get(uint32_t i, struct compare_pair *pair);
/* Small for pairs worth trying: seldom seen, never equal, constant. */
uint32_t compare_rank(uint32_t i);

/* Two addresses: they differ from run to run and are never in an input. */
bool compare_is_address(uint64_t a, uint64_t b);

/* For the hooks, while recording. A site is as in hooks_cmp_site(). */
void compare_number(uint32_t site, uint64_t a, uint64_t b, unsigned shape);
/* A value against the constants of a switch; of many of them only some. */
void compare_cases(uint32_t site, uint64_t value, const uint64_t *cases,
	uint32_t n, unsigned width);
void compare_bytes(uint32_t site, const struct compare_pair *pair, bool equal);

/*
 * Fills a pair with what a comparison has read, and a little more at most:
 * never from a page that it need not have touched. A constant comes first.
 */
void compare_read(struct compare_pair *pair, const struct compare_call *call);

#endif
