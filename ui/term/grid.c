/*
 * grid: a rectangle of character cells with named styles.
 *
 * Only grid_set() writes cells. It never leaves half of a wide character
 * behind, and translates to ASCII for terminals without UTF-8.
 */
#include "ui/term/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8_width.h"
#include "base/xmalloc.h"

#define GRID_PRINTF_MAX 1024
#define GRID_SIDE_MAX 4096

struct grid {
	int w, h;
	bool ascii;
	struct cell *cells;
	struct hot_spots spots;
};

/* ASCII replacements for characters. */
static const struct grid_plain {
	uint32_t from, to;
	char plain;
} grid_plain_table[] = {
	/* clang-format off */
	{ 0x00a0, 0x00a0, ' ' },
	{ 0x00b7, 0x00b7, '.' },
	{ 0x00d7, 0x00d7, 'x' },
	{ 0x2010, 0x2015, '-' },
	{ 0x2018, 0x2019, '\'' },
	{ 0x201c, 0x201d, '"' },
	{ 0x2022, 0x2022, '*' },
	{ 0x2026, 0x2026, '.' },
	{ 0x2190, 0x2190, '<' },
	{ 0x2191, 0x2191, '^' },
	{ 0x2192, 0x2192, '>' },
	{ 0x2193, 0x2193, 'v' },
	{ 0x2500, 0x2501, '-' },
	{ 0x2502, 0x2503, '|' },
	{ 0x2504, 0x257f, '+' },
	{ 0x2580, 0x259f, '#' },
	{ 0x25cf, 0x25cf, '*' },
	/* clang-format on */
};

static const struct cell grid_blank = { .text = " ", .style = STYLE_NORMAL };

struct grid *
grid_create(int w, int h)
{
	struct grid *grid = xcalloc(1, sizeof(*grid));

	grid_resize(grid, w, h);
	return grid;
}

void
grid_destroy(struct grid *grid)
{
	if (grid == NULL)
		return;
	free(grid->cells);
	free(grid);
}

static int
grid_side(int n)
{
	return n < 1 ? 1 : n > GRID_SIDE_MAX ? GRID_SIDE_MAX : n;
}

void
grid_resize(struct grid *grid, int w, int h)
{
	grid->w = grid_side(w);
	grid->h = grid_side(h);
	grid->cells = xreallocarray(grid->cells,
		(size_t)grid->w * (size_t)grid->h, sizeof(*grid->cells));
	grid_clear(grid);
}

void
grid_clear(struct grid *grid)
{
	size_t n = (size_t)grid->w * (size_t)grid->h;

	for (size_t i = 0; i < n; i++)
		grid->cells[i] = grid_blank;
	grid->spots.n = 0;
}

int
grid_width(const struct grid *grid)
{
	return grid->w;
}

int
grid_height(const struct grid *grid)
{
	return grid->h;
}

static bool
grid_inside(const struct grid *grid, int x, int y)
{
	return x >= 0 && y >= 0 && x < grid->w && y < grid->h;
}

static struct cell *
grid_at(struct grid *grid, int x, int y)
{
	return &grid->cells[(size_t)y * (size_t)grid->w + (size_t)x];
}

const struct cell *
grid_cell(const struct grid *grid, int x, int y)
{
	if (!grid_inside(grid, x, y))
		return &grid_blank;
	return &grid->cells[(size_t)y * (size_t)grid->w + (size_t)x];
}

void
grid_set_ascii(struct grid *grid, bool ascii)
{
	grid->ascii = ascii;
}

bool
grid_ascii(const struct grid *grid)
{
	return grid->ascii;
}

/* ---- one character ---- */

struct grid_char {
	char text[UTF8_LEN_MAX + 1];
	size_t len;   /* of text */
	size_t taken; /* bytes of the input */
	int width;
};

static char
grid_plain_char(uint32_t code)
{
	size_t n = sizeof(grid_plain_table) / sizeof(grid_plain_table[0]);

	for (size_t i = 0; i < n; i++)
		if (code >= grid_plain_table[i].from &&
			code <= grid_plain_table[i].to)
			return grid_plain_table[i].plain;
	return '?';
}

/* The next character of text, or `?` for one that must not be shown. */
static struct grid_char
grid_char_next(const struct grid *grid, const char *text, size_t len)
{
	struct grid_char c = { .text = "?", .len = 1, .taken = 1, .width = 1 };
	uint32_t code;
	size_t taken = utf8_decode(text, len, &code);
	int width;

	if (taken == 0)
		return c;
	c.taken = taken;
	width = utf8_width(code);
	if (width < 0)
		return c;
	c.width = width;
	if (grid->ascii && code >= 0x80) {
		c.text[0] = grid_plain_char(code);
		c.width = width == 0 ? 0 : 1;
		return c;
	}
	memcpy(c.text, text, taken);
	c.text[taken] = '\0';
	c.len = taken;
	return c;
}

/* Blanks the other half of a wide character before a cell changes. */
static void
grid_break_wide(struct grid *grid, int x, int y)
{
	struct cell *cell = grid_at(grid, x, y);

	if (cell->text[0] == '\0' && x > 0)
		memcpy(cell[-1].text, " ", 2);
	if (x + 1 < grid->w && cell[1].text[0] == '\0')
		memcpy(cell[1].text, " ", 2);
}

static void
grid_write(struct grid *grid, int x, int y, enum style style, int level,
	const char *text)
{
	struct cell *cell = grid_at(grid, x, y);
	size_t len = strlen(text);

	grid_break_wide(grid, x, y);
	memset(cell, 0, sizeof(*cell));
	memcpy(cell->text, text, len);
	cell->style = (uint8_t)style;
	cell->level = (uint8_t)(level < 0 ? 0 : level > 100 ? 100 : level);
}

/* Puts a character of one or two columns; cuts what lies outside the grid. */
static void
grid_set(struct grid *grid, int x, int y, enum style style, int level,
	const struct grid_char *c)
{
	bool left = grid_inside(grid, x, y);
	bool right = c->width == 2 && grid_inside(grid, x + 1, y);

	if (c->width == 2 && left != right) {
		grid_write(grid, left ? x : x + 1, y, style, level, " ");
		return;
	}
	if (!left)
		return;
	grid_write(grid, x, y, style, level, c->text);
	if (right) {
		grid_write(grid, x + 1, y, style, level, " ");
		grid_at(grid, x + 1, y)->text[0] = '\0';
	}
}

/* Appends a combining mark to the character that ends before column x. */
static void
grid_join(struct grid *grid, int x, int y, const struct grid_char *c)
{
	struct cell *cell;
	size_t len;

	if (grid->ascii || !grid_inside(grid, x - 1, y))
		return;
	cell = grid_at(grid, x - 1, y);
	if (cell->text[0] == '\0' && x >= 2)
		cell--;
	len = strlen(cell->text);
	if (len + c->len < sizeof(cell->text))
		memcpy(cell->text + len, c->text, c->len + 1);
}

/* ---- drawing ---- */

int
grid_text(struct grid *grid, int x, int y, int max, enum style style,
	const char *text)
{
	size_t len = strlen(text), at = 0;
	int used = 0;

	if (max < 0 || max > grid->w - x)
		max = grid->w - x;
	while (at < len) {
		struct grid_char c = grid_char_next(grid, text + at, len - at);

		at += c.taken;
		if (used + c.width > max)
			break;
		if (c.width == 0)
			grid_join(grid, x + used, y, &c);
		else
			grid_set(grid, x + used, y, style, 0, &c);
		used += c.width;
	}
	return used;
}

int
grid_printf(struct grid *grid, int x, int y, int max, enum style style,
	const char *fmt, ...)
{
	char text[GRID_PRINTF_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return grid_text(grid, x, y, max, style, text);
}

static struct rect
grid_cut(const struct grid *grid, struct rect r)
{
	if (r.x < 0) {
		r.w += r.x;
		r.x = 0;
	}
	if (r.y < 0) {
		r.h += r.y;
		r.y = 0;
	}
	if (r.w > grid->w - r.x)
		r.w = grid->w - r.x;
	if (r.h > grid->h - r.y)
		r.h = grid->h - r.y;
	return r;
}

void
grid_fill(struct grid *grid, struct rect rect, enum style style, const char *ch)
{
	struct grid_char c = grid_char_next(grid, ch, strlen(ch));

	rect = grid_cut(grid, rect);
	if (c.width != 1)
		return;
	for (int y = rect.y; y < rect.y + rect.h; y++)
		for (int x = rect.x; x < rect.x + rect.w; x++)
			grid_set(grid, x, y, style, 0, &c);
}

void
grid_restyle(struct grid *grid, struct rect rect, enum style style)
{
	rect = grid_cut(grid, rect);
	for (int y = rect.y; y < rect.y + rect.h; y++)
		for (int x = rect.x; x < rect.x + rect.w; x++)
			grid_at(grid, x, y)->style = (uint8_t)style;
}

void
grid_put(struct grid *grid, int x, int y, enum style style, int level,
	const char *ch)
{
	struct grid_char c = grid_char_next(grid, ch, strlen(ch));

	if (c.width > 0)
		grid_set(grid, x, y, style, level, &c);
}

/* ---- hot spots ---- */

void
grid_add_hot_spot(struct grid *grid, struct rect rect, enum hot_spot_kind kind,
	const char *text)
{
	int right = rect.x + rect.w, bottom = rect.y + rect.h;

	if (rect.x < 0)
		rect.x = 0;
	if (rect.y < 0)
		rect.y = 0;
	rect.w = (right < grid->w ? right : grid->w) - rect.x;
	rect.h = (bottom < grid->h ? bottom : grid->h) - rect.y;
	hot_spots_add(&grid->spots, kind, rect.x, rect.y, rect.w, rect.h, text);
}

void
grid_cover(struct grid *grid, struct rect rect)
{
	hot_spots_cover(&grid->spots, rect.x, rect.y, rect.w, rect.h);
}

const struct hot_spots *
grid_hot_spots(const struct grid *grid)
{
	return &grid->spots;
}
