/*
 * test_draw: boxes, bars, words, graphs, hex, tables and lists.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/widgets/draw.h"
#include "ui/widgets/graph.h"
#include "ui/widgets/hex.h"
#include "ui/widgets/list.h"
#include "ui/widgets/table.h"

#include "lib/dump.h"

/* Draws in a grid of that size and compares the text. */
#define DRAWS(w, h, ascii, expected, call) \
	do { \
		struct grid *grid = grid_create(w, h); \
		struct rect all = { 0, 0, w, h }, top = { 0, 0, w, 3 }; \
		char *text; \
\
		(void)all; \
		(void)top; \
		grid_set_ascii(grid, ascii); \
		call; \
		text = grid_dump(grid); \
		assert_string_equal(text, expected); \
		free(text); \
		grid_destroy(grid); \
	} while (0)

/* ---- boxes ---- */

static void
test_box(void **state)
{
	const struct draw_box box = { .title = "finds",
		.key = '5',
		.right = "3 of 4",
		.below = "all" };

	DRAWS(24, 7, false,
		"╭─[5] finds ── 3 of 4 ─╮\n"
		"│                      │\n"
		"╰──────────────── all ─╯\n\n\n\n\n",
		draw_box(grid, top, &box));
	DRAWS(24, 7, true,
		"+-[5] finds -- 3 of 4 -+\n"
		"|                      |\n"
		"+---------------- all -+\n\n\n\n\n",
		draw_box(grid, top, &box));
	DRAWS(14, 7, false,
		"╭─[5] finds ─╮\n"
		"│            │\n"
		"╰────── all ─╯\n\n\n\n\n",
		draw_box(grid, top, &box));
	DRAWS(10, 7, false,
		"╭─[5] ───╮\n"
		"│        │\n"
		"╰── all ─╯\n\n\n\n\n",
		draw_box(grid, top, &box));
	/* With few rows there is no frame; the box still clears its area. */
	DRAWS(10, 6, false, "\n\n\nbelow\n\n\n", {
		grid_text(grid, 0, 0, 10, STYLE_NORMAL, "below");
		grid_text(grid, 0, 3, 10, STYLE_NORMAL, "below");
		draw_box(grid, top, &box);
	});
}

static void
test_box_inside(void **state)
{
	const struct draw_box box = { .title = "t" };
	struct grid *grid = grid_create(20, 10);
	struct rect inside;

	inside = draw_box(grid, (struct rect){ 2, 3, 12, 5 }, &box);
	assert_int_equal(inside.x, 4);
	assert_int_equal(inside.y, 4);
	assert_int_equal(inside.w, 8);
	assert_int_equal(inside.h, 3);
	/* Too small for a frame: the inside is the whole rectangle. */
	inside = draw_box(grid, (struct rect){ 2, 3, 7, 5 }, &box);
	assert_int_equal(inside.w, 7);
	inside = draw_box(grid, (struct rect){ 2, 3, 12, 2 }, &box);
	assert_int_equal(inside.h, 2);
	grid_destroy(grid);
}

static void
test_cut(void **state)
{
	struct rect rect = { 1, 2, 10, 6 }, part;

	part = draw_cut_top(&rect, 2);
	assert_int_equal(part.h, 2);
	assert_int_equal(rect.y, 4);
	part = draw_cut_bottom(&rect, 3);
	assert_int_equal(part.y, 5);
	assert_int_equal(part.h, 3);
	assert_int_equal(rect.h, 1);
	part = draw_cut_left(&rect, 99);
	assert_int_equal(part.w, 10);
	assert_int_equal(rect.w, 0);
	part = draw_cut_bottom(&rect, 99);
	assert_int_equal(part.h, 1);
	part = draw_cut_top(&rect, -1);
	assert_int_equal(part.h, 0);
}

/* ---- bars, scroll marks, words ---- */

static void
test_bar(void **state)
{
	DRAWS(4, 1, false, "▇▇··\n", draw_bar(grid, 0, 0, 4, 0.5, STYLE_SPEED));
	DRAWS(4, 1, false, "▇▁··\n",
		draw_bar(grid, 0, 0, 4, 0.28, STYLE_SPEED));
	DRAWS(4, 1, false, "····\n", draw_bar(grid, 0, 0, 4, 0, STYLE_SPEED));
	DRAWS(4, 1, false, "▁···\n",
		draw_bar(grid, 0, 0, 4, 0.0001, STYLE_SPEED));
	DRAWS(4, 1, false, "▇▇▇▇\n", draw_bar(grid, 0, 0, 4, 7, STYLE_SPEED));
	DRAWS(4, 1, false, "····\n", draw_bar(grid, 0, 0, 4, NAN, STYLE_SPEED));
	DRAWS(4, 1, true, "##-.\n", draw_bar(grid, 0, 0, 4, 0.55, STYLE_SPEED));
}

static void
test_scroll(void **state)
{
	const struct draw_box box = { .title = NULL };

	DRAWS(8, 7, false,
		"╭─ ────╮\n│      │\n│      │\n│      │\n│      ┃\n│      ┃\n╰──────╯\n",
		draw_box(grid, all, &box);
		draw_scroll(grid, all, 6, 6, 12));
	DRAWS(8, 7, false, "╭─ ────╮\n│      │\n╰──────╯\n\n\n\n\n",
		draw_box(grid, top, &box);
		draw_scroll(grid, top, 0, 6, 6));
}

static void
test_words(void **state)
{
	DRAWS(10, 3, false, "one two\nthree four\n\n",
		assert_int_equal(draw_words(grid, all, STYLE_NORMAL,
					 "one two three four"),
			2));
	DRAWS(4, 2, false, "abcd\nefg…\n",
		draw_words(grid, all, STYLE_NORMAL, "abcdefghijk"));
	DRAWS(8, 2, false, "a\\x1b[1m\nb\n",
		draw_words(grid, all, STYLE_NORMAL, "a\033[1m b"));
	/* A wide character in one column must not cause an endless loop. */
	DRAWS(1, 2, false, "\n\n",
		assert_int_equal(draw_words(grid, all, STYLE_NORMAL, "漢字"),
			0));
}

static void
test_pen(void **state)
{
	struct row_writer out;

	DRAWS(14, 1, false, "ab    12 c\n", out = row_put_at(grid, all, 0);
		row_field(&out, 4, STYLE_NORMAL, "ab");
		row_value(&out, 4, STYLE_NORMAL, "12", "c"));
	DRAWS(6, 1, false, "\\x07\\…\n", out = row_put_at(grid, all, 0);
		row_clean(&out, STYLE_NORMAL, "\a\a\a"));
	DRAWS(6, 1, true, "abcde~\n", out = row_put_at(grid, all, 0);
		row_clean(&out, STYLE_NORMAL, "abcdefgh"));
	DRAWS(6, 1, false, "   …\n", out = row_put_at(grid, all, 0);
		row_right(&out, 4, STYLE_NORMAL, "漢漢漢漢"); (void)out;
		grid_fill(grid, (struct rect){ 0, 0, 3, 1 }, STYLE_NORMAL,
			" "));
	DRAWS(6, 1, false, "\n", out = row_put_at(grid, all, 1);
		row_text(&out, STYLE_NORMAL, "outside"));
}

/* ---- graphs ---- */

static void
draw_graph(struct grid *grid, struct rect rect, const double *values, size_t n)
{
	const struct graph graph = { .values = values,
		.n = n,
		.style = STYLE_SPEED };

	graph_draw(grid, rect, &graph);
}

static void
test_graph(void **state)
{
	const double rise[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	const double holes[] = { 1, NAN, 1, INFINITY, -1, NAN };

	DRAWS(4, 2, false, "  ⣠⣾\n⣠⣾⣿⣿\n", draw_graph(grid, all, rise, 8));
	/* With more room than samples, samples are on the right. */
	DRAWS(6, 1, false, "  ⣀⣤⣶⣿\n", draw_graph(grid, all, rise, 8));
	/* With less room, the newest samples. */
	DRAWS(2, 1, false, "⣶⣿\n", draw_graph(grid, all, rise, 8));
	DRAWS(4, 2, true, ".:|#\n####\n", draw_graph(grid, all, rise + 4, 4));
	DRAWS(3, 1, false, "⡀⣀⡀\n", draw_graph(grid, all, holes, 6));
	DRAWS(3, 1, false, "\n", draw_graph(grid, all, NULL, 0));
}

/* The level is the height, for gradients. */
static void
test_graph_levels(void **state)
{
	const double values[] = { 0, 0, 10, 10 };
	struct grid *grid = grid_create(2, 3);

	draw_graph(grid, (struct rect){ 0, 0, 2, 3 }, values, 4);
	assert_int_equal(grid_cell(grid, 0, 2)->level, 0);
	assert_int_equal(grid_cell(grid, 1, 0)->level, 100);
	assert_true(grid_cell(grid, 1, 2)->level < 50);
	assert_int_equal(grid_cell(grid, 1, 1)->style, STYLE_SPEED);
	assert_string_equal(grid_cell(grid, 0, 0)->text, " ");
	grid_destroy(grid);
}

/* ---- hex ---- */

static const uint8_t bytes[] = "\x00\x01\xffHello, world!\x1b[31m at the end";

static void
draw_hex(struct grid *grid, struct rect rect, size_t n, uint64_t total,
	uint64_t highlight, uint64_t highlight_len)
{
	const struct hex hex = { .bytes = bytes,
		.n = n,
		.total = total,
		.highlight = highlight,
		.highlight_len = highlight_len };

	hex_draw(grid, rect, &hex);
}

static void
test_hex(void **state)
{
	DRAWS(42, 2, false,
		"0000  00 01 ff 48 65 6c 6c 6f   ...Hello\n"
		"0008  2c 20 77                  , w\n",
		draw_hex(grid, all, 11, 11, 0, 0));
	DRAWS(42, 2, false,
		"0000  00 01 ff[48 65 6c 6c 6f]  ...Hello\n"
		"0008 [2c]20 77                  , w\n",
		draw_hex(grid, all, 11, 11, 3, 6));
	DRAWS(42, 2, false,
		"0000  00 01 ff 48 65 6c 6c 6f   ...Hello\n"
		"0008  2c 20[77]                 , w\n",
		draw_hex(grid, all, 11, 11, 10, 99));
	DRAWS(42, 2, false,
		"0000  00 01 ff 48 65 6c 6c 6f   ...Hello\n"
		"… 4 992 more of 5 000 bytes\n",
		draw_hex(grid, all, 16, 5000, 0, 0));
	/* Marks at the gap between groups of eight. */
	DRAWS(76, 1, false,
		"0000  00 01 ff 48 65 6c[6c 6f  2c 20]77 6f 72 6c 64 21   "
		"...Hello, world!\n",
		draw_hex(grid, all, 16, 16, 6, 4));
	DRAWS(76, 1, false,
		"0000  00 01 ff 48 65 6c[6c 6f] 2c 20 77 6f 72 6c 64 21   "
		"...Hello, world!\n",
		draw_hex(grid, all, 16, 16, 6, 2));
	DRAWS(76, 1, false,
		"0000  00 01 ff 48 65 6c 6c 6f [2c]20 77 6f 72 6c 64 21   "
		"...Hello, world!\n",
		draw_hex(grid, all, 16, 16, 8, 1));
}

/* Scrolls to the marked range. */
static void
test_hex_scrolls(void **state)
{
	DRAWS(24, 3, false,
		"0018  20 74 68 65    the\n"
		"001c  20 65[6e]64    end\n"
		"… 3 more of 35 bytes\n",
		draw_hex(grid, all, 32, 35, 30, 1));
}

static void
test_hex_width(void **state)
{
	assert_int_equal(hex_per_row(10, 0), 0);
	assert_int_equal(hex_per_row(24, 0), 4);
	assert_int_equal(hex_per_row(76, 0), 16);
	assert_int_equal(hex_per_row(150, 0), 32);
	DRAWS(10, 1, false, "\n", draw_hex(grid, all, 16, 16, 0, 0));
}

/* ---- tables ---- */

static const struct table_column columns[] = {
	{ "id", 3, 0, 0, .right = true },
	{ "name", 4, 6, 0, .right = false },
	{ "count", 5, 0, 2, .right = true },
	{ "note", 4, 20, 1, .right = false },
};

static void
draw_table(struct grid *grid, struct rect rect, int sorted)
{
	struct table table;

	table_layout(&table, columns, 4, rect.w);
	table_head(&table, grid, rect, sorted, true);
	table_text(&table, grid, rect, 1, 0, STYLE_NORMAL, "7");
	table_text(&table, grid, rect, 1, 1, STYLE_NORMAL, "seventh");
	table_text(&table, grid, rect, 1, 2, STYLE_NORMAL, "42");
	table_text(&table, grid, rect, 1, 3, STYLE_NORMAL, "x");
}

static void
test_table(void **state)
{
	DRAWS(30, 2, false,
		" id  name   count  note\n"
		"  7  seve…     42  x\n",
		draw_table(grid, all, -1));
	/* The mark of the sorted column takes no room from the head. */
	DRAWS(30, 2, false,
		" id  name   count▾ note\n"
		"  7  seve…     42  x\n",
		draw_table(grid, all, 2));
	DRAWS(30, 2, false,
		" id  name   count  note▾\n"
		"  7  seve…     42  x\n",
		draw_table(grid, all, 3));
	/* The highest rank is hidden first. */
	DRAWS(20, 2, false,
		" id  name   note\n"
		"  7  seve…  x\n",
		draw_table(grid, all, -1));
	DRAWS(10, 2, false,
		" id  name\n"
		"  7  seve…\n",
		draw_table(grid, all, -1));
	/* Columns of rank 0 are cut instead. */
	DRAWS(6, 2, false,
		" id  …\n"
		"  7  …\n",
		draw_table(grid, all, -1));
}

/* ---- lists ---- */

static void
test_list(void **state)
{
	struct list list = { 0 };

	list_fit(&list, 10, 4);
	assert_true(list_command(&list, "down"));
	assert_int_equal(list.selected, 1);
	assert_true(list_command(&list, "page-down"));
	assert_int_equal(list.selected, 4);
	assert_int_equal(list.top, 1);
	assert_true(list_command(&list, "end"));
	assert_int_equal(list.selected, 9);
	assert_int_equal(list.top, 6);
	assert_int_equal(list_seen(&list), 4);
	assert_true(list_command(&list, "down"));
	assert_int_equal(list.selected, 9);
	assert_true(list_command(&list, "page-up"));
	assert_int_equal(list.selected, 6);
	assert_true(list_command(&list, "up"));
	assert_int_equal(list.top, 5);
	assert_true(list_command(&list, "home"));
	assert_int_equal(list.top, 0);
	assert_false(list_command(&list, "open"));
}

/* When rows or room vanish, selection and top stay valid. */
static void
test_list_shrinks(void **state)
{
	struct list list = { 0 };

	list_fit(&list, 100, 10);
	list_select(&list, 99);
	list_fit(&list, 5, 10);
	assert_int_equal(list.selected, 4);
	assert_int_equal(list.top, 0);
	list_fit(&list, 5, 2);
	assert_int_equal(list.top, 3);
	list_fit(&list, 0, 2);
	assert_int_equal(list.selected, 0);
	assert_int_equal(list_seen(&list), 0);
	assert_true(list_command(&list, "end"));
	assert_int_equal(list.selected, 0);
	list_fit(&list, 5, 0);
	assert_int_equal(list_seen(&list), 0);
	assert_true(list_command(&list, "page-down"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_box),
		cmocka_unit_test(test_box_inside),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_bar),
		cmocka_unit_test(test_scroll),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_pen),
		cmocka_unit_test(test_graph),
		cmocka_unit_test(test_graph_levels),
		cmocka_unit_test(test_hex),
		cmocka_unit_test(test_hex_scrolls),
		cmocka_unit_test(test_hex_width),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_list_shrinks),
	};

	return cmocka_run_group_tests_name("ui/draw", tests, NULL, NULL);
}
