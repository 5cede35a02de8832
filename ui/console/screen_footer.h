/*
 * screen_footer: the last row of the screen: useful keys, or the prompt.
 */
#ifndef CFUZZ_UI_CONSOLE_SCREEN_FOOTER_H
#define CFUZZ_UI_CONSOLE_SCREEN_FOOTER_H

#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/views/view.h"

/* view: the footer shows only those of its keys that it offers; NULL: all. */
void screen_footer_draw(const struct model *model, struct grid *grid,
	const struct view_ops *view, void *state);

/* Is the key useful enough for the footer now? */
bool screen_footer_offers(const struct model *model,
	const struct view_ops *view, void *state, const struct key_row *row);

#endif
