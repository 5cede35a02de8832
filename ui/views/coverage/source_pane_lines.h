/*
 * source_pane_lines: finds the hit lines and frontiers of a source pane's file.
 */
#ifndef CFUZZ_UI_VIEWS_COVERAGE_SOURCE_PANE_LINES_H
#define CFUZZ_UI_VIEWS_COVERAGE_SOURCE_PANE_LINES_H

#include "ui/views/coverage/source_pane.h"

/* Finds all lines with code again; the module must have its names. */
void source_lines_make(struct source_pane *pane,
	const struct coverage_map *map);

/* NULL: the line has no code. */
const struct source_line *source_lines_at(const struct source_pane *pane,
	uint32_t line);

/* The next frontier (step > 0) or the previous one (step < 0); 0: none. */
uint32_t source_lines_frontier(const struct source_pane *pane, uint32_t line,
	int step);

#endif
