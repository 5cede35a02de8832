/*
 * history: past values of a campaign, in a bounded number of points.
 *
 * A new snapshot joins the newest point while that point's step lasts, then
 * begins the next point. So a point is a mean over its step, and two points are
 * merged by the same arithmetic.
 */
#include "ui/model/history.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void
history_init(struct history *history, bool sliding, double step_s)
{
	memset(history, 0, sizeof(*history));
	history->sliding = sliding;
	history->step_s = step_s;
}

static struct history_point *
history_point(struct history *history, size_t i)
{
	return &history->points[(history->start + i) % HISTORY_MAX];
}

const struct history_point *
history_at(const struct history *history, size_t i)
{
	return &history->points[(history->start + i) % HISTORY_MAX];
}

/* Merges `later`, the next point, into `point`. */
static void
history_join(struct history_point *point, const struct history_point *later)
{
	double weight = (double)point->weight + (double)later->weight;

	point->execs_per_sec =
		(point->execs_per_sec * (double)point->weight +
			later->execs_per_sec * (double)later->weight) /
		(weight > 0 ? weight : 1);
	point->at_s = later->at_s;
	point->coverage_bits = later->coverage_bits;
	point->new_inputs += later->new_inputs;
	point->findings += later->findings;
	point->weight += later->weight;
}

/* Steps are multiples of step_s since time 0, so that points do not drift. */
static bool
history_same_step(const struct history *history,
	const struct history_point *last, double at_s)
{
	return floor(last->at_s / history->step_s) >=
		floor(at_s / history->step_s);
}

/* Points of earlier runs may lie more than a step apart and stay apart. */
static void
history_double_step(struct history *history)
{
	struct history_point *points = history->points;
	size_t n = 0;

	history->step_s *= 2;
	for (size_t i = 0; i < history->n; i++)
		if (n > 0 &&
			history_same_step(history, &points[n - 1],
				points[i].at_s))
			history_join(&points[n - 1], &points[i]);
		else
			points[n++] = points[i];
	history->n = n;
}

static struct history_point *
history_push(struct history *history)
{
	if (history->n == HISTORY_MAX && history->sliding) {
		history->start = (history->start + 1) % HISTORY_MAX;
		history->n--;
	}
	while (history->n == HISTORY_MAX)
		history_double_step(history);
	return history_point(history, history->n++);
}

static uint64_t
history_grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

/* Adds `point`, which is newer than all others. */
static void
history_put(struct history *history, const struct history_point *point)
{
	struct history_point *last =
		history->n > 0 ? history_point(history, history->n - 1) : NULL;

	if (last != NULL && history_same_step(history, last, point->at_s))
		history_join(last, point);
	else
		*history_push(history) = *point;
}

void
history_add_past(struct history *history, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->past_n; i++) {
		const struct snapshot_past *past = &snapshot->past[i];
		const struct history_point point = {
			.at_s = past->at_s,
			.coverage_bits = past->bits,
			.new_inputs = past->finds,
			.findings = past->findings,
		};

		history_put(history, &point);
	}
	/* The points have what was found until now. */
	history->new_inputs = snapshot->interesting;
	history->findings = snapshot_findings(snapshot);
}

/* Until warm-up has run the corpus, at least the coverage of earlier runs. */
static uint64_t
history_bits(const struct snapshot *s)
{
	bool warm = s->state != RUN_STARTING && s->state != RUN_WARMUP &&
		s->warmup_done >= s->warmup_total;

	return warm || s->coverage_bits > s->past_bits ? s->coverage_bits
						       : s->past_bits;
}

void
history_add(struct history *history, const struct snapshot *snapshot)
{
	uint64_t findings = snapshot_findings(snapshot);
	struct history_point now = {
		.at_s = snapshot->past_s + snapshot->elapsed_s,
		.execs_per_sec = snapshot->execs_per_sec,
		.coverage_bits = history_bits(snapshot),
		.new_inputs = history_grown(snapshot->interesting,
			history->new_inputs),
		.findings = history_grown(findings, history->findings),
		.weight = 1,
	};

	history_put(history, &now);
	history->new_inputs = snapshot->interesting;
	history->findings = findings;
}

bool
history_reaches(const struct history *history, double at_s)
{
	return history->n > 0 && history_at(history, 0)->at_s <= at_s;
}

uint64_t
history_bits_at(const struct history *history, double at_s)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < history->n; i++) {
		const struct history_point *point = history_at(history, i);

		if (point->at_s > at_s)
			break;
		bits = point->coverage_bits;
	}
	return bits;
}

/* ---- minimizations over time ---- */

const struct minimization_series *
minimization_series_find(const struct minimization_series_list *list,
	const char *entry)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->items[i].entry, entry) == 0)
			return &list->items[i];
	return NULL;
}

const struct minimization_try *
minimization_try_at(const struct minimization_series *series, size_t i)
{
	size_t newest = series->log_start + series->log_n - 1;

	return &series->log[(newest - i) % MINIMIZATION_SERIES_LOG];
}

/* A free item, else the one that was updated longest ago. */
static struct minimization_series *
minimization_series_list_new(struct minimization_series_list *list)
{
	struct minimization_series *oldest = &list->items[0];

	if (list->n < MINIMIZATION_SERIES_MAX)
		return &list->items[list->n++];
	for (size_t i = 1; i < list->n; i++)
		if (list->items[i].seq < oldest->seq)
			oldest = &list->items[i];
	return oldest;
}

static struct minimization_series *
minimization_series_list_get(struct minimization_series_list *list,
	const struct snapshot_minimization *minimization)
{
	struct minimization_series *series =
		(struct minimization_series *)minimization_series_find(list,
			minimization->entry);

	if (series != NULL)
		return series;
	series = minimization_series_list_new(list);
	memset(series, 0, sizeof(*series));
	snprintf(series->entry, sizeof(series->entry), "%s",
		minimization->entry);
	series->point_step = 1;
	series->points[0].len = minimization->start_len;
	series->points_n = 1;
	return series;
}

static void
minimization_series_add_point(struct minimization_series *series,
	uint64_t tries, uint64_t len)
{
	size_t n = series->points_n;

	if (tries / series->point_step ==
		series->points[n - 1].tries / series->point_step) {
		series->points[n - 1].len = len;
		return;
	}
	if (n == MINIMIZATION_SERIES_POINTS) {
		for (n = 0; n < MINIMIZATION_SERIES_POINTS / 2; n++)
			series->points[n] = series->points[2 * n];
		series->point_step *= 2;
	}
	series->points[n].tries = tries;
	series->points[n].len = len;
	series->points_n = n + 1;
}

static void
minimization_series_add_try(struct minimization_series *series,
	uint64_t len_before, const struct snapshot_minimization *m)
{
	struct minimization_try *step;

	if (series->log_n == MINIMIZATION_SERIES_LOG)
		series->log_start =
			(series->log_start + 1) % MINIMIZATION_SERIES_LOG;
	else
		series->log_n++;
	step = &series->log[(series->log_start + series->log_n - 1) %
		MINIMIZATION_SERIES_LOG];
	*step = (struct minimization_try){
		.tries = m->tries,
		.cut_offset = m->cut_offset,
		.cut_len = m->cut_len,
		.len = m->best_len,
		.accepted = m->best_len < len_before,
	};
	snprintf(step->verdict, sizeof(step->verdict), "%s", m->verdict);
}

static void
minimization_series_add(struct minimization_series *series,
	const struct snapshot_minimization *m)
{
	size_t last = series->points_n - 1;
	uint64_t len_before = series->points[last].len;
	uint64_t seen =
		series->log_n > 0 ? minimization_try_at(series, 0)->tries : 0;

	if (m->tries < seen) { /* it started again */
		series->points_n = 1;
		series->point_step = 1;
		series->points[0].tries = 0;
		series->points[0].len = len_before = m->start_len;
		series->log_n = series->log_start = 0;
		seen = 0;
	}
	if (m->tries == seen)
		return;
	minimization_series_add_try(series, len_before, m);
	minimization_series_add_point(series, m->tries, m->best_len);
}

void
minimization_series_list_add(struct minimization_series_list *list,
	const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->minimizations_n; i++) {
		const struct snapshot_minimization *m =
			&snapshot->minimizations[i];
		struct minimization_series *series =
			minimization_series_list_get(list, m);

		series->seq = snapshot->seq;
		minimization_series_add(series, m);
	}
}
