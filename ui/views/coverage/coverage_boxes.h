/*
 * coverage_boxes: the coverage view's growth, map and new functions.
 */
#ifndef CFUZZ_UI_VIEWS_COVERAGE_COVERAGE_BOXES_H
#define CFUZZ_UI_VIEWS_COVERAGE_COVERAGE_BOXES_H

#include "coverage/coverage_map.h"
#include "ui/model/model.h"
#include "ui/term/grid.h"

/* Draws the numbers in 1 or 2 rows, without a frame. */
void coverage_draw_numbers(const struct coverage_map *map,
	const struct model *model, struct grid *grid, struct rect rect,
	int rows);

/* Draws numbers, the curve since the start, and ticks for new inputs. */
void coverage_draw_growth(const struct coverage_map *map,
	const struct model *model, struct grid *grid, struct rect rect);

void coverage_draw_map(const struct coverage_map *map,
	const struct model *model, struct grid *grid, struct rect rect);

/* Draws the new functions, newest first. */
void coverage_draw_new_functions(const struct coverage_map *map,
	const struct model *model, struct grid *grid, struct rect rect);

#endif
