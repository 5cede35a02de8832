/*
 * source_marks: which lines of a source pane's file were hit.
 */
#ifndef CFUZZ_UI_VIEWS_COVERAGE_SOURCE_MARKS_H
#define CFUZZ_UI_VIEWS_COVERAGE_SOURCE_MARKS_H

#include "ui/views/coverage/source_pane.h"

/* Makes the marks anew; the pane's module has its names. */
void source_marks_make(struct source_pane *pane,
	const struct coverage_map *map);

/* NULL: no code. */
const struct source_mark *source_marks_at(const struct source_pane *pane,
	uint32_t line);

/* The next frontier (step > 0) or the one before (< 0) a line; 0: none. */
uint32_t source_marks_frontier(const struct source_pane *pane, uint32_t line,
	int step);

#endif
