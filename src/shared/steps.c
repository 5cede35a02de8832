/* steps: see steps.h. */

#include "shared/steps.h"

#include <string.h>

_Static_assert(MUTATE_N <= MEMORY_OPS_MAX, "kinds of mutations on the wire");

static const uint32_t STEPS_WEIGHTS[MEMORY_OPS_MAX] = {
	[MUTATE_REMOVE] = 16,
	[MUTATE_INSERT_RANDOM] = 16,
	[MUTATE_DUPLICATE] = 16,
	[MUTATE_OVERWRITE] = 16,
	[MUTATE_BIT_FLIP] = 16,
	[MUTATE_XOR] = 16,
	[MUTATE_SWAP_BYTES] = 16,
	[MUTATE_ARITHMETIC_8] = 16,
	[MUTATE_ARITHMETIC_16] = 16,
	[MUTATE_ARITHMETIC_32] = 16,
	[MUTATE_ARITHMETIC_64] = 16,
	[MUTATE_INTERESTING_8] = 16,
	[MUTATE_INTERESTING_16] = 16,
	[MUTATE_INTERESTING_32] = 16,
	[MUTATE_INSERT_CONSTANT] = 16,
	[MUTATE_OVERWRITE_CONSTANT] = 16,
	[MUTATE_SHUFFLE] = 16,
	[MUTATE_SWAP_CHUNKS] = 16,
	[MUTATE_INSERT_WORD] = 48,
	[MUTATE_OVERWRITE_WORD] = 48,
	[MUTATE_COMPARE] = 40,
};

const uint32_t *
steps_weights(void)
{
	return STEPS_WEIGHTS;
}

bool
step_apply(unsigned op, uint32_t seed, const struct step_sources *sources,
	struct mutable *m, struct mutation *done)
{
	struct prng prng;
	bool taken;

	prng_init(&prng, seed, 0);
	switch (op) {
	case MUTATE_INSERT_WORD:
	case MUTATE_OVERWRITE_WORD:
		taken = words_apply((enum mutate_op)op, &sources->words, m,
			&prng, done);
		break;
	default:
		taken = mutate_apply((enum mutate_op)op, m, &prng, done);
		break;
	}
	done->seed = seed;
	return taken;
}

static bool
step_repeat_tape(const struct mutation *step, struct mutable *m,
	struct tape *tape)
{
	const uint8_t *bytes = tape->bytes + tape->at;
	size_t gone = step->op == MUTATE_CUSTOM ? m->len : step->arg;
	/* The target's mutator is held to the capacity by its caller. */
	struct mutable wide = { m->data, m->len, SIZE_MAX };

	if (step->len > tape->n - tape->at)
		return false;
	tape->at += step->len;
	if (!mutate_replace(&wide, step->offset, gone, bytes, step->len))
		return false;
	m->len = wide.len;
	return true;
}

bool
step_repeat(const struct mutation *step, const struct step_sources *sources,
	struct mutable *m, struct tape *tape)
{
	struct mutation done;

	if (step->op == MUTATE_COMPARE || step->op == MUTATE_CUSTOM)
		return step_repeat_tape(step, m, tape);
	return step_apply(step->op, step->seed, sources, m, &done) &&
		done.offset == step->offset && done.len == step->len;
}

size_t
steps_room(size_t len, size_t cap)
{
	size_t room = mutate_room(len, cap), tape = len + MEMORY_TAPE_MAX;

	return room > tape ? room : tape;
}
