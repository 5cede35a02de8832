/* compare_find: each search against a simple one. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/rows.h"
#include "shared/prng.h"
#include "target/hooks/compare_find.h"

#define V(text) text, sizeof(text) - 1

enum search {
	NUMBER,
	NEAR,
	DIGITS,
	HEX,
	BYTES,
	FOLD,
};

/* clang-format off */
static const struct find_case {
	const char *name;
	enum search search;
	const char *value;
	size_t len, start;
	uint64_t number;
	unsigned width;
	const char *text;
	bool found;
	struct compare_hit hit;
} cases[] = {
	{ "a byte", NUMBER, V("abcd"), 0, 'c', 1, NULL, true, { 2, 1, false, 0 } },
	{ "a byte, behind the start", NUMBER, V("abcb"), 2, 'b', 1, NULL, true, { 3, 1, false, 0 } },
	{ "a byte, wrapped", NUMBER, V("abcd"), 3, 'b', 1, NULL, true, { 1, 1, false, 0 } },
	{ "no such byte", NUMBER, V("abcd"), 1, 'x', 1, NULL, false, { 0 } },
	{ "an empty value", NUMBER, V(""), 7, 'x', 1, NULL, false, { 0 } },
	{ "2 bytes, low first", NUMBER, V("abcd"), 0, 0x6362, 2, NULL, true, { 1, 2, false, 0 } },
	{ "2 bytes, high first", NUMBER, V("abcd"), 0, 0x6263, 2, NULL, true, { 1, 2, true, 0 } },
	{ "4 bytes at the end", NUMBER, V("_abcd"), 0, 0x64636261, 4, NULL, true, { 1, 4, false, 0 } },
	{ "4 bytes, high first", NUMBER, V("_abcd"), 1, 0x61626364, 4, NULL, true, { 1, 4, true, 0 } },
	{ "4 bytes in 3", NUMBER, V("abc"), 0, 0x636261, 4, NULL, false, { 0 } },
	{ "8 bytes", NUMBER, V("_abcdefgh_"), 2, 0x6867666564636261, 8, NULL, true, { 1, 8, false, 0 } },
	{ "8 bytes, high first", NUMBER, V("_abcdefgh_"), 0, 0x6162636465666768, 8, NULL, true, { 1, 8, true, 0 } },
	{ "near is not asked for", NUMBER, V("_abcd"), 0, 0x64636262, 4, NULL, false, { 0 } },
	{ "near, more", NEAR, V("_abcd"), 0, 0x64636260, 4, NULL, true, { 1, 4, false, 1 } },
	{ "near, less", NEAR, V("_abcd"), 0, 0x61626374, 4, NULL, true, { 1, 4, true, (uint64_t)-16 } },
	{ "too far", NEAR, V("_abcd"), 0, 0x61626375, 4, NULL, false, { 0 } },
	{ "near, 2 bytes", NEAR, V("ab"), 0, 0x6163, 2, NULL, true, { 0, 2, true, (uint64_t)-1 } },
	{ "too far for 2 bytes", NEAR, V("ab"), 0, 0x6165, 2, NULL, false, { 0 } },
	{ "1 byte is never near", NEAR, V("ab"), 0, 'c', 1, NULL, false, { 0 } },
	{ "the number itself is better", NEAR, V("\1\0\0\0\377\5\0\0\0"), 0, 5, 4, NULL, true, { 5, 4, false, 0 } },
	{ "around zero", NEAR, V("\377\377\377\377"), 0, 3, 4, NULL, true, { 0, 4, false, (uint64_t)-4 } },
	{ "digits", DIGITS, V("a=12;"), 0, 0, 0, "12", true, { 2, 2, false, 0 } },
	{ "digits alone", DIGITS, V("12"), 1, 0, 0, "12", true, { 0, 2, false, 0 } },
	{ "digits within digits", DIGITS, V("a=123;312"), 0, 0, 0, "12", false, { 0 } },
	{ "digits behind zeros", DIGITS, V("a=0012;"), 0, 0, 0, "12", true, { 4, 2, false, 0 } },
	{ "digits behind letters", DIGITS, V("ab12cd"), 0, 0, 0, "12", true, { 2, 2, false, 0 } },
	{ "minus", DIGITS, V("a=-12;"), 0, 0, 0, "-12", true, { 2, 3, false, 0 } },
	{ "hex within hex", HEX, V("ab12cd"), 0, 0, 0, "12", false, { 0 } },
	{ "hex", HEX, V("x=0xBeef"), 0, 0, 0, "beef", true, { 4, 4, false, 0 } },
	{ "bytes", BYTES, V("__abcd"), 0, 0, 0, "abcd", true, { 2, 4, false, 0 } },
	{ "a byte as bytes", BYTES, V("__abcd"), 0, 0, 0, "b", true, { 3, 1, false, 0 } },
	{ "their beginning", BYTES, V("_abcx_"), 0, 0, 0, "abcd", true, { 1, 3, false, 0 } },
	{ "the longest beginning", BYTES, V("_ab_abc_ab"), 0, 0, 0, "abcd", true, { 4, 3, false, 0 } },
	{ "all is better", BYTES, V("_abc_abcd"), 0, 0, 0, "abcd", true, { 5, 4, false, 0 } },
	{ "a beginning at the end", BYTES, V("_____ab"), 0, 0, 0, "abcd", true, { 5, 2, false, 0 } },
	{ "one byte is not enough", BYTES, V("_____a"), 0, 0, 0, "abcd", false, { 0 } },
	{ "another case", BYTES, V("_ABCD"), 0, 0, 0, "abcd", false, { 0 } },
	{ "folded", FOLD, V("_AbCD"), 0, 0, 0, "abcd", true, { 1, 4, false, 0 } },
	{ "folded letters alone", FOLD, V("_@["), 0, 0, 0, "`{", false, { 0 } },
};
/* clang-format on */

static bool
search(struct compare_find *f, const struct find_case *row,
	struct compare_hit *hit)
{
	const uint8_t *text = (const uint8_t *)row->text;
	size_t n = row->text != NULL ? strlen(row->text) : 0;

	switch (row->search) {
	case NUMBER:
	case NEAR:
		return compare_find_number(f, row->number, row->width,
			row->search == NEAR, hit);
	case DIGITS:
	case HEX:
		return compare_find_digits(f, text, n, row->search == HEX, hit);
	case BYTES:
	case FOLD:
		return compare_find_bytes(f, text, n, row->search == FOLD, hit);
	}
	return false;
}

static void
test_find(void **state)
{
	const struct find_case *row = *state;
	struct compare_find f = { (const uint8_t *)row->value, row->len,
		row->start, 1000, false };
	struct compare_hit hit;

	assert_int_equal(search(&f, row, &hit), row->found);
	if (!row->found)
		return;
	assert_int_equal(hit.offset, row->hit.offset);
	assert_int_equal(hit.len, row->hit.len);
	assert_int_equal(hit.big, row->hit.big);
	assert_true(hit.extra == row->hit.extra);
}

/* The budget limits all searches together. */
static void
test_budget(void **state)
{
	static uint8_t value[1000];
	struct compare_find f = { value, sizeof(value), 900, 250, false };
	struct compare_hit hit;

	value[949] = 1;
	value[98] = 2;
	value[99] = 3;
	assert_false(compare_find_number(&f, 9, 1, false, &hit));
	assert_int_equal(f.budget, 0);
	assert_false(compare_find_number(&f, 1, 1, false, &hit));
	f.budget = 50;
	assert_true(compare_find_number(&f, 1, 1, false, &hit));
	f.budget = 199;
	assert_true(compare_find_number(&f, 2, 1, false, &hit));
	assert_int_equal(hit.offset, 98);
	f.budget = 199;
	assert_false(compare_find_number(&f, 3, 1, false, &hit));
}

static uint64_t
load(const uint8_t *at, unsigned width, bool big)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < width; i++)
		number = number << 8 | at[big ? i : width - 1 - i];
	return number;
}

/* Is the number anywhere, in either order? */
static bool
is_there(const uint8_t *value, size_t len, uint64_t number, unsigned width)
{
	for (size_t i = 0; i + width <= len; i++) {
		if (load(value + i, width, false) == number ||
			load(value + i, width, true) == number)
			return true;
	}
	return false;
}

static void
test_random(void **state)
{
	uint8_t value[40];
	struct prng prng;

	prng_init(&prng, 4, 4);
	for (int round = 0; round < 100000; round++) {
		unsigned width = 1u << prng_u32n(&prng, 4);
		uint64_t mask = UINT64_MAX >> (64 - 8 * width);
		size_t len = prng_intn(&prng, sizeof(value) + 1);
		struct compare_find f = { value, len, prng_u32(&prng), 1000,
			prng_bool(&prng) };
		uint64_t number = 0;
		struct compare_hit hit;

		/* Few different bytes, so that many values occur twice or
		 * nearly. */
		for (size_t i = 0; i < len; i++)
			value[i] = (uint8_t)prng_u32n(&prng, 3);
		for (unsigned i = 0; i < width; i++)
			number = number << 8 | prng_u32n(&prng, 3);
		assert_int_equal(compare_find_number(&f, number, width, false,
					 &hit),
			is_there(value, len, number, width));
		if (!compare_find_number(&f, number, width, true, &hit))
			continue;
		assert_true(hit.offset + width <= len);
		assert_true(((load(value + hit.offset, width, hit.big) -
				     hit.extra) &
				    mask) == number);
		assert_true(
			hit.extra == 0 || !is_there(value, len, number, width));
	}
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_random),
	};

	return rows_run_with("find", ROWS_OF(cases, name, test_find), others,
		ROWS(others), NULL, NULL);
}
