/*
 * worker_detail: everything about one worker.
 *
 * Facts come with each snapshot. The live input, what the target wrote, the
 * states that the worker was in, and its options are asked for. Where there
 * is room, all of them are shown; where there is not, one at a time.
 */
#ifndef CFUZZ_UI_VIEWS_WORKERS_WORKER_DETAIL_H
#define CFUZZ_UI_VIEWS_WORKERS_WORKER_DETAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "control/query.h"
#include "ui/model/model.h"
#include "ui/term/grid.h"

struct worker_detail {
	size_t pane;        /* the one that is shown alone; … */
	size_t first;       /* … of those from here on, when it was drawn */
	bool known;         /* `reply` is of a worker */
	struct reply reply; /* owned */
};

void worker_detail_clear(struct worker_detail *detail);

/* A box with the selected worker. */
void worker_detail_draw(struct worker_detail *detail, const struct model *model,
	struct grid *grid, struct rect rect);

/* "left", "right": another pane; false: neither. */
bool worker_detail_command(struct worker_detail *detail, const char *command);

/* What it wants to know of the selected worker; false: there is none. */
bool worker_detail_want(const struct model *model, struct query *query);
/* Takes what was asked for out of the reply. */
void worker_detail_take(struct worker_detail *detail, struct reply *reply);

#endif
