/*
 * worker_values: see worker_values.h.
 *
 * A line is a name and some values, the most important first. A value that does
 * not fit is left out, not cut.
 */
#include "ui/views/workers/worker_values.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "ui/widgets/labels.h"

#define VALUES_NAME 10 /* columns of a name before its value */
#define LABEL_VALUES_GAP 3
#define VALUES_NARROW 60 /* with fewer columns, words are short */

struct worker_values {
	struct grid *grid;
	struct rect rect;
	int row;
	const struct snapshot_worker *worker;
	const struct model *model;
};

/* Starts a line with its name; the caller writes the values. */
static struct row_writer
worker_values_line(struct worker_values *values, const char *name)
{
	struct row_writer out =
		row_put_at(values->grid, values->rect, values->row++);

	row_field(&out, VALUES_NAME, STYLE_LABEL, name);
	row_add_hot_spot(&out, values->rect.x, name);
	row_gap(&out, 1);
	return out;
}

/* Adds "7 new inputs", after a gap unless it is the first fact. */
static void
worker_values_put(const struct worker_values *values, struct row_writer *out,
	enum style style, const char *value, const char *name)
{
	int first = values->rect.x + VALUES_NAME + 1;
	int gap = out->x > first ? LABEL_VALUES_GAP : 0;

	if (gap + (int)text_width(value) + 1 + (int)text_width(name) >
		row_room(out))
		return;
	row_gap(out, gap);
	row_value(out, 0, style, value, name);
}

static void
worker_values_state(struct worker_values *values)
{
	const struct snapshot_worker *w = values->worker;
	struct row_writer out = worker_values_line(values, "state");
	char text[TEXT_NUMBER_SIZE], key[KEY_HINT_SIZE];

	row_text(&out, label_worker_style(w), label_worker_state(w));
	if (w->state_s >= 0) {
		row_text(&out, STYLE_LABEL, " for ");
		row_text(&out, STYLE_VALUE, label_seconds(w->state_s, text));
	}
	if (w->paused)
		row_printf(&out, STYLE_PAUSED, ", paused with %s",
			keys_hint(KEYS_WORKERS, "toggle-worker", key));
	if (w->retiring)
		row_text(&out, STYLE_STOPPING, ", ends after this call");
	if (w->stop_step == STOP_NONE)
		return;
	out = worker_values_line(values, "stop");
	label_put_ladder(&out, w->stop_step, w->next_step_s);
	label_put_countdown(&out, w->next_step_s,
		label_step_s(values->model->snapshot));
	if (w->state == WORKER_VIEW_DOWN || w->stop_step >= STOP_KILL ||
		row_room(&out) < 22 || model_only_shows(values->model) != NULL)
		return;
	row_gap(&out, LABEL_VALUES_GAP);
	row_text(&out, STYLE_KEY, keys_hint(KEYS_WORKERS, "stop-worker", key));
	row_text(&out, STYLE_LABEL, " does not wait");
}

static void
worker_values_entry(struct worker_values *values)
{
	const struct snapshot_worker *w = values->worker;
	struct row_writer out = worker_values_line(values, "works on");
	bool narrow = values->rect.w < VALUES_NARROW;
	char entry[64], text[TEXT_NUMBER_SIZE];

	if (w->entry[0] == '\0') {
		row_text(&out, STYLE_DIM, "nothing yet");
		return;
	}
	snprintf(entry, sizeof(entry), "%.*s", narrow ? 8 : 63, w->entry);
	row_clean(&out, STYLE_VALUE, entry);
	row_gap(&out, LABEL_VALUES_GAP);
	row_text(&out, STYLE_LABEL, narrow ? "gen " : "generation ");
	row_printf(&out, STYLE_VALUE, "%" PRIu32, w->generation);
	text_bytes(w->entry_len, text);
	if (row_room(&out) < LABEL_VALUES_GAP + (int)text_width(text))
		return;
	row_gap(&out, LABEL_VALUES_GAP);
	row_text(&out, STYLE_VALUE, text);
}

static void
worker_values_work(struct worker_values *values)
{
	const struct snapshot_worker *w = values->worker;
	struct row_writer out = worker_values_line(values, "has done");
	bool narrow = values->rect.w < VALUES_NARROW;
	char text[TEXT_NUMBER_SIZE];

	if (narrow)
		worker_values_put(values, &out, STYLE_VALUE,
			text_short((double)w->execs, text), "execs");
	else
		worker_values_put(values, &out, STYLE_VALUE,
			text_count(w->execs, text), "executions");
	worker_values_put(values, &out, STYLE_STRONG,
		text_rate(w->execs_per_sec, text), "now");
	worker_values_put(values, &out, STYLE_VALUE, text_count(w->finds, text),
		label_plural(w->finds, "new input", "new inputs"));
}

static void
worker_values_process(const struct worker_values *values,
	struct row_writer *out, int64_t pid, const char *name)
{
	char text[TEXT_NUMBER_SIZE];

	snprintf(text, sizeof(text), "%" PRId64, pid);
	worker_values_put(values, out, STYLE_VALUE, text, name);
}

static void
worker_values_processes(struct worker_values *values)
{
	const struct snapshot_worker *w = values->worker;
	struct row_writer out = worker_values_line(values, "processes");
	char text[TEXT_NUMBER_SIZE];

	if (w->pid <= 0) {
		row_text(&out, STYLE_DIM, "none at the moment");
		return;
	}
	worker_values_process(values, &out, w->pid, "fork server");
	if (w->child > 0)
		worker_values_process(values, &out, w->child, "child");
	worker_values_put(values, &out, STYLE_VALUE,
		text_bytes(w->rss_kb * 1024, text), "memory");
	snprintf(text, sizeof(text), "%.0f %%", w->cpu * 100);
	worker_values_put(values, &out, STYLE_VALUE, text, "cpu");
}

static void
worker_values_fork(struct worker_values *values)
{
	const struct snapshot_worker *w = values->worker;
	struct row_writer out = worker_values_line(values, "fork");
	char text[TEXT_NUMBER_SIZE];
	int from = out.x;

	if (w->no_fork) {
		row_printf(&out, STYLE_WARN,
			"no fork with %" PRId64
			" threads: each death restarts the target",
			w->threads);
	} else if (w->fork_us == 0) {
		row_text(&out, STYLE_DIM, "not measured yet");
	} else {
		row_text(&out, STYLE_VALUE,
			label_micros((double)w->fork_us, text));
		row_text(&out, STYLE_LABEL, " for a new child");
	}
	row_add_hot_spot(&out, from, "fork");
}

static void
worker_values_restarts(struct worker_values *values)
{
	const struct snapshot_worker *w = values->worker;
	struct row_writer out = worker_values_line(values, "restarts");
	char text[TEXT_NUMBER_SIZE];
	int from = out.x;

	row_text(&out, w->restarts > 0 ? STYLE_WARN : STYLE_VALUE,
		text_count(w->restarts, text));
	row_add_hot_spot(&out, from, "restarts");
	if (w->restart_why[0] != '\0') {
		row_text(&out, STYLE_LABEL, "   the last: ");
		row_clean(&out, STYLE_VALUE, w->restart_why);
	}
	worker_values_put(values, &out, STYLE_VALUE,
		text_count(w->deaths, text),
		label_plural(w->deaths, "child died", "children died"));
}

int
worker_values_draw(const struct model *model,
	const struct snapshot_worker *worker, struct grid *grid,
	struct rect rect)
{
	struct worker_values values = { .grid = grid,
		.rect = rect,
		.worker = worker,
		.model = model };

	worker_values_state(&values);
	worker_values_entry(&values);
	worker_values_work(&values);
	worker_values_processes(&values);
	worker_values_fork(&values);
	worker_values_restarts(&values);
	return values.row;
}
