/*
 * lazy_list: a list that holds only the rows around the visible ones.
 */
#include "ui/widgets/lazy_list.h"

#define LAZY_LIST_PAGE_MIN 16u

static size_t
lazy_list_page(const struct list *list)
{
	if (list->page < LAZY_LIST_PAGE_MIN)
		return LAZY_LIST_PAGE_MIN;
	return list->page < QUERY_ROWS_MAX / 4 ? list->page
					       : QUERY_ROWS_MAX / 4;
}

void
lazy_list_query(const struct list *list, struct query *query)
{
	size_t page = lazy_list_page(list), at = list->top / page;

	query->first = (at > 0 ? at - 1 : 0) * page;
	query->count = (uint32_t)(4 * page);
}

void
lazy_list_query_end(const struct list *list, struct query *query)
{
	size_t page = lazy_list_page(list);

	/* Aligned as well, or each new row would need another query. */
	query->first = list->n > 3 * page ? (list->n / page - 2) * page : 0;
	query->count = (uint32_t)(4 * page);
}

size_t
lazy_list_shown(const struct list *list, uint64_t first, size_t n, size_t shown)
{
	size_t seen = list_seen(list), from = (size_t)first, end = from + n;

	if (list->top >= from && list->top + seen <= end)
		return list->top;
	if (shown + seen > end)
		shown = end > seen ? end - seen : 0;
	return shown > from ? shown : from;
}

void
lazy_list_follow(struct list *list, size_t row)
{
	size_t above = list->selected - list->top;

	list->top = row > above ? row - above : 0;
	list_select(list, row);
}
