/*
 * test_coverage: buckets and coverage maps, against the reference and against
 * plain loops over every length around the size of a word.
 */

#include "shared/coverage.h"

#include <string.h>

#include "lib/vectors.h"

#define MOST 67

static void
test_buckets(void **state)
{
	const json_t *want = vectors_get("coverage_bucket");
	uint8_t counters[256], snap[256];

	(void)state;
	assert_int_equal(json_array_size(want), 256);
	for (size_t i = 0; i < 256; i++)
		counters[i] = (uint8_t)i;
	coverage_classify(snap, counters, 256);
	for (size_t i = 0; i < 256; i++) {
		json_int_t bucket = json_integer_value(json_array_get(want, i));

		row_check(coverage_bucket((uint8_t)i) == bucket, "%zu", i);
		row_check(snap[i] == bucket, "%zu", i);
	}
	coverage_classify(counters, counters, 256);
	assert_memory_equal(counters, snap, 256);
}

struct sets {
	uint8_t base[MOST + 1], snap[MOST + 1];
	size_t n;
};

/* Sparse arrays of n bytes; the byte behind each must not count. */
static void
sets_fill(struct sets *sets, struct prng *p, size_t n)
{
	sets->n = n;
	for (size_t i = 0; i < n; i++) {
		sets->base[i] = sets->snap[i] = 0;
		if (prng_intn(p, 4) == 0)
			sets->base[i] = (uint8_t)prng_u32(p);
		if (prng_intn(p, 4) == 0)
			sets->snap[i] = (uint8_t)prng_u32(p);
	}
	sets->base[n] = 0x0f;
	sets->snap[n] = 0xff;
}

static void
check_questions(const struct sets *s)
{
	size_t new_bits = 0, bits = 0, hit = 0;
	bool subset = true, common = false;

	for (size_t i = 0; i < s->n; i++) {
		new_bits += (size_t)__builtin_popcount(
			(unsigned)(s->snap[i] & ~s->base[i]) & 0xff);
		bits += (size_t)__builtin_popcount(s->snap[i]);
		hit += s->snap[i] != 0;
		subset = subset && (s->base[i] & ~s->snap[i]) == 0;
		common = common || (s->base[i] & s->snap[i]) != 0;
	}
	assert_int_equal(coverage_count_new(s->base, s->snap, s->n), new_bits);
	assert_int_equal(coverage_has_new(s->base, s->snap, s->n),
		new_bits > 0);
	assert_int_equal(coverage_is_subset(s->base, s->snap, s->n), subset);
	assert_int_equal(coverage_has_bit(s->base, s->snap, s->n), common);
	assert_int_equal(coverage_count_bits(s->snap, s->n), bits);
	assert_int_equal(coverage_count_hit(s->snap, s->n), hit);
}

static void
check_changes(struct sets *s)
{
	size_t new_bits = coverage_count_new(s->base, s->snap, s->n), told;
	uint8_t out[MOST + 1], mask[MOST + 1];

	memset(out, 0xa5, sizeof(out));
	memcpy(mask, s->base, s->n + 1);
	assert_int_equal(coverage_diff(s->base, s->n, s->snap, s->n, out, &told,
				 NULL),
		OK);
	assert_int_equal(told, new_bits);
	assert_int_equal(coverage_update(mask, s->n, s->snap, s->n, &told,
				 NULL),
		OK);
	assert_int_equal(told, new_bits);
	for (size_t i = 0; i < s->n; i++) {
		assert_int_equal(out[i], s->snap[i] & ~s->base[i]);
		assert_int_equal(mask[i], s->snap[i] | s->base[i]);
	}
	assert_int_equal(out[s->n], 0xa5);
	assert_int_equal(mask[s->n], 0x0f);
	assert_true(coverage_is_subset(s->snap, mask, s->n));
}

static void
test_every_length(void **state)
{
	struct sets sets;
	struct prng p;

	(void)state;
	prng_init(&p, 8, 1);
	for (size_t n = 0; n <= MOST; n++) {
		for (int round = 0; round < 50; round++) {
			sets_fill(&sets, &p, n);
			check_questions(&sets);
			check_changes(&sets);
		}
	}
}

/* One byte in an empty stretch is found at any place. */
static void
test_lonely_byte(void **state)
{
	enum {
		LONG = 150
	};
	uint8_t counters[LONG] = { 0 }, base[LONG] = { 0 }, snap[LONG];

	(void)state;
	for (size_t n = 1; n <= LONG; n++) {
		for (size_t at = 0; at < n; at++) {
			counters[at] = 5;
			coverage_classify(snap, counters, n);
			row_check(snap[at] == 4, "%zu of %zu", at, n);
			row_check(coverage_count_bits(snap, n) == 1 &&
					coverage_count_hit(snap, n) == 1,
				"%zu of %zu", at, n);
			row_check(coverage_has_new(base, snap, n) &&
					coverage_count_new(base, snap, n) == 1,
				"%zu of %zu", at, n);
			row_check(coverage_has_bit(snap, counters, n),
				"%zu of %zu", at, n);
			row_check(!coverage_is_subset(snap, base, n) &&
					coverage_is_subset(base, snap, n),
				"%zu of %zu", at, n);
			counters[at] = 0;
		}
	}
}

static void
test_nothing_new(void **state)
{
	uint8_t mask[9] = { 1, 3, 0, 0, 0, 0, 0, 0, 0x80 };
	uint8_t snap[9] = { 1, 2, 0, 0, 0, 0, 0, 0, 0x80 };
	size_t told = 77;

	(void)state;
	assert_false(coverage_has_new(mask, snap, 9));
	assert_int_equal(coverage_update(mask, 9, snap, 9, &told, NULL), OK);
	assert_int_equal(told, 0);
	snap[8] = 0x40;
	assert_true(coverage_has_new(mask, snap, 9));
}

static void
test_lengths_differ(void **state)
{
	uint8_t a[4] = { 0 }, b[4] = { 1, 1, 1, 1 }, out[4];
	struct error err = { 0 };
	size_t told;

	(void)state;
	assert_int_equal(coverage_diff(a, 3, b, 4, out, &told, &err), E_RANGE);
	assert_string_equal(err.text,
		"the number of coverage bits changed: before=3, after=4");
	error_clear(&err);
	assert_int_equal(coverage_update(a, 3, b, 4, &told, &err), E_RANGE);
	assert_string_equal(err.text,
		"number of coverage counters changed at runtime: "
		"4, expected 3");
	assert_int_equal(a[0], 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_every_length),
		cmocka_unit_test(test_lonely_byte),
		cmocka_unit_test(test_nothing_new),
		cmocka_unit_test(test_lengths_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
