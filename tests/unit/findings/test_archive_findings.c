#include <string.h>

#include "lib/tree.h"
#include "store/archive.h"

static void
test_findings(void **state)
{
	const struct tree *tree = *state;
	struct archive_findings list;
	struct error err = { 0 };

	assert_int_equal(archive_read_findings(tree->path, &list, &err),
		E_USAGE);
	tree_text(tree, "journal.jsonl", "");
	assert_int_equal(archive_read_findings(tree->path, &list, &err), OK);
	assert_int_equal(list.n, 0);
	archive_findings_clear(&list);
	tree_folder(tree, "crashes");
	tree_folder(tree, "crashes/x");
	tree_folder(tree, "crashes/y");
	tree_folder(tree, "ooms");
	tree_folder(tree, "ooms/z");
	tree_text(tree, "crashes/file", "no folder");
	tree_text(tree, "crashes/x/crash.json",
		"{\"id\":\"00ff\",\"kind\":\"signal\",\"what\":\"a\\u001bb\","
		"\"state\":\"known\",\"count\":-3,\"replays\":99999999999,"
		"\"last_s\":1e300,\"len\":77}");
	tree_text(tree, "crashes/x/input", "12345");
	tree_text(tree, "crashes/y/crash.json", "{\"id\":\"../x\"}");
	assert_int_equal(archive_read_findings(tree->path, &list, &err), OK);
	assert_int_equal(list.n, 3);
	assert_string_equal(list.items[0].folder, "crashes/x");
	assert_string_equal(list.items[0].view.id, "00ff");
	assert_string_equal(list.items[0].view.what, "a\\x1bb");
	assert_int_equal(list.items[0].view.count, 0);
	assert_int_equal(list.items[0].view.replays, UINT32_MAX);
	assert_true(list.items[0].view.last_s <= 1e9);
	assert_int_equal(list.items[0].view.len, 5);
	assert_true(list.items[0].has_input);
	assert_false(list.items[0].has_minimized);
	assert_string_equal(list.items[1].view.id, "");
	assert_string_equal(list.items[2].view.state, "damaged");
	assert_null(list.items[2].info);
	archive_findings_clear(&list);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_findings, tree_open,
			tree_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
