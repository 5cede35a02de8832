/*
 * words: states, times and shares as every view says them.
 */
#include "ui/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/symbol.h"

/* clang-format off */
static const struct {
	enum style style;
	enum symbol symbol;
	const char *word;
} words_states[RUN_STATE_COUNT] = {
	[RUN_STARTING]	 = { STYLE_WARMUP,     SYMBOL_RUNNING, "starting" },
	[RUN_WARMUP]	 = { STYLE_WARMUP,     SYMBOL_RUNNING, "warming up" },
	[RUN_FUZZING]	 = { STYLE_RUNNING,    SYMBOL_RUNNING, "fuzzing" },
	[RUN_MINIMIZING] = { STYLE_MINIMIZING, SYMBOL_RUNNING, "minimizing" },
	[RUN_PAUSED]	 = { STYLE_PAUSED,     SYMBOL_PAUSED,  "paused" },
	[RUN_STOPPING]	 = { STYLE_STOPPING,   SYMBOL_ENDED,   "stopping" },
	[RUN_ENDED]	 = { STYLE_ENDED,      SYMBOL_ENDED,   "ended" },
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

#define WORDS_LADDER 52 /* columns of the whole ladder */

/* What each step of the ladder does, done and to come. */
static const char *const words_steps[STOP_STEP_COUNT] = {
	[STOP_NONE]	 = "running",
	[STOP_CLOSED]	 = "asked to stop",
	[STOP_INTERRUPT] = "interrupt",
	[STOP_KILL]	 = "kill",
};
/* clang-format on */

static enum run_state
words_run_state(const struct model *model)
{
	enum run_state state = model->snapshot->state;

	if (model->link == LINK_ENDED || model->link == LINK_LOST)
		return RUN_ENDED;
	return (unsigned)state < RUN_STATE_COUNT ? state : RUN_STARTING;
}

static const char *
words_stopping(const struct snapshot *s, char buf[WORDS_SIZE])
{
	enum stop_step next = s->stop_step + 1;

	if (next < STOP_STEP_COUNT && s->next_step_s >= 0)
		snprintf(buf, WORDS_SIZE, "stopping: %s in %.1f s",
			words_steps[next], s->next_step_s);
	else
		snprintf(buf, WORDS_SIZE, "stopping");
	return buf;
}

const char *
words_state(const struct model *model, char buf[WORDS_SIZE])
{
	const struct snapshot *s = model->snapshot;
	enum run_state state = words_run_state(model);
	const char *word = words_states[state].word;

	if (model->link == LINK_LOST)
		snprintf(buf, WORDS_SIZE, "the engine is gone");
	else if (state == RUN_WARMUP)
		snprintf(buf, WORDS_SIZE, "%s %" PRIu64 "/%" PRIu64, word,
			s->warmup_done, s->warmup_total);
	else if (state == RUN_STOPPING)
		return words_stopping(s, buf);
	else if (state == RUN_ENDED && s->ended_why[0] != '\0')
		snprintf(buf, WORDS_SIZE, "%s: %s", word, s->ended_why);
	else
		snprintf(buf, WORDS_SIZE, "%s", word);
	return buf;
}

enum style
words_state_style(const struct model *model)
{
	if (model->link == LINK_LOST)
		return STYLE_BAD;
	return words_states[words_run_state(model)].style;
}

void
words_put_state(const struct model *model, struct pen *pen)
{
	enum style style = words_state_style(model);
	enum symbol sign = words_states[words_run_state(model)].symbol;
	char buf[WORDS_SIZE];

	pen_text(pen, style, symbol(pen->grid, sign));
	pen_gap(pen, 1);
	pen_clean(pen, style, words_state(model, buf));
}

static enum worker_view_state
words_worker(const struct snapshot_worker *worker)
{
	if (worker->paused && worker->state == WORKER_VIEW_IDLE)
		return WORKER_VIEW_PAUSED;
	return (unsigned)worker->state < WORKER_VIEW_STATE_COUNT
		? worker->state
		: WORKER_VIEW_DOWN;
}

const char *
words_worker_state(const struct snapshot_worker *worker)
{
	if (worker->retiring)
		return "retiring";
	return words_workers[words_worker(worker)].word;
}

enum style
words_worker_style(const struct snapshot_worker *worker)
{
	return words_workers[words_worker(worker)].style;
}

static void
words_put_step(struct pen *pen, enum stop_step i, enum stop_step step,
	double next_s)
{
	bool next = i == step + 1 && next_s >= 0;
	enum style style = i <= step ? STYLE_DIM : STYLE_LABEL;

	if (i <= step || next)
		pen_printf(pen, STYLE_STOPPING, "%s ",
			symbol(pen->grid, next ? SYMBOL_HERE : SYMBOL_DONE));
	pen_text(pen, next ? STYLE_STOPPING : style, words_steps[i]);
	if (next)
		pen_printf(pen, STYLE_STOPPING, " in %.1f s", next_s);
}

void
words_put_ladder(struct pen *pen, enum stop_step step, double next_s)
{
	enum stop_step i;

	if (pen_room(pen) < WORDS_LADDER) {
		i = step + 1 < STOP_STEP_COUNT && next_s >= 0 ? step + 1 : step;
		words_put_step(pen, i, step, next_s);
		return;
	}
	for (i = STOP_CLOSED; i < STOP_STEP_COUNT; i++) {
		if (i > STOP_CLOSED)
			pen_printf(pen, STYLE_DIM, "  %s  ",
				symbol(pen->grid, SYMBOL_TO));
		words_put_step(pen, i, step, next_s);
	}
}

const char *
words_seconds(double seconds, char buf[TEXT_NUMBER_SIZE])
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
words_percent(uint64_t part, uint64_t whole, char buf[TEXT_NUMBER_SIZE])
{
	double percent = whole > 0 ? 100.0 * (double)part / (double)whole : 0;

	if (whole == 0)
		snprintf(buf, TEXT_NUMBER_SIZE, "-");
	else if (part > 0 && percent < 1)
		snprintf(buf, TEXT_NUMBER_SIZE, "<1 %%");
	else
		snprintf(buf, TEXT_NUMBER_SIZE, "%.0f %%", percent);
	return buf;
}

const char *
words_plural(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

void
words_dim_stale(const struct model *model, struct grid *grid, struct rect area)
{
	char age[TEXT_NUMBER_SIZE];
	int columns = 24;

	if (!model_stale(model) || model->link != LINK_UP)
		return;
	grid_restyle(grid, area, STYLE_STALE);
	if (area.w < columns + 8 || area.h < 2)
		return;
	grid_printf(grid, area.x + area.w - columns - 2, area.y, columns,
		STYLE_WARN, " no news for %s ",
		words_seconds(model->stale_s, age));
}
