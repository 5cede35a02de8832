/*
 * events: what happened, one line each, the newest first.
 */
#ifndef CFUZZ_UI_EVENTS_H
#define CFUZZ_UI_EVENTS_H

#include "control/snapshot.h"
#include "ui/grid.h"

void events_draw(const struct snapshot *snapshot, struct grid *grid,
	struct rect rect);

#endif
