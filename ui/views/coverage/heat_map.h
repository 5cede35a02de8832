/*
 * heat_map: all edge counters as a grid of cells, shaded by highest hit count.
 *
 * A cell covers one or more counters, so that all fit into the room, and has
 * the shade of its highest counter. A symbol marks a cell with a new hit.
 * Shades are characters as well as colours.
 */
#ifndef CFUZZ_UI_VIEWS_COVERAGE_HEAT_MAP_H
#define CFUZZ_UI_VIEWS_COVERAGE_HEAT_MAP_H

#include "coverage/coverage_map.h"
#include "ui/term/grid.h"

/* Draws without a frame. */
void heat_map_draw(const struct coverage_map *map, double elapsed_s,
	struct grid *grid, struct rect rect);

/* Explains the shades in one row. */
void heat_map_legend(struct grid *grid, struct rect rect);

/* Counters per cell in a rectangle of that size. */
uint32_t heat_map_per_cell(const struct coverage_map *map, struct rect rect);

#endif
