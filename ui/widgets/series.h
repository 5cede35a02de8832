/*
 * series: the samples of a graph, from the model's histories.
 *
 * Each function fills n samples, oldest first; NAN where no value is known.
 */
#ifndef CFUZZ_UI_WIDGETS_SERIES_H
#define CFUZZ_UI_WIDGETS_SERIES_H

#include <stddef.h>

#include "ui/model/history.h"

#define SERIES_MAX 1024u

/* Executions per second in the last span_s seconds. */
void series_speed(const struct history *history, double span_s, double *samples,
	size_t n);

/* Coverage bits since the start. */
void series_bits(const struct history *history, double *samples, size_t n);

/* New inputs since the start. */
void series_finds(const struct history *history, double *samples, size_t n);

/* Bytes of the best input, over the tries of a minimization. */
void series_size(const struct minimization_series *series, double *samples,
	size_t n);

#endif
