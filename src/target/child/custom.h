/*
 * custom: the mutators that a target brings along, LLVMFuzzerCustomMutator
 * and LLVMFuzzerCustomCrossOver.
 *
 * They work on a copy between two pages without access, so that a write out
 * of bounds is a crash of theirs. Whatever goes wrong while they run is marked
 * as their doing: the failure is told, but no input is to blame. One that
 * keeps failing is called ever more seldom, by all processes of this worker,
 * and more often again when it behaves; so it ends no campaign.
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
	struct worker_head *head; /* where failures are noted and counted */
	size_t size;              /* largest value */
	uint8_t *room, *end;      /* between the pages */
	struct guard one, other;  /* what a crossover reads */
	bool align, poison;
	uint8_t *open; /* what may be touched, where single bytes can be shut */
	size_t open_len;
	/* Reads 0 in a copy of this process that the target made; or NULL. */
	const volatile uint8_t *original;
	fail_steps *steps; /* for LLVMFuzzerMutate; NULL: none */
	void *steps_arg;
	bool too_long; /* more than allowed was returned; the caller's to clear */
};

enum custom_result {
	CUSTOM_DECLINED, /* the value is as it was */
	CUSTOM_DONE,
	CUSTOM_FAILED, /* worker_head.failure says how: the call has failed */
};

/*
 * Does the target have them? Those of a typed target, which would know nothing
 * of tuples, are as if they were not there.
 */
bool custom_has_mutator(void);
bool custom_has_crossover(void);
/* One is there and not used. */
bool custom_is_unused(void);

/*
 * Room for values of up to size bytes, before the first fork. False: no
 * memory. Nothing is mapped for a target that has neither.
 */
bool custom_init(struct custom *custom, struct worker_head *head, size_t size);

/*
 * The target's mutator changes the value, which stays below cap bytes, as
 * with other steps, or gets no longer than it is. Room for that is the
 * caller's, like the counters that the mutator touches.
 */
enum custom_result custom_mutate(struct custom *custom, uint8_t *value,
	size_t *len, size_t cap, struct prng *choice);

/* The same with its crossover: the value and the partner become one. */
enum custom_result custom_cross(struct custom *custom, uint8_t *value,
	size_t *len, size_t cap, const uint8_t *partner, size_t partner_len,
	struct prng *choice);

#endif
