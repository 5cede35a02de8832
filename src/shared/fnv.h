/*
 * fnv: the hash FNV-1a, 64 bit (Fowler, Noll, Vo; draft-eastlake-fnv). Not for
 * keys that an attacker may choose: collisions are easy to make.
 */
#ifndef CFUZZ_SHARED_FNV_H
#define CFUZZ_SHARED_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_BASIS 0xcbf29ce484222325u

/* Adds bytes to a hash, which starts as FNV_BASIS. Returns the new hash. */
static inline uint64_t
fnv_add(uint64_t hash, const void *data, size_t len)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3u;
	return hash;
}

#endif
