/*
 * Findings of an earlier run: what it left undone, sequences that are replayed,
 * and minimized inputs.
 */
#include "lib/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/triage/triage.h"
#include "engine/triage/triage_sequence.h"
#include "lib/fake_worker.h"
#include "lib/own_note.h"
#include "lib/whole_engine.h"

static const char *const few[] = { "parallel", "1", "fuzztime", "200x",
	"verify", "2", "minimizetime", "10x", NULL };
static const char *const endless[] = { "parallel", "1", "verify", "2",
	"minimizetime", "10x", NULL };
/* Without a clock a finding is announced before its first replay. */
static const char *const clockless[] = { "parallel", "1", "verify", "2",
	"minimizetime", "10x", "seed", "7", "deterministic", "on", NULL };

struct run {
	struct engine *engine;
	const char *at_finding; /* command to run at a finding; NULL: none */
	unsigned findings, minimized, sequences;
	uint32_t replays; /* that the report of the last finding tells of */
	char lines[4096];
};

static void
give(struct run *run, const char *line)
{
	struct error err = { 0 };
	char answer[256];

	if (whole_engine_command(run->engine, line, answer, sizeof(answer),
		    &err) != OK)
		fail_msg("%s: %s", line, err.text);
}

static void
on_report(void *arg, const struct report *report)
{
	struct run *run = arg;
	size_t len = strlen(run->lines);

	run->minimized += report->kind == REPORT_MINIMIZED;
	run->sequences += report->kind == REPORT_SEQUENCE;
	if (report->kind == REPORT_LINE)
		snprintf(run->lines + len, sizeof(run->lines) - len, "%s\n",
			report->text);
	if (report->kind != REPORT_FINDING)
		return;
	run->findings++;
	run->replays = report->finding->replays;
	if (run->at_finding != NULL)
		give(run, run->at_finding);
}

static void
run_open(struct run *run, const struct tree *tree, const char *mode,
	const char *const *options, const char *at_finding)
{
	*run = (struct run){ .at_finding = at_finding };
	run->engine =
		whole_engine_open(tree, mode, options, -1, on_report, run);
}

static enum exit_status
run_close(struct run *run)
{
	struct error err = { 0 };
	enum exit_status status = whole_engine_run(run->engine, &err);

	engine_destroy(run->engine);
	return status;
}

static const struct finding *
only(const struct run *run)
{
	assert_int_equal(run->engine->findings.n, 1);
	return run->engine->findings.list[0];
}

/* A command for the only finding. */
static void
ask(struct run *run, const char *what, const char *more)
{
	char line[64];

	snprintf(line, sizeof(line), "%s %s%s", what, only(run)->id, more);
	give(run, line);
}

/* A whole run, and the begin of the next one. */
static void
run_again(struct run *run, const struct tree *tree, const char *first,
	const char *then, const char *const *options)
{
	run_open(run, tree, first, few, NULL);
	run_close(run);
	run_open(run, tree, then, options, NULL);
}

/* A file in its folder. */
static void
name_of(const struct finding *f, const char *file, char *name, size_t size)
{
	snprintf(name, size, "out/%s/%s", f->folder, file);
}

/* ---- replays that were left ------------------------------------------------ */

/* A run that stops at its finding leaves the replays to the next one. */
static void
test_left(void **state)
{
	const struct tree *tree = *state;
	struct run run;

	run_open(&run, tree, "crash", clockless, "quit now");
	assert_int_equal(run_close(&run), EXIT_FOUND);
	assert_non_null(strstr(run.lines,
		"left for the next start: 1 finding to verify, 0 to make "
		"smaller, 0 suspects to run again"));
	run_open(&run, tree, "good", few, NULL);
	assert_int_equal(only(&run)->seen, SEEN_LEFT);
	assert_int_equal(only(&run)->state, FINDING_VERIFYING);
	assert_int_equal(only(&run)->verdict, VERDICT_NEW);
	/* It does not fail any more. */
	assert_int_equal(run_close(&run), EXIT_NOTHING);
	run_open(&run, tree, "good", few, NULL);
	assert_int_equal(only(&run)->state, FINDING_DONE);
	assert_int_equal(only(&run)->verdict, VERDICT_FLAKY);
	assert_int_equal(only(&run)->replays, 2);
	assert_int_equal(only(&run)->reproduced, 0);
	run_close(&run);
}

/* One that fails again counts for the run that replays it. */
static void
test_left_fails(void **state)
{
	const struct tree *tree = *state;
	struct run run;

	run_open(&run, tree, "crash", clockless, "quit now");
	run_close(&run);
	run_open(&run, tree, "crash", endless, "quit minimized");
	assert_int_equal(run_close(&run), EXIT_FOUND);
	assert_int_equal(run.findings, 1);
	/* The first replay is no verdict yet. */
	assert_int_equal(run.replays, 0);
	assert_int_equal(run.minimized, 1);
	run_open(&run, tree, "good", few, NULL);
	assert_int_equal(only(&run)->verdict, VERDICT_KNOWN);
	assert_int_equal(only(&run)->reproduced, 2);
	assert_int_equal(only(&run)->minimized_len, 1);
	run_close(&run);
}

/* Without replays nothing is left, and an accepted finding stays as it is. */
static void
test_left_accepted(void **state)
{
	static const char *const unverified[] = { "parallel", "1", "fuzztime",
		"20x", "verify", "0", "minimizetime", "0x", NULL };
	const struct tree *tree = *state;
	struct run run;

	run_open(&run, tree, "crash", clockless, "quit now");
	run_close(&run);
	run_open(&run, tree, "good", unverified, NULL);
	assert_int_equal(only(&run)->state, FINDING_DONE);
	assert_int_equal(only(&run)->verdict, VERDICT_NEW);
	give(&run, "quit now");
	assert_int_equal(run_close(&run), EXIT_NOTHING);
	run_open(&run, tree, "good", few, NULL);
	assert_int_equal(only(&run)->state, FINDING_VERIFYING);
	/* A known one is replayed, and stays known. */
	ask(&run, "mark", " known");
	give(&run, "quit now");
	run_close(&run);
	run_open(&run, tree, "good", few, NULL);
	assert_int_equal(only(&run)->state, FINDING_VERIFYING);
	assert_int_equal(only(&run)->verdict, VERDICT_KNOWN);
	ask(&run, "accept", "");
	give(&run, "quit now");
	run_close(&run);
	run_open(&run, tree, "good", few, NULL);
	assert_int_equal(only(&run)->verdict, VERDICT_ACCEPTED);
	assert_int_equal(only(&run)->state, FINDING_DONE);
	run_close(&run);
}

/* Before a worker is ready nobody knows whose findings these are: a run that
 * ends then leaves them as they are. */
static void
test_never_ready(void **state)
{
	const struct tree *tree = *state;
	struct run run;
	char name[300], *before, *after;

	run_open(&run, tree, "crash", endless, "quit minimized");
	run_close(&run);
	run_open(&run, tree, "good", few, NULL);
	assert_true(only(&run)->stale);
	name_of(only(&run), "crash.json", name, sizeof(name));
	before = tree_read(tree, name, NULL);
	give(&run, "quit now");
	run_close(&run);
	after = tree_read(tree, name, NULL);
	assert_string_equal(after, before);
	free(before);
	free(after);
}

/* What the user asked for is kept even then, with what the last run knew of the
 * target, but not the sanitizer of the build that failed: that one had none. */
static void
test_asked_early(void **state)
{
	const struct tree *tree = *state;
	struct run run;
	char name[300], *info;

	run_open(&run, tree, "crash", endless, "quit minimized");
	run_close(&run);
	tree_text(tree, "out/stats.json", "{\"sanitizer\": \"address\"}");
	run_open(&run, tree, "good", few, NULL);
	name_of(only(&run), "crash.json", name, sizeof(name));
	ask(&run, "replay", "");
	give(&run, "quit now");
	run_close(&run);
	info = tree_read(tree, name, NULL);
	assert_non_null(strstr(info, "\"left\": \"verify\""));
	assert_non_null(strstr(info, "\"options\": \"ASAN_OPTIONS="));
	assert_null(strstr(info, "\"sanitizer\""));
	free(info);
}

/* ---- inputs that no worker can have ---------------------------------------- */

/* clang-format off */
static const struct no_room_row {
	const char *name;
	off_t len;   /* of the input's file; -1: there is none */
	bool is_read, warns;
} NO_ROOM[] = {
	{ "longer than the limit", 20, true, false },
	{ "longer than any limit", 101 << 20, false, true },
	{ "gone", -1, false, true },
};
/* clang-format on */

static void
must_refuse(struct run *run, const char *what)
{
	struct error err = { 0 };
	char line[64], answer[256];

	snprintf(line, sizeof(line), "%s %s", what, only(run)->id);
	assert_int_not_equal(whole_engine_command(run->engine, line, answer,
				     sizeof(answer), &err),
		OK);
	assert_int_equal(only(run)->state, FINDING_DONE);
}

/* The finding stays, and a failure of its kind is this finding. */
static void
test_no_room(void **state)
{
	static const char *const less[] = { "parallel", "1", "fuzztime", "200x",
		"verify", "2", "minimizetime", "10x", "max-len", "8", NULL };
	const struct no_room_row *row;
	struct run run;
	char name[300];
	void *tree;

	for (row = NO_ROOM; row < NO_ROOM + ROWS(NO_ROOM); row++) {
		assert_int_equal(tree_open(&tree), 0);
		run_again(&run, tree, "crash", "good", few);
		name_of(only(&run), "input", name, sizeof(name));
		run_close(&run);
		assert_int_equal(row->len < 0
				? unlink(tree_path(tree, name))
				: truncate(tree_path(tree, name), row->len),
			0);
		run_open(&run, tree, "crash", less, NULL);
		row_check((only(&run)->input != NULL) == row->is_read, "%s",
			row->name);
		must_refuse(&run, "replay");
		must_refuse(&run, "minimize");
		assert_int_equal(run_close(&run), EXIT_FOUND);
		row_check((strstr(run.lines, "the input cannot be read") !=
				  NULL) == row->warns,
			"%s: %s", row->name, run.lines);
		run_open(&run, tree, "good", few, NULL);
		row_check(only(&run)->count == 2, "%s", row->name);
		run_close(&run);
		tree_close(&tree);
	}
}

/* A run that cannot have the input, or makes no replays, leaves these to the
 * next one, even if it saves the finding. */
static void
test_left_on(void **state)
{
	static const struct left_on_row {
		const char *name, *const options[13];
	} LEFT_ON[] = {
		{ "a lower max-len",
			{ "parallel", "1", "fuzztime", "200x", "verify", "2",
				"minimizetime", "10x", "max-len", "8", NULL } },
		{ "no replays",
			{ "parallel", "1", "fuzztime", "200x", "verify", "0",
				"minimizetime", "0x", NULL } },
	};
	const struct left_on_row *row;
	struct run run;
	char name[300];
	void *tree;

	for (row = LEFT_ON; row < LEFT_ON + ROWS(LEFT_ON); row++) {
		assert_int_equal(tree_open(&tree), 0);
		run_open(&run, tree, "crash", clockless, "quit now");
		run_close(&run);
		run_open(&run, tree, "good", few, NULL);
		name_of(only(&run), "input", name, sizeof(name));
		give(&run, "quit now");
		run_close(&run);
		assert_int_equal(truncate(tree_path(tree, name), 20), 0);
		run_open(&run, tree, "crash", row->options, NULL);
		row_check(only(&run)->state == FINDING_DONE, "%s", row->name);
		run_close(&run);
		run_open(&run, tree, "good", few, NULL);
		row_check(only(&run)->count == 2, "%s", row->name);
		row_check(only(&run)->state == FINDING_VERIFYING, "%s",
			row->name);
		run_close(&run);
		/* The replays are done: nothing is left. */
		run_open(&run, tree, "good", few, NULL);
		row_check(only(&run)->state == FINDING_DONE, "%s", row->name);
		run_close(&run);
		tree_close(&tree);
	}
}

/* ---- sequences ------------------------------------------------------------- */

/* The inputs that ran before a finding are kept for the replays left. */
static void
test_left_sequence(void **state)
{
	const struct tree *tree = *state;
	char before[300];
	struct run run;

	run_open(&run, tree, "row", clockless, "quit now");
	assert_int_equal(run_close(&run), EXIT_FOUND);
	run_open(&run, tree, "row", few, NULL);
	assert_true(only(&run)->has_before);
	name_of(only(&run), "before", before, sizeof(before));
	assert_true(tree_has(tree, before));
	assert_int_equal(run_close(&run), EXIT_FOUND);
	assert_int_equal(run.sequences, 1);
	assert_false(tree_has(tree, before));
	run_open(&run, tree, "good", few, NULL);
	assert_int_equal(only(&run)->sequence_n, 3);
	assert_int_equal(only(&run)->reproduced, 2);
	run_close(&run);
}

/* Replays of a sequence that were stopped are made with the sequence. */
static void
test_left_replays(void **state)
{
	const struct tree *tree = *state;
	struct run run;

	run_again(&run, tree, "row", "row", few);
	ask(&run, "replay", " 100");
	give(&run, "quit now");
	run_close(&run);
	run_open(&run, tree, "row", few, NULL);
	assert_int_equal(only(&run)->state, FINDING_SEQUENCE);
	assert_int_equal(run_close(&run), EXIT_FOUND);
	run_open(&run, tree, "good", few, NULL);
	assert_int_equal(only(&run)->state, FINDING_DONE);
	assert_int_equal(only(&run)->verdict, VERDICT_KNOWN);
	assert_int_equal(only(&run)->replays, 2);
	assert_int_equal(only(&run)->reproduced, 2);
	assert_int_equal(only(&run)->sequence_n, 3);
	run_close(&run);
}

/* clang-format off */
static const struct replayed_row {
	const char *name, *mode;
	uint32_t reproduced;
} REPLAYED[] = {
	{ "it fails", "row", 3 },
	{ "it does not fail", "good", 0 },
};
/* clang-format on */

/* A user replays a sequence of an earlier run. */
static void
test_replayed_sequence(void **state)
{
	const struct replayed_row *row;
	struct run run;
	void *tree;

	for (row = REPLAYED; row < REPLAYED + ROWS(REPLAYED); row++) {
		assert_int_equal(tree_open(&tree), 0);
		run_again(&run, tree, "row", row->mode, few);
		row_check(only(&run)->sequence_n == 3, "%s", row->name);
		ask(&run, "replay", " 3");
		row_check(only(&run)->state == FINDING_SEQUENCE, "%s",
			row->name);
		run_close(&run);
		run_open(&run, tree, "good", few, NULL);
		row_check(only(&run)->sequence_n == 3, "%s", row->name);
		row_check(only(&run)->replays == 3, "%s", row->name);
		row_check(only(&run)->reproduced == row->reproduced, "%s",
			row->name);
		run_close(&run);
		tree_close(&tree);
	}
}

/* Growing to the memory limit may take longer than the time limit. */
static void
test_large_sequence(void **state)
{
	const struct tree *tree = *state;
	struct job job = { .hang_ms = 1000 };
	struct finding *f;
	struct run run;

	run_again(&run, tree, "row", "row", few);
	ask(&run, "replay", "");
	f = triage_find(run.engine, only(&run)->id);
	f->failure.kind = FAILURE_OOM;
	triage_fill_sequence(run.engine, f, &job);
	assert_int_equal(job.hang_ms, 5000);
	run_close(&run);
}

/* After the end, what nobody has asked for is left undone. */
static void
test_left_behind(void **state)
{
	const struct tree *tree = *state;
	struct run run;
	struct finding *f;

	run_again(&run, tree, "row", "good", few);
	f = run.engine->findings.list[0];
	ask(&run, "replay", " 3");
	assert_non_null(f->sequence);
	f->asked = false;
	run.engine->end.over = true;
	triage_drop_left(run.engine, f);
	run.engine->end.over = false;
	assert_int_equal(f->state, FINDING_DONE);
	assert_null(f->sequence);
	run_close(&run);
}

/* The end leaves to the next start what the user asked for, too: nothing waits for
 * it when somebody only writes a note later. */
static void
test_asked_ends(void **state)
{
	const struct tree *tree = *state;
	struct error err = { 0 };
	struct run run;

	run_again(&run, tree, "crash", "crash", endless);
	ask(&run, "replay", " 1000");
	assert_true(only(&run)->asked);
	give(&run, "quit now");
	assert_int_equal(whole_engine_run(run.engine, &err), EXIT_NOTHING);
	assert_int_equal(only(&run)->state, FINDING_VERIFYING);
	assert_false(only(&run)->asked);
	run.engine->end.over = true;
	assert_false(triage_busy(run.engine));
	run.engine->end.over = false;
	engine_destroy(run.engine);
}

/* Whoever steps through a minimization wants its result, after the end as well. */
static void
test_asked_by_step(void **state)
{
	const struct tree *tree = *state;
	struct run run;

	run_again(&run, tree, "crash", "crash", few);
	run.engine->findings.list[0]->state = FINDING_QUEUED;
	ask(&run, "step hold", "");
	assert_true(only(&run)->asked);
	give(&run, "quit now");
	run_close(&run);
}

/* A sequence that lost an input cannot be replayed. */
static void
test_lost_sequence(void **state)
{
	const struct tree *tree = *state;
	struct error err = { 0 };
	char line[64], name[300], answer[256];
	struct run run;

	run_again(&run, tree, "row", "good", few);
	name_of(only(&run), "sequence/000002", name, sizeof(name));
	assert_int_equal(remove(tree_path(tree, name)), 0);
	snprintf(line, sizeof(line), "replay %s", only(&run)->id);
	assert_int_not_equal(whole_engine_command(run.engine, line, answer,
				     sizeof(answer), &err),
		OK);
	assert_int_equal(only(&run)->state, FINDING_DONE);
	assert_int_equal(only(&run)->sequence_n, 3);
	run_close(&run);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_left),
		ROW(test_left_fails),
		ROW(test_left_accepted),
		ROW(test_never_ready),
		ROW(test_asked_early),
		ROW(test_left_sequence),
		ROW(test_left_replays),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_left_on),
		ROW(test_large_sequence),
		cmocka_unit_test(test_replayed_sequence),
		ROW(test_left_behind),
		ROW(test_asked_ends),
		ROW(test_asked_by_step),
		ROW(test_lost_sequence),
	};

	fake_worker_main(argv);
	return cmocka_run_group_tests_name("triage_later", tests, NULL, NULL);
}
