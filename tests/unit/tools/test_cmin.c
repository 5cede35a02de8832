/*
 * cfuzz cmin with a fake worker: which files are kept, what is said, the
 * status. A small letter of a file is an edge.
 */
#include "lib/tool.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/hash.h"
#include "lib/own_note.h"

#define FILES_MAX 6
#define HEAD "go test fuzz v1\n"

/* clang-format off */
static const struct cmin_row {
	const char *name, *mode;
	const char *files[FILES_MAX]; /* contents */
	enum exit_status status;
	const char *kept[FILES_MAX]; /* contents */
	const char *says[3]; /* in the lines, or in the error */
} CMIN[] = {
	{ "each has its own", "inputs", { "a", "b", "c" }, EXIT_NOTHING,
		{ "a", "b", "c" },
		{ "3 -> 3 files, 3 B -> 3 B, 3 of 3 bits\n" } },
	{ "one adds nothing", "inputs", { "ab", "a", "b" }, EXIT_NOTHING,
		{ "a", "b" }, { "3 -> 2 files, 4 B -> 2 B, 2 of 2 bits\n" } },
	{ "the smaller of two", "inputs", { "a11111", "a1" }, EXIT_NOTHING,
		{ "a1" }, { "2 -> 1 files, 8 B -> 2 B, 1 of 1 bits\n" } },
	{ "copies", "inputs", { "abc", "abc", "abc" }, EXIT_NOTHING,
		{ "abc" }, { "3 -> 1 files, 9 B -> 3 B, 3 of 3 bits\n" } },
	{ "an edge twice counts once", "inputs", { "aa", "b" }, EXIT_NOTHING,
		{ "aa", "b" }, { "2 of 2 bits" } },
	{ "failing files are left out", "inputs", { "aA", "b" },
		EXIT_NOTHING, { "b" },
		{ "1 file left out, the target fails on them:\n    ",
		  "1 of 1 bits" } },
	{ "so are rejected ones", "inputs", { "aR", "bR", "c" },
		EXIT_NOTHING, { "c" },
		{ "2 files left out, the target rejects them:\n    " } },
	{ "a file that does not run", "inputs", { "aN", "b" }, EXIT_LOST,
		{ "b" },
		{ "1 file left out, they could not be run:\n    " } },
	{ "a file for which there is no process", "inputs", { "a$", "b" },
		EXIT_LOST, { "b" },
		{ "1 file left out, they could not be run: no process (1 calls)"
		  ":\n    ", "1 of 1 bits\n" } },
	{ "all of them", "inputs", { "$", "$1" }, EXIT_LOST, { NULL },
		{ "2 files left out, they could not be run: no process",
		  "no usable file is left: nothing was written" } },
	{ "only for the second run", "inputs", { "a~", "b" }, EXIT_LOST,
		{ "a~", "b" },
		{ "1 of the chosen files could not be run again: no process",
		  ", 1 of 2 bits\n" } },
	{ "a worker ends between two inputs", "inputs", { "aJ", "b11" },
		EXIT_NOTHING, { "aJ", "b11" },
		{ "2 -> 2 files", "2 of 2 bits\n" } },
	{ "a process dies between two inputs", "inputs", { "aS", "b11" },
		EXIT_NOTHING, { "aS", "b11" },
		{ "2 -> 2 files", "2 of 2 bits\n" } },
	{ "each run has tries of its own", "inputs", { "aJ", "bM1" },
		EXIT_NOTHING, { "aJ", "bM1" },
		{ "2 -> 2 files", "2 of 2 bits\n" } },
	{ "the program is lost and starts again", "inputs", { "aZ", "b" },
		EXIT_NOTHING, { "aZ", "b" },
		{ "2 -> 2 files", "2 of 2 bits\n" } },
	{ "a module is loaded", "inputs", { "aM", "b" }, EXIT_NOTHING,
		{ "aM", "b" }, { "2 -> 2 files" } },
	{ "it fails at the first time", "inputs", { "aF" }, EXIT_SETUP,
		{ NULL }, { "no usable file is left" } },
	{ "it fails at the second time", "inputs", { "aQ", "b" },
		EXIT_NOTHING, { "aQ", "b" },
		{ "1 bits were missing",
		  "the target failed on 1 of the chosen files when",
		  ", 1 of 2 bits\n" } },
	{ "edges that do not come back", "inputs", { "abU", "c" },
		EXIT_NOTHING, { "abU", "c" },
		{ "2 bits were missing when the chosen files were run "
		  "again", ", 1 of 3 bits\n" } },
	{ "all fail", "inputs", { "A", "B" }, EXIT_SETUP, { NULL },
		{ "2 files left out, the target fails on them:\n",
		  "no usable file is left: nothing was written" } },
	{ "no edges at all", "inputs", { "1", "2" }, EXIT_SETUP, { NULL },
		{ "no usable file is left: nothing was written" } },
	{ "not instrumented", "inputs-plain", { "a" }, EXIT_SETUP, { NULL },
		{ "was not built with coverage instrumentation" } },
	{ "typed", "inputs-typed", { HEAD "string(\"a\")\n",
		HEAD "string(\"a1\")\n", "abc" }, EXIT_NOTHING,
		{ HEAD "string(\"a\")\n" },
		{ "1 file left out, the target takes something else:\n    " } },
	{ "a text of bytes stands for them", "inputs",
		{ HEAD "[]byte(\"a\")\n", "bc" }, EXIT_NOTHING,
		{ HEAD "[]byte(\"a\")\n", "bc" }, { "3 of 3 bits\n" } },
	{ "a text of something else", "inputs",
		{ HEAD "string(\"a\")\n", "bc" }, EXIT_NOTHING, { "bc" },
		{ "1 file left out, the target takes something else:\n" } },
	{ "stopped", "inputs", { "a", "bW" }, EXIT_LOST, { NULL },
		{ "stopped: nothing was written" } },
	{ "no files", "inputs", { NULL }, EXIT_SETUP, { NULL },
		{ "there is no file to choose from" } },
};
/* clang-format on */

static void
make_corpus(const struct tree *tree, const char *const files[FILES_MAX])
{
	char name[32];
	size_t i;

	tree_folder(tree, "corpus");
	for (i = 0; i < FILES_MAX && files[i] != NULL; i++) {
		snprintf(name, sizeof(name), "corpus/file%zu", i);
		tree_text(tree, name, files[i]);
	}
}

static void
remove_corpus(const struct tree *tree)
{
	char command[128];
	size_t i;

	for (i = 0; i < FILES_MAX; i++) {
		snprintf(command, sizeof(command), "corpus/file%zu", i);
		unlinkat(tree->fd, command, 0);
	}
	assert_int_equal(unlinkat(tree->fd, "corpus", AT_REMOVEDIR), 0);
}

/* Kept files are named by their content. */
static bool
is_kept(const struct tree *tree, const char *output, const char *content)
{
	char hash[SHA256_HEX_SIZE], name[128];

	sha256_name(content, strlen(content), hash);
	snprintf(name, sizeof(name), "%s/%.16s", output, hash);
	return tree_holds(tree, name, content);
}

static void
check_row(const struct tree *tree, const struct cmin_row *row, size_t number)
{
	char *places[] = { "corpus", NULL };
	enum exit_status status;
	char output[32];
	struct tool tool;
	size_t i;

	snprintf(output, sizeof(output), "out%zu", number);
	make_corpus(tree, row->files);
	tool_open(&tool, tree, row->mode);
	status = engine_cmin(&tool.config, places, output, &tool.err);
	row_check(status == row->status, "%s: %d %s `%s`", row->name, status,
		tool.err.text, tool.said);
	row_check(tool_said(&tool, "written to") == (row->kept[0] != NULL),
		"%s: `%s`", row->name, tool.said);
	for (i = 0; i < 3 && row->says[i] != NULL; i++)
		row_check(tool_said(&tool, row->says[i]) ||
				strstr(tool.err.text, row->says[i]) != NULL,
			"%s: `%s` `%s`", row->name, tool.said, tool.err.text);
	for (i = 0; i < FILES_MAX && row->kept[i] != NULL; i++)
		row_check(is_kept(tree, output, row->kept[i]), "%s: %s",
			row->name, row->kept[i]);
	row_check(tree_count(tree, output) == i, "%s: %u files", row->name,
		tree_count(tree, output));
	row_check(i == 0 || tool_number(&tool, "kept") == (json_int_t)i, "%s",
		row->name);
	tool_close(&tool);
	remove_corpus(tree);
}

static void
test_rows(void **state)
{
	const struct tree *tree = *state;
	size_t i;

	assert_int_equal(chdir(tree->path), 0);
	for (i = 0; i < ROWS(CMIN); i++)
		check_row(tree, &CMIN[i], i);
	assert_int_equal(chdir("/"), 0);
}

/* All members of the event. */
static void
test_event(void **state)
{
	static const char *const files[FILES_MAX] = { "ab", "ab", "cA", "dR",
		"a1", "go test fuzz v1\nint(1)\n" };
	const struct tree *tree = *state;
	char *places[] = { "corpus", NULL };
	struct tool tool;

	make_corpus(tree, files);
	assert_int_equal(chdir(tree->path), 0);
	tool_open(&tool, tree, "inputs");
	assert_int_equal(engine_cmin(&tool.config, places, "new/out",
				 &tool.err),
		EXIT_NOTHING);
	assert_string_equal(tool_text(&tool, "event"), "corpus");
	assert_string_equal(tool_text(&tool, "output"), "new/out");
	assert_int_equal(tool_number(&tool, "files"), 6);
	assert_int_equal(tool_number(&tool, "kept"), 1);
	assert_int_equal(tool_number(&tool, "same"), 1);
	assert_int_equal(tool_number(&tool, "failed"), 1);
	assert_int_equal(tool_number(&tool, "rejected"), 1);
	assert_int_equal(tool_number(&tool, "other"), 1);
	assert_int_equal(tool_number(&tool, "not_run"), 0);
	assert_int_equal(tool_number(&tool, "bytes"), 33);
	assert_int_equal(tool_number(&tool, "bytes_kept"), 2);
	assert_int_equal(tool_number(&tool, "bits"), 2);
	assert_int_equal(tool_number(&tool, "bits_kept"), 2);
	assert_true(is_kept(tree, "new/out", "ab"));
	assert_int_equal(tree_count(tree, "corpus"), 6);
	tool_close(&tool);
	assert_int_equal(chdir("/"), 0);
}

/* A long list of names is cut. */
static void
test_many_fail(void **state)
{
	const struct tree *tree = *state;
	char *places[] = { "corpus", NULL };
	char name[32], text[32];
	const char *at;
	struct tool tool;
	unsigned named = 0;
	int i;

	tree_folder(tree, "corpus");
	tree_text(tree, "corpus/good", "a");
	for (i = 0; i < 15; i++) {
		snprintf(name, sizeof(name), "corpus/bad%d", i);
		snprintf(text, sizeof(text), "A%d", i);
		tree_text(tree, name, text);
	}
	assert_int_equal(chdir(tree->path), 0);
	tool_open(&tool, tree, "inputs");
	tool_set(&tool, "parallel", "3");
	assert_int_equal(engine_cmin(&tool.config, places, "out", &tool.err),
		EXIT_NOTHING);
	assert_true(tool_said(&tool,
		"15 files left out, the target fails on them:\n"));
	for (at = tool.said; (at = strstr(at, "    corpus/bad")) != NULL; at++)
		named++;
	assert_int_equal(named, 10);
	assert_true(tool_said(&tool, "\n    ...\n"));
	tool_close(&tool);
	assert_int_equal(chdir("/"), 0);
}

/* clang-format off */
static const struct output_row {
	const char *name, *output, *says;
	bool good;
} OUTPUT[] = {
	{ "new", "new", "", true },
	{ "empty", "empty", "", true },
	{ "not empty", "corpus", "-o corpus: the folder is not empty", false },
	{ "a file", "corpus/file0", "corpus/file0", false },
	{ "below a file", "corpus/file0/x", "corpus/file0", false },
};
/* clang-format on */

static void
test_output(void **state)
{
	static const char *const files[FILES_MAX] = { "a" };
	const struct tree *tree = *state;
	char *places[] = { "corpus", NULL };
	struct tool tool;
	size_t i;

	make_corpus(tree, files);
	tree_folder(tree, "empty");
	assert_int_equal(chdir(tree->path), 0);
	for (i = 0; i < ROWS(OUTPUT); i++) {
		enum exit_status status;

		tool_open(&tool, tree, "inputs");
		status = engine_cmin(&tool.config, places, OUTPUT[i].output,
			&tool.err);
		row_check((status == EXIT_NOTHING) == OUTPUT[i].good, "%s: %s",
			OUTPUT[i].name, tool.err.text);
		row_check(strstr(tool.err.text, OUTPUT[i].says) != NULL,
			"%s: %s", OUTPUT[i].name, tool.err.text);
		row_check(OUTPUT[i].good || tool.said[0] == '\0', "%s: %s",
			OUTPUT[i].name, tool.said);
		row_check(tree_count(tree, OUTPUT[i].output) ==
				(OUTPUT[i].good || i == 2 ? 1 : 0),
			"%s", OUTPUT[i].name);
		tool_close(&tool);
	}
	assert_int_equal(chdir("/"), 0);
}

/* An output directory stands for its corpus, and for its arguments. */
static void
test_campaign(void **state)
{
	const struct tree *tree = *state;
	char *places[] = { "campaign", "more", NULL };
	struct tool tool;

	tree_folder(tree, "campaign");
	tree_folder(tree, "campaign/corpus");
	tree_folder(tree, "more");
	tree_text(tree, "campaign/corpus/1", "ab");
	/* Of a campaign these are bytes, whatever they look like. */
	tree_text(tree, "campaign/corpus/2", HEAD "x");
	tree_text(tree, "campaign/other", "xyz");
	tree_text(tree, "more/1", "c");
	tree_text(tree, "campaign/journal.jsonl",
		"{\"event\":\"campaign\",\"target\":\"/t\",\"build_id\":\"\","
		"\"args\":[\"inputs\"]}\n");
	assert_int_equal(chdir(tree->path), 0);
	tool_open(&tool, tree, "inputs");
	tool.config.args = NULL;
	assert_int_equal(engine_cmin(&tool.config, places, "out", &tool.err),
		EXIT_NOTHING);
	assert_true(
		tool_said(&tool, "with the campaign's arguments: inputs\n"));
	assert_true(is_kept(tree, "out", "ab"));
	assert_true(is_kept(tree, "out", HEAD "x"));
	assert_true(is_kept(tree, "out", "c"));
	assert_int_equal(tree_count(tree, "out"), 3);
	tool_close(&tool);
	assert_int_equal(chdir("/"), 0);
}

/* What could not be run is lost to the folder of cfuzz ci, and the user is
 * told. */
static void
test_update(void **state)
{
	static const struct row {
		const char *input;
		enum exit_status status;
		const char *says;
		unsigned kept;
	} rows[] = {
		{ "b", EXIT_NOTHING, "", 2 },
		{ "bN", EXIT_LOST, "1 input could not be run", 1 },
		{ "b$", EXIT_LOST, "1 input could not be run", 1 },
		{ "bA", EXIT_NOTHING, "", 1 },
	};
	const struct tree *tree = *state;
	const struct dir_names none = { 0 };
	struct tool tool;
	size_t i;

	tree_folder(tree, "out");
	tree_folder(tree, "out/corpus");
	tree_text(tree, "out/corpus/1", "a");
	assert_int_equal(chdir(tree->path), 0);
	for (i = 0; i < ROWS(rows); i++) {
		char folder[16];

		snprintf(folder, sizeof(folder), "folder%zu", i);
		tree_text(tree, "out/corpus/2", rows[i].input);
		tool_open(&tool, tree, "inputs");
		row_check(engine_update_corpus(&tool.config, folder, "out",
				  &none, &tool.err) == rows[i].status,
			"%s: %s", rows[i].input, tool.said);
		row_check(strcmp(tool.err.text, rows[i].says) == 0, "%s: %s",
			rows[i].input, tool.err.text);
		row_check(tree_count(tree, folder) == rows[i].kept, "%s",
			rows[i].input);
		tool_close(&tool);
	}
	assert_int_equal(chdir("/"), 0);
}

/* Files over the limit of the user are skipped, and the user is told. */
static void
test_too_long(void **state)
{
	static const char *const files[FILES_MAX] = { "a", "bcdefgh" };
	const struct tree *tree = *state;
	char *places[] = { "corpus", NULL };
	struct tool tool;

	make_corpus(tree, files);
	assert_int_equal(chdir(tree->path), 0);
	tool_open(&tool, tree, "inputs");
	tool_set(&tool, "max-len", "3");
	assert_int_equal(engine_cmin(&tool.config, places, "out", &tool.err),
		EXIT_NOTHING);
	assert_true(tool_said(&tool, "1 -> 1 files"));
	assert_true(strchr(tool.said, '\n') < strstr(tool.said, "1 -> 1"));
	assert_true(is_kept(tree, "out", "a"));
	tool_close(&tool);
	assert_int_equal(chdir("/"), 0);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(test_rows),
		TREE_TEST(test_event),
		TREE_TEST(test_many_fail),
		TREE_TEST(test_output),
		TREE_TEST(test_campaign),
		TREE_TEST(test_update),
		TREE_TEST(test_too_long),
	};

	tool_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
