/* process_history: the log of what a child has executed, which a target may
 * have written over, and the inputs that are made again from it. */
#include "worker/inputs/process_history.h"
#include "fuzz/fuzz.h"
#include "worker/memory/campaign_memory.h"

#define HISTORY_FUZZ_LEN 64u

int fuzz_process_history(const uint8_t *data, size_t size);

static void
history_fuzz_entry(struct campaign_memory *memory, const char *text)
{
	FUZZ_CHECK(campaign_memory_add_entry(memory, (const uint8_t *)text,
			   strlen(text)) != MEMORY_NO_ENTRY);
}

int
fuzz_process_history(const uint8_t *data, size_t size)
{
	static struct campaign_memory memory;
	static struct worker_layout layout;
	static uint8_t *worker;
	const struct tuple_types plain = { .n = 0 };
	struct input_sequence inputs = { .n = 0 };
	struct worker_head *head;
	struct process_history *history;

	if (worker == NULL) {
		FUZZ_CHECK(campaign_memory_open(&memory, HISTORY_FUZZ_LEN,
				   65536, NULL) == OK);
		history_fuzz_entry(&memory, "one");
		history_fuzz_entry(&memory, "two (of them)\n");
		worker_layout_init(&layout, HISTORY_FUZZ_LEN);
		worker = calloc(1, layout.size);
		FUZZ_CHECK(worker != NULL);
	}
	if (size > EXEC_LOG_HALF)
		size = EXEC_LOG_HALF;
	head = (struct worker_head *)(void *)worker;
	memcpy(worker + layout.log_offset, data, size);
	head->log = (struct exec_log){ .used = { (uint32_t)size, 0 } };
	history = process_history_create(worker, &layout, NULL,
		HISTORY_FUZZ_LEN, &plain);
	if (history == NULL)
		return 0;
	process_history_inputs(history, &memory, 20, 4096, &inputs);
	FUZZ_CHECK(inputs.n <= 20 && inputs.bytes <= 4096);
	input_sequence_clear(&inputs);
	process_history_destroy(history);
	return 0;
}

FUZZ_TARGET(process_history)
