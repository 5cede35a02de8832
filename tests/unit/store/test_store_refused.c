/*
 * test_store_refused: an output directory is stored_refused, or the disk refuses its
 * files; then nothing in it is changed.
 *
 * FLAGS: -Wl,--wrap=openat -Wl,--wrap=write -Wl,--wrap=fsync
 * FLAGS: -Wl,--wrap=fdatasync -Wl,--wrap=close -Wl,--wrap=renameat
 * FLAGS: -Wl,--wrap=mkdirat -Wl,--wrap=ftruncate -Wl,--wrap=flock
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/fault.h"
#include "lib/stored.h"
#include "store/archive.h"

static void
test_refused(void **state)
{
	const struct tree *tree = *state;
	char *before, *after;

	stored_make(tree, "o");
	before = stored_listing(tree, "o");
	stored_refused(tree, "o", &stored_b, E_EXISTS,
		"belongs to another target, /bin/a, not to /bin/b");
	after = stored_listing(tree, "o");
	assert_string_equal(before, after);
	free(before);
	free(after);

	/* The same without the lock file, as in a copy. */
	assert_int_equal(unlinkat(tree->fd, "o/.lock", 0), 0);
	stored_refused(tree, "o", &stored_b, E_EXISTS,
		"belongs to another target");
	assert_false(tree_has(tree, "o/.lock"));

	tree_folder(tree, "home");
	tree_text(tree, "home/letter", "x");
	before = stored_listing(tree, "home");
	stored_refused(tree, "home", &stored_a, E_USAGE, "is not empty");
	after = stored_listing(tree, "home");
	assert_string_equal(before, after);
	free(before);
	free(after);

	tree_folder(tree, "open");
	assert_int_equal(fchmodat(tree->fd, "open", 0770, 0), 0);
	stored_refused(tree, "open", &stored_a, E_USAGE,
		"other users may write");
	assert_int_equal(fchmodat(tree->fd, "open", 0702, 0), 0);
	stored_refused(tree, "open", &stored_a, E_USAGE,
		"other users may write");
	assert_int_equal(tree_count(tree, "open"), 0);

	tree_text(tree, "file", "x");
	stored_refused(tree, "file", &stored_a, E_USAGE, "-o");
	stored_refused(tree, "file/below", &stored_a, E_USAGE, "-o");
	assert_int_equal(symlinkat("nowhere", tree->fd, "link"), 0);
	stored_refused(tree, "link", &stored_a, E_USAGE, "-o");
}

static void
test_links_inside(void **state)
{
	const struct tree *tree = *state;
	struct store *store;
	struct error err;

	stored_make(tree, "o");
	tree_folder(tree, "else");
	assert_int_equal(renameat(tree->fd, "o/hangs", tree->fd, "aside"), 0);
	assert_int_equal(symlinkat("../else", tree->fd, "o/hangs"), 0);
	assert_int_not_equal(stored_try(tree, "o", &stored_a, &store, &err),
		OK);
	assert_int_equal(unlinkat(tree->fd, "o/hangs", 0), 0);
	assert_int_equal(renameat(tree->fd, "o/journal.jsonl", tree->fd, "j"),
		0);
	assert_int_equal(symlinkat("../j", tree->fd, "o/journal.jsonl"), 0);
	stored_refused(tree, "o", &stored_a, E_USAGE, "not a regular file");
	assert_int_equal(unlinkat(tree->fd, "o/journal.jsonl", 0), 0);
	assert_int_equal(mkfifoat(tree->fd, "o/journal.jsonl", 0600), 0);
	stored_refused(tree, "o", &stored_a, E_USAGE, "is a FIFO");
	/* A copy by `cp -al`: a write to one would change both. */
	assert_int_equal(unlinkat(tree->fd, "o/journal.jsonl", 0), 0);
	assert_int_equal(linkat(tree->fd, "j", tree->fd, "o/journal.jsonl", 0),
		0);
	stored_refused(tree, "o", &stored_a, E_USAGE, "another hard link");
	/* The directory itself may be reached by a link. */
	assert_int_equal(unlinkat(tree->fd, "o/journal.jsonl", 0), 0);
	assert_int_equal(renameat(tree->fd, "j", tree->fd, "o/journal.jsonl"),
		0);
	assert_int_equal(symlinkat("o", tree->fd, "link"), 0);
	stored_finish(stored_open(tree, "link", &stored_a));
}

static void
test_two_engines(void **state)
{
	const struct tree *tree = *state;
	struct store *store = stored_open(tree, "o", &stored_a);
	char words[64];
	pid_t pid;
	int status;

	snprintf(words, sizeof(words),
		"is in use by another cfuzz (process %d)", (int)getpid());
	stored_refused(tree, "o", &stored_a, E_BUSY, words);
	stored_refused(tree, "o", &stored_b, E_BUSY, words);
	stored_finish(store);
	/* A lock ends with its process, however that ends. */
	pid = fork();
	if (pid == 0) {
		(void)!stored_open(tree, "o", &stored_a);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	store = stored_open(tree, "o", &stored_a);
	assert_int_equal(store_past(store)->runs, 2);
	stored_finish(store);
}

static int busy; /* so many tries to lock still fail */

int __real_flock(int fd, int operation);
int __wrap_flock(int fd, int operation);

int
__wrap_flock(int fd, int operation)
{
	if (busy == 0)
		return __real_flock(fd, operation);
	busy--;
	errno = EWOULDBLOCK;
	return -1;
}

/* A console that looks whether a campaign runs locks for an instant. */
static void
test_looked_at(void **state)
{
	const struct tree *tree = *state;

	stored_make(tree, "o");
	busy = 3;
	stored_finish(stored_open(tree, "o", &stored_a));
	assert_int_equal(busy, 0);
	/* An engine that was killed has left its number. */
	tree_text(tree, "o/.lock", "4194304\n");
	busy = 3;
	stored_finish(stored_open(tree, "o", &stored_a));
	assert_int_equal(busy, 0);
	busy = 1000;
	stored_refused(tree, "o", &stored_a, E_BUSY, "by another cfuzz: stop");
	busy = 0;
}

/* Who works in the folder of a finding is named, not the engine of before. */
static void
test_locked_archive(void **state)
{
	const struct tree *tree = *state;
	struct error err = { 0 };
	char words[64];
	int fd;

	stored_make(tree, "o");
	tree_text(tree, "o/.lock", "4194304\n");
	assert_int_equal(archive_lock(tree_path(tree, "o"), &fd, &err), OK);
	snprintf(words, sizeof(words),
		"is in use by another cfuzz (process %d)", (int)getpid());
	stored_refused(tree, "o", &stored_a, E_BUSY, words);
	archive_unlock(&fd);
	assert_int_equal(fd, -1);
	assert_true(tree_holds(tree, "o/.lock", ""));
}

static void
fill(const struct tree *tree, const char *name)
{
	int fd = open(tree_path(tree, name), O_WRONLY | O_CREAT | O_CLOEXEC,
		0600);
	char block[4096] = { 1 };

	while (write(fd, block, sizeof(block)) > 0)
		continue;
	close(fd);
}

static void
lost_cb(void *arg, const struct writer_file *file)
{
	assert_string_equal(file->folder, "crashes/a");
	assert_string_equal(file->name, "input");
	assert_memory_equal(file->data, "boom", 4);
	(*(unsigned *)arg)++;
}

static void
test_full_disk(void **state)
{
	struct tree *tree = *state;
	char big[65536];
	struct store *store;
	unsigned lost = 0;

	if (!tree_mount(tree, "disk", 2u << 20)) {
		print_message("no right to mount: skipped\n");
		skip();
	}
	fill(tree, "disk/filler");
	stored_refused(tree, "disk/o", &stored_a, E_FULL, "disk/o");
	/* Enough room to start, but not for the reserve. */
	assert_int_equal(truncate(tree_path(tree, "disk/filler"), 1800 << 10),
		0);
	store = stored_open(tree, "disk/o", &stored_a);
	assert_non_null(strstr(store_warning(store, 0), "nearly full"));
	fill(tree, "disk/filler2");
	memset(big, 1, sizeof(big));
	memcpy(big, "boom", 4);
	store_put(store, "crashes/a", "input", big, sizeof(big), NULL, NULL);
	assert_int_equal(store_finish(store, TREE_DISK_MS, lost_cb, &lost), 1);
	assert_int_equal(lost, 1);
	store_close(store);
	assert_false(tree_has(tree, "disk/o/crashes/a/input"));
}

static void
test_read_only(void **state)
{
	struct tree *tree = *state;

	if (!tree_mount(tree, "disk", 2u << 20)) {
		print_message("no right to mount: skipped\n");
		skip();
	}
	stored_make(tree, "disk/o");
	assert_int_equal(mount("none", tree_path(tree, "disk"), "tmpfs",
				 MS_REMOUNT | MS_RDONLY, ""),
		0);
	stored_refused(tree, "disk/o", &stored_a, E_IO,
		"Read-only file system");
	stored_refused(tree, "disk/new", &stored_a, E_IO,
		"Read-only file system");
}

/* A slow disk delays only the end, not the start. */
static void
test_slow_disk(void **state)
{
	static const char *const names[] = { "new", "o" }; /* made, resumed */
	const struct tree *tree = *state;
	struct store *store;
	size_t i;

	stored_make(tree, "o");
	/* The name of a new folder is synced at once. */
	assert_int_equal(mkdir(tree_path(tree, "new"), 0700), 0);
	for (i = 0; i < 2; i++) {
		fault_block_fsync(true);
		store = stored_open(tree, names[i], &stored_a);
		assert_int_equal(store_finish(store, 50, NULL, NULL), 1);
		fault_block_fsync(false);
		stored_finish(store);
	}
}

/*
 * Each call in turn fails while a campaign is resumed, once or for good. The
 * resume may fail, but the next one finds an unchanged directory.
 */
static void
test_each_call_fails(void **state)
{
	static const int errors[] = { ENOSPC, EIO, EACCES };
	const struct tree *tree = *state;
	struct store *store;
	struct error err;
	enum status status;
	unsigned n, i, opened = 0, refusals = 0;
	const char *warning;
	size_t buckets;

	stored_make(tree, "o");
	store = stored_open(tree, "o", &stored_a);
	buckets = store_past(store)->buckets_n;
	stored_finish(store);
	for (i = 0; i < 6; i++)
		for (n = 1; n == 1 || fault_was_hit(); n++) {
			fault_set((int)n, errors[i / 2], i % 2);
			status = stored_try(tree, "o", &stored_a, &store, &err);
			fault_stop();
			if (status == OK) {
				opened++;
				/* Else it would be written anew. */
				assert_int_equal(store_past(store)->buckets_n,
					buckets);
				assert_non_null(
					store_past(store)->buckets[0].info);
				assert_non_null(store_past(store)->stats);
				stored_finish(store);
			} else {
				refusals++;
				assert_int_equal(status, err.code);
				assert_int_not_equal(err.text[0], 0);
			}
			store = stored_open(tree, "o", &stored_a);
			stored_check(store);
			assert_non_null(store_past(store)->buckets[0].info);
			assert_non_null(store_past(store)->stats);
			/* With lasting failures half a line may stay. */
			warning = store_warning(store, 0);
			assert_true(!warning ||
				(i % 2 && strstr(warning, "was incomplete")));
			stored_finish(store);
		}
	assert_true(opened > 0 && refusals > 100);
	assert_true(tree_holds(tree, "o/crashes/a/input", "in"));
	assert_true(tree_holds(tree, "o/corpus/ba7816bf8f01cfea", "abc"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_refused),
		TEST(test_links_inside),
		TEST(test_two_engines),
		TEST(test_looked_at),
		TEST(test_locked_archive),
		TEST(test_full_disk),
		TEST(test_read_only),
		TEST(test_slow_disk),
		TEST(test_each_call_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
