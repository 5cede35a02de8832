/*
 * series: the samples of a graph, from the model's histories.
 *
 * Each function fills n samples, oldest first; NAN where no value is known.
 */
#ifndef CFUZZ_UI_WIDGETS_SERIES_H
#define CFUZZ_UI_WIDGETS_SERIES_H

#include <stddef.h>

#include "ui/model/history.h"
#include "ui/term/grid.h"

#define SERIES_MAX 1024u

/* Executions per second in the last two minutes. */
void series_speed(const struct history *history, double *samples, size_t n);

/* Coverage bits since the start. */
void series_bits(const struct history *history, double *samples, size_t n);

/* New inputs in each of n equal parts of the time since the start. */
void series_new_inputs(const struct history *history, double *samples,
	size_t n);

/* Bytes of the best input, over the tries of a minimization. series may be
 * NULL. */
void series_size(const struct minimization_series *series, double *samples,
	size_t n);

typedef void series_fn(const struct history *history, double *samples,
	size_t n);

/* Draws one of the first three as a graph of all samples that fit. */
void series_draw(const struct history *history, series_fn *fill,
	enum style style, struct grid *grid, struct rect rect);

#endif
