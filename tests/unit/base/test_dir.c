/*
 * test_dir: creating, opening and listing folders.
 */

#include "base/dir.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "lib/scratch.h"

static void
touch(const struct scratch *scratch, const char *name)
{
	int fd = openat(scratch->dirfd, name, O_WRONLY | O_CREAT, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static void
check_private(const struct scratch *scratch, const char *path)
{
	struct stat st;

	assert_int_equal(fstatat(scratch->dirfd, path, &st, 0), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(st.st_mode & 07777, 0700);
}

static void
test_create(void **state)
{
	static const mode_t umasks[] = { 0, 022, 0777 };
	struct scratch *scratch = *state;

	for (size_t i = 0; i < 3; i++) {
		char path[] = "x/y//z0";

		path[6] = (char)('0' + i);
		umask(umasks[i]);
		assert_int_equal(dir_create_at(scratch->dirfd, path,
					 DIR_PARENTS, NULL),
			OK);
		assert_int_equal(dir_create_at(scratch->dirfd, path,
					 DIR_PARENTS, NULL),
			OK);
		umask(022);
		check_private(scratch, path);
		check_private(scratch, "x");
	}
}

static void
test_create_fails(void **state)
{
	struct scratch *scratch = *state;
	struct error err = { 0 };

	assert_int_equal(dir_create_at(scratch->dirfd, "no/such", 0, &err),
		E_NOT_FOUND);
	error_clear(&err);
	touch(scratch, "file");
	assert_int_equal(dir_create_at(scratch->dirfd, "file", 0, &err),
		E_EXISTS);
	assert_string_equal(err.text, "file exists and is not a folder");
	error_clear(&err);
	assert_int_equal(dir_create_at(scratch->dirfd, "file/below",
				 DIR_PARENTS, &err),
		E_EXISTS);
}

static void
test_open(void **state)
{
	struct scratch *scratch = *state;
	struct error err = { 0 };
	int fd;

	assert_int_equal(dir_create_at(scratch->dirfd, "sub", 0, NULL), OK);
	assert_int_equal(symlinkat("sub", scratch->dirfd, "link"), 0);
	assert_int_equal(dir_open_at(scratch->dirfd, "link", 0, &fd, NULL), OK);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(dir_sync(fd, NULL), OK);
	fd_close(&fd);
	assert_int_equal(fd, -1);
	assert_int_not_equal(dir_open_at(scratch->dirfd, "link", DIR_NOFOLLOW,
				     &fd, &err),
		OK);
	error_clear(&err);
	assert_int_equal(dir_open_at(scratch->dirfd, "none", 0, &fd, &err),
		E_NOT_FOUND);
}

/* A link anywhere in the path leads away, not only at its end. */
static void
test_open_below(void **state)
{
	static const struct {
		const char *path;
		bool opens, opens_below;
	} rows[] = {
		{ "a", true, true },
		{ "a/b", true, true },
		{ "a//b/", true, true },
		{ "./a/b", true, true },
		{ "link/b", true, false },
		{ "a/up/a/b", true, false },
		{ "a/../a", true, false },
		{ "..", true, false },
		{ "a/none", false, false },
	};
	struct scratch *scratch = *state;
	size_t i;
	int fd;

	assert_int_equal(dir_create_at(scratch->dirfd, "a/b", DIR_PARENTS,
				 NULL),
		OK);
	assert_int_equal(symlinkat("a", scratch->dirfd, "link"), 0);
	assert_int_equal(symlinkat("..", scratch->dirfd, "a/up"), 0);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(dir_open_at(scratch->dirfd, rows[i].path, 0,
					 &fd, NULL) == OK,
			rows[i].opens);
		fd_close(&fd);
		assert_int_equal(dir_open_at(scratch->dirfd, rows[i].path,
					 DIR_NOFOLLOW, &fd, NULL) == OK,
			rows[i].opens_below);
		fd_close(&fd);
	}
}

static void
test_list(void **state)
{
	static const char *const want[] = { ".hidden", "A", "a", "b", "\xff" };
	struct scratch *scratch = *state;
	struct dir_names names;

	assert_int_equal(dir_list(scratch->dirfd, &names, NULL), OK);
	assert_int_equal(names.n, 0);
	dir_names_clear(&names);
	for (size_t i = 5; i > 0; i--)
		touch(scratch, want[i - 1]);
	for (int turn = 0; turn < 2; turn++) {
		assert_int_equal(dir_list(scratch->dirfd, &names, NULL), OK);
		assert_int_equal(names.n, 5);
		for (size_t i = 0; i < 5; i++)
			assert_string_equal(names.items[i], want[i]);
		dir_names_clear(&names);
	}
	assert_int_equal(dir_list(-1, &names, NULL), E_IO);
	assert_int_equal(names.n, 0);
	assert_int_equal(dir_list_at(scratch->dirfd, ".", &names, NULL), OK);
	assert_int_equal(names.n, 5);
	dir_names_clear(&names);
	assert_int_equal(dir_list_at(scratch->dirfd, "none", &names, NULL),
		E_NOT_FOUND);
	assert_int_equal(names.n, 0);
}

static void
test_list_many(void **state)
{
	struct scratch *scratch = *state;
	struct dir_names names;
	char name[] = "0000";

	for (int i = 0; i < 300; i++) {
		name[1] = (char)('0' + i / 100);
		name[2] = (char)('0' + i / 10 % 10);
		name[3] = (char)('0' + i % 10);
		touch(scratch, name);
	}
	assert_int_equal(dir_list(scratch->dirfd, &names, NULL), OK);
	assert_int_equal(names.n, 300);
	for (size_t i = 1; i < names.n; i++)
		assert_true(strcmp(names.items[i - 1], names.items[i]) < 0);
	dir_names_clear(&names);
}

/* Below the scratch folder; `whole` NULL: not resolved. */
static const struct resolve_row {
	const char *name, *path, *whole;
} RESOLVED[] = {
	{ "nothing to do", "/real/src/a.c", "/real/src/a.c" },
	{ "..", "/real/build/../src/a.c", "/real/src/a.c" },
	{ ".", "/real/./src//a.c", "/real/src/a.c" },
	{ "a link in the path", "/link/src/a.c", "/real/src/a.c" },
	{ "a link as last part", "/real/other", "/real/other" },
	{ "a file that is gone", "/link/src/none.c", "/real/src/none.c" },
	{ "a folder that is gone", "/link/none/b/c.c", "/real/none/b/c.c" },
	{ ".. of a folder that is gone", "/real/none/../a.c", NULL },
	{ ". at the end", "/real/src/.", NULL },
	{ ".. at the end", "/real/src/..", NULL },
	{ "no name", "/real/src/", NULL },
	{ "a folder that is not plain text", "/evil/a.c", NULL },
};

static void
test_resolve(void **state)
{
	const struct scratch *scratch = *state;
	char path[PATH_MAX], whole[PATH_MAX], buf[PATH_MAX];

	assert_int_equal(mkdirat(scratch->dirfd, "real", 0700), 0);
	assert_int_equal(mkdirat(scratch->dirfd, "real/src", 0700), 0);
	assert_int_equal(mkdirat(scratch->dirfd, "real/build", 0700), 0);
	assert_int_equal(mkdirat(scratch->dirfd, "re\nal", 0700), 0);
	assert_int_equal(symlinkat("real", scratch->dirfd, "link"), 0);
	assert_int_equal(symlinkat("re\nal", scratch->dirfd, "evil"), 0);
	assert_int_equal(symlinkat("/etc/passwd", scratch->dirfd, "real/other"),
		0);
	for (size_t i = 0; i < ROWS(RESOLVED); i++) {
		const struct resolve_row *row = &RESOLVED[i];
		const char *expected =
			row->whole != NULL ? row->whole : row->path;

		snprintf(path, sizeof(path), "%s%s", scratch->path, row->path);
		snprintf(whole, sizeof(whole), "%s%s", scratch->path, expected);
		row_check(dir_resolve(path, buf, sizeof(buf)) ==
				(row->whole != NULL),
			"%s: %s", row->name, buf);
		row_check(strcmp(buf, whole) == 0, "%s: %s", row->name, buf);
	}
	assert_false(dir_resolve("a.c", buf, sizeof(buf)));
	assert_string_equal(buf, "a.c");
	assert_false(dir_resolve("", buf, sizeof(buf)));
	assert_false(dir_resolve("none/a.c", buf, sizeof(buf)));
	assert_true(dir_resolve("/a.c", buf, sizeof(buf)));
	assert_string_equal(buf, "/a.c");
	assert_false(dir_resolve("/none/a.c", buf, 5));
	assert_string_equal(buf, "/non");
}

int
main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, scratch_open, scratch_close)
	const struct CMUnitTest tests[] = {
		TEST(test_create),
		TEST(test_create_fails),
		TEST(test_open),
		TEST(test_open_below),
		TEST(test_list),
		TEST(test_list_many),
		TEST(test_resolve),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
