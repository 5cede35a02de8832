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
	point->finds += later->finds;
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
history_findings(const struct snapshot *s)
{
	return s->crashes + s->hangs + s->ooms + s->leaks;
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
			.finds = past->finds,
			.findings = past->findings,
		};

		history_put(history, &point);
	}
	/* Findings of earlier runs do not count as new in this run. */
	if (snapshot->runs > 1)
		history->findings = history_findings(snapshot);
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
	uint64_t findings = history_findings(snapshot);
	struct history_point now = {
		.at_s = snapshot->past_s + snapshot->elapsed_s,
		.execs_per_sec = snapshot->execs_per_sec,
		.coverage_bits = history_bits(snapshot),
		.finds = history_grown(snapshot->interesting, history->finds),
		.findings = history_grown(findings, history->findings),
		.weight = 1,
	};

	history_put(history, &now);
	history->finds = snapshot->interesting;
	history->findings = findings;
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

const struct server_minimize *
shrink_find(const struct shrink_list *list, const char *entry)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->items[i].entry, entry) == 0)
			return &list->items[i];
	return NULL;
}

const struct server_minimize_candidate *
shrink_step_at(const struct server_minimize *shrink, size_t i)
{
	size_t newest = shrink->log_start + shrink->log_n - 1;

	return &shrink->log[(newest - i) % SHRINK_LOG];
}

/* A free item, else the one that was updated longest ago. */
static struct server_minimize *
shrink_list_new(struct shrink_list *list)
{
	struct server_minimize *oldest = &list->items[0];

	if (list->n < SHRINK_MAX)
		return &list->items[list->n++];
	for (size_t i = 1; i < list->n; i++)
		if (list->items[i].seq < oldest->seq)
			oldest = &list->items[i];
	return oldest;
}

static struct server_minimize *
shrink_list_get(struct shrink_list *list,
	const struct snapshot_minimization *minimization)
{
	struct server_minimize *shrink;

	for (size_t i = 0; i < list->n; i++) {
		shrink = &list->items[i];
		if (strcmp(shrink->entry, minimization->entry) == 0)
			return shrink;
	}
	shrink = shrink_list_new(list);
	memset(shrink, 0, sizeof(*shrink));
	snprintf(shrink->entry, sizeof(shrink->entry), "%s",
		minimization->entry);
	shrink->point_step = 1;
	shrink->points[0].len = minimization->start_len;
	shrink->points_n = 1;
	return shrink;
}

static void
shrink_add_point(struct server_minimize *shrink, uint64_t tries, uint64_t len)
{
	size_t n = shrink->points_n;

	if (tries / shrink->point_step ==
		shrink->points[n - 1].tries / shrink->point_step) {
		shrink->points[n - 1].len = len;
		return;
	}
	if (n == SHRINK_POINTS) {
		for (n = 0; n < SHRINK_POINTS / 2; n++)
			shrink->points[n] = shrink->points[2 * n];
		shrink->point_step *= 2;
	}
	shrink->points[n].tries = tries;
	shrink->points[n].len = len;
	shrink->points_n = n + 1;
}

static void
shrink_add_step(struct server_minimize *shrink, uint64_t len_before,
	const struct snapshot_minimization *m)
{
	struct server_minimize_candidate *step;

	if (shrink->log_n == SHRINK_LOG)
		shrink->log_start = (shrink->log_start + 1) % SHRINK_LOG;
	else
		shrink->log_n++;
	step = &shrink->log[(shrink->log_start + shrink->log_n - 1) %
		SHRINK_LOG];
	*step = (struct server_minimize_candidate){
		.tries = m->tries,
		.cut_offset = m->cut_offset,
		.cut_len = m->cut_len,
		.len = m->best_len,
		.accepted = m->best_len < len_before,
	};
	snprintf(step->verdict, sizeof(step->verdict), "%s", m->verdict);
}

static void
shrink_add(struct server_minimize *shrink,
	const struct snapshot_minimization *m)
{
	size_t last = shrink->points_n - 1;
	uint64_t len_before = shrink->points[last].len;
	uint64_t seen =
		shrink->log_n > 0 ? shrink_step_at(shrink, 0)->tries : 0;

	shrink->worker = m->worker;
	if (m->tries < seen) { /* it started again */
		shrink->points_n = 1;
		shrink->point_step = 1;
		shrink->points[0].tries = 0;
		shrink->points[0].len = len_before = m->start_len;
		shrink->log_n = shrink->log_start = 0;
		seen = 0;
	}
	if (m->tries == seen)
		return;
	shrink_add_step(shrink, len_before, m);
	shrink_add_point(shrink, m->tries, m->best_len);
}

void
shrink_list_add(struct shrink_list *list, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->minimizations_n; i++) {
		const struct snapshot_minimization *m =
			&snapshot->minimizations[i];
		struct server_minimize *shrink = shrink_list_get(list, m);

		shrink->seq = snapshot->seq;
		shrink_add(shrink, m);
	}
}
