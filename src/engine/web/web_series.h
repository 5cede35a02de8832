/*
 * web_series: how a campaign went, in a bounded number of points.
 *
 * When it is full, every other point is dropped, and points come half as often.
 */
#ifndef CFUZZ_ENGINE_WEB_WEB_SERIES_H
#define CFUZZ_ENGINE_WEB_WEB_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "control/snapshot.h"

#define WEB_SERIES_MAX 512u /* points; an even number */

struct web_series_point {
	double at_s; /* in the campaign, as in the journal */
	uint64_t bits, execs, corpus, findings;
};

struct web_series {
	struct web_series_point points[WEB_SERIES_MAX];
	size_t n;
	double step_s; /* between points; 0: 1 s */
};

/* The newest point replaces the last one until step_s have passed. */
void web_series_add(struct web_series *series, const struct snapshot *snapshot);

/* A new reference: {"at_s": [...], "coverage_bits": [...], "execs": ...,
 * "corpus": ..., "findings": ...} */
json_t *web_series_encode(const struct web_series *series);

#endif
