/* The commands that start a target, with the test's program as a target. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "cli/cli.h"
#include "cli/tool.h"
#include "lib/fake_worker.h"
#include "lib/output.h"
#include "lib/own_note.h"
#include "lib/tree.h"
#include "symbols/helper.h"

#define WORDS_MAX 10
#define SELF "SELF" /* the path of this program */

/* clang-format off */
static const struct run_row {
	const char *name;
	const char *words[WORDS_MAX];
	int status;
	const char *out[4], *err; /* in this order; err: its beginning */
} RUNS[] = {
	{ "nothing is found", { "run", "-j", "1", "--fuzztime", "200x",
			"-o", "new", SELF, "first-not-run" }, 0,
		{ "fuzz: elapsed: ", "PASS: ended, nothing was found (exit" },
		"" },
	{ "a crash", { "run", "-j1", "--fuzztime=200x", "--minimizetime=10x",
			"--output=out1", SELF, "crash" }, 1,
		{ "crash: SIG", "    out1/crashes/",
		  "    to re-run: cfuzz repro ", "FAIL: 1 distinct finding" },
		"" },
	{ "in json", { "run", "-j1", "--fuzztime=200x", "--minimizetime=10x",
			"--json", SELF, "crash" }, 1,
		{ "\"event\":\"hint\"", "\"what\":\"SIGSEGV\"",
		  "\n{\"event\":\"ended\",\"exit\":1" }, "" },
	{ "no worker runs", { "run", "-j1", "--fuzztime=9x", "-o", "new2",
			SELF, "never-runs" }, 2, { "FAIL: nothing ran (exit " },
		"cfuzz: no worker is left" },
	{ "no target", { "run", "-o", "new3", "/dev/null" }, 2, { NULL },
		"cfuzz: /dev/null" },
	{ "repro: one fails", { "repro", SELF, "out/crashes/x/input",
			"out/corpus/good" }, 1,
		{ "out/crashes/x/input: 3 bytes: fails: SIGSEGV\n",
		  "out/corpus/good: 4 bytes: ok" }, "" },
	{ "repro: none", { "repro", SELF, "out/corpus/good" }, 0,
		{ "out/corpus/good: 4 bytes: ok" }, "" },
	{ "repro: in a row", { "repro", "--sequence", SELF,
			"out/corpus/good", "out/crashes/x/input" }, 1,
		{ "2 inputs in a row, ", "fails at input 2: SIGSEGV" }, "" },
	{ "repro: no file", { "repro", SELF, "out/corpus/good", "out/gone" },
		3, { "out/corpus/good: 4 bytes: ok", "cannot read out/gone: " },
		"" },
	{ "min", { "min", SELF, "out/crashes/x/input", "-o", "small" }, 0,
		{ "" }, "" },
	{ "min: in json", { "min", "--json", SELF, "out/crashes/x" }, 0,
		{ "{\"" }, "" },
	{ "cmin", { "cmin", "-j", "1", SELF, "out", "-o", "fewer" }, 0,
		{ "" }, "" },
	{ "check", { "check", "-j1", "out" }, 1,
		{ "crashes/x: still fails: SIGSEGV",
		  "1 finding: 1 still fails, 0 differently" }, "" },
	{ "report", { "report", "--no-coverage", "out" }, 0,
		{ "out/report/report.html\n" }, "" },
	{ "report: all", { "report", "--no-coverage", "-o", "all", "out" }, 0,
		{ "all/report.html\nall/report.sarif\nall/report.xml\n"
		  "all/report.md\n" }, "" },
	{ "report: one", { "report", "--no-coverage", "--markdown=-", "out" },
		0, { "SIGSEGV" }, "" },
	{ "report: annotations", { "report", "--github", "out" }, 0,
		{ "::error " }, "" },
	{ "report: no lines", { "report", "--lcov=lines", "out" }, 2,
		{ NULL }, "cfuzz: --lcov: no coverage: " },
	{ "report: against itself", { "report", "--no-coverage",
			"--lcov=none", "out" }, 2,
		{ NULL }, "cfuzz: --lcov is coverage" },
	{ "report: no room", { "report", "--no-coverage",
			"--junit=/nowhere/it", "out" }, 3,
		{ NULL }, "cfuzz: " },
	{ "ci: no folder", { "ci", SELF }, 2,
		{ NULL }, "cfuzz: name the folder of inputs: --corpus DIR" },
	{ "ci: no such time", { "ci", "--corpus=mine", "--time=soon", SELF },
		2, { NULL }, "cfuzz: --time: " },
	{ "ci: nothing", { "ci", "-j1", "--time=200x", "--corpus=mine",
			"-o", "new4", SELF, "first-not-run" }, 0,
		{ "PASS: ", "new4/report/report.html\n" }, "" },
	{ "ci: a crash", { "ci", "-j1", "--time=200x", "--minimizetime=10x",
			"--corpus=mine", "--report=told", "-o", "new5", SELF,
			"crash" }, 1,
		{ "FAIL: ", "told/report.xml\n" }, "" },
	{ "ls", { "ls" }, 0, { "output", "ended" }, "" },
	{ "ls: in json", { "ls", "--json" }, 0,
		{ "\"state\": \"ended\"" }, "" },
};
/* clang-format on */

static char self[PATH_MAX];

static int
run(const char *const *words)
{
	static const struct {
		const char *name;
		const struct tool_command *tool; /* NULL: cli_run() */
	} commands[] = { { "run", NULL }, { "repro", &cli_repro },
		{ "min", &cli_min }, { "cmin", &cli_cmin },
		{ "check", &cli_check }, { "report", &cli_report },
		{ "ci", &cli_ci }, { "ls", &cli_ls } };
	char *argv[WORDS_MAX + 1] = { NULL };
	int argc;

	for (argc = 0; argc < WORDS_MAX && words[argc] != NULL; argc++)
		argv[argc] = strcmp(words[argc], SELF) == 0
			? self
			: (char *)(uintptr_t)words[argc];
	for (size_t i = 0; i < ROWS(commands); i++)
		if (strcmp(words[0], commands[i].name) == 0)
			return commands[i].tool == NULL
				? cli_run(argc, argv)
				: tool_main(commands[i].tool, argc, argv);
	return -1;
}

static void
test_run(void **state)
{
	const struct tree *tree = *state;
	struct output output;

	for (size_t i = 0; i < ROWS(RUNS); i++) {
		const struct run_row *row = &RUNS[i];
		const char *at = output.out;
		int status;

		output_begin(&output);
		status = run(row->words);
		output_end(&output);
		row_check(status == row->status, "%s: %d %s%s", row->name,
			status, output.out, output.err);
		for (size_t k = 0; k < 4 && row->out[k] != NULL; k++) {
			at = strstr(at, row->out[k]);
			row_check(at != NULL, "%s: %s", row->name, output.out);
			at += strlen(row->out[k]);
		}
		/* A report that runs the target says so first. */
		row_check(row->err[0] == '\0'
				? output.err[0] == '\0'
				: strstr(output.err, row->err) != NULL,
			"%s: %s", row->name, output.err);
	}
	assert_true(tree_holds(tree, "small", "C"));
	assert_true(tree_holds(tree, "out/crashes/x/minimized", "C"));
	assert_int_equal(tree_count(tree, "fewer"), 1);
	assert_true(tree_has(tree, "summary"));
	assert_false(tree_has(tree, "lines"));
	assert_false(tree_has(tree, "none"));
}

/* Each report that is not written is told, and the others are written. */
static void
test_lost_reports(void **state)
{
	/* clang-format off */
	static const struct {
		const char *name, *words[WORDS_MAX], *err[3]; /* in order */
	} rows[] = {
		{ "two formats", { "report", "--no-coverage",
				"--sarif=/nowhere/a", "--junit=/nowhere/b",
				"--markdown=told", "out" },
			{ "/nowhere/a", "/nowhere/b" } },
		{ "no lines, and a format", { "report", "--lcov=lines",
				"--junit=/nowhere/a", "--markdown=told",
				"out" },
			{ "--lcov: no coverage: ", "/nowhere/a" } },
		{ "folder, format and summary", { "report", "--no-coverage",
				"--github", "-o", "out/corpus/good/all",
				"--html=/nowhere/a", "--markdown=told", "out" },
			{ "out/corpus/good exists", "/nowhere/a", "/nowhere/s" } },
		{ "two of a folder", { "report", "--no-coverage", "-o",
				"taken", "--markdown=told", "out" },
			{ "taken/report.html", "taken/report.xml" } },
	};
	/* clang-format on */
	const struct tree *tree = *state;
	struct output output;

	setenv("GITHUB_STEP_SUMMARY", "/nowhere/s", 1);
	tree_folder(tree, "taken");
	tree_folder(tree, "taken/report.html");
	tree_folder(tree, "taken/report.xml");
	for (size_t i = 0; i < ROWS(rows); i++) {
		const char *at = output.err;
		int status;

		output_begin(&output);
		status = run(rows[i].words);
		output_end(&output);
		row_check(status == 3, "%s: %d %s", rows[i].name, status,
			output.err);
		for (size_t k = 0; k < 3 && rows[i].err[k] != NULL; k++) {
			at = strstr(at, rows[i].err[k]);
			row_check(at != NULL, "%s: %s is not in %s",
				rows[i].name, rows[i].err[k], output.err);
		}
		assert_int_equal(unlinkat(tree->fd, "told", 0), 0);
	}
}

/* A disk that is full in the middle is full, though nothing is left to write at
 * the end. */
static void
test_full_summary(void **state)
{
	const char *const words[] = { "report", "--no-coverage", "--github",
		"out", NULL };
	const struct tree *tree = *state;
	char text[8192];
	struct output output;
	int status;

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = i % 64 == 63 ? '\n' : 't';
	text[sizeof(text) - 1] = '\0';
	tree_text(tree, "out/crashes/x/report.txt", text);
	setenv("GITHUB_STEP_SUMMARY", "/dev/full", 1);
	output_begin(&output);
	status = run(words);
	output_end(&output);
	assert_int_equal(status, 3);
	assert_non_null(strstr(output.err,
		"/dev/full cannot be written: No space left on device\n"));
}

/* ---- the directory ------------------------------------------------------- */

static int
enter(void **state)
{
	struct tree *tree;
	char *journal;

	if (tree_open(state) != 0)
		return -1;
	tree = *state;
	tree_folder(tree, "out");
	tree_folder(tree, "out/corpus");
	tree_folder(tree, "out/crashes");
	tree_folder(tree, "out/crashes/x");
	journal = xasprintf("{\"event\":\"campaign\",\"target\":\"%s\","
			    "\"args\":[\"inputs\"]}\n",
		self);
	tree_text(tree, "out/journal.jsonl", journal);
	free(journal);
	tree_text(tree, "out/corpus/good", "good");
	tree_text(tree, "out/crashes/x/input", "xxC");
	tree_text(tree, "out/crashes/x/crash.json",
		"{\"id\":\"x\",\"kind\":\"signal\",\"what\":\"SIGSEGV\","
		"\"replays\":1,\"reproduced\":1}");
	/* Neither the list of campaigns nor the summary is the user's. */
	setenv("XDG_RUNTIME_DIR", tree->path, 1);
	setenv("GITHUB_STEP_SUMMARY", tree_path(tree, "summary"), 1);
	unsetenv("GITHUB_ACTIONS");
	return chdir(tree->path);
}

static int
leave(void **state)
{
	return chdir("/") != 0 || tree_close(state) != 0 ? -1 : 0;
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_run, enter, leave),
		cmocka_unit_test_setup_teardown(test_lost_reports, enter,
			leave),
		cmocka_unit_test_setup_teardown(test_full_summary, enter,
			leave),
	};
	int status;

	if (symbols_helper_main(argc, argv, &status))
		return status;
	fake_worker_main(argv);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
