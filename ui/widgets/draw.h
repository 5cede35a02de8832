/*
 * draw: what views are made of: boxes, bars, scroll marks, words.
 *
 * Everything is cut at the rectangle it is given, down to nothing, and has a
 * plain ASCII form. The titles of boxes bear the number key that leads to
 * more of the same.
 */
#ifndef CFUZZ_UI_WIDGETS_DRAW_H
#define CFUZZ_UI_WIDGETS_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/term/glyph.h"
#include "ui/term/grid.h"
#include "ui/term/row_writer.h"

struct draw_box {
	const char *title; /* left in the upper line; foreign text is fine */
	char key;          /* a number key before the title, or 0 */
	const char *right; /* right in the upper line, or NULL */
	const char *below; /* right in the lower line, or NULL */
	bool focus;
};

/*
 * A rounded frame, and an empty inside. Returns the room inside, with a free
 * column on both sides; too small for a frame: the whole rectangle.
 */
struct rect draw_box(struct grid *grid, struct rect rect,
	const struct draw_box *box);

/* What was written from that column on stands for the key: a click presses it.
 */
void draw_mark_key(const struct row_writer *pen, int from, const char *key);

/* Is the rectangle worth a frame? On a screen of few rows none is. */
bool draw_box_fits(const struct grid *grid, struct rect rect);

/* A bar over w columns; fraction 0 … 1, with eighths of a cell. */
void draw_bar(struct grid *grid, int x, int y, int w, double fraction,
	enum style style);

/* At the right edge of a box: which part of n rows is seen. */
void draw_scroll(struct grid *grid, struct rect box, size_t top, size_t seen,
	size_t n);

/* Words broken over the rows, the last one with an ellipsis if they do not
 * fit; returns the rows used. Cleans the text. */
int draw_words(struct grid *grid, struct rect rect, enum style style,
	const char *text);

/* Rows that a cleaned text takes at a width. */
int draw_words_rows(const char *text, int w);

/* Bytes of cleaned text for one row: up to a blank, if there is one. */
size_t draw_words_fit(const char *text, int columns);

/* In the middle of an empty place: why it is so, and what to do. */
void draw_empty(struct grid *grid, struct rect rect, const char *why,
	const char *what);

/* Cuts rows off the top: the part above is returned, rect keeps the rest. */
struct rect draw_cut_top(struct rect *rect, int rows);
struct rect draw_cut_left(struct rect *rect, int columns);
struct rect draw_cut_bottom(struct rect *rect, int rows);

#endif
