/*
 * status_row: one row with the state of the campaign, and problems.
 *
 * While fuzzing: the limits in force, changed ones first. During warm-up, a
 * pause or a stop, and after the end: the progress and the key to press.
 * Problems with the disk come first.
 */
#ifndef CFUZZ_UI_VIEWS_STATUS_ROW_H
#define CFUZZ_UI_VIEWS_STATUS_ROW_H

#include "ui/model/model.h"
#include "ui/term/row_writer.h"

void status_row_put(const struct model *model, struct row_writer *out);

/* Draws state and findings in as few columns as possible. */
void status_row_put_brief(const struct model *model, struct row_writer *out);

#endif
