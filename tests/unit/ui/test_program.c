/*
 * test_program: cfuzz-tui as a whole, with the test's program as a target: its
 * command line, a campaign without a terminal, and starts that fail.
 * FLAGS: -lutil
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "lib/check.h"
#include "lib/fake_worker.h"
#include "lib/output.h"
#include "lib/own_note.h"
#include "lib/session.h"
#include "lib/tree.h"

#define WORDS_MAX 12
#define PROGRAM_MAX (256u << 20) /* bytes */
#define SELF "SELF"              /* the path of this program */

static char self[PATH_MAX], program[PATH_MAX + 16];

static int
run_program(int argc, char **argv)
{
	argv[argc] = NULL;
	execv(program, argv);
	return 99;
}

/* ---- without a terminal -------------------------------------------------- */

/* clang-format off */
static const struct line_row {
	const char *name;
	const char *words[WORDS_MAX];
	int status;
	const char *out, *err; /* parts; "": nothing */
} LINES[] = {
	{ "help", { "--help" }, 0, "usage: cfuzz-tui [OPTION]... TARGET", "" },
	{ "version", { "--version" }, 0, "cfuzz-tui 0.", "" },
	{ "no target", { NULL }, 2, "", "the target is missing" },
	{ "no option", { "--nothing" }, 2, "", "unknown option --nothing" },
	{ "a missing target", { "/nowhere/t" }, 2, "", "/nowhere/t" },
	{ "a missing theme", { "--theme", "nosuch", "t" }, 2, "", "nosuch" },
	{ "missing keys", { "--keys", "/nowhere/k", "t" }, 2, "",
		"/nowhere/k" },
	{ "play a target", { "--play", "it", "t" }, 2, "",
		"--play shows a recording: it takes no target" },
	{ "play and record", { "--play", "it", "--record", "that" }, 2, "",
		"--play and --record exclude each other" },
	{ "play without a terminal", { "--play", "it" }, 2, "",
		"a recording is made and shown by the console" },
	{ "record without a terminal", { "--record", "it", "t" }, 2, "",
		"which needs a terminal" },
	{ "attach without a terminal", { "attach", "it" }, 255, "",
		"not a terminal" },
	{ "attach to two", { "attach", "it", "that" }, 255, "",
		"an output directory takes no arguments" },
	{ "attach, no option", { "attach", "--nothing" }, 255, "",
		"unknown option --nothing" },
	{ "a campaign", { "-j1", "--timeout=60000", "--fuzztime=200x", "-oout1", SELF,
			"first-not-run" }, 0, "fuzz: elapsed: ", "" },
	{ "a tour", { "--tour", "-j1", "--timeout=60000", "--fuzztime=200x", SELF,
			"first-not-run" }, 0, "fuzz: elapsed: ", "" },
	{ "one more", { "--tour", "-j1", "--timeout=60000", "--fuzztime=200x", SELF,
			"first-not-run" }, 0, "fuzz: elapsed: ", "" },
	{ "a crash", { "-j1", "--timeout=60000", "--fuzztime=200x", "--minimizetime=10x",
			SELF, "crash" }, 1, "SIGSEGV", "" },
};
/* clang-format on */

static int
run_line(const struct line_row *row)
{
	char *argv[WORDS_MAX + 2] = { program };
	int argc = 1, status;
	pid_t pid;

	for (; row->words[argc - 1] != NULL; argc++)
		argv[argc] = strcmp(row->words[argc - 1], SELF) == 0
			? self
			: (char *)(uintptr_t)row->words[argc - 1];
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		_exit(run_program(argc, argv));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool
has(const char *text, const char *part)
{
	return part[0] == '\0' ? text[0] == '\0' : strstr(text, part) != NULL;
}

static void
test_lines(void **state)
{
	const struct tree *tree = *state;
	struct output output;

	for (size_t i = 0; i < ROWS(LINES); i++) {
		const struct line_row *row = &LINES[i];
		int status;

		output_begin(&output);
		status = run_line(row);
		output_end(&output);
		check(status == row->status, "%s: %d %s%s", row->name, status,
			output.out, output.err);
		check(has(output.out, row->out), "%s: %s", row->name,
			output.out);
		check(has(output.err, row->err), "%s: %s", row->name,
			output.err);
	}
	/* A tour begins a campaign anew. */
	assert_true(tree_has(tree, "test_program-tour.cfuzz/journal.jsonl"));
	assert_true(tree_has(tree, "test_program-tour-2.cfuzz/journal.jsonl"));
}

/* ---- on a terminal ------------------------------------------------------- */

/* What cannot start stays on the screen until a key is pressed. */
static void
test_no_start(void **state)
{
	static const char *const target[] = { "/nowhere/it", NULL };
	static const char *const recording[] = { "--play", "/nowhere/it",
		NULL };
	static const char *const *const all[] = { target, recording };
	struct session s;

	for (size_t i = 0; i < ROWS(all); i++) {
		session_start(&s, run_program, NULL, all[i]);
		session_expect(&s, "/nowhere/it");
		session_expect(&s, "any key ends");
		session_send(&s, "x");
		assert_int_equal(session_wait(&s), 2);
		session_check_restored(&s);
		session_close(&s);
	}
}

/* A recording that is there already, and a terminal without a console. */
static void
test_refused(void **state)
{
	static const char *const dumb[] = { "TERM=dumb", NULL };
	static const char *const record[] = { "--record", "/dev/null", "t",
		NULL };
	static const char *const lines[] = { "/nowhere/it", NULL };
	struct session s;

	session_start(&s, run_program, NULL, record);
	session_expect(&s, "/dev/null");
	assert_int_equal(session_wait(&s), 2);
	session_close(&s);
	session_start(&s, run_program, dumb, lines);
	session_expect(&s, "so there are plain lines instead");
	session_expect(&s, "/nowhere/it");
	assert_int_equal(session_wait(&s), 2);
	session_close(&s);
}

/* The end of a campaign is a question on the screen, then text. */
static void
test_campaign(void **state)
{
	static const char *const args[] = { "-j1", "--timeout=60000",
		"--fuzztime=200x", self, "first-not-run", NULL };
	struct session s;

	session_start(&s, run_program, NULL, args);
	session_redraw(&s, "look around");
	session_send(&s, "q");
	assert_int_equal(session_wait(&s), 0);
	session_check_restored(&s);
	session_close(&s);
}

/* Without the output directory of the session: words of a test alone. */
static int
run_words(int argc, char **argv)
{
	argv[2] = program;
	return run_program(argc - 2, argv + 2);
}

/* Starts a campaign that runs until it is asked to stop. */
static void
start_detached(void)
{
	static const struct line_row row = { "--detach",
		{ "--detach", "-j1", "--timeout=60000", "-oaway", SELF,
			"first-not-run" },
		0, "cfuzz attach", "" };
	struct output output;
	int status;

	output_begin(&output);
	status = run_line(&row);
	output_end(&output);
	check(status == row.status && has(output.out, row.out), "%d %s%s",
		status, output.out, output.err);
}

/* A campaign in the background, one who watches, and one who ends it. */
static void
test_detached(void **state)
{
	static const char *const watch[] = { "attach", "-r", "away", NULL };
	static const char *const only[] = { "attach", "-r", NULL };
	static const char *const decline[] = { "-oaway", self, NULL };
	static const char *const alone[] = { "attach", "-d", NULL };
	static const char *const again[] = { "-oaway", self, NULL };
	static const char *const *const watchers[] = { watch, only };
	struct session s;

	start_detached();
	for (size_t i = 0; i < ROWS(watchers); i++) {
		session_start(&s, run_words, NULL, watchers[i]);
		session_redraw(&s, "watching");
		session_send(&s, "d");
		assert_int_equal(session_wait(&s), 0);
		session_check_restored(&s);
		session_close(&s);
	}
	session_start(&s, run_words, NULL, decline);
	session_expect(&s, "Attach to it? [Y/n]");
	session_send(&s, "n\n");
	session_expect(&s, "any key ends");
	session_send(&s, "x");
	assert_int_equal(session_wait(&s), 2);
	session_close(&s);
	session_start(&s, run_words, NULL, again);
	session_expect(&s, "Attach to it? [Y/n]");
	session_send(&s, "\n");
	session_redraw(&s, "FUZZING");
	session_send(&s, "d");
	assert_int_equal(session_wait(&s), 0);
	session_close(&s);
	session_start(&s, run_words, NULL, alone);
	session_redraw(&s, "FUZZING");
	session_send(&s, "q");
	session_redraw(&s, "stop and quit");
	session_send(&s, "s");
	assert_int_equal(session_wait(&s), 0);
	session_close(&s);
	session_start(&s, run_words, NULL, only);
	session_expect(&s, "no campaign of yours runs");
	assert_int_equal(session_wait(&s), 255);
	session_close(&s);
}

/* The demonstration target is beside the program; this file is none. */
static void
test_demo(void **state)
{
	static const struct line_row row = { "a tour of the demo", { "--tour" },
		2, "", "" };
	const struct tree *tree = *state;
	char built[sizeof(program)], demo[PATH_MAX + 16];
	struct output output;
	uint8_t *bytes;
	size_t len;
	int status;

	snprintf(built, sizeof(built), "%s", program);
	snprintf(program, sizeof(program), "%s/cfuzz-tui", tree->path);
	snprintf(demo, sizeof(demo), "%s/demo", tree->path);
	assert_int_equal(file_read(built, PROGRAM_MAX, &bytes, &len, NULL), OK);
	tree_write(tree, "cfuzz-tui", bytes, len);
	free(bytes);
	assert_int_equal(chmod(program, 0700), 0);
	tree_text(tree, "demo", "no program");
	assert_int_equal(chmod(demo, 0700), 0);
	output_begin(&output);
	status = run_line(&row);
	output_end(&output);
	snprintf(program, sizeof(program), "%s", built);
	check(status == 2 && strstr(output.err, demo) != NULL, "%d %s", status,
		output.err);
}

static int
enter(void **state)
{
	const struct tree *tree;

	if (tree_open(state) != 0)
		return -1;
	tree = *state;
	/* The list of campaigns is not the user's. */
	return setenv("XDG_RUNTIME_DIR", tree->path, 1) != 0
		? -1
		: chdir(tree->path);
}

static int
leave(void **state)
{
	return chdir("/") != 0 || tree_close(state) != 0 ? -1 : 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(test_lines),
		TEST(test_no_start),
		TEST(test_refused),
		TEST(test_campaign),
		TEST(test_detached),
		TEST(test_demo),
	};
	const char *build = getenv("CFUZZ_BUILD");

	fake_worker_main(argv);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	snprintf(program, sizeof(program), "%s/cfuzz-tui", build);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
