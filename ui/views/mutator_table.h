/*
 * mutator_table: the mutators that found the most per mutation, as rows.
 *
 * Rows are ordered by mutations per new input, the fewest first. Mutators
 * without a new input are left out.
 */
#ifndef CFUZZ_UI_VIEWS_MUTATOR_TABLE_H
#define CFUZZ_UI_VIEWS_MUTATOR_TABLE_H

#include <stddef.h>

#include "control/snapshot.h"
#include "ui/term/grid.h"

/* Draws head and rows, as many as fit. */
void mutator_table_draw(const struct snapshot *snapshot, struct grid *grid,
	struct rect area);

/* Fills in at most n mutators, the best first; returns their number. */
size_t mutator_table_best(const struct snapshot *snapshot,
	const struct snapshot_mutator **best, size_t n);

#endif
