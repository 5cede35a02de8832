/*
 * Minimizations under way: what counts as their time, and how long ended ones
 * are kept.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/xmalloc.h"
#include "engine/schedule/finding_budget.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/triage.h"
#include "lib/whole_engine.h"
#include "worker/worker.h"

#define N (MINIMIZE_TASKS_ENDED + 2u)

static struct engine *
open_engine(void)
{
	struct engine *e = xcalloc(1, sizeof(*e));

	settings_init(&e->settings);
	e->campaign.corpus = corpus_create(SIZE_MAX, NULL, NULL);
	return e;
}

static void
close_engine(struct engine *e)
{
	minimize_tasks_clear(e);
	corpus_destroy(e->campaign.corpus);
	settings_clear(&e->settings);
	free(e);
}

static struct minimize_task *
begin(struct engine *e, uint8_t number)
{
	const uint8_t data[] = { number, 1, 2, 3 };

	return minimize_tasks_of_entry(e,
		corpus_add(e->campaign.corpus, data, sizeof(data), CORPUS_NONE,
			NULL));
}

/*
 * Code that ends a task goes on to read it, even when others ended later. Old
 * tasks are freed by the tick.
 */
static void
test_end_of_an_old_one(void **state)
{
	struct engine *e = open_engine();
	struct minimize_task *m[N];
	unsigned i;

	for (i = 0; i < N; i++)
		m[i] = begin(e, (uint8_t)i);
	for (i = N; i-- > 0;) {
		minimize_tasks_finish(e, m[i], "no time was left");
		assert_true(whole_engine_has(e, m[i]));
		assert_true(m[i]->ended);
	}
	minimize_tasks_tick(e, 0);
	assert_int_equal(e->minimize.n, MINIMIZE_TASKS_ENDED);
	for (i = 0; i < N; i++)
		assert_int_equal(whole_engine_has(e, m[i]),
			i >= N - MINIMIZE_TASKS_ENDED);
	close_engine(e);
}

/* A task that goes on is never freed. */
static void
test_one_that_goes_on(void **state)
{
	struct engine *e = open_engine();
	struct minimize_task *first = begin(e, 0);
	unsigned i;

	for (i = 1; i < N + 2; i++)
		minimize_tasks_finish(e, begin(e, (uint8_t)i), "it was enough");
	minimize_tasks_tick(e, 0);
	assert_int_equal(e->minimize.n, MINIMIZE_TASKS_ENDED + 1);
	assert_true(whole_engine_has(e, first));
	assert_true(minimize_tasks_any(e));
	close_engine(e);
}

/* ---- minimizetime ---------------------------------------------------------- */

/* A try that killed the worker, as long as the engine saw it. */
static void
lose(struct engine *e, struct minimize_task *m, uint64_t took_ms)
{
	const struct worker_result r = { .count = 1,
		.took_ns = took_ms * 1000000,
		.lost = true,
		.failure = { .kind = FAILURE_SIGNAL, .what = "SIGSEGV" } };
	struct job job = { .data = NULL };

	assert_true(minimize_tasks_job(e, m, &job));
	minimize_tasks_on_result(e, &e->pool.slots[1], m, &r);
}

static void
set_time(struct engine *e, const char *value)
{
	struct error err = { 0 };

	assert_int_equal(settings_set(&e->settings, "minimizetime", value,
				 ORIGIN_KEY, &err),
		OK);
}

static struct minimize_task *
begin_short(struct engine *e)
{
	struct minimize_task *m = begin(e, 0);

	set_time(e, "60s");
	m->driver.verified = true;
	return m;
}

static void
test_time_of_losses(void **state)
{
	struct engine *e = open_engine();
	struct minimize_task *m = begin_short(e);

	lose(e, m, 20000);
	lose(e, m, 20000);
	assert_true(m->driver.alone);
	assert_false(m->ended);
	lose(e, m, 20000);
	assert_true(m->ended);
	close_engine(e);
}

/* So does the start of its next worker. */
static void
test_time_of_starts(void **state)
{
	struct engine *e = open_engine();
	struct minimize_task *m = begin_short(e);

	lose(e, m, 0);
	m->lost_ns -= 4000000000;
	finding_budget_charge_start(e, &e->pool.slots[0]);
	assert_int_equal(m->used_ns, 0);
	finding_budget_charge_start(e, &e->pool.slots[1]);
	assert_true(m->used_ns >= 4000000000);
	m->used_ns = 0;
	finding_budget_charge_start(e, &e->pool.slots[1]);
	assert_int_equal(m->used_ns, 0);
	/* The time of a user who steps does not count. */
	m->driver.by_steps = true;
	lose(e, m, 61000);
	finding_budget_charge_start(e, &e->pool.slots[1]);
	assert_int_equal(m->used_ns, 0);
	assert_false(m->ended);
	close_engine(e);
}

/* A limit that was used up meanwhile, as by a start, leaves no call without
 * one. */
static void
test_used_up(void **state)
{
	struct engine *e = open_engine();
	struct minimize_task *m = begin_short(e);
	struct job job = { .data = NULL };

	m->used_ns = 61000000000;
	assert_true(minimize_tasks_job(e, m, &job));
	assert_int_equal(job.budget_ms, 1);
	set_time(e, "10x");
	m->driver.count = 10;
	job = (struct job){ .data = NULL };
	assert_true(minimize_tasks_job(e, m, &job));
	assert_int_equal(job.limit, 1);
	close_engine(e);
}

/* A worker that refuses each call ends it, though a deterministic run knows no
 * time, and nothing is executed. */
static void
test_refused(void **state)
{
	const struct worker_result r = { .end = CALL_REFUSED,
		.failure = { .kind = FAILURE_PROTOCOL } };
	struct engine *e = open_engine();
	struct minimize_task *m = begin_short(e);

	e->settings.deterministic = true;
	for (unsigned i = 0; i < MINIMIZATION_IN_VAIN; i++) {
		struct job job = { .data = NULL };

		assert_true(minimize_tasks_job(e, m, &job));
		minimize_tasks_on_result(e, &e->pool.slots[1], m, &r);
	}
	assert_true(m->ended);
	close_engine(e);
}

/* clang-format off */
static const struct off_row {
	const char *name;
	bool verified, busy, asking, asked;
	bool ended;
} OFF[] = {
	{ "it goes on", true, false, false, false, true },
	{ "before its first try", false, false, false, false, true },
	{ "a worker has it", true, true, false, false, false },
	{ "it waits for names", true, false, true, false, false },
	{ "the user asked for it", true, false, false, true, false },
};
/* clang-format on */

/* 0 ends what nobody asked for; its best input is kept. */
static void
test_turned_off(void **state)
{
	const struct off_row *row;
	struct minimize_task *m;
	struct engine *e;

	for (row = OFF; row < OFF + ROWS(OFF); row++) {
		e = open_engine();
		m = begin_short(e);
		m->driver.verified = row->verified;
		m->driver.asking = row->asking;
		m->busy = row->busy;
		m->asked = row->asked;
		minimize_tasks_advance(e, m);
		row_check(!m->ended, "%s: before", row->name);
		set_time(e, "0");
		triage_on_minimizetime(e);
		row_check(m->ended == row->ended, "%s", row->name);
		close_engine(e);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_end_of_an_old_one),
		cmocka_unit_test(test_one_that_goes_on),
		cmocka_unit_test(test_time_of_losses),
		cmocka_unit_test(test_time_of_starts),
		cmocka_unit_test(test_used_up),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_turned_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
