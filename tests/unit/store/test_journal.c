/*
 * test_journal: lines are valid JSON for any text; reading takes complete
 * lines.
 */
#include "store/journal.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "lib/tree.h"

#define FIRST \
	"{\"t\":\"x\",\"at_s\":0,\"event\":\"campaign\",\"target\":\"/t\"," \
	"\"build_id\":\"01\"}\n"
#define RESUME \
	"{\"at_s\":5.5,\"event\":\"resume\",\"target\":\"/u\"," \
	"\"build_id\":\"02\"}\n"
#define MIDDLE \
	"{\"t\":\"x\",\"at_s\":1,\"event\":\"resume\",\"target\":\"/m\"," \
	"\"build_id\":\"03\"}\n"
#define FIND "{\"at_s\":2.25,\"event\":\"find\"}\n"

static void
test_line(void **state)
{
	json_t *event = journal_event("find", 1.23456), *read;
	char *line;

	journal_set_text(event, "text", "\x1b[2J\xff \"quoted\"\n");
	line = journal_line(event);
	assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
	read = json_loads(line, 0, NULL);
	assert_non_null(read);
	assert_string_equal(json_string_value(json_object_get(read, "event")),
		"find");
	assert_string_equal(json_string_value(json_object_get(read, "text")),
		"\\x1b[2J\\xff \"quoted\"\\n");
	assert_non_null(strstr(line, "\"at_s\":1.235,"));
	assert_int_equal(strncmp(line, "{\"t\":\"20", 8), 0);
	free(line);
	json_decref(read);
	json_decref(event);
	event = journal_event("find", NAN);
	assert_true(json_real_value(json_object_get(event, "at_s")) == 0);
	json_decref(event);
}

static void
test_start(void **state)
{
	struct target_info target = { .path = "/a/b",
		.name = "b",
		.build = "0f" };
	char *args[] = { "-x", "\xfe", NULL }, here[PATH_MAX];
	json_t *event = journal_start_event("campaign", 0, &target, args, 42);
	json_t *list = json_object_get(event, "args");
	char *line = journal_line(event);

	assert_int_equal(json_array_size(list), 2);
	assert_string_equal(json_string_value(json_array_get(list, 1)),
		"\\xfe");
	list = json_object_get(event, "args_hex");
	assert_string_equal(json_string_value(json_array_get(list, 0)), "2d78");
	assert_string_equal(json_string_value(json_array_get(list, 1)), "fe");
	assert_null(json_object_get(event, "target_hex"));
	assert_non_null(strstr(line, "\"event\":\"campaign\""));
	assert_non_null(strstr(line, "\"target\":\"/a/b\""));
	assert_non_null(strstr(line, "\"build_id\":\"0f\""));
	assert_non_null(strstr(line, "\"seed\":42"));
	assert_non_null(getcwd(here, sizeof(here)));
	assert_string_equal(json_string_value(json_object_get(event, "cwd")),
		here);
	free(line);
	json_decref(event);
	event = journal_start_event("resume", 1, &target, NULL, UINT64_MAX);
	assert_int_equal(json_array_size(json_object_get(event, "args")), 0);
	assert_string_equal(json_string_value(json_object_get(event, "seed")),
		"18446744073709551615");
	assert_null(json_object_get(event, "args_hex"));
	json_decref(event);
}

struct row {
	const char *name, *text;
	bool first;
	unsigned runs, bad;
	double elapsed_s;
	size_t torn;
	const char *latest;
};

/* clang-format off */
static const struct row rows[] = {
	{ "empty", "", false, 0, 0, 0, 0, NULL },
	{ "first alone", FIRST, true, 1, 0, 0, 0, "/t" },
	{ "one run", FIRST FIND, true, 1, 0, 2.25, 0, "/t" },
	{ "two runs", FIRST FIND RESUME FIND, true, 2, 0, 2.25, 0, "/u" },
	{ "torn", FIRST FIND "{\"at_s\":9", true, 1, 0, 2.25, 9, "/t" },
	{ "torn first", "{\"t\":", false, 0, 0, 0, 5, NULL },
	{ "garbage between", FIRST "\x01\xff#\n\n" FIND, true, 1, 2, 2.25, 0,
		"/t" },
	{ "garbage at the end", FIRST FIND "zzz\n", true, 1, 1, 2.25, 0, "/t" },
	{ "garbage first", "zzz\n" RESUME, false, 1, 1, 5.5, 0, "/u" },
	{ "another event first", FIND FIRST, false, 1, 0, 0, 0, "/t" },
	{ "an array", "[1]\n" FIRST, false, 1, 1, 0, 0, "/t" },
	{ "no target", "{\"event\":\"campaign\"}\n", false, 1, 0, 0, 0, NULL },
	{ "target a number", "{\"event\":\"campaign\",\"target\":1,"
		"\"build_id\":\"1\"}\n", false, 1, 0, 0, 0, NULL },
	{ "looks like JSON", FIRST "{\"at_s\":nan}\n", true, 1, 1, 0, 0, "/t" },
	{ "time beyond all", FIRST "{\"at_s\":1e99}\n", true, 1, 0, 0, 0, "/t" },
	{ "time runs back", FIRST "{\"at_s\":-5}\n", true, 1, 0, 0, 0, "/t" },
	{ "a text that pretends", FIRST "{\"at_s\":1,\"text\":"
		"\"\\\"event\\\":\\\"resume\\\"\"}\n", true, 1, 0, 1, 0, "/t" },
};
/* clang-format on */

static void
summarize(const struct tree *tree, const char *text, size_t len,
	struct journal_summary *summary)
{
	int fd;

	tree_write(tree, "j", text, len);
	fd = open(tree_path(tree, "j"), O_RDONLY | O_CLOEXEC);
	assert_int_equal(journal_read(fd, summary, NULL), OK);
	fd_close(&fd);
}

static void
test_read(void **state)
{
	struct journal_summary summary;
	const struct row *row;
	const char *latest;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		row = &rows[i];
		summarize(*state, row->text, strlen(row->text), &summary);
		row_check(!!summary.first == row->first, "%s", row->name);
		row_check(summary.runs == row->runs, "%s", row->name);
		row_check(summary.bad == row->bad, "%s", row->name);
		row_check(summary.elapsed_s == row->elapsed_s, "%s", row->name);
		row_check(summary.extent.torn_len == row->torn, "%s",
			row->name);
		row_check(summary.extent.good_len ==
				strlen(row->text) - row->torn,
			"%s", row->name);
		latest = json_string_value(
			json_object_get(summary.latest, "target"));
		row_check(row->latest
				? latest && strcmp(latest, row->latest) == 0
				: !latest,
			"%s", row->name);
		journal_summary_clear(&summary);
	}
}

/* Cut at any byte: lines that are complete before the cut are read. */
static void
test_every_cut(void **state)
{
	static const char text[] = FIRST FIND RESUME FIND;
	struct journal_summary summary;
	size_t len;

	for (len = 0; len < sizeof(text); len++) {
		summarize(*state, text, len, &summary);
		assert_int_equal(summary.extent.good_len +
				summary.extent.torn_len,
			len);
		assert_int_equal(!!summary.first, len >= strlen(FIRST));
		assert_int_equal(summary.bad, 0);
		journal_summary_clear(&summary);
	}
}

/* Lines over all limits, zero bytes, and endless files. */
static void
test_monsters(void **state)
{
	size_t first = strlen(FIRST), len = 3 * JOURNAL_LINE_MAX;
	char *text = malloc(len);
	struct journal_summary summary;

	assert_non_null(text);
	memset(text, '{', len);
	memcpy(text, FIRST, first);
	text[2 * JOURNAL_LINE_MAX] = '\n';
	summarize(*state, text, len, &summary);
	assert_non_null(summary.first);
	assert_int_equal(summary.lines, 2);
	assert_int_equal(summary.bad, 1);
	assert_int_equal(summary.extent.good_len, 2 * JOURNAL_LINE_MAX + 1);
	journal_summary_clear(&summary);

	memset(text, 0, len);
	summarize(*state, text, len, &summary);
	assert_null(summary.first);
	assert_int_equal(summary.extent.torn_len, len);
	assert_false(summary.extent.cut);
	journal_summary_clear(&summary);
	free(text);
}

/* A file that is not ours is not read to its end. */
static void
test_no_end(void **state)
{
	const struct tree *tree = *state;
	struct journal_summary summary;
	int fd;

	tree_write(tree, "j", FIRST FIND, strlen(FIRST FIND));
	fd = open(tree_path(tree, "j"), O_RDWR | O_CLOEXEC);
	assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
	assert_int_equal(journal_read(fd, &summary, NULL), OK);
	assert_true(summary.extent.cut);
	assert_true(summary.extent.torn_len < 2ull * JOURNAL_NONSENSE_MAX);
	assert_true(summary.elapsed_s == 2.25);
	assert_non_null(summary.first);
	journal_summary_clear(&summary);
	fd_close(&fd);
}

/* clang-format off */
static const struct long_row {
	const char *name, *middle, *end;
	unsigned runs;
	const char *latest;
} LONG[] = {
	{ "a start at the end", "", RESUME FIND "{\"at_s\":9", 2, "/u" },
	{ "a start in the middle", FIND MIDDLE FIND "zzz\n", FIND "{\"at_s\":9", 2, "/m" },
	{ "starts in both", MIDDLE, RESUME FIND "{\"at_s\":9", 3, "/u" },
};
/* clang-format on */

/* A campaign of years: lines of zero bytes, which take no room on the disk, up
 * to the last ones. Its end, which later lines follow, is read, and of its middle
 * the starts of runs. */
static void
test_long(void **state)
{
	const uint64_t line = JOURNAL_LINE_MAX,
		       middle = JOURNAL_FILE_MAX + 9 * line,
		       end = JOURNAL_FILE_MAX + 99 * line;
	const struct tree *tree = *state;
	struct journal_summary summary;
	const struct long_row *row;
	uint64_t at;
	int fd;

	tree_write(tree, "j", FIRST, strlen(FIRST));
	fd = open(tree_path(tree, "j"), O_RDWR | O_CLOEXEC);
	for (at = line; at <= end; at += line)
		assert_int_equal(pwrite(fd, "\n", 1, (off_t)at - 1), 1);
	for (row = LONG; row < LONG + sizeof(LONG) / sizeof(*LONG); row++) {
		assert_int_equal(pwrite(fd, row->middle, strlen(row->middle),
					 (off_t)middle),
			strlen(row->middle));
		assert_int_equal(ftruncate(fd, (off_t)end), 0);
		assert_int_equal(pwrite(fd, row->end, strlen(row->end),
					 (off_t)end),
			strlen(row->end));
		assert_int_equal(journal_read(fd, &summary, NULL), OK);
		row_check(summary.first != NULL, "%s", row->name);
		row_check(!summary.extent.cut, "%s", row->name);
		row_check(summary.extent.skipped > 0, "%s", row->name);
		row_check(summary.extent.torn_len == strlen("{\"at_s\":9"),
			"%s", row->name);
		row_check(summary.extent.good_len + summary.extent.torn_len ==
				end + strlen(row->end),
			"%s", row->name);
		row_check(summary.elapsed_s == 2.25, "%s", row->name);
		row_check(summary.runs == row->runs, "%s: %u", row->name,
			summary.runs);
		row_check(strcmp(json_string_value(
					 json_object_get(summary.latest,
						 "target")),
				  row->latest) == 0,
			"%s", row->name);
		journal_summary_clear(&summary);
	}
	fd_close(&fd);
}

static void
test_unreadable(void **state)
{
	struct journal_summary summary;
	const struct tree *tree = *state;
	struct error err = { 0 };

	assert_int_equal(journal_read(tree->fd, &summary, &err), E_IO);
	assert_null(summary.first);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_line),
		TEST(test_start),
		TEST(test_read),
		TEST(test_every_cut),
		TEST(test_monsters),
		TEST(test_no_end),
		TEST(test_long),
		TEST(test_unreadable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
