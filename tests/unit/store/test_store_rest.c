/*
 * A store at rest: the next run may begin, nothing is written, and it wakes only
 * if nothing has changed.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/stored.h"
#include "lib/writing.h"

static size_t
journal_len(const struct tree *tree)
{
	size_t len;

	free(tree_read(tree, "o/journal.jsonl", &len));
	return len;
}

static void
say(struct store *store)
{
	json_t *event = json_pack("{s:s}", "event", "said");

	store_log(store, event, false);
	json_decref(event);
}

static void
test_rest(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	struct error err = { 0 };
	size_t len;

	say(store);
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	stored_refused(tree, "o", &stored_a, E_BUSY, "another engine");
	store_rest(store);
	len = journal_len(tree);
	say(store);
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	assert_int_equal(journal_len(tree), len);

	assert_int_equal(store_wake(store, &err), OK);
	stored_refused(tree, "o", &stored_a, E_BUSY, "another engine");
	say(store);
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	assert_true(journal_len(tree) > len);
	store_rest(store);
	assert_int_equal(store_wake(store, &err), OK);
	store_rest(store);
	store_close(store);
}

/* Another run may own the directory: its findings are left alone. */
static void
test_no_file(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	const char *a = "crashes/a", *b = "crashes/b";
	char *before, *after;

	store_put(store, a, "input", "aa", 2, NULL, NULL);
	store_put(store, b, "input", "bb", 2, NULL, NULL);
	store_put_sequence(store, b, 1, "1", 1, true, NULL, NULL);
	store_put_before(store, b, "before", 6);
	assert_true(store_add_suspect(store, "cc", 2));
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	store_rest(store);
	before = stored_listing(tree, "o");
	store_put(store, a, "report.txt", "text", 4, NULL, NULL);
	(void)store_put_more(store, a, "dd", 2);
	store_replace_input(store, a, true, "aa", 2, "ee", 2);
	store_merge(store, b, a, "bb", 2);
	store_remove_sequence(store, b, 1);
	store_put_before(store, b, NULL, 0);
	store_remove_suspect(store, "cc", 2);
	(void)store_add_entry(store, "", "0123456789abcdef", "0123456789abcdef",
		"ff", 2, NULL, NULL);
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	after = stored_listing(tree, "o");
	assert_string_equal(after, before);
	free(before);
	free(after);
	store_close(store);
}

static void
test_another_run(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a), *next;
	struct error err = { 0 };

	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	store_rest(store);
	next = stored_open(tree, "o", &stored_a);
	assert_int_equal(store_wake(store, &err), E_BUSY);
	assert_non_null(strstr(err.text, "cfuzz attach"));
	stored_finish(next);
	error_clear(&err);
	assert_int_equal(store_wake(store, &err), E_STATE);
	assert_non_null(strstr(err.text, "another run has changed"));
	/* It did not keep the lock. */
	stored_finish(stored_open(tree, "o", &stored_a));
	store_close(store);
}

/* Long work after the end goes on to its own end. */
static void
test_long_work(void **state)
{
	struct store *store = stored_open(*state, "o", &stored_a);
	struct error err = { 0 };
	unsigned round;

	for (round = 0; round < 2; round++) {
		struct writing_pieces pieces = { .left = 3 };

		assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL),
			0);
		store_rest(store);
		assert_int_equal(store_wake(store, &err), OK);
		store_steps(store, writing_step, writing_end, &pieces);
		tree_wait(*state, &pieces.ended, 1);
		assert_int_equal(pieces.status, OK);
		assert_int_equal(pieces.left, 0);
	}
	stored_finish(store);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_rest),
		TEST(test_no_file),
		TEST(test_another_run),
		TEST(test_long_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
