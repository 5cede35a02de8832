/*
 * mutation_stack: the second witness. From the bytes of parent and partner, as the
 * engine holds them, the trail and the tape, the same input comes about
 * again.
 */
#ifndef CFUZZ_WORKER_MUTATION_STACK_H
#define CFUZZ_WORKER_MUTATION_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/mutate/mutation.h"

/* How an input was made, copied from where a target could write. */
struct mutation_stack {
	uint32_t parent, partner; /* entries of the arena, or NO_ENTRY */
	uint32_t words_n;         /* in the dictionary then */
	uint32_t n;               /* steps, at most MEMORY_TRAIL_MAX */
	uint32_t tape_n;          /* over MEMORY_TAPE_MAX: lost */
	struct mutation trail[MEMORY_TRAIL_MAX];
	uint8_t tape[MEMORY_TAPE_MAX];
};

/* What is needed to repeat a chain; all borrowed. */
struct replay {
	const struct mutation *trail;
	uint32_t n;
	const uint8_t *tape;
	uint32_t tape_n;
	const uint8_t *parent;
	size_t parent_len;
	size_t cap; /* logical capacity */
	struct mutation_sources sources;
	/* NULL, or it is told of each step, and what it made. */
	void (*on_step)(void *arg, const struct mutation *step,
		const struct mutable *m);
	void *arg;
};

/*
 * Applies the steps to a copy of parent. Returns a new buffer, the caller's,
 * and its length; NULL if the steps do not fit these bytes, or their tape is
 * lost.
 */
uint8_t *mutation_stack_replay(const struct replay *replay, size_t *len);

/* The same, of a chain under the logical capacity cap. */
uint8_t *mutation_stack_rebuild(const struct mutation_stack *chain,
	const uint8_t *parent, size_t parent_len, size_t cap,
	const struct mutation_sources *sources, size_t *len);

#endif
