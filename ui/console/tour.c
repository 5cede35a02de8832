/*
 * tour: the steps, and how they are drawn.
 */
#include "ui/console/tour.h"

#include <stdio.h>
#include <string.h>

#include "ui/console/explain.h"
#include "ui/term/hot_spot.h"
#include "ui/widgets/draw.h"

#define TOUR_TEXT_W 74 /* columns */
#define TOUR_TEXT 512

/* ---- what may be waited for ---- */

static bool
tour_runs(const struct model *model)
{
	return model->snapshot->execs > 0;
}

static bool
tour_covers(const struct model *model)
{
	return model->snapshot->interesting > 0;
}

static bool
tour_found(const struct model *model)
{
	return model->snapshot->findings_n > 0;
}

static bool
tour_paused(const struct model *model)
{
	return model->snapshot->paused || model->snapshot->paused_s > 0;
}

/* A finding that may be minimized further; NULL: none. */
static const struct snapshot_finding *
tour_shrinkable(const struct model *model)
{
	const struct snapshot *s = model->snapshot;

	for (size_t i = 0; i < s->findings_n; i++)
		if (s->findings[i].len > 1 && s->findings[i].sequence < 2)
			return &s->findings[i];
	return NULL;
}

static bool
tour_minimizes(const struct model *model)
{
	const struct snapshot *s = model->snapshot;

	for (size_t i = 0; i < s->minimizations_n; i++)
		if (s->minimizations[i].by_steps &&
			s->minimizations[i].tries > 0)
			return true;
	return false;
}

/* Starts a minimization, held: those that start by themselves end too soon. */
static bool
tour_begin_steps(const struct model *model, char *line, size_t size)
{
	const struct snapshot_finding *f = tour_shrinkable(model);

	if (f == NULL || f->minimizing)
		return false;
	snprintf(line, size, "steps %s", f->id);
	return true;
}

static bool
tour_open_source(const struct model *model, char *line, size_t size)
{
	if (model->snapshot->counters_hit == 0)
		return false;
	snprintf(line, size, "view coverage open");
	return true;
}

static bool
tour_open_finding(const struct model *model, char *line, size_t size)
{
	if (model->snapshot->findings_n == 0)
		return false;
	snprintf(line, size, "view findings show %s",
		model->snapshot->findings[0].id);
	return true;
}

/* The field of the step is on the screen. */
static bool
tour_seen(const struct model *model)
{
	return model->tour.seen;
}

/* ---- the steps ---- */

/* clang-format off */
static const struct tour_step steps[] = {
	{ "the dashboard", "dashboard", "now",
	  "The target is executed over and over with mutated inputs. The "
	  "marked number is the speed in executions per second: thousands "
	  "are good. The workers are listed below.",
	  tour_runs, "It is about to start.", NULL },
	{ "coverage grows", "coverage", "bits",
	  "An input that reaches new code is kept in the corpus and mutated "
	  "further. So coverage grows: fast at first, then in steps. Each "
	  "step is a new input.",
	  tour_covers, "No input has reached new code so far.", NULL },
	{ "the source", "coverage", "signs",
	  "The signs before the lines show which code was executed, in part "
	  "or not at all, and what is new. A frontier is a line after which "
	  "nothing was ever executed: there inputs fail to get further.",
	  tour_seen, "The source is being read. Without debug information "
	  "(-g) there is none.", tour_open_source },
	{ "a finding", "findings", "what",
	  "An input that makes the target fail is a finding. The same bug "
	  "counts once, however often it is seen, and its input is saved.",
	  tour_found, "Nothing has failed so far. The demonstration target "
	  "fails within half a minute, other targets may never fail.", NULL },
	{ "a finding in detail", "findings", "to re-run",
	  "The facts of a finding: the report, the call stack with its "
	  "source, and the command that executes the input again. {right} "
	  "shows the next page.",
	  tour_seen, "It opens as soon as there is a finding.",
	  tour_open_finding },
	{ "workers, and a pause", "workers", "state",
	  "Each worker is a process with the target in it. {toggle-pause} "
	  "pauses all workers, which then use no CPU time; {toggle-pause} "
	  "again resumes them. {workers +1} and {workers -1} change their "
	  "number.",
	  tour_paused, "Try it: press {toggle-pause}.", NULL },
	{ "minimization", "minimization", "tries",
	  "Bytes that a finding does not need are removed, as long as it "
	  "fails in the same way. This runs by itself after each finding. "
	  "This one is held for you: n is one try, Space continues.",
	  tour_minimizes, "Try it: press n. It starts once there is a "
	  "finding to minimize.", tour_begin_steps },
	{ "limits, and the end", "dashboard", NULL,
	  "{limits} shows the limits and changes them during the campaign. "
	  "{stop} stops, {quit} quits; both ask first. The findings are in "
	  "the output directory, and the next start resumes the campaign.",
	  NULL, NULL, NULL },
};
/* clang-format on */

#define TOUR_STEPS (sizeof(steps) / sizeof(steps[0]))

const struct tour_step *
tour_step(size_t i)
{
	return i < TOUR_STEPS ? &steps[i] : NULL;
}

/* ---- from step to step ---- */

void
tour_open(struct model *model)
{
	model->tour = (struct tour){ .open = true };
	tour_update(model);
}

void
tour_update(struct model *model)
{
	const struct tour_step *step = tour_step(model->tour.step);

	if (model->tour.open && step->happened != NULL && step->happened(model))
		model->tour.ready = true;
}

bool
tour_line(struct model *model, char *line, size_t size)
{
	const struct tour_step *step = tour_step(model->tour.step);

	if (!model->tour.open || model->tour.begun || step->begins == NULL ||
		!step->begins(model, line, size))
		return false;
	model->tour.begun = true;
	return true;
}

void
tour_command(struct model *model, const char *command)
{
	struct tour *tour = &model->tour;

	if (strcmp(command, "back") == 0)
		tour->open = false;
	else if (strcmp(command, "previous") == 0 && tour->step > 0)
		tour->step--;
	else if (strcmp(command, "next") == 0 && ++tour->step == TOUR_STEPS)
		*tour = (struct tour){ 0 };
	tour->ready = tour->begun = tour->seen = false;
	tour_update(model);
}

/* ---- drawing ---- */

static const struct hot_spot *
tour_field(const struct grid *grid, const char *label)
{
	const struct hot_spots *spots = grid_hot_spots(grid);

	for (size_t i = 0; i < spots->n && label != NULL; i++)
		if (spots->items[i].kind == HOT_SPOT_FIELD &&
			strcmp(spots->items[i].text, label) == 0)
			return &spots->items[i];
	return NULL;
}

/* After its end a campaign does not change any more. */
static const char *
tour_wait(const struct model *model, const struct tour_step *step, char *text,
	size_t size)
{
	bool over = model->link == LINK_ENDED ||
		model->snapshot->state >= RUN_STOPPING;

	return keys_text(KEYS_TOUR,
		over ? "This did not happen before the campaign ended."
		     : step->wait,
		text, size);
}

void
tour_look(struct model *model, const struct grid *grid)
{
	const struct tour_step *step = tour_step(model->tour.step);

	if (model->tour.open && model->tour.begun)
		model->tour.seen |= tour_field(grid, step->field) != NULL;
	tour_update(model);
}

/* "✓ …" or what the step waits for, in one row. */
static void
tour_draw_state(const struct model *model, struct grid *grid, struct rect rect,
	const struct tour_step *step)
{
	struct row_writer out = row_put_at(grid, rect, 0);
	char text[TOUR_TEXT];

	if (step->happened == NULL) {
		row_text(&out, STYLE_INFO,
			keys_text(KEYS_TOUR,
				"That is all. {next} ends the tour.", text,
				sizeof(text)));
	} else if (model->tour.ready) {
		row_printf(&out, STYLE_GOOD, "%s ", glyph(grid, GLYPH_DONE));
		row_text(&out, STYLE_GOOD,
			keys_text(KEYS_TOUR, "{next} goes on.", text,
				sizeof(text)));
	} else {
		draw_words(grid, rect, STYLE_INFO,
			tour_wait(model, step, text, sizeof(text)));
	}
}

void
tour_draw(const struct model *model, struct grid *grid, struct rect body)
{
	const struct tour_step *step = tour_step(model->tour.step);
	const struct hot_spot *field = tour_field(grid, step->field);
	int w = body.w - 4 < TOUR_TEXT_W ? body.w - 4 : TOUR_TEXT_W;
	char title[64], text[TOUR_TEXT], below[128];
	struct rect inside;
	int rows, wait = 1;

	if (step->happened != NULL && !model->tour.ready)
		wait = draw_words_rows(keys_text(KEYS_TOUR, step->wait, text,
					       sizeof(text)),
			w);
	keys_text(KEYS_TOUR, step->text, text, sizeof(text));
	rows = draw_words_rows(text, w);
	if (field != NULL)
		grid_restyle(grid,
			(struct rect){ field->x, field->y, field->w, field->h },
			STYLE_SELECTED);
	snprintf(title, sizeof(title), "tour %zu of %zu: %s",
		model->tour.step + 1, TOUR_STEPS, step->title);
	inside = explain_panel(grid, body, rows + wait,
		field != NULL ? field->y : -1, title,
		keys_text(KEYS_TOUR,
			w > 50 ? "{next} next   {previous} back   {back} ends"
			       : "{next} next   {back} ends",
			below, sizeof(below)));
	rows = draw_words(grid, inside, STYLE_NORMAL, text);
	draw_cut_top(&inside, rows);
	if (inside.h > 0)
		tour_draw_state(model, grid, inside, step);
}
