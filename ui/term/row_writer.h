/*
 * row_writer: writing along one row, from left to right.
 *
 * A pen knows where it stands and where its room ends; what does not fit is
 * left out. Text of the campaign goes through pen_clean(), pen_field() or
 * pen_right(), which sanitise it; pen_text() is for words of our own.
 */
#ifndef CFUZZ_UI_TERM_ROW_WRITER_H
#define CFUZZ_UI_TERM_ROW_WRITER_H

#include <stdbool.h>

#include "ui/term/grid.h"

struct pen {
	struct grid *grid;
	int x, y;
	int end; /* the first column that is not ours */
};

/* At the start of the row-th row of rect; a row outside has no room. */
struct pen pen_at(struct grid *grid, struct rect rect, int row);
int pen_room(const struct pen *pen);

void pen_gap(struct pen *pen, int columns);
void pen_text(struct pen *pen, enum style style, const char *text);
void pen_printf(struct pen *pen, enum style style, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Foreign text, cut with an ellipsis at the room that is left. */
void pen_clean(struct pen *pen, enum style style, const char *text);
/* In a field of so many columns, padded: on the right, on the left. */
void pen_field(struct pen *pen, int columns, enum style style,
	const char *text);
void pen_right(struct pen *pen, int columns, enum style style,
	const char *text);

/* Both note a field with that name (mark.h). */
/* A value, right-aligned in `columns` or more, then its name, dim. */
void pen_value(struct pen *pen, int columns, enum style style,
	const char *value, const char *name);
/* The name, dim, then the value; a gap of two before if not first. */
void pen_pair(struct pen *pen, const char *name, enum style style,
	const char *value);

/* What was written since column `from` is a field of that label. */
void pen_mark(const struct pen *pen, int from, const char *label);

/* Skips to the column so that `columns` remain; false: no room. */
bool pen_flush(struct pen *pen, int columns);

#endif
