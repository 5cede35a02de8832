/*
 * lazy_list: a list that holds only the rows around the visible ones.
 *
 * It asks for four pages, aligned to pages, so that scrolling by rows and by
 * one page stays within them. Until the reply is here, the old rows are shown.
 */
#ifndef CFUZZ_UI_WIDGETS_LAZY_LIST_H
#define CFUZZ_UI_WIDGETS_LAZY_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "control/query.h"
#include "ui/widgets/list.h"

#define LAZY_LIST_ROWS_MAX UINT32_MAX /* a greater count is not trusted */

/* Sets first and count of the query to the rows around the visible ones. */
void lazy_list_query(const struct list *list, struct query *query);
/* The same for the list's end, with room for new rows. */
void lazy_list_query_end(const struct list *list, struct query *query);

/*
 * The first row to draw: list->top if all visible rows are among the n held
 * ones, which start at `first`; else a row near `shown`, the last one drawn.
 */
size_t lazy_list_shown(const struct list *list, uint64_t first, size_t n,
	size_t shown);

/* Selects another row and scrolls by as much. */
void lazy_list_follow(struct list *list, size_t row);

#endif
