/*
 * series: the samples of a graph, from the model's histories.
 *
 * Samples begin at multiples of their length, so that a curve moves by whole
 * samples and does not flicker.
 */
#include "ui/widgets/series.h"

#include <math.h>

#include "ui/widgets/graph.h"

#define SERIES_SPEED_S 120.0

static double
series_end(const struct history *history)
{
	return history->n > 0 ? history_at(history, history->n - 1)->at_s : 0;
}

/* The mean of the points in (from, until]; moves *at behind them. */
static double
series_mean(const struct history *history, size_t *at, double from,
	double until)
{
	double sum = 0;
	size_t n = 0;

	for (; *at < history->n; ++*at) {
		const struct history_point *point = history_at(history, *at);

		if (point->at_s > until)
			break;
		if (point->at_s <= from)
			continue;
		sum += point->execs_per_sec;
		n++;
	}
	return n > 0 ? sum / (double)n : NAN;
}

void
series_speed(const struct history *history, double *samples, size_t n)
{
	double step = SERIES_SPEED_S / (double)(n > 0 ? n : 1);
	double from =
		(floor(series_end(history) / step) + 1) * step - SERIES_SPEED_S;
	double last = NAN;
	size_t i, at = 0;

	for (i = 0; i < n; i++, from += step) {
		double mean = series_mean(history, &at, from, from + step);

		/* Points may be farther apart than samples: repeat the last. */
		if (!isnan(mean) || at >= history->n)
			last = mean;
		samples[i] = last;
	}
}

void
series_bits(const struct history *history, double *samples, size_t n)
{
	double end = series_end(history);
	size_t i;

	for (i = 0; i < n; i++) {
		double at_s = end * (double)(i + 1) / (double)n;

		samples[i] = history->n > 0
			? (double)history_bits_at(history, at_s)
			: NAN;
	}
}

/* The sample at a fraction 0 … 1 of the time. */
static size_t
series_index(double part, size_t n)
{
	if (!(part > 0))
		return 0;
	return part < 1 ? (size_t)(part * (double)n) : n - 1;
}

/* Spreads a value evenly over samples; from and to are fractions 0 … 1. */
static void
series_spread(double value, double from, double to, double *samples, size_t n)
{
	size_t first = series_index(from, n), last = series_index(to, n);
	size_t i;

	if (first > last)
		first = last;
	for (i = first; i <= last; i++)
		samples[i] += value / (double)(last - first + 1);
}

void
series_new_inputs(const struct history *history, double *samples, size_t n)
{
	double end = series_end(history);
	double from = 0;
	size_t i;

	for (i = 0; i < n; i++)
		samples[i] = history->n > 0 ? 0 : NAN;
	if (!(end > 0) || n == 0)
		return;
	for (i = 0; i < history->n; i++) {
		const struct history_point *point = history_at(history, i);
		double to = point->at_s / end;

		series_spread((double)point->new_inputs, from, to, samples, n);
		from = to;
	}
}

void
series_draw(const struct history *history, series_fn *fill, enum style style,
	struct grid *grid, struct rect rect)
{
	double samples[SERIES_MAX];
	size_t n = graph_samples(grid, rect.w);
	struct graph graph = { .values = samples,
		.n = n < SERIES_MAX ? n : SERIES_MAX,
		.style = style };

	fill(history, samples, graph.n);
	graph_draw(grid, rect, &graph);
}

void
series_size(const struct minimization_series *series, double *samples, size_t n)
{
	size_t i, at = 0;
	uint64_t end;

	if (series == NULL || series->points_n == 0) {
		for (i = 0; i < n; i++)
			samples[i] = NAN;
		return;
	}
	end = series->points[series->points_n - 1].tries;
	for (i = 0; i < n; i++) {
		double tries = (double)end * (double)(i + 1) / (double)n;

		while (at + 1 < series->points_n &&
			(double)series->points[at + 1].tries <= tries)
			at++;
		samples[i] = (double)series->points[at].len;
	}
}
