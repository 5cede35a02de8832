/*
 * test_scalar: scalar mutation against the reference, and its limits.
 */

#include "shared/values/scalar.h"

#include <math.h>
#include <string.h>

#include "lib/vectors.h"

static void
check_chain(size_t i, const json_t *row)
{
	struct value value =
		vectors_value(json_object_get(row, "start"), NULL, 0);
	struct prng p, after = vectors_prng(json_object_get(row, "after"));
	struct mutation done;
	json_t *step;
	size_t k;

	prng_init(&p, vectors_number(row, "seed"), 1);
	json_array_foreach(json_object_get(row, "steps"), k, step) {
		struct value want = vectors_value(step, NULL, 0);

		(void)prng_intn(&p, 1); /* which of the one value */
		scalar_mutate(&value, &p, &done);
		row_check(value_equal(&value, &want), "chain %zu, step %zu", i,
			k);
		row_check(done.op >= MUTATE_ADD && done.op < MUTATE_N,
			"chain %zu, step %zu", i, k);
	}
	row_check(p.state == after.state, "chain %zu", i);
}

static void
test_chains(void **state)
{
	size_t i;
	json_t *row;

	assert_int_equal(json_array_size(vectors_get("mutate_scalar")), 132);
	json_array_foreach((json_t *)vectors_get("mutate_scalar"), i, row)
		check_chain(i, row);
}

/* Integers stay in their type, and never become its least value. */
static void
test_integer_limits(void **state)
{
	static const struct {
		enum value_type type;
		int64_t start, min, max;
	} rows[] = {
		{ VALUE_INT8, 127, -127, 127 },
		{ VALUE_INT8, -127, -127, 127 },
		{ VALUE_INT16, 32767, -32767, 32767 },
		{ VALUE_INT32, INT32_MIN + 1, -INT32_MAX, INT32_MAX },
		{ VALUE_INT, INT64_MAX, -INT64_MAX, INT64_MAX },
		{ VALUE_INT64, -INT64_MAX, -INT64_MAX, INT64_MAX },
		{ VALUE_UINT8, 255, 0, 255 },
		{ VALUE_UINT16, 0, 0, 65535 },
		{ VALUE_UINT32, UINT32_MAX, 0, UINT32_MAX },
	};
	struct prng p;

	prng_init(&p, 3, 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct value value = { .type = rows[i].type,
			.i = rows[i].start };
		struct mutation done;

		for (int k = 0; k < 3000; k++) {
			int64_t old = value.i;

			scalar_mutate(&value, &p, &done);
			row_check(value.i != old, "row %zu", i);
			row_check(value.i >= rows[i].min &&
					value.i <= rows[i].max,
				"row %zu", i);
		}
	}
}

static void
test_float_oddities(void **state)
{
	struct value nan = { .type = VALUE_FLOAT64, .f64 = NAN };
	struct value inf = { .type = VALUE_FLOAT32, .f32 = -INFINITY };
	struct value max = { .type = VALUE_FLOAT32, .f32 = 3.4028235e38f };
	struct prng p;
	struct mutation done;

	prng_init(&p, 9, 1);
	for (int i = 0; i < 1000; i++) {
		scalar_mutate(&nan, &p, &done);
		scalar_mutate(&inf, &p, &done);
		scalar_mutate(&max, &p, &done);
		assert_true(isnan(nan.f64));
		assert_true(isinf(inf.f32));
		assert_true(isfinite(max.f32));
	}
}

static void
test_bool_flips_half(void **state)
{
	struct value value = { .type = VALUE_BOOL };
	struct mutation done;
	struct prng p;
	int flips = 0;

	prng_init(&p, 1, 1);
	for (int i = 0; i < 1000; i++) {
		bool old = value.b;

		scalar_mutate(&value, &p, &done);
		flips += value.b != old;
		assert_int_equal(done.op,
			value.b != old ? MUTATE_FLIP : MUTATE_KEEP);
	}
	assert_in_range(flips, 400, 600);
}

static void
test_bytes_are_left_alone(void **state)
{
	uint8_t byte = 'x';
	struct value value = { .type = VALUE_BYTES, .data = &byte, .len = 1 };
	struct mutation done = { 0 };
	struct prng p = { 1, 1 };

	scalar_mutate(&value, &p, &done);
	assert_int_equal(byte, 'x');
	assert_int_equal(p.state, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chains),
		cmocka_unit_test(test_integer_limits),
		cmocka_unit_test(test_float_oddities),
		cmocka_unit_test(test_bool_flips_half),
		cmocka_unit_test(test_bytes_are_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
