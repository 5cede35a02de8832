/*
 * mutate_number: numbers that are written in digits.
 *
 * A number is looked for near a drawn position, see digits.h; "-" in front of
 * it belongs to it. The parts of 1.5e10 are three numbers, each of which may
 * be drawn.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATE_NUMBER_H
#define CFUZZ_SHARED_MUTATE_MUTATE_NUMBER_H

#include "shared/mutate/mutate.h"

/*
 * MUTATE_NUMBER_STEP: a little more or less, twice, half, the opposite.
 * MUTATE_NUMBER_SET: a value at which programs break.
 * MUTATE_NUMBER_DIGITS: other digits, more, less, a fraction, an exponent.
 * Declines as mutate_apply() does, also other ops. Adds less than 512 bytes.
 */
bool mutate_number(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done);

#endif
