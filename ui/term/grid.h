/*
 * grid: a rectangle of character cells with named styles.
 *
 * Views draw here; one file copies the grid to the terminal. So a screen can
 * be tested as text, without a terminal. Drawing outside is cut, never an
 * error. Text is UTF-8 that has passed text_clean(); a wide character takes
 * two cells, a combining mark joins the cell before it.
 */
#ifndef CFUZZ_UI_TERM_GRID_H
#define CFUZZ_UI_TERM_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/term/hot_spot.h"
#include "ui/term/style.h"

struct rect {
	int x, y, w, h;
};

struct cell {
	char text[16]; /* one character with its marks, UTF-8; "" = the right
			  half of a wide character */
	uint8_t style; /* enum style */
	uint8_t level; /* gradient position 0 … 100 for gradient styles */
};

struct grid;

struct grid *grid_create(int w, int h);
void grid_destroy(struct grid *grid);              /* NULL is fine */
void grid_resize(struct grid *grid, int w, int h); /* clears */
void grid_clear(struct grid *grid);
int grid_width(const struct grid *grid);
int grid_height(const struct grid *grid);
const struct cell *grid_cell(const struct grid *grid, int x, int y);

/* UTF-8 or plain ASCII frames and graphs. */
void grid_set_ascii(struct grid *grid, bool ascii);
bool grid_ascii(const struct grid *grid);

/* Writes into one row, cut at max columns (< 0: the row's end). Returns
 * the columns used. */
int grid_text(struct grid *grid, int x, int y, int max, enum style style,
	const char *text);
int grid_printf(struct grid *grid, int x, int y, int max, enum style style,
	const char *fmt, ...) __attribute__((format(printf, 6, 7)));
void grid_fill(struct grid *grid, struct rect rect, enum style style,
	const char *ch);
/* Keeps the characters, changes the style (a selected row). */
void grid_restyle(struct grid *grid, struct rect rect, enum style style);
void grid_put(struct grid *grid, int x, int y, enum style style, int level,
	const char *ch);

/* What stands there now is this; cut at the grid, see mark.h. */
void grid_mark(struct grid *grid, struct rect rect, enum hot_spot_kind kind,
	const char *text);
/* Something is drawn over it. */
void grid_cover(struct grid *grid, struct rect rect);
const struct hot_spots *grid_marks(const struct grid *grid);

/* The whole grid as text, rows ended by newlines, trailing blanks cut;
 * the caller frees. */
char *grid_dump(const struct grid *grid);

#endif
