/*
 * overlay: what lies above everything: a question, or why nothing ran.
 */
#ifndef CFUZZ_UI_CONSOLE_OVERLAY_H
#define CFUZZ_UI_CONSOLE_OVERLAY_H

#include "ui/model/model.h"
#include "ui/term/grid.h"

/* In the middle of the body; nothing below can be clicked then. */
void overlay_draw(const struct model *model, struct grid *grid,
	struct rect body);

#endif
