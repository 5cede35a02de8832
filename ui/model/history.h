/*
 * history: past values of a campaign, in a bounded number of points.
 *
 * A decimated history covers the whole campaign: when it is full, it merges
 * pairs of points and doubles its step. A sliding history drops its oldest
 * points. Both take every snapshot and keep at most one point per step; the
 * last point always holds the newest values.
 */
#ifndef CFUZZ_UI_MODEL_HISTORY_H
#define CFUZZ_UI_MODEL_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/snapshot.h"

#define HISTORY_MAX 600u

struct history_point {
	double at_s; /* elapsed time of the campaign, earlier runs included */
	double execs_per_sec;   /* mean over the point */
	uint64_t coverage_bits; /* at the end of the point */
	uint64_t new_inputs;    /* in the point */
	uint64_t findings;      /* distinct findings in the point */
	uint32_t weight;        /* snapshots in the point; earlier runs: 0 */
};

struct history {
	bool sliding;
	double step_s;   /* length of a step; doubled when it merges points */
	size_t n, start; /* number of points; index of the oldest */
	uint64_t new_inputs, findings; /* totals up to the last point */
	struct history_point points[HISTORY_MAX];
};

void history_init(struct history *history, bool sliding, double step_s);
/* Adds the points of earlier runs; call before history_add(). */
void history_add_past(struct history *history, const struct snapshot *snapshot);
void history_add(struct history *history, const struct snapshot *snapshot);
/* i < n; 0 is the oldest. */
const struct history_point *history_at(const struct history *history, size_t i);
/* Is there a point at or before that time? */
bool history_reaches(const struct history *history, double at_s);
/* Coverage bits at that time: the value of the last point up to it, or 0. */
uint64_t history_bits_at(const struct history *history, double at_s);

/* ---- minimizations over time ---- */

#define MINIMIZATION_SERIES_MAX 8u /* minimizations that are kept */
#define MINIMIZATION_SERIES_POINTS 256u
#define MINIMIZATION_SERIES_LOG 64u

struct minimization_try {
	uint64_t tries;
	uint64_t cut_offset, cut_len;
	uint64_t len; /* best length after the step */
	bool accepted;
	char verdict[96];
};

struct minimization_series {
	char entry[24]; /* as in struct snapshot_minimization */
	size_t points_n;
	uint64_t point_step; /* tries per point */
	struct {
		uint64_t tries, len;
	} points[MINIMIZATION_SERIES_POINTS];
	size_t log_n, log_start; /* a ring; the newest is last */
	struct minimization_try log[MINIMIZATION_SERIES_LOG];
	uint64_t seq; /* last snapshot that showed it */
};

struct minimization_series_list {
	size_t n;
	struct minimization_series items[MINIMIZATION_SERIES_MAX];
};

void minimization_series_list_add(struct minimization_series_list *list,
	const struct snapshot *snapshot);
const struct minimization_series *minimization_series_find(
	const struct minimization_series_list *list,
	const char *entry); /* NULL: unknown */
/* i < log_n; 0 is the newest. */
const struct minimization_try *minimization_try_at(
	const struct minimization_series *series, size_t i);

#endif
