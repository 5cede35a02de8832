/*
 * mutate: the byte mutators.
 *
 * One call changes one buffer by one mutation, in place. The result depends
 * only on the bytes, the capacity and the random numbers. The order of the
 * draws is part of the contract: the engine repeats them to rebuild a failing
 * input. Nothing is allocated, and only bytes that change are touched, however
 * large the capacity is. The eighteen byte mutators are those of Go's engine
 * (internal/fuzz, mutators_byteslice.go), draw for draw.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATE_H
#define CFUZZ_SHARED_MUTATE_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/prng.h"

/* Numbers of the mutations; mutation logs carry them on the wire. */
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

	/* mutations of scalars, see shared/values/scalar.h */
	MUTATE_ADD = MUTATE_BYTES_N,
	MUTATE_SUBTRACT,
	MUTATE_MULTIPLY,
	MUTATE_DIVIDE,
	MUTATE_FLIP,
	MUTATE_KEEP, /* a bool that was not flipped */
	/* dictionary tokens, see tokens.h */
	MUTATE_INSERT_WORD,
	MUTATE_OVERWRITE_WORD,
	/* literal bytes, which only the child knows, see mutation.h */
	MUTATE_COMPARE, /* an operand of a comparison */
	MUTATE_CUSTOM,  /* the result of the target's own mutator */
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
	/* length fields, see mutate_length.h */
	MUTATE_LENGTH_GROW,
	MUTATE_LENGTH_SHRINK,
	MUTATE_LENGTH_CHANGE,
	MUTATE_LENGTH_SET,
	/* a part, as often as a comparison needs it, see mutate_part.h */
	MUTATE_PART_COUNT,
	MUTATE_N, /* first number free for others */
};

/*
 * One entry of a mutation log: the mutation, and its place in the buffer
 * afterwards. A removal gives the number of bytes removed; a swap gives one of
 * its two places.
 */
struct mutation {
	uint16_t op;  /* enum mutate_op */
	uint16_t arg; /* of a comparison: bytes replaced; of MUTATE_PART_COUNT:
			    how often; else 0 */
	uint32_t offset; /* bytes; of a scalar: 0 */
	uint32_t len;    /* bytes affected; of a scalar: the operand */
	uint32_t seed;   /* of its random numbers, see mutation.h; 0 for literal
			  bytes */
};

/*
 * A buffer to be changed. cap is a limit, not an allocation: mutations decline
 * to grow the content to cap bytes or more. The memory behind data is the
 * caller's. It must hold mutate_room(len, cap) bytes; the larger of len and cap
 * is always enough.
 */
struct mutable
{
	uint8_t *data;
	size_t len;
	size_t cap;
};

/* The most bytes that one mutation can make of len under this capacity. */
size_t mutate_room(size_t len, size_t cap);

/*
 * Tries one byte mutator. Returns false if the mutator declines: numbers may
 * have been drawn, but the buffer is unchanged. done is filled in on success.
 */
bool mutate_apply(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done);

/*
 * Draws byte mutators until one accepts. Returns false, without a draw, only
 * for an empty buffer that may not grow (cap < 2): every mutator declines it.
 */
bool mutate_bytes(struct mutable *m, struct prng *prng, struct mutation *done);

/*
 * Replaces `removed` bytes by n others. Declines a place outside of the buffer,
 * an empty result, and growth to the capacity. The caller ensures the room.
 */
bool mutate_replace(struct mutable *m, size_t offset, size_t removed,
	const uint8_t *bytes, size_t n);

/* "remove bytes", "bit flip" …, static; "?" for an unknown number. */
const char *mutate_name(unsigned op);

/* The default weight of a kind: relative, 0 for kinds that do not exist or are
 * chosen in another way. */
uint32_t mutate_weight(unsigned op);

#endif
