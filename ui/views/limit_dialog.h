/*
 * limit_dialog: the dialog that changes limits while a campaign runs.
 *
 * Its rows are the snapshot's limits. limit_dialog.c holds state and keys,
 * view_limits.c draws.
 */
#ifndef CFUZZ_UI_VIEWS_LIMIT_DIALOG_H
#define CFUZZ_UI_VIEWS_LIMIT_DIALOG_H

#include "ui/model/model.h"
#include "ui/term/grid.h"

/* Draws the dialog over the view; area: all between header and footer. */
void limit_dialog_draw(const struct model *model, struct grid *grid,
	struct rect area);

/* Why no limit can be changed now; NULL: they can. */
const char *limit_dialog_refuses(const struct model *model);

void limit_dialog_open(struct model *model);
/*
 * Runs a command of the dialog ("up", "down", "open", "back", …) or of its text
 * field; true: handled. Writes a line for the engine into `send`
 * (COMMAND_LINE_MAX bytes), which stays as it is if there is none.
 */
bool limit_dialog_command(struct model *model, const char *command, char *send);
/* Takes typed or pasted text; a digit starts a new value. False: not used. */
bool limit_dialog_type(struct model *model, const char *text, size_t len);
/* Takes the engine's answer to the last line that the dialog sent. */
void limit_dialog_answer(struct model *model, bool ok, const char *text);

#endif
