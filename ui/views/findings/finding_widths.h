/*
 * finding_widths: how two columns of a table share their room, so that rows of
 * findings stay legible.
 *
 * File and line come first, then the failure, then the function.
 */
#ifndef CFUZZ_UI_VIEWS_FINDINGS_FINDING_WIDTHS_H
#define CFUZZ_UI_VIEWS_FINDINGS_FINDING_WIDTHS_H

#include "control/snapshot.h"
#include "ui/widgets/table.h"

/* Columns that the texts of some findings need; { 0 } at first. */
struct finding_widths {
	int what, where;
	int least; /* for file and line alone */
};

void finding_widths_add(struct finding_widths *needed,
	const struct snapshot_finding *finding);

/* Column `what` has the failure, the next one the location. */
void finding_widths_share(const struct finding_widths *needed,
	struct table *layout, size_t what);

#endif
