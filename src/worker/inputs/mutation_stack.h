/*
 * mutation_stack: repeats the mutation stack that made an input. The bytes of
 * parent and partner, as the engine holds them, with mutations and literal
 * bytes give the same input again. It serves as a check on the copy that the
 * target could overwrite.
 */
#ifndef CFUZZ_WORKER_INPUTS_MUTATION_STACK_H
#define CFUZZ_WORKER_INPUTS_MUTATION_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/mutate/mutation.h"

/* How an input was made; copied from memory that a target may overwrite. */
struct mutation_stack {
	uint32_t parent, partner; /* arena entries, or MEMORY_NO_ENTRY */
	uint32_t words_n;         /* tokens in the dictionary at that time */
	uint32_t n;               /* mutations, at most MEMORY_MUTATIONS_MAX */
	uint32_t literals_n; /* literal bytes; over MEMORY_LITERALS_MAX: lost */
	struct mutation mutations[MEMORY_MUTATIONS_MAX];
	uint8_t literals[MEMORY_LITERALS_MAX];
};

/* All that is needed to repeat a mutation stack; borrowed. */
struct replay {
	const struct mutation *mutations;
	uint32_t n;
	const uint8_t *literals;
	uint32_t literals_n;
	const uint8_t *parent;
	size_t parent_len;
	size_t cap; /* logical capacity */
	struct mutation_sources sources;
	/* NULL, or called with the start, which is the parent cut to the
	 * capacity (step NULL), and after each mutation with its result. */
	void (*on_step)(void *arg, const struct mutation *step,
		const struct mutable *m);
	void *arg;
};

/*
 * Applies the mutations to a copy of parent. Returns a new buffer, owned by the
 * caller, and its length; NULL if the mutations do not fit these bytes, or the
 * literal bytes are lost.
 */
uint8_t *mutation_stack_replay(const struct replay *replay, size_t *len);

/* Does the same for a mutation stack with the logical capacity cap. */
uint8_t *mutation_stack_rebuild(const struct mutation_stack *stack,
	const uint8_t *parent, size_t parent_len, size_t cap,
	const struct mutation_sources *sources, size_t *len);

#endif
