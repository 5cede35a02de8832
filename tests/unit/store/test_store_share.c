/*
 * A store whose directory a group may enter: its modes meanwhile, afterwards,
 * and after an engine that was killed.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/stored.h"
#include "store/store_share.h"

static unsigned
mode_of(const struct tree *tree, const char *name)
{
	struct stat st;

	assert_int_equal(lstat(tree_path(tree, name), &st), 0);
	return st.st_mode & 07777;
}

static void
set_mode(const struct tree *tree, const char *name, mode_t mode)
{
	assert_int_equal(chmod(tree_path(tree, name), mode), 0);
}

static void
test_share(void **state)
{
	/* clang-format off */
	static const struct {
		const char *name;
		mode_t mode;
	} open[] = {
		{ "o/corpus", 0755 }, { "o/journal.jsonl", 0644 },
		{ "o/mine", 0660 }, { "o/.lock", 0604 },
	};
	/* clang-format on */
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	struct error err = { 0 };

	assert_int_equal(mode_of(tree, "o"), 0700);
	tree_write(tree, "o/mine", "x", 1);
	tree_write(tree, "elsewhere", "x", 1);
	set_mode(tree, "elsewhere", 0644);
	assert_int_equal(symlink("../elsewhere", tree_path(tree, "o/link")), 0);
	for (size_t i = 0; i < ROWS(open); i++)
		set_mode(tree, open[i].name, open[i].mode);
	assert_int_equal(store_share(store, getegid(), &err), OK);
	assert_int_equal(mode_of(tree, "o"), 0710);
	for (size_t i = 0; i < ROWS(open); i++)
		row_check(mode_of(tree, open[i].name) == (open[i].mode & 0700),
			"%s", open[i].name);
	assert_int_equal(mode_of(tree, "elsewhere"), 0644);
	store_unshare(store);
	assert_int_equal(mode_of(tree, "o"), 0700);
	store_unshare(store);
	assert_int_equal(store_share(store, getegid(), &err), OK);
	stored_finish(store); /* closes it */
	assert_int_equal(mode_of(tree, "o"), 0700);
}

/* An own mode comes back; one that a killed engine has left does not. */
static void
test_modes(void **state)
{
	static const struct {
		mode_t before, opened, after;
	} rows[] = {
		{ 0700, 0700, 0700 },
		{ 0755, 0755, 0755 },
		{ 0710, 0700, 0700 },
		{ 02750, 02750, 02750 },
	};
	const struct tree *tree = *state;
	struct error err = { 0 };
	struct store *store;

	stored_finish(stored_open(tree, "o", &stored_a));
	for (size_t i = 0; i < ROWS(rows); i++) {
		set_mode(tree, "o", rows[i].before);
		store = stored_open(tree, "o", &stored_a);
		row_check(mode_of(tree, "o") == rows[i].opened, "%o",
			rows[i].before);
		assert_int_equal(store_share(store, getegid(), &err), OK);
		row_check(mode_of(tree, "o") == 0710, "%o", rows[i].before);
		stored_finish(store);
		row_check(mode_of(tree, "o") == rows[i].after, "%o",
			rows[i].before);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_share),
		TEST(test_modes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
