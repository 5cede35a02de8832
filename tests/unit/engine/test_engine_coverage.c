/*
 * coverage.jsonl: when it is written, what a disk that refuses it costs, and how
 * the coverage of a campaign that is over comes back.
 * FLAGS: -Wl,--wrap=file_write_atomic_at
 */
#include "lib/idle_engine.h"

#include <dirent.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "engine/coverage_file.h"
#include "engine/engine_coverage.h"
#include "engine/functions/new_functions.h"
#include "lib/fake_helper.h"
#include "lib/own_note.h"
#include "lib/whole_engine.h"

#define FILE_NAME "out/coverage.jsonl"
#define EDGES 6u

static const char *const plain[] = { "parallel", "1", NULL };
static const uint64_t NUMBERS[EDGES] = { TABLE_ENTRY | 16, 20, 24,
	TABLE_ENTRY | 32, 36, 40 };

static bool
is_written(const struct idle *idle)
{
	return !idle->engine->coverage.writing;
}

/* A second has passed, and the pause between two files. */
static void
second(struct idle *idle)
{
	idle->engine->coverage.next_ns = 0;
	engine_coverage_on_second(idle->engine);
	idle_until(idle, is_written);
}

static bool
parse(const struct tree *tree, struct coverage_file *file)
{
	size_t len;
	char *text = tree_read(tree, FILE_NAME, &len);
	bool is = text != NULL &&
		coverage_file_parse(file, text, len, NULL) == OK;

	free(text);
	return is;
}

static void
check_bits(const struct tree *tree, const char *bits)
{
	struct coverage_file file;

	assert_true(parse(tree, &file));
	assert_true(file.counters >= EDGES);
	assert_memory_equal(file.bits, bits, EDGES);
	assert_true(pc_table_number(&file.table, 3) == NUMBERS[3]);
	coverage_file_clear(&file);
}

static void
test_when(void **state)
{
	const struct tree *tree = *state;
	struct idle idle;

	idle_open(&idle, tree, plain);
	idle_module(&idle, EDGES);
	idle_hit(&idle, 1, NULL);
	second(&idle); /* the addresses are still to come */
	assert_false(tree_has(tree, FILE_NAME));
	idle_table(&idle, NUMBERS, EDGES);
	second(&idle);
	check_bits(tree, "\0\1\0\0\0\0");

	/* Not again without need, and not too often. */
	assert_int_equal(unlink(tree_path(tree, FILE_NAME)), 0);
	second(&idle);
	assert_false(tree_has(tree, FILE_NAME));
	idle_hit(&idle, 3, NULL);
	idle.engine->coverage.next_ns = UINT64_MAX;
	engine_coverage_on_second(idle.engine);
	assert_true(is_written(&idle));
	idle.engine->coverage.next_ns = 0;
	idle.engine->coverage.writing = true; /* one is under way */
	engine_coverage_on_second(idle.engine);
	idle.engine->coverage.writing = false;
	/* The map of the last run is better than that of a warm-up. */
	idle.engine->earlier.runs = 2;
	idle.engine->load.warmup_left = 1;
	second(&idle);
	assert_false(tree_has(tree, FILE_NAME));
	idle.engine->load.warmup_left = 0;
	second(&idle);
	check_bits(tree, "\0\1\0\1\0\0");
	idle_close(&idle);
}

/* Is the last line of the journal that of the end? */
static bool
has_ended(const struct tree *tree)
{
	char *journal = tree_read(tree, "out/journal.jsonl", NULL);
	const char *end = journal != NULL ? strstr(journal, "\"end\"") : NULL;
	bool ended = end != NULL && strchr(end, '\n') != NULL &&
		strchr(end, '\n')[1] == '\0';

	free(journal);
	return ended;
}

/* A disk that refuses the file is said once, and costs no finding. */
static void
test_refused(void **state)
{
	const struct tree *tree = *state;
	struct idle idle;

	idle_open(&idle, tree, plain);
	idle_module(&idle, EDGES);
	idle_table(&idle, NUMBERS, EDGES);
	tree_folder(tree, FILE_NAME);
	idle_hit(&idle, 1, NULL);
	second(&idle);
	idle_hit(&idle, 2, NULL);
	second(&idle);
	assert_int_equal(idle_events(&idle, "coverage"), 1);
	assert_non_null(strstr(idle_event_text(&idle, "coverage", "text"),
		"the coverage is not kept: "));
	assert_int_equal(rmdir(tree_path(tree, FILE_NAME)), 0);
	idle_hit(&idle, 4, NULL);
	second(&idle);
	check_bits(tree, "\0\1\1\0\1\0");
	/* Nor does it add to the journal after the end. */
	idle.engine->pool.any_ready = true;
	assert_int_equal(unlink(tree_path(tree, FILE_NAME)), 0);
	tree_folder(tree, FILE_NAME);
	assert_int_equal(idle_close(&idle), EXIT_NOTHING);
	assert_true(has_ended(tree));
}

/* The disk takes it only after the last line of the journal. */
static _Atomic(const struct tree *) slow_tree;

enum status __real_file_write_atomic_at(int dirfd, const char *name,
	const void *data, size_t len, unsigned flags, struct error *err);
enum status __wrap_file_write_atomic_at(int dirfd, const char *name,
	const void *data, size_t len, unsigned flags, struct error *err);

enum status
__wrap_file_write_atomic_at(int dirfd, const char *name, const void *data,
	size_t len, unsigned flags, struct error *err)
{
	const struct tree *tree = atomic_load(&slow_tree);

	while (tree != NULL && strcmp(name, STORE_COVERAGE) == 0 &&
		!has_ended(tree))
		poll(NULL, 0, 1);
	return __real_file_write_atomic_at(dirfd, name, data, len, flags, err);
}

/* The last one is large and the disk is slow: all else is written before. */
static void
test_slow(void **state)
{
	const struct tree *tree = *state;
	struct idle idle;

	idle_open(&idle, tree, plain);
	idle.engine->pool.any_ready = true;
	idle_module(&idle, EDGES);
	idle_table(&idle, NUMBERS, EDGES);
	idle_hit(&idle, 1, NULL);
	atomic_store(&slow_tree, tree);
	assert_int_equal(idle_close(&idle), EXIT_NOTHING);
	atomic_store(&slow_tree, NULL);
	check_bits(tree, "\0\1\0\0\0\0");
}

/* ---- read again ----------------------------------------------------------- */

/* A run that ends in its warm-up, and has written the file only then. */
static void
run_short(const struct tree *tree, uint32_t edge, uint32_t other)
{
	struct idle idle;

	idle_open(&idle, tree, plain);
	idle.engine->pool.any_ready = true;
	idle_module(&idle, EDGES);
	idle_table(&idle, NUMBERS, EDGES);
	idle_hit(&idle, edge, NULL);
	idle_hit(&idle, other, NULL);
	idle_close(&idle);
}

static void
make(const struct tree *tree)
{
	run_short(tree, 0, 3);
	check_bits(tree, "\1\0\0\1\0\0");
}

/* The first run has nothing better; the next ones keep what they found. */
static void
test_short(void **state)
{
	const struct tree *tree = *state;

	make(tree);
	run_short(tree, 1, 2);
	check_bits(tree, "\1\0\0\1\0\0");
}

static void
remake(const struct tree *tree, const char *text)
{
	assert_int_equal(unlink(tree_path(tree, FILE_NAME)), 0);
	if (text != NULL)
		tree_text(tree, FILE_NAME, text);
}

/* clang-format off */
static const struct read_row {
	const char *name;
	const char *text; /* in place of the file; "": no file; NULL: as it is */
	const char *says; /* the event, at rest */
	bool aside; /* the next run sets it aside */
} READ[] = {
	{ "as it was written", NULL, NULL, false },
	{ "no file", "", "left no coverage.jsonl", false },
	{ "cut", "{\"version\":1,\"build\":\"", "damaged and is ignored", true },
	{ "junk", "\x7f" "ELF\n", "damaged and is ignored", true },
	{ "of another version", "{\"version\":7,\"build\":\"\","
		"\"modules\":[]}\n", "damaged and is ignored", true },
	{ "of another build",
		"{\"version\":1,\"build\":\"b7\",\"modules\":[]}\n"
		"{\"id\":0,\"kind\":\"modules\",\"error\":\"\",\"modules\":[]}"
		"\n{\"id\":0,\"kind\":\"coverage\",\"error\":\"\","
		"\"revision\":1,\"counters\":0,\"whole\":true,\"first\":0,"
		"\"mask\":\"\",\"changes\":[],\"reached\":[]}\n",
		"of another build", false },
};
/* clang-format on */

struct heard {
	char text[4096]; /* of all events */
};

static void
on_report(void *arg, const struct report *report)
{
	struct heard *heard = arg;
	size_t len = strlen(heard->text);
	const char *text;

	if (report->kind != REPORT_EVENT)
		return;
	text = json_string_value(json_object_get(report->event, "text"));
	snprintf(heard->text + len, sizeof(heard->text) - len, "%s\n",
		text != NULL ? text : "");
}

static void
check_past(const struct tree *tree, const struct read_row *row)
{
	struct heard heard = { 0 };
	struct engine *e = whole_engine_open_past(tree, NULL, "good", -1,
		on_report, &heard);

	row_check(row->says == NULL ? heard.text[0] == '\0'
				    : strstr(heard.text, row->says) != NULL,
		"%s: says %s", row->name, heard.text);
	row_check(e->campaign.memory.bits == (row->text == NULL ? 2 : 0),
		"%s: %llu bits", row->name,
		(unsigned long long)e->campaign.memory.bits);
	row_check(e->pc_tables.table.n == (row->text == NULL ? 1 : 0), "%s",
		row->name);
	if (row->text == NULL) {
		assert_int_equal(campaign_memory_bits(&e->campaign.memory, 3),
			1);
		assert_true(
			pc_table_number(&e->pc_tables.table, 3) == NUMBERS[3]);
	}
	engine_destroy(e);
}

static unsigned
count_aside(const struct tree *tree)
{
	DIR *dir = opendir(tree_path(tree, "out"));
	const struct dirent *entry;
	unsigned n = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL)
		n += strncmp(entry->d_name, "coverage.jsonl.damaged-", 23) == 0;
	closedir(dir);
	return n;
}

static void
test_read(void **state)
{
	const struct read_row *row;
	struct idle idle;
	void *tree;

	for (row = READ; row < READ + ROWS(READ); row++) {
		assert_int_equal(tree_open(&tree), 0);
		make(tree);
		if (row->text != NULL)
			remake(tree, row->text[0] != '\0' ? row->text : NULL);
		check_past(tree, row);
		row_check(count_aside(tree) == 0, "%s: at rest", row->name);
		row_check(tree_has(tree, FILE_NAME) ==
				(row->text == NULL || row->text[0] != '\0'),
			"%s: changed", row->name);
		idle_open(&idle, tree, plain);
		row_check(count_aside(tree) == row->aside, "%s: aside",
			row->name);
		idle_close(&idle);
		tree_close(&tree);
	}
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_when),
		ROW(test_refused),
		ROW(test_slow),
		ROW(test_short),
		cmocka_unit_test(test_read),
	};

	fake_helper_main(argc, argv);
	return cmocka_run_group_tests_name("engine_coverage", tests, NULL,
		NULL);
}
