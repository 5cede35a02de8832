/*
 * test_store_synced: when the files of a sequence reach the disk. There may be
 * ten thousand of them: one sync is for all, and comes before the files that
 * name them.
 *
 * FLAGS: -Wl,--wrap=fsync -Wl,--wrap=syncfs
 * FLAGS: -Wl,--wrap=renameat -Wl,--wrap=unlinkat
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/stored.h"

#define FILES 50u
#define CALLS_MAX 1000u

/* Calls in their order: fsync 'f', syncfs 's', renameat 'r', unlinkat 'u'. Only
 * the writer's thread notes while the loop waits for it. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct {
	char order[CALLS_MAX];
	size_t n;
} calls;

static void
calls_note(char call)
{
	if (calls.n < CALLS_MAX - 1)
		calls.order[calls.n++] = call;
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_syncfs(int fd);
int __wrap_syncfs(int fd);
int __real_renameat(int from_fd, const char *from, int to_fd, const char *to);
int __wrap_renameat(int from_fd, const char *from, int to_fd, const char *to);
int __real_unlinkat(int dirfd, const char *name, int flags);
int __wrap_unlinkat(int dirfd, const char *name, int flags);

int
__wrap_fsync(int fd)
{
	calls_note('f');
	return __real_fsync(fd);
}

int
__wrap_syncfs(int fd)
{
	calls_note('s');
	return __real_syncfs(fd);
}

int
__wrap_renameat(int from_fd, const char *from, int to_fd, const char *to)
{
	calls_note('r');
	return __real_renameat(from_fd, from, to_fd, to);
}

int
__wrap_unlinkat(int dirfd, const char *name, int flags)
{
	calls_note('u');
	return __real_unlinkat(dirfd, name, flags);
}

static void
put_files(struct store *store, const char *folder)
{
	uint32_t i;

	for (i = 1; i <= FILES; i++)
		store_put_sequence(store, folder, i, "x", 1, i == FILES, NULL,
			NULL);
}

static void
remove_files(struct store *store, const char *folder)
{
	uint32_t i;

	for (i = 1; i <= FILES; i++)
		store_remove_sequence(store, folder, i);
}

static void
test_one_sync(void **state)
{
	static const struct {
		const char *name;
		void (*change)(struct store *store, const char *folder);
		char call;
		const char *then; /* before the next file is written */
	} rows[] = {
		{ "written", put_files, 'r', "s" },
		{ "removed", remove_files, 'u', "" },
	};
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	size_t i, at;

	store_put(store, "crashes/a", "input", "aa", 2, NULL, NULL);
	assert_int_equal(store_finish(store, TREE_DISK_MS, NULL, NULL), 0);
	for (i = 0; i < ROWS(rows); i++) {
		const char call[] = { rows[i].call, '\0' };

		memset(&calls, 0, sizeof(calls));
		rows[i].change(store, "crashes/a");
		store_put(store, "crashes/a", "crash.json", "{}", 2, NULL,
			NULL);
		row_check(store_finish(store, TREE_DISK_MS, NULL, NULL) == 0,
			"%s", rows[i].name);
		at = strspn(calls.order, call);
		row_check(at == FILES, "%s: %s", rows[i].name, calls.order);
		row_check(strncmp(calls.order + at, rows[i].then,
				  strlen(rows[i].then)) == 0,
			"%s: %s", rows[i].name, calls.order);
		/* The folders, the file, its new name: as for each other. */
		row_check(strcmp(calls.order + at + strlen(rows[i].then),
				  "fffrf") == 0,
			"%s: %s", rows[i].name, calls.order);
	}
	stored_finish(store);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_one_sync),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
