/* stack_hash: see stack_hash.h. Open addressing; nothing is ever taken out. */
#include "findings/stack_hash.h"

#include <stdlib.h>

#include "base/xmalloc.h"

#define SIGNATURES_ROOM 16384u /* a power of two above the maximum */

void
signatures_clear(struct signatures *table)
{
	free(table->slots);
	*table = (struct signatures){ 0 };
}

/* Its slot, or the free one where it would be. */
static struct signature_slot *
slot_of(const struct signatures *table, uint64_t signature)
{
	uint64_t i = signature ^ (signature >> 32);

	while (table->slots[i % SIGNATURES_ROOM].signature != 0 &&
		table->slots[i % SIGNATURES_ROOM].signature != signature)
		i++;
	return &table->slots[i % SIGNATURES_ROOM];
}

bool
signatures_find(const struct signatures *table, uint64_t signature,
	uint64_t *bucket)
{
	const struct signature_slot *slot;

	if (table->slots == NULL || signature == 0)
		return false;
	slot = slot_of(table, signature);
	if (slot->signature == 0)
		return false;
	*bucket = slot->bucket;
	return true;
}

bool
signatures_full(const struct signatures *table)
{
	return table->n >= SIGNATURES_MAX;
}

bool
signatures_put(struct signatures *table, uint64_t signature, uint64_t bucket)
{
	struct signature_slot *slot;

	if (table->slots == NULL)
		table->slots = xcalloc(SIGNATURES_ROOM, sizeof(*table->slots));
	slot = slot_of(table, signature);
	if (slot->signature == 0) {
		if (signatures_full(table))
			return false;
		slot->signature = signature;
		table->n++;
	}
	slot->bucket = bucket;
	return true;
}

void
signatures_move(struct signatures *table, uint64_t from, uint64_t to)
{
	uint32_t i;

	for (i = 0; table->slots != NULL && i < SIGNATURES_ROOM; i++)
		if (table->slots[i].signature != 0 &&
			table->slots[i].bucket == from)
			table->slots[i].bucket = to;
}

static int
compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

size_t
signatures_list(const struct signatures *table, uint64_t bucket, uint64_t *list,
	size_t max)
{
	size_t n = 0;
	uint32_t i;

	for (i = 0; table->slots != NULL && i < SIGNATURES_ROOM && n < max; i++)
		if (table->slots[i].signature != 0 &&
			table->slots[i].bucket == bucket)
			list[n++] = table->slots[i].signature;
	qsort(list, n, sizeof(*list), compare);
	return n;
}
