/*
 * The minimization of a finding that has a minimized input already: the input
 * that it begins with.
 */
#include "lib/idle_engine.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/program.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/triage_needs.h"
#include "lib/fake_helper.h"
#include "lib/own_note.h"
#include "worker/target/elf.h"

static const char *const options[] = { "verify", "0", "minimizetime", "1x",
	NULL };

static struct finding *
open_finding(struct idle *idle, const struct tree *tree, const char *minimized,
	bool same_build)
{
	struct finding *f;

	idle_open(idle, tree, options);
	idle_fail(idle, FAILURE_SIGNAL, SIGSEGV, 0x123, "first");
	idle_settle(idle);
	f = idle->engine->findings.list[0];
	f->minimized = xmemdup(minimized, strlen(minimized) + 1);
	f->minimized_len = strlen(minimized);
	snprintf(f->minimized_build, sizeof(f->minimized_build), "%s",
		same_build ? program_info(idle->engine)->build : "another");
	f->state = FINDING_QUEUED;
	return f;
}

static void
close_finding(struct idle *idle, struct finding *f)
{
	minimize_tasks_drop(f);
	f->state = FINDING_DONE;
	idle_close(idle);
}

/* Is this the input that the worker is to run next? */
static bool
is_next(struct idle *idle, struct finding *f, const char *input)
{
	struct job job = { .data = NULL };

	return minimize_tasks_job(idle->engine,
		       minimize_tasks_of_finding(idle->engine, f), &job) &&
		job.len == strlen(input) &&
		memcmp(job.data, input, job.len) == 0;
}

static const struct begin_row {
	const char *name, *minimized;
	bool same_build;
	enum finding_state later;
	const char *first;
} BEGIN[] = {
	{ "of another build", "fi", false, FINDING_NEW, "fi" },
	{ "of another build, one byte", "f", false, FINDING_NEW, "f" },
	{ "of another build, nothing", "", false, FINDING_NEW, "" },
	{ "of another build, larger", "firster", false, FINDING_NEW, "first" },
	{ "of this build: the user wants another", "fi", true, FINDING_NEW,
		"first" },
	{ "left by an earlier run", "fi", true, FINDING_QUEUED, "fi" },
};

static void
test_begin(void **state)
{
	const struct begin_row *row;
	struct finding *f;
	struct idle idle;
	void *tree;

	for (row = BEGIN; row < BEGIN + ROWS(BEGIN); row++) {
		assert_int_equal(tree_open(&tree), 0);
		f = open_finding(&idle, tree, row->minimized, row->same_build);
		f->later = row->later;
		row_check(is_next(&idle, f, row->first), "%s", row->name);
		close_finding(&idle, f);
		tree_close(&tree);
	}
}

/* A worker runs the next input, which fails, or not, or is not run at all. */
static void
on_result(struct idle *idle, struct finding *f, enum failure_kind kind,
	uint64_t count)
{
	struct worker_result r = *idle_result(idle, kind, SIGSEGV, 0x123, "");

	r.count = count;
	r.best = kind != FAILURE_NONE ? (const uint8_t *)"fi" : NULL;
	r.best_len = 2;
	minimize_tasks_on_result(idle->engine, &idle->engine->pool.slots[0],
		f->minimization, &r);
}

/* It does not fail any more: the input takes its turn, once. */
static void
test_does_not_fail(void **state)
{
	struct idle idle;
	struct finding *f = open_finding(&idle, *state, "fi", false);

	assert_true(is_next(&idle, f, "fi"));
	on_result(&idle, f, FAILURE_NONE, 1);
	assert_true(is_next(&idle, f, "first"));
	assert_int_equal(idle_events(&idle, "minimized"), 0);
	on_result(&idle, f, FAILURE_NONE, 1);
	assert_null(f->minimization);
	assert_int_equal(idle_events(&idle, "minimized"), 1);
	assert_int_equal(f->minimized_len, 2);
	close_finding(&idle, f);
}

/* It fails: it has the current build when there is no time for more. */
static void
test_fails(void **state)
{
	struct idle idle;
	struct finding *f = open_finding(&idle, *state, "fi", false);

	assert_true(is_next(&idle, f, "fi"));
	on_result(&idle, f, FAILURE_SIGNAL, 1);
	assert_null(f->minimization);
	assert_int_equal(f->minimized_len, 2);
	assert_true(triage_is_minimized(idle.engine, f));
	close_finding(&idle, f);
}

/* A worker that runs nothing ends the minimization by the input, too. */
static void
test_runs_nothing(void **state)
{
	struct idle idle;
	struct finding *f = open_finding(&idle, *state, "fi", false);
	unsigned i;

	for (i = 0; i < 2 * MINIMIZATION_IN_VAIN; i++) {
		assert_true(is_next(&idle, f,
			i < MINIMIZATION_IN_VAIN ? "fi" : "first"));
		on_result(&idle, f, FAILURE_NONE, 0);
	}
	assert_null(f->minimization);
	close_finding(&idle, f);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begin),
		ROW(test_does_not_fail),
		ROW(test_fails),
		ROW(test_runs_nothing),
	};

	fake_helper_main(argc, argv);
	return cmocka_run_group_tests_name("minimize_former", tests, NULL,
		NULL);
}
