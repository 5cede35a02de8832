/*
 * Inputs longer than the workers' memory: refusals, and the limit until all
 * workers are restarted. Also the effects of changed limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/pool/grow_memory.h"
#include "engine/statistics/limit_effects.h"

#define MAX_LEN 4096u
#define SECOND 1000000000ull

static int
set_up(void **state)
{
	struct engine *e = xcalloc(1, sizeof(*e));

	settings_init(&e->settings);
	assert_int_equal(campaign_memory_open(&e->campaign.memory, MAX_LEN,
				 65536, NULL),
		OK);
	e->settings.max_len = MAX_LEN;
	e->pool.any_ready = true;
	e->clock.start_ns = clock_now_ns() - 100 * SECOND;
	*state = e;
	return 0;
}

static int
tear_down(void **state)
{
	struct engine *e = *state;

	campaign_memory_close(&e->campaign.memory);
	settings_clear(&e->settings);
	free(e);
	return 0;
}

static void
test_check(void **state)
{
	static const struct {
		const char *name;
		uint64_t max_len;
		bool ready;
		enum status status;
	} cases[] = {
		{ "shorter", 1, false, OK },
		{ "the same", MAX_LEN, false, OK },
		{ "longer while it starts", MAX_LEN + 1, false, E_STATE },
		{ "longer", MAX_LEN + 1, true, OK },
		{ "the longest", 100u << 20, true, OK },
	};
	struct engine *e = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error err = { 0 };

		e->pool.any_ready = cases[i].ready;
		if (grow_memory_check(e, cases[i].max_len, &err) !=
			cases[i].status)
			fail_msg("%s: %s", cases[i].name, err.text);
	}
}

/* No worker has the old memory any more: the new limit holds at once. */
static void
test_nobody_to_wait_for(void **state)
{
	struct engine *e = *state;

	e->settings.max_len = 100;
	assert_int_equal(grow_memory_max_len(e), 100);
	e->settings.max_len = 2 * MAX_LEN;
	assert_int_equal(grow_memory_max_len(e), MAX_LEN);
	e->clock.paused = true;
	e->clock.pause_began_ns = clock_now_ns();
	grow_memory_tick(e); /* not during a pause */
	assert_int_equal(grow_memory_max_len(e), MAX_LEN);
	e->clock.paused = false;
	grow_memory_tick(e);
	assert_int_equal(grow_memory_max_len(e), 2 * MAX_LEN);
	assert_int_equal(e->campaign.memory.head->max_len, 2 * MAX_LEN);
	e->settings.max_len = 50;
	grow_memory_tick(e);
	assert_int_equal(grow_memory_max_len(e), 50);
	assert_int_equal(e->campaign.memory.head->max_len, 2 * MAX_LEN);
}

/*
 * The target reports the length of a failing input. A worker with the new
 * memory may report more than the others have room for.
 */
static void
test_job_too_long(void **state)
{
	const struct worker_handlers handlers = { 0 };
	struct engine *e = *state;
	const struct worker_config config = {
		.campaign = &e->campaign.memory,
		.handlers = &handlers,
	};
	struct slot slot = { .wanted = true };
	struct job job = { .kind = JOB_REPLAY, .len = MAX_LEN };

	slot.worker = worker_create(&config, 0, NULL);
	assert_non_null(slot.worker);
	e->settings.max_len = 2 * MAX_LEN;
	grow_memory_tick(e);
	assert_int_equal(worker_max_len(slot.worker), MAX_LEN);
	assert_false(grow_memory_needed(&slot, &job));
	job.len = MAX_LEN + 1;
	assert_true(grow_memory_needed(&slot, &job));
	assert_true(slot.needs_memory);
	worker_destroy(slot.worker);
}

static void
test_next_change_ends_an_effect(void **state)
{
	struct engine *e = *state;

	limit_effects_note(e, "parallel", "2", "3");
	limit_effects_tick(e, false); /* too early */
	assert_true(e->effects.due);
	/* Also too early to be reported; nothing here could take the report. */
	limit_effects_note(e, "parallel", "3", "4");
	assert_string_equal(e->effects.effect.after, "4");
	limit_effects_tick(e, true);
	assert_false(e->effects.due);
}

static void
test_rate_before_a_pause(void **state)
{
	struct engine *e = *state;

	e->clock.paused = true;
	e->clock.pause_began_ns = clock_now_ns();
	e->effects.rate_at_pause = 1234;
	limit_effects_note(e, "timeout", "1s", "2s");
	assert_true(e->effects.effect.rate == 1234);
	assert_string_equal(e->effects.effect.limit, "timeout");
	assert_string_equal(e->effects.effect.before, "1s");
	assert_true(e->effects.effect.at_ns >= 99 * SECOND);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_check, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nobody_to_wait_for, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_job_too_long, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_next_change_ends_an_effect,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_rate_before_a_pause,
			set_up, tear_down),
	};

	return cmocka_run_group_tests_name("engine/grow_memory", tests, NULL,
		NULL);
}
