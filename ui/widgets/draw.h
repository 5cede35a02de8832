/*
 * draw: boxes, bars, scroll bars and paragraphs.
 *
 * Everything is cut at its rectangle, even at an empty one, and has an ASCII
 * form. The title of a box shows the number key that opens the matching view.
 */
#ifndef CFUZZ_UI_WIDGETS_DRAW_H
#define CFUZZ_UI_WIDGETS_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/model/text_field.h"
#include "ui/term/glyph.h"
#include "ui/term/grid.h"
#include "ui/term/row_writer.h"

struct draw_box {
	const char *title; /* at the upper left; may be foreign text */
	char key;          /* digit before the title, or 0 */
	const char *right; /* at the upper right, or NULL */
	bool right_cut;    /* too long a text there is cut, not left out */
	const char *below; /* at the lower right, or NULL */
	bool focus;
};

/*
 * Draws a rounded frame and clears the inside. Returns the inside without its
 * left and right columns, or the whole rectangle if it is too small for a
 * frame.
 */
struct rect draw_box(struct grid *grid, struct rect rect,
	const struct draw_box *box);

/* Adds a hot spot over the text since column `from`; a click presses `key`. */
void draw_key_hot_spot(const struct row_writer *out, int from, const char *key);

/* Does the rectangle get a frame? Not if it or the screen has few rows. */
bool draw_box_fits(const struct grid *grid, struct rect rect);

/* A bar of w columns, in eighths of a column; fraction 0 … 1. */
void draw_bar(struct grid *grid, int x, int y, int w, double fraction,
	enum style style);

/* A mark at the right edge of a box: the visible part of n rows. */
void draw_scroll(struct grid *grid, struct rect box, size_t top, size_t seen,
	size_t n);

/* Wraps text over the rows and cuts it with an ellipsis after the last one;
 * returns the number of rows used. Cleans the text. */
int draw_words(struct grid *grid, struct rect rect, enum style style,
	const char *text);

/* Rows that a cleaned text takes at width w. */
int draw_words_rows(const char *text, int w);

/* Bytes of cleaned text for one row: up to a blank, if possible. */
size_t draw_words_fit(const char *text, int columns);

/* In the middle of an empty area: why it is empty, and what to do. */
void draw_empty(struct grid *grid, struct rect rect, const char *why,
	const char *what);

/* Cuts rows off the top and returns them; rect keeps the rest. */
struct rect draw_cut_top(struct rect *rect, int rows);
struct rect draw_cut_left(struct rect *rect, int columns);
struct rect draw_cut_bottom(struct rect *rect, int rows);

/* The place of a dialog of that size, or of a smaller one if it does not fit. */
struct rect draw_middle(struct rect area, int w, int h);

/* One row: the text, scrolled to the cursor, and the cursor. */
void draw_field(const struct text_field *field, struct grid *grid,
	struct rect rect);

#endif
