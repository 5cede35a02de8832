/*
 * test_export_write: may a finding be exported to this folder?
 */
#include "findings/export_write.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/tree.h"
#include "lib/vectors.h"

static void
test_look(void **state)
{
	static const struct {
		const char *path;
		enum status want;
	} rows[] = {
		{ "missing", OK },
		{ "file", OK },
		{ "empty", OK },
		{ "full", E_EXISTS },
	};
	const struct tree *tree = *state;

	tree_text(tree, "file", "x");
	tree_folder(tree, "empty");
	tree_folder(tree, "full");
	tree_text(tree, "full/file", "x");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *path = tree_path(tree, rows[i].path);
		struct error err = { 0 }, held = { .code = E_FULL };

		row_check(export_write_look(path, &err) == rows[i].want, "%s",
			rows[i].path);
		row_check(err.code == rows[i].want, "%s", rows[i].path);
		row_check(export_write_look(path, &held) == rows[i].want,
			"%s, an earlier error", rows[i].path);
		row_check(export_write_look(path, NULL) == rows[i].want,
			"%s, no error", rows[i].path);
	}
}

/* No link in the output directory is followed; one that is named is. */
static void
test_links(void **state)
{
	static const struct row {
		const char *name, *path, *below;
		enum status want;
		const char *made; /* a file */
	} rows[] = {
		{ "a new folder", "export", "x", OK, "export/x/about.txt" },
		{ "a taken name", "export", "x", OK, "export/x-2/about.txt" },
		{ "a link of the name", "export", "y", OK,
			"export/y-2/about.txt" },
		{ "a link to nothing", "export", "z", OK,
			"export/z-2/about.txt" },
		{ "the whole folder", "link", "x", E_FORMAT, NULL },
		{ "the user's", "link", NULL, OK, "empty/about.txt" },
	};
	static const struct tuple_types types = { .n = 0 };
	const struct tree *tree = *state;
	size_t i;

	tree_folder(tree, "empty");
	tree_folder(tree, "export");
	assert_int_equal(symlinkat("empty", tree->fd, "link"), 0);
	assert_int_equal(symlinkat("../empty", tree->fd, "export/y"), 0);
	assert_int_equal(symlinkat("../gone", tree->fd, "export/z"), 0);
	for (i = 0; i < ROWS(rows); i++) {
		struct export_write w = { .fd = -1,
			.from_fd = -1,
			.program.types = &types,
			.about = strdup("about\n"),
			.from = strdup("/none"),
			.path = strdup(tree_path(tree, rows[i].path)),
			.below = rows[i].below != NULL ? strdup(rows[i].below)
						       : NULL };

		row_check(!export_write_step(&w), "%s", rows[i].name);
		row_check(w.err.code == rows[i].want, "%s: %s", rows[i].name,
			w.err.text);
		row_check(rows[i].made == NULL || tree_has(tree, rows[i].made),
			"%s: not in %s", rows[i].name, rows[i].made);
		row_check((tree_count(tree, "empty") > 0) ==
				(rows[i].below == NULL),
			"%s: the link was followed", rows[i].name);
		export_write_clear(&w);
	}
	assert_false(tree_has(tree, "gone"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_look, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_links, tree_open,
			tree_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
