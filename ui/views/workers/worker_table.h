/*
 * worker_table: the workers as rows, for all views that show them.
 *
 * The room decides which columns are shown. Rows are sorted by id until the
 * user sorts by a column.
 */
#ifndef CFUZZ_UI_VIEWS_WORKERS_WORKER_TABLE_H
#define CFUZZ_UI_VIEWS_WORKERS_WORKER_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/widgets/list.h"
#include "ui/widgets/sort.h"

#define WORKER_TABLE_MAX 256 /* maximum workers of a campaign */

struct worker_table {
	struct list list;
	struct sort sort;
	bool quiet; /* marks the selected row only; no sorting, no filter */
};

/* Number of workers that pass the filter. */
size_t worker_table_shown(const struct worker_table *table,
	const struct model *model);

/*
 * True: the filter hides the selected worker, so a command for it would act on
 * a worker that is not seen. Writes a console line into `send` that selects the
 * first worker shown; "": none is shown.
 */
bool worker_table_hides(const struct worker_table *table,
	const struct model *model, char *send);

/* Draws head and rows; the scroll bar goes on `box`, around the area. */
void worker_table_draw(struct worker_table *table, const struct model *model,
	struct grid *grid, struct rect area, struct rect box);

/*
 * True: handled. Writes a console line into `send` to select another worker.
 * Also runs sort_command().
 */
bool worker_table_command(struct worker_table *table, const struct model *model,
	const char *command, char *send);

#endif
