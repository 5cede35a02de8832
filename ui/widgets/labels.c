/*
 * labels: words for states, times and shares, the same in all views.
 */
#include "ui/widgets/labels.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "control/budget.h"
#include "ui/term/glyph.h"
#include "ui/term/keys.h"
#include "ui/widgets/draw.h"

/* clang-format off */
static const struct {
	enum style style;
	enum glyph symbol;
	const char *word;
} words_states[RUN_STATE_COUNT] = {
	[RUN_STARTING]	 = { STYLE_WARMUP,     GLYPH_RUNNING, "starting" },
	[RUN_WARMUP]	 = { STYLE_WARMUP,     GLYPH_RUNNING, "warming up" },
	[RUN_FUZZING]	 = { STYLE_RUNNING,    GLYPH_RUNNING, "fuzzing" },
	[RUN_MINIMIZING] = { STYLE_MINIMIZING, GLYPH_RUNNING, "minimizing" },
	[RUN_PAUSED]	 = { STYLE_PAUSED,     GLYPH_PAUSED,  "paused" },
	[RUN_STOPPING]	 = { STYLE_STOPPING,   GLYPH_ENDED,   "stopping" },
	[RUN_ENDED]	 = { STYLE_ENDED,      GLYPH_ENDED,   "ended" },
};

static const struct {
	enum style style;
	const char *word;
} words_workers[WORKER_VIEW_STATE_COUNT] = {
	[WORKER_VIEW_DOWN]	 = { STYLE_BAD,	       "down" },
	[WORKER_VIEW_STARTING]	 = { STYLE_WARMUP,     "starting" },
	[WORKER_VIEW_IDLE]	 = { STYLE_DIM,	       "idle" },
	[WORKER_VIEW_FUZZING]	 = { STYLE_RUNNING,    "fuzzing" },
	[WORKER_VIEW_MINIMIZING] = { STYLE_MINIMIZING, "minimizing" },
	[WORKER_VIEW_REPLAYING]	 = { STYLE_MINIMIZING, "replaying" },
	[WORKER_VIEW_PAUSED]	 = { STYLE_PAUSED,     "paused" },
	[WORKER_VIEW_STOPPING]	 = { STYLE_STOPPING,   "stopping" },
};

#define LABEL_LADDER 52 /* columns of all steps */
#define LABEL_COUNTDOWN 10 /* columns of the bar */

/* Names of the steps of a stop. */
static const char *const words_steps[STOP_STEP_COUNT] = {
	[STOP_NONE]	 = "running",
	[STOP_CLOSED]	 = "asked to stop",
	[STOP_INTERRUPT] = "interrupt",
	[STOP_KILL]	 = "kill",
};
/* clang-format on */

static enum run_state
label_run_state(const struct model *model)
{
	enum run_state state = model->snapshot->state;

	if (model->link == LINK_ENDED || model->link == LINK_LOST)
		return RUN_ENDED;
	return (unsigned)state < RUN_STATE_COUNT ? state : RUN_STARTING;
}

static const char *
label_stopping(const struct snapshot *s, char buf[LABEL_SIZE])
{
	enum stop_step next = s->stop_step + 1;

	if (next < STOP_STEP_COUNT && s->next_step_s >= 0)
		snprintf(buf, LABEL_SIZE, "stopping: %s in %.1f s",
			words_steps[next], s->next_step_s);
	else
		snprintf(buf, LABEL_SIZE, "stopping");
	return buf;
}

/* An engine that is stopped, or whose start is slow, has sent nothing. */
static bool
label_is_unanswered(const struct model *model)
{
	return model->link == LINK_STARTING && model->stale_s >= MODEL_STALE_S;
}

const char *
label_state(const struct model *model, char buf[LABEL_SIZE])
{
	const struct snapshot *s = model->snapshot;
	enum run_state state = label_run_state(model);
	const char *word = words_states[state].word;

	if (model->link == LINK_LOST)
		snprintf(buf, LABEL_SIZE, "the engine is gone");
	else if (label_is_unanswered(model))
		snprintf(buf, LABEL_SIZE, "the engine does not answer yet");
	else if (state == RUN_WARMUP)
		snprintf(buf, LABEL_SIZE, "%s %" PRIu64 "/%" PRIu64, word,
			s->warmup_done, s->warmup_total);
	else if (state == RUN_STOPPING)
		return label_stopping(s, buf);
	else if (state == RUN_ENDED && s->ended_why[0] != '\0')
		snprintf(buf, LABEL_SIZE, "%s: %s", word, s->ended_why);
	else
		snprintf(buf, LABEL_SIZE, "%s", word);
	return buf;
}

enum style
label_state_style(const struct model *model)
{
	if (model->link == LINK_LOST)
		return STYLE_BAD;
	return words_states[label_run_state(model)].style;
}

void
label_put_state(const struct model *model, struct row_writer *out)
{
	enum style style = label_state_style(model);
	enum glyph sign = words_states[label_run_state(model)].symbol;
	char buf[LABEL_SIZE];
	int from = out->x;

	row_text(out, style, glyph(out->grid, sign));
	row_gap(out, 1);
	row_clean(out, style, label_state(model, buf));
	row_add_hot_spot(out, from, "campaign");
}

static enum worker_view_state
label_worker(const struct snapshot_worker *worker)
{
	if (worker->paused && worker->state == WORKER_VIEW_IDLE)
		return WORKER_VIEW_PAUSED;
	return (unsigned)worker->state < WORKER_VIEW_STATE_COUNT
		? worker->state
		: WORKER_VIEW_DOWN;
}

const char *
label_worker_state(const struct snapshot_worker *worker)
{
	if (worker->retiring)
		return "retiring";
	return words_workers[label_worker(worker)].word;
}

enum style
label_worker_style(const struct snapshot_worker *worker)
{
	return words_workers[label_worker(worker)].style;
}

static void
label_put_step(struct row_writer *out, enum stop_step i, enum stop_step step,
	double next_s)
{
	bool next = i == step + 1 && next_s >= 0;
	enum style style = i <= step ? STYLE_DIM : STYLE_LABEL;

	if (i <= step || next)
		row_printf(out, STYLE_STOPPING, "%s ",
			glyph(out->grid, next ? GLYPH_HERE : GLYPH_DONE));
	row_text(out, next ? STYLE_STOPPING : style, words_steps[i]);
	if (next)
		row_printf(out, STYLE_STOPPING, " in %.1f s", next_s);
}

void
label_put_ladder(struct row_writer *out, enum stop_step step, double next_s)
{
	enum stop_step i;

	if (row_room(out) < LABEL_LADDER) {
		i = step + 1 < STOP_STEP_COUNT && next_s >= 0 ? step + 1 : step;
		label_put_step(out, i, step, next_s);
		return;
	}
	for (i = STOP_CLOSED; i < STOP_STEP_COUNT; i++) {
		if (i > STOP_CLOSED)
			row_printf(out, STYLE_DIM, "  %s  ",
				glyph(out->grid, GLYPH_TO));
		label_put_step(out, i, step, next_s);
	}
}

void
label_put_countdown(struct row_writer *out, double next_s, double step_s)
{
	if (next_s < 0 || step_s <= 0 || row_room(out) < LABEL_COUNTDOWN + 2)
		return;
	row_gap(out, 2);
	draw_bar(out->grid, out->x, out->y, LABEL_COUNTDOWN, next_s / step_s,
		STYLE_STOPPING);
	row_gap(out, LABEL_COUNTDOWN);
}

double
label_step_s(const struct snapshot *snapshot)
{
	const struct snapshot_limit *limit =
		snapshot_find_limit(snapshot, "stop-step");
	uint64_t ms;

	if (limit == NULL || duration_parse(limit->value, &ms, NULL) != OK)
		return 0;
	return (double)ms / 1e3;
}

const char *
label_tenths(double seconds, char buf[TEXT_NUMBER_SIZE])
{
	if (!(seconds >= 0) || seconds >= 9.95)
		return label_seconds(seconds, buf);
	snprintf(buf, TEXT_NUMBER_SIZE, "%.1f s", seconds);
	return buf;
}

const char *
label_kept(const struct snapshot *s, const char *text)
{
	bool lost = s->state == RUN_ENDED && s->limits_n == 0 &&
		s->past_execs + s->execs == 0;

	return lost ? "-" : text;
}

const char *
label_seconds(double seconds, char buf[TEXT_NUMBER_SIZE])
{
	if (!(seconds >= 0))
		snprintf(buf, TEXT_NUMBER_SIZE, "-");
	else if (seconds < 60)
		snprintf(buf, TEXT_NUMBER_SIZE, "%.0f s", seconds);
	else if (seconds < 1e9)
		text_elapsed((uint64_t)(seconds * 1e9), buf);
	else
		snprintf(buf, TEXT_NUMBER_SIZE, "ages");
	return buf;
}

const char *
label_micros(double us, char buf[TEXT_NUMBER_SIZE])
{
	if (!(us > 0))
		snprintf(buf, TEXT_NUMBER_SIZE, "-");
	else if (us < 10)
		snprintf(buf, TEXT_NUMBER_SIZE, "%.1f us", us);
	else if (us < 1e3)
		snprintf(buf, TEXT_NUMBER_SIZE, "%.0f us", us);
	else if (us < 1e6)
		snprintf(buf, TEXT_NUMBER_SIZE, "%.1f ms", us / 1e3);
	else
		snprintf(buf, TEXT_NUMBER_SIZE, "%.1f s",
			us < 1e12 ? us / 1e6 : 1e6);
	return buf;
}

const char *
label_percent(uint64_t part, uint64_t whole, char buf[TEXT_NUMBER_SIZE])
{
	double percent = whole > 0 ? 100.0 * (double)part / (double)whole : 0;

	if (whole == 0)
		snprintf(buf, TEXT_NUMBER_SIZE, "-");
	else if (part > 0 && percent < 1)
		snprintf(buf, TEXT_NUMBER_SIZE, "<1 %%");
	else if (part < whole && percent >= 99.5)
		snprintf(buf, TEXT_NUMBER_SIZE, ">99 %%");
	else
		snprintf(buf, TEXT_NUMBER_SIZE, "%.0f %%", percent);
	return buf;
}

const char *
label_plural(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

void
label_dim_stale(const struct model *model, struct grid *grid, struct rect area)
{
	char age[TEXT_NUMBER_SIZE];
	int columns = 24;

	if (!model_stale(model) || model->link != LINK_UP)
		return;
	grid_restyle(grid, area, STYLE_STALE);
	if (area.w < columns + 8 || area.h < 2)
		return;
	grid_printf(grid, area.x + area.w - columns - 2, area.y, columns,
		STYLE_WARN, " no snapshot for %s ",
		label_seconds(model->stale_s, age));
}

void
label_no_rows(struct grid *grid, struct rect rect, enum key_context context)
{
	char how[96];

	draw_empty(grid, rect, "No row has all these words.",
		keys_text(context,
			"{back} removes the filter, {filter} changes it.", how,
			sizeof(how)));
}

void
label_no_reply(const struct model *model, struct grid *grid, struct rect rect,
	const char *begins)
{
	/* An engine that could not start has ended as well. */
	if (model->snapshot->execs > 0)
		draw_empty(grid, rect, "The engine has ended.",
			"cfuzz attach shows what is on the disk.");
	else
		draw_empty(grid, rect, "Nothing has run yet.", begins);
}

double
label_campaign_s(const struct snapshot *s)
{
	return s->past_s + s->elapsed_s;
}
