/*
 * scalar: mutation of integers, floats and bools.
 *
 * Small steps up and down, and small factors for floats. The result never
 * leaves the type, and a finite number never becomes an infinity.
 */
#ifndef CFUZZ_SHARED_VALUES_SCALAR_H
#define CFUZZ_SHARED_VALUES_SCALAR_H

#include "shared/mutate/mutate.h"
#include "shared/prng.h"

struct value;

/* Changes one scalar in place; bytes do not change. */
void scalar_mutate(struct value *value, struct prng *prng,
	struct mutation *done);

#endif
