/*
 * test_coverage_map: the map in pieces and changes, sums of functions and
 * files, and states of lines.
 */
#include "coverage/coverage_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xmalloc.h"
#include "ui/views/coverage/source_pane_lines.h"

#define COUNTERS 8u

static void
give(struct coverage_map *map, enum query_kind kind, struct reply *reply)
{
	const struct query query = { .kind = kind };

	reply->kind = kind;
	coverage_map_reply(map, &query, reply);
}

static void
give_bytes(struct coverage_map *map, uint64_t revision, uint64_t first,
	const char *mask, size_t len)
{
	struct reply reply = { .coverage = { .revision = revision,
				       .counters = COUNTERS,
				       .whole = true,
				       .first = first,
				       .mask = { (uint8_t *)mask, len } } };

	give(map, QUERY_COVERAGE, &reply);
}

static void
give_mask(struct coverage_map *map, uint64_t first, const char *mask)
{
	give_bytes(map, 7, first, mask, strlen(mask));
}

static void
give_change(struct coverage_map *map, uint32_t counter, uint32_t bits,
	double at_s)
{
	struct reply_change change = { counter, bits, at_s };
	struct reply reply = { .coverage = { .revision = 8,
				       .counters = COUNTERS,
				       .changes = &change,
				       .changes_n = 1 } };

	give(map, QUERY_COVERAGE, &reply);
}

/* One function and one file. The last counter has no place; `checks` counters
 * from the second on are of checks. */
static void
give_names(struct coverage_map *map, uint32_t checks)
{
	struct reply_module module = { .path = "/m", .base = 0, .n = COUNTERS };
	struct reply reply = { .modules = { &module, 1 } };
	struct source_table t = { .functions_n = 1,
		.files_n = 1,
		.locations_n = COUNTERS };

	give(map, QUERY_MODULES, &reply);
	t.functions = xcalloc(1, sizeof(*t.functions));
	t.files = xcalloc(1, sizeof(*t.files));
	t.locations = xcalloc(COUNTERS, sizeof(*t.locations));
	t.locations[COUNTERS - 1] =
		(struct source_location){ .function = SOURCE_NONE,
			.file = SOURCE_NONE };
	for (uint32_t i = 0; i < checks; i++)
		t.locations[1 + i].check = 1;
	coverage_map_name(map, &map->modules[0], &t, NULL);
}

static void
test_buckets(void **state)
{
	static const struct {
		uint8_t bits;
		const char *name;
	} rows[] = { { 0, "" }, { 1, "1" }, { 2, "2-3" }, { 4, "4-7" },
		{ 8, "8-15" }, { 16, "16-31" }, { 32, "32-63" },
		{ 64, "64-127" }, { 128, "128+" }, { 7, "4-7" },
		{ 255, "128+" } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(coverage_bucket_name(
					    coverage_bucket_of(rows[i].bits)),
			rows[i].name);
}

static void
test_pieces(void **state)
{
	struct coverage_map map = { 0 };
	struct query queries[3];

	give_mask(&map, 0, "\1\1\1");
	assert_false(map.whole);
	coverage_map_query(&map, queries);
	assert_int_equal(queries[0].first, 3);
	give_mask(&map, 3, "\1\1\1\1\1");
	assert_true(map.whole);
	coverage_map_query(&map, queries);
	assert_int_equal(queries[0].since, 7);
	/* Counters that do not exist are ignored. */
	give_change(&map, COUNTERS, 1, 1);
	give_change(&map, UINT32_MAX, 1, 1);
	assert_int_equal(map.n, COUNTERS);
	coverage_map_clear(&map);
}

static void
test_sums(void **state)
{
	struct coverage_map map = { 0 };
	const struct coverage_sum *sum;
	uint64_t changed;

	give_mask(&map, 0, "\1");
	give_change(&map, 1, 1, 5);
	give_names(&map, 0);
	sum = &map.modules[0].functions[0];
	assert_int_equal(sum->total, COUNTERS - 1);
	assert_int_equal(sum->hit, 2);
	changed = map.changed;
	give_change(&map, 1, 1, 9); /* not new */
	assert_int_equal(map.changed, changed);
	give_change(&map, 1, 4, 9); /* a higher hit count */
	assert_int_equal(sum->hit, 2);
	give_change(&map, 2, 1, 10);
	give_change(&map, COUNTERS - 1, 1, 11);
	assert_int_equal(sum->hit, 3);
	assert_true(sum->last_s > 9.5f && sum->last_s < 10.5f);
	assert_int_equal(map.modules[0].files[0].hit, 3);
	coverage_map_clear(&map);
}

/* Hits of earlier runs may come in any order. */
static void
test_sums_in_any_order(void **state)
{
	struct coverage_map map = { 0 };
	const struct coverage_sum *sum;

	give_mask(&map, 0, "");
	give_names(&map, 0);
	sum = &map.modules[0].functions[0];
	give_change(&map, 1, 1, 5);
	give_change(&map, 2, 1, 3);
	give_change(&map, 3, 1, 4);
	assert_true(sum->first_s == 3 && sum->last_s == 5);
	coverage_map_clear(&map);
}

/* After a jump back in a recording the map is older, and later hits are gone. */
static void
test_back(void **state)
{
	struct coverage_map map = { 0 };
	const struct coverage_sum *sum;
	struct query queries[3];

	give_bytes(&map, 7, 0, "\1\0\0\0\0\0\0", COUNTERS);
	give_names(&map, 0);
	sum = &map.modules[0].functions[0];
	give_change(&map, 1, 4, 5);
	assert_int_equal(sum->hit, 2);
	give_bytes(&map, 3, 0, "\2\0\1\0\0\0\0", COUNTERS);
	assert_ptr_equal(sum, &map.modules[0].functions[0]);
	assert_int_equal(sum->hit, 2);
	assert_int_equal(sum->total, COUNTERS - 1);
	assert_true(sum->last_s == COVERAGE_NEVER);
	assert_int_equal(map.modules[0].files[0].hit, 2);
	assert_false(coverage_is_hit(&map, 1));
	assert_int_equal(map.buckets[0], 2);
	assert_int_equal(map.recent_n, 0);
	/* A piece that is no start is taken, and the start is asked for. */
	give_bytes(&map, 2, 6, "\1\1", 2);
	assert_int_equal(sum->hit, 1);
	assert_false(map.whole);
	coverage_map_query(&map, queries);
	assert_int_equal(queries[0].first, 0);
	coverage_map_clear(&map);
}

/* Counters of sanitizers' checks are in no sum. */
static void
test_checks(void **state)
{
	struct coverage_map map = { 0 };
	const struct coverage_sum *sum;
	uint64_t checks, checks_hit;

	give_mask(&map, 0, "\1\1");
	coverage_map_checks(&map, &checks, &checks_hit);
	assert_int_equal(checks, 0);
	give_names(&map, 2);
	coverage_map_checks(&map, &checks, &checks_hit);
	assert_int_equal(checks, 2);
	assert_int_equal(checks_hit, 1);
	sum = &map.modules[0].functions[0];
	assert_int_equal(sum->total, COUNTERS - 3);
	assert_int_equal(sum->hit, 1);
	give_change(&map, 2, 1, 5);
	assert_int_equal(sum->hit, 1);
	give_change(&map, 3, 1, 5);
	assert_int_equal(sum->hit, 2);
	coverage_map_checks(&map, &checks, &checks_hit);
	assert_int_equal(checks, 2);
	assert_int_equal(checks_hit, 2);
	coverage_map_clear(&map);
}

static void
add_row(struct source_table *t, uint32_t line, uint32_t counter)
{
	t->rows[t->rows_n++] = (struct source_row){ 0, line, counter, 0 };
}

/*
 * Counters 1 and 2 belong to a copy of an inlined function; line 2 is only in
 * the copy, line 3 in a block of it that has no counter.
 */
static void
test_copies(void **state)
{
	struct coverage_map map = { 0 };
	struct source_pane pane = { .open = true };
	struct source_table again, *t;
	const struct coverage_sum *sum;

	give_mask(&map, 0, "\1");
	give_names(&map, 0);
	t = &map.modules[0].table;
	t->locations[1].copy = t->locations[2].copy = 1;
	t->rows = xcalloc(4, sizeof(*t->rows));
	t->blocks = xcalloc(1, sizeof(*t->blocks));
	t->blocks[t->blocks_n++].copy = 1;
	add_row(t, 1, 0);
	add_row(t, 1, 1);
	add_row(t, 2, 2);
	add_row(t, 3, COUNTERS);
	/* The table was changed: the map takes it once more. */
	again = *t;
	memset(t, 0, sizeof(*t));
	coverage_map_name(&map, &map.modules[0], &again, NULL);

	sum = &map.modules[0].functions[0];
	assert_int_equal(sum->total, COUNTERS - 3);
	assert_int_equal(map.modules[0].files[0].total, COUNTERS - 3);
	source_lines_make(&pane, &map);
	assert_int_equal(pane.known_n, 1);
	assert_int_equal(source_line_state(source_lines_at(&pane, 1)),
		SOURCE_HIT);
	assert_null(source_lines_at(&pane, 2));
	assert_null(source_lines_at(&pane, 3));
	source_pane_close(&pane);

	give_change(&map, 2, 1, 10);
	assert_int_equal(sum->total, COUNTERS - 1);
	assert_int_equal(sum->hit, 2);
	pane.open = true;
	source_lines_make(&pane, &map);
	assert_int_equal(source_line_state(source_lines_at(&pane, 1)),
		SOURCE_PARTLY);
	assert_int_equal(source_line_state(source_lines_at(&pane, 2)),
		SOURCE_HIT);
	assert_int_equal(source_line_state(source_lines_at(&pane, 3)),
		SOURCE_UNKNOWN);
	source_pane_close(&pane);
	coverage_map_clear(&map);
}

/* The counters that decide about a block, and the state of its line. */
struct line_case {
	const char *name;
	int hit, before[2], after; /* -1: no counter */
	enum source_state want;
};

static uint32_t
add_member(struct source_table *t, struct source_set *set, int counter)
{
	if (counter < 0)
		return 0;
	if (set->n == 0)
		set->first = t->members_n;
	t->members[t->members_n++] = (uint32_t)counter;
	return ++set->n;
}

/* Counters 0 and 1 are hit; the others are not. */
static void
test_lines(void **state)
{
	static const struct line_case cases[] = {
		{ "hit by one", 0, { -1, -1 }, -1, SOURCE_HIT },
		{ "hit, and not missed", 0, { 2, -1 }, 3, SOURCE_HIT },
		{ "missed before", -1, { 2, 3 }, -1, SOURCE_MISSED },
		{ "one before was hit", -1, { 2, 1 }, -1, SOURCE_UNKNOWN },
		{ "missed after", 4, { 1, -1 }, 3, SOURCE_MISSED },
		{ "nothing said", 4, { -1, -1 }, -1, SOURCE_UNKNOWN },
		{ "hit after", -1, { -1, -1 }, 1, SOURCE_UNKNOWN },
	};
	enum {
		N = sizeof(cases) / sizeof(cases[0])
	};
	struct coverage_map map = { 0 };
	struct source_pane pane = { .open = true };
	struct source_table *t;

	give_mask(&map, 0, "\1\1");
	give_names(&map, 0);
	t = &map.modules[0].table;
	t->rows = xcalloc(N + 2, sizeof(*t->rows));
	t->blocks = xcalloc(N, sizeof(*t->blocks));
	t->members = xcalloc(4 * N, sizeof(*t->members));
	for (uint32_t i = 0; i < N; i++) {
		struct source_block *block = &t->blocks[t->blocks_n++];

		add_member(t, &block->hit, cases[i].hit);
		add_member(t, &block->before, cases[i].before[0]);
		add_member(t, &block->before, cases[i].before[1]);
		add_member(t, &block->after, cases[i].after);
		t->rows[t->rows_n++] =
			(struct source_row){ 0, i + 1, COUNTERS + i, 0 };
	}
	/* A line that is partly unknown is hit if a part of it was hit. */
	t->rows[t->rows_n++] = (struct source_row){ 0, N + 1, 0, 0 };
	t->rows[t->rows_n++] = (struct source_row){ 0, N + 1, SOURCE_NONE, 0 };
	source_lines_make(&pane, &map);
	for (uint32_t i = 0; i < N; i++)
		if (source_line_state(source_lines_at(&pane, i + 1)) !=
			cases[i].want)
			fail_msg("%s", cases[i].name);
	assert_int_equal(source_line_state(source_lines_at(&pane, N + 1)),
		SOURCE_HIT);
	assert_int_equal(pane.known_n, 5);
	/* A frontier precedes a missed line, even with an unknown one
	 * between. */
	assert_int_equal(pane.frontiers_n, 1);
	assert_true(source_lines_at(&pane, 2)->frontier);
	source_pane_close(&pane);
	coverage_map_clear(&map);
}

/* Marks of a large file are updated once per second; at once while paused. */
static void
test_large(void **state)
{
	enum {
		N = 30000
	};
	const struct rect rect = { 0, 0, 60, 10 };
	struct grid *grid = grid_create(60, 10);
	struct coverage_map map = { 0 };
	struct source_pane pane;
	struct source_table *t;

	memset(&pane, 0, sizeof(pane));
	give_mask(&map, 0, "\1\1\1\1\1\1\1");
	give_names(&map, 0);
	t = &map.modules[0].table;
	t->rows = xcalloc(N, sizeof(*t->rows));
	for (uint32_t i = 0; i < N; i++)
		t->rows[t->rows_n++] =
			(struct source_row){ 0, i + 1, COUNTERS - 1, 0 };
	source_pane_open_file(&pane, &map, 0, 0, 0);
	source_pane_draw(&pane, &map, 10, grid, rect);
	give_change(&map, 1, 2, 10);
	source_pane_draw(&pane, &map, 11.5, grid, rect);
	give_change(&map, COUNTERS - 1, 1, 10);
	source_pane_draw(&pane, &map, 12, grid, rect);
	assert_int_equal(source_lines_at(&pane, 1)->hit, 0);
	source_pane_draw(&pane, &map, 12, grid, rect);
	assert_int_equal(source_lines_at(&pane, 1)->hit, 1);
	give_change(&map, COUNTERS - 1, 2, 10);
	source_pane_draw(&pane, &map, 12.5, grid, rect);
	assert_int_equal(source_lines_at(&pane, 1)->bits, 1);
	source_pane_draw(&pane, &map, 13.2, grid, rect);
	assert_int_equal(source_lines_at(&pane, 1)->bits, 3);
	source_pane_close(&pane);
	coverage_map_clear(&map);
	grid_destroy(grid);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_sums_in_any_order),
		cmocka_unit_test(test_back),
		cmocka_unit_test(test_checks),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
