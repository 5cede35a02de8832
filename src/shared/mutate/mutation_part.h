/*
 * mutation_part: one argument of a tuple as a value of its own.
 *
 * Steps know nothing of tuples. So an argument is taken out, changed as plain
 * bytes, and put back; of a scalar these are as many of its low bytes as its
 * type has. The copy lies in the memory behind the whole, where nothing of
 * the result can reach it.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATION_PART_H
#define CFUZZ_SHARED_MUTATE_MUTATION_PART_H

#include "shared/mutate/mutation.h"
#include "shared/values/tuple.h"

struct mutation_part {
	struct tuple_field field; /* of the whole, as it was */
	uint32_t index;
	struct mutable m; /* may not get longer if it is a scalar */
};

/*
 * Takes one argument out, the draw modulo their number says which. room is
 * what the memory behind whole->data holds. False if that is too little, or
 * the whole is no tuple.
 */
bool mutation_part_open(const struct mutable *whole, size_t room, uint32_t draw,
	struct mutation_part *part);

/* mutation_apply() for a tuple: one step in one of its arguments. */
bool mutation_part_apply(enum mutate_op op,
	const struct mutation_sources *sources, struct mutable *whole,
	struct prng *prng, struct mutation *done);

/* The most room that a step takes, the copy included. */
size_t mutation_part_room(size_t len, size_t cap);

#endif
