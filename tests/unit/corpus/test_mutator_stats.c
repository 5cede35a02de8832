/*
 * test_mutator_stats: new inputs of mutators, and their frequency.
 */
#include "corpus/mutator_stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "lib/rows.h"
#include "shared/mutate/mutation.h"

#define MUCH 1e12 /* so large that the prior does not matter */

struct fixture {
	struct campaign_memory memory;
	struct mutator_stats stats;
	uint64_t behind[MEMORY_OPS_MAX];
};

static int
set_up(void **state)
{
	static struct fixture f;

	memset(&f, 0, sizeof(f));
	assert_int_equal(campaign_memory_open(&f.memory, 64, 4096, NULL), OK);
	*state = &f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture *f = *state;

	campaign_memory_close(&f->memory);
	return 0;
}

static void
near(double a, double b)
{
	if (a < b * 0.999 || a > b * 1.001)
		fail_msg("%.9g is not %.9g", a, b);
}

/* The published weight relative to the base weight. */
static double
rate(const struct fixture *f, unsigned op)
{
	return f->memory.head->weights[op] / 1024.0 / mutate_weight(op);
}

static void
test_nothing_known(void **state)
{
	struct fixture *f = *state;
	unsigned op;

	mutator_stats_publish(&f->stats, &f->memory);
	for (op = 0; op < MEMORY_OPS_MAX; op++)
		assert_int_equal(f->memory.head->weights[op],
			1024 * mutate_weight(op));
}

/* ---- one mutator that differs -------------------------------------------- */

/* clang-format off */
static const struct yield_row {
	const char *name;
	double steps, finds; /* of one mutator; MUCH and 1e6 for all others */
	double rate;         /* of that mutator; the mean has an error of 1e-6 */
} ROWS[] = {
	{ "as good as the others", MUCH, 1e6, 1 },
	{ "twice as good", MUCH, 2e6, 2 / (1 + 1 / 54.0) },
	{ "half as good", MUCH, 5e5, 0.5 / (1 - 0.5 / 54.0) },
	{ "three times, and no more", MUCH, 1e9, 3 },
	{ "a third, and no less", MUCH, 0, 1 / 3.0 },
	{ "never tried", 0, 0, 1 },
	{ "tried a little, in vain", 100, 0, 1 },
	{ "as much as the prior, in vain", 50000, 0, 0.5 },
	{ "tried rarely, found something", 1000, 3, 3 },
};
/* clang-format on */

static void
test_rate(void **state)
{
	const struct yield_row *row = *state;
	uint64_t steps[MEMORY_OPS_MAX];
	struct fixture *f;
	void *made;
	unsigned op;

	set_up(&made);
	f = made;
	for (op = 0; op < MEMORY_OPS_MAX; op++) {
		steps[op] = (uint64_t)MUCH;
		f->stats.finds[op] = 1000000;
	}
	steps[MUTATE_XOR] = (uint64_t)row->steps;
	f->stats.finds[MUTATE_XOR] = (uint64_t)row->finds;
	mutator_stats_add_mutations(&f->stats, steps);
	mutator_stats_publish(&f->stats, &f->memory);
	if (row->rate < 3)
		assert_true(rate(f, MUTATE_XOR) < row->rate * 1.02 &&
			rate(f, MUTATE_XOR) > row->rate * 0.98);
	else
		assert_true(
			rate(f, MUTATE_XOR) <= 3 && rate(f, MUTATE_XOR) > 2.99);
	tear_down(&made);
}

/* ---- counters ------------------------------------------------------------ */

static void
test_steps_add_up(void **state)
{
	struct fixture *f = *state;
	uint64_t steps[MEMORY_OPS_MAX] = { [0] = 5,
		[MUTATE_XOR] = 7,
		[MEMORY_OPS_MAX - 1] = 9 };

	mutator_stats_add_mutations(&f->stats, steps);
	mutator_stats_add_mutations(&f->stats, steps);
	assert_int_equal(f->stats.mutations[0], 10);
	assert_int_equal(f->stats.mutations[MUTATE_XOR], 14);
	assert_int_equal(f->stats.mutations[MEMORY_OPS_MAX - 1], 18);
	assert_int_equal(f->stats.mutations[1], 0);
}

/* Each mutation counts; a target may have written invalid ones. */
static void
test_mutation_logs(void **state)
{
	static const struct mutation mutations[] = { { .op = MUTATE_XOR },
		{ .op = MUTATE_COMPARE }, { .op = MUTATE_XOR },
		{ .op = MEMORY_OPS_MAX }, { .op = UINT16_MAX },
		{ .op = MUTATE_SHUFFLE } };
	struct fixture *f = *state;
	uint64_t sum = 0;
	unsigned op;

	mutator_stats_add_find(&f->stats, mutations, 5);
	assert_int_equal(f->stats.finds[MUTATE_XOR], 2);
	assert_int_equal(f->stats.finds[MUTATE_COMPARE], 1);
	for (op = 0; op < MEMORY_OPS_MAX; op++)
		sum += f->stats.finds[op];
	assert_int_equal(sum, 3);
	for (op = 0; op < MEMORY_OPS_MAX; op++)
		assert_int_equal(f->behind[op], 0);
	mutator_stats_add_find(&f->stats, NULL, 0);
}

/*
 * A mutator without a base weight gets no weight, and does not count in the
 * mean.
 */
static void
test_apart(void **state)
{
	struct fixture *f = *state;
	uint64_t steps[MEMORY_OPS_MAX] = { 0 };

	steps[MUTATE_COMPARE] = steps[MUTATE_CUSTOM] = 1000000;
	steps[MUTATE_XOR] = steps[MUTATE_SHUFFLE] = (uint64_t)MUCH;
	f->stats.finds[MUTATE_COMPARE] = f->stats.finds[MUTATE_CUSTOM] =
		1000000;
	f->stats.finds[MUTATE_XOR] = 1500000;
	f->stats.finds[MUTATE_SHUFFLE] = 500000;
	mutator_stats_add_mutations(&f->stats, steps);
	mutator_stats_publish(&f->stats, &f->memory);
	assert_int_equal(f->memory.head->weights[MUTATE_COMPARE], 0);
	assert_int_equal(f->memory.head->weights[MUTATE_CUSTOM], 0);
	near(rate(f, MUTATE_XOR), 1.5);
	near(rate(f, MUTATE_SHUFFLE), 0.5);
	near(rate(f, MUTATE_REMOVE), 1);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest others[] = {
		CASE(test_nothing_known),
		CASE(test_steps_add_up),
		CASE(test_mutation_logs),
		CASE(test_apart),
	};

	return rows_run_with("stats", ROWS_OF(ROWS, name, test_rate), others,
		ROWS(others), NULL, NULL);
}
