/*
 * table: columns that stand still.
 *
 * Widths follow from the room alone, never from values, so numbers do not
 * jump. When the room is short, the columns of the highest rank go first;
 * when there is more, the growing ones get it.
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
	int width; /* at least */
	int grow;  /* how much of it, at most, if there is room */
	int rank;  /* 0: always there */
	bool right;
};

struct table {
	const struct table_column *columns;
	size_t n;
	struct {
		int x, w; /* w 0: not there */
	} places[TABLE_COLUMNS];
};

void table_layout(struct table *table, const struct table_column *columns,
	size_t n, int width);

/* The heads; the sorted column (< 0: none) bears a mark. */
void table_head(const struct table *table, struct grid *grid, struct rect rect,
	int sorted, bool falling);

/* A pen over one cell of the row; without room if the column is not there. */
struct row_writer table_pen(const struct table *table, struct grid *grid,
	struct rect rect, int row, size_t column);

/* Foreign text in a cell, left or right as the column says. */
void table_text(const struct table *table, struct grid *grid, struct rect rect,
	int row, size_t column, enum style style, const char *text);

#endif
