/*
 * overlay: a question or an error of the start, above everything else.
 */
#ifndef CFUZZ_UI_CONSOLE_OVERLAY_H
#define CFUZZ_UI_CONSOLE_OVERLAY_H

#include "ui/model/model.h"
#include "ui/term/grid.h"

/* Draws in the middle of the body; nothing below it can be clicked. */
void overlay_draw(const struct model *model, struct grid *grid,
	struct rect body);

#endif
