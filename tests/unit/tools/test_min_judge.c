/* Which failures of smaller inputs count as the failure of the input. */
#include "tools/min_private.h"

#include <stdio.h>
#include <string.h>

#include "lib/tool.h"

#define NAMED(kind_, what_, offset_) \
	{ \
		.kind = kind_, .what = what_, .frames_n = 1, .frames = { \
			{ .module = "t", .offset = offset_ } \
		} \
	}

static const struct failure input = NAMED(FAILURE_SIGNAL, "SIGSEGV", 0x10);

/* clang-format off */
static const struct judge_row {
	const char *name;
	struct failure failure;
	bool same_bucket, same_kind, any;
} JUDGE[] = {
	{ "the same", NAMED(FAILURE_SIGNAL, "SIGSEGV", 0x10), true, true,
		true },
	{ "the same bucket elsewhere", NAMED(FAILURE_SIGNAL, "SIGSEGV", 0x20),
		true, true, true },
	{ "another bucket", NAMED(FAILURE_SIGNAL, "SIGSEGV", 0x30), false,
		true, true },
	{ "an unknown place", NAMED(FAILURE_SIGNAL, "SIGSEGV", 0x40), false,
		true, true },
	{ "another signal", NAMED(FAILURE_SIGNAL, "SIGABRT", 0x10), false,
		false, true },
	{ "another kind", NAMED(FAILURE_HANG, "SIGSEGV", 0x10), false, false,
		true },
	{ "no failure", { .kind = FAILURE_NONE }, false, false, false },
	{ "killed from outside", NAMED(FAILURE_KILLED, "SIGSEGV", 0x10),
		false, false, false },
	{ "a lost link", { .kind = FAILURE_LINK }, false, false, false },
};
/* clang-format on */

/* A tool that keeps the input's failure. */
static void
set_up(struct min *m)
{
	*m = (struct min){ .failure = input };
	m->driver.failure = &m->failure;
	m->driver.stack_hash = failure_stack_hash(&input);
}

static void
test_accepts(void **state)
{
	const struct failure near = NAMED(FAILURE_SIGNAL, "SIGSEGV", 0x20);
	const struct failure far = NAMED(FAILURE_SIGNAL, "SIGSEGV", 0x30);
	struct minimization_driver *d;
	struct min m;
	size_t i;

	set_up(&m);
	d = &m.driver;
	minimization_driver_know(d, failure_stack_hash(&near), true);
	minimization_driver_know(d, failure_stack_hash(&far), false);
	for (i = 0; i < ROWS(JUDGE); i++) {
		const struct judge_row *row = &JUDGE[i];
		const struct failure *f = &row->failure;

		d->rule = MINIMIZE_SAME_BUCKET;
		row_check(minimization_driver_accepts(d, f) == row->same_bucket,
			"%s: same bucket", row->name);
		d->rule = MINIMIZE_SAME_KIND;
		row_check(minimization_driver_accepts(d, f) == row->same_kind,
			"%s: same kind", row->name);
		d->rule = MINIMIZE_ANY_FAILURE;
		row_check(minimization_driver_accepts(d, f) == row->any,
			"%s: any", row->name);
	}
	minimization_driver_clear(d);
}

/* Nothing is looked up that is known, or that is no matter. */
static void
test_need_not_ask(void **state)
{
	const struct failure other = NAMED(FAILURE_SIGNAL, "SIGSEGV", 0x40);
	const struct failure good = { .kind = FAILURE_NONE };
	const struct failure killed = NAMED(FAILURE_KILLED, "SIGTERM", 0x40);
	uint64_t i;
	struct min m;

	set_up(&m);
	m.driver.rule = MINIMIZE_SAME_BUCKET;
	assert_false(min_must_ask(&m, &input));
	assert_false(min_must_ask(&m, &good));
	assert_false(min_must_ask(&m, &killed));
	m.stopped = true;
	assert_false(min_must_ask(&m, &other));
	m.stopped = false;
	m.asking = true;
	assert_false(min_must_ask(&m, &other));
	m.asking = false;
	m.driver.rule = MINIMIZE_SAME_KIND;
	assert_false(min_must_ask(&m, &other));
	m.driver.rule = MINIMIZE_SAME_BUCKET;
	assert_true(min_may_ask(&m));
	for (i = 1; i <= MEMORY_KNOWN_MAX; i++)
		minimization_driver_know(&m.driver, i, false);
	assert_false(min_may_ask(&m));
	assert_false(min_must_ask(&m, &other));
	minimization_driver_clear(&m.driver);
}

/* The line while a worker without a fork server minimizes. */
static void
test_progress(void **state)
{
	static const struct minimization_options options;
	struct minimization *s;
	struct tool tool;
	struct min m = { .tries = 5 };
	size_t len;
	int i;

	tool_open(&tool, *state, "inputs");
	m.runner.config = &tool.config;
	m.files.file_len = 20;
	s = minimization_create((const uint8_t *)"12345678", 8, &options);
	m.driver.minimization = s;
	m.driver.by_steps = m.driver.single = true;
	for (i = 0; i < 3; i++) {
		assert_non_null(minimization_next(s, &len));
		minimization_judge(s, TRY_NOTHING, 0, NULL);
	}
	min_say_progress(&m);
	assert_non_null(strstr(tool.progress,
		"minimizing: 20 -> 8 bytes, blocks, 8 tries, "));
	minimization_driver_clear(&m.driver);
	tool_close(&tool);
}

/* clang-format off */
static const struct result_row {
	const char *name, *where;
	bool stopped, time_over;
	const char *end, *says;
} RESULT[] = {
	{ "done", "f t.c:1", false, false, "done",
		"SIGSEGV in f t.c:1\nminimized: 20 -> 2 bytes, 5 tries, "
		"4 accepted, " },
	{ "no place", "", false, false, "done", "SIGSEGV\nminimized: " },
	{ "the budget", "", false, true, "budget",
		"the budget is used up: this is the smallest so far\n" },
	{ "stopped", "", true, false, "stopped",
		"stopped: this is the smallest so far\n" },
	{ "both", "", true, true, "stopped", "stopped: " },
};
/* clang-format on */

static void
test_result(void **state)
{
	static const struct minimization_options options;
	static char input_path[] = "a\033b", output_path[] = "out\n";
	size_t i;

	for (i = 0; i < ROWS(RESULT); i++) {
		const struct result_row *row = &RESULT[i];
		struct min m = { .tries = 5, .accepted = 4, .what = "SIGSEGV" };
		struct tool tool;

		tool_open(&tool, *state, "inputs");
		m.runner.config = &tool.config;
		m.runner.settings.minimize_rule = tool.settings.minimize_rule;
		m.files.file_len = 20;
		m.files.input_path = input_path;
		m.files.output_path = output_path;
		m.driver.minimization =
			minimization_create((const uint8_t *)"ab", 2, &options);
		m.failure = input;
		m.stopped = row->stopped;
		m.time_over = row->time_over;
		m.runs = 3;
		m.reproduced = 2;
		snprintf(m.where, sizeof(m.where), "%s", row->where);
		min_say_result(&m);
		row_check(tool_said(&tool, row->says), "%s: `%s`", row->name,
			tool.said);
		row_check(tool_said(&tool, "reproduced 2 of 3\n"), "%s",
			row->name);
		row_check(tool_said(&tool, "written to out\\n\n"), "%s: `%s`",
			row->name, tool.said);
		row_check(strcmp(tool_text(&tool, "end"), row->end) == 0, "%s",
			row->name);
		row_check(strcmp(tool_text(&tool, "input"), "a\\x1bb") == 0,
			"%s: %s", row->name, tool_text(&tool, "input"));
		minimization_driver_clear(&m.driver);
		tool_close(&tool);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accepts),
		cmocka_unit_test(test_need_not_ask),
		TREE_TEST(test_progress),
		TREE_TEST(test_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
