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

struct prelude;

/*
 * Copies the log of a worker's memory, which a target may have written to.
 * chain: the one whose last candidate failed, under this capacity; NULL: it
 * was none of a chain. types: that the target takes. NULL: nothing ran before.
 */
struct prelude *prelude_create(const uint8_t *memory,
	const struct worker_layout *layout, const struct chain *chain,
	uint32_t cap, const struct tuple_types *types);
void prelude_destroy(struct prelude *prelude); /* NULL is fine */

/*
 * The inputs, oldest first: the newest of them, so many at most, and so many
 * bytes, packed. What cannot be made again is left out.
 */
void prelude_inputs(const struct prelude *prelude,
	const struct campaign_memory *memory, size_t max_n, size_t max_bytes,
	struct sequence *inputs);

#endif
