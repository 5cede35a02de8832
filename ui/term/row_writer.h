/*
 * row_writer: writes into one row, from left to right.
 *
 * A row writer knows its column and the end of its room; text beyond the end is
 * cut. Text from the campaign must go through row_clean(), row_field() or
 * row_right(), which clean it; row_text() is for our own words.
 */
#ifndef CFUZZ_UI_TERM_ROW_WRITER_H
#define CFUZZ_UI_TERM_ROW_WRITER_H

#include <stdbool.h>

#include "ui/term/grid.h"

struct row_writer {
	struct grid *grid;
	int x, y;
	int end; /* first column after the room */
};

/* Starts at row `row` of rect; a row outside of rect has no room. */
struct row_writer row_put_at(struct grid *grid, struct rect rect, int row);
int row_room(const struct row_writer *out);

void row_gap(struct row_writer *out, int columns);
void row_text(struct row_writer *out, enum style style, const char *text);
void row_printf(struct row_writer *out, enum style style, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Foreign text, cut with an ellipsis at the end of the room. */
void row_clean(struct row_writer *out, enum style style, const char *text);
/* Foreign text in a field of `columns`: row_field() pads it on the right,
 * row_right() on the left. */
void row_field(struct row_writer *out, int columns, enum style style,
	const char *text);
void row_right(struct row_writer *out, int columns, enum style style,
	const char *text);

/* The next two functions add a hot spot for the glossary entry `name`. */
/* A value, right-aligned in at least `columns`, then its name, dim. */
void row_value(struct row_writer *out, int columns, enum style style,
	const char *value, const char *name);
/* The name, dim, then the value. */
void row_pair(struct row_writer *out, const char *name, enum style style,
	const char *value);

/* Adds a hot spot for `label` over the text since column `from`. */
void row_add_hot_spot(const struct row_writer *out, int from,
	const char *label);

/* Skips to the last `columns` of the room; false: no room. */
bool row_flush(struct row_writer *out, int columns);

#endif
