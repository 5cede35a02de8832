/*
 * scalar: mutation of integers, floats and bools.
 *
 * Small steps up and down, and for floats also small factors, that never
 * leave the type and never make an infinity out of a number.
 */
#ifndef CFUZZ_SHARED_VALUES_SCALAR_H
#define CFUZZ_SHARED_VALUES_SCALAR_H

#include "shared/mutate/mutate.h"
#include "shared/prng.h"

struct value;

/* Change one scalar in place; bytes are left alone. */
void scalar_mutate(struct value *value, struct prng *prng,
	struct mutation *done);

#endif
