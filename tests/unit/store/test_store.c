/*
 * test_store: an output directory is created, its files are written, and
 * findings are never changed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/stored.h"
#include "store/journal.h"

static void
check_mode(const struct tree *tree, const char *name, mode_t mode)
{
	struct stat st;

	row_check(fstatat(tree->fd, name, &st, 0) == 0, "%s", name);
	row_check((st.st_mode & 0777) == mode, "%s", name);
}

static void
test_new(void **state)
{
	static const char *const folders[] = { "o", "o/corpus", "o/crashes",
		"o/hangs", "o/ooms", "o/leaks", "o/suspects" };
	static const mode_t masks[] = { 0, 022, 0777 };
	const struct tree *tree = *state;
	struct store *store;
	char name[16], *text;
	mode_t old;
	size_t i, m;

	for (m = 0; m < sizeof(masks) / sizeof(*masks); m++) {
		snprintf(name, sizeof(name), "deep%zu/o", m);
		old = umask(masks[m]);
		store = stored_open(tree, name, &stored_a);
		umask(old);
		assert_int_equal(renameat(tree->fd, name, tree->fd, "o"), 0);
		for (i = 0; i < sizeof(folders) / sizeof(*folders); i++)
			check_mode(tree, folders[i], 0700);
		check_mode(tree, "o/journal.jsonl", 0600);
		check_mode(tree, "o/.lock", 0600);
		check_mode(tree, "o/.reserve", 0600);
		assert_int_equal(store_past(store)->runs, 0);
		assert_null(store_warning(store, 0));
		text = tree_read(tree, "o/journal.jsonl", NULL);
		assert_non_null(strstr(text, "\"event\":\"campaign\""));
		assert_non_null(strstr(text, "\"target\":\"/bin/a\""));
		free(text);
		stored_finish(store);
		assert_false(tree_has(tree, "o/.reserve"));
		assert_int_equal(renameat(tree->fd, "o", tree->fd,
					 folders[1] + 2),
			0);
		assert_int_equal(renameat(tree->fd, "corpus", tree->fd, name),
			0);
	}
}

static void
count_cb(void *arg, enum status status)
{
	assert_int_equal(status, OK);
	(*(unsigned *)arg)++;
}

static void
test_writes(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	json_t *json = json_pack("{s:s, s:f}", "state", "new", "rate", 0.1);
	json_t *event = journal_event("find", 1);
	char folder[STORE_FOLDER_SIZE], *text;
	unsigned done = 0;
	uint8_t *data;
	size_t len;

	store_add_entry(store, "", "ba7816bf8f01cfea", NULL, "abc", 3, count_cb,
		&done);
	store_claim(store, "crashes/segv-main-01234567", folder);
	assert_string_equal(folder, "crashes/segv-main-01234567");
	store_put(store, folder, "input", "boom", 4, count_cb, &done);
	store_put(store, folder, "report.txt", "r", 1, count_cb, &done);
	store_put_json(store, folder, "crash.json", json);
	assert_true(store_put_more(store, folder, "boom2", 5));
	assert_true(store_add_suspect(store, "sus", 3));
	store_write_stats(store, json);
	store_log(store, event, true);
	tree_wait(tree, &done, 3);
	/* Minimized twice, and a second input. */
	store_put(store, folder, "minimized", "bo", 2, NULL, NULL);
	store_put(store, folder, "minimized", "b", 1, NULL, NULL);
	store_put(store, folder, "input", "other", 5, NULL, NULL);
	store_put_sequence(store, folder, 1, "one", 3, false, NULL, NULL);
	store_put_sequence(store, folder, 12, "twelve", 6, true, NULL, NULL);
	/* A shorter sequence replaces a longer one. */
	store_put_sequence(store, folder, 13, "thirteen", 8, true, NULL, NULL);
	store_remove_sequence(store, folder, 13);
	store_put_before(store, folder, "before", 6);
	store_put_before(store, folder, NULL, 0);
	/* A removed suspect may be added again. */
	assert_true(store_add_suspect(store, "gone", 4));
	store_remove_suspect(store, "gone", 4);
	assert_true(store_add_suspect(store, "back", 4));
	store_remove_suspect(store, "back", 4);
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);

	assert_true(tree_holds(tree, "o/corpus/ba7816bf8f01cfea", "abc"));
	assert_true(
		tree_holds(tree, "o/crashes/segv-main-01234567/input", "boom"));
	assert_true(tree_holds(tree, "o/crashes/segv-main-01234567/minimized",
		"b"));
	assert_true(tree_holds(tree,
		"o/crashes/segv-main-01234567/input-d9298a10d1b07358",
		"other"));
	assert_int_equal(tree_count(tree, "o/crashes/segv-main-01234567/more"),
		1);
	assert_true(tree_holds(tree,
		"o/crashes/segv-main-01234567/sequence/000001", "one"));
	assert_true(tree_holds(tree,
		"o/crashes/segv-main-01234567/sequence/000012", "twelve"));
	assert_int_equal(tree_count(tree,
				 "o/crashes/segv-main-01234567/sequence"),
		2);
	assert_false(tree_holds(tree, "o/crashes/segv-main-01234567/before",
		"before"));
	assert_int_equal(tree_count(tree, "o/suspects"), 1);
	text = tree_read(tree, "o/stats.json", NULL);
	assert_non_null(strstr(text, "\"rate\": 0.1\n"));
	free(text);
	text = tree_read(tree, "o/journal.jsonl", NULL);
	assert_non_null(strstr(text, "\"event\":\"find\""));
	free(text);
	assert_int_equal(store_read(store, folder, "input", 10, &data, &len,
				 NULL),
		OK);
	assert_int_equal(len, 4);
	free(data);
	assert_int_equal(store_read(store, "corpus", "none", 10, &data, &len,
				 NULL),
		E_NOT_FOUND);
	store_close(store);
	json_decref(json);
	json_decref(event);
}

static void
test_bounds(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	char folder[STORE_FOLDER_SIZE], other[STORE_FOLDER_SIZE], text[16];
	unsigned i, kept = 0;

	store_claim(store, "crashes/x", folder);
	store_claim(store, "crashes/x", other);
	assert_string_equal(other, "crashes/x-2");
	store_claim(store, "crashes/x", other);
	assert_string_equal(other, "crashes/x-3");
	store_put(store, folder, "input", "0", 1, NULL, NULL);
	assert_false(store_put_more(store, folder, "0", 1)); /* the same */
	for (i = 0; i < 40; i++) {
		snprintf(text, sizeof(text), "%u", i / 2);
		kept += store_put_more(store, folder, text, strlen(text));
	}
	assert_int_equal(kept, STORE_MORE_MAX);
	for (i = kept = 0; i < 2 * STORE_SUSPECTS_MAX; i++) {
		snprintf(text, sizeof(text), "%u", i);
		kept += store_add_suspect(store, text, strlen(text));
	}
	assert_int_equal(kept, STORE_SUSPECTS_MAX);
	stored_finish(store);
	assert_int_equal(tree_count(tree, "o/suspects"), STORE_SUSPECTS_MAX);
	assert_int_equal(tree_count(tree, "o/crashes/x/more"), STORE_MORE_MAX);
	/* The limits hold over several runs. The input itself is no other one,
	 * and what is nowhere else always has room. */
	store = stored_open(tree, "o", &stored_a);
	store_put(store, folder, "input", "0", 1, NULL, NULL);
	assert_int_equal(store_more(store, folder), STORE_MORE_MAX);
	assert_false(store_put_more(store, folder, "another", 7));
	assert_false(store_keep_more(store, folder, "0", 1));
	assert_true(store_keep_more(store, folder, "another", 7));
	assert_false(store_keep_more(store, folder, "another", 7));
	assert_int_equal(store_more(store, folder), STORE_MORE_MAX + 1);
	assert_false(store_add_suspect(store, "another", 7));
	stored_finish(store);
}

/* A replaced entry is removed; a file with another content stays. */
static void
test_remove_entry(void **state)
{
	const struct tree *tree = *state;
	struct store *store;

	stored_make(tree, "o");
	tree_text(tree, "o/corpus/0123456789abcdef", "of the user");
	store = stored_open(tree, "o", &stored_a);
	store_remove_entry(store, "0123456789abcdef");
	store_remove_entry(store, "ba7816bf8f01cfea");
	store_remove_entry(store, "fedcba9876543210");
	stored_finish(store);
	assert_true(
		tree_holds(tree, "o/corpus/0123456789abcdef", "of the user"));
	assert_int_equal(tree_count(tree, "o/corpus"), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_new),
		TEST(test_writes),
		TEST(test_bounds),
		TEST(test_remove_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
