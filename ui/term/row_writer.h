/*
 * row_writer: writing along one row, from left to right.
 *
 * A pen knows where it stands and where its room ends; what does not fit is
 * left out. Text of the campaign goes through row_clean(), row_field() or
 * row_right(), which sanitise it; row_text() is for words of our own.
 */
#ifndef CFUZZ_UI_TERM_ROW_WRITER_H
#define CFUZZ_UI_TERM_ROW_WRITER_H

#include <stdbool.h>

#include "ui/term/grid.h"

struct row_writer {
	struct grid *grid;
	int x, y;
	int end; /* the first column that is not ours */
};

/* At the start of the row-th row of rect; a row outside has no room. */
struct row_writer row_put_at(struct grid *grid, struct rect rect, int row);
int row_room(const struct row_writer *pen);

void row_gap(struct row_writer *pen, int columns);
void row_text(struct row_writer *pen, enum style style, const char *text);
void row_printf(struct row_writer *pen, enum style style, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Foreign text, cut with an ellipsis at the room that is left. */
void row_clean(struct row_writer *pen, enum style style, const char *text);
/* In a field of so many columns, padded: on the right, on the left. */
void row_field(struct row_writer *pen, int columns, enum style style,
	const char *text);
void row_right(struct row_writer *pen, int columns, enum style style,
	const char *text);

/* Both note a field with that name (mark.h). */
/* A value, right-aligned in `columns` or more, then its name, dim. */
void row_value(struct row_writer *pen, int columns, enum style style,
	const char *value, const char *name);
/* The name, dim, then the value; a gap of two before if not first. */
void row_pair(struct row_writer *pen, const char *name, enum style style,
	const char *value);

/* What was written since column `from` is a field of that label. */
void row_mark(const struct row_writer *pen, int from, const char *label);

/* Skips to the column so that `columns` remain; false: no room. */
bool row_flush(struct row_writer *pen, int columns);

#endif
