/*
 * row_writer: writing along one row, from left to right.
 *
 * All foreign text becomes harmless and fits in one function, pen_fit(), so
 * that no view has to think of it.
 */
#include "ui/term/row_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/term/glyph.h"

#define PEN_TEXT_MAX 1024

struct pen
pen_at(struct grid *grid, struct rect rect, int row)
{
	struct pen pen = { grid, rect.x, rect.y + row, rect.x + rect.w };

	if (row < 0 || row >= rect.h || rect.w <= 0)
		pen.end = pen.x;
	return pen;
}

int
pen_room(const struct pen *pen)
{
	return pen->end > pen->x ? pen->end - pen->x : 0;
}

void
pen_gap(struct pen *pen, int columns)
{
	int room = pen_room(pen);

	pen->x += columns < room ? columns : room;
}

void
pen_text(struct pen *pen, enum style style, const char *text)
{
	int room = pen_room(pen);

	if (room > 0)
		pen->x +=
			grid_text(pen->grid, pen->x, pen->y, room, style, text);
}

void
pen_printf(struct pen *pen, enum style style, const char *fmt, ...)
{
	char text[PEN_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	pen_text(pen, style, text);
}

/* Cleans text into buf so that it fits; returns its columns. */
static int
pen_fit(const struct pen *pen, const char *text, int columns,
	char buf[PEN_TEXT_MAX])
{
	const char *more = symbol(pen->grid, SYMBOL_MORE);
	size_t width, fit;

	text_clean_string(text, buf, PEN_TEXT_MAX - 8);
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
pen_clean(struct pen *pen, enum style style, const char *text)
{
	char buf[PEN_TEXT_MAX];

	pen_fit(pen, text, pen_room(pen), buf);
	pen_text(pen, style, buf);
}

static void
pen_put_field(struct pen *pen, int columns, enum style style, const char *text,
	bool right)
{
	char buf[PEN_TEXT_MAX];
	int room = pen_room(pen);
	int end, width;

	if (columns > room)
		columns = room;
	end = pen->x + columns;
	width = pen_fit(pen, text, columns, buf);
	if (right)
		pen_gap(pen, columns - width);
	pen_text(pen, style, buf);
	pen->x = end;
}

void
pen_field(struct pen *pen, int columns, enum style style, const char *text)
{
	pen_put_field(pen, columns, style, text, false);
}

void
pen_right(struct pen *pen, int columns, enum style style, const char *text)
{
	pen_put_field(pen, columns, style, text, true);
}

void
pen_mark(const struct pen *pen, int from, const char *label)
{
	struct rect rect = { from, pen->y, pen->x - from, 1 };

	grid_mark(pen->grid, rect, MARK_FIELD, label);
}

void
pen_value(struct pen *pen, int columns, enum style style, const char *value,
	const char *name)
{
	int from = pen->x;

	if (text_width(value) < (size_t)columns)
		pen_right(pen, columns, style, value);
	else
		pen_clean(pen, style, value);
	pen_gap(pen, 1);
	pen_text(pen, STYLE_LABEL, name);
	pen_mark(pen, from, name);
}

void
pen_pair(struct pen *pen, const char *name, enum style style, const char *value)
{
	int from = pen->x;

	pen_text(pen, STYLE_LABEL, name);
	pen_gap(pen, 1);
	pen_clean(pen, style, value);
	pen_mark(pen, from, name);
}

bool
pen_flush(struct pen *pen, int columns)
{
	if (pen_room(pen) < columns)
		return false;
	pen->x = pen->end - columns;
	return true;
}
