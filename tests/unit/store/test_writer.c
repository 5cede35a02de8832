/*
 * test_writer: acknowledged files are on the disk and complete; refused ones
 * are kept; a crash loses nothing that was acknowledged.
 *
 * FLAGS: -Wl,--wrap=openat -Wl,--wrap=write -Wl,--wrap=fsync
 * FLAGS: -Wl,--wrap=fdatasync -Wl,--wrap=close -Wl,--wrap=renameat
 * FLAGS: -Wl,--wrap=mkdirat -Wl,--wrap=ftruncate
 */
#include "store/writer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/hash.h"
#include "lib/fault.h"
#include "lib/tree.h"
#include "store/writer_private.h"

#define KILLS 50
#define TIMEOUT_MS 10000

/* ---- help --------------------------------------------------------------- */

static void
count_cb(void *arg, enum status status)
{
	unsigned *counter = arg;

	if (status == E_STATE)
		return; /* cancelled by writer_destroy() */
	assert_int_equal(status, OK);
	(*counter)++;
}

static struct writer *
open_writer(const struct tree *tree)
{
	struct writer *writer = writer_create(tree->base, tree->fd, NULL);

	assert_non_null(writer);
	return writer;
}

static void
add(struct writer *writer, enum writer_kind kind, const char *folder,
	const char *name, const char *text, unsigned *counter)
{
	writer_add(writer,
		&(struct writer_file){
			.kind = kind,
			.folder = folder,
			.name = name,
			.sync = kind == WRITER_JOURNAL,
			.data = text,
			.len = strlen(text),
			.done = counter ? count_cb : NULL,
			.arg = counter,
		});
}

/* ---- without failures --------------------------------------------------- */

static void
test_kinds(void **state)
{
	static const struct {
		enum writer_kind kind;
		const char *folder, *name, *path;
	} rows[] = {
		{ WRITER_FINDING, "crashes/a/more", "x", "crashes/a/more/x" },
		{ WRITER_ENTRY, "corpus", "y", "corpus/y" },
		{ WRITER_STATS, "", "stats.json", "stats.json" },
		{ WRITER_JOURNAL, "", "journal.jsonl", "journal.jsonl" },
	};
	const struct tree *tree = *state;
	struct writer *writer = open_writer(tree);
	unsigned done = 0;
	struct stat st;
	mode_t old = umask(0777);
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		add(writer, rows[i].kind, rows[i].folder, rows[i].name, "text",
			&done);
	tree_wait(tree, &done, 4);
	umask(old);
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		row_check(tree_holds(tree, rows[i].path, "text"), "%s",
			rows[i].path);
		assert_int_equal(fstatat(tree->fd, rows[i].path, &st, 0), 0);
		row_check((st.st_mode & 0777) == 0600, "%s", rows[i].path);
	}
	assert_int_equal(fstatat(tree->fd, "crashes/a", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(writer_finish(writer, TIMEOUT_MS), 0);
	writer_destroy(writer);
}

/* Foreign objects in place of our files are not written to. */
static void
test_stand_ins(void **state)
{
	static const char *const names[] = { "link", "fifo", "second" };
	const struct tree *tree = *state;
	struct writer *writer = open_writer(tree);
	struct error err = { 0 };
	unsigned done = 0;
	struct stat st;
	size_t i;

	tree_text(tree, "letter", "dear");
	assert_int_equal(fchmodat(tree->fd, "letter", 0644, 0), 0);
	assert_int_equal(symlinkat("letter", tree->fd, "link"), 0);
	assert_int_equal(mkfifoat(tree->fd, "fifo", 0600), 0);
	assert_int_equal(linkat(tree->fd, "letter", tree->fd, "second", 0), 0);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		add(writer, WRITER_JOURNAL, "", names[i], "line\n", &done);
	assert_int_equal(writer_finish(writer, 2000), 3);
	writer_destroy(writer);
	assert_int_equal(done, 0);
	assert_int_equal(unlinkat(tree->fd, WRITER_RESERVE_NAME, 0), -1);
	assert_int_equal(linkat(tree->fd, "letter", tree->fd,
				 WRITER_RESERVE_NAME, 0),
		0);
	assert_int_equal(writer_make_reserve(tree->fd, &err), OK);
	assert_true(tree_holds(tree, "letter", "dear"));
	assert_int_equal(fstatat(tree->fd, "letter", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
}

/* Many lines at once: all are there, in order. Many stats: the last one. */
static void
test_order(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = open_writer(tree);
	char text[32], *journal, *line, *rest;
	unsigned i;

	for (i = 0; i < 2000; i++) {
		snprintf(text, sizeof(text), "%u\n", i);
		add(writer, WRITER_JOURNAL, "", "j", text, NULL);
		add(writer, WRITER_STATS, "", "s", text, NULL);
		add(writer, WRITER_FINDING, "f", "crash.json", text, NULL);
	}
	assert_int_equal(writer_finish(writer, TIMEOUT_MS), 0);
	writer_destroy(writer);
	assert_true(tree_holds(tree, "s", "1999\n"));
	assert_true(tree_holds(tree, "f/crash.json", "1999\n"));
	rest = journal = tree_read(tree, "j", NULL);
	for (i = 0; (line = strsep(&rest, "\n")) != NULL && *line; i++)
		assert_int_equal(strtoul(line, NULL, 10), i);
	assert_int_equal(i, 2000);
	free(journal);
}

/*
 * Entries are delayed; a replaced one is never written, but its waiters are
 * called.
 */
static void
test_gather(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = open_writer(tree);
	struct writer_file small = { .kind = WRITER_ENTRY,
		.folder = "corpus",
		.name = "small",
		.other_name = "small-2",
		.keep = true,
		.data = "s",
		.len = 1,
		.done = count_cb };
	struct writer_status status;
	unsigned large = 0, other = 0, new = 0, none = 0;

	small.arg = &new;
	add(writer, WRITER_ENTRY, "corpus", "large", "text", &large);
	add(writer, WRITER_ENTRY, "corpus", "other", "text", &other);
	assert_true(writer_replace(writer, "large", &small));
	assert_false(writer_replace(writer, "large", &small));
	small.folder = "else";
	assert_false(writer_replace(writer, "small", &small));
	writer_get_status(writer, &status);
	assert_int_equal(status.waiting, 2);
	tree_wait(tree, &new, 1);
	tree_wait(tree, &other, 1);
	assert_int_equal(large, 1);
	assert_true(tree_holds(tree, "corpus/small", "s"));
	assert_true(tree_holds(tree, "corpus/other", "text"));
	assert_int_equal(tree_count(tree, "corpus"), 2);
	/* Entries on the disk are not replaced. */
	small.folder = "corpus";
	assert_false(writer_replace(writer, "other", &small));
	/* The end has no delay, and removed files stay removed. */
	add(writer, WRITER_ENTRY, "corpus", "last", "text", &none);
	writer_add(writer,
		&(struct writer_file){ .kind = WRITER_ENTRY,
			.folder = "corpus",
			.name = "last",
			.remove = true });
	assert_false(writer_replace(writer, "first", &small));
	assert_int_equal(writer_finish(writer, TIMEOUT_MS), 0);
	assert_int_equal(none, 1);
	assert_int_equal(tree_count(tree, "corpus"), 3);
	writer_destroy(writer);
}

static void
test_keep(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = open_writer(tree);
	struct writer_file file = { .kind = WRITER_FINDING,
		.folder = "f",
		.name = "input",
		.other_name = "input-2",
		.keep = true,
		.data = "new",
		.len = 3 };

	tree_folder(tree, "f");
	tree_text(tree, "f/input", "old");
	writer_add(writer, &file);
	file.data = "old"; /* equal content is no clash */
	writer_add(writer, &file);
	assert_int_equal(writer_finish(writer, TIMEOUT_MS), 0);
	assert_true(tree_holds(tree, "f/input", "old"));
	assert_true(tree_holds(tree, "f/input-2", "new"));
	file.data = "odd"; /* both names taken: kept in memory */
	writer_add(writer, &file);
	assert_int_equal(writer_finish(writer, 2000), 1);
	writer_destroy(writer);
	assert_true(tree_holds(tree, "f/input", "old"));
	assert_true(tree_holds(tree, "f/input-2", "new"));
	assert_int_equal(tree_count(tree, "f"), 2);
}

/* Links in place of a folder or a file are not followed. */
static void
test_links(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = open_writer(tree);

	tree_folder(tree, "else");
	tree_text(tree, "victim", "v");
	assert_int_equal(symlinkat("else", tree->fd, "crashes"), 0);
	assert_int_equal(symlinkat("victim", tree->fd, "journal.jsonl"), 0);
	assert_int_equal(symlinkat("victim", tree->fd, "stats.json"), 0);
	add(writer, WRITER_FINDING, "crashes", "x", "text", NULL);
	add(writer, WRITER_JOURNAL, "", "journal.jsonl", "text", NULL);
	add(writer, WRITER_STATS, "", "stats.json", "text", NULL);
	assert_int_equal(writer_finish(writer, 2000), 2);
	writer_destroy(writer);
	assert_true(tree_holds(tree, "victim", "v"));
	assert_int_equal(tree_count(tree, "else"), 0);
}

static void
test_half_line(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = open_writer(tree);

	tree_text(tree, "j", "torn");
	add(writer, WRITER_JOURNAL, "", "j", "whole\n", NULL);
	assert_int_equal(writer_finish(writer, TIMEOUT_MS), 0);
	writer_destroy(writer);
	assert_true(tree_holds(tree, "j", "torn\nwhole\n"));
}

/* ---- failures ----------------------------------------------------------- */

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
 * written. Then each call and all later ones fail for good: no file is
 * incomplete, and each missing one is reported.
 */
static void
test_each_call_fails(void **state)
{
	static const int errors[] = { ENOSPC, EIO };
	const struct tree *tree = *state;
	char folder[32], path[40], *text;
	struct writer *writer;
	unsigned n, done;

	for (n = 1; n == 1 || fault_was_hit(); n++) {
		done = 0;
		writer = open_writer(tree);
		snprintf(folder, sizeof(folder), "f%u", n);
		snprintf(path, sizeof(path), "%s/x", folder);
		fault_set((int)n, errors[n % 2], false);
		add(writer, WRITER_FINDING, folder, "x", "text", &done);
		add(writer, WRITER_JOURNAL, "", folder + 1, "text", &done);
		add(writer, WRITER_ENTRY, "corpus", folder, "text", &done);
		row_check(writer_finish(writer, TIMEOUT_MS) == 0, "%s", folder);
		fault_stop();
		writer_destroy(writer);
		row_check(done == 3, "%s", folder);
		row_check(tree_count(tree, folder) == 1, "%s", folder);
		row_check(tree_holds(tree, path, "text"), "%s", folder);
		/* close() may fail after the line was written. */
		text = tree_read(tree, folder + 1, NULL);
		row_check(strcmp(text, "text") == 0 ||
				strcmp(text, "text\ntext") == 0,
			"%s", folder);
		free(text);
	}
	assert_true(n > 15);
	assert_int_equal(tree_count(tree, "corpus"), n - 1);
}

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
		writer = open_writer(tree);
		fault_set((int)n, ENOSPC, true);
		add(writer, WRITER_FINDING, folder, "x", "text", &done);
		add(writer, WRITER_FINDING, folder, "y", "text", &done);
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

/* Other files of a finding are not written without its input. */
static void
test_input_first(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = open_writer(tree);
	struct writer_status status;
	unsigned done = 0;

	/* A folder in place of the input, which no file replaces. */
	assert_int_equal(mkdirat(tree->fd, "first", 0700), 0);
	assert_int_equal(mkdirat(tree->fd, "first/input", 0700), 0);
	add(writer, WRITER_FINDING, "first", "input", "text", &done);
	add(writer, WRITER_FINDING, "first", "crash.json", "{}", &done);
	add(writer, WRITER_FINDING, "first/more", "x", "text", &done);
	add(writer, WRITER_FINDING, "firstborn", "input", "text", &done);
	assert_int_equal(writer_finish(writer, 2000), 3);
	assert_int_equal(done, 1);
	writer_get_status(writer, &status);
	assert_non_null(strstr(status.text, "input: "));
	assert_false(tree_has(tree, "first/crash.json"));

	assert_int_equal(unlinkat(tree->fd, "first/input", AT_REMOVEDIR), 0);
	assert_int_equal(writer_finish(writer, 5000), 0);
	assert_int_equal(done, 4);
	assert_true(tree_holds(tree, "first/input", "text"));
	assert_true(tree_holds(tree, "first/crash.json", "{}"));
	writer_destroy(writer);
}

static void
test_status(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = open_writer(tree);
	struct writer_status status;
	unsigned done = 0, i;

	writer_get_status(writer, &status);
	assert_int_equal(status.waiting + status.unsaved + status.lost, 0);
	assert_int_equal(status.behind_ms, 0);
	assert_int_equal(status.trouble, OK);

	fault_set(1, ENOSPC, true);
	add(writer, WRITER_FINDING, "f", "x", "text", &done);
	add(writer, WRITER_ENTRY, "corpus", "y", "text", &done);
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
	add(writer, WRITER_FINDING, "f", "x", "newer", &done);
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
	struct writer *writer = open_writer(tree);

	fault_block_fsync(true);
	add(writer, WRITER_FINDING, "f", "x", "text", NULL);
	assert_int_equal(writer_finish(writer, 2000), 1);
	fault_block_fsync(false);
	assert_int_equal(writer_finish(writer, TIMEOUT_MS), 0);
	writer_destroy(writer);
	assert_true(tree_holds(tree, "f/x", "text"));
}

/* longer than the tries for a disk that refuses everything */
#define SLOW_US 1300000

static void *
slow_disk(void *arg)
{
	(void)arg;
	usleep(SLOW_US);
	fault_block_fsync(false);
	return NULL;
}

/* A refused write that is tried again gets the time of a slow disk. */
static void
test_slow_disk(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = open_writer(tree);
	struct writer_status status;
	pthread_t thread;

	fault_set(1, EIO, true);
	add(writer, WRITER_FINDING, "f", "x", "text", NULL);
	do {
		event_base_loop(tree->base, EVLOOP_ONCE);
		writer_get_status(writer, &status);
	} while (status.unsaved == 0);
	fault_stop();
	fault_block_fsync(true);
	assert_int_equal(pthread_create(&thread, NULL, slow_disk, NULL), 0);
	assert_int_equal(writer_finish(writer, TIMEOUT_MS), 0);
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

struct pieces {
	unsigned left, ended; /* used by one side at a time */
	enum status status;
};

static bool
step_pieces(void *arg)
{
	struct pieces *pieces = arg;

	return pieces->left == UINT_MAX || --pieces->left > 0;
}

static void
end_pieces(void *arg, enum status status)
{
	struct pieces *pieces = arg;

	pieces->ended++;
	pieces->status = status;
}

/* Long work runs in pieces, and other jobs do not wait for all of it. */
static void
test_steps(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = open_writer(tree);
	struct pieces few = { .left = 3 }, endless = { .left = UINT_MAX };
	unsigned done = 0;

	writer_steps(writer, step_pieces, end_pieces, &few);
	assert_int_equal(few.ended, 0);
	tree_wait(tree, &few.ended, 1);
	assert_int_equal(few.left, 0);
	assert_int_equal(few.status, OK);
	writer_steps(writer, step_pieces, end_pieces, &endless);
	add(writer, WRITER_FINDING, "f", "x", "text", &done);
	add(writer, WRITER_JOURNAL, "", "j", "line", &done);
	tree_wait(tree, &done, 2);
	assert_int_equal(endless.ended, 0);
	assert_int_equal(writer_finish(writer, TIMEOUT_MS), 0);
	assert_int_equal(endless.ended, 1);
	assert_int_equal(endless.status, E_STATE);
	writer_destroy(writer);
}

static void
test_bound(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = open_writer(tree);
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
	writer_finish(writer, TIMEOUT_MS);
	writer_destroy(writer);
	free(data);
}

/* Jobs given up are not waited for, and all memory is freed. */
static void
test_destroy_at_once(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = open_writer(tree);
	char name[16];
	unsigned i;

	for (i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "%u", i);
		add(writer, WRITER_FINDING, "f", name, "text", NULL);
	}
	writer_destroy(writer);
	writer_destroy(NULL);
}

/* ---- a small disk ------------------------------------------------------- */

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
		add(writer, WRITER_ENTRY, "corpus", name, block, &entries);
	}
	while (status.unsaved == 0) {
		event_base_loop(tree->base, EVLOOP_ONCE);
		writer_get_status(writer, &status);
	}
	assert_int_equal(status.trouble, E_FULL);
	/* A finding gets the reserve. */
	add(writer, WRITER_FINDING, "crashes/a", "input", block, &done);
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
	assert_int_equal(writer_finish(writer, TIMEOUT_MS), 0);
	writer_destroy(writer);
	fd_close(&fd);
	assert_int_equal(tree_count(tree, "disk/corpus"), 40);
}

/* ---- sudden death ------------------------------------------------------- */

static int ack_fd;

static void
ack_cb(void *arg, enum status status)
{
	if (status != OK || write(ack_fd, arg, 65) != 65)
		abort();
}

/* Writes until it is killed; reports each acknowledged file. */
static _Noreturn void
write_for_ever(const char *path, unsigned seed)
{
	struct event_base *base = event_base_new();
	int dirfd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct writer *writer = writer_create(base, dirfd, NULL);
	uint32_t x = seed * 2654435761u + 1;
	static char names[100000][65];
	uint8_t data[60000];
	size_t i, len;
	unsigned n;

	for (n = 0; n < 100000; n++) {
		for (i = 0; i < sizeof(data); i++) {
			x = x * 1664525 + 1013904223;
			data[i] = (uint8_t)(x >> 24);
		}
		len = x % sizeof(data);
		sha256_name(data, len, names[n]);
		writer_add(writer,
			&(struct writer_file){
				.kind = n % 3 ? WRITER_ENTRY : WRITER_FINDING,
				.folder = n % 3 ? "corpus" : "crashes",
				.name = names[n],
				.keep = true,
				.data = data,
				.len = len,
				.done = ack_cb,
				.arg = names[n],
			});
		event_base_loop(base, EVLOOP_NONBLOCK);
	}
	_exit(1);
}

static void
check_whole(const struct tree *tree, const char *folder)
{
	char path[512], hex[SHA256_HEX_SIZE], *data;
	DIR *dir = opendir(tree_path(tree, folder));
	struct dirent *entry;
	size_t len;

	while (dir && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		data = tree_read(tree, path, &len);
		sha256_name(data, len, hex);
		row_check(strcmp(hex, entry->d_name) == 0, "%s", path);
		free(data);
	}
	if (dir)
		closedir(dir);
}

static unsigned
check_acknowledged(const struct tree *tree, int fd)
{
	char name[65], path[2][80];
	unsigned n = 0;

	while (read(fd, name, sizeof(name)) == sizeof(name)) {
		snprintf(path[0], sizeof(path[0]), "corpus/%s", name);
		snprintf(path[1], sizeof(path[1]), "crashes/%s", name);
		row_check(tree_has(tree, path[0]) || tree_has(tree, path[1]),
			"%s", name);
		n++;
	}
	return n;
}

static void
test_killed(void **state)
{
	const struct tree *tree = *state;
	unsigned i, acknowledged = 0;
	char fd[16], seed[16];
	int fds[2];
	pid_t pid;

	for (i = 0; i < KILLS; i++) {
		assert_int_equal(fd_pipe(fds, NULL), OK);
		assert_int_equal(fcntl(fds[1], F_SETPIPE_SZ, 1 << 20), 1 << 20);
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			snprintf(fd, sizeof(fd), "%d", dup(fds[1]));
			snprintf(seed, sizeof(seed), "%u", i);
			execl("/proc/self/exe", "test_writer", tree->path, fd,
				seed, NULL);
			_exit(1);
		}
		close(fds[1]);
		/* At least one gets so far, however slow the machine is. */
		if (i == 0)
			(void)poll(&(struct pollfd){ .fd = fds[0],
					   .events = POLLIN },
				1, -1);
		usleep(2000 + i * 7919 % 60 * 1000);
		assert_int_equal(kill(pid, SIGKILL), 0);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		acknowledged += check_acknowledged(tree, fds[0]);
		close(fds[0]);
	}
	check_whole(tree, "corpus");
	check_whole(tree, "crashes");
	assert_true(acknowledged > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		TEST(test_kinds),
		TEST(test_stand_ins),
		TEST(test_order),
		TEST(test_gather),
		TEST(test_keep),
		TEST(test_links),
		TEST(test_half_line),
		TEST(test_each_call_fails),
		TEST(test_fails_for_good),
		TEST(test_input_first),
		TEST(test_status),
		TEST(test_hung_disk),
		TEST(test_slow_disk),
		TEST(test_steps),
		TEST(test_bound),
		TEST(test_destroy_at_once),
		TEST(test_full_disk),
		TEST(test_killed),
	};

	if (argc == 4) { /* started by test_killed() */
		ack_fd = atoi(argv[2]);
		write_for_ever(argv[1], (unsigned)atoi(argv[3]));
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
