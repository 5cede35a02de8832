/* test_input_sequence: packs sequences, and shortens them while they fail. */
#include "worker/inputs/input_sequence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "lib/rows.h"

/* clang-format off */
static const struct search_row {
	const char *name;
	size_t n;         /* inputs at the start */
	size_t needed[4]; /* indexes of the inputs needed before the last … */
	size_t count;     /* … or how many are needed, whichever */
	size_t left;
	uint64_t tries;   /* at most */
} SEARCHES[] = {
	{ "one", 1, { SIZE_MAX, 0, 0, 0 }, 0, 1, 0 },
	{ "two, both", 2, { 0, SIZE_MAX, 0, 0 }, 0, 2, 2 },
	{ "two, the last", 2, { SIZE_MAX, 0, 0, 0 }, 0, 1, 1 },
	{ "the first of many", 5000, { 0, SIZE_MAX, 0, 0 }, 0, 2, 40 },
	{ "one before the last of many", 5000, { 4998, SIZE_MAX, 0, 0 }, 0, 2,
		40 },
	{ "one in the middle", 5000, { 2500, SIZE_MAX, 0, 0 }, 0, 2, 40 },
	{ "three far apart", 5000, { 1, 2000, 4000, SIZE_MAX }, 0, 4, 100 },
	{ "a hundred of any", 100, { SIZE_MAX, 0, 0, 0 }, 100, 100, 250 },
	{ "a hundred of many", 5000, { SIZE_MAX, 0, 0, 0 }, 100, 100, 500 },
};
/* clang-format on */

/* The number of executed inputs until the failure; 0: no failure. */
static size_t
execute(const struct search_row *row, const uint32_t *which, size_t n)
{
	size_t i, met = 0;

	if (row->count > 0)
		return n >= row->count ? row->count : 0;
	for (i = 0; i < n; i++) {
		if (row->needed[met] == SIZE_MAX)
			return which[n - 1] == row->n - 1 ? n : 0;
		if (which[i] == row->needed[met])
			met++;
	}
	return row->needed[met] == SIZE_MAX ? n : 0;
}

static void
test_search(void **state)
{
	const struct search_row *row = *state;
	struct input_sequence_search s;
	size_t i;

	input_sequence_search_init(&s, row->n);
	while (input_sequence_search_next(&s)) {
		assert_true(s.next_n > 0 && s.next_n < s.best_n);
		for (i = 1; i < s.next_n; i++)
			assert_true(s.next[i - 1] < s.next[i]);
		input_sequence_search_verdict(&s,
			execute(row, s.next, s.next_n));
	}
	assert_int_equal(s.best_n, row->left);
	assert_true(s.tries <= row->tries);
	if (row->count == 0) {
		assert_int_equal(s.best[s.best_n - 1], row->n - 1);
		for (i = 0; i + 1 < s.best_n; i++)
			assert_int_equal(s.best[i], row->needed[i]);
	}
	assert_true(execute(row, s.best, s.best_n) > 0);
	input_sequence_search_clear(&s);
}

/* If it fails earlier, the inputs after that are dropped. */
static void
test_earlier(void **state)
{
	struct input_sequence_search s;

	input_sequence_search_init(&s, 100);
	assert_true(input_sequence_search_next(&s));
	assert_int_equal(s.next_n, 50);
	input_sequence_search_verdict(&s, 7);
	assert_int_equal(s.best_n, 7);
	assert_int_equal(s.best[0], 50);
	assert_int_equal(s.best[6], 56);
	/* A number that is too large, as a target may report, means all. */
	assert_true(input_sequence_search_next(&s));
	input_sequence_search_verdict(&s, 1000);
	assert_int_equal(s.best_n, s.next_n <= 7 ? s.best_n : 0);
	assert_true(s.best_n < 7 && s.best_n > 0);
	input_sequence_search_clear(&s);
}

/* Removes the oldest until the rest fits, packed. */
static void
test_cut(void **state)
{
	static const struct {
		size_t max_bytes, left;
	} rows[] = { { 100, 4 }, { 26, 4 }, { 25, 3 }, { 21, 3 }, { 20, 2 },
		{ 15, 2 }, { 14, 1 }, { 8, 1 }, { 7, 0 }, { 0, 0 } };
	struct input_sequence s;
	size_t i, k;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		s = (struct input_sequence){ .n = 0 };
		for (k = 1; k <= 4; k++) /* 5, 6, 7 and 8 bytes */
			input_sequence_push(&s, xmemdup("1234", k), k);
		input_sequence_cut(&s, rows[i].max_bytes);
		assert_int_equal(s.n, rows[i].left);
		for (k = 0; k < s.n; k++)
			assert_int_equal(s.inputs[k].len, 5 - s.n + k);
		input_sequence_clear(&s);
	}
}

static void
test_pack(void **state)
{
	static const char *const inputs[] = { "abc", "", "de" };
	static const uint8_t all[] = "\3\0\0\0abc\0\0\0\0\2\0\0\0de";
	const uint32_t which[] = { 0, 1, 2 };
	struct input_sequence s = { .n = 0 };
	uint8_t *packed;
	size_t i, len;

	for (i = 3; i-- > 0;)
		input_sequence_push(&s, xmemdup(inputs[i], strlen(inputs[i])),
			strlen(inputs[i]));
	input_sequence_reverse(&s);
	assert_int_equal(s.bytes, 5);
	packed = input_sequence_pack(&s, which, 3, &len);
	assert_int_equal(len, sizeof(all) - 1);
	assert_memory_equal(packed, all, len);
	free(packed);
	packed = input_sequence_pack(&s, which + 2, 1, &len);
	assert_int_equal(len, 6);
	assert_memory_equal(packed, all + 11, len);
	free(packed);
	input_sequence_clear(&s);
	assert_int_equal(s.n, 0);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_pack),
		cmocka_unit_test(test_earlier),
	};

	return rows_run_with("sequence", ROWS_OF(SEARCHES, name, test_search),
		others, ROWS(others), NULL, NULL);
}
