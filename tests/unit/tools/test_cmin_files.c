/* The files and the progress line of cfuzz cmin. */
#include "tools/cmin_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "lib/tool.h"

/* Reads these places, in the folder of the test. */
static void
open_corpus(struct cmin *m, struct tool *tool, const struct tree *tree,
	char **places)
{
	assert_int_equal(chdir(tree->path), 0);
	tool_open(tool, tree, "inputs");
	*m = (struct cmin){ .output = "out" };
	m->runner.config = &tool->config;
	m->cover = set_cover_create();
	assert_int_equal(cmin_read(m, places, &tool->config, &tool->err), OK);
}

static void
close_corpus(struct cmin *m, struct tool *tool)
{
	cmin_clear(m);
	tool_close(tool);
	assert_int_equal(chdir("/"), 0);
}

/* Smallest first, each content once. */
static void
test_read(void **state)
{
	const struct tree *tree = *state;
	char *places[] = { "a", "b", NULL };
	struct cmin m;
	struct tool tool;

	tree_folder(tree, "a");
	tree_folder(tree, "b");
	tree_text(tree, "a/1", "long text");
	tree_text(tree, "a/2", "x");
	tree_text(tree, "b/1", "x");
	tree_text(tree, "b/2", "mid");
	open_corpus(&m, &tool, tree, places);
	assert_int_equal(m.files, 4);
	assert_int_equal(m.same, 1);
	assert_int_equal(m.bytes, 14);
	assert_int_equal(m.largest, 9);
	assert_int_equal(m.inputs_n, 3);
	assert_string_equal(m.inputs[0].path, "a/2");
	assert_string_equal(m.inputs[1].path, "b/2");
	assert_string_equal(m.inputs[2].path, "a/1");
	close_corpus(&m, &tool);
}

/* The user's files in the folder first, then ours, then others. */
static void
test_update(void **state)
{
	const struct tree *tree = *state;
	char *places[] = { "a", "b", NULL };
	char hash[SHA256_HEX_SIZE], own[128], copy[128];
	struct cmin m;
	struct tool tool;

	tree_folder(tree, "a");
	tree_folder(tree, "b");
	sha256_name("not that", 8, hash);
	snprintf(copy, sizeof(copy), "a/cfuzz-%.16s", hash);
	tree_text(tree, copy, "not that");
	sha256_name("x", 1, hash);
	snprintf(own, sizeof(own), "a/cfuzz-%.16s", hash);
	tree_text(tree, own, "x");
	tree_text(tree, "a/cfuzz-0123456789abcdef", "not that");
	tree_text(tree, "a/user", "long text");
	tree_text(tree, "b/1", "");
	tree_text(tree, "b/0", "x");
	tree_text(tree, "b/2", "long text");
	assert_int_equal(chdir(tree->path), 0);
	tool_open(&tool, tree, "inputs");
	m = (struct cmin){ .folder = "a" };
	m.runner.config = &tool.config;
	m.cover = set_cover_create();
	assert_int_equal(cmin_read(&m, places, &tool.config, &tool.err), OK);
	assert_int_equal(m.inputs_n, 4);
	assert_string_equal(m.inputs[0].path, "a/cfuzz-0123456789abcdef");
	assert_string_equal(m.inputs[0].copy, copy);
	assert_null(m.inputs[1].copy);
	assert_null(m.inputs[3].copy);
	assert_string_equal(m.inputs[1].path, "a/user");
	assert_string_equal(m.inputs[2].path, "b/1");
	assert_string_equal(m.inputs[3].path, own);
	assert_true(m.inputs[1].is_in_folder && m.inputs[3].is_in_folder);
	assert_false(m.inputs[2].is_in_folder);
	close_corpus(&m, &tool);
}

/* Our names are told by the hash of the content. */
static void
test_own(void **state)
{
	static const struct row {
		const char *name;
		bool own;
	} rows[] = {
		{ "cfuzz-0123456789abcdef", true },
		{ "cfuzz-0123456789abcdef0123456789abcdef", true },
		{ "cfuzz-0123456789abcde", false },
		{ "cfuzz-0123456789abcdee", false },
		{ "cfuzz-0123456789abcdef0", true },
		{ "cfuzz-0123456789abcdef1", false },
		{ "cfuzz-0123456789abcdef.txt", false },
		{ "0123456789abcdef", false },
		{ "cfuzz-", false },
		{ "", false },
	};

	for (size_t i = 0; i < ROWS(rows); i++)
		row_check(cmin_is_own(rows[i].name,
				  "0123456789abcdef0123456789abcdef") ==
				rows[i].own,
			"%s", rows[i].name);
}

static void
test_missing_place(void **state)
{
	const struct tree *tree = *state;
	char *places[] = { "gone", NULL };
	struct cmin m = { .output = "out" };
	struct tool tool;

	assert_int_equal(chdir(tree->path), 0);
	tool_open(&tool, tree, "inputs");
	assert_int_not_equal(cmin_read(&m, places, &tool.config, &tool.err),
		OK);
	assert_non_null(strstr(tool.err.text, "gone"));
	close_corpus(&m, &tool);
}

/* A file that has changed since is not taken. */
static void
test_changed(void **state)
{
	static const struct row {
		const char *name, *now;
		bool good;
	} rows[] = {
		{ "the same", "text", true },
		{ "other bytes", "tent", false },
		{ "longer", "text and more", false },
		{ "shorter", "tex", false },
		{ "gone", NULL, false },
	};
	const struct tree *tree = *state;
	char *places[] = { "a", NULL };
	struct cmin m;
	struct tool tool;
	size_t i;

	tree_folder(tree, "a");
	for (i = 0; i < ROWS(rows); i++) {
		tree_text(tree, "a/1", "text");
		open_corpus(&m, &tool, tree, places);
		if (rows[i].now != NULL)
			tree_text(tree, "a/1", rows[i].now);
		else
			unlinkat(tree->fd, "a/1", 0);
		row_check(cmin_load(&m.inputs[0]) == rows[i].good, "%s",
			rows[i].name);
		row_check((m.inputs[0].data != NULL) == rows[i].good, "%s",
			rows[i].name);
		close_corpus(&m, &tool);
	}
}

/* Chooses the only input. */
static void
choose_first(struct cmin *m)
{
	m->chosen = xcalloc(1, sizeof(*m->chosen));
	m->chosen_n = 1;
}

/* A name that is taken is written with all its digits. */
static void
test_write(void **state)
{
	const struct tree *tree = *state;
	char *places[] = { "a", NULL }, name[128];
	struct cmin m;
	struct tool tool;

	tree_folder(tree, "a");
	tree_folder(tree, "out");
	tree_text(tree, "a/1", "text");
	open_corpus(&m, &tool, tree, places);
	choose_first(&m);
	snprintf(name, sizeof(name), "out/%.16s", m.inputs[0].name);
	tree_text(tree, name, "something else");
	assert_int_equal(cmin_write(&m, &tool.err), OK);
	assert_true(tree_holds(tree, name, "something else"));
	snprintf(name, sizeof(name), "out/%s", m.inputs[0].name);
	assert_true(tree_holds(tree, name, "text"));
	close_corpus(&m, &tool);
}

static void
test_write_changed(void **state)
{
	const struct tree *tree = *state;
	char *places[] = { "a", NULL };
	struct cmin m;
	struct tool tool;

	tree_folder(tree, "a");
	tree_text(tree, "a/1", "text");
	open_corpus(&m, &tool, tree, places);
	choose_first(&m);
	tree_text(tree, "a/1", "tent");
	assert_int_not_equal(cmin_write(&m, &tool.err), OK);
	assert_non_null(strstr(tool.err.text, "out is not complete"));
	assert_non_null(strstr(tool.err.text, "a/1 was changed or removed"));
	assert_int_equal(tree_count(tree, "out"), 0);
	close_corpus(&m, &tool);
}

/* The two phases of the progress line. */
static void
test_progress(void **state)
{
	const struct tree *tree = *state;
	char *places[] = { "a", NULL };
	const uint32_t bits[] = { 1, 2, 3 };
	struct cmin m;
	struct tool tool;

	tree_folder(tree, "a");
	tree_text(tree, "a/1", "1");
	tree_text(tree, "a/2", "2");
	open_corpus(&m, &tool, tree, places);
	set_cover_add(m.cover, 0, bits, 3);
	m.known = 1;
	cmin_say_progress(&m);
	assert_non_null(
		strstr(tool.progress, "running: 1 of 2 files, 3 bits, "));
	m.choosing_done = true;
	m.chosen_n = 2;
	m.checked = 1;
	cmin_say_progress(&m);
	assert_non_null(strstr(tool.progress, "checking: 1 of 2 files, "));
	close_corpus(&m, &tool);
}

/* A record without room for all features is no secret. */
static void
test_cut(void **state)
{
	const struct tree *tree = *state;
	char *places[] = { "a", NULL };
	struct cmin m;
	struct tool tool;

	tree_folder(tree, "a");
	tree_text(tree, "a/1", "1");
	open_corpus(&m, &tool, tree, places);
	cmin_say_result(&m);
	assert_false(tool_said(&tool, "the rest is ignored"));
	m.cut = true;
	cmin_say_result(&m);
	assert_true(tool_said(&tool, "the rest is ignored"));
	close_corpus(&m, &tool);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TREE_TEST(test_read),
		TREE_TEST(test_update),
		cmocka_unit_test(test_own),
		TREE_TEST(test_missing_place),
		TREE_TEST(test_changed),
		TREE_TEST(test_write),
		TREE_TEST(test_write_changed),
		TREE_TEST(test_progress),
		TREE_TEST(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
