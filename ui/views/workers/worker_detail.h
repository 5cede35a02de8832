/*
 * worker_detail: everything about one worker.
 *
 * The values are in each snapshot. The view asks the engine for the live input,
 * the target's output, past states and sanitizer options. All are shown if
 * there is room, else one at a time.
 */
#ifndef CFUZZ_UI_VIEWS_WORKERS_WORKER_DETAIL_H
#define CFUZZ_UI_VIEWS_WORKERS_WORKER_DETAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "control/query.h"
#include "ui/model/model.h"
#include "ui/term/grid.h"

struct worker_detail {
	size_t pane;        /* the pane shown alone */
	size_t first;       /* first such pane at the last draw */
	bool alone;         /* one pane was shown at the last draw */
	bool known;         /* there is a reply */
	struct reply reply; /* owned */
};

void worker_detail_clear(struct worker_detail *detail);

/* Draws the selected worker in a box. */
void worker_detail_draw(struct worker_detail *detail, const struct model *model,
	struct grid *grid, struct rect rect);

/* "left", "right": switch the pane; false: another command. */
bool worker_detail_command(struct worker_detail *detail, const char *command);

/* Makes the query for the selected worker; false: no worker. */
bool worker_detail_query(const struct model *model, struct query *query);
/* Moves the content out of the reply. */
void worker_detail_take(struct worker_detail *detail, struct reply *reply);

#endif
