/* value_profile: operands that come closer are new features. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "target/hooks/compare.h"
#include "target/hooks/counters.h"
#include "target/hooks/hooks_cmp.h"
#include "target/hooks/value_profile.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b);
void __sanitizer_cov_trace_switch(uint64_t value, void *cases);
void __sanitizer_weak_hook_memcmp(const void *caller, const void *a,
	const void *b, size_t n, int result);

static uint8_t mask[VALUE_PROFILE_COUNTERS];

static struct counter_region *
region(void)
{
	assert_int_equal(counters_get()->n, 1);
	return &counters_get()->regions[0];
}

static size_t
marked(void)
{
	size_t hit = 0;

	for (uint32_t i = 0; i < region()->n; i++)
		hit += region()->start[i] != 0;
	return hit;
}

/* Are there features that the mask lacks? Clears the counters. */
static bool
is_new(void)
{
	uint8_t *start = region()->start;
	bool fresh = false;

	for (size_t i = 0; i < sizeof(mask); i++) {
		uint8_t bit = 0x80;

		while (bit != 0 && !(start[i] & bit))
			bit >>= 1;
		fresh |= (bit & ~mask[i]) != 0;
		mask[i] |= bit;
	}
	memset(start, 0, sizeof(mask));
	return fresh;
}

static int
set_up(void **state)
{
	value_profile_init();
	hooks_cmp_profile(true);
	memset(region()->start, 0, region()->n);
	memset(mask, 0, sizeof(mask));
	return 0;
}

/* Without a region, it cannot be turned on. */
static void
test_early(void **state)
{
	hooks_cmp_profile(true);
	__sanitizer_cov_trace_cmp4(1, 2);
	assert_int_equal(counters_get()->n, 0);
}

static void
test_region(void **state)
{
	struct counter_module module;

	value_profile_init();
	value_profile_init();
	assert_int_equal(region()->kind, COUNTERS_COMPARE);
	assert_int_equal(region()->n, VALUE_PROFILE_COUNTERS);
	assert_true(region()->quiet);
	assert_string_equal(counters_instrumentation(), "");
	assert_int_equal(counters_list(&module, 1), 1);
	assert_true(module.key == MEMORY_VALUE_PROFILE_KEY);
}

static void
call_all(void)
{
	static uint64_t cases[] = { 2, 32, 1000, 2000 };

	__sanitizer_cov_trace_cmp4(1, 3);
	__sanitizer_cov_trace_switch(1700, cases);
	__sanitizer_weak_hook_memcmp((const void *)call_all, "abcd", "abxy", 4,
		1);
}

static void
test_switch_off(void **state)
{
	hooks_cmp_profile(false);
	assert_true(region()->quiet);
	call_all();
	assert_int_equal(marked(), 0);
	hooks_cmp_profile(true);
	assert_false(region()->quiet);
	call_all();
	assert_int_equal(marked(), 5);
	hooks_cmp_profile(false);
	hooks_cmp_profile(true);
	assert_int_equal(marked(), 0);
}

/* clang-format off */
static const struct step_case {
	const char *name;
	unsigned width;
	uint64_t before[2], after[2];
	bool fresh;
} steps[] = {
	{ "the same again", 4, { 5, 9 }, { 5, 9 }, false },
	{ "one more low bit", 4, { 0x1230, 0xffff1231 }, { 0x1231, 0xffff1233 }, true },
	{ "others, as far", 4, { 0x80000000, 0x80000010 }, { 0x90000000, 0x90000010 }, false },
	{ "nearer", 4, { 1, 0x10000 }, { 1, 0x1000 }, true },
	{ "nearer from above", 8, { 0x7000000000000001, 2 }, { 0x3000000000000001, 2 }, true },
	{ "farther", 4, { 1, 0x1000 }, { 1, 0x100000 }, true },
	{ "2 bytes", 2, { 1, 0x1000 }, { 1, 0x100 }, true },
	{ "1 byte", 1, { 1, 0x80 }, { 1, 2 }, false },
	{ "equal", 4, { 1, 3 }, { 3, 3 }, true },
	{ "addresses", 8, { 0x7fff00000001, 0x7fff00001000 }, { 0x7fff00000001, 0x7fff00000100 }, false },
};
/* clang-format on */

static void
test_step(void **state)
{
	const struct step_case *row = *state;

	value_profile_number(7, row->before[0], row->before[1], row->width);
	(void)is_new();
	value_profile_number(7, row->after[0], row->after[1], row->width);
	assert_int_equal(is_new(), row->fresh);
	/* At another site, it is new. */
	value_profile_number(8, row->after[0], row->after[1], row->width);
	assert_int_equal(is_new(),
		row->width > 1 && row->before[0] >> 40 != 0x7f);
}

/*
 * Keeps a corpus of values with new features and changes each by one bit at
 * each position. Returns the size of the corpus when the wanted value is found.
 */
static size_t
climb(bool (*run)(uint64_t value), unsigned bits)
{
	static uint64_t corpus[4096];
	size_t n = 1;

	corpus[0] = 0;
	for (size_t i = 0; i < n; i++) {
		for (unsigned bit = 0; bit < bits; bit++) {
			uint64_t value = corpus[i] ^ 1ull << bit;

			if (run(value))
				return n;
			if (is_new() && n < N(corpus))
				corpus[n++] = value;
		}
	}
	return 0;
}

static bool
run_linear(uint64_t value)
{
	uint32_t x = 3 * (uint32_t)value + 7;

	__sanitizer_cov_trace_cmp4(x, 0xdeadbeef);
	return x == 0xdeadbeef;
}

static bool
run_square(uint64_t value)
{
	uint32_t x = (uint32_t)value, want = 0x1234567u * 0x1234567u;

	__sanitizer_cov_trace_cmp4(x * x, want);
	return x * x == want;
}

static bool
run_mixed(uint64_t value)
{
	uint32_t x = (uint32_t)value;

	x = (x << 13 | x >> 19) ^ 0x1337c0de;
	__sanitizer_cov_trace_cmp4(x, 0xcafebabe);
	return x == 0xcafebabe;
}

static bool
run_bytes(uint64_t value)
{
	static const uint8_t WANT[] = "MAGIC!\r\n";
	uint8_t bytes[8];

	memcpy(bytes, &value, 8);
	for (int i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(bytes[i] + i) ^ 0x5a;
	__sanitizer_weak_hook_memcmp((const void *)run_bytes, bytes, WANT, 8,
		1);
	return memcmp(bytes, WANT, 8) == 0;
}

static void
test_climb(void **state)
{
	assert_in_range(climb(run_linear, 32), 1, 100);
	memset(mask, 0, sizeof(mask));
	assert_in_range(climb(run_square, 32), 1, 100);
	memset(mask, 0, sizeof(mask));
	assert_in_range(climb(run_mixed, 32), 1, 100);
	memset(mask, 0, sizeof(mask));
	assert_in_range(climb(run_bytes, 64), 1, 100);
}

/* Each case of a switch has its own counters. */
static void
test_cases(void **state)
{
	static uint64_t cases[] = { 3, 32, 1000, 50000, 70000 };

	__sanitizer_cov_trace_switch(900, cases);
	assert_true(is_new());
	for (volatile uint64_t value = 49000; value < 70000; value += 20000) {
		__sanitizer_cov_trace_switch(value, cases);
		assert_true(is_new());
		__sanitizer_cov_trace_switch(value, cases);
	}
}

int
main(void)
{
	struct CMUnitTest tests[N(steps) + 5];
	size_t n = 0;

	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_early);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_region);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test_setup(test_switch_off,
		set_up);
	for (size_t i = 0; i < N(steps); i++)
		tests[n++] = (struct CMUnitTest){ steps[i].name, test_step,
			set_up, NULL, (void *)&steps[i] };
	tests[n++] =
		(struct CMUnitTest)cmocka_unit_test_setup(test_climb, set_up);
	tests[n++] =
		(struct CMUnitTest)cmocka_unit_test_setup(test_cases, set_up);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
