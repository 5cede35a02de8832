/*
 * minimize_value: smaller scalars, for MINIMIZE_VALUE.
 *
 * Zero is the smallest. Positive numbers are smaller than negative ones, then
 * whole numbers smaller than fractions; else the number nearer to zero is
 * smaller. Most scalars do not matter at all: for them the first try is the
 * last one.
 */

#include "shared/minimize/minimize_private.h"

/* Whole numbers up to this are exact in a double. */
#define VALUE_EXACT 9007199254740992.0
#define VALUE_STEP_MAX (UINT64_C(1) << MINIMIZE_LEVEL_MAX)

enum value_kind {
	VALUE_KIND_ZERO,
	VALUE_KIND_POSITIVE,
	VALUE_KIND_WHOLE,
	VALUE_KIND_ONE,
	VALUE_KIND_LOWER = MINIMIZE_VALUE_LOWER,
};

static bool
value_is_float(enum value_type type)
{
	return type == VALUE_FLOAT32 || type == VALUE_FLOAT64;
}

static double
value_float(const struct value *v)
{
	return v->type == VALUE_FLOAT32 ? (double)v->f32 : v->f64;
}

/* Avoids libm, which targets need not link. */
static double
value_without_fraction(double number)
{
	return __builtin_fabs(number) < VALUE_EXACT ? (double)(int64_t)number
						    : number;
}

/* The distance from zero; 0 if it is no countable whole number. */
static uint64_t
value_distance(const struct value *v)
{
	double number;

	if (value_type_is_signed(v->type))
		return v->i < 0 ? -(uint64_t)v->i : (uint64_t)v->i;
	if (!value_is_float(v->type))
		return v->type == VALUE_BOOL ? v->b : v->u;
	number = __builtin_fabs(value_float(v));
	return number <= VALUE_EXACT && number == value_without_fraction(number)
		? (uint64_t)number
		: 0;
}

static void
value_put_float(struct value *v, double number)
{
	if (v->type == VALUE_FLOAT32)
		v->f32 = (float)number;
	else
		v->f64 = number;
}

/* Moves the value to this distance from zero, on the same side. */
static void
value_put_distance(struct value *v, uint64_t distance)
{
	if (value_is_float(v->type))
		value_put_float(v,
			__builtin_copysign((double)distance, value_float(v)));
	else if (value_type_is_signed(v->type) && v->i < 0)
		value_set_bits(v, -distance);
	else
		value_set_bits(v, distance);
}

static void
value_make_positive(struct value *v)
{
	if (value_is_float(v->type))
		value_put_float(v, __builtin_fabs(value_float(v)));
	else if (value_type_is_signed(v->type) && v->i < 0)
		value_set_bits(v, -(uint64_t)v->i);
	/* The most negative number has no opposite. */
	if (value_type_is_signed(v->type) && v->i < 0)
		v->i = -(v->i + 1);
}

static bool
value_is_smaller_float(double a, double b)
{
	bool a_whole = a == value_without_fraction(a);
	bool b_whole = b == value_without_fraction(b);

	if (__builtin_isnan(a) || __builtin_isnan(b))
		return !__builtin_isnan(a);
	if ((__builtin_signbit(a) != 0) != (__builtin_signbit(b) != 0))
		return __builtin_signbit(b) != 0;
	if (a_whole != b_whole)
		return a_whole;
	return __builtin_fabs(a) < __builtin_fabs(b);
}

bool
minimize_value_is_smaller(const struct value *a, const struct value *b)
{
	if (value_is_float(a->type))
		return value_is_smaller_float(value_float(a), value_float(b));
	if (value_distance(a) != value_distance(b))
		return value_distance(a) < value_distance(b);
	return value_type_is_signed(a->type) && a->i > b->i;
}

bool
minimize_value_guess(const struct value *best, unsigned kind, size_t step,
	uint64_t *bits)
{
	struct value v = *best;
	uint64_t distance = value_distance(best);

	switch ((enum value_kind)kind) {
	case VALUE_KIND_ZERO:
		value_set_bits(&v, 0);
		break;
	case VALUE_KIND_POSITIVE:
		value_make_positive(&v);
		break;
	case VALUE_KIND_WHOLE:
		if (!value_is_float(v.type))
			return false;
		value_put_float(&v, value_without_fraction(value_float(&v)));
		break;
	case VALUE_KIND_ONE:
		if (value_is_float(v.type))
			value_put_float(&v, 1);
		else
			value_set_bits(&v, 1);
		break;
	case VALUE_KIND_LOWER:
		if (step > distance)
			return false;
		value_put_distance(&v, distance - step);
		break;
	}
	*bits = value_get_bits(&v);
	return minimize_value_is_smaller(&v, best);
}

size_t
minimize_value_step(const struct value *best)
{
	uint64_t distance = value_distance(best), step = 1;

	while (step <= distance / 2 && step < VALUE_STEP_MAX)
		step *= 2;
	return step;
}
