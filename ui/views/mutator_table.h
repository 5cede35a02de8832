/*
 * mutator_table: the kinds of mutations that pay best, as rows.
 *
 * The order is by steps for each find, the best first; kinds that have brought
 * nothing yet are left out.
 */
#ifndef CFUZZ_UI_VIEWS_MUTATOR_TABLE_H
#define CFUZZ_UI_VIEWS_MUTATOR_TABLE_H

#include <stddef.h>

#include "control/snapshot.h"
#include "ui/term/grid.h"

/* Head and rows, as many as there is room for. */
void mutator_table_draw(const struct snapshot *snapshot, struct grid *grid,
	struct rect area);

/* Fills in at most n, the best first; returns how many there are. */
size_t mutator_table_best(const struct snapshot *snapshot,
	const struct snapshot_mutator **best, size_t n);

#endif
