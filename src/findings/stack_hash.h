/*
 * stack_hash: maps the stack hashes of failures looked up before to their
 * buckets. A bounded table: entries stay when it is full.
 */
#ifndef CFUZZ_FINDINGS_STACK_HASH_H
#define CFUZZ_FINDINGS_STACK_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STACK_HASHES_MAX 10000u

/* All zero is an empty table. */
struct stack_hashes {
	struct stack_hash_slot {
		uint64_t hash; /* 0: free */
		uint64_t bucket;
	} * slots; /* owned hash table; NULL: empty */
	uint32_t n;
};

void stack_hashes_clear(struct stack_hashes *table);

/* False: the table does not hold the stack hash, and *bucket does not
 * change. */
bool stack_hashes_find(const struct stack_hashes *table, uint64_t hash,
	uint64_t *bucket);
/* Sets the bucket of a stack hash; neither may be 0. False: the table is full
 * and does not hold the stack hash. */
bool stack_hashes_put(struct stack_hashes *table, uint64_t hash,
	uint64_t bucket);
/* Moves all stack hashes of one bucket to another. */
void stack_hashes_move(struct stack_hashes *table, uint64_t from, uint64_t to);
bool stack_hashes_full(const struct stack_hashes *table);

/* Lists stack hashes of a bucket, ascending, and returns how many; of more than
 * max, any max of them. */
size_t stack_hashes_list(const struct stack_hashes *table, uint64_t bucket,
	uint64_t *list, size_t max);

#endif
