/*
 * mutate: the byte mutators.
 *
 * One call changes one buffer by one step, in place. What it does follows
 * from the bytes, the capacity and the random numbers alone, and the order
 * of the draws is part of the contract: the engine repeats them to build a
 * failing input again. Nothing is allocated, and nothing beyond the bytes
 * that change is touched, however large the capacity is.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATE_H
#define CFUZZ_SHARED_MUTATE_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/prng.h"

/* Numbers of the steps; they stand in trails on the wire. */
enum mutate_op {
	MUTATE_REMOVE,
	MUTATE_INSERT_RANDOM,
	MUTATE_DUPLICATE,
	MUTATE_OVERWRITE,
	MUTATE_BIT_FLIP,
	MUTATE_XOR,
	MUTATE_SWAP_BYTES,
	MUTATE_ARITHMETIC_8,
	MUTATE_ARITHMETIC_16,
	MUTATE_ARITHMETIC_32,
	MUTATE_ARITHMETIC_64,
	MUTATE_INTERESTING_8,
	MUTATE_INTERESTING_16,
	MUTATE_INTERESTING_32,
	MUTATE_INSERT_CONSTANT,
	MUTATE_OVERWRITE_CONSTANT,
	MUTATE_SHUFFLE,
	MUTATE_SWAP_CHUNKS,
	MUTATE_BYTES_N, /* the byte mutators end here */

	/* steps of scalar values, see scalar.h */
	MUTATE_ADD = MUTATE_BYTES_N,
	MUTATE_SUBTRACT,
	MUTATE_MULTIPLY,
	MUTATE_DIVIDE,
	MUTATE_FLIP,
	MUTATE_KEEP, /* a bool that was not flipped */
	/* words of a dictionary, see words.h */
	MUTATE_INSERT_WORD,
	MUTATE_OVERWRITE_WORD,
	/* bytes that only the child knew; they stand on the tape, see steps.h */
	MUTATE_COMPARE, /* an operand of a comparison */
	MUTATE_CUSTOM,  /* what the target's own mutator made of the value */
	/* numbers in a text, see mutate_number.h */
	MUTATE_NUMBER_STEP,
	MUTATE_NUMBER_SET,
	MUTATE_NUMBER_DIGITS,
	/* parts of a text, see mutate_part.h */
	MUTATE_TOKEN_OVERWRITE,
	MUTATE_TOKEN_INSERT,
	MUTATE_TOKEN_SWAP,
	MUTATE_TOKEN_REMOVE,
	MUTATE_TOKEN_REPEAT,
	MUTATE_LINE_OVERWRITE,
	MUTATE_LINE_INSERT,
	MUTATE_LINE_SWAP,
	MUTATE_LINE_REMOVE,
	MUTATE_LINE_REPEAT,
	MUTATE_GROUP_OVERWRITE,
	MUTATE_GROUP_INSERT,
	MUTATE_GROUP_SWAP,
	MUTATE_GROUP_REMOVE,
	MUTATE_GROUP_REPEAT,
	MUTATE_GROUP_WRAP,
	MUTATE_GROUP_UNWRAP,
	MUTATE_CHARACTER,
	/* blocks, see mutate_block.h */
	MUTATE_BLOCK_REPEAT,
	MUTATE_BLOCK_MOVE,
	MUTATE_BLOCK_REVERSE,
	/* pieces of a second value, see mutate_splice.h */
	MUTATE_SPLICE_INSERT,
	MUTATE_SPLICE_OVERWRITE,
	MUTATE_SPLICE_TAIL,
	MUTATE_SPLICE_TOKEN,
	MUTATE_SPLICE_LINE,
	MUTATE_SPLICE_GROUP,
	/* fields that tell a length, see mutate_length.h */
	MUTATE_LENGTH_GROW,
	MUTATE_LENGTH_SHRINK,
	MUTATE_LENGTH_CHANGE,
	MUTATE_LENGTH_SET,
	/* a part so often as a comparison lacks it, see mutate_part.h */
	MUTATE_PART_COUNT,
	MUTATE_N, /* first number free for others */
};

/*
 * One step of a trail: what happened, and where in the buffer after it. A
 * removal tells how much is gone; an exchange names one of its two places.
 */
struct mutation {
	uint16_t op;     /* enum mutate_op */
	uint16_t arg;    /* of a comparison: bytes that were there before; of
			    MUTATE_PART_COUNT: how often; else 0 */
	uint32_t offset; /* bytes; of a scalar: 0 */
	uint32_t len;    /* bytes affected; of a scalar: the operand */
	uint32_t seed;   /* of its random numbers, see steps.h; else 0 */
};

/*
 * A buffer to be changed. cap is a rule, not an allocation: it says how long
 * the content may become, and steps that would reach it decline. The memory
 * behind data must hold mutate_room(len, cap) bytes, or simply cap.
 */
struct mutable
{
	uint8_t *data;
	size_t len;
	size_t cap;
};

/* The most that one step can make of len bytes under this capacity. */
size_t mutate_room(size_t len, size_t cap);

/*
 * Try one byte mutator. Returns false if it declines; numbers may have been
 * drawn then, but the buffer is as it was. done is filled in on success.
 */
bool mutate_apply(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done);

/*
 * Draw byte mutators until one accepts. Returns false, without a draw, only
 * for an empty buffer that may not grow (cap < 2): no mutator can accept it.
 */
bool mutate_bytes(struct mutable *m, struct prng *prng, struct mutation *done);

/*
 * Puts n other bytes in the place of `gone` ones. Declines what would reach
 * the capacity or leave nothing; the room is the caller's to know.
 */
bool mutate_replace(struct mutable *m, size_t offset, size_t gone,
	const uint8_t *bytes, size_t n);

/* "remove bytes", "bit flip" …; "?" for a number that is none of ours. */
const char *mutate_name(unsigned op);

#endif
