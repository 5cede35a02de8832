/* memory_ring: see memory_ring.h. */

#include "shared/wire/memory_ring.h"

#include <string.h>

#include "shared/wire/memory.h"

_Static_assert(sizeof(struct mutation) == 16, "wire");
_Static_assert(sizeof(struct coverage_pair) == 8, "wire");
_Static_assert(sizeof(struct find_record) == 80, "wire");
_Static_assert(sizeof(struct find_record) % 8 == 0, "pairs are aligned");

/* The literal bytes that a record holds. */
static uint32_t
find_literals(const struct find_record *record)
{
	return record->literals_n <= MEMORY_LITERALS_MAX ? record->literals_n
							 : 0;
}

uint64_t
find_record_size(const struct find_record *record)
{
	uint64_t size = sizeof(*record);

	size += (uint64_t)record->pairs_n * sizeof(struct coverage_pair);
	size += (uint64_t)record->mutations_n * sizeof(struct mutation);
	size += (uint64_t)record->hits_n * sizeof(uint32_t);
	size += (uint64_t)record->gone_n * sizeof(uint32_t);
	size += find_literals(record);
	size += record->len;
	return (size + 7) & ~(uint64_t)7;
}

/* True if a worker may write a record with these numbers. */
static bool
find_record_fits(const struct find_record *record, size_t room,
	uint32_t max_len)
{
	struct worker_layout layout;

	worker_layout_init(&layout, max_len);
	return record->len <= layout.value_size &&
		record->pairs_n <= MEMORY_KEEP_MAX &&
		record->mutations_n <= MEMORY_MUTATIONS_MAX &&
		record->hits_n <= MEMORY_HITS_MAX &&
		record->gone_n <= MEMORY_KEEP_MAX &&
		record->stack_n <= MEMORY_MUTATIONS_MAX &&
		record->size <= room &&
		record->size == find_record_size(record);
}

bool
find_next(const uint8_t *ring, size_t used, size_t *offset, uint32_t max_len,
	struct find *find, bool *damaged)
{
	const uint8_t *at = ring + *offset;
	size_t room;

	*damaged = false;
	if (*offset >= used)
		return false;
	room = used - *offset;
	*damaged = true;
	if (room < sizeof(find->record))
		return false;
	memcpy(&find->record, at, sizeof(find->record));
	if (!find_record_fits(&find->record, room, max_len))
		return false;
	*damaged = false;
	*offset += find->record.size;
	at += sizeof(find->record);
	find->pairs = (const void *)at;
	at += find->record.pairs_n * sizeof(struct coverage_pair);
	find->mutations = (const void *)at;
	at += find->record.mutations_n * sizeof(struct mutation);
	find->hits = (const void *)at;
	at += find->record.hits_n * sizeof(uint32_t);
	find->gone = (const void *)at;
	at += find->record.gone_n * sizeof(uint32_t);
	find->literals =
		find->record.literals_n <= MEMORY_LITERALS_MAX ? at : NULL;
	at += find_literals(&find->record);
	find->bytes = at;
	return true;
}
