/* memory: offsets, and reading the ring of new inputs, see memory.h. */

#include "shared/wire/memory.h"

#include <string.h>

#define MEMORY_PAGE 4096u
#define MEMORY_VALUE_SLACK 4096u
#define MEMORY_RING_MIN (256u << 10)

/* The reference engine's header, offset by offset. */
_Static_assert(offsetof(struct worker_head, count) == 0, "reference header");
_Static_assert(offsetof(struct worker_head, value_len) == 8, "ditto");
_Static_assert(offsetof(struct worker_head, rand_state) == 16, "ditto");
_Static_assert(offsetof(struct worker_head, rand_inc) == 24, "ditto");
_Static_assert(sizeof(struct mutation) == 16, "wire");
_Static_assert(sizeof(struct coverage_pair) == 8, "wire");
_Static_assert(sizeof(struct counter_module) == 16, "wire");
_Static_assert(sizeof(struct campaign_entry) == 16, "wire");
_Static_assert(sizeof(struct campaign_slot) == 64, "one cache line each");
_Static_assert(sizeof(struct find_record) == 80, "wire");
_Static_assert(sizeof(struct find_record) % 8 == 0, "pairs are aligned");
_Static_assert(EXEC_LOG_STEPS_MAX == MEMORY_TRAIL_MAX, "wire");
_Static_assert(sizeof(struct table_head) % 8 == 0, "numbers are aligned");

static size_t
memory_round(size_t len)
{
	return (len + MEMORY_PAGE - 1) & ~(size_t)(MEMORY_PAGE - 1);
}

void
worker_layout_init(struct worker_layout *layout, uint32_t max_len)
{
	size_t value = memory_round(2 * (size_t)max_len + MEMORY_VALUE_SLACK);
	size_t keep = MEMORY_KEEP_MAX * sizeof(struct coverage_pair);
	size_t ring = 4 * (size_t)max_len;
	const struct find_record full = {
		.len = (uint32_t)value,
		.pairs_n = MEMORY_KEEP_MAX,
		.trail_n = MEMORY_TRAIL_MAX,
		.hits_n = MEMORY_HITS_MAX,
		.gone_n = MEMORY_KEEP_MAX,
		.literals_n = MEMORY_LITERALS_MAX,
	};
	size_t largest = find_record_size(&full);

	if (ring < 2 * largest)
		ring = 2 * largest;
	if (ring < MEMORY_RING_MIN)
		ring = MEMORY_RING_MIN;
	layout->value_offset = memory_round(sizeof(struct worker_head));
	layout->value_size = value;
	layout->best_offset = layout->value_offset + value;
	layout->best_size = value;
	layout->keep_offset = layout->best_offset + value;
	layout->keep_size = memory_round(keep);
	layout->ring_offset = layout->keep_offset + layout->keep_size;
	layout->ring_size = memory_round(ring);
	layout->log_offset = layout->ring_offset + layout->ring_size;
	layout->log_size = 2 * EXEC_LOG_HALF;
	layout->size = layout->log_offset + layout->log_size;
}

size_t
worker_layout_trail(const struct worker_layout *layout, uint32_t turns,
	uint32_t used)
{
	if (used > EXEC_LOG_HALF - EXEC_LOG_CHAIN_MAX || used % 8 != 0)
		used = 0;
	return layout->log_offset + turns % 2 * EXEC_LOG_HALF + used +
		sizeof(struct exec_log_record);
}

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
	size += (uint64_t)record->trail_n * sizeof(struct mutation);
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
		record->trail_n <= MEMORY_TRAIL_MAX &&
		record->hits_n <= MEMORY_HITS_MAX &&
		record->gone_n <= MEMORY_KEEP_MAX &&
		record->chain <= MEMORY_TRAIL_MAX && record->size <= room &&
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
	find->trail = (const void *)at;
	at += find->record.trail_n * sizeof(struct mutation);
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
