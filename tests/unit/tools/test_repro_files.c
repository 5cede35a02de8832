/* The inputs that paths on the command line of cfuzz repro stand for. */
#include "tools/repro_files.h"

#include "lib/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_LEN 64

/* clang-format off */
static const struct files_row {
	const char *name;
	char *files[4];
	bool together;
	const char *runs; /* "name:path path;", with '+' before a row */
} ROWS[] = {
	{ "files", { "a", "missing", NULL }, false, "a:a;missing:missing;" },
	{ "files together", { "a", "b", NULL }, true, "+a ... b:a b;" },
	{ "one file, together", { "a", NULL }, true, "+a:a;" },
	{ "a folder with an input", { "alone", NULL }, false,
		"alone:alone/input;" },
	{ "a folder with a sequence", { "row", "a", NULL }, false,
		"+row:row/sequence/000001 row/sequence/000002;a:a;" },
	{ "the sequence itself", { "row/sequence", NULL }, false,
		"+row/sequence:row/sequence/000001 row/sequence/000002;" },
	{ "a folder with nothing", { "empty", NULL }, false,
		"empty:empty;" },
	{ "a minimized input", { "small", NULL }, false,
		"small:small/minimized;" },
	{ "folders together", { "row", "alone", NULL }, true,
		"+row ... alone:row/sequence/000001 row/sequence/000002 "
		"alone/input;" },
	{ "nothing", { NULL }, false, "" },
};
/* clang-format on */

static void
make_folders(const struct tree *tree)
{
	tree_text(tree, "a", "A");
	tree_text(tree, "b", "BB");
	tree_folder(tree, "alone");
	tree_text(tree, "alone/input", "in");
	tree_text(tree, "alone/0123456789abcdef", "not of a row");
	tree_folder(tree, "row");
	tree_folder(tree, "row/sequence");
	tree_text(tree, "row/input", "two");
	tree_text(tree, "row/sequence/000002", "two");
	tree_text(tree, "row/sequence/000001", "one");
	tree_text(tree, "row/sequence/.tmp-1", "x");
	tree_folder(tree, "empty");
	tree_folder(tree, "small");
	tree_text(tree, "small/input", "large");
	tree_text(tree, "small/minimized", "s");
	assert_int_equal(fchdir(tree->fd), 0);
}

static void
check_row(const struct files_row *row)
{
	struct repro_files list;
	char text[512] = "";
	size_t i, j;

	repro_files_init(&list, (char **)(uintptr_t)row->files, row->together);
	for (i = 0; i < list.n; i++) {
		strcat(strcat(text, list.runs[i].row ? "+" : ""),
			list.runs[i].name);
		for (j = 0; j < list.runs[i].n; j++)
			strcat(strcat(text, j == 0 ? ":" : " "),
				list.runs[i].files[j].path);
		strcat(text, ";");
	}
	row_check(strcmp(text, row->runs) == 0, "%s", row->name);
	repro_files_clear(&list);
}

static void
test_rows(void **state)
{
	size_t i;

	make_folders(*state);
	for (i = 0; i < sizeof(ROWS) / sizeof(*ROWS); i++)
		check_row(&ROWS[i]);
	assert_int_equal(chdir("/"), 0);
}

static void
test_read(void **state)
{
	const struct tree *tree = *state;
	char *files[] = { "row", "a", "missing", "empty", NULL };
	const struct tuple_types plain = { .n = 0 };
	struct repro_files list;
	struct error err = { 0 };
	size_t len, bytes;
	uint8_t *data;

	make_folders(tree);
	repro_files_init(&list, files, false);
	assert_int_equal(repro_run_read(&list.runs[0], &plain, MAX_LEN, &data,
				 &len, &bytes, &err),
		OK);
	assert_int_equal(bytes, 6);
	assert_int_equal(len, 14);
	assert_memory_equal(data, "\3\0\0\0one\3\0\0\0two", 14);
	free(data);
	assert_int_equal(repro_run_read(&list.runs[1], &plain, MAX_LEN, &data,
				 &len, &bytes, &err),
		OK);
	assert_int_equal(len, 1);
	assert_int_equal(bytes, 1);
	free(data);
	assert_int_not_equal(repro_run_read(&list.runs[2], &plain, MAX_LEN,
				     &data, &len, &bytes, &err),
		OK);
	assert_non_null(strstr(err.text, "missing"));
	error_clear(&err);
	assert_int_not_equal(repro_run_read(&list.runs[3], &plain, MAX_LEN,
				     &data, &len, &bytes, &err),
		OK);
	assert_string_equal(err.text,
		"empty is a folder without an input: name its files, as in "
		"empty/*, or the folder of a finding");
	/* A file of a row that is too large is named. */
	error_clear(&err);
	tree_text(tree, "row/sequence/000002", "0123456789");
	assert_int_not_equal(repro_run_read(&list.runs[0], &plain, 5, &data,
				     &len, &bytes, &err),
		OK);
	assert_non_null(strstr(err.text, "000002"));
	repro_files_clear(&list);
	assert_int_equal(chdir("/"), 0);
}

/* Files of a typed target, and their lengths. */
static void
test_typed(void **state)
{
#define TEXT "go test fuzz v1\nint(1)\n"
	const struct tuple_types types = { .n = 1, .types = { VALUE_INT } };
	const struct tree *tree = *state;
	char *files[] = { "row", "one", NULL };
	struct repro_files list;
	struct error err = { 0 };
	size_t len, bytes;
	uint8_t *data;

	tree_folder(tree, "row");
	tree_text(tree, "row/000001", TEXT);
	tree_text(tree, "row/000002", TEXT "// that is all\n");
	tree_text(tree, "one", "go test fuzz v1\nstring(\"\")\n");
	assert_int_equal(chdir(tree->path), 0);
	repro_files_init(&list, files, false);
	assert_true(repro_files_max_len(&list, 1) > 2 * strlen(TEXT));
	assert_int_not_equal(repro_run_read(&list.runs[0], &types, MAX_LEN,
				     &data, &len, &bytes, &err),
		OK); /* a comment without a value */
	error_clear(&err);
	tree_text(tree, "row/000002", TEXT);
	assert_int_equal(repro_run_read(&list.runs[0], &types, MAX_LEN, &data,
				 &len, &bytes, &err),
		OK);
	assert_int_equal(bytes, 2 * strlen(TEXT));
	assert_int_equal(len, 2 * (4 + 9));
	free(data);
	assert_int_equal(repro_run_read(&list.runs[1], &types, MAX_LEN, &data,
				 &len, &bytes, &err),
		E_FORMAT);
	assert_string_equal(err.text,
		"one: mismatched types in corpus entry: [string], want [int]");
	repro_files_clear(&list);
	assert_int_equal(chdir("/"), 0);
}

/* For plain bytes, a text from elsewhere is its value, as for --seeds; one of an
 * output directory, or of a finding's folder, is an input as it is. */
static void
test_text(void **state)
{
#define PLAIN_TEXT "go test fuzz v1\n[]byte(\"ab\")\n"
	static const struct row {
		const char *file, *input;
	} rows[] = {
		{ "text", "ab" },
		{ "finding", PLAIN_TEXT },
		{ "out/crashes/x/input", PLAIN_TEXT },
		{ "out/crashes/x", PLAIN_TEXT },
		{ "link", PLAIN_TEXT },
	};
	const struct tuple_types plain = { .n = 0 };
	const struct tree *tree = *state;
	struct repro_files list;
	size_t i;

	tree_places(tree, PLAIN_TEXT);
	assert_int_equal(symlinkat("out/crashes/x/input", tree->fd, "link"), 0);
	assert_int_equal(chdir(tree->path), 0);
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *files[] = { (char *)(uintptr_t)rows[i].file, NULL };
		struct error err = { 0 };
		size_t len, bytes;
		uint8_t *data;

		repro_files_init(&list, files, false);
		assert_int_equal(repro_run_read(&list.runs[0], &plain, MAX_LEN,
					 &data, &len, &bytes, &err),
			OK);
		row_check(bytes == strlen(PLAIN_TEXT), "%s", rows[i].file);
		row_check(len == strlen(rows[i].input) &&
				memcmp(data, rows[i].input, len) == 0,
			"%s: %.*s", rows[i].file, (int)len, (char *)data);
		free(data);
		repro_files_clear(&list);
	}
	assert_int_equal(chdir("/"), 0);
}

/* clang-format off */
#define MIB (1ull << 20)
static const struct limit_row {
	const char *name;
	char *files[3];
	bool together;
	uint64_t len, limit; /* wanted, and what it becomes */
	bool fits;           /* the last of the runs */
} LIMITS[] = {
	{ "nothing", { NULL }, false, 7, 7, true },
	{ "a missing file", { "gone", NULL }, false, 7, 7, false },
	{ "a shorter file", { "1M", NULL }, false, 2 * MIB, 2 * MIB, true },
	{ "a longer file", { "3M", NULL }, false, 2 * MIB, 3 * MIB, true },
	{ "the longest file", { "100M", NULL }, false, MIB, 100 * MIB, true },
	{ "a file that is too long", { "101M", NULL }, false, MIB, 100 * MIB,
		false },
	{ "a long file after one that is too long", { "101M", "3M", NULL },
		false, MIB, 100 * MIB, true },
	{ "a short row", { "1M", "3M", NULL }, true, MIB, 3 * MIB, true },
	{ "a long row", { "many", NULL }, false, MIB, 5 * MIB + 21, true },
	{ "a row with the longest file", { "100M", "many", NULL }, true, MIB,
		100 * MIB, true },
	{ "a row of which a file is too long", { "101M", "many", NULL }, true,
		MIB, 100 * MIB, false },
};
/* clang-format on */

/* Zeros, most of which take no room on the disk. */
static void
make_zeros(const struct tree *tree, const char *path, uint64_t len)
{
	tree_text(tree, path, "");
	assert_int_equal(truncate(path, (off_t)len), 0);
}

static void
check_limit(const struct limit_row *row)
{
	const struct tuple_types plain = { .n = 0 };
	struct repro_files list;
	struct error err = { 0 };
	bool fits = true;
	uint8_t *data;
	size_t len, bytes;
	uint64_t limit;

	repro_files_init(&list, (char **)(uintptr_t)row->files, row->together);
	limit = repro_files_max_len(&list, row->len);
	row_check(limit == row->limit, "%s: %llu", row->name,
		(unsigned long long)limit);
	if (list.n > 0)
		fits = repro_run_read(&list.runs[list.n - 1], &plain, limit,
			       &data, &len, &bytes, &err) == OK;
	row_check(fits == row->fits, "%s: %s", row->name, err.text);
	if (list.n > 0 && fits)
		free(data);
	repro_files_clear(&list);
}

/* The limit admits all files and rows, as far as possible. */
static void
test_limits(void **state)
{
	const struct tree *tree = *state;
	char path[32];
	size_t i;

	assert_int_equal(chdir(tree->path), 0);
	make_zeros(tree, "1M", MIB);
	make_zeros(tree, "3M", 3 * MIB);
	make_zeros(tree, "100M", 100 * MIB);
	make_zeros(tree, "101M", 101 * MIB);
	tree_folder(tree, "many");
	for (i = 0; i < 20; i++) {
		snprintf(path, sizeof(path), "many/%06zu", i);
		make_zeros(tree, path, MIB);
	}
	for (i = 0; i < sizeof(LIMITS) / sizeof(*LIMITS); i++)
		check_limit(&LIMITS[i]);
	assert_int_equal(chdir("/"), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(test_rows),
		TREE_TEST(test_typed),
		TREE_TEST(test_read),
		TREE_TEST(test_text),
		TREE_TEST(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
