/*
 * test_energy: the weights of entries, and the selection table made from them.
 */
#include "corpus/energy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "lib/rows.h"

#define COUNTERS 26u /* edges: 'a' to 'z'; value profile: 'A' to 'Z' */

struct fixture {
	struct campaign_memory memory;
	struct corpus *corpus;
	struct energy *energy;
};

static int
set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	assert_int_equal(campaign_memory_open(&f->memory, 64, 4096, NULL), OK);
	assert_true(campaign_memory_add_module(&f->memory, 1, COUNTERS));
	assert_true(campaign_memory_add_module(&f->memory,
		MEMORY_VALUE_PROFILE_KEY, COUNTERS));
	f->corpus = corpus_create(SIZE_MAX, NULL, NULL);
	f->energy = energy_create(&f->memory, f->corpus);
	*state = f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture *f = *state;

	energy_destroy(f->energy);
	corpus_destroy(f->corpus);
	campaign_memory_close(&f->memory);
	free(f);
	return 0;
}

/* Adds an entry of this length with unique bytes. */
static struct corpus_entry *
add(struct fixture *f, size_t len)
{
	uint32_t n = (uint32_t)corpus_len(f->corpus);
	uint8_t *data = xcalloc(1, len);
	struct corpus_entry *entry;

	assert_true(len >= sizeof(n));
	memcpy(data, &n, sizeof(n));
	entry = corpus_add(f->corpus, data, len, CORPUS_NONE, NULL);
	free(data);
	entry->arena = n;
	energy_place(f->energy, entry);
	return entry;
}

static void
reach(struct fixture *f, struct corpus_entry *entry, const char *letters)
{
	for (const char *at = letters; *at != '\0'; at++) {
		uint32_t counter = *at >= 'a'
			? (uint32_t)(*at - 'a')
			: COUNTERS + (uint32_t)(*at - 'A');

		energy_reach(f->energy, entry, &counter, 1);
	}
}

static void
near(double a, double b)
{
	if (a < b * (1 - 1e-6) || a > b * (1 + 1e-6))
		fail_msg("%.12g is not %.12g", a, b);
}

/* ---- weights ------------------------------------------------------------- */

struct input {
	size_t len;
	uint64_t exec_ns;
	double work;
	uint32_t finds;
	const char *counters;
	bool of_value_profile;
};

/* clang-format off */
static const struct weight_row {
	const char *name;
	enum energy_rule rule;
	bool timed;
	struct input a, b;
	double ratio; /* of their energy shares */
} ROWS[] = {
	{ "even: all alike", ENERGY_EVEN, true,
		{ 10, 100, 0, 1, "ab", false },
		{ 50, 900, 9999, 0, "b", true }, 1 },
	{ "fast: by speed", ENERGY_FAST, true,
		{ 10, 100, 0, 1, "ab", false },
		{ 50, 300, 9999, 0, "b", true }, 3 },
	{ "fast: however slow", ENERGY_FAST, true,
		{ 10, 1, 0, 1, "a", false },
		{ 10, 100000000, 0, 1, "b", false }, 1e8 },
	{ "fast: no clock", ENERGY_FAST, false,
		{ 10, 100, 0, 1, "a", false },
		{ 10, 300, 0, 1, "b", false }, 1 },
	{ "fast: never timed", ENERGY_FAST, true,
		{ 10, 100, 0, 1, "a", false },
		{ 10, 0, 0, 1, "b", false }, 1 },
	{ "full: alike", ENERGY_FULL, true,
		{ 10, 100, 0, 1, "a", false },
		{ 10, 100, 0, 1, "b", false }, 1 },
	{ "full: by speed, too", ENERGY_FULL, true,
		{ 10, 100, 0, 1, "a", false },
		{ 10, 300, 0, 1, "b", false }, 3 },
	/* 1.5 of 1.5, over a mean of 0.75, is a factor of 2; and 0. */
	{ "full: the first of two alike", ENERGY_FULL, true,
		{ 10, 100, 0, 1, "ab", false },
		{ 10, 100, 0, 1, "b", false }, 3.0 / 1 },
	/* 1 and 0.5, over a mean of 0.75. */
	{ "full: the smaller one has it", ENERGY_FULL, true,
		{ 11, 100, 0, 1, "ab", false },
		{ 10, 100, 0, 1, "b", false },
		(1 + 1 / 0.75) / (1 + 0.5 / 0.75) },
	{ "full: the faster one has it", ENERGY_FULL, false,
		{ 10, 101, 0, 1, "ab", false },
		{ 10, 100, 0, 1, "b", false },
		(1 + 1 / 0.75) / (1 + 0.5 / 0.75) },
	{ "full: progress is no coverage", ENERGY_FULL, true,
		{ 10, 100, 0, 1, "a", false },
		{ 10, 100, 0, 1, "AB", false }, 3.0 / 1 },
	/* A new entry of the value profile gets the mean rarity. */
	{ "full: a step of progress", ENERGY_FULL, true,
		{ 10, 100, 0, 1, "a", false },
		{ 10, 100, 0, 1, "", true }, 3.0 / 2 },
	/* The mean of work gets 1000 added. */
	{ "full: time was spent", ENERGY_FULL, true,
		{ 10, 100, 0, 1, "a", false },
		{ 10, 100, 2000, 1, "b", false }, 1.25 },
	/* Speeds of 4/3 and 2/3. */
	{ "full: time was spent, of a slow one", ENERGY_FULL, true,
		{ 10, 100, 2000, 1, "a", false },
		{ 10, 200, 2000, 1, "b", false },
		2 * (3000 + 750.0) / (3000 + 375.0) },
	{ "full: much time was spent", ENERGY_FULL, true,
		{ 10, 100, 0, 1, "a", false },
		{ 10, 100, 2e9, 1, "b", false }, (1e9 + 1000 + 5e8) / (1e9 + 1000) },
	{ "full: new", ENERGY_FULL, true,
		{ 10, 100, 0, 0, "a", false },
		{ 10, 100, 0, 1, "b", false }, 4 },
	{ "full: no longer new", ENERGY_FULL, true,
		{ 10, 100, 20000, 0, "a", false },
		{ 10, 100, 20000, 1, "b", false }, 1 },
	{ "full: nearly no longer new", ENERGY_FULL, true,
		{ 10, 100, 19999, 0, "a", false },
		{ 10, 100, 19999, 1, "b", false }, 4 },
};
/* clang-format on */

static struct corpus_entry *
add_input(struct fixture *f, const struct input *input)
{
	struct corpus_entry *entry = add(f, input->len);

	entry->exec_ns = input->exec_ns;
	entry->work = input->work;
	entry->finds = input->finds;
	entry->of_value_profile = input->of_value_profile;
	reach(f, entry, input->counters);
	return entry;
}

static void
test_weight(void **state)
{
	const struct weight_row *row = *state;
	struct corpus_entry *a, *b;
	struct fixture *f;
	void *made;

	set_up(&made);
	f = made;
	a = add_input(f, &row->a);
	b = add_input(f, &row->b);
	energy_publish(f->energy, row->rule, row->timed);
	near(energy_share(f->energy, a) + energy_share(f->energy, b), 1);
	near(energy_share(f->energy, a) / energy_share(f->energy, b),
		row->ratio);
	tear_down(&made);
}

/* A very fast entry counts as eight times the mean speed. */
static void
test_fastest(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *fastest, *other;
	int i;

	fastest = add_input(f, &(struct input){ 8, 1, 0, 1, "", false });
	other = add_input(f, &(struct input){ 8, 1000, 0, 1, "", false });
	for (i = 0; i < 14; i++)
		add_input(f, &(struct input){ 8, 1000, 0, 1, "", false });
	energy_publish(f->energy, ENERGY_FAST, true);
	near(energy_share(f->energy, fastest) / energy_share(f->energy, other),
		8 * ((1 + 15 / 1000.0) / 16) / (1 / 1000.0));
}

/* A few slow entries do not change the ratio of the others' speeds. */
static void
test_slow_few(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *a, *b;
	uint32_t i;

	a = add_input(f, &(struct input){ 8, 100, 0, 1, "", false });
	b = add_input(f, &(struct input){ 8, 400, 0, 1, "", false });
	for (i = 0; i < 4; i++)
		add_input(f, &(struct input){ 8, 3000000, 0, 1, "", false });
	energy_publish(f->energy, ENERGY_FULL, true);
	near(energy_share(f->energy, a) / energy_share(f->energy, b), 4);
}

/* Of the value profile, only the latest entries share the rarity. */
static void
test_old_value_profile(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *first, *second;
	int i;

	first = add_input(f, &(struct input){ 8, 9, 0, 1, "", true });
	second = add_input(f, &(struct input){ 8, 9, 0, 1, "", true });
	for (i = 0; i < 31; i++)
		add_input(f, &(struct input){ 8, 9, 0, 1, "", true });
	energy_publish(f->energy, ENERGY_FULL, true);
	near(energy_share(f->energy, second) / energy_share(f->energy, first),
		2 / 0.01);
}

/* Counters of a library that is loaded later, and invalid numbers. */
static void
test_more_counters(void **state)
{
	const uint32_t none[] = { 2 * COUNTERS + 10, UINT32_MAX };
	const uint32_t late[] = { 2 * COUNTERS + 9 };
	struct fixture *f = *state;
	struct corpus_entry *a = add(f, 10), *b = add(f, 10);

	a->finds = b->finds = 1;
	energy_reach(f->energy, a, (uint32_t[]){ 0 }, 1);
	assert_true(campaign_memory_add_module(&f->memory, 2, 10));
	energy_reach(f->energy, a, none, 2);
	energy_publish(f->energy, ENERGY_FULL, true);
	near(energy_share(f->energy, a) / energy_share(f->energy, b), 3);
	assert_int_equal(energy_favoured(f->energy), 1);
	assert_true(a->favoured);
	assert_false(b->favoured);
	energy_reach(f->energy, b, late, 1);
	energy_publish(f->energy, ENERGY_FULL, true);
	near(energy_share(f->energy, a), energy_share(f->energy, b));
	assert_int_equal(energy_favoured(f->energy), 2);
	assert_true(b->favoured);
}

/* A new input resets the work of its parent. */
static void
test_reward(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *a = add(f, 10), *b = add(f, 10);

	reach(f, a, "a");
	reach(f, b, "b");
	a->finds = b->finds = 1;
	a->work = b->work = 5000;
	energy_publish(f->energy, ENERGY_FULL, true);
	assert_false(energy_is_stale(f->energy));
	energy_reward(f->energy, a);
	assert_true(energy_is_stale(f->energy));
	assert_int_equal(a->finds, 2);
	energy_publish(f->energy, ENERGY_FULL, true);
	near(energy_share(f->energy, a) / energy_share(f->energy, b),
		(3500.0 + 5000 / 4) / 3500);
}

/* Executions are shared out by the selection table, in any portions. */
static void
test_spend(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *slow;
	double sum = 0;
	uint32_t i;

	energy_spend(f->energy, 1000); /* there is no table yet */
	slow = add_input(f, &(struct input){ 8, 4000, 0, 1, "", false });
	for (i = 0; i < 999; i++)
		add_input(f, &(struct input){ 8, 1000, 0, 1, "", false });
	energy_publish(f->energy, ENERGY_FAST, true);
	for (i = 0; i < 1000; i++)
		energy_spend(f->energy, 100);
	energy_publish(f->energy, ENERGY_FAST, true);
	for (i = 0; i < 1000; i++)
		sum += corpus_get(f->corpus, i)->work;
	near(sum, 100000);
	near(corpus_get(f->corpus, 5)->work / slow->work, 4);
	/* An entry that came later was not in the table. */
	assert_true(add(f, 10)->work <= 0);
	energy_publish(f->energy, ENERGY_FAST, true);
	assert_true(corpus_get(f->corpus, 1000)->work <= 0);
}

/* Executions before a reward do not count against the parent. */
static void
test_reward_pending(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *a = add(f, 10), *b = add(f, 10);

	energy_publish(f->energy, ENERGY_EVEN, true);
	energy_spend(f->energy, 1000);
	energy_reward(f->energy, a);
	energy_spend(f->energy, 200);
	energy_publish(f->energy, ENERGY_EVEN, true);
	near(a->work, 100);
	near(b->work, 600);
	near(a->executions, 600);
}

/* A parent that is made smaller may find no room in the arena any more. */
static void
test_reward_outside(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *a = add(f, 10), *b = add(f, 10);

	energy_publish(f->energy, ENERGY_FULL, true);
	energy_spend(f->energy, 100000);
	energy_reward(f->energy, a);
	a->arena = MEMORY_NO_ENTRY;
	energy_publish(f->energy, ENERGY_FULL, true);
	assert_true(a->work >= 0);
	assert_true(energy_share(f->energy, a) > 0);
	assert_true(energy_share(f->energy, b) > 0);
}

/* The weight of a parent falls with the time of its children's deaths. */
static void
test_charge(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *a = add(f, 10), *b = add(f, 10);

	a->work = b->work = 5000;
	a->executions = b->executions = 80000;
	a->exec_ns = b->exec_ns = 100;
	energy_charge(f->energy, a, 30000000);
	assert_true(energy_is_stale(f->energy));
	energy_publish(f->energy, ENERGY_FAST, true);
	near(energy_share(f->energy, b) / energy_share(f->energy, a), 4);
}

/* clang-format off */
static const struct doubt_row {
	const char *name;
	enum energy_rule rule;
	bool timed;
	uint64_t slow_ns, slower_ns; /* of the last two of ten entries */
	int doubtful; /* 1: slow, 2: slower, 0: none */
} DOUBTS[] = {
	{ "doubt: it waited for a processor", ENERGY_FULL, true, 3000000, 100, 1 },
	{ "doubt: the slowest first", ENERGY_FULL, true, 2000000, 3000000, 2 },
	{ "doubt: with other rules, too", ENERGY_FAST, true, 100, 3000000, 2 },
	{ "doubt: a little slow", ENERGY_FULL, true, 800, 700, 0 },
	{ "doubt: no clock", ENERGY_FULL, false, 3000000, 3000000, 0 },
	{ "doubt: never timed", ENERGY_FULL, true, 0, 0, 0 },
};
/* clang-format on */

/* The mean is one of speeds: 8 of 100 ns, and two that add nothing. */
static void
test_doubt(void **state)
{
	struct fixture *f = *state;
	const struct doubt_row *row;
	struct corpus_entry *entries[10], *want;
	int i;

	for (i = 0; i < 10; i++)
		entries[i] = add_input(f,
			&(struct input){ 8, 100, 0, 1, "", false });
	assert_null(energy_doubtful(f->energy)); /* nothing is published */
	for (row = DOUBTS; row < DOUBTS + ROWS(DOUBTS); row++) {
		entries[8]->exec_ns = row->slow_ns;
		entries[9]->exec_ns = row->slower_ns;
		energy_publish(f->energy, row->rule, row->timed);
		want = row->doubtful > 0 ? entries[7 + row->doubtful] : NULL;
		row_check(energy_doubtful(f->energy) == want, "%s", row->name);
	}
	/* A second time is enough, and a lost entry needs none. */
	entries[8]->exec_ns = 3000000;
	entries[9]->exec_ns = 2000000;
	energy_publish(f->energy, ENERGY_FULL, true);
	entries[8]->is_measured = true;
	assert_null(energy_doubtful(f->energy));
	energy_publish(f->energy, ENERGY_FULL, true);
	assert_ptr_equal(energy_doubtful(f->energy), entries[9]);
	energy_lose(f->energy, entries[9]);
	assert_null(energy_doubtful(f->energy));
	energy_publish(f->energy, ENERGY_FULL, true);
	assert_null(energy_doubtful(f->energy));
}

/* The shorter of two times counts, from the next table on. */
static void
test_measure(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *a = add(f, 10), *b = add(f, 10);

	a->exec_ns = 3000000;
	b->exec_ns = 300;
	energy_publish(f->energy, ENERGY_FAST, true);
	assert_true(energy_share(f->energy, a) < 0.001);
	energy_measure(f->energy, a, 4000000);
	assert_int_equal(a->exec_ns, 3000000);
	assert_false(energy_is_stale(f->energy));
	energy_measure(f->energy, a, 300);
	assert_true(energy_is_stale(f->energy));
	energy_publish(f->energy, ENERGY_FAST, true);
	near(energy_share(f->energy, a), 0.5);
}

/* ---- selection table ----------------------------------------------------- */

/* How often an arena entry is in the table. */
static uint32_t
places_of(const struct fixture *f, uint32_t arena)
{
	const uint32_t *selection = (const void *)(f->memory.sealed.map +
		f->memory.head->selection_offset);
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->memory.head->selection_n; i++)
		n += selection[i] == arena;
	return n;
}

static void
test_no_selection(void **state)
{
	struct fixture *f = *state;

	energy_publish(f->energy, ENERGY_FULL, true);
	assert_int_equal(f->memory.head->selection_n, 0);
	assert_null(energy_draw(f->energy));
	/* An entry for which the arena has no room. */
	corpus_add(f->corpus, "input", 5, CORPUS_NONE, NULL);
	energy_place(f->energy, corpus_get(f->corpus, 0));
	energy_publish(f->energy, ENERGY_FULL, true);
	assert_int_equal(f->memory.head->selection_n, 0);
	near(energy_share(f->energy, corpus_get(f->corpus, 0)), 1);
	assert_ptr_equal(energy_draw(f->energy), corpus_get(f->corpus, 0));
	energy_spend(f->energy, 1000);
	near(corpus_get(f->corpus, 0)->work + 1, 1);
	/* With another entry, only that one is in the table, and not all the
	 * time. */
	add(f, 10);
	energy_publish(f->energy, ENERGY_EVEN, true);
	assert_int_equal(f->memory.head->selection_n, 1024);
	assert_int_equal(places_of(f, 1), 1024);
	near(energy_share(f->energy, corpus_get(f->corpus, 0)), 0.5);
	energy_spend(f->energy, 1000);
	energy_publish(f->energy, ENERGY_EVEN, true);
	near(corpus_get(f->corpus, 0)->work + 1, 1);
	near(corpus_get(f->corpus, 1)->work, 1000);
}

/* In the long run each is drawn as often as its share says. */
static void
test_draw(void **state)
{
	struct fixture *f = *state;
	unsigned drawn[3] = { 0 };
	uint32_t i;

	add_input(f, &(struct input){ 8, 200, 0, 1, "", false });
	add_input(f, &(struct input){ 8, 100, 0, 1, "", false });
	add_input(f, &(struct input){ 8, 400, 0, 1, "", false });
	energy_publish(f->energy, ENERGY_FAST, true);
	for (i = 0; i < 7000; i++)
		drawn[energy_draw(f->energy)->index]++;
	assert_in_range(drawn[0], 1990, 2010);
	assert_in_range(drawn[1], 3990, 4010);
	assert_in_range(drawn[2], 990, 1010);
}

/* The number of slots matches the share, with an error below one. */
static void
test_selection(void **state)
{
	struct fixture *f = *state;
	uint32_t i, round, n;
	double want;

	for (i = 0; i < 100; i++)
		add_input(f,
			&(struct input){ 8, 100 + 20 * i, 0, 1, "", false });
	for (round = 0; round < 10; round++) {
		energy_publish(f->energy, ENERGY_FAST, true);
		assert_int_equal(f->memory.head->selection_n, 1024);
		for (i = 0; i < 100; i++) {
			want = 1024 *
				energy_share(f->energy,
					corpus_get(f->corpus, i));
			n = places_of(f, i);
			assert_true(n > want - 1 && n < want + 1);
		}
	}
}

/* Each entry gets a slot sooner or later; there are eight slots for each. */
static void
test_many(void **state)
{
	enum {
		MANY = 20000,
		ROUNDS = 40
	};
	struct fixture *f = *state;
	uint32_t *n = xcalloc(MANY, sizeof(*n)), i, round;
	const uint32_t *selection;

	for (i = 0; i < 1000; i++)
		add_input(f, &(struct input){ 8, 1, 0, 1, "", false });
	energy_publish(f->energy, ENERGY_EVEN, true);
	assert_int_equal(f->memory.head->selection_n, 8192);
	for (; i < MANY; i++)
		add_input(f,
			&(struct input){ 8, i % 2 ? 1 : 10, 0, 1, "", false });
	for (round = 0; round < ROUNDS; round++) {
		energy_publish(f->energy, ENERGY_FAST, true);
		assert_int_equal(f->memory.head->selection_n,
			MEMORY_SELECTION_MAX);
		selection = campaign_memory_selection(&f->memory,
			MEMORY_SELECTION_MAX);
		for (i = 0; i < MEMORY_SELECTION_MAX; i++) {
			assert_true(selection[i] < MANY);
			n[selection[i]]++;
		}
	}
	for (i = 0; i < MANY; i++) {
		double want = (double)ROUNDS * MEMORY_SELECTION_MAX *
			energy_share(f->energy, corpus_get(f->corpus, i));

		assert_true(n[i] > 0);
		assert_true(n[i] > want / 2 - 1 && n[i] < want * 2 + 2);
	}
	free(n);
}

/* A new input made from bytes replaced since belongs to the same entry. */
static void
test_owner(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *a = add(f, 10), *b = add(f, 10);

	assert_ptr_equal(energy_owner(f->energy, 0), a);
	assert_ptr_equal(energy_owner(f->energy, 1), b);
	assert_null(energy_owner(f->energy, 2));
	assert_null(energy_owner(f->energy, MEMORY_NO_ENTRY));
	a->arena = 1000;
	energy_place(f->energy, a);
	assert_ptr_equal(energy_owner(f->energy, 1000), a);
	assert_ptr_equal(energy_owner(f->energy, 0), a);
	assert_null(energy_owner(f->energy, 999));
	assert_null(energy_owner(f->energy, 1001));
	energy_publish(f->energy, ENERGY_EVEN, true);
	assert_int_equal(places_of(f, 1000), 512);
	assert_int_equal(places_of(f, 0), 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest others[] = {
		CASE(test_fastest),
		CASE(test_slow_few),
		CASE(test_old_value_profile),
		CASE(test_more_counters),
		CASE(test_reward),
		CASE(test_spend),
		CASE(test_reward_pending),
		CASE(test_reward_outside),
		CASE(test_charge),
		CASE(test_doubt),
		CASE(test_measure),
		CASE(test_no_selection),
		CASE(test_draw),
		CASE(test_selection),
		CASE(test_many),
		CASE(test_owner),
	};

	return rows_run_with("energy", ROWS_OF(ROWS, name, test_weight), others,
		ROWS(others), NULL, NULL);
}
