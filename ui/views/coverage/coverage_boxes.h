/*
 * coverage_boxes: the parts of the coverage view that are no lists: growth,
 * map, functions newly reached.
 */
#ifndef CFUZZ_UI_VIEWS_COVERAGE_COVERAGE_BOXES_H
#define CFUZZ_UI_VIEWS_COVERAGE_COVERAGE_BOXES_H

#include "ui/model/model.h"
#include "ui/term/grid.h"
#include "ui/views/coverage/coverage_map.h"

/* The numbers in so many rows, 1 or 2, without a frame. */
void coverage_draw_numbers(const struct coverage_map *map,
	const struct model *model, struct grid *grid, struct rect rect,
	int rows);

/* Numbers, the curve since the start, and when inputs were found. */
void coverage_draw_growth(const struct coverage_map *map,
	const struct model *model, struct grid *grid, struct rect rect);

void coverage_draw_map(const struct coverage_map *map,
	const struct model *model, struct grid *grid, struct rect rect);

/* Newest first. */
void coverage_draw_reached(const struct coverage_map *map,
	const struct model *model, struct grid *grid, struct rect rect);

#endif
