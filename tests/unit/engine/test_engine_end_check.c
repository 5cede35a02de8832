/*
 * test_engine_end_check: which limit ends a run and when, which calls a drain
 * ends, and how long a drain and the names of frames are waited for. Times are
 * made by moving the clock's start.
 *
 * FLAGS: -Wl,--wrap=worker_job -Wl,--wrap=worker_end_call -Wl,--wrap=worker_stop
 */
#include "lib/idle_engine.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "engine/corpus/warmup.h"
#include "engine/engine_end_check.h"
#include "engine/triage/triage.h"
#include "lib/fake_helper.h"
#include "lib/fake_worker.h"
#include "lib/own_note.h"

#define HOUR_S 3600ull

/* What the fake worker has to do; NULL: the true worker is asked. */
static const struct job *fake_job;
static unsigned calls_ended, stops;

const struct job *__real_worker_job(const struct worker *worker);
const struct job *__wrap_worker_job(const struct worker *worker);
void __wrap_worker_end_call(struct worker *worker);
void __real_worker_stop(struct worker *worker);
void __wrap_worker_stop(struct worker *worker);

const struct job *
__wrap_worker_job(const struct worker *worker)
{
	return fake_job != NULL ? fake_job : __real_worker_job(worker);
}

void
__wrap_worker_end_call(struct worker *worker)
{
	calls_ended++;
}

void
__wrap_worker_stop(struct worker *worker)
{
	stops++;
	__real_worker_stop(worker);
}

static void
open_engine(struct idle *idle, const struct tree *tree,
	const char *const *options)
{
	fake_job = NULL;
	calls_ended = stops = 0;
	idle_open(idle, tree, options);
	idle->engine->load.under_way = false;
}

/* ---- limits ----------------------------------------------------------------
 */

/* clang-format off */
static const struct limit_row {
	const char *name;
	const char *option, *value; /* NULL: none */
	uint64_t executions, elapsed_s, fuzzed_s, idle_s;
	enum end_reason why; /* END_NONE: it goes on */
	const char *line;    /* in the log; NULL: none about the end */
	bool loads, ci;
} LIMITS[] = {
	{ "no limit", NULL, NULL, 1u << 30, 9000, 9000, 9000, END_NONE, NULL, false, false },
	{ "one execution less", "fuzztime", "50x", 49, 9000, 9000, 9000, END_NONE, NULL, false, false },
	{ "executions", "fuzztime", "50x", 50, 10, 10, 0, END_LIMIT, NULL, false, false },
	{ "executions of seeds", "fuzztime", "50x", 50, 10, 10, 0, END_NONE, NULL, true, false },
	{ "a short time", "fuzztime", "1h", 50, 3500, 3500, 0, END_NONE, NULL, false, false },
	{ "time", "fuzztime", "1h", 50, 9000, 3700, 0, END_TIME, NULL, false, false },
	{ "a long warm-up", "fuzztime", "1h", 50, 9000, 10, 0, END_NONE, NULL, false, false },
	{ "a long warm-up in ci", "fuzztime", "1h", 50, 9000, 10, 0, END_TIME, NULL, false, true },
	{ "news came", "stop-after-idle", "1h", 50, 9000, 9000, 1700, END_NONE, NULL, false, false },
	{ "no news for half of the time", "stop-after-idle", "1h", 50, 9000, 9000, 1900, END_NONE, "the campaign ends after 1h", false, false },
	{ "no news", "stop-after-idle", "1h", 50, 9000, 9000, 3700, END_IDLE, "the campaign ends\n", false, false },
};
/* clang-format on */

static void
check_limit(const struct limit_row *row, const struct tree *tree)
{
	const char *options[] = { "parallel", "1", row->option, row->value,
		NULL };
	uint64_t now = clock_now_ns();
	struct idle idle;
	struct engine *e;

	open_engine(&idle, tree, options);
	e = idle.engine;
	e->settings.ci = row->ci;
	e->load.under_way = row->loads;
	e->counts.executions = row->executions;
	e->clock.start_ns = now - row->elapsed_s * CLOCK_NS_PER_S;
	e->clock.fuzz_start_ns = now - row->fuzzed_s * CLOCK_NS_PER_S;
	e->counts.news_s = (double)(row->elapsed_s - row->idle_s);
	engine_check_end(e);
	row_check(e->end.why == row->why, "%s: reason %d", row->name,
		(int)e->end.why);
	/* Nothing is left to do, so the drain is over at once. */
	row_check(e->end.stopping == (row->why != END_NONE), "%s", row->name);
	row_check(row->line != NULL
			? strstr(idle.lines, row->line) != NULL
			: strstr(idle.lines, "the campaign ends") == NULL,
		"%s: %s", row->name, idle.lines);
	row_check(idle_events(&idle, "idle") == (row->line != NULL), "%s",
		row->name);
	idle_close(&idle);
}

static void
test_limits(void **state)
{
	const struct limit_row *row;
	void *tree;

	for (row = LIMITS; row < LIMITS + ROWS(LIMITS); row++) {
		assert_int_equal(tree_open(&tree), 0);
		check_limit(row, tree);
		tree_close(&tree);
	}
}

/* Inputs that are known have nothing new, so the time begins after them. */
static void
test_warm_up_is_no_plateau(void **state)
{
	static const char *const options[] = { "stop-after-idle", "1h", NULL };
	struct idle idle;
	struct engine *e;

	open_engine(&idle, *state, options);
	e = idle.engine;
	e->load.warmup_total = e->load.warmup_left = 2;
	e->clock.start_ns = clock_now_ns() - 9 * HOUR_S * CLOCK_NS_PER_S;
	e->counts.news_s = 1;
	while (e->load.warmup_left > 0) {
		engine_check_end(e);
		warmup_end_input(e);
	}
	engine_check_end(e);
	assert_int_equal(e->end.why, END_NONE);
	assert_int_equal(idle_events(&idle, "idle"), 0);
	e->counts.news_s -= HOUR_S;
	engine_check_end(e);
	assert_int_equal(e->end.why, END_IDLE);
	idle_close(&idle);
}

/* In CI the time leaves no file of the folder out. */
static void
test_all_files_run_in_ci(void **state)
{
	static const char *const options[] = { "fuzztime", "1s", NULL };
	struct idle idle;
	struct engine *e;

	open_engine(&idle, *state, options);
	e = idle.engine;
	e->settings.ci = true;
	e->load.warmup_total = e->load.warmup_left = 2;
	e->clock.start_ns = clock_now_ns() - HOUR_S * CLOCK_NS_PER_S;
	while (e->load.warmup_left > 0) {
		engine_check_end(e);
		assert_int_equal(e->end.why, END_NONE);
		warmup_end_input(e);
	}
	engine_check_end(e);
	assert_int_equal(e->end.why, END_TIME);
	idle_close(&idle);
}

/* A plateau is announced once; something new ends it. */
static void
test_plateau_is_said_once(void **state)
{
	static const char *const options[] = { "stop-after-idle", "1h", NULL };
	static const struct {
		uint64_t idle_s, said;
	} steps[] = { { 1900, 1 }, { 2000, 1 }, { 10, 1 }, { 1900, 2 } };
	struct idle idle;
	size_t i;

	open_engine(&idle, *state, options);
	idle.engine->clock.start_ns =
		clock_now_ns() - 9 * HOUR_S * CLOCK_NS_PER_S;
	for (i = 0; i < ROWS(steps); i++) {
		idle.engine->counts.news_s =
			(double)(9 * HOUR_S - steps[i].idle_s);
		engine_check_end(idle.engine);
		assert_int_equal(idle_events(&idle, "idle"), steps[i].said);
	}
	assert_false(idle.engine->end.draining);
	idle_close(&idle);
}

/* ---- drains ----------------------------------------------------------------
 */

/* clang-format off */
static const struct call_row {
	const char *name;
	enum job_kind kind;
	bool minimizations, ended;
} CALLS[] = {
	{ "fuzzing", JOB_FUZZ, true, true },
	{ "the warm-up", JOB_WARMUP, true, true },
	{ "a second measurement", JOB_MEASURE, true, true },
	{ "trimming", JOB_MINIMIZE_COVERAGE, true, true },
	{ "a minimization", JOB_MINIMIZE_FAILURE, false, true },
	{ "a minimization that may end", JOB_MINIMIZE_FAILURE, true, false },
	{ "a replay", JOB_REPLAY, false, false },
	{ "a sequence", JOB_SEQUENCE, false, false },
};
/* clang-format on */

/* A drain ends the calls that look for something new. */
static void
test_calls(void **state)
{
	const struct call_row *row;
	void *tree;

	for (row = CALLS; row < CALLS + ROWS(CALLS); row++) {
		const struct job job = { .kind = row->kind };
		static const char *const none[] = { "parallel", "1", NULL };
		struct idle idle;

		assert_int_equal(tree_open(&tree), 0);
		open_engine(&idle, tree, none);
		fake_job = &job;
		engine_drain(idle.engine, END_USER, row->minimizations);
		row_check((calls_ended > 0) == row->ended, "%s", row->name);
		row_check(!idle.engine->end.stopping, "%s", row->name);
		fake_job = NULL;
		engine_check_end(idle.engine);
		row_check(idle.engine->end.stopping, "%s", row->name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* clang-format off */
static const struct bound_row {
	const char *name;
	enum end_reason why;
	const char *deterministic;
	bool bounded;
} BOUNDS[] = {
	{ "executions", END_LIMIT, "off", true },
	{ "executions, without a clock", END_LIMIT, "on", false },
	{ "time", END_TIME, "off", true },
	{ "the user", END_USER, "off", false },
};
/* clang-format on */

/* A drain that is late stops the worker that is still busy. */
static void
test_late_drain(void **state)
{
	static const struct job replay = { .kind = JOB_REPLAY };
	const struct bound_row *row;
	void *tree;

	for (row = BOUNDS; row < BOUNDS + ROWS(BOUNDS); row++) {
		const char *const options[] = { "parallel", "1", "finish-time",
			"1h", "deterministic", row->deterministic, NULL };
		struct idle idle;
		struct engine *e;

		assert_int_equal(tree_open(&tree), 0);
		open_engine(&idle, tree, options);
		e = idle.engine;
		fake_job = &replay;
		engine_drain(e, row->why, false);
		row_check((e->end.drain_ns != 0) == row->bounded, "%s",
			row->name);
		row_check(!e->end.stopping && stops == 0, "%s", row->name);
		if (row->bounded)
			e->end.drain_ns = 1; /* long ago */
		engine_check_end(e);
		row_check(e->end.stopping == row->bounded, "%s", row->name);
		/* engine_stop() stops all workers, then the busy one again. */
		row_check(stops == (row->bounded ? 2 : 0), "%s: %u", row->name,
			stops);
		row_check(e->end.why == row->why, "%s", row->name);
		fake_job = NULL;
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* Of the last 70 s a pause has taken 30, and it is over or not: a minute is not
 * over. */
static void
test_pause_in_drain(void **state)
{
	static const char *const options[] = { "parallel", "1", "finish-time",
		"60s", NULL };
	static const struct job replay = { .kind = JOB_REPLAY };
	struct idle idle;
	struct engine *e;

	open_engine(&idle, *state, options);
	e = idle.engine;
	fake_job = &replay;
	e->clock.paused_ns = 500 * CLOCK_NS_PER_S; /* earlier ones */
	engine_drain(e, END_TIME, false);
	e->end.drain_ns -= 70 * CLOCK_NS_PER_S;
	e->clock.paused = true;
	e->clock.pause_began_ns = clock_now_ns() - 30 * CLOCK_NS_PER_S;
	engine_check_end(e);
	assert_false(e->end.stopping);
	run_clock_set_paused(&e->clock, false);
	engine_check_end(e);
	assert_false(e->end.stopping);
	e->end.drain_ns -= 20 * CLOCK_NS_PER_S;
	engine_check_end(e);
	assert_true(e->end.stopping);
	fake_job = NULL;
	idle_close(&idle);
}

/* clang-format off */
static const struct rerun_row {
	const char *name;
	enum end_reason why;
	bool ci;
	enum failure_kind kind; /* a hang takes longer than the drain */
	unsigned verify;
	bool begins;
} RERUNS[] = {
	{ "a campaign", END_TIME, false, FAILURE_SIGNAL, 3, false },
	{ "time in ci", END_TIME, true, FAILURE_SIGNAL, 3, true },
	{ "executions in ci", END_LIMIT, true, FAILURE_SIGNAL, 3, true },
	{ "nothing new in ci", END_IDLE, true, FAILURE_SIGNAL, 3, true },
	{ "the user in ci", END_USER, true, FAILURE_SIGNAL, 3, false },
	{ "a hang in ci", END_TIME, true, FAILURE_HANG, 3, false },
	{ "without replays in ci", END_TIME, true, FAILURE_SIGNAL, 0, false },
};
/* clang-format on */

/* In CI the inputs may take all the time, so findings of other builds have their
 * turn in the drain. */
static void
test_reruns(void **state)
{
	static const char *const options[] = { "parallel", "1", "finish-time",
		"60s", "timeout", "120s", NULL };
	const struct rerun_row *row;
	void *tree;

	for (row = RERUNS; row < RERUNS + ROWS(RERUNS); row++) {
		struct idle idle;
		struct engine *e;
		struct finding *f;

		assert_int_equal(tree_open(&tree), 0);
		open_engine(&idle, tree, options);
		e = idle.engine;
		e->settings.ci = row->ci;
		idle_fail(&idle, FAILURE_SIGNAL, 11, 0x10, "boom");
		f = findings_at(e, 0);
		finding_move(f, FINDING_RERUN);
		f->seen = SEEN_BEFORE;
		f->failure.kind = row->kind;
		e->settings.verify = row->verify;
		engine_drain(e, row->why, false);
		row_check(e->end.stopping != row->begins, "%s: stop",
			row->name);
		triage_rerun_next(e, engine_drain_left_ms(e));
		row_check((f->state == FINDING_VERIFYING) == row->begins, "%s",
			row->name);
		row_check((f->state == FINDING_RERUN) != row->begins, "%s",
			row->name);
		row_check((f->seen == SEEN_BEFORE) != row->begins, "%s",
			row->name);
		if (row->begins)
			e->end.drain_ns = 1; /* long ago */
		engine_check_end(e);
		row_check(e->end.stopping, "%s: no end", row->name);
		f->failure.kind = FAILURE_SIGNAL;
		idle_close(&idle);
		tree_close(&tree);
	}
}

/* The first reason counts. */
static void
test_first_reason(void **state)
{
	static const char *const none[] = { "parallel", "1", NULL };
	static const struct job replay = { .kind = JOB_REPLAY };
	struct idle idle;

	open_engine(&idle, *state, none);
	fake_job = &replay;
	engine_drain(idle.engine, END_TIME, false);
	engine_drain(idle.engine, END_USER, true);
	assert_int_equal(idle.engine->end.why, END_TIME);
	assert_true(idle.engine->end.drain_minimize);
	fake_job = NULL;
	idle_close(&idle);
}

/* ---- names -----------------------------------------------------------------
 */

/* Missing names delay the end for some seconds at most, unless no clock counts. A
 * second is not enough for a helper that a busy machine starts. */
static void
test_names(void **state)
{
	static const char *const options[] = { "parallel", "1", "seed", "1",
		NULL };
	struct idle idle;
	struct engine *e;
	uint64_t names_ns;

	open_engine(&idle, *state, options);
	e = idle.engine;
	assert_true(engine_names_settled(e));
	idle_fail(&idle, FAILURE_SIGNAL, 11, 0x10, "boom");
	assert_false(engine_names_settled(e)); /* it does not stop yet */
	e->end.names_ns = clock_now_ns() + HOUR_S * CLOCK_NS_PER_S;
	assert_false(engine_names_settled(e));
	e->settings.finish_time_ms = 60000; /* for the names, too */
	engine_drain(e, END_TIME, false);
	assert_true(e->end.names_ns == e->end.drain_ns);
	e->settings.finish_time_ms = 1000;
	names_ns = e->end.names_ns;
	engine_drain(e, END_TIME, false);
	assert_true(e->end.names_ns < names_ns);
	assert_true(e->end.names_ns > e->end.drain_ns);
	names_ns = e->end.names_ns;
	engine_stop(e, END_TIME); /* it may get later, not earlier */
	assert_true(e->end.names_ns >= names_ns);
	e->end.names_ns = clock_now_ns() + HOUR_S * CLOCK_NS_PER_S;
	engine_stop(e, END_USER); /* who does not want to wait */
	assert_true(e->end.names_ns < clock_now_ns() + CLOCK_NS_PER_S * 2);
	e->end.names_ns = clock_now_ns() - 1;
	assert_true(engine_names_settled(e));
	e->settings.deterministic = true;
	assert_false(engine_names_settled(e));
	e->settings.deterministic = false;
	e->end.names_ns = 0;
	idle_settle(&idle);
	assert_true(engine_names_settled(e));
	idle_close(&idle);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits),
		ROW(test_warm_up_is_no_plateau),
		ROW(test_all_files_run_in_ci),
		ROW(test_plateau_is_said_once),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_late_drain),
		ROW(test_pause_in_drain),
		cmocka_unit_test(test_reruns),
		ROW(test_first_reason),
		ROW(test_names),
	};

	fake_worker_main(argv);
	fake_helper_main(argc, argv);
	return cmocka_run_group_tests_name("engine_end_check", tests, NULL,
		NULL);
}
