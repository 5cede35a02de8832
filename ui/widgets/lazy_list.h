/*
 * lazy_list: a list of which only the rows around the visible ones are here.
 *
 * Four pages are asked for, aligned to pages, so that scrolling by rows and
 * by one page stays within them. Until the answer is there, the rows that are
 * at hand go on being shown.
 */
#ifndef CFUZZ_UI_WIDGETS_LAZY_LIST_H
#define CFUZZ_UI_WIDGETS_LAZY_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "control/query.h"
#include "ui/widgets/list.h"

#define LAZY_LIST_ROWS_MAX UINT32_MAX /* more are not believed */

/* first and count of what the list needs. */
void lazy_list_want(const struct list *list, struct query *query);
/* The same at the list's end, with room for what is new there. */
void lazy_list_want_end(const struct list *list, struct query *query);

/*
 * The first row to draw: the list's, if all from there on are among the
 * `n` at hand from `first` on; else one near `shown`, the last one drawn.
 */
size_t lazy_list_shown(const struct list *list, uint64_t first, size_t n,
	size_t shown);

/* The selected row is another now: what is seen moves along with it. */
void lazy_list_follow(struct list *list, size_t row);

#endif
