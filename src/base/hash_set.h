/*
 * hash_set: what was seen before, such as names and words.
 *
 * A set of 64-bit hashes; collisions are ignored. When it has HASH_SET_MAX
 * members, nothing is new any more.
 */
#ifndef CFUZZ_BASE_HASH_SET_H
#define CFUZZ_BASE_HASH_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HASH_SET_MAX 65536u

/* Empty: all zero. */
struct hash_set {
	uint64_t *slots; /* owned; 0: free */
	uint32_t room;   /* a power of two, or 0 */
	uint32_t n;
};

void hash_set_clear(struct hash_set *set);
/* kind: the same bytes of another kind are another member. True: the bytes were
 * not in the set before. */
bool hash_set_add(struct hash_set *set, uint32_t kind, const void *bytes,
	size_t len);

#endif
