/*
 * test_prng: the generator against the reference's numbers.
 */

#include "shared/prng.h"

#include <stdlib.h>
#include <string.h>

#include "lib/vectors.h"

static struct prng
prng_of(const json_t *row)
{
	struct prng p;

	prng_init(&p, vectors_number(row, "seed"), 1);
	return p;
}

static void
test_initial_state(void **state)
{
	size_t i;
	json_t *row;

	json_array_foreach((json_t *)vectors_get("pcg"), i, row) {
		struct prng want =
			vectors_prng(json_object_get(row, "initial"));
		struct prng p = prng_of(row);

		row_check(p.state == want.state && p.inc == want.inc, "row %zu",
			i);
	}
}

static void
test_u32_and_bool(void **state)
{
	size_t i, k;
	json_t *row, *want;

	json_array_foreach((json_t *)vectors_get("pcg"), i, row) {
		struct prng p = prng_of(row);

		json_array_foreach(json_object_get(row, "uint32"), k, want)
			row_check(prng_u32(&p) ==
					strtoul(json_string_value(want), NULL,
						16),
				"row %zu, draw %zu", i, k);
		p = prng_of(row);
		json_array_foreach(json_object_get(row, "bool"), k, want)
			row_check(prng_bool(&p) == json_is_true(want),
				"row %zu, bool %zu", i, k);
	}
}

/* Draws for each bound from a new generator, and the state afterwards. */
static void
check_bounds(const char *key, size_t (*draw)(struct prng *, size_t))
{
	size_t i, k;
	const char *bound;
	json_t *row, *draws, *want;

	json_array_foreach((json_t *)vectors_get("pcg"), i, row) {
		json_object_foreach(json_object_get(row, key), bound, draws) {
			size_t n = strtoull(bound, NULL, 10);
			struct prng p = prng_of(row), after;

			json_array_foreach(json_object_get(draws, "v"), k, want)
				row_check(draw(&p, n) ==
						(size_t)json_integer_value(
							want),
					"row %zu, %s(%s)", i, key, bound);
			after = vectors_prng(json_object_get(draws, "after"));
			row_check(p.state == after.state,
				"row %zu, after %s(%s)", i, key, bound);
		}
	}
}

static size_t
draw_u32n(struct prng *p, size_t n)
{
	return prng_u32n(p, (uint32_t)n);
}

static void
test_bounded(void **state)
{
	check_bounds("intn", prng_intn);
	check_bounds("intn", draw_u32n);
	check_bounds("chooseLen", prng_choose_len);
}

static void
test_check_values(void **state)
{
	static const uint32_t want[] = { 55, 75, 27, 95, 26, 70, 45, 91 };
	struct prng p;

	prng_init(&p, 123, 1);
	assert_true(p.state == 0x9e448422719d271cu && p.inc == 3);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(prng_intn(&p, 100), want[i]);
}

static void
test_large_bounds(void **state)
{
	struct prng p, q;

	prng_init(&p, 7, 1);
	q = p;
	for (int i = 0; i < 1000; i++) {
		size_t v = prng_intn(&p, SIZE_MAX);

		assert_int_equal(v, prng_intn(&q, UINT32_MAX));
		assert_true(prng_choose_len(&p, SIZE_MAX) >= 1);
		q = p;
	}
}

static void
test_mix_separates(void **state)
{
	struct prng seen[4 * 4 * 4];
	size_t n = 0;

	for (uint64_t seed = 0; seed < 4; seed++) {
		for (uint64_t worker = 0; worker < 4; worker++) {
			for (uint64_t call = 0; call < 4; call++)
				prng_mix(&seen[n++], seed, worker, call);
		}
	}
	for (size_t i = 0; i < n; i++) {
		struct prng again;

		assert_int_equal(seen[i].inc & 1, 1);
		prng_mix(&again, i / 16, i / 4 % 4, i % 4);
		assert_memory_equal(&again, &seen[i], sizeof(again));
		for (size_t k = 0; k < i; k++)
			row_check(seen[i].state != seen[k].state, "%zu and %zu",
				i, k);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_initial_state),
		cmocka_unit_test(test_u32_and_bool),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_check_values),
		cmocka_unit_test(test_large_bounds),
		cmocka_unit_test(test_mix_separates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
