/*
 * source_marks: finds the hit lines and frontiers of a source pane's file.
 */
#ifndef CFUZZ_UI_VIEWS_COVERAGE_SOURCE_MARKS_H
#define CFUZZ_UI_VIEWS_COVERAGE_SOURCE_MARKS_H

#include "ui/views/coverage/source_pane.h"

/* Makes all marks again; the module must have its names. */
void source_marks_make(struct source_pane *pane,
	const struct coverage_map *map);

/* NULL: the line has no code. */
const struct source_mark *source_marks_at(const struct source_pane *pane,
	uint32_t line);

/* The next frontier (step > 0) or the previous one (step < 0); 0: none. */
uint32_t source_marks_frontier(const struct source_pane *pane, uint32_t line,
	int step);

#endif
