/*
 * mutate_length: fields that tell how many bytes there are.
 *
 * A field is a guess: one, two or four bytes in either order, or digits, whose
 * value is the number of bytes behind them, of the whole value, or of a piece
 * that fits in. What is looked at is a few positions from a drawn one on, or
 * from the begin, where such fields mostly are.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATE_LENGTH_H
#define CFUZZ_SHARED_MUTATE_MUTATE_LENGTH_H

#include "shared/mutate/mutate.h"

/*
 * MUTATE_LENGTH_GROW, _SHRINK: bytes are added to what a field measures, or
 * taken from it, and the field says so.
 * MUTATE_LENGTH_CHANGE: the field tells something else.
 * MUTATE_LENGTH_SET: a field is made, anywhere: it tells what follows it.
 * Declines as mutate_apply() does, also other ops. Adds less than 512 bytes.
 */
bool mutate_length(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done);

#endif
