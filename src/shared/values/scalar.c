/*
 * scalar: see scalar.h.
 *
 * Each kind draws an operation until one applies, then an operand. The order of
 * the draws is part of the contract. A step is at most 100 (a factor at most
 * 10), or the distance to the end of the type on the value's side of zero, as
 * in Go's engine.
 */

#include "shared/values/scalar.h"

#include <float.h>

#include "shared/values/value.h"

#define SCALAR_STEP_MAX 100
#define SCALAR_FACTOR_MAX 10

static void
scalar_done(struct mutation *done, enum mutate_op op, size_t operand)
{
	*done = (struct mutation){ .op = (uint16_t)op,
		.len = (uint32_t)operand };
}

/* max is the largest value. The smallest, -max - 1, is never reached. */
static void
scalar_mutate_signed(struct value *value, int64_t max, struct prng *prng,
	struct mutation *done)
{
	int64_t v = value->i, limit = SCALAR_STEP_MAX;
	bool up;

	do {
		up = prng_intn(prng, 2) == 0;
	} while (up ? v >= max : v <= -max);
	if (up && v > 0 && max - v < limit)
		limit = max - v;
	if (!up && v < 0 && max + v < limit)
		limit = max + v;
	limit = 1 + (int64_t)prng_intn(prng, (size_t)limit);
	value->i = up ? v + limit : v - limit;
	scalar_done(done, up ? MUTATE_ADD : MUTATE_SUBTRACT, (size_t)limit);
}

static void
scalar_mutate_unsigned(struct value *value, uint64_t max, struct prng *prng,
	struct mutation *done)
{
	uint64_t v = value->u, limit = SCALAR_STEP_MAX;
	bool up;

	do {
		up = prng_intn(prng, 2) == 0;
	} while (up ? v >= max : v == 0);
	if (up && v > 0 && max - v < limit)
		limit = max - v;
	if (!up && v < limit)
		limit = v;
	limit = 1 + prng_intn(prng, limit);
	value->u = up ? v + limit : v - limit;
	scalar_done(done, up ? MUTATE_ADD : MUTATE_SUBTRACT, limit);
}

static inline double
scalar_size(double v)
{
	return v < 0 ? -v : v;
}

/* True if op can be applied to v. A NaN takes any op. */
static bool
scalar_applies(enum mutate_op op, double v, double max)
{
	switch (op) {
	case MUTATE_ADD:
		return !(v >= max);
	case MUTATE_SUBTRACT:
		return !(v <= -max);
	case MUTATE_MULTIPLY:
		return !(v == 0 || scalar_size(v) >= max);
	default:
		return v != 0;
	}
}

/* The largest operand, before truncation to an integer. */
static double
scalar_operand_limit(enum mutate_op op, double v, double max)
{
	double limit = SCALAR_STEP_MAX;

	switch (op) {
	case MUTATE_ADD:
		return v > 0 && max - v < limit ? max - v : limit;
	case MUTATE_SUBTRACT:
		return v < 0 && max + v < limit ? max + v : limit;
	case MUTATE_MULTIPLY:
		limit = SCALAR_FACTOR_MAX;
		return max / scalar_size(v) < limit ? max / scalar_size(v)
						    : limit;
	default:
		return SCALAR_FACTOR_MAX;
	}
}

static double
scalar_mutate_float(double v, double max, struct prng *prng,
	struct mutation *done)
{
	enum mutate_op op;
	size_t operand;

	do {
		op = MUTATE_ADD + (enum mutate_op)prng_intn(prng, 4);
	} while (!scalar_applies(op, v, max));
	operand = 1 + prng_intn(prng, (size_t)scalar_operand_limit(op, v, max));
	scalar_done(done, op, operand);
	switch (op) {
	case MUTATE_ADD:
		return v + (double)operand;
	case MUTATE_SUBTRACT:
		return v - (double)operand;
	case MUTATE_MULTIPLY:
		return v * (double)operand;
	default:
		return v / (double)operand;
	}
}

static void
scalar_mutate_bool(struct value *value, struct prng *prng,
	struct mutation *done)
{
	bool flip = prng_intn(prng, 2) == 1;

	value->b = value->b != flip;
	scalar_done(done, flip ? MUTATE_FLIP : MUTATE_KEEP, flip);
}

void
scalar_mutate(struct value *value, struct prng *prng, struct mutation *done)
{
	size_t unused = 64 - 8 * value_width(value->type); /* bits */

	if (unused == 64)
		return;
	switch (value->type) {
	case VALUE_BOOL:
		scalar_mutate_bool(value, prng, done);
		break;
	case VALUE_FLOAT32:
		value->f32 = (float)scalar_mutate_float(value->f32, FLT_MAX,
			prng, done);
		break;
	case VALUE_FLOAT64:
		value->f64 =
			scalar_mutate_float(value->f64, DBL_MAX, prng, done);
		break;
	default:
		if (value_type_is_signed(value->type))
			scalar_mutate_signed(value, INT64_MAX >> unused, prng,
				done);
		else
			scalar_mutate_unsigned(value, UINT64_MAX >> unused,
				prng, done);
		break;
	}
}
