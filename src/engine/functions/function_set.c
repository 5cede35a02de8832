/* function_set: see function_set.h. Open addressing, at most half full. */
#include "engine/functions/function_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "shared/fnv.h"

#define SET_ROOM_FIRST 256u

void
function_set_clear(struct function_set *set)
{
	free(set->slots);
	*set = (struct function_set){ 0 };
}

static uint64_t
set_hash(uint32_t module, const char *name)
{
	uint64_t hash = fnv_add(FNV_BASIS ^ module, name, strlen(name) + 1);

	return hash != 0 ? hash : 1;
}

/* The slot of the hash, or the free one for it. */
static uint64_t *
set_find(const struct function_set *set, uint64_t hash)
{
	uint64_t at = hash;

	for (;; at++) {
		uint64_t *slot = &set->slots[at & (set->room - 1)];

		if (*slot == 0 || *slot == hash)
			return slot;
	}
}

static void
set_grow(struct function_set *set)
{
	struct function_set old = *set;
	uint32_t i;

	set->room = old.room > 0 ? 2 * old.room : SET_ROOM_FIRST;
	set->slots = xcalloc(set->room, sizeof(*set->slots));
	for (i = 0; i < old.room; i++)
		if (old.slots[i] != 0)
			*set_find(set, old.slots[i]) = old.slots[i];
	free(old.slots);
}

bool
function_set_add(struct function_set *set, uint32_t module, const char *name)
{
	uint64_t hash = set_hash(module, name), *slot;

	if (2 * set->n >= set->room && set->n < FUNCTION_SET_MAX)
		set_grow(set);
	slot = set_find(set, hash);
	if (*slot != 0 || set->n == FUNCTION_SET_MAX)
		return false;
	*slot = hash;
	set->n++;
	return true;
}
