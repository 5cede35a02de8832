/*
 * worker_facts: what is known of one worker, a line for each subject.
 */
#ifndef CFUZZ_UI_VIEWS_WORKERS_WORKER_FACTS_H
#define CFUZZ_UI_VIEWS_WORKERS_WORKER_FACTS_H

#include "control/snapshot.h"
#include "ui/term/grid.h"

/* step_s: seconds between the steps of a stop. Returns the rows it took. */
int worker_facts_draw(const struct snapshot_worker *worker, double step_s,
	struct grid *grid, struct rect rect);

#endif
