/*
 * mutate_block: mutations of blocks of bytes, whatever they mean.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATE_BLOCK_H
#define CFUZZ_SHARED_MUTATE_MUTATE_BLOCK_H

#include "shared/mutate/mutate.h"

/*
 * MUTATE_BLOCK_REPEAT: repeats a block several times behind itself.
 * MUTATE_BLOCK_MOVE: moves a block to another place.
 * MUTATE_BLOCK_REVERSE: reverses the bytes of a block.
 * Declines like mutate_apply(), and declines other ops. Adds at most 4096
 * bytes.
 */
bool mutate_block(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done);

#endif
