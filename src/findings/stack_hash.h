/*
 * stack_hash: which bucket a raw signature belongs to, for the failures that
 * have been looked up already. A bounded table: what is known stays.
 */
#ifndef CFUZZ_FINDINGS_STACK_HASH_H
#define CFUZZ_FINDINGS_STACK_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIGNATURES_MAX 10000u

/* Empty: all zero. */
struct signatures {
	struct signature_slot {
		uint64_t signature; /* 0: free */
		uint64_t bucket;
	} * slots; /* owned; SIGNATURES_ROOM of them, or NULL */
	uint32_t n;
};

void signatures_clear(struct signatures *table);

bool signatures_find(const struct signatures *table, uint64_t signature,
	uint64_t *bucket);
/* False: the table is full, and the signature not in it. Neither may be 0. */
bool signatures_put(struct signatures *table, uint64_t signature,
	uint64_t bucket);
/* All of one bucket are another's now. */
void signatures_move(struct signatures *table, uint64_t from, uint64_t to);
bool signatures_full(const struct signatures *table);

/* Some of a bucket's, at most max, in ascending order; how many. */
size_t signatures_list(const struct signatures *table, uint64_t bucket,
	uint64_t *list, size_t max);

#endif
