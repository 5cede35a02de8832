/*
 * worker_values: values of one worker, a line per subject.
 */
#ifndef CFUZZ_UI_VIEWS_WORKERS_WORKER_VALUES_H
#define CFUZZ_UI_VIEWS_WORKERS_WORKER_VALUES_H

#include "ui/model/model.h"
#include "ui/term/grid.h"

/* Returns the rows used. */
int worker_values_draw(const struct model *model,
	const struct snapshot_worker *worker, struct grid *grid,
	struct rect rect);

#endif
