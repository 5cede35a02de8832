/*
 * test_export_write: may a finding be exported to this folder?
 */
#include "findings/export_write.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_look, tree_open,
			tree_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
