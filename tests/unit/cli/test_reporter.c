/* The lines of cfuzz run. */
#include "cli/reporter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/output.h"
#include "lib/rows.h"

#define LONG_NAME 3000u /* bytes */
#define RERUN(target, path) "\n    to re-run: cfuzz repro " target " " path "\n"

/* clang-format off */
static const struct finding_row {
	const char *name;
	enum report_kind kind;
	struct snapshot_finding finding;
	const char *target, *output, *want;
} FINDINGS[] = {
	{ "a signal", REPORT_FINDING,
		{ .kind = "signal", .what = "SIGSEGV", .where = "f t.c:3",
			.folder = "crashes/x", .len = 7 }, "./t", "out",
		"crash: SIGSEGV in f t.c:3\n    out/crashes/x/input   7 bytes"
		RERUN("./t", "out/crashes/x/input") },
	{ "no place", REPORT_FINDING,
		{ .kind = "exit", .what = "exit 3", .folder = "crashes/y",
			.text = "it ended" }, "./t", "out",
		"crash: exit 3\n    it ended\n"
		"    out/crashes/y/input   0 bytes"
		RERUN("./t", "out/crashes/y/input") },
	{ "a hang", REPORT_FINDING,
		{ .kind = "hang", .what = "hang", .where = "f",
			.folder = "hangs/z", .len = 1, .replays = 5,
			.reproduced = 4 }, "./t", "out",
		"hang in f\n    out/hangs/z/input   1 bytes   reproduced 4 of "
		"5" RERUN("./t", "out/hangs/z/input") },
	{ "a stopped target", REPORT_FINDING,
		{ .kind = "stopped", .what = "SIGSTOP", .folder = "hangs/z" },
		"./t", "out",
		"hang: SIGSTOP\n    out/hangs/z/input   0 bytes"
		RERUN("./t", "out/hangs/z/input") },
	{ "out of memory", REPORT_FINDING,
		{ .kind = "oom", .what = "oom", .folder = "crashes/o" },
		"./t", "out",
		"out of memory\n    out/crashes/o/input   0 bytes"
		RERUN("./t", "out/crashes/o/input") },
	{ "a leak", REPORT_FINDING,
		{ .kind = "leak", .what = "leak", .where = "g",
			.folder = "leaks/l" }, "./t", "out",
		"leak in g\n    out/leaks/l/input   0 bytes"
		RERUN("./t", "out/leaks/l/input") },
	{ "a sequence", REPORT_SEQUENCE,
		{ .kind = "signal", .what = "SIGABRT", .folder = "crashes/s",
			.len = 3, .minimized_len = 2, .sequence = 4 },
		"./t", "out",
		"needs 4 inputs in a row: crash: SIGABRT\n"
		"    out/crashes/s/sequence   4 inputs"
		RERUN("./t", "out/crashes/s") },
	{ "a minimized input", REPORT_MINIMIZED,
		{ .kind = "signal", .what = "SIGABRT", .folder = "crashes/m",
			.len = 30, .minimized_len = 2 }, "./t", "out",
		"minimized: crash: SIGABRT\n"
		"    out/crashes/m/minimized   2 bytes"
		RERUN("./t", "out/crashes/m/minimized") },
	{ "names for a shell", REPORT_FINDING,
		{ .kind = "signal", .what = "SIGABRT", .folder = "crashes/q" },
		"./my t", "o\033",
		"crash: SIGABRT\n    o\\x1b/crashes/q/input   0 bytes"
		RERUN("'./my t'", "$'o\\033/crashes/q/input'") },
};

/* Earlier runs took 10 s: the first one was not seen in this run. */
static struct snapshot_finding ACCEPTED[] = {
	{ .state = "accepted", .last_s = 9 },
	{ .state = "known", .last_s = 11 },
	{ .state = "accepted", .last_s = 11 },
	{ .state = "accepted", .last_s = 12 },
};

#define FAIL_1 "FAIL: 1 distinct finding (exit status 1)"

static const struct end_row {
	const char *name;
	struct snapshot snapshot;
	const char *text, *want;
} ENDS[] = {
	{ "nothing", { .exit_status = EXIT_NOTHING }, "",
		"PASS: ended, nothing was found (exit status 0)\n" },
	{ "nothing new", { .exit_status = EXIT_NOTHING, .crashes = 2,
			.findings_not_seen = 2 }, "",
		"PASS: ended, nothing was found (exit status 0); `cfuzz "
		"check` runs what earlier runs found\n" },
	{ "suspects", { .exit_status = EXIT_NOTHING, .suspects = 2,
			.output = "o" }, "",
		"PASS: ended, nothing was found (exit status 0); 2 suspects "
		"are left in o/suspects\n" },
	{ "suspects of a signal", { .exit_status = EXIT_NOTHING, .suspects = 2,
			.output = "o", .suspects_signal = "SIGALRM" }, "",
		"PASS: ended, nothing was found (exit status 0); 2 suspects "
		"are left in o/suspects, most often SIGALRM\n" },
	{ "a suspect of a signal", { .exit_status = EXIT_NOTHING, .suspects = 1,
			.output = "o", .suspects_signal = "SIGALRM" }, "",
		"PASS: ended, nothing was found (exit status 0); 1 suspect is "
		"left in o/suspects: SIGALRM\n" },
	{ "one accepted", { .exit_status = EXIT_NOTHING, .past_s = 10,
			.findings = ACCEPTED, .findings_n = 3, .suspects = 1 }, "",
		"PASS: ended, nothing new was found (exit status 0); 1 accepted "
		"finding was seen; 1 suspect is left in o/suspects\n" },
	{ "accepted in earlier runs", { .exit_status = EXIT_NOTHING,
			.past_s = 10, .findings = ACCEPTED, .findings_n = 2 }, "",
		"PASS: ended, nothing was found (exit status 0)\n" },
	{ "one crash", { .exit_status = EXIT_FOUND, .crashes = 1 }, "",
		FAIL_1 "\n" },
	{ "one of many counts", { .exit_status = EXIT_FOUND, .crashes = 1,
			.hangs = 1, .ooms = 1, .leaks = 1,
			.findings_ignored = 2, .findings_not_seen = 1 },
		"the limit of findings", FAIL_1 ": the limit of findings\n" },
	{ "two and a suspect", { .exit_status = EXIT_FOUND, .crashes = 2,
			.suspects = 1, .output = "o" }, "",
		"FAIL: 2 distinct findings (exit status 1); 1 suspect is left "
		"in o/suspects\n" },
	{ "lost", { .exit_status = EXIT_LOST, .leaks = 1 }, "disk full",
		"FAIL: something could not be saved or done, 1 distinct finding "
		"(exit status 3): disk full\n" },
	{ "set-up", { .exit_status = EXIT_SETUP }, "no target",
		"FAIL: nothing ran (exit status 2)\n" },
}, NEWS[] = {
	{ "nothing", { .exit_status = EXIT_NOTHING }, "",
		"PASS: ended, nothing was found (exit status 0)\n" },
	{ "only known ones", { .exit_status = EXIT_NOTHING, .crashes = 3,
			.findings_not_seen = 1, .suspects = 1, .output = "o" }, "",
		"PASS: ended, nothing new was found; known findings: 2 (exit "
		"status 0); 1 suspect is left in o/suspects\n" },
	{ "known and accepted", { .exit_status = EXIT_NOTHING, .crashes = 5,
			.findings_ignored = 3, .past_s = 10,
			.findings = ACCEPTED, .findings_n = 4 }, "",
		"PASS: ended, nothing new was found; known findings: 2 (exit "
		"status 0); 2 accepted findings were seen\n" },
	{ "new and known", { .exit_status = EXIT_FOUND, .crashes = 3,
			.findings_new = 2 }, "",
		"FAIL: 2 new findings; known findings: 1 (exit status 1)\n" },
	{ "only new", { .exit_status = EXIT_FOUND, .crashes = 1,
			.findings_new = 1 }, "", FAIL_1 "\n" },
	{ "lost", { .exit_status = EXIT_LOST, .leaks = 1 }, "disk full",
		"FAIL: something could not be saved or done, 1 distinct finding "
		"(exit status 3): disk full\n" },
};
/* clang-format on */

static void
check_report(const char *name, const struct cli_reporter *reporter,
	const struct report *report, const char *want)
{
	struct output output;

	output_begin(&output);
	cli_reporter_report((void *)(uintptr_t)reporter, report);
	output_end(&output);
	row_check(strcmp(output.out, want) == 0, "%s: `%s`", name, output.out);
	row_check(output.err[0] == '\0', "%s: `%s`", name, output.err);
}

static void
test_findings(void **state)
{
	for (size_t i = 0; i < ROWS(FINDINGS); i++) {
		const struct finding_row *row = &FINDINGS[i];
		const struct cli_reporter reporter = { .target = row->target,
			.output = row->output };
		const struct report report = { .kind = row->kind,
			.finding = &row->finding };

		check_report(row->name, &reporter, &report, row->want);
	}
}

/* Names are whole: the user copies them. */
static void
test_long_names(void **state)
{
	const struct snapshot_finding finding = { .kind = "hang",
		.what = "hang",
		.folder = "hangs/z" };
	const struct snapshot snapshot = { .exit_status = EXIT_NOTHING,
		.suspects = 1 };
	char *name = malloc(LONG_NAME + 1), want[4 * LONG_NAME];
	const struct cli_reporter reporter = { .target = name, .output = name };
	const struct report found = { .kind = REPORT_FINDING,
		.finding = &finding };
	const struct report ended = { .kind = REPORT_ENDED,
		.snapshot = &snapshot,
		.text = "" };

	assert_non_null(name);
	memset(name, 'n', LONG_NAME);
	name[LONG_NAME] = '\0';
	snprintf(want, sizeof(want),
		"hang\n    %s/hangs/z/input   0 bytes\n"
		"    to re-run: cfuzz repro %s %s/hangs/z/input\n",
		name, name, name);
	check_report("found", &reporter, &found, want);
	snprintf(want, sizeof(want),
		"PASS: ended, nothing was found (exit status 0); 1 suspect is "
		"left in %s/suspects\n",
		name);
	check_report("ended", &reporter, &ended, want);
	free(name);
}

static void
check_ends(const struct end_row *row, size_t n, bool only_new)
{
	const struct cli_reporter reporter = { .target = "t",
		.output = "o",
		.only_new = only_new };

	for (; n > 0; n--, row++) {
		const struct report report = { .kind = REPORT_ENDED,
			.snapshot = &row->snapshot,
			.text = row->text };

		check_report(row->name, &reporter, &report, row->want);
	}
}

static void
test_ends(void **state)
{
	check_ends(ENDS, ROWS(ENDS), false);
	check_ends(NEWS, ROWS(NEWS), true);
}

/* Lines are for people, events for programs. */
static void
test_lines(void **state)
{
	json_t *event = json_pack("{s:s, s:f}", "event", "find", "at_s", 0.1);
	/* clang-format off */
	const struct {
		const char *name;
		bool json;
		struct report report;
		const char *want;
	} rows[] = {
		{ "a line", false, { .kind = REPORT_LINE, .text = "fuzz: 1" },
			"fuzz: 1\n" },
		{ "a line in json", true,
			{ .kind = REPORT_LINE, .text = "fuzz: 1" }, "" },
		{ "an event", false, { .kind = REPORT_EVENT, .event = event },
			"" },
		{ "an event in json", true,
			{ .kind = REPORT_EVENT, .event = event },
			"{\"event\":\"find\",\"at_s\":0.1}\n" },
		{ "progress", false,
			{ .kind = REPORT_PROGRESS, .text = "50 %" }, "" },
	};
	/* clang-format on */

	for (size_t i = 0; i < ROWS(rows); i++) {
		const struct cli_reporter reporter = { .json = rows[i].json };

		check_report(rows[i].name, &reporter, &rows[i].report,
			rows[i].want);
	}
	json_decref(event);
}

static void
test_json_end(void **state)
{
	const struct snapshot snapshot = { .exit_status = EXIT_FOUND,
		.crashes = 3 };
	struct cli_reporter reporter = { .json = true };
	const struct report report = { .kind = REPORT_ENDED,
		.snapshot = &snapshot,
		.text = "enough" };
	struct output output;
	json_t *ended, *stats;

	output_begin(&output);
	cli_reporter_report(&reporter, &report);
	output_end(&output);
	ended = json_loads(output.out, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(ended, "event")),
		"ended");
	assert_string_equal(json_string_value(json_object_get(ended, "text")),
		"enough");
	assert_int_equal(json_integer_value(json_object_get(ended, "exit")), 1);
	stats = json_object_get(ended, "stats");
	assert_true(json_is_object(stats));
	assert_int_equal(json_integer_value(json_object_get(stats, "crashes")),
		3);
	json_decref(ended);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_json_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
