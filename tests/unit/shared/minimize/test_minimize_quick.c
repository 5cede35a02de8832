/*
 * test_minimize_quick: our own search: the result of blocks, the filled bytes,
 * the gain of MINIMIZE_AGAIN, and the cost of it all.
 */

#include "shared/minimize/minimize.h"

#include <stdlib.h>
#include <string.h>

#include "lib/rows.h"
#include "lib/vectors.h"

#define ROOM 4096

typedef bool predicate(const uint8_t *data, size_t len);

static bool
always(const uint8_t *data, size_t len)
{
	return true;
}

static bool
never(const uint8_t *data, size_t len)
{
	return false;
}

static bool
has_ab(const uint8_t *data, size_t len)
{
	return memmem(data, len, "ab", 2) != NULL;
}

/* ---- blocks ---- */

/* The result of the first round of blocks, and its number of tries. */
static struct block_row {
	const char *name;
	predicate *fails;
	const char *in, *out;
	size_t tries;
} BLOCK_ROWS[] = {
	{ "none", always, "", "", 0 },
	{ "one byte", always, "a", "a", 0 },
	{ "seven bytes", always, "abcdefg", "a", 2 },
	{ "eight bytes", always, "abcdefgh", "ab", 2 },
	{ "all that may go goes, from the end", has_ab, "xxabxxxxxxxxxxxxxxxx",
		"ab", 4 },
	{ "nothing may go", never, "abcdefghabcdefgh", "abcdefghabcdefgh", 14 },
};

static void
test_blocks(void **state)
{
	const struct block_row *row = *state;
	uint8_t best[ROOM], candidate[ROOM];
	size_t len = strlen(row->in);
	struct minimizer m;

	memcpy(best, row->in, len);
	minimizer_init(&m, best, len, candidate, MINIMIZE_BLOCKS);
	while (minimizer_next(&m) && m.s.phase == MINIMIZE_BLOCKS &&
		m.s.round == 1)
		minimizer_verdict(&m, row->fails(m.candidate, m.candidate_len));
	assert_int_equal(m.s.best_len, strlen(row->out));
	assert_memory_equal(m.best, row->out, m.s.best_len);
	assert_int_equal(m.s.tries, row->tries);
}

/* ---- what it costs ---- */

static void
run(struct minimizer *m, predicate *fails)
{
	while (minimizer_next(m))
		minimizer_verdict(m, fails(m->candidate, m->candidate_len));
	assert_int_equal(m->s.phase, MINIMIZE_DONE);
}

/* Little of the input matters: few candidates fail, and so die. */
static void
test_large_input(void **state)
{
	static uint8_t best[ROOM], candidate[ROOM], other[ROOM];
	struct minimizer m;

	memset(best, 'x', sizeof(best));
	memcpy(best + 3001, "ab", 2);
	minimizer_init(&m, best, sizeof(best), candidate, MINIMIZE_BLOCKS);
	minimizer_again(&m, other);
	run(&m, has_ab);
	assert_int_equal(m.s.best_len, 2);
	assert_memory_equal(best, "ab", 2);
	assert_in_range(m.s.accepted, 1, 80);
	assert_in_range(m.s.tries, 1, 250);
}

/* All of the input matters: not all of its ranges are tried. */
static void
test_large_and_all_matters(void **state)
{
	static uint8_t best[ROOM], candidate[ROOM], other[ROOM];
	struct minimizer m;

	memset(best, 'x', sizeof(best));
	minimizer_init(&m, best, sizeof(best), candidate, MINIMIZE_BLOCKS);
	minimizer_again(&m, other);
	while (minimizer_next(&m) && m.s.phase != MINIMIZE_READABLE)
		minimizer_verdict(&m, false);
	assert_int_equal(m.s.best_len, ROOM);
	assert_in_range(m.s.tries, ROOM, 48 * ROOM);
}

/* Irrelevant bytes are made readable in large parts. */
static bool
is_long_with_x(const uint8_t *data, size_t len)
{
	return len >= 1000 && data[500] == '~';
}

static void
test_many_places_at_once(void **state)
{
	uint8_t best[1000], candidate[1000];
	struct minimizer m;
	uint64_t accepted;

	memset(best, '~', sizeof(best));
	minimizer_init(&m, best, sizeof(best), candidate, MINIMIZE_BLOCKS);
	while (m.s.phase != MINIMIZE_READABLE) {
		assert_true(minimizer_next(&m));
		minimizer_verdict(&m,
			is_long_with_x(m.candidate, m.candidate_len));
	}
	accepted = m.s.accepted;
	run(&m, is_long_with_x);
	assert_int_equal(m.s.best_len, 1000);
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(best[i], i == 500 ? '~' : '0');
	assert_in_range(m.s.accepted - accepted, 1, 20);
}

/* ---- blanks ---- */

static bool
is_call(const uint8_t *data, size_t len)
{
	return len == 12 && memcmp(data, "f(", 2) == 0 && data[10] == ')' &&
		data[11] >= 'a' && data[11] <= 'z';
}

static void
test_blanks(void **state)
{
	static const struct {
		uint8_t filler;
		const char *start, *want;
	} rows[] = {
		{ ' ', "f(x,y,z,zz)k", "f(        )a" },
		{ 0, "f(x,y,z,zz)k", "f(\0\0\0\0\0\0\0\0)a" },
		{ ' ', "f(        )a", "f(        )a" },
		{ '0', "f(x,y,z,zz)k", "f(00000000)a" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t best[12], candidate[12];
		struct minimizer m;

		memcpy(best, rows[i].start, 12);
		minimizer_init(&m, best, 12, candidate, MINIMIZE_BLOCKS);
		minimizer_blank(&m, rows[i].filler);
		run(&m, is_call);
		row_check(memcmp(best, rows[i].want, 12) == 0, "row %zu: %.12s",
			i, (const char *)best);
	}
}

/* In the reference's order, too; MINIMIZE_READABLE leaves blanks alone. */
static void
test_blanks_after_reference(void **state)
{
	uint8_t best[12], candidate[12];
	struct minimizer m;
	unsigned blanks = 0;

	memcpy(best, "f(x,y,z,zz)k", 12);
	minimizer_init(&m, best, 12, candidate, MINIMIZE_TAIL);
	minimizer_blank(&m, ' ');
	while (minimizer_next(&m)) {
		blanks += m.s.phase == MINIMIZE_BLANK;
		if (m.s.phase == MINIMIZE_READABLE)
			assert_false(best[m.cut_offset] == ' ');
		minimizer_verdict(&m, is_call(candidate, m.candidate_len));
	}
	assert_memory_equal(best, "f(        )a", 12);
	assert_in_range(blanks, 5, 40);
}

/* ---- again ---- */

/* Blocks lead to "aacc" and no further, the reference's order to "bbc". */
static bool
has_two_ways(const uint8_t *data, size_t len)
{
	static const char *const all[] = { "aabbcc", "aacc", "aabbc", "abbc",
		"bbc" };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (len == strlen(all[i]) && memcmp(data, all[i], len) == 0)
			return true;
	return false;
}

static void
test_again_wins(void **state)
{
	uint8_t best[6], candidate[6], other[6];
	struct minimizer m;

	memcpy(best, "aabbcc", 6);
	minimizer_init(&m, best, 6, candidate, MINIMIZE_BLOCKS);
	run(&m, has_two_ways);
	assert_int_equal(m.s.best_len, 4);
	assert_memory_equal(best, "aacc", 4);
	memcpy(best, "aabbcc", 6);
	minimizer_init(&m, best, 6, candidate, MINIMIZE_BLOCKS);
	minimizer_again(&m, other);
	run(&m, has_two_ways);
	assert_int_equal(m.s.best_len, 3);
	assert_memory_equal(best, "bbc", 3);
}

/* After any try, best is a complete result, and never grows. */
static void
test_best_is_always_a_result(void **state)
{
	uint8_t best[200], candidate[200], other[200];
	size_t len = sizeof(best);
	struct minimizer m;
	struct prng p;

	prng_init(&p, 5, 1);
	for (size_t i = 0; i < sizeof(best); i++)
		best[i] = (uint8_t)prng_intn(&p, 256);
	memcpy(best + 120, "ab", 2);
	minimizer_init(&m, best, sizeof(best), candidate, MINIMIZE_BLOCKS);
	minimizer_again(&m, other);
	minimizer_blank(&m, ' ');
	while (minimizer_next(&m)) {
		minimizer_verdict(&m,
			has_ab(candidate, m.candidate_len) &&
				m.candidate_len % 7 == 4);
		assert_true(m.s.best_len <= len);
		len = m.s.best_len;
		assert_true(has_ab(best, len) && len % 7 == 4);
	}
	assert_int_equal(len, 4);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_large_input),
		cmocka_unit_test(test_large_and_all_matters),
		cmocka_unit_test(test_many_places_at_once),
		cmocka_unit_test(test_blanks),
		cmocka_unit_test(test_blanks_after_reference),
		cmocka_unit_test(test_again_wins),
		cmocka_unit_test(test_best_is_always_a_result),
	};

	int failed;

	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed +
		rows_run("blocks", ROWS_OF(BLOCK_ROWS, name, test_blocks));
}
