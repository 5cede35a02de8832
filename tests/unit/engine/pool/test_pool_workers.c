/*
 * Workers that were given up, their number, and pauses: no process runs here. A
 * worker that waits for its start is there, one that is down for good is not.
 */
#include "lib/tree.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <jansson.h>

#include "base/rlimits.h"
#include "engine/engine_end.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/triage/triage.h"
#include "lib/fake_worker.h"
#include "lib/own_note.h"
#include "lib/whole_engine.h"
#include "worker/process.h"
#include "worker/worker_private.h"

#define WORKERS 3u
#define FDS_MIN 128u /* descriptors that FDS needs at most */

static const char *const three[] = { "parallel", "3", NULL };

/* What is said of workers. */
struct said {
	unsigned events, warnings;
};

/* arg: where to count; NULL: nowhere. */
static void
on_report(void *arg, const struct report *report)
{
	struct said *said = arg;
	const char *kind = NULL;

	if (said == NULL)
		return;
	if (report->kind == REPORT_LINE)
		said->warnings +=
			strstr(report->text, "warning: worker ") != NULL;
	if (report->kind != REPORT_EVENT ||
		json_unpack((json_t *)report->event, "{s:s}", "event", &kind) !=
			0)
		return;
	said->events += strcmp(kind, "worker") == 0;
}

static void
give(struct engine *e, const char *line)
{
	struct error err = { 0 };
	char answer[256];

	if (whole_engine_command(e, line, answer, sizeof(answer), &err) != OK)
		fail_msg("%s: %s", line, err.text);
}

/* Workers as letters: w waits for its start, x is given up, - is not wanted. */
static void
set_workers(struct engine *e, const char *workers)
{
	uint32_t i;

	for (i = 0; i < WORKERS; i++) {
		pool_at(e, i)->wanted = workers[i] != '-';
		pool_at(e, i)->restart_ns = workers[i] == 'w';
		pool_at(e, i)->vain_starts = workers[i] == 'x' ? 6 : 0;
	}
}

static void
look(const struct engine *e, const char *name, const char *workers)
{
	char is[WORKERS + 1] = "";
	uint32_t i;

	for (i = 0; i < WORKERS; i++)
		is[i] = !pool_at(e, i)->wanted          ? '-'
			: pool_at(e, i)->restart_ns > 0 ? 'w'
							: 'x';
	if (strcmp(is, workers) != 0)
		fail_msg("%s: %s, not %s", name, is, workers);
}

/* clang-format off */
static const struct row {
	const char *before, *line, *after;
} GIVEN_UP[] = {
	{ "www", "workers 2", "ww-" },
	{ "w--", "workers 3", "www" },
	/* Those that are there stay. */
	{ "xww", "workers 1", "-w-" },
	{ "xww", "workers 2", "-ww" },
	{ "xxw", "workers 1", "--w" },
	/* One that was given up is tried again. */
	{ "xww", "workers 3", "www" },
	{ "xw-", "workers 2", "ww-" },
	{ "xw-", "workers 3", "www" },
	{ "xw-", "set parallel 2", "ww-" },
	{ "xww", "stop 0", "www" },
	{ "wxx", "stop 2", "wxw" },
};
/* clang-format on */

static void
test_given_up(void **state)
{
	struct engine *e =
		whole_engine_open(*state, "good", three, -1, on_report, NULL);
	size_t i;

	for (i = 0; i < ROWS(GIVEN_UP); i++) {
		set_workers(e, GIVEN_UP[i].before);
		give(e, GIVEN_UP[i].line);
		look(e, GIVEN_UP[i].line, GIVEN_UP[i].after);
	}
	engine_destroy(e);
}

/* A worker that the user wants again before it has ended waits for no start until
 * then. */
static void
test_wanted_again(void **state)
{
	struct engine *e =
		whole_engine_open(*state, "good", three, -1, on_report, NULL);

	e->pool.any_ready = true;
	set_workers(e, "ww-");
	pool_worker(e, 2)->state = WORKER_STOPPING;
	give(e, "workers 3");
	look(e, "it is to end", "wwx");
	pool_worker(e, 2)->state = WORKER_DOWN;
	e->pool.handlers.on_down(e, pool_worker(e, 2), true, "exit status 0");
	look(e, "it has ended", "www");
	engine_destroy(e);
}

/* clang-format off */
static const struct pause_row {
	const char *name, *workers, *lines[4];
	bool campaign;      /* paused after that? */
	const char *paused; /* which workers are: p */
} PAUSES[] = {
	{ "one", "ww-", { "pause 1" }, false, ".p." },
	{ "one after the other", "ww-", { "pause 1", "pause 0" }, true, "pp." },
	{ "resume means all", "www", { "pause 1", "pause 2", "resume" }, false, "..." },
	{ "one goes on", "ww-", { "pause", "resume 1" }, false, "p.." },
	{ "then all", "ww-", { "pause", "resume 1", "resume" }, false, "..." },
	{ "only paused ones are left", "ww-", { "pause 0", "workers 1" }, true, "p.." },
	{ "and go on", "ww-", { "pause 0", "workers 1", "resume" }, false, "..." },
	{ "nobody waits for one that was given up", "wx-", { "pause 0" }, true, "pp." },
	{ "one more in a pause", "w--", { "pause", "workers 2", "pause 1" }, true, "pp." },
	{ "one more", "w--", { "pause 0", "workers 2", "resume 0" }, false, ".p." },
	{ "end", "ww-", { "pause 1", "pause 0", "quit minimized" }, false, "..." },
};
/* clang-format on */

static void
check_pause(struct engine *e, const struct pause_row *row)
{
	uint32_t i;

	for (i = 0; i < 4 && row->lines[i] != NULL; i++)
		give(e, row->lines[i]);
	row_check(engine_paused(e) == row->campaign, "%s", row->name);
	row_check(!engine_stopping(e), "%s", row->name);
	for (i = 0; i < WORKERS; i++)
		row_check(worker_paused(pool_worker(e, i)) ==
				(row->paused[i] == 'p'),
			"%s: worker %u", row->name, i);
}

static void
test_pauses(void **state)
{
	struct engine *e =
		whole_engine_open(*state, "good", three, -1, on_report, NULL);
	size_t i;

	whole_engine_add_replay(e);
	for (i = 0; i < ROWS(PAUSES); i++) {
		set_workers(e, "www");
		give(e, "resume");
		set_workers(e, PAUSES[i].workers);
		check_pause(e, &PAUSES[i]);
	}
	engine_destroy(e);
}

/* It would be the only one to go on, while the clock runs. */
static void
test_resume_given_up(void **state)
{
	struct engine *e =
		whole_engine_open(*state, "good", three, -1, on_report, NULL);
	struct error err = { 0 };
	char answer[256];

	set_workers(e, "xw-");
	give(e, "pause");
	assert_int_equal(whole_engine_command(e, "resume 0", answer,
				 sizeof(answer), &err),
		E_STATE);
	assert_string_equal(err.text,
		"worker 0 no longer starts; stop 0 tries again");
	assert_true(engine_paused(e));
	give(e, "stop 0");
	give(e, "resume 0");
	assert_false(engine_paused(e));
	assert_false(worker_paused(pool_worker(e, 0)));
	assert_true(worker_paused(pool_worker(e, 1)));
	engine_destroy(e);
}

/* clang-format off */
static const struct fds_row {
	const char *name, *workers, *line;
	uint64_t room; /* for so many new workers, if none waited */
	uint32_t n;    /* that are wanted then */
	const char *answer;
	bool told; /* why there are no more */
} FDS[] = {
	{ "enough for all", "xxx", "workers 8", 8, 8, "8 workers", false },
	/* A worker that has not started yet takes half as many. */
	{ "those that wait come first", "www", "workers 8", 4, 5, "5 workers", true },
	{ "by the limit's name", "www", "set parallel 8", 4, 5, "parallel is now 5", true },
	{ "not one more", "www", "workers +1", 2, 3, "3 workers", true },
	{ "one that was there before", "ww-", "workers 3", 1, 3, "3 workers", false },
};
/* clang-format on */

static void
check_fds(struct engine *e, const struct fds_row *row, struct said *said)
{
	struct error err = { 0 };
	struct rlimit before, now;
	char answer[256], why[RLIMITS_TEXT_MAX];
	enum status status;

	set_workers(e, row->workers);
	said->events = 0;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	now = before;
	now.rlim_cur = 0;
	do {
		now.rlim_cur++;
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &now), 0);
	} while (process_workers_room(row->room, 0, why, sizeof(why)) <
		row->room);
	status = whole_engine_command(e, row->line, answer, sizeof(answer),
		&err);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	row_check(status == OK, "%s: %s", row->name, err.text);
	row_check(strcmp(answer, row->answer) == 0, "%s: %s", row->name,
		answer);
	row_check(pool_wanted(e) == row->n && e->settings.parallel == row->n,
		"%s: %u", row->name, pool_wanted(e));
	row_check(said->events == row->told, "%s: %u events", row->name,
		said->events);
}

/* All workers that the answer names have descriptors to start with. */
static void
test_descriptors(void **state)
{
	struct said said = { 0 };
	struct rlimit limit;
	struct engine *e;
	size_t i;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	if (limit.rlim_max < FDS_MIN)
		skip();
	for (i = 0; i < ROWS(FDS); i++) {
		e = whole_engine_open(*state, "good", three, -1, on_report,
			&said);
		check_fds(e, &FDS[i], &said);
		engine_destroy(e);
	}
}

/* clang-format off */
static const struct refused_row {
	const char *line;
	enum status status;
} REFUSED[] = {
	{ "workers 2", E_STATE },
	{ "workers +1", E_STATE },
	{ "set parallel 2", E_STATE },
	{ "workers 1", OK },
	{ "set parallel 1", OK },
};
/* clang-format on */

/* All workers would write their inputs to the one file. */
static void
test_one_input_file(void **state)
{
	static const char *const options[] = { "parallel", "1", NULL };
	struct engine *e =
		whole_engine_open(*state, "good", options, -1, on_report, NULL);
	char answer[256];
	size_t i;

	assert_int_equal(settings_set(&e->settings, "input-file", "in",
				 ORIGIN_FLAG, NULL),
		OK);
	for (i = 0; i < ROWS(REFUSED); i++) {
		struct error err = { 0 };

		row_check(whole_engine_command(e, REFUSED[i].line, answer,
				  sizeof(answer), &err) == REFUSED[i].status,
			"%s: %s", REFUSED[i].line, err.text);
		row_check(pool_wanted(e) == 1 && e->settings.parallel == 1,
			"%s", REFUSED[i].line);
	}
	engine_destroy(e);
}

/* The last worker is one that the engine has stopped: it says nothing of why. */
static void
test_last_reason(void **state)
{
	struct engine *e =
		whole_engine_open(*state, "good", three, -1, on_report, NULL);
	const struct worker_handlers *on = &e->pool.handlers;

	e->pool.any_ready = true;
	set_workers(e, "xw-");
	on->on_down(e, pool_worker(e, 0), false, "signal: killed");
	look(e, "given up", "xw-");
	assert_string_equal(engine_failure(e), "");
	set_workers(e, "x--");
	on->on_down(e, pool_worker(e, 1), true, "exit status 0");
	assert_string_equal(engine_failure(e),
		"no worker is left: signal: killed");
	engine_destroy(e);
}

/* The last worker was stopped because it is not like the first one. */
static void
test_last_types(void **state)
{
	struct engine *e =
		whole_engine_open(*state, "good", three, -1, on_report, NULL);
	const struct worker_handlers *on = &e->pool.handlers;
	const struct rpc_reply ping = { .kind = RPC_PING };

	e->pool.any_ready = true;
	e->target.types = (struct tuple_types){ 1, { VALUE_INT8 } };
	set_workers(e, "x--");
	on->on_ready(e, pool_worker(e, 0), &ping);
	look(e, "stopped", "---");
	on->on_down(e, pool_worker(e, 0), true, "exit status 0");
	assert_string_equal(engine_failure(e),
		"no worker is left: its types are not those of the first "
		"worker");
	engine_destroy(e);
}

/* clang-format off */
static const struct leaks_row {
	const char *name;
	bool past; /* a campaign that is over: nothing is noted of its build */
	enum rpc_leaks first, second; /* what two workers answer */
	bool unseen;
} LEAKS[] = {
	{ "both find them", false, LEAKS_FOUND, LEAKS_FOUND, false },
	{ "the first one does not", false, LEAKS_BROKEN, LEAKS_FOUND, true },
	{ "the second one does not", false, LEAKS_FOUND, LEAKS_BROKEN, true },
	{ "after the end", true, LEAKS_BROKEN, LEAKS_FOUND, true },
};
/* clang-format on */

/* Nobody knows which worker runs an input: if one of them finds no leaks, a run
 * without a leak says nothing. */
static void
test_leaks(void **state)
{
	for (size_t i = 0; i < ROWS(LEAKS); i++) {
		const struct leaks_row *row = &LEAKS[i];
		struct rpc_reply ping = { .kind = RPC_PING };
		struct engine *e = whole_engine_open(*state, "good", three, -1,
			on_report, NULL);
		const struct worker_handlers *on = &e->pool.handlers;

		e->pool.any_ready = row->past;
		ping.leaks = row->first;
		on->on_ready(e, pool_worker(e, 0), &ping);
		ping.leaks = row->second;
		on->on_ready(e, pool_worker(e, 1), &ping);
		row_check(program_leaks_unseen(e) == row->unseen, "%s",
			row->name);
		engine_destroy(e);
	}
}

/* clang-format off */
static const struct renewed_row {
	const char *name, *workers, *line;
	bool stop, down; /* the campaign; worker 2 after that */
	uint32_t jobs;   /* of the finding, then */
} RENEWED[] = {
	{ "it is to start", "www", NULL, false, false, 1 },
	{ "nobody retires", "www", "workers 3", false, false, 1 },
	{ "it retires", "www", "workers 2", false, false, 0 },
	{ "the campaign ends", "www", NULL, true, false, 0 },
	{ "it goes down at the end", "wwx", NULL, true, true, 0 },
	{ "it goes down", "wwx", NULL, false, true, 1 },
};
/* clang-format on */

/* A start for a replay that must be fresh counts as long as it is to come. */
static void
test_renewed(void **state)
{
	const struct finding *f = (const struct finding *)&RENEWED;
	const struct renewed_row *row;
	struct engine *e;

	for (row = RENEWED; row < RENEWED + ROWS(RENEWED); row++) {
		e = whole_engine_open(*state, "good", three, -1, on_report,
			NULL);
		e->pool.any_ready = true;
		set_workers(e, row->workers);
		pool_at(e, 2)->renewed_for = f;
		pool_at(e, 2)->needs_process = row->down;
		if (row->line != NULL)
			give(e, row->line);
		if (row->stop)
			engine_stop(e, END_TIME);
		if (row->down)
			e->pool.handlers.on_down(e, pool_worker(e, 2), true,
				"exit status 0");
		row_check(pool_jobs_of(e, f) == row->jobs, "%s", row->name);
		engine_destroy(e);
	}
}

/* A worker that dies again and again does not fill the journal; a new reason is
 * told. */
static void
test_said_less(void **state)
{
	static const char *const whys[] = { "signal: aborted",
		"exit status 3" };
	const struct worker_result r = {
		.failure = { .kind = FAILURE_SIGNAL, .text = "it died" },
	};
	struct said said = { 0 };
	unsigned i, at;
	struct engine *e =
		whole_engine_open(*state, "good", three, -1, on_report, &said);
	const struct worker_handlers *on = &e->pool.handlers;

	e->pool.any_ready = true;
	for (at = 0; at < ROWS(whys); at++) {
		said.events = 0;
		for (i = 0; i < 1000; i++) {
			set_workers(e, "www");
			on->on_down(e, pool_worker(e, 0), false, whys[at]);
		}
		/* Of 1, 2, 4, ... 512 times. */
		row_check(said.events == 10, "%s: %u", whys[at], said.events);
	}
	said.events = 0;
	for (i = 0; i < 1000; i++)
		triage_on_failure(e, pool_at(e, 0), &r, NULL);
	assert_int_equal(said.events, 10);
	engine_destroy(e);
}

/* Each time that the system refuses a worker, the terminal is told, but not of
 * the tries that follow; what is said less and less is only the journal's. */
static void
test_refused_again(void **state)
{
	struct said said = { 0 };
	struct engine *e =
		whole_engine_open(*state, "good", three, -1, on_report, &said);
	const struct worker_handlers *on = &e->pool.handlers;
	unsigned i, tries;

	e->pool.any_ready = true;
	for (i = 1; i <= 6; i++) {
		set_workers(e, "www");
		for (tries = 0; tries < i; tries++) {
			pool_worker(e, 0)->refused = true;
			on->on_down(e, pool_worker(e, 0), false, "no memory");
		}
		row_check(said.warnings == i, "%u: %u", i, said.warnings);
	}
	engine_destroy(e);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_given_up),
		ROW(test_wanted_again),
		ROW(test_pauses),
		ROW(test_resume_given_up),
		ROW(test_descriptors),
		ROW(test_one_input_file),
		ROW(test_last_reason),
		ROW(test_last_types),
		ROW(test_leaks),
		ROW(test_renewed),
		ROW(test_said_less),
		ROW(test_refused_again),
	};

	fake_worker_main(argv);
	return cmocka_run_group_tests_name("engine/pool_workers", tests, NULL,
		NULL);
}
