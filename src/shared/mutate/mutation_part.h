/*
 * mutation_part: one argument of a tuple as a value of its own.
 *
 * Mutations do not know tuples. So an argument is copied out, changed as plain
 * bytes, and put back. A scalar is copied as its low bytes, as many as its type
 * has. The copy is in the memory behind the whole, where the result cannot
 * reach it.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATION_PART_H
#define CFUZZ_SHARED_MUTATE_MUTATION_PART_H

#include "shared/mutate/mutation.h"
#include "shared/values/tuple.h"

struct mutation_part {
	struct tuple_field field; /* in the whole, before the change */
	uint32_t index;           /* of the argument */
	struct mutable m;         /* the copy; a scalar may not get longer */
};

/*
 * Copies out the argument with the index `draw` modulo their number. room is
 * the size of the memory at whole->data. False if the memory is too small, or
 * if the whole is not a tuple.
 */
bool mutation_part_open(const struct mutable *whole, size_t room, uint32_t draw,
	struct mutation_part *part);

/*
 * Cuts a parent that is too long for the capacity, so that mutations of it are
 * not: the limit was lowered after the parent was found. A tuple loses bytes of
 * its last arguments, and stays too long if its scalars alone are.
 */
void mutation_cut(struct mutable *m, bool tuples);

/* mutation_apply() for a tuple: one mutation in one of its arguments. */
bool mutation_part_apply(enum mutate_op op,
	const struct mutation_sources *sources, struct mutable *whole,
	struct prng *prng, struct mutation *done);

/* The largest size of memory that a mutation needs, with the copy, in bytes. */
size_t mutation_part_room(size_t len, size_t cap);

#endif
