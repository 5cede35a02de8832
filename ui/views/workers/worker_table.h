/*
 * worker_table: the workers as rows, for each view that shows them.
 *
 * The room decides how much of a worker is seen. The order is that of ids
 * until the user sorts by a column.
 */
#ifndef CFUZZ_UI_VIEWS_WORKERS_WORKER_TABLE_H
#define CFUZZ_UI_VIEWS_WORKERS_WORKER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/widgets/list.h"
#include "ui/widgets/sort.h"

#define WORKER_TABLE_MAX 256 /* workers of a campaign */

struct worker_table {
	struct list list;
	struct sort sort;
	bool quiet; /* the selected row has a mark only; no sorting, no
		       filter */
};

/* Those that the filter lets through. */
size_t worker_table_shown(const struct worker_table *table,
	const struct model *model);

/*
 * The filter hides the selected worker. Then a command for it must not reach
 * it unseen: the first worker that is shown is selected instead, by a line
 * for the console ("" if there is none).
 */
bool worker_table_hides(const struct worker_table *table,
	const struct model *model, char *send);

/* Head and rows; the box, for the scroll mark, is around the area. */
void worker_table_draw(struct worker_table *table, const struct model *model,
	struct grid *grid, struct rect area, struct rect box);

/*
 * Moving selects another worker: a line for the console is written into
 * `send`. sort_command() is done here. True: handled.
 */
bool worker_table_command(struct worker_table *table, const struct model *model,
	const char *command, char *send);

#endif
