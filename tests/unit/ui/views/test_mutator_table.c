/*
 * test_mutator_table: order of mutators, and the room that they get.
 */
#include "lib/dump.h"
#include "lib/screen.h"

#include <stdlib.h>
#include <string.h>

#include "ui/views/mutator_table.h"

/* clang-format off */
static struct snapshot_mutator mutators[] = {
	{ "nothing yet", 1000, 0, 0.2 },
	{ "dear",	 1000, 1, 0.2 },
	{ "cheap, few",	  100, 1, 0.2 },
	{ "cheap, many", 1000, 10, 0.2 },
	{ "as dear",	 1000, 1, 0.2 },
	{ "no steps",	    0, 0, 0 },
};
/* clang-format on */

#define N (sizeof(mutators) / sizeof(mutators[0]))

static struct snapshot
snapshot_of(size_t n)
{
	struct snapshot s;

	snapshot_init(&s);
	s.mutators = mutators;
	s.mutators_n = n;
	return s;
}

static void
test_order(void **state)
{
	static const char *const order[] = { "cheap, many", "cheap, few",
		"dear", "as dear" };
	const struct snapshot_mutator *best[N];
	struct snapshot s = snapshot_of(N);
	size_t i;

	assert_int_equal(mutator_table_best(&s, best, N), 4);
	for (i = 0; i < 4; i++)
		assert_string_equal(best[i]->name, order[i]);
	assert_int_equal(mutator_table_best(&s, best, 2), 2);
	assert_string_equal(best[1]->name, "cheap, few");
	assert_int_equal(mutator_table_best(&s, best, 0), 0);
	s.mutators_n = 1;
	assert_int_equal(mutator_table_best(&s, best, N), 0);
	s.mutators_n = 0;
	assert_int_equal(mutator_table_best(&s, best, N), 0);
}

static char *
drawn(size_t n, int w, int h)
{
	struct snapshot s = snapshot_of(n);
	struct grid *grid = grid_create(w, h);
	char *text;

	mutator_table_draw(&s, grid, (struct rect){ 0, 0, w, h });
	text = grid_dump(grid);
	grid_destroy(grid);
	return text;
}

static void
check_drawn(size_t n, int w, int h, const char *want)
{
	char *text = drawn(n, w, h);

	assert_string_equal(text, want);
	free(text);
}

static void
test_rows(void **state)
{
	check_drawn(N, 36, 3,
		"mutation                new   one in\n"
		"cheap, many              10      100\n"
		"cheap, few                1      100\n");
	check_drawn(N, 44, 3,
		"mutation                new   one in   tries\n"
		"cheap, many              10      100  20.0 %\n"
		"cheap, few                1      100  20.0 %\n");
	check_drawn(1, 36, 3, "No mutation has found a new input so\nfar.\n\n");
	check_drawn(N, 36, 1, "\n");
}

/* Only if the events have enough room. */
static void
test_room(void **state)
{
	static const struct {
		int w, h;
		bool shown;
	} rows[] = {
		{ 80, 24, false },
		{ 80, 40, false },
		{ 109, 40, false },
		{ 110, 40, true },
		{ 120, 40, true },
		{ 150, 40, true },
		{ 200, 60, true },
		{ 300, 80, true },
		{ 80, 60, true },
	};
	struct screen screen;
	size_t i;

	screen_open(&screen, &view_dashboard, "busy");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *text;

		screen_draw(&screen, rows[i].w, rows[i].h, false);
		text = grid_dump(screen.grid);
		if ((strstr(text, "compared value") != NULL) != rows[i].shown)
			fail_msg("%dx%d:\n%s", rows[i].w, rows[i].h, text);
		free(text);
	}
	screen_close(&screen);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
