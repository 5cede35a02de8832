/* Workers without a campaign: starts, ends, restarts, signals. */
#include "tools/runner.h"

#include <signal.h>
#include <string.h>

#include "lib/own_note.h"
#include "lib/tool.h"

#define INPUTS_MAX 12

/* A user of the runner: gives these inputs, one after the other. */
struct user {
	struct runner runner;
	const char *inputs[INPUTS_MAX];
	unsigned given, wanted; /* inputs that ran; stops at so many */
	unsigned results, failures, interrupted, empty, ready, stops;
	bool refuse, keep;
	struct tuple_types types;
};

static enum status
on_ready(void *arg, struct worker *worker, struct error *err)
{
	struct user *u = arg;

	u->ready++;
	u->types = u->runner.types;
	return u->refuse ? error_set(err, E_TARGET, "not this one") : OK;
}

static bool
on_next(void *arg, const struct worker *w, struct job *job)
{
	struct user *u = arg;

	if (u->given == INPUTS_MAX || u->inputs[u->given] == NULL)
		return false;
	job->data = (const uint8_t *)u->inputs[u->given++];
	job->len = strlen((const char *)job->data);
	return true;
}

static void
on_result(void *arg, const struct worker *worker,
	const struct worker_result *result)
{
	struct user *u = arg;

	u->results++;
	u->failures += result->failure.kind != FAILURE_NONE;
	u->interrupted += result->interrupted;
	u->empty += result->count == 0;
	if (u->results == u->wanted)
		runner_stop(&u->runner);
}

/* The user stops, or sends the signal again. */
static void
on_stop(void *arg)
{
	struct user *u = arg;

	u->stops++;
	if (u->keep)
		raise(SIGINT);
	else
		runner_stop(&u->runner);
}

static const struct runner_handlers handlers = {
	.on_ready = on_ready,
	.next = on_next,
	.on_result = on_result,
	.on_stop = on_stop,
};

static const struct runner_handlers few_handlers = {
	.next = on_next,
	.on_result = on_result,
};

/* Opens and runs, with any number of processors; the status of either. */
static enum status
run(struct user *u, struct tool *tool, uint32_t workers)
{
	enum status status;

	tool->settings.parallel = workers;
	status = runner_open(&u->runner, &tool->config, &handlers, u, workers,
		100, &tool->err);
	if (status == OK)
		status = runner_run(&u->runner, &tool->err);
	return status;
}

/* clang-format off */
static const struct runner_row {
	const char *name, *mode;
	const char *inputs[INPUTS_MAX];
	uint32_t workers;
	unsigned wanted;
	bool refuse;
	enum status status;
	const char *says; /* in the error, or in the lines */
	unsigned results, failures, empty, ready;
} RUNNER[] = {
	{ "all are good", "inputs", { "a", "b", "c" }, 1, 3, false, OK, "", 3,
		0, 0, 1 },
	{ "two workers", "inputs", { "a", "b", "c", "d" }, 2, 4, false, OK,
		"", 4, 0, 0, 1 },
	{ "some fail", "inputs", { "A", "b", "C" }, 1, 3, false, OK, "", 3, 2,
		0, 1 },
	{ "the process ends and is started again", "inputs",
		{ "N", "a", "N", "b" }, 1, 4, false, OK, "", 4, 2, 2, 1 },
	{ "it ends again and again", "inputs",
		{ "N", "N", "N", "N", "N", "N", "N", "N", "N", "N", "a" }, 1,
		11, false, E_TARGET, "the target does not start: ", 10, 10, 10,
		1 },
	{ "an input that runs is a new start", "inputs",
		{ "N", "N", "N", "a", "N", "N", "b" }, 1, 7, false, OK, "", 7,
		5, 5, 1 },
	{ "the user does not want it", "inputs", { "a" }, 1, 1, true,
		E_TARGET, "not this one", 0, 0, 0, 1 },
	{ "it does not start", "exit-at-start", { "a" }, 1, 1, false,
		E_TARGET, "the target does not start: ", 0, 0, 0, 0 },
	{ "it speaks another version", "old-version", { "a" }, 1, 1, false,
		E_TARGET, "the target does not start: ", 0, 0, 0, 0 },
	{ "other types in each worker", "typed-apart", { NULL }, 2, 1, false,
		E_TARGET, "the target has other parameter types", 0, 0, 0,
		1 },
	{ "a module", "inputs", { "M", "a" }, 1, 2, false, OK, "", 2, 0, 0,
		1 },
	{ "a module without room", "inputs", { "V", "V", "a" }, 1, 3, false,
		OK, "warning: no room for the counters of a module", 3, 0, 0,
		1 },
	{ "leaks are not found", "inputs-leaks", { "a" }, 2, 1, false, OK,
		"warning: ", 1, 0, 0, 1 },
};
/* clang-format on */

static void
check_row(const struct tree *tree, const struct runner_row *row)
{
	struct user u = { .wanted = row->wanted, .refuse = row->refuse };
	enum status status;
	struct tool tool;

	memcpy(u.inputs, row->inputs, sizeof(u.inputs));
	tool_open(&tool, tree, row->mode);
	status = run(&u, &tool, row->workers);
	row_check(status == row->status, "%s: %d %s", row->name, status,
		tool.err.text);
	row_check(strstr(tool.err.text, row->says) != NULL ||
			tool_said(&tool, row->says),
		"%s: `%s` `%s`", row->name, tool.err.text, tool.said);
	row_check((tool.said[0] != '\0') ==
			(strncmp(row->says, "warning", 7) == 0),
		"%s: `%s`", row->name, tool.said);
	/* A warning is given once. */
	row_check(tool.said[0] == '\0' || strchr(tool.said, '\n')[1] == '\0',
		"%s: `%s`", row->name, tool.said);
	row_check(u.results == row->results, "%s: %u", row->name, u.results);
	row_check(u.failures == row->failures, "%s: %u", row->name, u.failures);
	row_check(u.empty == row->empty, "%s: %u", row->name, u.empty);
	row_check(u.ready == row->ready, "%s: %u", row->name, u.ready);
	runner_close(&u.runner);
	tool_close(&tool);
}

static void
test_rows(void **state)
{
	size_t i;

	for (i = 0; i < ROWS(RUNNER); i++)
		check_row(*state, &RUNNER[i]);
}

/* What the target says of itself. */
static void
test_facts(void **state)
{
	static const struct row {
		const char *mode, *function;
		uint32_t types;
		bool no_fork, instrumented;
	} rows[] = {
		{ "inputs", "", 0, false, true },
		{ "inputs-nofork", "", 0, true, true },
		{ "inputs-plain", "", 0, false, false },
		{ "inputs-typed", "Parse", 1, false, true },
	};
	struct tool tool;
	size_t i;

	for (i = 0; i < ROWS(rows); i++) {
		struct user u = { .inputs = { "\x01\x00" }, .refuse = false };

		u.wanted = 1;
		tool_open(&tool, *state, rows[i].mode);
		row_check(run(&u, &tool, 1) == OK, "%s", rows[i].mode);
		row_check(u.runner.no_fork == rows[i].no_fork, "%s",
			rows[i].mode);
		row_check(u.runner.instrumented == rows[i].instrumented, "%s",
			rows[i].mode);
		row_check(strcmp(u.runner.function, rows[i].function) == 0,
			"%s", rows[i].mode);
		row_check(u.types.n == rows[i].types, "%s", rows[i].mode);
		runner_close(&u.runner);
		tool_close(&tool);
	}
}

/* A start at which the sanitizer does not work counts for all: nobody knows which
 * worker runs an input. */
static void
test_leaks_once(void **state)
{
	struct user u = { .inputs = { "N", "a" }, .wanted = 2 };
	struct tool tool;

	tool_open(&tool, *state, "inputs-leaks-once");
	assert_int_equal(run(&u, &tool, 1), OK);
	assert_true(u.runner.leaks_unseen);
	runner_close(&u.runner);
	tool_close(&tool);
}

/* The first signal asks the user, the second one ends the call. */
static void
test_signals(void **state)
{
	static const struct row {
		const char *name;
		const struct runner_handlers *handlers;
		bool keep;
		unsigned stops;
	} rows[] = {
		{ "nobody to ask", &few_handlers, false, 0 },
		{ "the user stops", &handlers, false, 1 },
		{ "the user goes on", &handlers, true, 1 },
	};
	struct tool tool;
	size_t i;

	for (i = 0; i < ROWS(rows); i++) {
		struct user u = { .inputs = { "W", "a" },
			.keep = rows[i].keep };

		tool_open(&tool, *state, "inputs");
		row_check(runner_open(&u.runner, &tool.config, rows[i].handlers,
				  &u, 1, 100, &tool.err) == OK,
			"%s", rows[i].name);
		row_check(runner_run(&u.runner, &tool.err) == OK, "%s: %s",
			rows[i].name, tool.err.text);
		row_check(u.stops == rows[i].stops, "%s", rows[i].name);
		row_check(u.interrupted == 1, "%s: %u", rows[i].name,
			u.interrupted);
		row_check(u.results == 1, "%s", rows[i].name);
		runner_close(&u.runner);
		tool_close(&tool);
	}
}

/* clang-format off */
static const struct open_row {
	const char *name, *target;
	enum status status;
} OPEN[] = {
	{ "no program", "/dev/null", E_USAGE },
	{ "not there", "/gone", E_USAGE },
	{ "no target", "/etc/passwd", E_TARGET },
};
/* clang-format on */

static void
test_open(void **state)
{
	struct tool tool;
	size_t i;

	for (i = 0; i < ROWS(OPEN); i++) {
		struct user u = { .wanted = 1 };
		enum status status;

		tool_open(&tool, *state, "inputs");
		tool.config.target = OPEN[i].target;
		status = run(&u, &tool, 1);
		row_check(status != OK, "%s", OPEN[i].name);
		row_check(strstr(tool.err.text, OPEN[i].target) != NULL,
			"%s: %s", OPEN[i].name, tool.err.text);
		runner_close(&u.runner);
		tool_close(&tool);
	}
}

/* Without workers there is nothing to run, and the end comes at once. */
static void
test_no_workers(void **state)
{
	struct user u = { .wanted = 1 };
	struct tool tool;

	tool_open(&tool, *state, "inputs");
	assert_int_equal(runner_open(&u.runner, &tool.config, &handlers, &u, 0,
				 100, &tool.err),
		OK);
	runner_stop(&u.runner);
	assert_int_equal(runner_run(&u.runner, &tool.err), OK);
	assert_int_equal(u.ready, 0);
	runner_close(&u.runner);
	tool_close(&tool);
}

/* The three kinds of reports. */
static void
test_say(void **state)
{
	struct user u = { .wanted = 1 };
	struct tool tool;

	tool_open(&tool, *state, "inputs");
	u.runner.config = &tool.config;
	runner_say(&u.runner, "%d of %s", 3, "them");
	assert_string_equal(tool.said, "3 of them\n");
	runner_say_progress(&u.runner, "%d %%", 4);
	assert_string_equal(tool.progress, "4 %\n");
	runner_say_event(&u.runner, json_pack("{s:s}", "event", "x"));
	assert_string_equal(tool_text(&tool, "event"), "x");
	tool_forget(&tool);
	runner_say_event(&u.runner, NULL);
	assert_null(tool.event);
	tool_close(&tool);
}

/* A job has the limits of the settings. */
static void
test_job(void **state)
{
	struct user u = { .wanted = 1 };
	struct tool tool;
	struct job job;

	tool_open(&tool, *state, "inputs");
	tool_set(&tool, "timeout", "123ms");
	assert_int_equal(runner_open(&u.runner, &tool.config, &handlers, &u, 1,
				 100, &tool.err),
		OK);
	runner_job(&u.runner, JOB_MINIMIZE_FAILURE, &job);
	assert_int_equal(job.kind, JOB_MINIMIZE_FAILURE);
	assert_int_equal(job.hang_ms, 123);
	assert_int_equal(job.arena, MEMORY_NO_ENTRY);
	assert_int_equal(job.cap, 101);
	assert_null(job.data);
	runner_close(&u.runner);
	tool_close(&tool);
}

#define TEST(name) TREE_TEST(name)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(test_rows),
		TEST(test_facts),
		TEST(test_leaks_once),
		TEST(test_signals),
		TEST(test_open),
		TEST(test_no_workers),
		TEST(test_say),
		TEST(test_job),
	};

	tool_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
