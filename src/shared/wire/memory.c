/* memory: the offsets, see memory.h. */

#include "shared/wire/memory.h"

#define MEMORY_PAGE 4096u
#define MEMORY_VALUE_SLACK 4096u
#define MEMORY_RING_MIN (256u << 10)

/* The header of Go's engine, offset by offset. */
_Static_assert(offsetof(struct worker_head, count) == 0,
	"the header of Go's engine");
_Static_assert(offsetof(struct worker_head, value_len) == 8, "ditto");
_Static_assert(offsetof(struct worker_head, rand_state) == 16, "ditto");
_Static_assert(offsetof(struct worker_head, rand_inc) == 24, "ditto");
_Static_assert(sizeof(struct counter_module) == 16, "wire");
_Static_assert(sizeof(struct campaign_entry) == 16, "wire");
_Static_assert(sizeof(struct campaign_slot) == 64, "one cache line each");
_Static_assert(EXEC_LOG_MUTATIONS_MAX == MEMORY_MUTATIONS_MAX, "wire");
_Static_assert(sizeof(struct pc_table_head) % 8 == 0, "numbers are aligned");

static size_t
memory_round(size_t len)
{
	return (len + MEMORY_PAGE - 1) & ~(size_t)(MEMORY_PAGE - 1);
}

void
worker_layout_init(struct worker_layout *layout, uint32_t max_len)
{
	size_t value = memory_round(2 * (size_t)max_len + MEMORY_VALUE_SLACK);
	size_t keep = MEMORY_KEEP_MAX * sizeof(struct feature);
	size_t ring = MEMORY_RING_INPUTS * (size_t)max_len;
	const struct ring_record full = {
		.len = (uint32_t)value,
		.features_n = MEMORY_KEEP_MAX,
		.mutations_n = MEMORY_MUTATIONS_MAX,
		.edges_hit_n = MEMORY_EDGES_HIT_MAX,
		.unstable_n = MEMORY_KEEP_MAX,
		.literals_n = MEMORY_LITERALS_MAX,
	};
	size_t largest = ring_record_size(&full);

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
worker_layout_mutations(const struct worker_layout *layout, uint32_t turns,
	uint32_t used)
{
	if (used > EXEC_LOG_HALF - EXEC_LOG_STACK_MAX || used % 8 != 0)
		used = 0;
	return layout->log_offset + turns % 2 * EXEC_LOG_HALF + used +
		sizeof(struct exec_log_record);
}
