/*
 * test_grid: cells, cutting, wide characters, plain ASCII.
 */
#include "ui/term/grid.h"

#include "lib/check.h"
#include "lib/dump.h"

static void
check_dump(const struct grid *grid, const char *want, const char *name)
{
	char *got = grid_dump(grid);

	check_text(got, want, name);
	free(got);
}

static void
test_text(void **state)
{
	static const struct {
		const char *name, *text;
		int x, max, used;
		const char *want; /* eight columns wide */
	} rows[] = {
		{ "plain", "abc", 1, -1, 3, " abc\n" },
		{ "cut at the edge", "abcdefghij", 5, -1, 3, "     abc\n" },
		{ "cut at max", "abcdef", 0, 2, 2, "ab\n" },
		{ "left of the grid", "abcdef", -3, -1, 6, "def\n" },
		{ "right of the grid", "abc", 9, -1, 0, "\n" },
		{ "wide", "a世b", 0, -1, 4, "a世b\n" },
		{ "wide, no room for all", "abcdefg世", 0, -1, 7, "abcdefg\n" },
		{ "wide, half left outside", "世b", -1, -1, 3, " b\n" },
		{ "combining", "e\xcc\x81x", 0, -1, 2, "e\xcc\x81x\n" },
		{ "combining first", "\xcc\x81x", 0, -1, 1, "x\n" },
		{ "no UTF-8", "a\xff\xc3z", 0, -1, 4, "a??z\n" },
		{ "control", "a\x1b[1m", 0, -1, 5, "a?[1m\n" },
		{ "C1", "a\xc2\x9bz", 0, -1, 3, "a?z\n" },
		{ "direction", "a\xe2\x80\xaez", 0, -1, 3, "a?z\n" },
		{ "empty", "", 0, -1, 0, "\n" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct grid *grid = grid_create(8, 1);
		int used = grid_text(grid, rows[i].x, 0, rows[i].max,
			STYLE_NORMAL, rows[i].text);

		check(used == rows[i].used, "%s: used %d", rows[i].name, used);
		check_dump(grid, rows[i].want, rows[i].name);
		grid_destroy(grid);
	}
}

static void
test_many_marks(void **state)
{
	struct grid *grid = grid_create(4, 1);
	char text[64] = "a";

	for (int i = 0; i < 20; i++)
		strcat(text, "\xcc\x81");
	strcat(text, "b");
	assert_int_equal(grid_text(grid, 0, 0, -1, STYLE_NORMAL, text), 2);
	assert_true(strlen(grid_cell(grid, 0, 0)->text) <
		sizeof(grid_cell(grid, 0, 0)->text));
	assert_string_equal(grid_cell(grid, 1, 0)->text, "b");
	grid_destroy(grid);
}

/* Drawing over half of a wide character replaces the other half, too. */
static void
test_wide_broken(void **state)
{
	static const struct {
		const char *name, *over;
		int x;
		const char *want;
	} rows[] = {
		{ "left half", "x", 1, " x 世\n" },
		{ "right half", "x", 2, "  x世\n" },
		{ "both, by two wide", "界", 2, "  界\n" },
		{ "shifted wide", "界", 0, "界 世\n" },
		{ "same place", "界", 1, " 界世\n" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct grid *grid = grid_create(6, 1);

		grid_text(grid, 1, 0, -1, STYLE_NORMAL, "世世");
		grid_text(grid, rows[i].x, 0, -1, STYLE_NORMAL, rows[i].over);
		check_dump(grid, rows[i].want, rows[i].name);
		grid_destroy(grid);
	}
}

static void
test_ascii(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "╭─╮", "+-+\n" },
		{ "a→b", "a>b\n" },
		{ "3 × 4 …", "3 x 4 .\n" },
		{ "⣿", "?\n" },
		{ "世b", "?b\n" },
		{ "e\xcc\x81", "e\n" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct grid *grid = grid_create(10, 1);

		grid_set_ascii(grid, true);
		assert_true(grid_ascii(grid));
		grid_text(grid, 0, 0, -1, STYLE_NORMAL, rows[i].text);
		check_dump(grid, rows[i].want, rows[i].text);
		grid_destroy(grid);
	}
}

static void
test_styles(void **state)
{
	struct grid *grid = grid_create(4, 2);

	grid_fill(grid, (struct rect){ -1, -1, 3, 2 }, STYLE_FRAME, "#");
	grid_put(grid, 3, 1, STYLE_SPEED, 150, "x");
	grid_restyle(grid, (struct rect){ 1, 0, 99, 99 }, STYLE_SELECTED);
	check_dump(grid, "##\n   x\n", "filled");
	assert_int_equal(grid_cell(grid, 0, 0)->style, STYLE_FRAME);
	assert_int_equal(grid_cell(grid, 1, 0)->style, STYLE_SELECTED);
	assert_int_equal(grid_cell(grid, 3, 1)->style, STYLE_SELECTED);
	assert_int_equal(grid_cell(grid, 3, 1)->level, 100);
	assert_int_equal(grid_cell(grid, 0, 1)->style, STYLE_NORMAL);
	grid_clear(grid);
	check_dump(grid, "\n\n", "cleared");
	grid_destroy(grid);
}

static void
test_sizes(void **state)
{
	static const struct {
		int w, h, got_w, got_h;
	} rows[] = {
		{ 1, 1, 1, 1 },
		{ 0, 0, 1, 1 },
		{ -5, 3, 1, 3 },
		{ 500, 200, 500, 200 },
		{ 1000000, 1000000, 4096, 4096 },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct grid *grid = grid_create(3, 3);

		grid_resize(grid, rows[i].w, rows[i].h);
		assert_int_equal(grid_width(grid), rows[i].got_w);
		assert_int_equal(grid_height(grid), rows[i].got_h);
		grid_text(grid, 0, 0, -1, STYLE_NORMAL, "世界");
		grid_printf(grid, 0, 2, -1, STYLE_NORMAL, "%d", 123456789);
		grid_put(grid, 1 << 30, 1 << 30, STYLE_NORMAL, 0, "x");
		assert_string_equal(grid_cell(grid, 1 << 30, -1)->text, " ");
		grid_destroy(grid);
	}
	grid_destroy(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_many_marks),
		cmocka_unit_test(test_wide_broken),
		cmocka_unit_test(test_ascii),
		cmocka_unit_test(test_styles),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
