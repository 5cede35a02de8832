/*
 * test_writer_refused: files that the disk refuses or delays are kept and tried
 * again.
 *
 * FLAGS: -Wl,--wrap=openat -Wl,--wrap=write -Wl,--wrap=fsync
 * FLAGS: -Wl,--wrap=fdatasync -Wl,--wrap=close -Wl,--wrap=renameat
 * FLAGS: -Wl,--wrap=mkdirat -Wl,--wrap=ftruncate
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "lib/fault.h"
#include "lib/writing.h"
#include "store/writer_private.h"

#define TEXT_SHA "982d9e3eb996f559" /* first digits of that of "text" */

struct lost {
	unsigned n;
	char names[64];
};

static void
lost_cb(void *arg, const struct writer_file *file)
{
	struct lost *lost = arg;

	lost->n++;
	strcat(lost->names, file->name);
	assert_int_equal(file->len, 4);
}

/*
 * Each call in turn fails once, then the disk works again: all files are
 * written, and a line of the journal once.
 */
static void
test_each_call_fails(void **state)
{
	static const int errors[] = { ENOSPC, EIO };
	const struct tree *tree = *state;
	char folder[32], path[40];
	struct writer *writer;
	unsigned n, done;

	for (n = 1; n == 1 || fault_was_hit(); n++) {
		done = 0;
		writer = writing_open(tree);
		snprintf(folder, sizeof(folder), "f%u", n);
		snprintf(path, sizeof(path), "%s/x", folder);
		fault_set((int)n, errors[n % 2], false);
		writing_add(writer, WRITER_FINDING, folder, "x", "text", &done);
		writing_add(writer, WRITER_JOURNAL, "", folder + 1, "text",
			&done);
		writing_add(writer, WRITER_ENTRY, "corpus", folder, "text",
			&done);
		row_check(writer_finish(writer, TREE_DISK_MS) == 0, "%s",
			folder);
		fault_stop();
		writer_destroy(writer);
		row_check(done == 3, "%s", folder);
		row_check(tree_count(tree, folder) == 1, "%s", folder);
		row_check(tree_holds(tree, path, "text"), "%s", folder);
		row_check(tree_holds(tree, folder + 1, "text"), "%s", folder);
	}
	assert_true(n > 15);
	assert_int_equal(tree_count(tree, "corpus"), n - 1);
}

static void
remove_file(struct writer *writer, const char *name)
{
	writer_add(writer,
		&(struct writer_file){
			.kind = WRITER_FINDING,
			.folder = "f",
			.name = name,
			.remove = true,
		});
}

/* The disk refuses the first of two jobs for a file once: the second decides
 * all the same. */
static void
test_removed(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);
	unsigned done = 0;

	writing_add(writer, WRITER_FINDING, "f", "x", "first", &done);
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	writer_go_on(writer);
	fault_set(1, EIO, false);
	writing_add(writer, WRITER_FINDING, "f", "x", "old", &done);
	remove_file(writer, "x");
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	assert_true(fault_was_hit());
	assert_int_equal(done, 2);
	assert_false(tree_has(tree, "f/x"));
	writer_go_on(writer);
	fault_set(1, EIO, false);
	remove_file(writer, "x");
	writing_add(writer, WRITER_FINDING, "f", "x", "new", &done);
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	fault_stop();
	assert_int_equal(done, 3);
	assert_true(tree_holds(tree, "f/x", "new"));
	writer_destroy(writer);
}

static void
add_kept(struct writer *writer, enum writer_kind kind, bool remove)
{
	writer_add(writer,
		&(struct writer_file){
			.kind = remove ? WRITER_ENTRY : kind,
			.folder = "k",
			.name = TEXT_SHA,
			.other_name = remove ? NULL : "longer",
			.keep = !remove,
			.remove = remove,
			.data = (const uint8_t *)"text",
			.len = remove ? 0 : 4,
		});
}

/* The same for a file that is not replaced, such as that of a suspect. */
static void
test_kept_and_removed(void **state)
{
	static const struct {
		const char *name;
		enum writer_kind kind;
		bool was, refused;
	} rows[] = {
		{ "a suspect", WRITER_FINDING, false, false },
		{ "a refused suspect", WRITER_FINDING, false, true },
		{ "a suspect again", WRITER_FINDING, true, false },
		{ "a suspect again, refused", WRITER_FINDING, true, true },
		{ "an entry", WRITER_ENTRY, false, false },
		{ "a refused entry", WRITER_ENTRY, false, true },
		{ "an entry again", WRITER_ENTRY, true, false },
		{ "an entry again, refused", WRITER_ENTRY, true, true },
	};
	const struct tree *tree = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct writer *writer = writing_open(tree);

		if (rows[i].was)
			add_kept(writer, rows[i].kind, false);
		assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
		writer_go_on(writer);
		if (rows[i].refused)
			fault_set(1, EIO, false);
		add_kept(writer, rows[i].kind, rows[i].was);
		add_kept(writer, rows[i].kind, !rows[i].was);
		assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
		row_check(!rows[i].refused || fault_was_hit(), "%s",
			rows[i].name);
		fault_stop();
		row_check(tree_has(tree, "k/" TEXT_SHA) == rows[i].was, "%s",
			rows[i].name);
		(void)unlinkat(tree->fd, "k/" TEXT_SHA, 0);
		writer_destroy(writer);
	}
}

/*
 * Each call and all later ones fail: no file is incomplete, and each missing
 * one is reported.
 */
static void
test_fails_for_good(void **state)
{
	const struct tree *tree = *state;
	char folder[32], path[40];
	struct lost lost;
	struct writer *writer;
	unsigned n, done;
	size_t left;

	for (n = 1; n < 25; n++) {
		lost = (struct lost){ 0 };
		done = 0;
		snprintf(folder, sizeof(folder), "g%u", n);
		writer = writing_open(tree);
		fault_set((int)n, ENOSPC, true);
		writing_add(writer, WRITER_FINDING, folder, "x", "text", &done);
		writing_add(writer, WRITER_FINDING, folder, "y", "text", &done);
		left = writer_finish(writer, 50);
		assert_int_equal(left, 2 - done);
		writer_each_lost(writer, lost_cb, &lost);
		assert_int_equal(lost.n + done, 2);
		fault_stop();
		writer_destroy(writer);
		snprintf(path, sizeof(path), "%s/x", folder);
		row_check(!tree_has(tree, path) ||
				tree_holds(tree, path, "text"),
			"%s", path);
		if (done > 0)
			row_check(tree_holds(tree, path, "text"), "%s", path);
	}
}

/* A removal that waits for a refused file does not make the end longer: the
 * disk takes nothing. */
static void
test_waits_for_refused(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);

	fault_set(1, ENOSPC, true);
	writing_add(writer, WRITER_FINDING, "crashes/a", "x", "text", NULL);
	writer_add(writer,
		&(struct writer_file){
			.kind = WRITER_FINDING,
			.folder = "crashes/a",
			.name = "",
			.keep = true,
			.retire = "crashes/b",
		});
	/* It would take all of this time. */
	assert_int_equal(writer_finish(writer, 24 * 3600 * 1000), 2);
	fault_stop();
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	writer_destroy(writer);
}

/* As many entries as go to the disk at once are refused for good, because they
 * are too large: smaller ones get there all the same. */
static void
test_too_large(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);
	struct rlimit was, small;
	char large[8192], name[8];
	unsigned i, done = 0;

	memset(large, 'x', sizeof(large) - 1);
	large[sizeof(large) - 1] = 0;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	small = was;
	small.rlim_cur = 4096;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (i = 0; i < 16; i++) {
		snprintf(name, sizeof(name), "%u", i);
		writing_add(writer, WRITER_ENTRY, "corpus", name, large, NULL);
	}
	writing_add(writer, WRITER_ENTRY, "corpus", "small", "text", &done);
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 16);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	assert_int_equal(done, 1);
	assert_true(tree_holds(tree, "corpus/small", "text"));
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	assert_int_equal(tree_count(tree, "corpus"), 17);
	writer_destroy(writer);
}

/* What was refused at the end is tried again when more work follows. */
static void
test_goes_on(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);
	unsigned done = 0;

	fault_set(1, ENOSPC, true);
	writing_add(writer, WRITER_FINDING, "f", "x", "text", &done);
	assert_int_equal(writer_finish(writer, 50), 1);
	fault_stop();
	writer_go_on(writer);
	tree_wait(tree, &done, 1);
	assert_true(tree_holds(tree, "f/x", "text"));
	writer_destroy(writer);
}

/* Other files of a finding are not written without its input. */
static void
test_input_first(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);
	struct writer_status status;
	unsigned done = 0;

	/* A folder in place of the input, which no file replaces. */
	assert_int_equal(mkdirat(tree->fd, "first", 0700), 0);
	assert_int_equal(mkdirat(tree->fd, "first/input", 0700), 0);
	writing_add(writer, WRITER_FINDING, "first", "input", "text", &done);
	writing_add(writer, WRITER_FINDING, "first", "crash.json", "{}", &done);
	writing_add(writer, WRITER_FINDING, "first/more", "x", "text", &done);
	writing_add(writer, WRITER_FINDING, "firstborn", "input", "text",
		&done);
	/* It ends by its tries, however slow the disk is. */
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 3);
	assert_int_equal(done, 1);
	writer_get_status(writer, &status);
	assert_non_null(strstr(status.text, "input: "));
	assert_false(tree_has(tree, "first/crash.json"));

	assert_int_equal(unlinkat(tree->fd, "first/input", AT_REMOVEDIR), 0);
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	assert_int_equal(done, 4);
	assert_true(tree_holds(tree, "first/input", "text"));
	assert_true(tree_holds(tree, "first/crash.json", "{}"));
	writer_destroy(writer);
}

static void
test_status(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);
	struct writer_status status;
	unsigned done = 0, i;

	writer_get_status(writer, &status);
	assert_int_equal(status.waiting + status.unsaved + status.lost, 0);
	assert_int_equal(status.behind_ms, 0);
	assert_int_equal(status.trouble, OK);

	fault_set(1, ENOSPC, true);
	writing_add(writer, WRITER_FINDING, "f", "x", "text", &done);
	writing_add(writer, WRITER_ENTRY, "corpus", "y", "text", &done);
	for (i = 0; i < 20000; i++) {
		event_base_loop(tree->base, EVLOOP_NONBLOCK);
		writer_get_status(writer, &status);
		if (status.unsaved == 2)
			break;
		usleep(1000);
	}
	assert_int_equal(status.unsaved, 2);
	assert_int_equal(status.findings, 1);
	assert_int_equal(status.waiting, 2);
	assert_int_equal(status.trouble, E_FULL);
	assert_non_null(strstr(status.text, "No space left"));
	assert_int_equal(done, 0);

	/* Newer content while the older one waits: all waiters are called. */
	writing_add(writer, WRITER_FINDING, "f", "x", "newer", &done);
	fault_stop();
	tree_wait(tree, &done, 3); /* by the retry timer */
	writer_get_status(writer, &status);
	assert_int_equal(status.unsaved + status.waiting, 0);
	assert_int_equal(status.trouble, OK);
	assert_true(tree_holds(tree, "f/x", "newer"));
	writer_destroy(writer);
}

/* A system call that never returns does not block the end. */
static void
test_hung_disk(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);

	fault_block_fsync(true);
	writing_add(writer, WRITER_FINDING, "f", "x", "text", NULL);
	assert_int_equal(writer_finish(writer, 2000), 1);
	fault_block_fsync(false);
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	writer_destroy(writer);
	assert_true(tree_holds(tree, "f/x", "text"));
}

/* longer than the tries for a disk that refuses everything */
#define SLOW_US 1300000

static void *
slow_disk(void *arg)
{
	usleep(SLOW_US);
	fault_block_fsync(false);
	return NULL;
}

/* A refused write that is tried again gets the time of a slow disk. */
static void
test_slow_disk(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);
	struct writer_status status;
	pthread_t thread;

	fault_set(1, EIO, true);
	writing_add(writer, WRITER_FINDING, "f", "x", "text", NULL);
	do {
		event_base_loop(tree->base, EVLOOP_ONCE);
		writer_get_status(writer, &status);
	} while (status.unsaved == 0);
	fault_stop();
	fault_block_fsync(true);
	assert_int_equal(pthread_create(&thread, NULL, slow_disk, NULL), 0);
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	writer_destroy(writer);
	assert_true(tree_holds(tree, "f/x", "text"));
}

static void
refused_cb(void *arg, enum status status)
{
	assert_int_equal(status, E_FULL);
	(*(unsigned *)arg)++;
}

static void
test_bound(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);
	size_t len = WRITER_HELD_MAX / 4;
	struct writer_status status;
	struct writer_file file = { .kind = WRITER_ENTRY,
		.folder = "corpus",
		.len = len };
	char *data = calloc(1, len), name[8];
	unsigned refused = 0, i;

	assert_non_null(data);
	file.data = data;
	fault_set(1, ENOSPC, true);
	for (i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "%u", i);
		file.name = name;
		file.done = i < 4 ? NULL : refused_cb;
		file.arg = &refused;
		writer_add(writer, &file);
	}
	file.kind = WRITER_FINDING; /* never refused */
	file.done = NULL;
	file.len = 3;
	writer_add(writer, &file);
	writer_get_status(writer, &status);
	assert_int_equal(refused, 0); /* its caller is not done yet */
	event_base_loop(tree->base, EVLOOP_NONBLOCK);
	assert_int_equal(refused, 1);
	assert_int_equal(status.lost, 1);
	assert_int_equal(status.waiting, 5);
	file.kind = WRITER_ENTRY;
	file.len = len;
	file.done = refused_cb;
	writer_add(writer, &file);
	assert_int_equal(refused, 1);
	assert_int_equal(writer_finish(writer, 0), 7);
	assert_int_equal(refused, 2); /* the end calls all */
	fault_stop();
	writer_finish(writer, TREE_DISK_MS);
	writer_destroy(writer);
	free(data);
}

static void
test_full_disk(void **state)
{
	struct tree *tree = *state;
	struct writer_status status = { 0 };
	struct writer *writer;
	unsigned done = 0, entries = 0, i;
	char name[32], block[65536], path[64];
	int fd;

	if (!tree_mount(tree, "disk", 2u << 20)) {
		print_message("no right to mount: skipped\n");
		skip();
	}
	memset(block, 'x', sizeof(block) - 1);
	block[sizeof(block) - 1] = 0;
	fd = open(tree_path(tree, "disk"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(writer_make_reserve(fd, NULL), OK);
	writer = writer_create(tree->base, fd, NULL);
	assert_non_null(writer);
	/* Entries until the disk is full: about a megabyte. */
	for (i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "%u", i);
		writing_add(writer, WRITER_ENTRY, "corpus", name, block,
			&entries);
	}
	while (status.unsaved == 0) {
		event_base_loop(tree->base, EVLOOP_ONCE);
		writer_get_status(writer, &status);
	}
	assert_int_equal(status.trouble, E_FULL);
	/* A finding gets the reserve. */
	writing_add(writer, WRITER_FINDING, "crashes/a", "input", block, &done);
	tree_wait(tree, &done, 1);
	assert_true(tree_holds(tree, "disk/crashes/a/input", block));
	assert_false(tree_has(tree, "disk/" WRITER_RESERVE_NAME));
	/* Each file is complete or missing. */
	for (i = 0; i < 40; i++) {
		snprintf(path, sizeof(path), "disk/corpus/%u", i);
		assert_true(
			!tree_has(tree, path) || tree_holds(tree, path, block));
	}
	assert_true(entries < 40);
	assert_int_equal(tree_count(tree, "disk/corpus"), entries);
	/* With room again, all files are written. */
	assert_true(tree_grow(tree, "disk", 8u << 20));
	tree_wait(tree, &entries, 40);
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	writer_destroy(writer);
	fd_close(&fd);
	assert_int_equal(tree_count(tree, "disk/corpus"), 40);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_each_call_fails),
		TEST(test_removed),
		TEST(test_kept_and_removed),
		TEST(test_fails_for_good),
		TEST(test_waits_for_refused),
		TEST(test_too_large),
		TEST(test_goes_on),
		TEST(test_input_first),
		TEST(test_status),
		TEST(test_hung_disk),
		TEST(test_slow_disk),
		TEST(test_bound),
		TEST(test_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
