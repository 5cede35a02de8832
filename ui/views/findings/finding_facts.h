/*
 * finding_facts: what is known of a finding in a few lines: how often and how
 * reliably it fails, how small it was made, the user's note, where its files
 * lie, and the line to type in order to see it again.
 */
#ifndef CFUZZ_UI_VIEWS_FINDINGS_FINDING_FACTS_H
#define CFUZZ_UI_VIEWS_FINDINGS_FINDING_FACTS_H

#include "control/query.h"
#include "control/snapshot.h"
#include "ui/term/grid.h"

/* more: what the engine said of it, NULL: not yet. Returns the rows used. */
int finding_facts_draw(const struct snapshot *snapshot,
	const struct snapshot_finding *f, const struct reply_finding *more,
	struct grid *grid, struct rect rect);

/* The command that runs it again, as far as it is known without asking. */
#define FINDING_COMMAND 1024
void finding_command(const struct snapshot *snapshot,
	const struct snapshot_finding *f, const struct reply_finding *more,
	char buf[FINDING_COMMAND]);

#endif
