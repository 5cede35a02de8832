/*
 * graph: a series of numbers as a filled curve, newest on the right.
 *
 * Braille gives two samples a cell and four steps a row; the level of each
 * cell is its height, so a theme's gradient says how much. With one row it
 * is a sparkline.
 */
#ifndef CFUZZ_UI_WIDGETS_GRAPH_H
#define CFUZZ_UI_WIDGETS_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/term/grid.h"

struct graph {
	const double *values; /* oldest first */
	size_t n;
	double min, max; /* both 0: 0 and the largest that is shown */
	bool fit;        /* the whole series over the width; else the end */
	enum style style;
};

void graph_draw(struct grid *grid, struct rect rect, const struct graph *graph);

/* Samples that fit into so many columns. */
size_t graph_samples(const struct grid *grid, int columns);

#endif
