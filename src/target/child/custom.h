/*
 * custom: the target's own mutators, LLVMFuzzerCustomMutator and
 * LLVMFuzzerCustomCrossOver.
 *
 * They work on a copy between two inaccessible pages, so that a write out of
 * bounds crashes inside the mutator. A failure while they run is reported as
 * the mutator's, without an input. A mutator that keeps failing is called less
 * and less often by all processes of the worker, and more often again when it
 * behaves. So a broken mutator does not end the campaign.
 */
#ifndef CFUZZ_TARGET_CHILD_CUSTOM_H
#define CFUZZ_TARGET_CHILD_CUSTOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/prng.h"
#include "shared/wire/memory.h"
#include "target/child/fail.h"
#include "target/crash/guard.h"

struct custom {
	struct worker_head *head; /* failures and their count */
	size_t size;              /* largest value, in bytes */
	struct guard copy;        /* of the value, or the crossover's result */
	struct guard one, other;  /* inputs of a crossover */
	/* Reads 0 in a copy of this process that the target forked; or NULL. */
	const volatile uint8_t *original;
	fail_mutator *mutator; /* for LLVMFuzzerMutate; NULL: none */
	void *mutator_arg;
	/* A mutator has returned more than its limit, and the rest was cut
	 * off. Stays set. */
	bool too_long;
};

enum custom_result {
	CUSTOM_DECLINED, /* the value is unchanged, or no call was due */
	CUSTOM_DONE,
	CUSTOM_FAILED, /* see worker_head.failure; the call has failed */
};

/*
 * Does the target have one? Always false for a typed target: its mutators would
 * not understand tuples.
 */
bool custom_has_mutator(void);
bool custom_has_crossover(void);
/* Does a typed target have a mutator that is not used? */
bool custom_is_unused(void);

/*
 * Maps room for values of up to size bytes, before the first fork. False: no
 * memory. Maps nothing for a target without mutators.
 */
bool custom_init(struct custom *custom, struct worker_head *head, size_t size);

/*
 * Lets the target's mutator change the value. As with other mutations, the
 * value stays below cap bytes or does not grow. The caller provides the room
 * and clears the edge counters that the mutator has touched.
 */
enum custom_result custom_mutate(struct custom *custom, uint8_t *value,
	size_t *len, size_t cap, struct prng *choice);

/* The same with the target's crossover of the value and its partner. */
enum custom_result custom_cross(struct custom *custom, uint8_t *value,
	size_t *len, size_t cap, const uint8_t *partner, size_t partner_len,
	struct prng *choice);

#endif
