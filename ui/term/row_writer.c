/*
 * row_writer: writes into one row, from left to right.
 *
 * Only row_fit() cleans and cuts foreign text, so no view has to do it.
 */
#include "ui/term/row_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/term/glyph.h"

#define ROW_TEXT_MAX 1024

struct row_writer
row_put_at(struct grid *grid, struct rect rect, int row)
{
	struct row_writer pen = { grid, rect.x, rect.y + row, rect.x + rect.w };

	if (row < 0 || row >= rect.h || rect.w <= 0)
		pen.end = pen.x;
	return pen;
}

int
row_room(const struct row_writer *pen)
{
	return pen->end > pen->x ? pen->end - pen->x : 0;
}

void
row_gap(struct row_writer *pen, int columns)
{
	int room = row_room(pen);

	pen->x += columns < room ? columns : room;
}

void
row_text(struct row_writer *pen, enum style style, const char *text)
{
	int room = row_room(pen);

	if (room > 0)
		pen->x +=
			grid_text(pen->grid, pen->x, pen->y, room, style, text);
}

void
row_printf(struct row_writer *pen, enum style style, const char *fmt, ...)
{
	char text[ROW_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	row_text(pen, style, text);
}

/* Cleans text and cuts it to `columns`; returns its width. */
static int
row_fit(const struct row_writer *pen, const char *text, int columns,
	char buf[ROW_TEXT_MAX])
{
	const char *more = glyph(pen->grid, GLYPH_MORE);
	size_t width, fit;

	text_clean_string(text, buf, ROW_TEXT_MAX - 8);
	width = text_width(buf);
	if (columns <= 0)
		buf[0] = '\0';
	if (columns <= 0 || width <= (size_t)columns)
		return columns <= 0 ? 0 : (int)width;
	fit = text_fit(buf, (size_t)columns - 1);
	memcpy(buf + fit, more, strlen(more) + 1);
	return (int)text_width(buf);
}

void
row_clean(struct row_writer *pen, enum style style, const char *text)
{
	char buf[ROW_TEXT_MAX];

	row_fit(pen, text, row_room(pen), buf);
	row_text(pen, style, buf);
}

static void
row_put_field(struct row_writer *pen, int columns, enum style style,
	const char *text, bool right)
{
	char buf[ROW_TEXT_MAX];
	int room = row_room(pen);
	int end, width;

	if (columns > room)
		columns = room;
	end = pen->x + columns;
	width = row_fit(pen, text, columns, buf);
	if (right)
		row_gap(pen, columns - width);
	row_text(pen, style, buf);
	pen->x = end;
}

void
row_field(struct row_writer *pen, int columns, enum style style,
	const char *text)
{
	row_put_field(pen, columns, style, text, false);
}

void
row_right(struct row_writer *pen, int columns, enum style style,
	const char *text)
{
	row_put_field(pen, columns, style, text, true);
}

void
row_mark(const struct row_writer *pen, int from, const char *label)
{
	struct rect rect = { from, pen->y, pen->x - from, 1 };

	grid_mark(pen->grid, rect, HOT_SPOT_FIELD, label);
}

void
row_value(struct row_writer *pen, int columns, enum style style,
	const char *value, const char *name)
{
	int from = pen->x;

	if (text_width(value) < (size_t)columns)
		row_right(pen, columns, style, value);
	else
		row_clean(pen, style, value);
	row_gap(pen, 1);
	row_text(pen, STYLE_LABEL, name);
	row_mark(pen, from, name);
}

void
row_pair(struct row_writer *pen, const char *name, enum style style,
	const char *value)
{
	int from = pen->x;

	row_text(pen, STYLE_LABEL, name);
	row_gap(pen, 1);
	row_clean(pen, style, value);
	row_mark(pen, from, name);
}

bool
row_flush(struct row_writer *pen, int columns)
{
	if (row_room(pen) < columns)
		return false;
	pen->x = pen->end - columns;
	return true;
}
