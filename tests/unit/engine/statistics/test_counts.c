/* Sums of a run: new inputs, the time without one, and their snapshot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "control/snapshot.h"
#include "engine/engine_private.h"
#include "engine/statistics/counts.h"

static int
set_up(void **state)
{
	*state = xcalloc(1, sizeof(struct engine));
	return 0;
}

static int
tear_down(void **state)
{
	free(*state);
	return 0;
}

static void
test_sums(void **state)
{
	struct snapshot s = { 0 };
	struct engine *e = *state;

	counts_add_executions(e, 10, 1);
	counts_add_executions(e, 20, 2);
	counts_add_replays(e, 5);
	counts_add_words(e, 3);
	counts_add_value_entry(e, 100);
	counts_add_value_entry(e, 23);
	assert_int_equal(counts_executions(e), 30);
	assert_int_equal(counts_auto_dictionary(e), 3);
	assert_int_equal(counts_value_entries(e), 2);
	assert_int_equal(counts_value_bytes(e), 123);
	counts_view(e, &s);
	assert_int_equal(s.rejected, 3);
	assert_int_equal(s.replays, 5);
	assert_int_equal(s.interesting, 0);
	assert_true(s.stability == 100);
	assert_true(s.last_find_s == -1);
}

static void
test_stability(void **state)
{
	struct snapshot s = { 0 };
	struct engine *e = *state;
	int i;

	for (i = 0; i < 4; i++)
		counts_add_new_input(e, i == 0);
	counts_view(e, &s);
	assert_int_equal(counts_new_inputs(e), 4);
	assert_int_equal(s.interesting, 4);
	assert_true(s.stability == 75);
}

/* The longest time without a new input, across runs. */
static void
test_plateau(void **state)
{
	struct snapshot s = { 0 };
	struct engine *e = *state;

	counts_resume(e, 40, 15);
	e->earlier.elapsed_s = 50;
	e->clock.start_ns = clock_now_ns();
	counts_view(e, &s);
	assert_true(s.plateau_gap_s == 15);
	assert_true(s.last_find_s >= 10 && s.last_find_s < 40);
	counts_add_new_input(e, false);
	counts_view(e, &s);
	assert_true(s.plateau_gap_s == 15);
	assert_true(s.last_find_s < 30);
	e->earlier.elapsed_s = 150;
	counts_add_new_input(e, false);
	counts_view(e, &s);
	assert_true(s.plateau_gap_s > 70 && s.plateau_gap_s < 130);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sums, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stability, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_plateau, set_up,
			tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
