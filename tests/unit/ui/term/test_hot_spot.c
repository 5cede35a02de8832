/*
 * test_hot_spot: hot spots are found where they were drawn.
 */
#include "ui/term/grid.h"

#include <string.h>

#include "lib/check.h"

static const char *
at(const struct grid *grid, enum hot_spot_kind kind, int x, int y)
{
	const struct hot_spot *mark =
		hot_spots_at(grid_hot_spots(grid), kind, x, y);

	return mark != NULL ? mark->text : "";
}

/* Edges belong to a hot spot; kinds do not mix; the last one wins. */
static void
test_at(void **state)
{
	struct grid *grid = grid_create(20, 5);

	grid_add_hot_spot(grid, (struct rect){ 2, 1, 5, 2 }, HOT_SPOT_COMMAND,
		"row 1");
	grid_add_hot_spot(grid, (struct rect){ 4, 1, 1, 1 }, HOT_SPOT_COMMAND,
		"row 2");
	grid_add_hot_spot(grid, (struct rect){ 2, 1, 5, 2 }, HOT_SPOT_FIELD,
		"speed");
	assert_string_equal(at(grid, HOT_SPOT_COMMAND, 2, 1), "row 1");
	assert_string_equal(at(grid, HOT_SPOT_COMMAND, 6, 2), "row 1");
	assert_string_equal(at(grid, HOT_SPOT_COMMAND, 4, 1), "row 2");
	assert_string_equal(at(grid, HOT_SPOT_COMMAND, 7, 1), "");
	assert_string_equal(at(grid, HOT_SPOT_COMMAND, 2, 3), "");
	assert_string_equal(at(grid, HOT_SPOT_FIELD, 4, 1), "speed");
	grid_clear(grid);
	assert_string_equal(at(grid, HOT_SPOT_FIELD, 4, 1), "");
	grid_destroy(grid);
}

static void
test_cut(void **state)
{
	struct grid *grid = grid_create(10, 2);
	const struct hot_spots *marks = grid_hot_spots(grid);
	char longest[HOT_SPOT_TEXT + 1];

	grid_add_hot_spot(grid, (struct rect){ -5, -1, 100, 100 },
		HOT_SPOT_FIELD, "all");
	assert_int_equal(marks->items[0].x, 0);
	assert_int_equal(marks->items[0].w, 10);
	assert_int_equal(marks->items[0].h, 2);
	grid_add_hot_spot(grid, (struct rect){ 10, 0, 5, 1 }, HOT_SPOT_FIELD,
		"out");
	grid_add_hot_spot(grid, (struct rect){ 0, 0, 0, 1 }, HOT_SPOT_FIELD,
		"empty");
	memset(longest, 'x', HOT_SPOT_TEXT);
	longest[HOT_SPOT_TEXT] = '\0';
	grid_add_hot_spot(grid, (struct rect){ 0, 0, 1, 1 }, HOT_SPOT_FIELD,
		longest);
	assert_int_equal(marks->n, 1);
	for (size_t i = 0; i < 2 * HOT_SPOTS_MAX; i++)
		grid_add_hot_spot(grid, (struct rect){ 0, 0, 1, 1 },
			HOT_SPOT_FIELD, "x");
	assert_int_equal(marks->n, HOT_SPOTS_MAX);
	grid_destroy(grid);
}

static void
test_cover(void **state)
{
	struct grid *grid = grid_create(20, 5);

	grid_add_hot_spot(grid, (struct rect){ 0, 0, 5, 1 }, HOT_SPOT_COMMAND,
		"left");
	grid_add_hot_spot(grid, (struct rect){ 10, 0, 5, 1 }, HOT_SPOT_COMMAND,
		"right");
	grid_cover(grid, (struct rect){ 4, 0, 6, 5 });
	assert_string_equal(at(grid, HOT_SPOT_COMMAND, 1, 0), "");
	assert_string_equal(at(grid, HOT_SPOT_COMMAND, 10, 0), "right");
	grid_destroy(grid);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_at),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_cover),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
