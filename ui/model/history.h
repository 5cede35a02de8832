/*
 * history: what was, in a bounded number of points.
 *
 * A decimated history covers the whole campaign: when it is full, pairs of
 * points become one and its step doubles. A sliding one forgets its oldest
 * points. Both are fed with every snapshot and keep at most one point per
 * step; the last point is always the newest value.
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
	double execs_per_sec;   /* mean over the point's time */
	uint64_t coverage_bits; /* at its end */
	uint64_t finds;         /* interesting inputs in this time */
	uint64_t findings;      /* distinct bugs in this time */
	uint32_t weight;        /* snapshots in it */
};

struct history {
	bool sliding;
	double step_s;
	size_t n, start;
	uint64_t finds, findings; /* totals up to the last point */
	struct history_point points[HISTORY_MAX];
};

void history_init(struct history *history, bool sliding, double step_s);
/* Before the first snapshot is added: what it says of earlier runs. */
void history_add_past(struct history *history, const struct snapshot *snapshot);
void history_add(struct history *history, const struct snapshot *snapshot);
/* Oldest first, i < n. */
const struct history_point *history_at(const struct history *history, size_t i);
/* Coverage bits at that time, interpolated by steps; 0 before the first. */
uint64_t history_bits_at(const struct history *history, double at_s);

/* ---- the course of a minimization ---- */

#define SHRINK_MAX 8u /* minimizations that are remembered */
#define SHRINK_POINTS 256u
#define SHRINK_LOG 64u

struct server_minimize_step {
	uint64_t tries;
	uint64_t cut_offset, cut_len;
	uint64_t len; /* the best after it */
	bool accepted;
	char verdict[96];
};

struct server_minimize {
	char entry[24]; /* as in struct snapshot_minimization */
	uint32_t worker;
	size_t points_n;
	uint64_t point_step; /* tries between points */
	struct {
		uint64_t tries, len;
	} points[SHRINK_POINTS];
	size_t log_n, log_start; /* a ring, newest last */
	struct server_minimize_step log[SHRINK_LOG];
	uint64_t seq; /* snapshot that showed it last */
};

struct shrink_list {
	size_t n;
	struct server_minimize items[SHRINK_MAX];
};

void shrink_list_add(struct shrink_list *list, const struct snapshot *snapshot);
const struct server_minimize *shrink_find(const struct shrink_list *list,
	const char *entry); /* NULL */
/* 0 = newest, i < log_n. */
const struct server_minimize_step *shrink_step_at(
	const struct server_minimize *shrink, size_t i);

#endif
