/*
 * test_snapshot_search: mutators, words and stability as the snapshot tells them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/front/snapshot_view.h"
#include "shared/mutate/mutation.h"

#define COUNTERS 100

struct fixture {
	struct engine *e;
	struct snapshot s;
};

static int
set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	f->e = xcalloc(1, sizeof(*f->e));
	settings_init(&f->e->settings);
	snapshot_init(&f->s);
	assert_int_equal(campaign_memory_open(&f->e->campaign.memory, 64, 65536,
				 NULL),
		OK);
	assert_true(campaign_memory_add_module(&f->e->campaign.memory, 1,
		COUNTERS));
	*state = f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture *f = *state;

	campaign_memory_close(&f->e->campaign.memory);
	settings_clear(&f->e->settings);
	snapshot_clear(&f->s);
	free(f->e);
	free(f);
	return 0;
}

static const struct snapshot *
look(struct fixture *f)
{
	snapshot_clear(&f->s);
	view_search(f->e, &f->s);
	return &f->s;
}

/* NULL: it does not exist. */
static const struct snapshot_mutator *
mutator(const struct snapshot *s, unsigned op)
{
	size_t i;

	for (i = 0; i < s->mutators_n; i++)
		if (strcmp(s->mutators[i].name, mutate_name(op)) == 0)
			return &s->mutators[i];
	return NULL;
}

static double
shares(const struct snapshot *s)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < s->mutators_n; i++)
		sum += s->mutators[i].share;
	return sum;
}

static void
near(double a, double b)
{
	if (a < b - 1e-9 || a > b + 1e-9)
		fail_msg("%g is not %g", a, b);
}

/* Kinds of whose turn there can be one, and those that had one. */
static void
test_which_exist(void **state)
{
	struct fixture *f = *state;
	const struct snapshot *s = look(f);
	unsigned op;

	for (op = 0; op < MUTATE_N; op++)
		assert_true((mutator(s, op) != NULL) ==
			((mutate_weight(op) > 0 && op != MUTATE_INSERT_WORD &&
				 op != MUTATE_OVERWRITE_WORD) ||
				op == MUTATE_COMPARE ||
				op == MUTATE_PART_COUNT));
	assert_null(mutator(s, MUTATE_CUSTOM));
	assert_null(mutator(s, MUTATE_ADD));
	f->e->campaign.stats.mutations[MUTATE_CUSTOM] = 1;
	assert_true(campaign_memory_add_word(&f->e->campaign.memory,
		(const uint8_t *)"GIF8", 4));
	s = look(f);
	assert_non_null(mutator(s, MUTATE_CUSTOM));
	assert_non_null(mutator(s, MUTATE_INSERT_WORD));
	assert_non_null(mutator(s, MUTATE_OVERWRITE_WORD));
}

/* Before any mutator has success the shares are those of the plain weights. */
static void
test_shares(void **state)
{
	struct fixture *f = *state;
	const struct snapshot *s = look(f);

	near(shares(s), 1);
	near(mutator(s, MUTATE_BIT_FLIP)->share,
		4 * mutator(s, MUTATE_LINE_SWAP)->share);
	near(mutator(s, MUTATE_COMPARE)->share, 0);
	near(mutator(s, MUTATE_PART_COUNT)->share, 0);
	/* One that pays is tried more often, and that is told. */
	f->e->campaign.stats.mutations[MUTATE_BIT_FLIP] = 1000000;
	f->e->campaign.stats.mutations[MUTATE_XOR] = 1000000;
	f->e->campaign.stats.finds[MUTATE_XOR] = 40;
	mutator_stats_publish(&f->e->campaign.stats, &f->e->campaign.memory);
	s = look(f);
	near(shares(s), 1);
	assert_true(mutator(s, MUTATE_XOR)->share >
		2 * mutator(s, MUTATE_BIT_FLIP)->share);
	assert_int_equal(mutator(s, MUTATE_XOR)->steps, 1000000);
	assert_int_equal(mutator(s, MUTATE_XOR)->finds, 40);
}

static void
test_numbers(void **state)
{
	struct fixture *f = *state;
	const struct snapshot *s;

	f->e->counts.auto_dictionary = 3;
	f->e->counts.value_entries = 17;
	f->e->schedule.len_cap = 128;
	assert_true(campaign_memory_add_word(&f->e->campaign.memory,
		(const uint8_t *)"GIF8", 4));
	s = look(f);
	assert_int_equal(s->words, 1);
	assert_int_equal(s->words_learned, 3);
	assert_int_equal(s->progress_inputs, 17);
	assert_int_equal(s->length_cap, 128);
	/* There is no length control in it. */
	assert_int_equal(settings_set(&f->e->settings, "schedule", "fifo",
				 ORIGIN_KEY, NULL),
		OK);
	assert_int_equal(look(f)->length_cap, f->e->settings.max_len);
}

static void
doubt_twice(struct fixture *f, uint32_t counter, bool told)
{
	assert_false(
		campaign_memory_mark_unstable(&f->e->campaign.memory, counter));
	assert_true(campaign_memory_mark_unstable(&f->e->campaign.memory,
			    counter) == told);
	assert_false(
		campaign_memory_mark_unstable(&f->e->campaign.memory, counter));
}

static void
check_stability(struct fixture *f, double percent, uint64_t unstable)
{
	const struct snapshot *s = look(f);

	near(s->counters_stable, percent);
	assert_int_equal(s->counters_masked, unstable);
}

/* A counter that went away was reached, whether it was merged or not. */
static void
test_stability(void **state)
{
	struct fixture *f = *state;
	const struct feature features[] = { { 0, 1 }, { 1, 1 }, { 2, 3 } };
	const struct feature late = { 50, 1 };

	check_stability(f, 100, 0);
	assert_int_equal(campaign_memory_merge(&f->e->campaign.memory, features,
				 3),
		4);
	check_stability(f, 100, 0);
	/* 0 to 2 and 50, of which 50 went away once. */
	assert_false(campaign_memory_mark_unstable(&f->e->campaign.memory, 50));
	check_stability(f, 75, 0);
	/* The same four, now that 50 was seen to come back. */
	assert_int_equal(campaign_memory_merge(&f->e->campaign.memory, &late,
				 1),
		1);
	check_stability(f, 75, 0);
	assert_true(campaign_memory_mark_unstable(&f->e->campaign.memory, 50));
	check_stability(f, 75, 1);
	/* Five of them; what is excluded is never merged any more. */
	doubt_twice(f, 51, true);
	check_stability(f, 60, 2);
	assert_int_equal(campaign_memory_merge(&f->e->campaign.memory,
				 &(struct feature){ 51, 1 }, 1),
		0);
	check_stability(f, 60, 2);
	doubt_twice(f, 0, true);
	doubt_twice(f, 1, true);
	doubt_twice(f, 2, true);
	check_stability(f, 0, 5);
	assert_false(campaign_memory_mark_unstable(&f->e->campaign.memory,
		COUNTERS));
}

/* A value profile counter is excluded without a word: it is no coverage. */
static void
test_stability_of_progress(void **state)
{
	struct fixture *f = *state;
	const struct feature feature = { COUNTERS + 5, 1 };
	const struct snapshot *s;

	assert_true(campaign_memory_add_module(&f->e->campaign.memory,
		MEMORY_VALUE_PROFILE_KEY, 10));
	doubt_twice(f, COUNTERS + 5, false);
	s = look(f);
	assert_int_equal(s->counters_masked, 0);
	near(s->counters_stable, 100);
	assert_int_equal(campaign_memory_merge(&f->e->campaign.memory, &feature,
				 1),
		0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_which_exist),
		CASE(test_shares),
		CASE(test_numbers),
		CASE(test_stability),
		CASE(test_stability_of_progress),
	};

	return cmocka_run_group_tests_name("view_search", tests, NULL, NULL);
}
