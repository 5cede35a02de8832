/*
 * screen_frame: what stands around every view.
 *
 * The header says what is being done, or calls something out; the footer
 * has the keys that matter now, or the prompt; a message, as the answer to the
 * last command, lies above the footer and hides no key. What lies above the view is overlay.h's.
 */
#ifndef CFUZZ_UI_CONSOLE_SCREEN_FRAME_H
#define CFUZZ_UI_CONSOLE_SCREEN_FRAME_H

#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/views/view.h"

/* The room between header and footer; a tiny terminal has neither. */
struct rect screen_frame_body(const struct grid *grid);

/* The room above the message, where panels may lie. */
struct rect screen_frame_free(const struct model *model,
	const struct grid *grid);

/* Of the view's keys the footer has those that the view offers; NULL: all. */
void screen_frame_draw(const struct model *model, struct grid *grid,
	const struct view_ops *view, void *state);

/* Is that key worth a place in the footer now? */
bool screen_frame_offers(const struct model *model, const struct view_ops *view,
	void *state, const struct key_row *row);

#endif
