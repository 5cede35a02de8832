/*
 * mutation: one change of a value, and its repetition.
 *
 * A chain of steps leads from a parent's bytes to a candidate. Everything
 * that a step does follows from the value, what it may draw on, and one
 * number, its seed; what nobody could draw again stands on the chain's tape.
 * So the trail of a chain, the bytes of parent and partner, and the tape are
 * enough to make the same bytes elsewhere: that is how the engine checks the
 * input of a failure, and how it tells where an input comes from.
 *
 * Which kind of step is tried is the caller's choice, and free: it leaves no
 * mark but the trail. The distribution over kinds is by weights.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATION_H
#define CFUZZ_SHARED_MUTATE_MUTATION_H

#include "shared/mutate/tokens.h"
#include "shared/wire/memory.h"

/* What the steps of a chain draw on beside the value; all borrowed. */
struct mutation_sources {
	struct tokens words;
	const uint8_t *partner; /* another input; NULL: none */
	size_t partner_len;
	uint16_t count; /* of MUTATE_PART_COUNT: how often; 0: it declines */
	bool tuples;    /* values are tuples: a step changes one argument */
	size_t room;    /* then: what the memory behind the value holds */
};

/* The tape of a chain, being read. */
struct tape {
	const uint8_t *bytes;
	size_t n, at;
};

/*
 * Tries one step of a kind. False if it declines: the value is as it was.
 * The memory behind m must hold mutations_room() bytes; or, of a tuple, at least
 * mutation_part_room(), less makes steps decline. MUTATE_COMPARE and
 * MUTATE_CUSTOM are made elsewhere: they always decline here.
 */
bool mutation_apply(unsigned op, uint32_t seed,
	const struct mutation_sources *sources, struct mutable *m,
	struct mutation *done);

/*
 * Repeats a step of a trail. False if that does not give what the trail says:
 * then the trail is not of this value.
 */
bool mutation_repeat(const struct mutation *step,
	const struct mutation_sources *sources, struct mutable *m,
	struct tape *tape);

/* The same for plain bytes, with random numbers that are under way. */
bool mutation_in_bytes(enum mutate_op op,
	const struct mutation_sources *sources, struct mutable *m,
	struct prng *prng, struct mutation *done);

/* The most that one step can make of len bytes under this capacity. */
size_t mutations_room(size_t len, size_t cap);

/*
 * Weights of the kinds when nothing is known of a target: relative, 0 for
 * those that are none or have their turn otherwise. MEMORY_OPS_MAX of them.
 */
const uint32_t *mutations_weights(void);

#endif
