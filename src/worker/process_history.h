/*
 * process_history: what ran before a failure in the same process, as the log of runs
 * in worker memory tells it. Copied when the failure arrives; made into inputs
 * when it turns out that they are needed.
 */
#ifndef CFUZZ_WORKER_PROCESS_HISTORY_H
#define CFUZZ_WORKER_PROCESS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/values/tuple.h"
#include "worker/campaign_memory.h"
#include "worker/input_sequence.h"
#include "worker/mutation_stack.h"

struct process_history;

/*
 * Copies the log of a worker's memory, which a target may have written to.
 * chain: the one whose last candidate failed, under this capacity; NULL: it
 * was none of a chain. types: that the target takes. NULL: nothing ran before.
 */
struct process_history *process_history_create(const uint8_t *memory,
	const struct worker_layout *layout, const struct mutation_stack *chain,
	uint32_t cap, const struct tuple_types *types);
void process_history_destroy(
	struct process_history *prelude); /* NULL is fine */

/*
 * The inputs, oldest first: the newest of them, so many at most, and so many
 * bytes, packed. What cannot be made again is left out.
 */
void process_history_inputs(const struct process_history *prelude,
	const struct campaign_memory *memory, size_t max_n, size_t max_bytes,
	struct input_sequence *inputs);

#endif
