/*
 * draw: boxes, bars, scroll marks and paragraphs.
 */
#include "ui/widgets/draw.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/term/keys.h"

#define DRAW_WORDS_MAX 4096
#define DRAW_FRAMES_MIN 7 /* screens with fewer rows have no frames */

static void
draw_line(struct grid *grid, int x, int y, int w, enum glyph left,
	enum glyph right, enum style style)
{
	struct rect middle = { x + 1, y, w - 2, 1 };

	grid_put(grid, x, y, style, 0, glyph(grid, left));
	grid_fill(grid, middle, style, glyph(grid, GLYPH_HLINE));
	grid_put(grid, x + w - 1, y, style, 0, glyph(grid, right));
}

static void
draw_sides(struct grid *grid, struct rect rect, enum style style)
{
	struct rect side = { rect.x, rect.y + 1, 1, rect.h - 2 };
	struct rect inside = { rect.x + 1, rect.y + 1, rect.w - 2, rect.h - 2 };

	grid_fill(grid, inside, STYLE_NORMAL, " ");
	grid_fill(grid, side, style, glyph(grid, GLYPH_VLINE));
	side.x += rect.w - 1;
	grid_fill(grid, side, style, glyph(grid, GLYPH_VLINE));
}

void
draw_key_hot_spot(const struct row_writer *out, int from, const char *key)
{
	struct rect rect = { from, out->y, out->x - from, 1 };
	char line[HOT_SPOT_TEXT];

	snprintf(line, sizeof(line), "key %s", key);
	grid_add_hot_spot(out->grid, rect, HOT_SPOT_COMMAND, line);
}

/* Does the key open a view? The user may have bound the digit differently. */
static bool
draw_key_leads(char key)
{
	char name[2] = { key, '\0' };
	const struct key_row *row = keys_find(KEYS_COMMON, name);

	return row != NULL && strncmp(row->command, "view ", 5) == 0;
}

/* `─[1] title ─`, as far as there is room. */
static void
draw_title(struct grid *grid, struct rect rect, const struct draw_box *box)
{
	struct rect row = { rect.x + 2, rect.y, rect.w - 4, 1 };
	struct row_writer out = row_put_at(grid, row, 0);
	bool leads = box->key && draw_key_leads(box->key);

	if (leads && row_room(&out) > 4)
		row_printf(&out, STYLE_KEY, "[%c]", box->key);
	if (row_room(&out) > 2)
		row_text(&out, STYLE_FRAME, " ");
	if (box->title && row_room(&out) > 2) {
		out.end--;
		row_clean(&out, STYLE_TITLE, box->title);
		if (leads)
			draw_key_hot_spot(&out, row.x, (char[2]){ box->key });
		out.end++;
		row_text(&out, STYLE_FRAME, " ");
	}
	if (box->right) {
		int columns = (int)text_width(box->right) + 2;

		row_gap(&out, 1);
		if (box->right_cut && columns > row_room(&out))
			columns = row_room(&out);
		if (!row_flush(&out, columns))
			return;
		row_text(&out, STYLE_FRAME, " ");
		row_clean(&out, STYLE_TITLE, box->right);
		row_text(&out, STYLE_FRAME, " ");
	}
}

static void
draw_foot(struct grid *grid, struct rect rect, const char *text)
{
	struct rect row = { rect.x + 2, rect.y + rect.h - 1, rect.w - 4, 1 };
	struct row_writer out = row_put_at(grid, row, 0);
	int columns = (int)text_width(text) + 2;

	if (!row_flush(&out, columns))
		return;
	row_text(&out, STYLE_FRAME, " ");
	row_clean(&out, STYLE_DIM, text);
	row_text(&out, STYLE_FRAME, " ");
}

bool
draw_box_fits(const struct grid *grid, struct rect rect)
{
	return rect.w >= 8 && rect.h >= 3 &&
		grid_height(grid) >= DRAW_FRAMES_MIN;
}

struct rect
draw_box(struct grid *grid, struct rect rect, const struct draw_box *box)
{
	enum style style = box->focus ? STYLE_FRAME_FOCUS : STYLE_FRAME;
	int bottom = rect.y + rect.h - 1;

	if (!draw_box_fits(grid, rect)) {
		grid_fill(grid, rect, STYLE_NORMAL, " ");
		return rect;
	}
	draw_line(grid, rect.x, rect.y, rect.w, GLYPH_TOP_LEFT, GLYPH_TOP_RIGHT,
		style);
	draw_line(grid, rect.x, bottom, rect.w, GLYPH_BOTTOM_LEFT,
		GLYPH_BOTTOM_RIGHT, style);
	draw_sides(grid, rect, style);
	draw_title(grid, rect, box);
	if (box->below)
		draw_foot(grid, rect, box->below);
	return (struct rect){ rect.x + 2, rect.y + 1, rect.w - 4, rect.h - 2 };
}

/* Even a full cell leaves its top free, to separate bars in adjacent rows. */
static const char *
draw_bar_cell(const struct grid *grid, int eighths)
{
	static const char *const steps[] = { "▁", "▁", "▂", "▃", "▄", "▅", "▆",
		"▇", "▇" };

	if (eighths > 8)
		eighths = 8;
	if (grid_ascii(grid))
		return eighths >= 4 ? "#" : "-";
	return steps[eighths];
}

void
draw_bar(struct grid *grid, int x, int y, int w, double fraction,
	enum style style)
{
	int filled, i;

	if (!(fraction > 0))
		fraction = 0;
	if (fraction > 1)
		fraction = 1;
	filled = (int)(fraction * w * 8 + 0.5);
	if (fraction > 0 && filled == 0)
		filled = 1;
	for (i = 0; i < w; i++) {
		int here = filled - i * 8;
		int level = w > 1 ? i * 100 / (w - 1) : 100;

		if (here > 0)
			grid_put(grid, x + i, y, style, level,
				draw_bar_cell(grid, here));
		else
			grid_put(grid, x + i, y, STYLE_FRAME, 0,
				glyph(grid, GLYPH_TRACK));
	}
}

void
draw_scroll(struct grid *grid, struct rect box, size_t top, size_t seen,
	size_t n)
{
	size_t track = box.h > 2 ? (size_t)box.h - 2 : 0;
	size_t thumb, first, i;

	if (n <= seen || track == 0 || !draw_box_fits(grid, box))
		return;
	thumb = track * seen / n;
	if (thumb == 0)
		thumb = 1;
	first = (track - thumb) * top / (n - seen);
	for (i = first; i < first + thumb && i < track; i++)
		grid_put(grid, box.x + box.w - 1, box.y + 1 + (int)i,
			STYLE_FRAME_FOCUS, 0, glyph(grid, GLYPH_THUMB));
}

size_t
draw_words_fit(const char *text, int columns)
{
	size_t fit = text_fit(text, columns > 0 ? (size_t)columns : 0);
	size_t i;

	if (text[fit] == '\0')
		return fit;
	for (i = fit; i > 0; i--)
		if (text[i] == ' ')
			return i;
	return fit;
}

int
draw_words_rows(const char *text, int w)
{
	int rows = 0;

	while (*text != '\0' && w > 0) {
		size_t n = draw_words_fit(text, w);

		if (n == 0)
			break;
		text += n + strspn(text + n, " ");
		rows++;
	}
	return rows;
}

int
draw_words(struct grid *grid, struct rect rect, enum style style,
	const char *text)
{
	char clean[DRAW_WORDS_MAX];
	const char *at = clean;
	int row, columns = 0;

	if (rect.w <= 0)
		return 0;
	text_clean_string(text, clean, sizeof(clean));
	for (row = 0; row < rect.h && *at; row++) {
		size_t len = draw_words_fit(at, rect.w);

		/* The next character is wider than the room: give up. */
		if (len == 0)
			break;
		columns = grid_printf(grid, rect.x, rect.y + row, rect.w, style,
			"%.*s", (int)len, at);
		at += len;
		while (*at == ' ')
			at++;
	}
	if (*at != '\0' && row > 0)
		grid_text(grid,
			rect.x + (columns < rect.w ? columns : rect.w - 1),
			rect.y + row - 1, 1, style, glyph(grid, GLYPH_MORE));
	return row;
}

void
draw_empty(struct grid *grid, struct rect rect, const char *why,
	const char *what)
{
	struct rect text = rect;
	int width = (int)text_width(why);
	int other = what ? (int)text_width(what) : 0;

	if (other > width)
		width = other;
	if (rect.w > width + 2 && rect.h > 4) {
		text.x += (rect.w - width) / 2;
		text.w = width;
		text.y += rect.h / 2 - 1;
		text.h -= rect.h / 2 - 1;
	}
	draw_cut_top(&text, draw_words(grid, text, STYLE_NORMAL, why));
	if (what)
		draw_words(grid, text, STYLE_DIM, what);
}

struct rect
draw_cut_top(struct rect *rect, int rows)
{
	struct rect part = *rect;

	if (rows > rect->h)
		rows = rect->h;
	if (rows < 0)
		rows = 0;
	part.h = rows;
	rect->y += rows;
	rect->h -= rows;
	return part;
}

struct rect
draw_cut_bottom(struct rect *rect, int rows)
{
	struct rect below = *rect;

	*rect = draw_cut_top(&below, rect->h - (rows > 0 ? rows : 0));
	return below;
}

struct rect
draw_cut_left(struct rect *rect, int columns)
{
	struct rect part = *rect;

	if (columns > rect->w)
		columns = rect->w;
	if (columns < 0)
		columns = 0;
	part.w = columns;
	rect->x += columns;
	rect->w -= columns;
	return part;
}

struct rect
draw_middle(struct rect area, int w, int h)
{
	w = w < area.w ? w : area.w;
	h = h < area.h ? h : area.h;
	return (struct rect){ area.x + (area.w - w) / 2,
		area.y + (area.h - h) / 3, w, h };
}

void
draw_field(const struct text_field *field, struct grid *grid, struct rect rect)
{
	int cursor = text_field_cursor_column(field);
	int skip = cursor >= rect.w ? cursor - rect.w + 1 : 0;
	struct rect at = { rect.x + cursor - skip, rect.y, 1, 1 };

	if (rect.w <= 0)
		return;
	grid_fill(grid, rect, STYLE_INPUT, " ");
	grid_text(grid, rect.x, rect.y, rect.w, STYLE_INPUT,
		field->text + text_fit(field->text, (size_t)skip));
	grid_restyle(grid, at, STYLE_MARK);
}
