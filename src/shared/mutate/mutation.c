/* mutation: see mutation.h. */

#include "shared/mutate/mutation.h"

#include "shared/mutate/mutate_block.h"
#include "shared/mutate/mutate_length.h"
#include "shared/mutate/mutate_number.h"
#include "shared/mutate/mutate_part.h"
#include "shared/mutate/mutate_splice.h"
#include "shared/mutate/mutation_part.h"

_Static_assert(MUTATE_N <= MEMORY_OPS_MAX, "kinds of mutations on the wire");

bool
mutation_in_bytes(enum mutate_op op, const struct mutation_sources *sources,
	struct mutable *m, struct prng *prng, struct mutation *done)
{
	if (op < MUTATE_BYTES_N)
		return mutate_apply(op, m, prng, done);
	if (op == MUTATE_INSERT_WORD || op == MUTATE_OVERWRITE_WORD)
		return tokens_apply(op, &sources->words, m, prng, done);
	if (op >= MUTATE_NUMBER_STEP && op <= MUTATE_NUMBER_DIGITS)
		return mutate_number(op, m, prng, done);
	if (op >= MUTATE_TOKEN_OVERWRITE && op <= MUTATE_CHARACTER)
		return mutate_part(op, m, prng, done);
	if (op >= MUTATE_BLOCK_REPEAT && op <= MUTATE_BLOCK_REVERSE)
		return mutate_block(op, m, prng, done);
	if (op >= MUTATE_SPLICE_INSERT && op <= MUTATE_SPLICE_GROUP)
		return mutate_splice(op, sources->partner, sources->partner_len,
			m, prng, done);
	if (op >= MUTATE_LENGTH_GROW && op <= MUTATE_LENGTH_SET)
		return mutate_length(op, m, prng, done);
	if (op == MUTATE_PART_COUNT)
		return mutate_part_count(sources->count, m, prng, done);
	return false;
}

bool
mutation_apply(unsigned op, uint32_t seed,
	const struct mutation_sources *sources, struct mutable *m,
	struct mutation *done)
{
	struct prng prng;

	prng_init(&prng, seed, 0);
	if (!(sources->tuples ? mutation_part_apply
			      : mutation_in_bytes)((enum mutate_op)op, sources,
		    m, &prng, done))
		return false;
	done->op = (uint16_t)op;
	done->seed = seed;
	return true;
}

static bool
mutation_repeat_literals(const struct mutation *mutation, bool tuples,
	struct mutable *m, struct literals *literals)
{
	const uint8_t *bytes = literals->bytes + literals->at;
	size_t removed = mutation->op == MUTATE_CUSTOM ? m->len : mutation->arg;
	/* The caller of the target's mutator has checked the capacity. */
	struct mutable wide = { m->data, m->len, SIZE_MAX };

	if (mutation->len > literals->n - literals->at)
		return false;
	literals->at += mutation->len;
	if (tuples)
		return mutation->op == MUTATE_COMPARE &&
			tuple_replace(m->data, &m->len, mutation->offset,
				removed, bytes, mutation->len);
	if (!mutate_replace(&wide, mutation->offset, removed, bytes,
		    mutation->len))
		return false;
	m->len = wide.len;
	return true;
}

bool
mutation_repeat(const struct mutation *mutation,
	const struct mutation_sources *sources, struct mutable *m,
	struct literals *literals)
{
	struct mutation_sources counted = *sources;
	struct mutation done;

	if (mutation->op == MUTATE_COMPARE || mutation->op == MUTATE_CUSTOM)
		return mutation_repeat_literals(mutation, sources->tuples, m,
			literals);
	counted.count = mutation->op == MUTATE_PART_COUNT ? mutation->arg : 0;
	return mutation_apply(mutation->op, mutation->seed, &counted, m,
		       &done) &&
		done.offset == mutation->offset && done.len == mutation->len;
}

size_t
mutations_room(size_t len, size_t cap)
{
	size_t room = mutate_room(len, cap),
	       literals = len + MEMORY_LITERALS_MAX;

	return room > literals ? room : literals;
}
