/*
 * worker_table: the workers as rows, for each view that shows them.
 *
 * The room decides how much of a worker is seen. The order is that of ids
 * until the user sorts by a column.
 */
#ifndef CFUZZ_UI_WORKER_TABLE_H
#define CFUZZ_UI_WORKER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/grid.h"
#include "ui/list.h"
#include "ui/model.h"

#define WORKER_TABLE_MAX 256 /* workers of a campaign */

struct worker_table {
	struct list list;
	size_t sort; /* column */
	bool reverse;
	bool quiet; /* the selected row has a mark only; no sorting */
};

/* Head and rows; the box, for the scroll mark, is around the area. */
void worker_table_draw(struct worker_table *table, const struct model *model,
	struct grid *grid, struct rect area, struct rect box);

/*
 * Moving selects another worker: a line for the console is written into
 * `send`. "sort" and "sort-reverse" are done here. True: handled.
 */
bool worker_table_command(struct worker_table *table, const struct model *model,
	const char *command, char *send);

#endif
