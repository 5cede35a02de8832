/*
 * stack_hash: which bucket a raw signature belongs to, for the failures that
 * have been looked up already. A bounded table: what is known stays.
 */
#ifndef CFUZZ_FINDINGS_STACK_HASH_H
#define CFUZZ_FINDINGS_STACK_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STACK_HASHES_MAX 10000u

/* Empty: all zero. */
struct stack_hashes {
	struct stack_hash_slot {
		uint64_t signature; /* 0: free */
		uint64_t bucket;
	} * slots; /* owned; STACK_HASHES_ROOM of them, or NULL */
	uint32_t n;
};

void stack_hashes_clear(struct stack_hashes *table);

bool stack_hashes_find(const struct stack_hashes *table, uint64_t signature,
	uint64_t *bucket);
/* False: the table is full, and the signature not in it. Neither may be 0. */
bool stack_hashes_put(struct stack_hashes *table, uint64_t signature,
	uint64_t bucket);
/* All of one bucket are another's now. */
void stack_hashes_move(struct stack_hashes *table, uint64_t from, uint64_t to);
bool stack_hashes_full(const struct stack_hashes *table);

/* Some of a bucket's, at most max, in ascending order; how many. */
size_t stack_hashes_list(const struct stack_hashes *table, uint64_t bucket,
	uint64_t *list, size_t max);

#endif
