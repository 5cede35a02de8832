#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus/set_cover.h"
#include "shared/prng.h"

#define PLACES_MAX 64
#define INPUTS_MAX 40

/* Inputs as words whose letters are features, smallest input first. */
static const struct row {
	const char *name;
	const char *inputs[8];
	const char *chosen; /* their numbers */
	unsigned places;
} rows[] = {
	{ "nothing", { NULL }, "", 0 },
	{ "one", { "a" }, "0", 1 },
	{ "reaches nothing", { "", "" }, "", 0 },
	{ "the smaller of two alike", { "ab", "ab" }, "0", 2 },
	{ "all are needed", { "a", "b", "c" }, "012", 3 },
	{ "the last has all, but the first is small", { "a", "abc" }, "1", 3 },
	{ "the rarest decides", { "a", "b", "abc", "abd" }, "23", 4 },
	{ "needless beside those of rare places", { "ab", "bcx", "cdy", "adz" },
		"123", 7 },
	{ "superfluous after all", { "a", "ab", "b", "b" }, "1", 2 },
	{ "an empty one among them", { "", "a", "", "ab" }, "3", 2 },
	{ "adds nothing", { "abc", "ab", "c" }, "0", 3 },
	{ "a chain", { "ab", "bc", "cd", "de" }, "013", 5 },
	{ "a place of high number", { "a~", "~" }, "0", 2 },
};

/* Maps letters to features far from each other. */
static size_t
places_of(const char *text, uint32_t *places)
{
	size_t i;

	for (i = 0; text[i] != '\0'; i++)
		places[i] = text[i] == '~' ? 1u << 20 : (uint32_t)text[i] * 8;
	return i;
}

static void
test_table(void **state)
{
	size_t i, k, n;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *row = &rows[i];
		struct set_cover *cover = set_cover_create();
		uint32_t places[PLACES_MAX], *chosen;
		char got[16] = "";

		for (k = 0; k < 8 && row->inputs[k] != NULL; k++)
			set_cover_add(cover, (uint32_t)k, places,
				places_of(row->inputs[k], places));
		n = set_cover_solve(cover, &chosen);
		for (k = 0; k < n; k++)
			got[k] = (char)('0' + chosen[k]);
		if (strcmp(got, row->chosen) != 0 ||
			set_cover_features(cover) != row->places)
			fail_msg("%s: %s, %u places", row->name, got,
				(unsigned)set_cover_features(cover));
		free(chosen);
		set_cover_destroy(cover);
	}
	set_cover_destroy(NULL);
}

static void
test_has(void **state)
{
	static const uint32_t places[] = { 3, 5000 };
	struct set_cover *cover = set_cover_create();

	assert_false(set_cover_has(cover, 3));
	set_cover_add(cover, 0, places, 2);
	assert_true(set_cover_has(cover, 3));
	assert_true(set_cover_has(cover, 5000));
	assert_false(set_cover_has(cover, 4));
	assert_false(set_cover_has(cover, UINT32_MAX));
	set_cover_destroy(cover);
}

/* ---- random features ---- */

struct instance {
	uint64_t reach[INPUTS_MAX]; /* a bit for each feature */
	uint32_t n;
};

static uint64_t
draw_u64(struct prng *prng)
{
	uint64_t high = prng_u32(prng);

	return high << 32 | prng_u32(prng);
}

static void
draw_instance(struct prng *prng, struct instance *in)
{
	uint64_t rare = draw_u64(prng) | draw_u64(prng);
	uint32_t i;

	in->n = 1 + prng_u32n(prng, INPUTS_MAX);
	for (i = 0; i < in->n; i++) {
		in->reach[i] = draw_u64(prng) & draw_u64(prng);
		if (prng_u32n(prng, 2) == 0)
			in->reach[i] &= draw_u64(prng) & rare;
	}
}

static size_t
solve_instance(const struct instance *in, uint32_t **chosen)
{
	struct set_cover *cover = set_cover_create();
	uint32_t places[PLACES_MAX], i, bit;
	size_t n;

	for (i = 0; i < in->n; i++) {
		n = 0;
		for (bit = 0; bit < PLACES_MAX; bit++)
			if (in->reach[i] >> bit & 1)
				places[n++] = bit;
		set_cover_add(cover, i, places, n);
	}
	n = set_cover_solve(cover, chosen);
	set_cover_destroy(cover);
	return n;
}

/* The solution has the same union; no input is superfluous; in order, each
 * once. */
static void
test_property(void **state)
{
	struct prng prng;
	unsigned round;

	prng_mix(&prng, 1, 2, 3);
	for (round = 0; round < 3000; round++) {
		struct instance in;
		uint64_t all = 0, got = 0, without;
		uint32_t *chosen, i;
		size_t n, k, other;

		draw_instance(&prng, &in);
		n = solve_instance(&in, &chosen);
		for (i = 0; i < in.n; i++)
			all |= in.reach[i];
		for (k = 0; k < n; k++) {
			assert_true(chosen[k] < in.n);
			assert_true(k == 0 || chosen[k - 1] < chosen[k]);
			got |= in.reach[chosen[k]];
		}
		assert_true(got == all);
		for (k = 0; k < n; k++) {
			without = 0;
			for (other = 0; other < n; other++)
				if (other != k)
					without |= in.reach[chosen[other]];
			assert_true(without != all);
		}
		free(chosen);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_has),
		cmocka_unit_test(test_property),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
