/* stack_hash: see stack_hash.h. Open addressing; entries are never removed. */
#include "findings/stack_hash.h"

#include <stdlib.h>

#include "base/xmalloc.h"

#define STACK_HASHES_ROOM 16384u /* a power of two above the maximum */

void
stack_hashes_clear(struct stack_hashes *table)
{
	free(table->slots);
	*table = (struct stack_hashes){ 0 };
}

/* Returns the slot of the stack hash, or the free slot for it. */
static struct stack_hash_slot *
stack_hash_slot_of(const struct stack_hashes *table, uint64_t hash)
{
	uint64_t i = hash ^ (hash >> 32);

	while (table->slots[i % STACK_HASHES_ROOM].hash != 0 &&
		table->slots[i % STACK_HASHES_ROOM].hash != hash)
		i++;
	return &table->slots[i % STACK_HASHES_ROOM];
}

bool
stack_hashes_find(const struct stack_hashes *table, uint64_t hash,
	uint64_t *bucket)
{
	const struct stack_hash_slot *slot;

	if (table->slots == NULL || hash == 0)
		return false;
	slot = stack_hash_slot_of(table, hash);
	if (slot->hash == 0)
		return false;
	*bucket = slot->bucket;
	return true;
}

bool
stack_hashes_full(const struct stack_hashes *table)
{
	return table->n >= STACK_HASHES_MAX;
}

bool
stack_hashes_put(struct stack_hashes *table, uint64_t hash, uint64_t bucket)
{
	struct stack_hash_slot *slot;

	if (table->slots == NULL)
		table->slots =
			xcalloc(STACK_HASHES_ROOM, sizeof(*table->slots));
	slot = stack_hash_slot_of(table, hash);
	if (slot->hash == 0) {
		if (stack_hashes_full(table))
			return false;
		slot->hash = hash;
		table->n++;
	}
	slot->bucket = bucket;
	return true;
}

void
stack_hashes_move(struct stack_hashes *table, uint64_t from, uint64_t to)
{
	uint32_t i;

	for (i = 0; table->slots != NULL && i < STACK_HASHES_ROOM; i++)
		if (table->slots[i].hash != 0 && table->slots[i].bucket == from)
			table->slots[i].bucket = to;
}

static int
stack_hash_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

size_t
stack_hashes_list(const struct stack_hashes *table, uint64_t bucket,
	uint64_t *list, size_t max)
{
	size_t n = 0;
	uint32_t i;

	for (i = 0; table->slots != NULL && i < STACK_HASHES_ROOM && n < max;
		i++)
		if (table->slots[i].hash != 0 &&
			table->slots[i].bucket == bucket)
			list[n++] = table->slots[i].hash;
	qsort(list, n, sizeof(*list), stack_hash_compare);
	return n;
}
