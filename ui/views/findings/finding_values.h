/*
 * finding_values: values of a finding: how often and how reliably it fails,
 * its minimized size, the user's note, its files, and a command that runs it
 * again.
 */
#ifndef CFUZZ_UI_VIEWS_FINDINGS_FINDING_VALUES_H
#define CFUZZ_UI_VIEWS_FINDINGS_FINDING_VALUES_H

#include "control/command.h"
#include "control/query.h"
#include "control/snapshot.h"
#include "ui/model/model.h"
#include "ui/term/grid.h"

struct finding_values_drawn {
	int rows;
	unsigned shown; /* whole values */
	unsigned left;  /* values below that have no room */
};

/* Draws the values from number `first` on; more: the engine's reply, or NULL. */
struct finding_values_drawn finding_values_draw(const struct model *model,
	const struct snapshot_finding *f, const struct reply_finding *more,
	unsigned first, struct grid *grid, struct rect rect);

/* The command that runs the input again, as far as it is known; "": too long
 * for "copy COMMAND". */
#define FINDING_COMMAND (COMMAND_LINE_MAX - sizeof("copy ") + 1)
void finding_command(const struct snapshot *snapshot,
	const struct snapshot_finding *f, const struct reply_finding *more,
	char buf[FINDING_COMMAND]);

#endif
