/*
 * mutate_number: mutations of numbers that are written in digits.
 *
 * A number is searched near a drawn position, see digits.h; "-" in front
 * belongs to the number. 1.5e10 consists of three numbers; each may be drawn.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATE_NUMBER_H
#define CFUZZ_SHARED_MUTATE_MUTATE_NUMBER_H

#include "shared/mutate/mutate.h"

/*
 * MUTATE_NUMBER_STEP: a little more or less, twice, half, the negative.
 * MUTATE_NUMBER_SET: a value that often breaks programs.
 * MUTATE_NUMBER_DIGITS: other digits, more, less, a fraction, an exponent.
 * Declines like mutate_apply(), and declines other ops. Adds less than 512
 * bytes.
 */
bool mutate_number(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done);

#endif
