/*
 * A store at rest: the next run may begin, nothing is written, and it wakes only
 * if nothing has changed.
 *
 * FLAGS: -Wl,--wrap=fsync -Wl,--wrap=write
 */
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "lib/fault.h"
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
say_synced(struct store *store, bool sync)
{
	json_t *event = json_pack("{s:s}", "event", "said");

	store_log(store, event, sync);
	json_decref(event);
}

static void
say(struct store *store)
{
	say_synced(store, false);
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
	stored_refused(tree, "o", &stored_a, E_BUSY, "another cfuzz");
	store_rest(store);
	len = journal_len(tree);
	say(store);
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	assert_int_equal(journal_len(tree), len);

	assert_int_equal(store_wake(store, &err), OK);
	stored_refused(tree, "o", &stored_a, E_BUSY, "another cfuzz");
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
	assert_non_null(strstr(err.text, "at work in"));
	stored_finish(next);
	error_clear(&err);
	assert_int_equal(store_wake(store, &err), E_STATE);
	assert_non_null(strstr(err.text, "another cfuzz has changed"));
	/* It did not keep the lock. */
	stored_finish(stored_open(tree, "o", &stored_a));
	store_close(store);
}

struct slow {
	atomic_bool begun, may_end;
	unsigned ended;
};

static bool
slow_step(void *arg)
{
	struct slow *slow = arg;

	atomic_store(&slow->begun, true);
	while (!atomic_load(&slow->may_end))
		poll(NULL, 0, 1);
	return false;
}

static void
slow_end(void *arg, enum status status)
{
	struct slow *slow = arg;

	slow->ended++;
}

/* The end gives up on a slow disk. What waits is written when the store wakes,
 * and not before: then another run may own the directory. */
static void
test_slow_disk(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	struct slow slow = { .ended = 0 };
	struct writing_pieces after = { .left = 1 };
	struct error err = { 0 };
	unsigned put = 0;
	size_t len;

	store_steps(store, slow_step, slow_end, &slow);
	while (!atomic_load(&slow.begun))
		poll(NULL, 0, 1);
	say(store);
	say(store);
	store_put(store, "crashes/a", "input", "aa", 2, writing_count, &put);
	assert_true(store_finish(store, 200, NULL, NULL) > 0);
	store_rest(store);
	len = journal_len(tree);
	atomic_store(&slow.may_end, true);
	tree_wait(tree, &slow.ended, 1);
	/* The thread writes what it had before this, if anything. */
	store_steps(store, writing_step, writing_end, &after);
	tree_wait(tree, &after.ended, 1);
	assert_int_equal(journal_len(tree), len);
	assert_int_equal(put, 0);
	assert_int_equal(store_wake(store, &err), OK);
	tree_wait(tree, &put, 1);
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	assert_true(journal_len(tree) > len);
	store_close(store);
}

/* What the thread has begun, ends. */
static void
await_thread(const struct tree *tree, struct store *store)
{
	struct writing_pieces after = { .left = 1 };

	fault_block_fsync(false);
	fault_block_write(false);
	store_steps(store, writing_step, writing_end, &after);
	tree_wait(tree, &after.ended, 1);
}

/* Gives up, but not before the thread is in the call that does not come back. */
static void
give_up(struct store *store)
{
	do
		assert_int_equal(store_finish(store, 500, NULL, NULL), 1);
	while (!fault_has_blocked());
}

/* A line that the thread has begun comes after the end: it is our own, with all
 * that it needs to be a line. */
static void
test_late_line(void **state)
{
	static const char *const before[] = {
		NULL, /* the journal as it is */
		"{\"event\":\"torn",
		"",
	};
	const struct tree *tree = *state;
	struct error err = { 0 };
	size_t i;

	for (i = 0; i < ROWS(before); i++) {
		struct store *store = stored_open(tree, "o", &stored_a);

		assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL),
			0);
		if (before[i] != NULL)
			tree_text(tree, "o/journal.jsonl", before[i]);
		fault_block_fsync(true);
		say_synced(store, true);
		give_up(store);
		store_rest(store);
		await_thread(tree, store);
		row_check(store_wake(store, &err) == OK, "%zu: %s", i,
			err.text);
		stored_finish(store);
	}
}

/* The disk stalls in the middle of a line, before the end or after it. */
static void
test_half_line(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	struct error err = { 0 };
	size_t len;

	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	len = journal_len(tree);
	fault_block_write(true);
	say(store);
	give_up(store);
	assert_true(journal_len(tree) > len);
	store_rest(store);
	await_thread(tree, store);
	assert_int_equal(store_wake(store, &err), OK);

	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	len = journal_len(tree);
	fault_block_fsync(true);
	say_synced(store, true);
	give_up(store);
	assert_int_equal(journal_len(tree), len);
	store_rest(store);
	fault_block_write(true);
	fault_block_fsync(false);
	while (journal_len(tree) == len)
		poll(NULL, 0, 1);
	assert_int_equal(store_wake(store, &err), OK);
	await_thread(tree, store);
	stored_finish(store);
}

/* A line before our own late one is none of ours. */
static void
test_late_and_other(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	struct error err = { 0 };
	char *text, *more;
	size_t len;

	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	fault_block_fsync(true);
	say_synced(store, true);
	give_up(store);
	store_rest(store);
	text = tree_read(tree, "o/journal.jsonl", &len);
	more = xasprintf("%s{}\n", text);
	tree_text(tree, "o/journal.jsonl", more);
	free(text);
	free(more);
	await_thread(tree, store);
	assert_int_equal(store_wake(store, &err), E_STATE);
	store_close(store);
}

/* A note that somebody else has written is none of ours, though no run began. */
static void
test_other_note(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a), *other;
	struct error err = { 0 };

	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	store_rest(store);
	assert_int_equal(store_open_past(&other, tree_path(tree, "o"),
				 tree->base, &err),
		OK);
	assert_int_equal(store_wake(other, &err), OK);
	say(other);
	stored_finish(other);
	assert_int_equal(store_wake(store, &err), E_STATE);
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
		TEST(test_slow_disk),
		TEST(test_late_line),
		TEST(test_half_line),
		TEST(test_late_and_other),
		TEST(test_other_note),
		TEST(test_long_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
