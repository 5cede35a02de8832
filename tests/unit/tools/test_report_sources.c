/*
 * test_report_sources: what a corpus covers by source line, with a fake worker
 * and the real reader of debug information. The edges a and b are functions of
 * lib/fake_inputs.c.
 */
#include "lib/tool.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "lib/own_note.h"
#include "symbols/helper.h"

/* clang-format off */
static const struct sources_row {
	const char *name, *mode, *seed;
	const char *files[3];       /* of the corpus */
	int inputs, failed;
	const char *trouble, *error; /* a part of it; NULL: none */
} SOURCES[] = {
	{ "each input runs", "inputs-lines", NULL, { "a", "b" }, 2, 0,
		NULL, NULL },
	{ "failing ones count", "inputs-lines", NULL, { "a", "C", "E" }, 3, 2,
		NULL, NULL },
	{ "a seed runs, too", "inputs-lines", "corpus/0", { "a" }, 2, 0,
		NULL, NULL },
	{ "no corpus yet: the empty input", "inputs-lines", NULL, { NULL },
		1, 0, NULL, NULL },
	{ "typed", "inputs-typed", NULL,
		{ "go test fuzz v1\nstring(\"a\")\n" }, 1, 0,
		"the compiler wrote no PC table", NULL },
	{ "one of other types", "inputs-typed", NULL,
		{ "go test fuzz v1\nstring(\"a\")\n",
			"go test fuzz v1\nint(1)\n" },
		1, 0, "1 seed skipped, it is of other types than the target ",
		NULL },
	{ "all of other types", "inputs-typed", NULL,
		{ "go test fuzz v1\nint(1)\n", "a" }, 0, 0, NULL,
		"2 seeds skipped, each is of other types than the target " },
	{ "one of other types, and a module that comes late", "inputs-lines",
		"corpus/0", { "go test fuzz v1\nint(1)\n", "aM" }, 2, 0,
		"1 seed skipped, it is of other types than the target ", NULL },
	{ "a worker ends between two inputs", "inputs-lines", NULL,
		{ "J", "a" }, 2, 0, NULL, NULL },
	{ "a process dies between two inputs", "inputs-lines", NULL,
		{ "S", "a" }, 2, 0, NULL, NULL },
	{ "the program is lost and starts again", "inputs-lines", NULL,
		{ "Z", "a" }, 2, 0, NULL, NULL },
	{ "one that never runs", "inputs-lines", NULL, { "N", "a" }, 2, 1,
		NULL, NULL },
	{ "no process for one", "inputs-lines", NULL, { "$", "a" }, 1, 0,
		"1 input could not be run: no process (1 calls)", NULL },
	{ "no process for any", "inputs-lines", NULL, { "$" }, 0, 0, NULL,
		"1 input could not be run: no process (1 calls)" },
	{ "a module that comes late", "inputs-lines", NULL, { "aM" }, 1, 0,
		NULL, NULL },
	{ "a corpus file is bytes, whatever it looks like", "inputs-lines",
		NULL, { "go test fuzz v1\nC" }, 1, 1, NULL, NULL },
	{ "a seed may be text", "inputs-lines", "corpus/0",
		{ "go test fuzz v1\n[]byte(\"\\x43\")\n" }, 2, 1, NULL,
		NULL },
	{ "no PC table", "inputs", NULL, { "a" }, 1, 0,
		"/test_report_sources: the compiler wrote no PC table", NULL },
	{ "not instrumented", "inputs-plain", NULL, { "a" }, 0, 0,
		NULL, "was not built with coverage instrumentation" },
	{ "a seed that is gone", "inputs-lines", "none", { "a" }, 0, 0,
		NULL, "none" },
};
/* clang-format on */

/* Set: the helper interrupts the engine instead of an answer. */
#define HELPER_INTERRUPTS "TEST_HELPER_INTERRUPTS"

static void
interrupt_engine(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	kill(getppid(), SIGINT);
	for (;;)
		pause();
}

static void
make_campaign(const struct tree *tree, const char *const files[3])
{
	char name[32];
	size_t i;

	for (i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "corpus/%zu", i);
		unlinkat(tree->fd, name, 0);
	}
	unlinkat(tree->fd, "corpus", AT_REMOVEDIR);
	if (files[0] != NULL)
		tree_folder(tree, "corpus");
	for (i = 0; i < 3 && files[i] != NULL; i++) {
		snprintf(name, sizeof(name), "corpus/%zu", i);
		tree_text(tree, name, files[i]);
	}
}

/* At any place, and once. */
static void
check_trouble(const struct sources_row *row, const json_t *troubles)
{
	char *said = json_dumps(troubles, 0);
	const char *at = strstr(said, row->trouble);

	row_check(at != NULL, "%s: %s", row->name, said);
	row_check(strstr(at + 1, row->trouble) == NULL, "%s: %s", row->name,
		said);
	free(said);
}

static void
check_report(const struct sources_row *row, const json_t *sources,
	const char *error)
{
	const json_t *troubles = json_object_get(sources, "troubles");

	row_check((sources == NULL) == (row->error != NULL), "%s: %s",
		row->name, error);
	if (row->error != NULL) {
		row_check(strstr(error, row->error) != NULL, "%s: %s",
			row->name, error);
		return;
	}
	row_check(json_integer_value(json_object_get(sources, "inputs")) ==
			row->inputs,
		"%s: inputs", row->name);
	row_check(json_integer_value(json_object_get(sources, "failed")) ==
			row->failed,
		"%s: failed", row->name);
	row_check((json_array_size(troubles) > 0) == (row->trouble != NULL),
		"%s: troubles", row->name);
	if (row->trouble != NULL)
		check_trouble(row, troubles);
}

static void
test_rows(void **state)
{
	const struct tree *tree = *state;
	struct tool tool;
	json_t *sources;
	size_t i;

	assert_int_equal(chdir(tree->path), 0);
	for (i = 0; i < ROWS(SOURCES); i++) {
		make_campaign(tree, SOURCES[i].files);
		tool_open(&tool, tree, SOURCES[i].mode);
		if (SOURCES[i].seed != NULL)
			tool_set(&tool, "seeds", SOURCES[i].seed);
		sources = engine_report_sources(&tool.config, tree->path,
			&tool.err);
		check_report(&SOURCES[i], sources, tool.err.text);
		json_decref(sources);
		tool_close(&tool);
	}
	assert_int_equal(chdir("/"), 0);
}

/* ---- lines -------------------------------------------------------------- */

/* The hits of a function; -1: it is not listed. */
static int
function_hits(const json_t *file, const char *name)
{
	const json_t *function;
	size_t i;

	json_array_foreach(json_object_get(file, "functions"), i, function)
		if (strcmp(json_string_value(json_array_get(function, 1)),
			    name) == 0)
			return (int)json_integer_value(
				json_array_get(function, 2));
	return -1;
}

static int
lines_of(const json_t *file, const char *kind)
{
	const json_t *line;
	size_t i;
	int n = 0;

	json_array_foreach(json_object_get(file, "lines"), i, line)
		n += strcmp(json_string_value(json_array_get(line, 1)), kind) ==
			0;
	return n;
}

/* One input reaches a, no input reaches b. */
static void
test_lines(void **state)
{
	static const char *const files[3] = { "a" };
	const struct tree *tree = *state;
	const json_t *list, *file;
	json_int_t hit, known;
	const char *path;
	struct tool tool;
	json_t *sources;

	make_campaign(tree, files);
	tool_open(&tool, tree, "inputs-lines");
	sources = engine_report_sources(&tool.config, tree->path, &tool.err);
	list = json_object_get(sources, "files");
	assert_int_equal(json_array_size(list), 1);
	file = json_array_get(list, 0);
	path = json_string_value(json_object_get(file, "path"));
	assert_string_equal(strrchr(path, '/'), "/fake_inputs.c");
	hit = json_integer_value(json_object_get(file, "hit"));
	known = json_integer_value(json_object_get(file, "known"));
	assert_true(hit > 0);
	assert_true(known > hit);
	assert_int_equal(lines_of(file, "hit") + lines_of(file, "partly"), hit);
	assert_int_equal(hit + lines_of(file, "missed"), known);
	assert_int_equal(function_hits(file, "fake_inputs_ping"), 1);
	assert_int_equal(function_hits(file, "fake_inputs"), 0);
	assert_true(json_is_false(json_object_get(sources, "cut")));
	assert_true(json_is_false(json_object_get(sources, "stopped")));
	json_decref(sources);
	tool_close(&tool);
}

/* The user stops it: what ran counts, what runs ends, here by its time limit. */
static void
test_stopped(void **state)
{
	static const char *const files[3] = { "a", "W", "b" };
	const struct tree *tree = *state;
	struct tool tool;
	json_t *sources, *list;

	make_campaign(tree, files);
	tool_open(&tool, tree, "inputs-lines");
	tool_set(&tool, "timeout", "1s");
	sources = engine_report_sources(&tool.config, tree->path, &tool.err);
	assert_true(json_is_true(json_object_get(sources, "stopped")));
	list = json_object_get(sources, "files");
	assert_int_equal(json_array_size(list), 1);
	assert_int_equal(function_hits(json_array_get(list, 0),
				 "fake_inputs_ping"),
		1);
	assert_int_equal(function_hits(json_array_get(list, 0), "fake_inputs"),
		0);
	assert_int_equal(json_array_size(json_object_get(sources, "troubles")),
		0);
	json_decref(sources);
	tool_close(&tool);
}

static void
check_unread(const json_t *sources)
{
	const char *why = json_string_value(
		json_array_get(json_object_get(sources, "troubles"), 0));

	assert_true(json_is_true(json_object_get(sources, "stopped")));
	assert_int_equal(json_array_size(json_object_get(sources, "files")), 0);
	assert_non_null(strstr(why,
		"/test_report_sources: stopped before its source lines were "
		"known"));
}

/* The user stops it while its helper reads debug information. */
static void
test_stopped_at_names(void **state)
{
	static const char *const files[3] = { "a" };
	const struct tree *tree = *state;
	struct tool tool;
	json_t *sources;

	make_campaign(tree, files);
	tool_open(&tool, tree, "inputs-lines");
	assert_int_equal(setenv(HELPER_INTERRUPTS, "1", 1), 0);
	sources = engine_report_sources(&tool.config, tree->path, &tool.err);
	assert_int_equal(unsetenv(HELPER_INTERRUPTS), 0);
	check_unread(sources);
	json_decref(sources);
	tool_close(&tool);
}

/* Twice, before the helper reads anything: it is not asked any more. */
static void
test_stopped_twice(void **state)
{
	static const char *const files[3] = { "aY" };
	const struct tree *tree = *state;
	struct tool tool;
	json_t *sources;

	make_campaign(tree, files);
	tool_open(&tool, tree, "inputs-lines");
	sources = engine_report_sources(&tool.config, tree->path, &tool.err);
	check_unread(sources);
	json_decref(sources);
	tool_close(&tool);
}

static void
test_no_target(void **state)
{
	const struct tree *tree = *state;
	struct tool tool;

	tool_open(&tool, tree, "inputs");
	tool.config.target = NULL;
	assert_null(engine_report_sources(&tool.config, tree->path, &tool.err));
	assert_non_null(strstr(tool.err.text, "does not name its target"));
	tool_close(&tool);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(test_rows),
		TREE_TEST(test_lines),
		TREE_TEST(test_stopped),
		TREE_TEST(test_stopped_at_names),
		TREE_TEST(test_stopped_twice),
		TREE_TEST(test_no_target),
	};
	int status;

	if (argc == 2 && getenv(HELPER_INTERRUPTS) != NULL &&
		strcmp(argv[1], SYMBOLS_HELPER_OPTION) == 0)
		interrupt_engine();
	if (symbols_helper_main(argc, argv, &status))
		return status;
	tool_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
