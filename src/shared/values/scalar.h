/*
 * scalar: mutation of integers, floats and bools.
 *
 * Small steps up and down, and small factors for floats, as in Go's engine
 * (internal/fuzz, mutator.go). The result never leaves the type, and a finite
 * number never becomes an infinity.
 */
#ifndef CFUZZ_SHARED_VALUES_SCALAR_H
#define CFUZZ_SHARED_VALUES_SCALAR_H

#include "shared/mutate/mutate.h"
#include "shared/prng.h"

struct value;

/* Changes one scalar in place; a bool may stay as it is. For bytes neither the
 * value nor *done changes. */
void scalar_mutate(struct value *value, struct prng *prng,
	struct mutation *done);

#endif
