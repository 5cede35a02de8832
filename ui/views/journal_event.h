/*
 * journal_event: one event of the journal in detail.
 */
#ifndef CFUZZ_UI_VIEWS_JOURNAL_EVENT_H
#define CFUZZ_UI_VIEWS_JOURNAL_EVENT_H

#include "ui/model/model.h"
#include "ui/term/grid.h"

/* Is the event about a finding, rather than about a corpus entry? */
bool journal_event_is_finding(const struct model *model,
	const struct snapshot_event *event);

/* event: NULL draws nothing. */
void journal_event_draw(const struct snapshot_event *event,
	const struct model *model, struct grid *grid, struct rect area);

#endif
