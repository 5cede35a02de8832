/*
 * heat_map: all counters as a grid of cells, shaded by how often they are
 * hit at most.
 *
 * A cell is one or more counters, as many as it takes to fit all into the
 * room; it is as dark as its darkest one. A cell that was just hit bears a
 * sign. Shades are characters as well as colours.
 */
#ifndef CFUZZ_UI_VIEWS_COVERAGE_HEAT_MAP_H
#define CFUZZ_UI_VIEWS_COVERAGE_HEAT_MAP_H

#include "ui/term/grid.h"
#include "ui/views/coverage/coverage_map.h"

/* Without a frame. */
void heat_map_draw(const struct coverage_map *map, double elapsed_s,
	struct grid *grid, struct rect rect);

/* What the shades mean, in one row. */
void heat_map_legend(struct grid *grid, struct rect rect, int row);

/* Counters that one cell of such a rectangle stands for. */
uint32_t heat_map_per_cell(const struct coverage_map *map, struct rect rect);

#endif
