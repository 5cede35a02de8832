/*
 * journal_event: one event of the journal in detail.
 */
#ifndef CFUZZ_UI_VIEWS_JOURNAL_EVENT_H
#define CFUZZ_UI_VIEWS_JOURNAL_EVENT_H

#include "ui/model/model.h"
#include "ui/term/grid.h"

/* event: NULL draws nothing. */
void journal_event_draw(const struct snapshot_event *event,
	const struct model *model, struct grid *grid, struct rect area);

#endif
