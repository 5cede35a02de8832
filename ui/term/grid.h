/*
 * grid: a rectangle of character cells with named styles.
 *
 * Views draw into a grid, and one file copies the grid to the terminal, so a
 * test can check a screen as text. Drawing outside the grid is cut, not an
 * error. Text is UTF-8 that has passed text_clean(); a wide character takes two
 * cells, and a combining mark joins the cell before it.
 */
#ifndef CFUZZ_UI_TERM_GRID_H
#define CFUZZ_UI_TERM_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/term/hot_spot.h"
#include "ui/term/style.h"

struct rect {
	int x, y, w, h;
};

struct cell {
	char text[16]; /* one character with its marks, UTF-8; "" = the right
		        * half of a wide character */
	uint8_t style; /* enum style */
	uint8_t level; /* 0 … 100, for styles with a gradient */
};

struct grid;

/* A side has 1 to 4096 cells; other numbers are clamped. */
struct grid *grid_create(int w, int h);
void grid_destroy(struct grid *grid);              /* NULL is fine */
void grid_resize(struct grid *grid, int w, int h); /* clears */
void grid_clear(struct grid *grid);                /* and its hot spots */
int grid_width(const struct grid *grid);
int grid_height(const struct grid *grid);
/* The cell, borrowed until the grid is resized; outside of the grid a blank
 * one. Never NULL. */
const struct cell *grid_cell(const struct grid *grid, int x, int y);

/* Draws frames, graphs and text in ASCII instead of UTF-8. */
void grid_set_ascii(struct grid *grid, bool ascii);
bool grid_ascii(const struct grid *grid);

/* Writes into one row, at most `max` columns (< 0: up to the row's end).
 * Returns the number of columns used. */
int grid_text(struct grid *grid, int x, int y, int max, enum style style,
	const char *text);
int grid_printf(struct grid *grid, int x, int y, int max, enum style style,
	const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* ch: a character of one column; others fill nothing. */
void grid_fill(struct grid *grid, struct rect rect, enum style style,
	const char *ch);
/* Changes the style and keeps the characters, for a selected row. */
void grid_restyle(struct grid *grid, struct rect rect, enum style style);
/* Puts one character. level: 0 to 100, clamped. */
void grid_put(struct grid *grid, int x, int y, enum style style, int level,
	const char *ch);

/* Adds a hot spot, cut at the grid's edges; see hot_spot.h. */
void grid_add_hot_spot(struct grid *grid, struct rect rect,
	enum hot_spot_kind kind, const char *text);
/* Removes the hot spots that something is now drawn over. */
void grid_cover(struct grid *grid, struct rect rect);
const struct hot_spots *grid_hot_spots(const struct grid *grid);

#endif
