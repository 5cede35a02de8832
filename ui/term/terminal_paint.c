/*
 * terminal_paint: copies the grid's cells to curses.
 *
 * Cells that did not change since the last paint are skipped.
 */
#include "ui/term/terminal_private.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/utf8_width.h"
#include "base/xmalloc.h"

#define TERMINAL_PAIR_UNKNOWN (-1)

/* ---- colours ---- */

/* Without colours, uses the monochrome theme. */
static void
terminal_mono_theme(struct terminal *t)
{
	size_t len;
	const char *text = theme_builtin_text("monochrome", &len);

	if (theme_parse("monochrome", text, len, &t->theme, NULL) != OK)
		memset(&t->theme, 0, sizeof(t->theme));
}

void
terminal_set_theme(struct terminal *t, const struct theme *theme)
{
	t->theme = *theme;
	if (!t->color)
		terminal_mono_theme(t);
	for (int s = 0; s < STYLE_COUNT; s++)
		for (int level = 0; level < TERMINAL_LEVELS; level++)
			t->pairs[s][level] = TERMINAL_PAIR_UNKNOWN;
	t->redraw = true;
}

static int
terminal_direct_color(struct color color)
{
	int rgb;

	if (color.kind == COLOR_DEFAULT)
		return -1;
	if (color.kind == COLOR_INDEX)
		color = color_of_index(color.index);
	rgb = color.r << 16 | color.g << 8 | color.b;
	/* Numbers below 8 mean palette entries: use 8 instead. */
	return rgb < 8 ? 8 : rgb;
}

static int
terminal_make_pair(const struct terminal *t, enum style style, int level)
{
	struct color fg = theme_fg(&t->theme, style, level);
	struct color bg = t->theme.styles[style].bg;
	unsigned colors = COLORS >= 256 ? 256 : COLORS >= 16 ? 16 : 8;
	int pair;

	if (!t->color)
		return 0;
	if (t->direct)
		pair = alloc_pair(terminal_direct_color(fg),
			terminal_direct_color(bg));
	else
		pair = alloc_pair(color_nearest_text(fg, bg, colors),
			color_nearest(bg, colors));
	return pair < 0 ? 0 : pair;
}

static int
terminal_pair(struct terminal *t, const struct cell *cell)
{
	int step = theme_is_gradient(cell->style)
		? cell->level * (TERMINAL_LEVELS - 1) / 100
		: 0;
	int *pair = &t->pairs[cell->style][step];

	if (*pair == TERMINAL_PAIR_UNKNOWN)
		*pair = terminal_make_pair(t, cell->style,
			step * 100 / (TERMINAL_LEVELS - 1));
	return *pair;
}

static attr_t
terminal_attr(const struct terminal *t, const struct cell *cell)
{
	unsigned attr = t->theme.styles[cell->style].attr;

	return (attr & THEME_BOLD ? A_BOLD : 0) |
		(attr & THEME_DIM ? A_DIM : 0) |
		(attr & THEME_UNDERLINE ? A_UNDERLINE : 0) |
		(attr & THEME_REVERSE ? A_REVERSE : 0);
}

/* ---- painting ---- */

/*
 * Converts a cell's character for curses. If the C library has another width
 * for the character, later columns would shift: use a question mark instead.
 */
static void
terminal_wide(const struct cell *cell, int width, wchar_t wide[CCHARW_MAX + 1])
{
	size_t at = 0, len = strlen(cell->text), n = 0;

	while (at < len && n < CCHARW_MAX) {
		uint32_t code;
		size_t taken = utf8_decode(cell->text + at, len - at, &code);

		if (taken == 0 ||
			wcwidth((wchar_t)code) != (n == 0 ? width : 0))
			break;
		wide[n++] = (wchar_t)code;
		at += taken;
	}
	if (n == 0)
		wide[n++] = cell->text[0] == ' ' ? L' ' : L'?';
	wide[n] = L'\0';
}

static void
terminal_put(struct terminal *t, int x, int y, const struct cell *cell,
	int width)
{
	wchar_t wide[CCHARW_MAX + 1];
	int pair = terminal_pair(t, cell);
	cchar_t c;

	terminal_wide(cell, width, wide);
	if (setcchar(&c, wide, terminal_attr(t, cell), 0, &pair) != OK)
		return;
	mvadd_wch(y, x, &c); /* fails in the last corner, but draws it */
	if (width == 2 && wide[0] == L'?')
		mvadd_wch(y, x + 1, &c);
}

static void
terminal_put_row(struct terminal *t, const struct grid *grid, int y)
{
	struct cell *shown = t->shown + (size_t)y * (size_t)t->shown_w;

	for (int x = 0; x < t->shown_w; x++) {
		const struct cell *cell = grid_cell(grid, x, y);
		bool wide = x + 1 < t->shown_w &&
			grid_cell(grid, x + 1, y)->text[0] == '\0';

		if (memcmp(&shown[x], cell, sizeof(*cell)) == 0)
			continue;
		shown[x] = *cell;
		if (cell->text[0] != '\0')
			terminal_put(t, x, y, cell, wide ? 2 : 1);
	}
}

/* Treats every cell of the screen as unknown. */
static void
terminal_forget(struct terminal *t, const struct grid *grid)
{
	size_t n;

	t->shown_w = grid_width(grid);
	t->shown_h = grid_height(grid);
	n = (size_t)t->shown_w * (size_t)t->shown_h;
	t->shown = xreallocarray(t->shown, n, sizeof(*t->shown));
	memset(t->shown, 0xff, n * sizeof(*t->shown));
	if (LINES != t->shown_h || COLS != t->shown_w)
		resize_term(t->shown_h, t->shown_w);
	clearok(curscr, TRUE);
	t->redraw = false;
}

void
terminal_paint(struct terminal *t, const struct grid *grid)
{
	if (!terminal_ready(t))
		return;
	if (t->redraw || grid_width(grid) != t->shown_w ||
		grid_height(grid) != t->shown_h)
		terminal_forget(t, grid);
	for (int y = 0; y < t->shown_h; y++)
		terminal_put_row(t, grid, y);
	refresh();
	terminal_flush(t);
}
