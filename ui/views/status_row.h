/*
 * status_row: one row about the present state, and whether it is good.
 *
 * While the campaign runs: the limits in force, changed ones first. While it
 * warms up, pauses, stops or has ended: how far that is and what to do.
 * Trouble with the disk stands before everything.
 */
#ifndef CFUZZ_UI_VIEWS_STATUS_ROW_H
#define CFUZZ_UI_VIEWS_STATUS_ROW_H

#include "ui/model/model.h"
#include "ui/term/row_writer.h"

void status_row_put(const struct model *model, struct row_writer *pen);

/* State and findings in as few columns as there are. */
void status_row_put_brief(const struct model *model, struct row_writer *pen);

#endif
