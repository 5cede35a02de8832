/*
 * test_store_merge: merges two findings: the input is kept, the folder is
 * removed, and neither a failing disk nor foreign files lose data.
 *
 * FLAGS: -Wl,--wrap=openat -Wl,--wrap=write -Wl,--wrap=fsync
 * FLAGS: -Wl,--wrap=fdatasync -Wl,--wrap=close -Wl,--wrap=renameat
 * FLAGS: -Wl,--wrap=mkdirat -Wl,--wrap=ftruncate
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "lib/fault.h"
#include "lib/stored.h"

static void
put_finding(struct store *store, const char *folder, const char *input)
{
	store_put(store, folder, "input", input, strlen(input), NULL, NULL);
	store_put(store, folder, "report.txt", "words", 5, NULL, NULL);
	store_put(store, folder, "crash.json", "{}", 2, NULL, NULL);
	store_put(store, folder, "minimized", "m", 1, NULL, NULL);
	store_put(store, folder, "witness", "w", 1, NULL, NULL);
	store_put_sequence(store, folder, 1, "one", 3, true, NULL, NULL);
	store_put_more(store, folder, "other", 5);
}

static const char *
more_name(const char *input)
{
	static char path[128];
	char hex[SHA256_HEX_SIZE];

	sha256_name(input, strlen(input), hex);
	snprintf(path, sizeof(path), "o/crashes/a/more/%.16s", hex);
	return path;
}

static void
test_merge(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);

	put_finding(store, "crashes/a", "first");
	put_finding(store, "crashes/b", "second");
	store_merge(store, "crashes/b", "crashes/a", "second", 6);
	stored_finish(store);
	assert_false(tree_has(tree, "o/crashes/b"));
	assert_true(tree_holds(tree, "o/crashes/a/input", "first"));
	assert_true(tree_holds(tree, more_name("second"), "second"));
	assert_int_equal(tree_count(tree, "o/crashes/a/more"), 2);
}

/* A known input is not written again; one that is kept nowhere else always has
 * room. */
static void
test_no_room(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	char text[8];
	unsigned i;

	put_finding(store, "crashes/a", "first");
	put_finding(store, "crashes/b", "first");
	store_merge(store, "crashes/b", "crashes/a", "first", 5);
	for (i = 0; i < 20; i++) {
		snprintf(text, sizeof(text), "%u", i);
		store_put_more(store, "crashes/a", text, strlen(text));
	}
	put_finding(store, "crashes/c", "third");
	store_merge(store, "crashes/c", "crashes/a", "third", 5);
	stored_finish(store);
	assert_int_equal(tree_count(tree, "o/crashes"), 1);
	assert_int_equal(tree_count(tree, "o/crashes/a/more"),
		STORE_MORE_MAX + 1);
	assert_true(tree_holds(tree, more_name("third"), "third"));
}

/* Foreign files are not removed. */
static void
test_foreign(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);

	put_finding(store, "crashes/a", "first");
	put_finding(store, "crashes/b", "second");
	tree_folder(tree, "o/crashes/b");
	tree_text(tree, "o/crashes/b/notes", "mine");
	put_finding(store, "crashes/c", "third");
	tree_folder(tree, "o/crashes/c");
	tree_folder(tree, "o/crashes/c/more");
	tree_text(tree, "o/crashes/c/more/notes", "mine");
	store_merge(store, "crashes/b", "crashes/a", "second", 6);
	store_merge(store, "crashes/c", "crashes/a", "third", 5);
	store_merge(store, "crashes/nowhere", "crashes/a", "fourth", 6);
	stored_finish(store);
	assert_true(tree_holds(tree, "o/crashes/b/input", "second"));
	assert_true(tree_holds(tree, "o/crashes/b/notes", "mine"));
	assert_true(tree_holds(tree, "o/crashes/c/input", "third"));
	assert_true(tree_holds(tree, "o/crashes/c/more/notes", "mine"));
	assert_true(tree_holds(tree, more_name("fourth"), "fourth"));
}

/* A link in place of the folder is not followed. */
static void
test_link(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	char path[128];

	put_finding(store, "crashes/a", "first");
	tree_folder(tree, "victim");
	tree_text(tree, "victim/input", "mine");
	snprintf(path, sizeof(path), "%s", tree_path(tree, "o/crashes/b"));
	assert_int_equal(symlink(tree_path(tree, "victim"), path), 0);
	store_merge(store, "crashes/b", "crashes/a", "second", 6);
	stored_finish(store);
	assert_true(tree_holds(tree, "victim/input", "mine"));
	assert_true(tree_holds(tree, more_name("second"), "second"));
}

/* Each call in turn fails once: the input is always there at the end. */
static void
test_each_call_fails(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	char a[32], b[32], input[16], path[80];
	unsigned n;

	for (n = 1; n == 1 || fault_was_hit(); n++) {
		snprintf(a, sizeof(a), "crashes/a%u", n);
		snprintf(b, sizeof(b), "crashes/b%u", n);
		snprintf(input, sizeof(input), "input %u", n);
		stored_finish(store);
		store = stored_open(tree, "o", &stored_a);
		fault_set((int)n, n % 2 ? ENOSPC : EIO, false);
		store_put(store, a, "input", "first", 5, NULL, NULL);
		store_put(store, b, "input", input, strlen(input), NULL, NULL);
		store_put(store, b, "crash.json", "{}", 2, NULL, NULL);
		store_merge(store, b, a, input, strlen(input));
		assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL),
			0);
		fault_stop();
		snprintf(path, sizeof(path), "o/%s/more", a);
		row_check(tree_count(tree, path) == 1, "%s", a);
		/* If the removal failed, the finding is still complete. */
		snprintf(path, sizeof(path), "o/%s", b);
		if (tree_has(tree, path) && tree_count(tree, path) > 0) {
			snprintf(path, sizeof(path), "o/%s/input", b);
			row_check(tree_holds(tree, path, input), "%s", b);
		}
	}
	assert_true(n > 10);
	store_close(store);
}

struct late {
	const struct tree *tree;
	bool kept; /* the other folder was still there */
};

static void
on_late(void *arg, enum status status)
{
	struct late *late = arg;

	assert_int_equal(status, OK);
	late->kept = tree_has(late->tree, "o/crashes/b/sequence/000001");
}

/* The disk refuses a part of the other finding once: no folder is removed
 * before that part is saved. */
static void
test_refused_part(void **state)
{
	struct late late = { .tree = *state };
	struct store *store = stored_open(*state, "o", &stored_a);

	put_finding(store, "crashes/a", "first");
	put_finding(store, "crashes/b", "first");
	stored_finish(store);
	store = stored_open(*state, "o", &stored_a);
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	fault_set(1, EIO, false);
	store_put_sequence(store, "crashes/a", 1, "one", 3, true, on_late,
		&late);
	store_merge(store, "crashes/b", "crashes/a", "first", 5);
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	assert_true(fault_was_hit());
	fault_stop();
	assert_true(late.kept);
	assert_false(tree_has(*state, "o/crashes/b"));
	store_close(store);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_merge),
		TEST(test_no_room),
		TEST(test_foreign),
		TEST(test_link),
		TEST(test_refused_part),
		TEST(test_each_call_fails),
	};

	return cmocka_run_group_tests_name("store_merge", tests, NULL, NULL);
}
