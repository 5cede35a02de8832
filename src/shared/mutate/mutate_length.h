/*
 * mutate_length: mutations of length fields.
 *
 * A field is a guess: one, two or four bytes in either order, or digits. Its
 * value is the number of bytes behind it, of the whole value, or of a piece
 * behind it. The search looks at a few positions behind a drawn one, or at the
 * start, where most such fields are.
 */
#ifndef CFUZZ_SHARED_MUTATE_MUTATE_LENGTH_H
#define CFUZZ_SHARED_MUTATE_MUTATE_LENGTH_H

#include "shared/mutate/mutate.h"

/*
 * MUTATE_LENGTH_GROW, _SHRINK: adds bytes to the payload of a field, or removes
 * some, and corrects the field.
 * MUTATE_LENGTH_CHANGE: gives a field another value.
 * MUTATE_LENGTH_SET: makes a field anywhere, with the length of what follows.
 * Declines like mutate_apply(), and declines other ops. Adds less than 512
 * bytes.
 */
bool mutate_length(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done);

#endif
