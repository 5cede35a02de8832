/*
 * dashboard_lists: findings, workers, events and mutators as lines.
 */
#include "ui/views/dashboard/dashboard.h"

#include <inttypes.h>
#include <stdio.h>

#include "ui/views/findings/finding_table.h"
#include "ui/views/mutator_table.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/event_line.h"
#include "ui/widgets/labels.h"

#define DASHBOARD_OOM 18       /* columns for "12 out of memory" */
#define DASHBOARD_MUTATORS 40  /* minimum columns of the mutators' box */
#define DASHBOARD_MUTATORS_H 8 /* rows of the same below the events */
#define DASHBOARD_EVENTS 70    /* minimum columns of the events */

/* ---- findings ---- */

/* `2 crashes (x14)`: distinct findings, and how often they were seen. */
static void
dashboard_count(struct row_writer *out, uint64_t n, uint64_t seen,
	const char *one, const char *many, enum style style)
{
	char count[TEXT_NUMBER_SIZE], times[TEXT_NUMBER_SIZE];
	const char *name = label_plural(n, one, many);
	int from = out->x;

	row_printf(out, n > 0 ? style : STYLE_DIM, "%s", text_count(n, count));
	row_gap(out, 1);
	row_text(out, n > 0 ? STYLE_VALUE : STYLE_LABEL, name);
	if (seen > n && row_room(out) > 36)
		row_printf(out, STYLE_DIM, " (%s%s)",
			glyph(out->grid, GLYPH_TIMES),
			text_short((double)seen, times));
	row_add_hot_spot(out, from, one);
}

void
dashboard_findings_line(const struct dashboard_part *part, struct rect rect,
	int row)
{
	const struct snapshot *s = part->s;
	struct row_writer out = row_put_at(part->grid, rect, row);
	bool open = snapshot_findings_open(s) > 0;
	enum style bad = open ? STYLE_BAD : STYLE_DIM;
	enum style warn = open ? STYLE_WARN : STYLE_DIM;
	int from;

	row_printf(&out, bad, "%s ", glyph(part->grid, GLYPH_ALERT));
	dashboard_count(&out, s->crashes, s->crashes_seen, "crash", "crashes",
		bad);
	row_gap(&out, 2);
	dashboard_count(&out, s->hangs, s->hangs_seen, "hang", "hangs", warn);
	row_gap(&out, 2);
	if (row_room(&out) >= DASHBOARD_OOM)
		dashboard_count(&out, s->ooms, s->ooms_seen, "out of memory",
			"out of memory", warn);
	else
		dashboard_count(&out, s->ooms, s->ooms_seen, "oom", "ooms",
			warn);
	if (s->leaks > 0) {
		row_gap(&out, 2);
		dashboard_count(&out, s->leaks, s->leaks_seen, "leak", "leaks",
			warn);
	}
	from = out.x;
	if (s->suspects > 0 && row_room(&out) > 14)
		row_printf(&out, STYLE_DIM, "  %" PRIu64 " %s", s->suspects,
			label_plural(s->suspects, "suspect", "suspects"));
	if (s->suspects > 0)
		row_add_hot_spot(&out, from, "suspect");
}

void
dashboard_findings(const struct dashboard_part *part, struct rect rect)
{
	struct draw_box box = { .title = "findings", .key = '5' };
	struct rect inside = draw_box(part->grid, rect, &box);

	dashboard_findings_line(part, inside, 0);
	draw_cut_top(&inside, 1);
	if (part->s->findings_n > 0)
		finding_table_newest(part->model, part->grid, inside);
	else
		draw_words(part->grid, inside, STYLE_DIM,
			"Nothing has failed so far.");
}

/* ---- workers ---- */

static size_t
dashboard_busy(const struct snapshot *s)
{
	size_t i, busy = 0;

	for (i = 0; i < s->workers_n; i++)
		busy += s->workers[i].state == WORKER_VIEW_FUZZING ||
			s->workers[i].state == WORKER_VIEW_MINIMIZING ||
			s->workers[i].state == WORKER_VIEW_REPLAYING;
	return busy;
}

static size_t
dashboard_down(const struct snapshot *s)
{
	size_t i, down = 0;

	for (i = 0; i < s->workers_n; i++)
		down += s->workers[i].state == WORKER_VIEW_DOWN;
	return down;
}

/* Says what the stop key does next; "": nothing is being stopped. */
static void
dashboard_next_step(const struct snapshot *s, char *buf, size_t size)
{
	const char *command = "stop";
	char key[KEY_HINT_SIZE];
	enum stop_step step = s->stop_step;
	size_t i;

	for (i = 0; step == STOP_NONE && i < s->workers_n; i++) {
		command = "stop-worker";
		if (s->workers[i].state != WORKER_VIEW_DOWN)
			step = s->workers[i].stop_step;
	}
	buf[0] = '\0';
	if (s->state == RUN_ENDED)
		return;
	if (step == STOP_CLOSED || step == STOP_INTERRUPT)
		snprintf(buf, size, "%s %s now",
			keys_hint(KEYS_DASHBOARD, command, key),
			step == STOP_CLOSED ? "interrupts" : "kills");
}

void
dashboard_workers(const struct dashboard_part *part, struct rect rect)
{
	const struct snapshot *s = part->s;
	char right[64], below[64], how[64];
	struct draw_box box = { .title = "workers",
		.key = '2',
		.right = right };
	struct rect inside;

	if (s->state == RUN_STOPPING)
		snprintf(right, sizeof(right), "%zu of %zu are down",
			dashboard_down(s), s->workers_n);
	else
		snprintf(right, sizeof(right), "%zu of %zu at work",
			dashboard_busy(s), s->workers_n);
	dashboard_next_step(s, below, sizeof(below));
	box.below = below[0] != '\0' ? below : NULL;
	inside = draw_box(part->grid, rect, &box);
	if (s->workers_n == 0)
		draw_empty(part->grid, inside, "no worker is running",
			s->state == RUN_ENDED ||
					model_only_shows(part->model) != NULL
				? NULL
				: keys_text(KEYS_DASHBOARD,
					  "press {workers +1} to start one",
					  how, sizeof(how)));
	else
		worker_table_draw(&part->state->workers, part->model,
			part->grid, inside, rect);
}

/* ---- events ---- */

static void
dashboard_events(const struct dashboard_part *part, struct rect rect)
{
	struct draw_box box = { .title = "events", .key = '7' };
	struct rect inside = { rect.x + 1, rect.y, rect.w - 2, rect.h };

	if (rect.h > 5)
		inside = draw_box(part->grid, rect, &box);
	event_line_draw(part->s, &part->model->hint, part->grid, inside);
}

/* ---- mutators ---- */

static void
dashboard_mutators(const struct dashboard_part *part, struct rect rect)
{
	struct draw_box box = { .title = "mutations", .right = "best first" };

	mutator_table_draw(part->s, part->grid,
		draw_box(part->grid, rect, &box));
}

/* Mutators beside the events, or below them if both have enough room. */
void
dashboard_lowest(const struct dashboard_part *part, struct rect area)
{
	struct rect events = area, mutators = { 0, 0, 0, 0 };
	int w = area.w / 3;

	if (w < DASHBOARD_MUTATORS)
		w = DASHBOARD_MUTATORS;
	if (part->s->mutators_n > 0 && area.h > 5 &&
		area.w - w >= DASHBOARD_EVENTS) {
		mutators = area;
		events = draw_cut_left(&mutators, area.w - w);
	} else if (part->s->mutators_n > 0 && area.w >= DASHBOARD_MUTATORS &&
		area.h >= 2 * DASHBOARD_MUTATORS_H) {
		mutators = area;
		events = draw_cut_top(&mutators, area.h - DASHBOARD_MUTATORS_H);
	}
	dashboard_events(part, events);
	if (mutators.h > 0)
		dashboard_mutators(part, mutators);
}
