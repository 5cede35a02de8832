/*
 * sort: the column and order by which a list is sorted.
 */
#include "ui/widgets/sort.h"

#include <stdlib.h>
#include <string.h>

#include "ui/widgets/draw.h"

_Static_assert(TABLE_COLUMNS <= 32, "a bit for each column");

static bool
sort_sorts(const struct table_column *column)
{
	return column->query != NULL || column->number != NULL ||
		column->text != NULL;
}

static bool
sort_is_seen(const struct sort *sort, size_t column)
{
	return (sort->hidden >> column & 1) == 0;
}

static void
sort_next(struct sort *sort, const struct table_column *columns, size_t n)
{
	for (size_t i = 1; i <= n; i++) {
		size_t column = (sort->column + i) % n;

		if (!sort_sorts(&columns[column]) ||
			!sort_is_seen(sort, column))
			continue;
		sort->column = column;
		sort->reverse = false;
		return;
	}
}

/* Choosing the sorted column again reverses the order. */
static void
sort_choose(struct sort *sort, const struct table_column *columns, size_t n,
	const char *text)
{
	char *end;
	unsigned long column = strtoul(text, &end, 10);

	if (end == text || *end != '\0' || column >= n ||
		!sort_sorts(&columns[column]))
		return;
	sort->reverse = sort->column == column && !sort->reverse;
	sort->column = column;
}

bool
sort_command(struct sort *sort, const struct table_column *columns, size_t n,
	const char *command)
{
	if (strcmp(command, "sort") == 0)
		sort_next(sort, columns, n);
	else if (strcmp(command, "sort-reverse") == 0)
		sort->reverse = !sort->reverse;
	else if (strncmp(command, "sort ", 5) == 0)
		sort_choose(sort, columns, n, command + 5);
	else
		return false;
	return true;
}

bool
sort_falling(const struct sort *sort, const struct table_column *columns)
{
	return columns[sort->column].falling != sort->reverse;
}

/* ---- rows in memory ---- */

struct sort_order {
	const struct table_column *column;
	bool falling;
};

static int
sort_compare_values(const struct table_column *column, const void *left,
	const void *right)
{
	double a, b;

	if (column->text != NULL)
		return strcmp(column->text(left), column->text(right));
	if (column->number == NULL)
		return 0;
	a = column->number(left);
	b = column->number(right);
	return a < b ? -1 : a > b;
}

static int
sort_compare(const void *a, const void *b, void *arg)
{
	const void *left = *(const void *const *)a;
	const void *right = *(const void *const *)b;
	const struct sort_order *order = arg;
	int less = sort_compare_values(order->column, left, right);

	if (less != 0)
		return order->falling ? -less : less;
	return (uintptr_t)left < (uintptr_t)right
		? -1
		: (uintptr_t)left > (uintptr_t)right;
}

void
sort_rows(const struct sort *sort, const struct table_column *columns,
	const void **rows, size_t n)
{
	struct sort_order order = { &columns[sort->column],
		sort_falling(sort, columns) };

	if (n > 1)
		qsort_r(rows, n, sizeof(rows[0]), sort_compare, &order);
}

void
sort_head(struct sort *sort, const struct table *table, struct grid *grid,
	struct rect *area)
{
	sort->hidden = 0;
	for (size_t i = 0; i < table->n; i++)
		if (table->cells[i].w == 0)
			sort->hidden |= 1u << i;
	if (area->h > 2)
		table_head(table, grid, draw_cut_top(area, 1),
			(int)sort->column, sort_falling(sort, table->columns));
}
