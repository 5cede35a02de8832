/*
 * graph: a series of numbers as a filled curve, newest on the right.
 *
 * Braille gives two samples per cell and four steps per row, ASCII one sample
 * per cell. A cell's level is its height, so a theme's gradient shows the
 * value. A graph of one row is a sparkline.
 */
#ifndef CFUZZ_UI_WIDGETS_GRAPH_H
#define CFUZZ_UI_WIDGETS_GRAPH_H

#include <stddef.h>

#include "ui/term/grid.h"

struct graph {
	/* Oldest first; NAN: unknown. The newest that fit are drawn. */
	const double *values;
	size_t n;
	double max; /* 0: the largest shown */
	enum style style;
};

void graph_draw(struct grid *grid, struct rect rect, const struct graph *graph);

/* Samples that fit into the columns. */
size_t graph_samples(const struct grid *grid, int columns);

#endif
