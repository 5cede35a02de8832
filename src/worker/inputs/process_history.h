/*
 * process_history: the inputs that ran before a failure in the same process,
 * from the execution log in worker memory. The log is copied when the failure
 * arrives; inputs are made from it only when they are needed.
 */
#ifndef CFUZZ_WORKER_INPUTS_PROCESS_HISTORY_H
#define CFUZZ_WORKER_INPUTS_PROCESS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/values/tuple.h"
#include "worker/inputs/input_sequence.h"
#include "worker/inputs/mutation_stack.h"
#include "worker/memory/campaign_memory.h"

struct process_history;

/*
 * Copies the log from a worker's memory, which a target may have damaged.
 * stack: the mutation stack, with capacity cap, of which the last input failed;
 * NULL: no mutation stack. types: the types of the target. Returns NULL if
 * nothing ran before.
 */
struct process_history *process_history_create(const uint8_t *memory,
	const struct worker_layout *layout, const struct mutation_stack *stack,
	uint32_t cap, const struct tuple_types *types);
void process_history_destroy(struct process_history *p); /* NULL is fine */

/*
 * Fills an empty sequence with the newest inputs, oldest first: at most max_n,
 * and at most max_bytes when packed. Inputs that cannot be made again are left
 * out.
 */
void process_history_inputs(const struct process_history *p,
	const struct campaign_memory *memory, size_t max_n, size_t max_bytes,
	struct input_sequence *inputs);

#endif
