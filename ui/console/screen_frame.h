/*
 * screen_frame: header, footer and message around every view.
 *
 * The header shows the state of the campaign, or a call-out. The footer shows
 * useful keys, or the prompt. A message, such as the answer to the last
 * command, is shown above the footer and hides no key. overlay.h draws above
 * the view.
 */
#ifndef CFUZZ_UI_CONSOLE_SCREEN_FRAME_H
#define CFUZZ_UI_CONSOLE_SCREEN_FRAME_H

#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/views/view.h"

/* The area between header and footer; a tiny terminal has neither. */
struct rect screen_frame_body(const struct grid *grid);

/* The room above the message, for panels. */
struct rect screen_frame_free(const struct model *model,
	const struct grid *grid);

/*
 * The footer shows only those keys of the view that the view offers; NULL: all.
 */
void screen_frame_draw(const struct model *model, struct grid *grid,
	const struct view_ops *view, void *state);

#endif
