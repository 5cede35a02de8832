/*
 * mutation: one change of a value, and its repetition.
 *
 * A mutation stack leads from a parent's bytes to a candidate. A mutation
 * depends only on the value, its sources, and one number, its seed. Bytes that
 * the seed cannot reproduce are kept as the stack's literal bytes. So the
 * mutation log, the bytes of parent and partner, and the literal bytes are
 * enough to make the same bytes elsewhere. That is how the engine checks the
 * input of a failure, and how it finds the origin of an input.
 *
 * The caller is free to choose the kind of each mutation: the choice leaves no
 * mark but the mutation log. The kinds are drawn by weight.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATION_H
#define CFUZZ_SHARED_MUTATE_MUTATION_H

#include "shared/mutate/tokens.h"
#include "shared/wire/memory_ring.h"

/* The sources of mutations beside the value; all borrowed. */
struct mutation_sources {
	struct tokens words;
	const uint8_t *partner; /* another input; NULL: none */
	size_t partner_len;
	uint16_t count; /* of MUTATE_PART_COUNT: how often; 0: it declines */
	bool tuples;    /* a mutation changes one argument of a tuple */
	size_t room;    /* with tuples: bytes of the value's memory */
};

/* The literal bytes of a mutation stack, being read. */
struct literals {
	const uint8_t *bytes;
	size_t n, at; /* at: the next byte to read */
};

/*
 * Tries one mutation of a kind. False if it declines: the value is unchanged.
 * The memory behind m must hold mutations_room() bytes; for a tuple,
 * mutation_part_room(): with less, mutations decline. MUTATE_COMPARE and
 * MUTATE_CUSTOM are made elsewhere: they always decline here.
 */
bool mutation_apply(unsigned op, uint32_t seed,
	const struct mutation_sources *sources, struct mutable *m,
	struct mutation *done);

/*
 * Repeats an entry of a mutation log. False if the result is not the logged
 * one: then the log does not belong to this value, which may have changed.
 */
bool mutation_repeat(const struct mutation *mutation,
	const struct mutation_sources *sources, struct mutable *m,
	struct literals *literals);

/* mutation_apply() for plain bytes, with the caller's random numbers. */
bool mutation_in_bytes(enum mutate_op op,
	const struct mutation_sources *sources, struct mutable *m,
	struct prng *prng, struct mutation *done);

/* The most bytes that one mutation can make of len under this capacity. */
size_t mutations_room(size_t len, size_t cap);

#endif
