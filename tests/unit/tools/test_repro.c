/*
 * cfuzz repro with a fake worker: the line of each file, and the status.
 */
#include "lib/tool.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/own_note.h"

#define FILES_MAX 4

/* clang-format off */
static const struct repro_row {
	const char *name, *mode;
	const char *files[FILES_MAX];
	bool together;
	enum exit_status status;
	const char *said[4], *not_said;
} REPRO[] = {
	{ "a good file", "inputs", { "good" }, false, EXIT_NOTHING,
		{ "good: 4 bytes: ok, " }, "fails" },
	{ "a failure without a stack", "inputs", { "plain" }, false,
		EXIT_FOUND, { "plain: 2 bytes: fails: SIGSEGV\n" }, " in " },
	{ "a failure with names", "inputs", { "named" }, false, EXIT_FOUND,
		{ "named: 2 bytes: fails: SIGSEGV in f1 t.c:1\n",
		  "#0" }, NULL },
	{ "no names here", "inputs", { "blind", "blind" }, false, EXIT_FOUND,
		{ "warning: libdw.so.1 (elfutils) is not installed",
		  "blind: 1 bytes: fails: SIGSEGV in test_repro+0x901\n" },
		NULL },
	{ "a text", "inputs", { "error" }, false, EXIT_FOUND,
		{ "error: 1 bytes: fails: bad\n    it is bad\n" }, NULL },
	{ "a report", "inputs", { "report" }, false, EXIT_FOUND,
		{ "report: 1 bytes: fails: bad-thing\n",
		  "==1==ERROR: Fake: bad-thing\n",
		  "f4", "SUMMARY: Fake: bad-thing\n" }, NULL },
	{ "a failure, then a good file", "inputs", { "named", "good" }, false,
		EXIT_FOUND, { "named: 2 bytes: fails", "good: 4 bytes: ok" },
		NULL },
	{ "a missing file, then a good one", "inputs", { "gone", "good" },
		false, EXIT_LOST, { "gone", "good: 4 bytes: ok" }, NULL },
	{ "it does not run", "inputs", { "norun" }, false, EXIT_LOST,
		{ "norun: 1 bytes: not run" }, NULL },
	{ "no process for it", "inputs", { "refused", "good" }, false,
		EXIT_LOST,
		{ "refused: 1 bytes: not run: no process (1 calls)\n",
		  "good: 4 bytes: ok" }, NULL },
	{ "two in a row do not run", "inputs", { "norun", "norun", "good" },
		false, EXIT_LOST,
		{ "norun: 1 bytes: not run", "good: 4 bytes: ok" }, NULL },
	{ "it fails, and another does not run", "inputs",
		{ "plain", "norun" }, false, EXIT_LOST,
		{ "plain: 2 bytes: fails", "norun: 1 bytes: not run" }, NULL },
	{ "a worker ends between two inputs", "inputs", { "ends", "good" },
		false, EXIT_NOTHING,
		{ "ends: 2 bytes: ok", "good: 4 bytes: ok" }, "not run" },
	{ "the program is lost and starts again", "inputs-afl",
		{ "lost", "good" }, false, EXIT_NOTHING,
		{ "lost: 2 bytes: ok", "good: 4 bytes: ok" }, "fails" },
	{ "the data of a worker is damaged", "inputs", { "lost", "good" },
		false, EXIT_FOUND,
		{ "lost: 2 bytes: fails: protocol", "good: 4 bytes: ok" },
		NULL },
	{ "stopped in an input", "inputs", { "wait", "good" }, false,
		EXIT_LOST, { "wait: 1 bytes: not run to its end\n",
		  "good: not run: stopped\n" }, "ok" },
	{ "a sequence that fails", "inputs", { "good", "plain", "error" },
		true, EXIT_FOUND,
		{ "good ... error: 3 inputs in a row, 7 bytes: "
		  "fails at input 2: SIGSEGV\n" }, NULL },
	{ "a sequence that does not", "inputs", { "good", "good" }, true,
		EXIT_NOTHING,
		{ "good ... good: 2 inputs in a row, 8 bytes: ok, " }, NULL },
	{ "one input in a row", "inputs", { "good" }, true, EXIT_NOTHING,
		{ "good: 1 input in a row, 4 bytes: ok" }, NULL },
	{ "longer than the limit", "inputs", { "long" }, false, EXIT_NOTHING,
		{ "long: 2000 bytes: ok" }, NULL },
	{ "longer than the limit, after one that is too long", "inputs",
		{ "huge", "long" }, false, EXIT_LOST,
		{ "huge", "long: 2000 bytes: ok" }, "bytes: fails" },
	{ "typed", "inputs-typed", { "typed" }, false, EXIT_FOUND,
		{ "typed: 29 bytes: fails: SIGSEGV in f1 t.c:1\n",
		  "Parse(cfuzz_string_of(\"A1\", 2));" }, NULL },
	{ "typed, in a row", "inputs-typed", { "calm", "typed", "after" }, true,
		EXIT_FOUND,
		{ "3 inputs in a row, 87 bytes: fails at input 2",
		  "\n    Parse(cfuzz_string_of(\"g1\", 2));\n"
		  "    Parse(cfuzz_string_of(\"A1\", 2));\n" },
		"g2" },
	{ "leaks cannot be found", "inputs-leaks", { "good" }, false,
		EXIT_NOTHING, { "warning: ", "good: 4 bytes: ok" }, NULL },
};
/* clang-format on */

static void
make_files(const struct tree *tree)
{
	char text[2001];

	memset(text, 'a', 2000);
	text[2000] = '\0';
	tree_text(tree, "good", "good");
	tree_text(tree, "plain", "C.");
	tree_text(tree, "named", "xA");
	tree_text(tree, "blind", "G");
	tree_text(tree, "error", "E");
	tree_text(tree, "report", "L");
	tree_text(tree, "norun", "N");
	tree_text(tree, "refused", "$");
	tree_text(tree, "wait", "W");
	tree_text(tree, "ends", "aJ");
	tree_text(tree, "lost", "aZ");
	tree_text(tree, "long", text);
	tree_text(tree, "typed", "go test fuzz v1\nstring(\"A1\")\n");
	tree_text(tree, "calm", "go test fuzz v1\nstring(\"g1\")\n");
	tree_text(tree, "after", "go test fuzz v1\nstring(\"g2\")\n");
	tree_text(tree, "huge", "");
	assert_int_equal(chdir(tree->path), 0);
	assert_int_equal(truncate("huge", 101 << 20), 0);
}

static void
check_row(const struct tree *tree, const struct repro_row *row)
{
	char *files[FILES_MAX + 1] = { NULL };
	enum exit_status status;
	struct tool tool;
	size_t i;

	for (i = 0; i < FILES_MAX && row->files[i] != NULL; i++)
		files[i] = (char *)(uintptr_t)row->files[i];
	tool_open(&tool, tree, row->mode);
	tool_set(&tool, "max-len", "1000");
	tool.config.together = row->together;
	status = engine_repro(&tool.config, files, &tool.err);
	row_check(status == row->status, "%s: %d: %s%s", row->name, status,
		tool.err.text, tool.said);
	for (i = 0; i < 4 && row->said[i] != NULL; i++)
		row_check(tool_said(&tool, row->said[i]), "%s: %s in `%s`",
			row->name, row->said[i], tool.said);
	row_check(row->not_said == NULL || !tool_said(&tool, row->not_said),
		"%s: `%s`", row->name, tool.said);
	tool_close(&tool);
}

static void
test_files(void **state)
{
	size_t i;

	make_files(*state);
	for (i = 0; i < ROWS(REPRO); i++)
		check_row(*state, &REPRO[i]);
	assert_int_equal(chdir("/"), 0);
}

/* A file of a campaign runs with the arguments of the campaign. */
static void
test_campaign(void **state)
{
	const struct tree *tree = *state;
	char *files[] = { "crashes/x", NULL };
	struct tool tool;

	tree_text(tree, "journal.jsonl",
		"{\"event\":\"campaign\",\"target\":\"/t\",\"build_id\":\"\","
		"\"args\":[\"inputs\"]}\n");
	tree_folder(tree, "crashes");
	tree_folder(tree, "crashes/x");
	tree_text(tree, "crashes/x/input", "xxB");
	tree_text(tree, "crashes/x/minimized", "B");
	assert_int_equal(chdir(tree->path), 0);
	tool_open(&tool, tree, "inputs");
	tool.config.args = NULL;
	assert_int_equal(engine_repro(&tool.config, files, &tool.err),
		EXIT_FOUND);
	assert_true(
		tool_said(&tool, "with the campaign's arguments: inputs\n"));
	assert_true(tool_said(&tool, "crashes/x: 1 bytes: fails: SIGSEGV"));
	tool_close(&tool);
	assert_int_equal(chdir("/"), 0);
}

static void
make_campaign(const struct tree *tree, const char *output, const char *args,
	const char *limits)
{
	char name[64], text[256];

	tree_folder(tree, output);
	snprintf(name, sizeof(name), "%s/journal.jsonl", output);
	snprintf(text, sizeof(text),
		"{\"event\":\"campaign\",\"target\":\"/t\",\"build_id\":\"\","
		"\"args\":[\"inputs\"%s]}\n",
		args);
	tree_text(tree, name, text);
	snprintf(name, sizeof(name), "%s/stats.json", output);
	snprintf(text, sizeof(text), "{\"limits\":{%s}}", limits);
	tree_text(tree, name, text);
	snprintf(name, sizeof(name), "%s/x", output);
	tree_text(tree, name, "good");
}

/* clang-format off */
static const struct mixed_row {
	const char *name;
	const char *files[FILES_MAX];
	enum exit_status status;
	const char *err;
} MIXED[] = {
	{ "the same", { "a/x", "same/x" }, EXIT_NOTHING, NULL },
	{ "other arguments", { "a/x", "args/x" }, EXIT_SETUP, "arguments" },
	{ "fewer arguments", { "args/x", "a/x" }, EXIT_SETUP, "arguments" },
	{ "another limit", { "a/x", "limit/x" }, EXIT_SETUP, "--rss-limit" },
	{ "the third one", { "a/x", "a/x", "same/x", "limit/x" }, EXIT_SETUP,
		"--rss-limit" },
	{ "none, then a campaign", { "good", "a/x" }, EXIT_SETUP,
		"arguments" },
	{ "a campaign, then none", { "a/x", "good" }, EXIT_SETUP,
		"a and good do not run with the same arguments" },
	{ "missing ones", { "gone", "a/x", "gone", "same/x" }, EXIT_LOST,
		NULL },
};
/* clang-format on */

/* No file runs with the arguments and limits of another campaign. */
static void
test_mixed(void **state)
{
	const struct tree *tree = *state;
	size_t i, j;

	make_files(tree);
	make_campaign(tree, "a", "", "");
	make_campaign(tree, "same", "", "");
	make_campaign(tree, "args", ",\"more\"", "");
	make_campaign(tree, "limit", "", "\"rss-limit\":{\"value\":\"9G\"}");
	for (i = 0; i < ROWS(MIXED); i++) {
		const struct mixed_row *row = &MIXED[i];
		char *files[FILES_MAX + 1] = { NULL };
		enum exit_status status;
		struct tool tool;

		for (j = 0; j < FILES_MAX && row->files[j] != NULL; j++)
			files[j] = (char *)(uintptr_t)row->files[j];
		tool_open(&tool, tree, "inputs");
		tool.config.args = NULL;
		status = engine_repro(&tool.config, files, &tool.err);
		row_check(status == row->status, "%s: %d: %s%s", row->name,
			status, tool.err.text, tool.said);
		row_check(row->err == NULL ||
				(strstr(tool.err.text, row->err) != NULL &&
					tool.said[0] == '\0'),
			"%s: %s `%s`", row->name, tool.err.text, tool.said);
		tool_close(&tool);
	}
	assert_int_equal(chdir("/"), 0);
}

/* Missing names are mentioned once. */
static void
test_blind(void **state)
{
	const struct tree *tree = *state;
	char *files[] = { "blind", "blind", NULL };
	const char *warning;
	struct tool tool;

	make_files(tree);
	tool_open(&tool, tree, "inputs");
	assert_int_equal(engine_repro(&tool.config, files, &tool.err),
		EXIT_FOUND);
	warning = strstr(tool.said, "warning: ");
	assert_non_null(warning);
	assert_null(strstr(warning + 1, "warning: "));
	tool_close(&tool);
	assert_int_equal(chdir("/"), 0);
}

/* Without a target nothing runs. */
static void
test_no_target(void **state)
{
	char *files[] = { "good", NULL };
	struct tool tool;

	tool_open(&tool, *state, "inputs");
	tool.config.target = "/dev/null";
	assert_int_equal(engine_repro(&tool.config, files, &tool.err),
		EXIT_SETUP);
	assert_int_not_equal(tool.err.code, OK);
	assert_string_equal(tool.said, "");
	tool_close(&tool);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(test_files),
		TREE_TEST(test_campaign),
		TREE_TEST(test_mixed),
		TREE_TEST(test_blind),
		TREE_TEST(test_no_target),
	};

	tool_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
