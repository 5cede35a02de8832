/*
 * series: what a graph shows, from what the console remembers.
 *
 * Each function fills n samples, oldest first; NAN where nothing is known.
 */
#ifndef CFUZZ_UI_WIDGETS_SERIES_H
#define CFUZZ_UI_WIDGETS_SERIES_H

#include <stddef.h>

#include "ui/model/history.h"

#define SERIES_MAX 1024u

/* Executions per second over the last span seconds. */
void series_speed(const struct history *history, double span_s, double *samples,
	size_t n);

/* Coverage bits from the start until now. */
void series_bits(const struct history *history, double *samples, size_t n);

/* Interesting inputs found in each part of the time. */
void series_finds(const struct history *history, double *samples, size_t n);

/* Bytes of the best input, from the first try to the last. */
void series_size(const struct server_minimize *shrink, double *samples,
	size_t n);

#endif
