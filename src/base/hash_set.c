/* hash_set: see hash_set.h. Open addressing, at most half full. */
#include "base/hash_set.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "shared/fnv.h"

#define SET_ROOM_FIRST 256u

void
hash_set_clear(struct hash_set *set)
{
	free(set->slots);
	*set = (struct hash_set){ 0 };
}

static uint64_t
hash_set_mix(uint32_t kind, const void *bytes, size_t len)
{
	uint64_t hash = fnv_add(FNV_BASIS ^ kind, bytes, len);

	return hash != 0 ? hash : 1;
}

/* The slot of the hash, or the free one for it. */
static uint64_t *
hash_set_find(const struct hash_set *set, uint64_t hash)
{
	uint64_t at = hash;

	for (;; at++) {
		uint64_t *slot = &set->slots[at & (set->room - 1)];

		if (*slot == 0 || *slot == hash)
			return slot;
	}
}

static void
hash_set_grow(struct hash_set *set)
{
	struct hash_set old = *set;
	uint32_t i;

	set->room = old.room > 0 ? 2 * old.room : SET_ROOM_FIRST;
	set->slots = xcalloc(set->room, sizeof(*set->slots));
	for (i = 0; i < old.room; i++)
		if (old.slots[i] != 0)
			*hash_set_find(set, old.slots[i]) = old.slots[i];
	free(old.slots);
}

bool
hash_set_add(struct hash_set *set, uint32_t kind, const void *bytes, size_t len)
{
	uint64_t hash = hash_set_mix(kind, bytes, len), *slot;

	if (2 * set->n >= set->room && set->n < HASH_SET_MAX)
		hash_set_grow(set);
	slot = hash_set_find(set, hash);
	if (*slot != 0 || set->n == HASH_SET_MAX)
		return false;
	*slot = hash;
	set->n++;
	return true;
}
