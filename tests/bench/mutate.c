/*
 * mutate: what one mutation costs, in nanoseconds. A line for each kind of value:
 * name, length, and the time with a small capacity and with one of 100 MiB. Both
 * are the best of several rounds.
 */
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "shared/mutate/mutate.h"
#include "shared/values/scalar.h"
#include "shared/values/value.h"

#define LARGE (100u << 20)
#define ROUNDS 5
#define SEED 123

struct bench {
	struct value value; /* a scalar, or bytes */
	uint8_t *data;      /* of bytes */
	size_t len, cap;
	struct prng prng;
};

static void
mutate_once(struct bench *b)
{
	struct mutation done;
	struct mutable m = { b->data, b->len, b->cap };

	if (b->data == NULL)
		scalar_mutate(&b->value, &b->prng, &done);
	else if (!mutate_bytes(&m, &b->prng, &done))
		fail("no mutator accepts the value");
}

static double
measure(struct bench *b, size_t cap)
{
	size_t times = b->len > 1000 ? 20000 : 200000, i;
	double best = 1e18, ns;

	b->cap = cap;
	prng_init(&b->prng, SEED, 1);
	for (int round = 0; round < ROUNDS; round++) {
		ns = now_ns();
		for (i = 0; i < times; i++)
			mutate_once(b);
		ns = (now_ns() - ns) / (double)times;
		if (ns < best)
			best = ns;
	}
	return best;
}

static void
tell(const char *name, struct bench *b)
{
	double small = measure(b, 2 * b->len + 64);

	printf("%s %zu %.1f %.1f\n", name, b->len, small, measure(b, LARGE));
	(void)fflush(stdout);
}

int
main(void)
{
	for (size_t len = 1; len <= 100000; len *= 10) {
		struct bench b = { .len = len };

		b.data = calloc(1, mutate_room(len, LARGE));
		if (b.data == NULL)
			fail("no memory");
		tell("bytes", &b);
		free(b.data);
	}
	for (enum value_type type = VALUE_BOOL; type < VALUE_TYPE_N; type++) {
		struct bench b = { .value = { .type = type } };

		tell(value_type_name(type), &b);
	}
	return 0;
}
