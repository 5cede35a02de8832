/*
 * sort: by which column a list is sorted, and the sorting.
 *
 * One form for every list. A view has a row of struct sort_column for each
 * column of its table (table.h); `o` goes to the next column that sorts and
 * is seen, `O` turns the order round, a click on a head chooses it. Rows in
 * memory are sorted here; rows that the engine has are asked for with the
 * column's name and sort_falling().
 */
#ifndef CFUZZ_UI_WIDGETS_SORT_H
#define CFUZZ_UI_WIDGETS_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/widgets/table.h"

/* None of the first three: the list does not sort by this column. */
struct sort_column {
	const char *name; /* for a query */
	double (*number)(const void *row);
	const char *(*text)(const void *row);
	bool falling; /* the natural order is: greatest first */
};

struct sort {
	size_t column;
	bool reverse;
	uint32_t hidden; /* columns for which there was no room */
};

/* "sort", "sort-reverse", "sort 3"; false: none of them. */
bool sort_command(struct sort *sort, const struct sort_column *columns,
	size_t n, const char *command);

/* The greatest first? */
bool sort_falling(const struct sort *sort, const struct sort_column *columns);

/*
 * Orders pointers to elements of one array; equal ones keep the order that
 * they have there.
 */
void sort_rows(const struct sort *sort, const struct sort_column *columns,
	const void **rows, size_t n);

/* table_head() with the mark of the order. */
void sort_head(struct sort *sort, const struct sort_column *columns,
	const struct table *table, struct grid *grid, struct rect rect);

#endif
