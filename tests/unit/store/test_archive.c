#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/tree.h"
#include "shared/campaign_folder.h"
#include "store/archive.h"
#include "store/lineage.h"
#include "store/store.h"

#define A "aaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbb"
#define C "cccccccccccccccc"
#define D "dddddddddddddddd"

/* ---- the output directory of a path ---- */

static void
test_of(void **state)
{
	static const struct row {
		const char *name, *path;
		bool found;
	} rows[] = {
		{ "itself", "out", true },
		{ "with a slash", "out/", true },
		{ "a file of a finding", "out/crashes/x/input", true },
		{ "one of more", "out/crashes/x/more/y", true },
		{ "a folder beside it", "other", false },
		{ "the folder above", ".", false },
		{ "too deep", "out/crashes/x/more/z/deep/file", false },
		{ "not there", "out/nothing", false },
	};
	const struct tree *tree = *state;
	size_t i;

	tree_folder(tree, "out");
	tree_folder(tree, "out/crashes");
	tree_folder(tree, "out/crashes/x");
	tree_folder(tree, "out/crashes/x/more");
	tree_folder(tree, "out/crashes/x/more/z");
	tree_folder(tree, "out/crashes/x/more/z/deep");
	tree_folder(tree, "other");
	tree_text(tree, "out/journal.jsonl", "");
	tree_text(tree, "out/crashes/x/input", "i");
	tree_text(tree, "out/crashes/x/more/y", "y");
	tree_text(tree, "out/crashes/x/more/z/deep/file", "f");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *want = realpath(tree_path(tree, "out"), NULL);
		char *got = campaign_folder_of(tree_path(tree, rows[i].path));

		row_check((got != NULL) == rows[i].found, "%s", rows[i].name);
		row_check(got == NULL || strcmp(got, want) == 0, "%s",
			rows[i].name);
		free(got);
		free(want);
	}
}

static void
test_input(void **state)
{
	const struct tree *tree = *state;
	char *got;

	tree_folder(tree, "f");
	tree_text(tree, "f/input", "i");
	got = archive_input(tree_path(tree, "f"));
	assert_string_equal(got, tree_path(tree, "f/input"));
	free(got);
	tree_text(tree, "f/minimized", "m");
	got = archive_input(tree_path(tree, "f"));
	assert_string_equal(got, tree_path(tree, "f/minimized"));
	free(got);
	tree_folder(tree, "f/sequence"); /* its files were removed */
	got = archive_input(tree_path(tree, "f"));
	assert_string_equal(got, tree_path(tree, "f/minimized"));
	free(got);
	tree_text(tree, "f/sequence/000001", "s");
	got = archive_input(tree_path(tree, "f"));
	assert_string_equal(got, tree_path(tree, "f/sequence"));
	free(got);
	got = archive_input(tree_path(tree, "nothing"));
	assert_string_equal(got, tree_path(tree, "nothing"));
	free(got);
}

/* ---- the start of the latest run ---- */

static void
test_start(void **state)
{
	static const struct row {
		const char *name, *journal, *target;
		int args; /* how many */
	} rows[] = {
		{ "empty", "", NULL, 0 },
		{ "nonsense", "{{{\n\xff\n[]\n", NULL, 0 },
		{ "first run",
			"{\"event\":\"campaign\",\"target\":\"/t\","
			"\"build_id\":\"\",\"args\":[\"a\",\"b c\"]}\n",
			"/t", 2 },
		{ "the latest counts",
			"{\"event\":\"campaign\",\"target\":\"/t\","
			"\"build_id\":\"\",\"args\":[\"a\"]}\n"
			"{\"event\":\"resume\",\"target\":\"/u\","
			"\"args\":[]}\n",
			"/u", 0 },
		{ "arguments that are none",
			"{\"event\":\"campaign\",\"target\":\"/t\","
			"\"build_id\":\"\",\"args\":[\"a\",5]}\n",
			"/t", 0 },
		{ "arguments that are no list",
			"{\"event\":\"campaign\",\"target\":[],"
			"\"build_id\":\"\",\"args\":\"x\"}\n",
			NULL, 0 },
	};
	const struct tree *tree = *state;
	struct archive_start start;
	size_t i;
	int n;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tree_text(tree, "journal.jsonl", rows[i].journal);
		archive_read_start(tree->path, &start);
		for (n = 0; start.args[n] != NULL; n++)
			;
		row_check(n == rows[i].args, "%s", rows[i].name);
		row_check((start.target != NULL) == (rows[i].target != NULL),
			"%s", rows[i].name);
		row_check(start.target == NULL ||
				strcmp(start.target, rows[i].target) == 0,
			"%s", rows[i].name);
		archive_start_clear(&start);
	}
	archive_read_start(tree_path(tree, "nothing"), &start);
	assert_null(start.target);
	assert_null(start.args[0]);
	archive_start_clear(&start);
}

/* FLAGS: -Wl,--wrap=flock */
int __real_flock(int fd, int operation);
int __wrap_flock(int fd, int operation);

static int flock_errnum; /* of all calls; 0: they reach the system */

int
__wrap_flock(int fd, int operation)
{
	if (flock_errnum == 0)
		return __real_flock(fd, operation);
	errno = flock_errnum;
	return -1;
}

static void
test_lock(void **state)
{
	const struct tree *tree = *state;
	struct error err = { 0 };
	int fd, other;

	assert_false(archive_is_locked(tree->path));
	assert_int_equal(archive_lock(tree->path, &fd, &err), OK);
	assert_int_equal(archive_lock(tree->path, &other, &err), E_BUSY);
	assert_int_equal(other, -1);
	assert_true(archive_is_locked(tree->path));
	archive_unlock(&fd);
	assert_false(archive_is_locked(tree->path));
	assert_int_equal(archive_lock(tree->path, &fd, &err), OK);
	archive_unlock(&fd);
	assert_int_equal(archive_lock(tree_path(tree, "nothing"), &fd, &err),
		E_IO);
}

/* The lock is written to: a copy by `cp -al` must not change with it. */
static void
test_lock_linked(void **state)
{
	const struct tree *tree = *state;
	struct error err = { 0 };
	int fd;

	tree_text(tree, "victim", "stays");
	assert_int_equal(linkat(tree->fd, "victim", tree->fd, ".lock", 0), 0);
	assert_int_equal(archive_lock(tree->path, &fd, &err), E_IO);
	assert_int_equal(fd, -1);
	assert_non_null(strstr(err.text, "/.lock: it has another hard link"));
	assert_true(tree_holds(tree, "victim", "stays"));
	error_clear(&err);
	assert_int_equal(unlinkat(tree->fd, ".lock", 0), 0);
	assert_int_equal(mkfifoat(tree->fd, ".lock", 0600), 0);
	assert_int_equal(archive_lock(tree->path, &fd, &err), E_IO);
	assert_non_null(strstr(err.text, "/.lock: it is a FIFO"));
}

/* Only another lock keeps others out: a file system may have none. */
static void
test_lock_fails(void **state)
{
	static const struct {
		int errnum;
		enum status status;
	} rows[] = { { EWOULDBLOCK, E_BUSY }, { ENOLCK, OK },
		{ EOPNOTSUPP, OK }, { EIO, OK } };
	const struct tree *tree = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *name = strerror(rows[i].errnum);
		int fd;

		flock_errnum = rows[i].errnum;
		row_check(archive_lock(tree->path, &fd, NULL) == rows[i].status,
			"%s", name);
		row_check(archive_is_locked(tree->path) ==
				(rows[i].status == E_BUSY),
			"%s", name);
		archive_unlock(&fd);
	}
	flock_errnum = 0;
}

/* ---- the history of an input ---- */

#define FIND(input, parent, generation) \
	"{\"at_s\":1.5,\"event\":\"find\",\"input\":\"" input \
	"\",\"parent\":\"" parent \
	"\",\"len\":4,\"bits\":2,\"generation\":" generation \
	",\"unstable\":false}\n"
#define SMALLER(input, was) \
	"{\"at_s\":2,\"event\":\"minimized\",\"input\":\"" input \
	"\",\"was\":\"" was "\",\"len\":3,\"was_len\":4}\n"

static void
test_lineage(void **state)
{
	static const struct row {
		const char *name, *journal, *want; /* first letters */
	} rows[] = {
		{ "nothing", "", "" },
		{ "a seed is its parent", FIND(A, B, "1"), "ab" },
		{ "no parent", FIND(A, "", "0"), "a" },
		{ "three generations",
			FIND(C, D, "1") FIND(B, C, "2") FIND(A, B, "3"),
			"abcd" },
		{ "made smaller in between",
			FIND(C, D, "1") SMALLER(B, C) FIND(A, B, "2"), "abcd" },
		{ "others between",
			FIND(B, C, "1") FIND(D, C, "1") FIND(A, B, "2"),
			"abc" },
		{ "its own parent", FIND(A, A, "1"), "" },
		{ "a circle", FIND(A, B, "1") FIND(B, A, "2"), "ab" },
		{ "found twice", FIND(A, C, "1") FIND(A, B, "1"), "ab" },
		{ "names that are none",
			FIND("x", B, "1") FIND(A, "../../x", "1"), "a" },
		{ "half a line", FIND(A, B, "1") "{\"event\":\"find\",\"in",
			"ab" },
		{ "a text that looks so",
			"{\"event\":\"word\",\"word\":\"\\\"event\\\":"
			"\\\"find\\\"\",\"input\":\"" A "\"}\n",
			"" },
	};
	const struct tree *tree = *state;
	struct archive_lineage lineage;
	char got[16];
	size_t i, k;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tree_text(tree, "journal.jsonl", rows[i].journal);
		archive_read_lineage(tree->path, A, &lineage);
		for (k = 0; k < lineage.n && k < sizeof(got) - 1; k++)
			got[k] = lineage.items[k].name[0];
		got[k] = '\0';
		row_check(strcmp(got, rows[i].want) == 0, "%s", rows[i].name);
		row_check(!lineage.cut, "%s", rows[i].name);
		archive_lineage_clear(&lineage);
	}
}

/* Origins for a resumed campaign: names are the current ones. */
static void
test_births(void **state)
{
	const struct tree *tree = *state;
	const struct lineage_birth *birth, *child;
	struct lineage *lineage;

	tree_text(tree, "journal.jsonl",
		FIND(C, D, "1") FIND(A, C, "2") SMALLER(B, C));
	lineage = lineage_read(tree->path);
	birth = lineage_find(lineage, store_name_number(C));
	child = lineage_find(lineage, store_name_number(A));
	assert_non_null(birth);
	assert_non_null(child);
	assert_true(birth->parent == store_name_number(D));
	assert_true(child->parent == store_name_number(C));
	assert_int_equal(child->generation, 2);
	assert_true(birth->rank < child->rank);
	assert_ptr_equal(lineage_find(lineage, store_name_number(B)), birth);
	assert_null(lineage_find(lineage, store_name_number(D)));
	assert_true(lineage_smaller(lineage, store_name_number(C)) ==
		store_name_number(B));
	assert_true(lineage_smaller(lineage, store_name_number(A)) == 0);
	lineage_destroy(lineage);
	/* B was never on the disk. */
	tree_text(tree, "journal.jsonl",
		FIND(C, D, "1") FIND(A, B "\",\"ancestor\":\"" C, "4"));
	lineage = lineage_read(tree->path);
	child = lineage_find(lineage, store_name_number(A));
	assert_non_null(child);
	assert_true(child->parent == store_name_number(C));
	lineage_destroy(lineage);
	/* The start of a campaign without seeds. */
	tree_text(tree, "journal.jsonl", FIND(A, A, "0"));
	lineage = lineage_read(tree->path);
	birth = lineage_find(lineage, store_name_number(A));
	assert_non_null(birth);
	assert_true(birth->parent == 0);
	lineage_destroy(lineage);
}

static void
test_mutation_log(void **state)
{
	const struct tree *tree = *state;
	json_t *mutations;

	tree_text(tree, "journal.jsonl",
		"{\"event\":\"lineage\",\"finding\":\"1\",\"trail\":5}\n"
		"{\"event\":\"lineage\",\"finding\":\"1\",\"trail\":[1,2]}\n"
		"{\"event\":\"lineage\",\"finding\":\"2\",\"trail\":[3]}\n");
	mutations = archive_read_mutations(tree->path);
	assert_int_equal(json_object_size(mutations), 2);
	assert_int_equal(json_array_size(json_object_get(mutations, "1")), 2);
	json_decref(mutations);
	mutations = archive_read_mutations(tree_path(tree, "nothing"));
	assert_int_equal(json_object_size(mutations), 0);
	json_decref(mutations);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_of),
		TEST(test_input),
		TEST(test_start),
		TEST(test_lock),
		TEST(test_lock_linked),
		TEST(test_lock_fails),
		TEST(test_lineage),
		TEST(test_births),
		TEST(test_mutation_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
