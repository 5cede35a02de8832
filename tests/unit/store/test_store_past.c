/*
 * test_store_past: an output directory is resumed and repaired.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/stored.h"

static void
test_resume(void **state)
{
	static const struct target_info *const targets[] = { &stored_a,
		&stored_a_rebuilt, &stored_a_moved };
	const struct tree *tree = *state;
	const struct store_past *past;
	struct store *store;
	char folder[STORE_FOLDER_SIZE];
	unsigned i;

	stored_make(tree, "o");
	tree_text(tree, "o/.tmp-0123", "half");
	tree_text(tree, "o/corpus/.tmp-0123", "half");
	tree_folder(tree, "o/crashes/empty");
	tree_text(tree, "o/crashes/empty/.tmp-0123", "half");
	tree_text(tree, "o/crashes/README", "of the user");
	for (i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		store = stored_open(tree, "o", targets[i]);
		stored_check(store);
		past = store_past(store);
		assert_int_equal(past->runs, i + 1);
		assert_true(past->elapsed_s == 12.5);
		assert_int_equal(json_integer_value(
					 json_object_get(past->stats, "execs")),
			9);
		assert_int_equal(json_integer_value(
					 json_object_get(past->buckets[0].info,
						 "count")),
			3);
		assert_null(store_warning(store, 0));
		store_claim(store, "crashes/a", folder);
		assert_string_equal(folder, "crashes/a-2");
		store_forget(store);
		assert_int_equal(past->buckets_n, 0);
		stored_finish(store);
	}
	assert_false(tree_has(tree, "o/.tmp-0123"));
	assert_false(tree_has(tree, "o/corpus/.tmp-0123"));
	assert_false(tree_has(tree, "o/crashes/empty"));
	assert_true(tree_holds(tree, "o/crashes/README", "of the user"));
}

static bool
has_aside(const struct tree *tree, const char *folder, const char *name)
{
	char command[512];

	snprintf(command, sizeof(command),
		"ls %s | grep -q '^%s.damaged-[0-9TZ]*\\(-[0-9]*\\)*$'",
		tree_path(tree, folder), name);
	return system(command) == 0;
}

static void
test_damaged(void **state)
{
	static const struct {
		const char *name, *file, *text;
		const char *warning; /* NULL: none */
		bool aside;
	} rows[] = {
		{ "journal empty", "journal.jsonl", "", "was damaged", true },
		{ "journal garbage", "journal.jsonl", "\xff\x01\n{}\n",
			"was damaged", true },
		{ "journal torn at once", "journal.jsonl", "{\"event\":\"cam",
			"was damaged", true },
		{ "stats empty", "stats.json", "", "was damaged", true },
		{ "stats cut", "stats.json", "{\"elapsed_s\": 1", "was damaged",
			true },
		{ "stats an array", "stats.json", "[]", "was damaged", true },
		{ "crash.json cut", "crashes/a/crash.json", "{\"cou",
			"crashes/a/crash.json was damaged", true },
	};
	const struct tree *tree = *state;
	struct store *store;
	char name[16], path[64];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(name, sizeof(name), "o%zu", i);
		stored_make(tree, name);
		snprintf(path, sizeof(path), "%s/%s", name, rows[i].file);
		tree_text(tree, path, rows[i].text);
		store = stored_open(tree, name, &stored_a);
		row_check(store_warning(store, 0) &&
				strstr(store_warning(store, 0),
					rows[i].warning),
			"%s", rows[i].name);
		row_check(!store_warning(store, 1), "%s", rows[i].name);
		stored_check(store);
		stored_finish(store);
		*strrchr(path, '/') = 0;
		row_check(has_aside(tree, path,
				  strrchr(rows[i].file, '/') ? "crash.json"
							     : rows[i].file),
			"%s", rows[i].name);
		/* The damage is gone, and the new file is valid. */
		store = stored_open(tree, name, &stored_a);
		row_check(!store_warning(store, 0), "%s", rows[i].name);
		stored_finish(store);
	}
}

/* Without a journal a directory is ours if all that is there is. */
static void
test_no_journal(void **state)
{
	static const struct {
		const char *name;
		bool folder, ours;
	} rows[] = {
		{ "coverage.jsonl.damaged-20260801T123456Z", false, true },
		{ "stats.json.damaged-20260801T123456Z-2", false, true },
		{ ".input-0", false, true },
		{ "export", true, true },
		{ "report", true, true },
		{ "reports", true, false },
		{ "exported", true, false },
		{ "letter", false, false },
	};
	const struct tree *tree = *state;
	char name[16], path[80];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(name, sizeof(name), "o%zu", i);
		stored_make(tree, name);
		snprintf(path, sizeof(path), "%s/journal.jsonl", name);
		assert_int_equal(unlinkat(tree->fd, path, 0), 0);
		snprintf(path, sizeof(path), "%s/%s", name, rows[i].name);
		if (rows[i].folder)
			tree_folder(tree, path);
		else
			tree_text(tree, path, "text");
		if (rows[i].ours)
			stored_finish(stored_open(tree, name, &stored_a));
		else
			stored_refused(tree, name, &stored_a, E_USAGE,
				"not an output directory of cfuzz");
	}
}

static void
test_torn_journal(void **state)
{
	const struct tree *tree = *state;
	struct store *store;
	char *whole, *text;
	size_t len, cut;

	stored_make(tree, "o");
	whole = tree_read(tree, "o/journal.jsonl", &len);
	cut = (size_t)(strchr(whole, '\n') - whole) + 20;
	tree_write(tree, "o/journal.jsonl", whole, cut);
	store = stored_open(tree, "o", &stored_a);
	assert_non_null(strstr(store_warning(store, 0), "was incomplete"));
	stored_finish(store);
	text = tree_read(tree, "o/journal.jsonl", NULL);
	assert_memory_equal(text, whole, cut - 19);
	assert_int_equal(strncmp(text + cut - 19, "{\"t\":", 5), 0);
	assert_non_null(strstr(text + cut - 19, "\"event\":\"resume\""));
	free(text);

	text = malloc(len + 5);
	memcpy(text, whole, len);
	memcpy(text + len, "zzz\n", 5);
	tree_write(tree, "o/journal.jsonl", text, len + 4);
	store = stored_open(tree, "o", &stored_a);
	assert_non_null(strstr(store_warning(store, 0), "are invalid"));
	stored_finish(store);
	free(text);
	free(whole);
}

/* Without a journal, but with our lock file: findings are found again. */
static void
test_lost_journal(void **state)
{
	const struct tree *tree = *state;
	struct store *store;

	stored_make(tree, "o");
	assert_int_equal(unlinkat(tree->fd, "o/journal.jsonl", 0), 0);
	store = stored_open(tree, "o", &stored_a);
	stored_check(store);
	assert_non_null(strstr(store_warning(store, 0), "is missing"));
	stored_finish(store);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_resume),
		TEST(test_damaged),
		TEST(test_no_journal),
		TEST(test_torn_journal),
		TEST(test_lost_journal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
