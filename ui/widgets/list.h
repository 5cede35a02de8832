/*
 * list: selection and scrolling of a list.
 *
 * It holds no data: the view passes the number of rows and the room, draws the
 * rows from list.top on, and passes commands on. All views use it.
 */
#ifndef CFUZZ_UI_WIDGETS_LIST_H
#define CFUZZ_UI_WIDGETS_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/term/grid.h"

struct list {
	size_t n;        /* number of rows */
	size_t page;     /* rows that fit */
	size_t top;      /* first visible row */
	size_t selected; /* < n, or 0 */
	/* The selected item has no row, so "down" selects the first one. */
	bool none;
	/* A page that takes the commands is open beside the list: a click
	 * sends "list row N", for the list alone. */
	bool beside;
	/* Its rows open nothing: a click on the selected one selects it. */
	bool inert;
};

/* Call before drawing n rows into an area of `rows` rows (none if negative):
 * clamps selection and top, and shows the selection. */
void list_fit(struct list *list, size_t n, int rows);

void list_select(struct list *list, size_t row);

/* "up", "down", "page-up", "page-down", "home", "end", "row N" (from 0); false:
 * any other command. */
bool list_command(struct list *list, const char *command);

/* Number of visible rows, from top on. */
size_t list_seen(const struct list *list);

/* Highlights a row of the area, and the columns beside it. */
void list_highlight(struct grid *grid, struct rect area, int row);

/* Call after drawing the rows, one line each from the area's top: a click
 * selects a row, or opens the selected one, unless a page is open beside the
 * list or rows open nothing. The scroll bar goes on `box`, the box around the
 * area; an empty box has none. */
void list_finish(const struct list *list, struct grid *grid, struct rect area,
	struct rect box);

#endif
