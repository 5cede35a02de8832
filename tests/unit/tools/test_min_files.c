/* The files of cfuzz min: which are read, and which may be written. */
#include "tools/min_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/tree.h"

/* clang-format off */
static const struct read_row {
	const char *name, *path, *output;
	enum status status;
	const char *says, *writes; /* path of the output */
} READ[] = {
	{ "a new file", "in", "out", OK, "", "out" },
	{ "another file is replaced", "in", "old", OK, "", "old" },
	{ "no output", "in", NULL, E_USAGE, "-o FILE", NULL },
	{ "the input itself", "in", "in", E_USAGE, "the input file itself", NULL },
	{ "a link to the input", "in", "link", E_USAGE, "the input file itself",
		NULL },
	{ "a folder", "in", "folder", E_USAGE, "not a regular file", NULL },
	{ "in no folder", "in", "gone/out", E_IO, "cannot write gone/out",
		NULL },
	{ "below a file", "in", "old/out", E_IO, "cannot write old/out",
		NULL },
	{ "no input", "gone", "out", E_NOT_FOUND, "gone", NULL },
	{ "a finding", "crashes/x", NULL, OK, "", "crashes/x/minimized" },
	{ "a finding, to a file", "crashes/x", "out", OK, "", "out" },
	{ "a finding without input", "crashes/y", NULL, E_USAGE,
		"crashes/y is a folder without an input", NULL },
	{ "a finding, by a link to a file", "crashes/file", NULL, E_USAGE,
		"crashes/file/minimized: it is a symbolic link", NULL },
	{ "a finding, by a link to nothing", "crashes/new", NULL, E_USAGE,
		"crashes/new/minimized: it is a symbolic link", NULL },
	{ "a finding, by a link to its input", "crashes/own", NULL, E_USAGE,
		"crashes/own/minimized: it is a symbolic link", NULL },
	{ "a finding, into a folder", "crashes/folder", NULL, E_USAGE,
		"crashes/folder/minimized: it is a folder", NULL },
	{ "a finding, into a FIFO", "crashes/fifo", NULL, E_USAGE,
		"crashes/fifo/minimized: it is a FIFO", NULL },
	{ "a finding with a link, to a file", "crashes/file", "out", OK, "",
		"out" },
};
/* clang-format on */

static void
make_finding(const struct tree *tree, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "crashes/%s", name);
	tree_folder(tree, path);
	snprintf(path, sizeof(path), "crashes/%s/input", name);
	tree_text(tree, path, "finding");
}

/* Findings whose "minimized" somebody else has put there. */
static void
make_planted(const struct tree *tree)
{
	static const char *const links[][2] = {
		{ "file", "../../old" },
		{ "new", "../../gone" },
		{ "own", "input" },
	};
	char path[64];
	size_t i;

	for (i = 0; i < ROWS(links); i++) {
		make_finding(tree, links[i][0]);
		snprintf(path, sizeof(path), "crashes/%s/minimized",
			links[i][0]);
		assert_int_equal(symlinkat(links[i][1], tree->fd, path), 0);
	}
	make_finding(tree, "folder");
	tree_folder(tree, "crashes/folder/minimized");
	make_finding(tree, "fifo");
	assert_int_equal(mkfifoat(tree->fd, "crashes/fifo/minimized", 0600), 0);
}

static void
make_files(const struct tree *tree)
{
	tree_text(tree, "in", "input");
	tree_text(tree, "old", "something");
	tree_folder(tree, "folder");
	assert_int_equal(symlinkat("in", tree->fd, "link"), 0);
	tree_text(tree, "journal.jsonl", "");
	tree_folder(tree, "crashes");
	tree_folder(tree, "crashes/y");
	make_finding(tree, "x");
	tree_text(tree, "crashes/x/minimized", "small");
	assert_int_equal(chdir(tree->path), 0);
}

static void
test_read(void **state)
{
	struct min_files files;
	size_t i;

	make_files(*state);
	make_planted(*state);
	for (i = 0; i < ROWS(READ); i++) {
		const struct read_row *row = &READ[i];
		struct error err = { 0 };
		enum status status =
			min_files_read(&files, row->path, row->output, &err);

		row_check(status == row->status, "%s: %d %s", row->name, status,
			err.text);
		row_check(strstr(err.text, row->says) != NULL, "%s: %s",
			row->name, err.text);
		row_check(status != OK ||
				strcmp(files.output_path, row->writes) == 0,
			"%s", row->name);
		/* The folder of a finding alone is locked. */
		row_check(status != OK ||
				(files.lock_fd >= 0) == (row->output == NULL),
			"%s", row->name);
		row_check(status != OK ||
				(files.earlier != NULL) ==
					(row->output == NULL),
			"%s", row->name);
		min_files_clear(&files);
	}
	assert_int_equal(chdir("/"), 0);
}

/* The folder of a finding is left alone while another cfuzz is at work there. */
static void
test_locked(void **state)
{
	struct min_files first, second;
	struct error err = { 0 };

	make_files(*state);
	assert_int_equal(min_files_read(&first, "crashes/x", NULL, &err), OK);
	assert_int_equal(min_files_read(&second, "crashes/x", NULL, &err),
		E_BUSY);
	assert_non_null(strstr(err.text,
		" is in use by another cfuzz: stop that one first, or write "
		"elsewhere: -o FILE"));
	min_files_clear(&second);
	error_clear(&err);
	assert_int_equal(min_files_read(&second, "crashes/x", "out", &err), OK);
	min_files_clear(&second);
	min_files_clear(&first);
	assert_int_equal(min_files_read(&first, "crashes/x", NULL, &err), OK);
	min_files_clear(&first);
	assert_int_equal(chdir("/"), 0);
}

/* An earlier result counts only if it is smaller than the input. */
static void
test_earlier(void **state)
{
	static const struct row {
		const char *name, *earlier;
		bool taken;
	} rows[] = {
		{ "smaller", "small", true },
		{ "empty", "", true },
		{ "as large", "finding", false },
		{ "larger", "something else", false },
	};
	const struct tree *tree = *state;
	struct min_files files;
	size_t i;

	make_files(tree);
	for (i = 0; i < ROWS(rows); i++) {
		struct error err = { 0 };

		tree_text(tree, "crashes/x/minimized", rows[i].earlier);
		row_check(min_files_read(&files, "crashes/x", NULL, &err) == OK,
			"%s", rows[i].name);
		row_check((files.earlier != NULL) == rows[i].taken, "%s",
			rows[i].name);
		row_check(!rows[i].taken ||
				files.earlier_len == strlen(rows[i].earlier),
			"%s", rows[i].name);
		min_files_clear(&files);
	}
	assert_int_equal(chdir("/"), 0);
}

/* Files of a typed target are text outside and tuples inside. */
static void
test_typed(void **state)
{
#define HEAD "go test fuzz v1\n"
	static const struct row {
		const char *name, *input, *earlier;
		enum status status;
		bool taken;
	} rows[] = {
		{ "both", HEAD "string(\"abcd\")\n", HEAD "string(\"a\")\n", OK,
			true },
		{ "earlier: other types", HEAD "string(\"abcdefg\")\n",
			HEAD "int(1)\n", OK, false },
		{ "earlier: no text", HEAD "string(\"abcd\")\n", "a", OK,
			false },
		{ "input: other types", HEAD "int(1)\n", "a", E_FORMAT, false },
	};
	const struct tuple_types types = { .n = 1, .types = { VALUE_STRING } };
	const struct tree *tree = *state;
	struct min_files files;
	size_t i;

	make_files(tree);
	for (i = 0; i < ROWS(rows); i++) {
		struct error err = { 0 };
		enum status status;

		tree_text(tree, "crashes/x/input", rows[i].input);
		tree_text(tree, "crashes/x/minimized", rows[i].earlier);
		row_check(min_files_read(&files, "crashes/x", NULL, &err) == OK,
			"%s", rows[i].name);
		status = min_files_convert(&files, &types, 1000, &err);
		row_check(status == rows[i].status, "%s", rows[i].name);
		row_check(status == OK ||
				strncmp(err.text, "crashes/x/input: ", 17) == 0,
			"%s: %s", rows[i].name, err.text);
		row_check(status != OK ||
				(files.earlier != NULL) == rows[i].taken,
			"%s", rows[i].name);
		if (status == OK) {
			row_check(files.file_len == strlen(rows[i].input), "%s",
				rows[i].name);
			row_check(min_files_write(&files, files.input,
					  files.len, &err) == OK,
				"%s", rows[i].name);
			row_check(tree_holds(tree, "crashes/x/minimized",
					  rows[i].input),
				"%s", rows[i].name);
		}
		min_files_clear(&files);
	}
	assert_int_equal(chdir("/"), 0);
}

/* For plain bytes, a text from elsewhere is its value, as for --seeds; one of an
 * output directory, or of a finding's folder, is an input as it is. */
static void
test_text(void **state)
{
#define PLAIN_TEXT HEAD "[]byte(\"ab\")\n"
	static const struct row {
		const char *path, *input;
	} rows[] = {
		{ "text", "ab" },
		{ "out/crashes/x/input", PLAIN_TEXT },
		{ "out/crashes/x", PLAIN_TEXT },
		{ "finding", PLAIN_TEXT },
	};
	const struct tuple_types plain = { .n = 0 };
	const struct tree *tree = *state;
	struct min_files files;
	size_t i;

	tree_places(tree, PLAIN_TEXT);
	assert_int_equal(chdir(tree->path), 0);
	for (i = 0; i < ROWS(rows); i++) {
		struct error err = { 0 };

		row_check(min_files_read(&files, rows[i].path, "small", &err) ==
					OK &&
				min_files_convert(&files, &plain, 1000, &err) ==
					OK,
			"%s: %s", rows[i].path, err.text);
		row_check(files.len == strlen(rows[i].input) &&
				memcmp(files.input, rows[i].input, files.len) ==
					0,
			"%s: %zu bytes", rows[i].path, files.len);
		min_files_clear(&files);
	}
	assert_int_equal(chdir("/"), 0);
}

/* Writes a result, which is in this file then, and forgets all. */
static void
write_into(const struct tree *tree, struct min_files *files, const char *bytes,
	const char *file)
{
	struct error err = { 0 };

	assert_int_equal(min_files_write(files, bytes, strlen(bytes), &err),
		OK);
	assert_true(tree_holds(tree, file, bytes));
	min_files_clear(files);
}

/* A result replaces a file as a whole; one that cannot is an error. */
static void
test_write(void **state)
{
	const struct tree *tree = *state;
	struct min_files files;
	struct error err = { 0 };

	make_files(tree);
	assert_int_equal(min_files_read(&files, "in", "old", &err), OK);
	write_into(tree, &files, "ab", "old");
	assert_true(tree_holds(tree, "in", "input"));
	assert_int_equal(symlink("old", "to-old"), 0);
	assert_int_equal(min_files_read(&files, "in", "to-old", &err), OK);
	write_into(tree, &files, "c", "old");
	assert_int_equal(min_files_read(&files, "in", "crashes/y/out", &err),
		OK);
	assert_int_equal(rmdir("crashes/y"), 0);
	assert_int_not_equal(min_files_write(&files, "ab", 2, &err), OK);
	assert_non_null(strstr(err.text, "out"));
	min_files_clear(&files);
	assert_int_equal(chdir("/"), 0);
}

/* A link that comes into a finding's folder meanwhile is replaced. */
static void
test_planted_meanwhile(void **state)
{
	const struct tree *tree = *state;
	struct min_files files;
	struct error err = { 0 };

	make_files(tree);
	assert_int_equal(min_files_read(&files, "crashes/x", NULL, &err), OK);
	assert_int_equal(unlinkat(tree->fd, "crashes/x/minimized", 0), 0);
	assert_int_equal(symlinkat("../../old", tree->fd,
				 "crashes/x/minimized"),
		0);
	write_into(tree, &files, "ab", "crashes/x/minimized");
	assert_true(tree_holds(tree, "old", "something"));
	assert_int_equal(chdir("/"), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(test_read),
		TREE_TEST(test_locked),
		TREE_TEST(test_earlier),
		TREE_TEST(test_typed),
		TREE_TEST(test_text),
		TREE_TEST(test_write),
		TREE_TEST(test_planted_meanwhile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
