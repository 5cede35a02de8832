/* mutator_table: see mutator_table.h. */
#include "ui/views/mutator_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/table.h"

enum mutator_column {
	MUTATOR_NAME,
	MUTATOR_NEW,
	MUTATOR_ONE_IN,
	MUTATOR_SHARE,
	MUTATOR_COLUMNS
};

/* clang-format off */
static const struct table_column mutator_columns[MUTATOR_COLUMNS] = {
	/*		     head	       width grow rank right */
	[MUTATOR_NAME]	 = { "mutation",	17,   8,   0, .right = false },
	[MUTATOR_NEW]	 = { "new",		 6,   0,   0, .right = true },
	[MUTATOR_ONE_IN] = { "one in",		 7,   0,   0, .right = true },
	[MUTATOR_SHARE]	 = { "tries",		 6,   0,   1, .right = true },
};
/* clang-format on */

/* Mutations per new input. */
static double
mutator_cost(const struct snapshot_mutator *mutator)
{
	return (double)mutator->steps / (double)mutator->finds;
}

/* The cheapest first; then the most new inputs, then the snapshot's order. */
static int
mutator_compare(const void *a, const void *b)
{
	const struct snapshot_mutator *one =
		*(const struct snapshot_mutator *const *)a;
	const struct snapshot_mutator *two =
		*(const struct snapshot_mutator *const *)b;
	double cost = mutator_cost(one) - mutator_cost(two);

	if (cost < 0 || cost > 0)
		return cost < 0 ? -1 : 1;
	if (one->finds != two->finds)
		return one->finds > two->finds ? -1 : 1;
	return one < two ? -1 : one > two;
}

size_t
mutator_table_best(const struct snapshot *snapshot,
	const struct snapshot_mutator **best, size_t n)
{
	const struct snapshot_mutator *all[SNAPSHOT_MUTATORS_MAX];
	size_t i, all_n = 0;

	for (i = 0; i < snapshot->mutators_n && all_n < SNAPSHOT_MUTATORS_MAX;
		i++)
		if (snapshot->mutators[i].finds > 0)
			all[all_n++] = &snapshot->mutators[i];
	if (all_n > 0)
		qsort(all, all_n, sizeof(all[0]), mutator_compare);
	for (i = 0; i < n && i < all_n; i++)
		best[i] = all[i];
	return i;
}

static void
mutator_draw_row(const struct table *layout, struct grid *grid,
	struct rect area, int row, const struct snapshot_mutator *mutator)
{
	char buf[TEXT_NUMBER_SIZE];

	table_text(layout, grid, area, row, MUTATOR_NAME, STYLE_VALUE,
		mutator->name);
	table_text(layout, grid, area, row, MUTATOR_NEW, STYLE_VALUE,
		text_short((double)mutator->finds, buf));
	table_text(layout, grid, area, row, MUTATOR_ONE_IN, STYLE_STRONG,
		text_short(round(mutator_cost(mutator)), buf));
	if (mutator->share > 0)
		snprintf(buf, sizeof(buf), "%.1f %%", 100 * mutator->share);
	else
		snprintf(buf, sizeof(buf), "-");
	table_text(layout, grid, area, row, MUTATOR_SHARE, STYLE_DIM, buf);
}

void
mutator_table_draw(const struct snapshot *snapshot, struct grid *grid,
	struct rect area)
{
	const struct snapshot_mutator *best[SNAPSHOT_MUTATORS_MAX];
	struct table layout;
	size_t i, n;

	if (area.h < 2)
		return;
	n = mutator_table_best(snapshot, best, (size_t)area.h - 1);
	if (n == 0) {
		draw_words(grid, area, STYLE_DIM,
			"No mutation has found a new input so far.");
		return;
	}
	table_layout(&layout, mutator_columns, MUTATOR_COLUMNS, area.w);
	table_head(&layout, grid, draw_cut_top(&area, 1), -1, false);
	for (i = 0; i < n; i++)
		mutator_draw_row(&layout, grid, area, (int)i, best[i]);
}
