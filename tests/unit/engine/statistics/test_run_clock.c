#include "base/clock.h"
#include "engine/statistics/run_clock.h"
#include "engine/statistics/run_clock_private.h"
#include "lib/rows.h"

/* A pause before fuzzing began does not shorten the time fuzzed. */
static void
test_pause_in_warmup(void **state)
{
	uint64_t now = clock_now_ns(), hour = UINT64_C(3600000000000);
	struct run_clock clock = {
		.fuzz_start_ns = now - CLOCK_NS_PER_S,
		.paused_ns = hour,
		.warm_paused_ns = hour,
	};

	assert_true(run_clock_fuzzed_ns(&clock) >= CLOCK_NS_PER_S);
	assert_true(run_clock_fuzzed_ns(&clock) < hour);
	/* Warm-up ended during a pause that goes on. */
	clock.paused = true;
	clock.pause_began_ns = now - hour;
	clock.warm_paused_ns = hour + hour - CLOCK_NS_PER_S;
	assert_true(run_clock_fuzzed_ns(&clock) < CLOCK_NS_PER_S);
}

/* Elapsed time stands still during a pause. */
static void
test_elapsed(void **state)
{
	uint64_t now = clock_now_ns(), hour = UINT64_C(3600000000000);
	struct run_clock clock = { 0 };

	assert_int_equal(run_clock_elapsed_ns(&clock), 0);
	assert_int_equal(run_clock_fuzzed_ns(&clock), 0);
	clock.start_ns = now - 2 * hour;
	assert_true(run_clock_elapsed_ns(&clock) >= 2 * hour);
	run_clock_set_paused(&clock, true);
	clock.pause_began_ns -= hour;
	assert_true(run_clock_elapsed_ns(&clock) < 2 * hour);
	run_clock_set_paused(&clock, false);
	assert_true(clock.paused_ns >= hour);
	assert_int_equal(run_clock_paused_ns(&clock, now), clock.paused_ns);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pause_in_warmup),
		cmocka_unit_test(test_elapsed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
