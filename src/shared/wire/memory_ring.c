/* memory_ring: see memory_ring.h. */

#include "shared/wire/memory_ring.h"

#include <string.h>

#include "shared/wire/memory.h"

_Static_assert(sizeof(struct mutation) == 16, "wire");
_Static_assert(sizeof(struct feature) == 8, "wire");
_Static_assert(sizeof(struct ring_record) == 56, "wire");
_Static_assert(sizeof(struct ring_record) % 8 == 0, "features are aligned");

/* The literal bytes that a record holds. */
static uint32_t
ring_literals(const struct ring_record *record)
{
	return record->literals_n <= MEMORY_LITERALS_MAX ? record->literals_n
							 : 0;
}

uint64_t
ring_record_size(const struct ring_record *record)
{
	uint64_t size = sizeof(*record);

	size += (uint64_t)record->features_n * sizeof(struct feature);
	size += (uint64_t)record->mutations_n * sizeof(struct mutation);
	size += (uint64_t)record->edges_hit_n * sizeof(uint32_t);
	size += (uint64_t)record->unstable_n * sizeof(uint32_t);
	size += ring_literals(record);
	size += record->len;
	return (size + 7) & ~(uint64_t)7;
}

/* True if a worker may write a record with these numbers. */
static bool
ring_record_fits(const struct ring_record *record, size_t room,
	uint32_t max_len)
{
	struct worker_layout layout;

	worker_layout_init(&layout, max_len);
	return record->len <= layout.value_size &&
		record->features_n <= MEMORY_KEEP_MAX &&
		record->mutations_n <= MEMORY_MUTATIONS_MAX &&
		record->edges_hit_n <= MEMORY_EDGES_HIT_MAX &&
		record->unstable_n <= MEMORY_KEEP_MAX && record->size <= room &&
		record->size == ring_record_size(record);
}

bool
ring_next(const uint8_t *ring, size_t used, size_t *offset, uint32_t max_len,
	struct ring_input *input, bool *damaged)
{
	const uint8_t *at = ring + *offset;
	size_t room;

	*damaged = false;
	if (*offset >= used)
		return false;
	room = used - *offset;
	*damaged = true;
	if (room < sizeof(input->record))
		return false;
	memcpy(&input->record, at, sizeof(input->record));
	if (!ring_record_fits(&input->record, room, max_len))
		return false;
	*damaged = false;
	*offset += input->record.size;
	at += sizeof(input->record);
	input->features = (const void *)at;
	at += input->record.features_n * sizeof(struct feature);
	input->mutations = (const void *)at;
	at += input->record.mutations_n * sizeof(struct mutation);
	input->edges_hit = (const void *)at;
	at += input->record.edges_hit_n * sizeof(uint32_t);
	input->unstable = (const void *)at;
	at += input->record.unstable_n * sizeof(uint32_t);
	input->literals =
		input->record.literals_n <= MEMORY_LITERALS_MAX ? at : NULL;
	at += ring_literals(&input->record);
	input->bytes = at;
	return true;
}
