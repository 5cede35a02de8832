/*
 * worker_values: values of one worker, a line per subject.
 */
#ifndef CFUZZ_UI_VIEWS_WORKERS_WORKER_VALUES_H
#define CFUZZ_UI_VIEWS_WORKERS_WORKER_VALUES_H

#include "control/snapshot.h"
#include "ui/term/grid.h"

/* step_s: seconds between the steps of a stop. Returns the rows used. */
int worker_values_draw(const struct snapshot_worker *worker, double step_s,
	struct grid *grid, struct rect rect);

#endif
