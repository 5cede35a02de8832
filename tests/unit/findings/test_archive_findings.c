#include <stdio.h>
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

/* The row of a finding in stats.json, if it is later than crash.json. */
static void
test_counts(void **state)
{
	static const struct {
		const char *name, *row;
		uint64_t count;
		double last_s;
	} rows[] = {
		{ "none", "", 64, 30.5 },
		{ "later", "{\"id\":\"f\",\"count\":96,\"last_s\":80.25}", 96,
			80.25 },
		{ "earlier", "{\"id\":\"f\",\"count\":8,\"last_s\":2.5}", 64,
			30.5 },
		{ "count", "{\"id\":\"f\",\"count\":96}", 96, 30.5 },
		{ "other", "{\"id\":\"e\",\"count\":96,\"last_s\":80.25}", 64,
			30.5 },
		{ "second",
			"{\"id\":\"e\",\"count\":1},{\"id\":\"f\",\"count\":65}",
			65, 30.5 },
		{ "types",
			"7,{\"count\":96},{\"id\":\"f\",\"count\":\"96\","
			"\"last_s\":80}",
			64, 30.5 },
	};
	const struct tree *tree = *state;
	const struct snapshot_finding *view;
	struct archive_findings list;
	struct error err = { 0 };
	char stats[256];
	size_t i;

	tree_text(tree, "journal.jsonl", "");
	tree_folder(tree, "crashes");
	tree_folder(tree, "crashes/x");
	tree_text(tree, "crashes/x/crash.json",
		"{\"id\":\"f\",\"count\":64,\"last_s\":30.5}");
	for (i = 0; i < ROWS(rows); i++) {
		snprintf(stats, sizeof(stats), "{\"findings\":[%s]}",
			rows[i].row);
		tree_text(tree, "stats.json", stats);
		assert_int_equal(archive_read_findings(tree->path, &list, &err),
			OK);
		view = &list.items[0].view;
		row_check(view->count == rows[i].count, "%s", rows[i].name);
		row_check(view->last_s >= rows[i].last_s &&
				view->last_s <= rows[i].last_s,
			"%s", rows[i].name);
		archive_findings_clear(&list);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_counts, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_findings, tree_open,
			tree_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
