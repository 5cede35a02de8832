/*
 * table: columns of constant width.
 *
 * Widths depend on the room only, never on values, so numbers do not jump.
 * Without enough room, columns of the highest rank are hidden first; free room
 * goes to the growing columns. A list may be sorted by a column, see sort.h.
 */
#ifndef CFUZZ_UI_WIDGETS_TABLE_H
#define CFUZZ_UI_WIDGETS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/term/grid.h"
#include "ui/term/row_writer.h"

#define TABLE_COLUMNS 24

struct table_column {
	const char *head;
	int width;    /* minimum width */
	int grow;     /* maximum extra width */
	int rank;     /* 0: never hidden */
	bool right;   /* aligned */
	bool falling; /* by default, the greatest comes first */
	/* If these three are NULL, the list does not sort by the column. */
	double (*number)(const void *row);
	const char *(*text)(const void *row);
	const char *query; /* the column's name in a query */
};

struct table {
	const struct table_column *columns;
	size_t n;
	struct {
		int x, w; /* w 0: hidden */
	} cells[TABLE_COLUMNS];
};

/* n: at most TABLE_COLUMNS. */
void table_layout(struct table *table, const struct table_column *columns,
	size_t n, int width);

/* The heads; column `sorted` (< 0: none) gets a symbol. */
void table_head(const struct table *table, struct grid *grid, struct rect rect,
	int sorted, bool falling);

/* A row writer for one cell; without room if the column is hidden. */
struct row_writer table_writer(const struct table *table, struct grid *grid,
	struct rect rect, int row, size_t column);

/* Foreign text in a cell, aligned as its column. */
void table_text(const struct table *table, struct grid *grid, struct rect rect,
	int row, size_t column, enum style style, const char *text);

#endif
