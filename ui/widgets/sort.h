/*
 * sort: the column and order by which a list is sorted.
 *
 * `o` sorts by the next visible column, `O` reverses the order, and a click on
 * a head sorts by that column. Rows in memory are sorted here; for rows of the
 * engine, the query carries the column's name and sort_falling().
 */
#ifndef CFUZZ_UI_WIDGETS_SORT_H
#define CFUZZ_UI_WIDGETS_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/widgets/table.h"

struct sort {
	size_t column;
	bool reverse;
	uint32_t hidden; /* bit set of columns without room */
};

/* Define the function `name` of a column, which returns a row's number or text.
 * Rows are of type `struct tag`; the expression calls the row `row`. */
#define SORT_NUMBER(name, tag, expression) \
	static double name(const void *item) \
	{ \
		const struct tag *row = item; \
\
		return (double)(expression); \
	}
#define SORT_TEXT(name, tag, expression) \
	static const char *name(const void *item) \
	{ \
		const struct tag *row = item; \
\
		return expression; \
	}

/* "sort", "sort-reverse", "sort N": column N, from 0, and in reverse if it is
 * chosen again. False: another command. */
bool sort_command(struct sort *sort, const struct table_column *columns,
	size_t n, const char *command);

/* Does the greatest value come first? */
bool sort_falling(const struct sort *sort, const struct table_column *columns);

/*
 * Sorts pointers to elements of one array; equal elements keep their order in
 * that array.
 */
void sort_rows(const struct sort *sort, const struct table_column *columns,
	const void **rows, size_t n);

/* table_head() with the symbol of the sorted column, in the first row of the
 * area, which is cut off. An area of one or two rows has no head. Sets
 * sort->hidden. */
void sort_head(struct sort *sort, const struct table *table, struct grid *grid,
	struct rect *area);

#endif
