/* The share of a worker's time that findings get. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/schedule/finding_budget.h"
#include "engine/triage/minimize_tasks.h"
#include "findings/finding.h"

#define MS 1000000ull

struct fixture {
	struct engine *e;
	struct slot *slot;
	struct finding *finding;
};

static int
set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));

	f->e = xcalloc(1, sizeof(*f->e));
	f->slot = &f->e->pool.slots[0];
	f->finding = xcalloc(1, sizeof(*f->finding));
	settings_init(&f->e->settings);
	f->e->pool.n = 1;
	f->slot->wanted = true;
	*state = f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture *f = *state;

	settings_clear(&f->e->settings);
	free(f->finding);
	free(f->e);
	free(f);
	return 0;
}

/* Charges a result; returns whether findings may have time then. */
static bool
charge(struct fixture *f, enum job_kind kind, uint64_t ms, uint64_t count)
{
	struct worker_result r = { .job.kind = kind,
		.took_ns = ms * MS,
		.count = count };

	if (kind != JOB_FUZZ)
		job_set_finding(&r.job, f->finding);
	finding_budget_charge(f->e, f->slot, &r);
	return finding_budget_has_time(f->slot);
}

static void
test_quarter(void **state)
{
	static const enum job_kind kinds[] = { JOB_REPLAY, JOB_SEQUENCE,
		JOB_MINIMIZE_FAILURE };
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		f->slot->owed = 0;
		assert_true(finding_budget_has_time(f->slot));
		assert_false(charge(f, kinds[i], 100, 1));
		assert_false(charge(f, JOB_FUZZ, 299, 1));
		assert_true(charge(f, JOB_FUZZ, 1, 1));
	}
}

/* The price of a finding includes the worker start it made necessary. */
static void
test_start(void **state)
{
	struct fixture *f = *state;

	(void)charge(f, JOB_REPLAY, 0, 1);
	f->slot->result_ns = clock_now_ns() - 100 * MS;
	finding_budget_charge_start(f->e, f->slot);
	assert_true(f->slot->finding_ns >= 100 * MS);
	assert_false(charge(f, JOB_FUZZ, 299, 1));
	f->slot->owed = 0;
	f->slot->result_ns = clock_now_ns() - 100 * MS;
	finding_budget_charge_start(f->e, f->slot);
	assert_true(finding_budget_has_time(f->slot));
}

/* A start after a failure of fuzzing is fuzzing's, and counts once. */
static void
test_start_of_fuzzing(void **state)
{
	struct fixture *f = *state;

	(void)charge(f, JOB_REPLAY, 4000, 1);
	assert_false(charge(f, JOB_FUZZ, 0, 1));
	f->slot->result_ns = clock_now_ns() - 8000 * MS;
	finding_budget_charge_start(f->e, f->slot);
	assert_false(finding_budget_has_time(f->slot));
	finding_budget_charge_start(f->e, f->slot);
	assert_int_equal(f->slot->result_ns, 0);
	assert_int_equal(f->slot->finding_ns, 4000 * MS);
	(void)charge(f, JOB_FUZZ, 0, 1);
	f->slot->result_ns = clock_now_ns() - 4000 * MS;
	finding_budget_charge_start(f->e, f->slot);
	assert_true(finding_budget_has_time(f->slot));
}

/* Credit from fuzzing is limited, even after hours. */
static void
test_saved(void **state)
{
	struct fixture *f = *state;

	(void)charge(f, JOB_FUZZ, 3600000, 1);
	assert_true(charge(f, JOB_SEQUENCE, 200, 1));
	assert_false(charge(f, JOB_SEQUENCE, 200, 1));
}

static void
test_asked(void **state)
{
	struct fixture *f = *state;
	struct minimize_task m = { .asked = true };

	f->finding->minimization = &m;
	assert_true(charge(f, JOB_MINIMIZE_FAILURE, 60000, 1));
	assert_int_equal(f->slot->finding_ns, 0);
	f->slot->owed = 1;
	finding_budget_charge_start(f->e, f->slot);
	assert_int_equal(f->slot->owed, 1);
}

/* A deterministic run counts executions, whatever time they take. */
static void
test_deterministic(void **state)
{
	struct fixture *f = *state;

	f->e->settings.deterministic = true;
	assert_true(charge(f, JOB_REPLAY, 60000, 0));
	assert_false(charge(f, JOB_SEQUENCE, 0, 1000));
	assert_false(charge(f, JOB_FUZZ, 0, 2999));
	f->slot->result_ns = clock_now_ns() - 60000 * MS;
	finding_budget_charge_start(f->e, f->slot);
	assert_false(finding_budget_has_time(f->slot));
	assert_true(charge(f, JOB_FUZZ, 0, 1));
	assert_int_equal(finding_budget_room_ms(f->e, false), UINT64_MAX);
}

/* A call that cannot be shortened has to fit the campaign. */
static void
test_room(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(finding_budget_room_ms(f->e, false), 5000);
	assert_int_equal(finding_budget_room_ms(f->e, true), UINT64_MAX);
	f->e->settings.fuzztime.duration_ms = 8000;
	assert_int_equal(finding_budget_room_ms(f->e, false), 2000);
	f->slot->finding_ns = 500 * MS;
	assert_int_equal(finding_budget_room_ms(f->e, false), 1500);
	f->e->earlier.elapsed_s = 8;
	assert_int_equal(finding_budget_room_ms(f->e, false), 3500);
	f->slot->finding_ns = 60000 * MS;
	assert_int_equal(finding_budget_room_ms(f->e, false), 250);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_quarter, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_start, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_start_of_fuzzing, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_saved, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_asked, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_deterministic, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(test_room, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
