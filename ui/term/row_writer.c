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
	struct row_writer out = { grid, rect.x, rect.y + row, rect.x + rect.w };

	if (row < 0 || row >= rect.h || rect.w <= 0)
		out.end = out.x;
	return out;
}

int
row_room(const struct row_writer *out)
{
	return out->end > out->x ? out->end - out->x : 0;
}

void
row_gap(struct row_writer *out, int columns)
{
	int room = row_room(out);

	out->x += columns < room ? columns : room;
}

void
row_text(struct row_writer *out, enum style style, const char *text)
{
	int room = row_room(out);

	if (room > 0)
		out->x +=
			grid_text(out->grid, out->x, out->y, room, style, text);
}

void
row_printf(struct row_writer *out, enum style style, const char *fmt, ...)
{
	char text[ROW_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	row_text(out, style, text);
}

/* Cleans text and cuts it to `columns`; returns its width. */
static int
row_fit(const struct row_writer *out, const char *text, int columns,
	char buf[ROW_TEXT_MAX])
{
	const char *more = glyph(out->grid, GLYPH_MORE);
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
row_clean(struct row_writer *out, enum style style, const char *text)
{
	char buf[ROW_TEXT_MAX];

	row_fit(out, text, row_room(out), buf);
	row_text(out, style, buf);
}

static void
row_put_field(struct row_writer *out, int columns, enum style style,
	const char *text, bool right)
{
	char buf[ROW_TEXT_MAX];
	int room = row_room(out);
	int end, width;

	if (columns > room)
		columns = room;
	end = out->x + columns;
	width = row_fit(out, text, columns, buf);
	if (right)
		row_gap(out, columns - width);
	row_text(out, style, buf);
	out->x = end;
}

void
row_field(struct row_writer *out, int columns, enum style style,
	const char *text)
{
	row_put_field(out, columns, style, text, false);
}

void
row_right(struct row_writer *out, int columns, enum style style,
	const char *text)
{
	row_put_field(out, columns, style, text, true);
}

void
row_add_hot_spot(const struct row_writer *out, int from, const char *label)
{
	struct rect rect = { from, out->y, out->x - from, 1 };

	grid_add_hot_spot(out->grid, rect, HOT_SPOT_FIELD, label);
}

void
row_value(struct row_writer *out, int columns, enum style style,
	const char *value, const char *name)
{
	int from = out->x;

	if (text_width(value) < (size_t)columns)
		row_right(out, columns, style, value);
	else
		row_clean(out, style, value);
	row_gap(out, 1);
	row_text(out, STYLE_LABEL, name);
	row_add_hot_spot(out, from, name);
}

void
row_pair(struct row_writer *out, const char *name, enum style style,
	const char *value)
{
	int from = out->x;

	row_text(out, STYLE_LABEL, name);
	row_gap(out, 1);
	row_clean(out, style, value);
	row_add_hot_spot(out, from, name);
}

bool
row_flush(struct row_writer *out, int columns)
{
	if (row_room(out) < columns)
		return false;
	out->x = out->end - columns;
	return true;
}
