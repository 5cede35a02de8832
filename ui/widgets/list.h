/*
 * list: which row of a list is selected, and which part of it is seen.
 *
 * It knows no data: the owner says how many rows there are and how many fit,
 * draws the rows from list.top on, and passes commands on. One list serves
 * every view.
 */
#ifndef CFUZZ_UI_WIDGETS_LIST_H
#define CFUZZ_UI_WIDGETS_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/term/grid.h"

struct list {
	size_t n;        /* rows there are */
	size_t page;     /* rows that fit */
	size_t top;      /* the first that is seen */
	size_t selected; /* < n, or 0 */
};

/* Before drawing: keeps selection and top inside, the selection in sight. */
void list_fit(struct list *list, size_t n, size_t page);

void list_select(struct list *list, size_t row);

/* "up", "down", "page-up", "page-down", "home", "end", "row N"; false: none of
 * them. */
bool list_command(struct list *list, const char *command);

/* Rows that are drawn: at most page, from top on. */
size_t list_seen(const struct list *list);

/* After drawing them, one line each from the area's top: a click selects a
 * row, one on the selected row opens it. */
void list_mark(const struct list *list, struct grid *grid, struct rect area);

#endif
