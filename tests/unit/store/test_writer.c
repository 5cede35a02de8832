/*
 * test_writer: acknowledged files are on the disk and complete.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/writing.h"
#include "store/writer_private.h"

#define TEXT_SHA "982d9e3eb996f559" /* first digits of that of "text" */

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
	struct writer *writer = writing_open(tree);
	unsigned done = 0;
	struct stat st;
	mode_t old = umask(0777);
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		writing_add(writer, rows[i].kind, rows[i].folder, rows[i].name,
			"text", &done);
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
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	writer_destroy(writer);
}

/* Foreign objects in place of our files are not written to. */
static void
test_stand_ins(void **state)
{
	static const char *const names[] = { "link", "fifo", "second" };
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);
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
		writing_add(writer, WRITER_JOURNAL, "", names[i], "line\n",
			&done);
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 3);
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
	struct writer *writer = writing_open(tree);
	char text[32], *journal, *line, *rest;
	unsigned i;

	for (i = 0; i < 2000; i++) {
		snprintf(text, sizeof(text), "%u\n", i);
		writing_add(writer, WRITER_JOURNAL, "", "j", text, NULL);
		writing_add(writer, WRITER_STATS, "", "s", text, NULL);
		writing_add(writer, WRITER_FINDING, "f", "crash.json", text,
			NULL);
	}
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
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
	struct writer *writer = writing_open(tree);
	struct writer_file small = { .kind = WRITER_ENTRY,
		.folder = "corpus",
		.name = "small",
		.other_name = "small-2",
		.keep = true,
		.data = "s",
		.len = 1,
		.done = writing_count };
	struct writer_status status;
	unsigned large = 0, other = 0, new = 0, none = 0;

	small.arg = &new;
	writing_add(writer, WRITER_ENTRY, "corpus", "large", "text", &large);
	writing_add(writer, WRITER_ENTRY, "corpus", "other", "text", &other);
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
	writing_add(writer, WRITER_ENTRY, "corpus", "last", "text", &none);
	writer_add(writer,
		&(struct writer_file){ .kind = WRITER_ENTRY,
			.folder = "corpus",
			.name = "last",
			.remove = true });
	assert_false(writer_replace(writer, "first", &small));
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	assert_int_equal(none, 1);
	assert_int_equal(tree_count(tree, "corpus"), 3);
	writer_destroy(writer);
}

/* A file that comes back after its removal, in place of one that has waited
 * longer than that. */
static void
test_replaces_removed(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);
	struct writer_file small = { .kind = WRITER_ENTRY,
		.folder = "corpus",
		.name = TEXT_SHA,
		.other_name = "longer",
		.keep = true,
		.data = "text",
		.len = 4 };
	struct writer_file large = small;

	large.name = "large";
	writer_add(writer, &large);
	writer_add(writer,
		&(struct writer_file){ .kind = WRITER_ENTRY,
			.folder = "corpus",
			.name = TEXT_SHA,
			.remove = true });
	assert_true(writer_replace(writer, "large", &small));
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	assert_true(tree_holds(tree, "corpus/" TEXT_SHA, "text"));
	assert_int_equal(tree_count(tree, "corpus"), 1);
	writer_destroy(writer);
}

static void
test_keep(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);
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
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	assert_true(tree_holds(tree, "f/input", "old"));
	assert_true(tree_holds(tree, "f/input-2", "new"));
	file.data = "odd"; /* both names taken: kept in memory */
	writer_add(writer, &file);
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 1);
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
	struct writer *writer = writing_open(tree);

	tree_folder(tree, "else");
	tree_text(tree, "victim", "v");
	assert_int_equal(symlinkat("else", tree->fd, "crashes"), 0);
	assert_int_equal(symlinkat("victim", tree->fd, "journal.jsonl"), 0);
	assert_int_equal(symlinkat("victim", tree->fd, "stats.json"), 0);
	writing_add(writer, WRITER_FINDING, "crashes", "x", "text", NULL);
	writing_add(writer, WRITER_JOURNAL, "", "journal.jsonl", "text", NULL);
	writing_add(writer, WRITER_STATS, "", "stats.json", "text", NULL);
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 2);
	writer_destroy(writer);
	assert_true(tree_holds(tree, "victim", "v"));
	assert_int_equal(tree_count(tree, "else"), 0);
}

static void
test_half_line(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);

	tree_text(tree, "j", "torn");
	writing_add(writer, WRITER_JOURNAL, "", "j", "whole\n", NULL);
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	writer_destroy(writer);
	assert_true(tree_holds(tree, "j", "torn\nwhole\n"));
}

/* Long work runs in pieces, and other jobs do not wait for all of it. */
static void
test_steps(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);
	struct writing_pieces few = { .left = 3 },
			      endless = { .left = UINT_MAX };
	unsigned done = 0;

	writer_steps(writer, writing_step, writing_end, &few);
	assert_int_equal(few.ended, 0);
	tree_wait(tree, &few.ended, 1);
	assert_int_equal(few.left, 0);
	assert_int_equal(few.status, OK);
	writer_steps(writer, writing_step, writing_end, &endless);
	writing_add(writer, WRITER_FINDING, "f", "x", "text", &done);
	writing_add(writer, WRITER_JOURNAL, "", "j", "line", &done);
	tree_wait(tree, &done, 2);
	assert_int_equal(endless.ended, 0);
	assert_int_equal(writer_finish(writer, TREE_DISK_MS), 0);
	assert_int_equal(endless.ended, 1);
	assert_int_equal(endless.status, E_STATE);
	writer_destroy(writer);
}

/* Jobs given up are not waited for, and all memory is freed. */
static void
test_destroy_at_once(void **state)
{
	const struct tree *tree = *state;
	struct writer *writer = writing_open(tree);
	char name[16];
	unsigned i;

	for (i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "%u", i);
		writing_add(writer, WRITER_FINDING, "f", name, "text", NULL);
	}
	writer_destroy(writer);
	writer_destroy(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_kinds),
		TEST(test_stand_ins),
		TEST(test_order),
		TEST(test_gather),
		TEST(test_replaces_removed),
		TEST(test_keep),
		TEST(test_links),
		TEST(test_half_line),
		TEST(test_steps),
		TEST(test_destroy_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
