/*
 * limit_dialog: the dialog in which limits are changed while a campaign runs.
 *
 * Its rows are the snapshot's limits. State and keys are in limits.c, the
 * picture is in view_limits.c.
 */
#ifndef CFUZZ_UI_VIEWS_LIMIT_DIALOG_H
#define CFUZZ_UI_VIEWS_LIMIT_DIALOG_H

#include "ui/model/model.h"
#include "ui/term/grid.h"

/* Draws the dialog above the view; area: all between header and footer. */
void limit_dialog_draw(const struct model *model, struct grid *grid,
	struct rect area);

void limit_dialog_open(struct model *model);
/*
 * A command of the dialog ("up", "down", "open", "back", …) or of its text
 * field; true: handled. A line for the engine is written into `send`.
 */
bool limit_dialog_command(struct model *model, const char *command, char *send);
/* Typed or pasted text; digits begin a new value. False: not wanted. */
bool limit_dialog_type(struct model *model, const char *text, size_t len);
/* The engine's answer to the line that the dialog sent last. */
void limit_dialog_answer(struct model *model, bool ok, const char *text);

#endif
