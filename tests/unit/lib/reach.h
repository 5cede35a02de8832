/*
 * reach: what a step can make of a value.
 *
 * A row names a value and one that a step shall be able to make of it, with
 * some seed of many; or it says that the step declines with every seed.
 */
#ifndef CFUZZ_TESTS_SHARED_REACH_H
#define CFUZZ_TESTS_SHARED_REACH_H

#include "lib/vectors.h"
#include "shared/mutate/mutate.h"

struct reach_bytes {
	const char *at; /* NULL: none */
	size_t n;
};

/* Of a literal, which may hold zeros. */
#define BYTES(literal) \
	{ \
		literal, sizeof(literal) - 1 \
	}
#define NOTHING \
	{ \
		NULL, 0 \
	}

struct reach_row {
	const char *name;
	enum mutate_op op;
	struct reach_bytes in, out; /* out NOTHING: always declined */
	struct reach_bytes partner; /* of those that need one */
	size_t cap;                 /* 0: much */
};

#define REACH_TIMES 3 /* of MUTATE_PART_COUNT */

/* One step, whichever module it is of. */
bool reach_apply(enum mutate_op op, const uint8_t *partner, size_t partner_len,
	struct mutable *m, struct prng *prng, struct mutation *done);

/* A cmocka group with a test for each row. */
int reach_run(const char *group, const struct reach_row *rows, size_t n);

#endif
