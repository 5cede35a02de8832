/*
 * compare: records the operands of an execution's comparisons.
 *
 * Between hooks_cmp_begin() and hooks_cmp_end() the hooks put pairs of unequal
 * operands into a table. Each pair shows a value that the target wanted and did
 * not find in this input. Nothing is allocated. All state starts as zeros,
 * since hooks run before the runtime's constructors. Threads may race for a
 * slot: then a pair may be wrong, but never out of bounds.
 */
#ifndef CFUZZ_TARGET_HOOKS_COMPARE_H
#define CFUZZ_TARGET_HOOKS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPARE_PAIRS_MAX 256u
#define COMPARE_BYTES_MAX 64u

/* Properties of two operands. */
enum compare_shape {
	COMPARE_WIDTH = 0x0f,    /* bytes of a number: 1, 2, 4, 8; 0: bytes */
	COMPARE_CONSTANT = 0x10, /* operand 0 is a program constant */
	COMPARE_FLOAT = 0x20,    /* bits of floating-point numbers */
	COMPARE_TEXT = 0x40,     /* NUL-terminated */
	COMPARE_FOLD = 0x80,     /* ignores case */
	COMPARE_SEARCH = 0x100,  /* operand 0 was searched in operand 1 */
};

struct compare_pair {
	uint32_t goal;      /* hash of the comparison's site and its constant */
	uint16_t shape;     /* flags of enum compare_shape and a width */
	uint8_t len[2];     /* of bytes, at most COMPARE_BYTES_MAX */
	uint64_t number[2]; /* if the width is not 0 */
	uint8_t bytes[2][COMPARE_BYTES_MAX];
};

/* A comparison of memory or text, up to n bytes of each operand. */
struct compare_call {
	const uint8_t *at[2];
	size_t n[2]; /* SIZE_MAX: up to the NUL */
	unsigned shape;
};

/*
 * For hooks_cmp.c: starts a recording with an empty table, in constant time.
 */
void compare_begin(void);
/* Ends recording. Returns the number of pairs, which stay until the next
 * one. */
uint32_t compare_end(void);

/* All that a recording writes to, in *len bytes. */
void *compare_memory(size_t *len);

/* The number of pairs. */
uint32_t compare_pairs_n(void);
/* Copies pair i, with its lengths within bounds. False: there is no such pair,
 * or a thread has damaged it. */
bool compare_get(uint32_t i, struct compare_pair *pair);
/* Small for pairs worth trying: rare, never equal, or with a constant.
 * UINT32_MAX: there is no such pair. */
uint32_t compare_rank(uint32_t i);

/* Are both numbers addresses, from 2^40 to below 2^48? Addresses differ from
 * run to run and are in no input. */
bool compare_is_address(uint64_t a, uint64_t b);

/* For the hooks, while recording. site: see hooks_cmp_site(). */
void compare_number(uint32_t site, uint64_t a, uint64_t b, unsigned shape);
/* Records a value and the cases of its switch, at most 32 of n. */
void compare_cases(uint32_t site, uint64_t value, const uint64_t *cases,
	uint32_t n, unsigned width);
/* equal: the result of the whole comparison. Copies the pair. */
void compare_bytes(uint32_t site, const struct compare_pair *pair, bool equal);

/*
 * Copies the operands of a comparison into a pair, with a constant first. May
 * read a little more than the comparison did, but from no other page.
 */
void compare_read(struct compare_pair *pair, const struct compare_call *call);

#endif
