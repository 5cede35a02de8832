/*
 * mutate_block: pieces of a value, as wholes, whatever they mean.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATE_BLOCK_H
#define CFUZZ_SHARED_MUTATE_MUTATE_BLOCK_H

#include "shared/mutate/mutate.h"

/*
 * MUTATE_BLOCK_REPEAT: a block several times more, behind itself.
 * MUTATE_BLOCK_MOVE: a block to another place.
 * MUTATE_BLOCK_REVERSE: the bytes of a block in the opposite order.
 * Declines as mutate_apply() does, also other ops. Adds no more than 4096
 * bytes.
 */
bool mutate_block(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done);

#endif
