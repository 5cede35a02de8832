/*
 * graph: a series of numbers as a filled curve, newest on the right.
 *
 * A cell shows the heights of its two samples, in dots. A known sample always
 * has its lowest dot, which draws the time axis; the time before the first
 * sample stays blank.
 */
#include "ui/widgets/graph.h"

#include <math.h>

#define GRAPH_DOTS 4 /* per row */
#define GRAPH_NONE (-1)

struct graph_plot {
	const struct graph *graph;
	size_t columns; /* samples per width */
	double max;
	int dots; /* height of the graph */
};

size_t
graph_samples(const struct grid *grid, int columns)
{
	if (columns <= 0)
		return 0;
	return (size_t)columns * (grid_ascii(grid) ? 1 : 2);
}

/* The sample in a column; NAN: none. */
static double
graph_value(const struct graph_plot *plot, size_t column)
{
	size_t n = plot->graph->n;

	return n > 0 && column + n >= plot->columns
		? plot->graph->values[column + n - plot->columns]
		: NAN;
}

static int
graph_height(const struct graph_plot *plot, size_t column)
{
	double value = graph_value(plot, column);
	double part;

	if (isnan(value))
		return GRAPH_NONE;
	if (plot->max <= 0)
		return 1;
	part = value / plot->max;
	if (!(part > 0))
		return 1;
	if (part > 1)
		part = 1;
	return 1 + (int)lround(part * (plot->dots - 1));
}

static void
graph_scale(struct graph_plot *plot)
{
	size_t i;

	plot->max = plot->graph->max;
	if (plot->max != 0)
		return;
	for (i = 0; i < plot->columns; i++) {
		double value = graph_value(plot, i);

		if (!isnan(value) && value > plot->max)
			plot->max = value;
	}
}

/* A sample's dots in the row that starts at dot `base`. */
static int
graph_fill(int height, int base)
{
	int dots = height - base;

	return dots < 0 ? 0 : dots > GRAPH_DOTS ? GRAPH_DOTS : dots;
}

/* U+2800 plus the dots of the left and the right sample, from below. */
static void
graph_braille(int left, int right, char text[4])
{
	static const unsigned char lefts[] = { 0, 0x40, 0x44, 0x46, 0x47 };
	static const unsigned char rights[] = { 0, 0x80, 0xa0, 0xb0, 0xb8 };
	unsigned bits = lefts[left] | rights[right];

	text[0] = (char)0xe2;
	text[1] = (char)(0xa0 | bits >> 6);
	text[2] = (char)(0x80 | (bits & 0x3f));
	text[3] = '\0';
}

/* Gradient level: the cell's top, or the curve's if it is lower. */
static int
graph_level(const struct graph_plot *plot, int height, int base)
{
	int top = base + GRAPH_DOTS;

	if (height < top)
		top = height;
	return plot->dots > 1 ? (top - 1) * 100 / (plot->dots - 1) : 100;
}

static void
graph_cell(struct grid *grid, const struct graph_plot *plot, int x, int y,
	int left, int right, int base)
{
	static const char *const ascii[] = { " ", ".", ":", "|", "#" };
	int high = left > right ? left : right;
	char text[4];

	if (high <= base)
		return;
	graph_braille(graph_fill(left, base), graph_fill(right, base), text);
	grid_put(grid, x, y, plot->graph->style, graph_level(plot, high, base),
		grid_ascii(grid) ? ascii[graph_fill(high, base)] : text);
}

void
graph_draw(struct grid *grid, struct rect rect, const struct graph *graph)
{
	struct graph_plot plot = { .graph = graph };
	bool ascii = grid_ascii(grid);
	int x, row;

	if (rect.w <= 0 || rect.h <= 0)
		return;
	plot.columns = graph_samples(grid, rect.w);
	plot.dots = rect.h * GRAPH_DOTS;
	graph_scale(&plot);
	for (x = 0; x < rect.w; x++) {
		size_t column = (size_t)x * (ascii ? 1 : 2);
		int left = graph_height(&plot, column);
		int right = ascii ? left : graph_height(&plot, column + 1);

		for (row = 0; row < rect.h; row++)
			graph_cell(grid, &plot, rect.x + x, rect.y + row, left,
				right, (rect.h - 1 - row) * GRAPH_DOTS);
	}
}
