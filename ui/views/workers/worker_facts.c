/*
 * worker_facts: see worker_facts.h.
 *
 * A line is a name and some facts, the most important first. A fact that does
 * not fit is left out, not cut.
 */
#include "ui/views/workers/worker_facts.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "ui/widgets/labels.h"

#define FACTS_NAME 10 /* columns of a name before its value */
#define LABEL_VALUES_GAP 3
#define FACTS_NARROW 60 /* with fewer columns, words are short */

struct label_values {
	struct grid *grid;
	struct rect rect;
	int row;
	const struct snapshot_worker *worker;
	double step_s; /* seconds between steps of a stop */
};

/* Starts a line with its name; the caller writes the facts. */
static struct row_writer
facts_line(struct label_values *facts, const char *name)
{
	struct row_writer pen =
		row_put_at(facts->grid, facts->rect, facts->row++);

	row_field(&pen, FACTS_NAME, STYLE_LABEL, name);
	row_mark(&pen, facts->rect.x, name);
	row_gap(&pen, 1);
	return pen;
}

/* Adds "7 new inputs", after a gap unless it is the first fact. */
static void
facts_put(const struct label_values *facts, struct row_writer *pen,
	enum style style, const char *value, const char *name)
{
	int first = facts->rect.x + FACTS_NAME + 1;
	int gap = pen->x > first ? LABEL_VALUES_GAP : 0;

	if (gap + (int)text_width(value) + 1 + (int)text_width(name) >
		row_room(pen))
		return;
	row_gap(pen, gap);
	row_value(pen, 0, style, value, name);
}

static void
facts_state(struct label_values *facts)
{
	const struct snapshot_worker *w = facts->worker;
	struct row_writer pen = facts_line(facts, "state");
	char text[TEXT_NUMBER_SIZE];

	row_text(&pen, label_worker_style(w), label_worker_state(w));
	row_text(&pen, STYLE_LABEL, " for ");
	row_text(&pen, STYLE_VALUE, label_seconds(w->state_s, text));
	if (w->paused)
		row_text(&pen, STYLE_PAUSED, ", paused by its own key (P)");
	if (w->retiring)
		row_text(&pen, STYLE_STOPPING, ", leaves after this call");
	if (w->stop_step == STOP_NONE)
		return;
	pen = facts_line(facts, "stop");
	label_put_ladder(&pen, w->stop_step, w->next_step_s);
	label_put_countdown(&pen, w->next_step_s, facts->step_s);
	if (w->stop_step >= STOP_KILL || row_room(&pen) < 22)
		return;
	row_gap(&pen, LABEL_VALUES_GAP);
	row_text(&pen, STYLE_KEY, label_key("stop-worker"));
	row_text(&pen, STYLE_LABEL, " does not wait");
}

static void
facts_entry(struct label_values *facts)
{
	const struct snapshot_worker *w = facts->worker;
	struct row_writer pen = facts_line(facts, "works on");
	bool narrow = facts->rect.w < FACTS_NARROW;
	char entry[64], text[TEXT_NUMBER_SIZE];

	if (w->entry[0] == '\0') {
		row_text(&pen, STYLE_DIM, "nothing yet");
		return;
	}
	snprintf(entry, sizeof(entry), "%.*s", narrow ? 8 : 63, w->entry);
	row_clean(&pen, STYLE_VALUE, entry);
	row_gap(&pen, LABEL_VALUES_GAP);
	row_text(&pen, STYLE_LABEL, narrow ? "gen " : "generation ");
	row_printf(&pen, STYLE_VALUE, "%" PRIu32, w->generation);
	text_bytes(w->entry_len, text);
	if (row_room(&pen) < LABEL_VALUES_GAP + (int)text_width(text))
		return;
	row_gap(&pen, LABEL_VALUES_GAP);
	row_text(&pen, STYLE_VALUE, text);
}

static void
facts_work(struct label_values *facts)
{
	const struct snapshot_worker *w = facts->worker;
	struct row_writer pen = facts_line(facts, "has done");
	bool narrow = facts->rect.w < FACTS_NARROW;
	char text[TEXT_NUMBER_SIZE];

	if (narrow)
		facts_put(facts, &pen, STYLE_VALUE,
			text_short((double)w->execs, text), "execs");
	else
		facts_put(facts, &pen, STYLE_VALUE, text_count(w->execs, text),
			"executions");
	facts_put(facts, &pen, STYLE_STRONG, text_rate(w->execs_per_sec, text),
		"now");
	facts_put(facts, &pen, STYLE_VALUE, text_count(w->finds, text),
		label_plural(w->finds, "new input", "new inputs"));
}

static void
facts_process(const struct label_values *facts, struct row_writer *pen,
	int64_t pid, const char *name)
{
	char text[TEXT_NUMBER_SIZE];

	snprintf(text, sizeof(text), "%" PRId64, pid);
	facts_put(facts, pen, STYLE_VALUE, text, name);
}

static void
facts_processes(struct label_values *facts)
{
	const struct snapshot_worker *w = facts->worker;
	struct row_writer pen = facts_line(facts, "processes");
	char text[TEXT_NUMBER_SIZE];

	if (w->pid <= 0) {
		row_text(&pen, STYLE_DIM, "none at the moment");
		return;
	}
	facts_process(facts, &pen, w->pid, "fork server");
	if (w->child > 0)
		facts_process(facts, &pen, w->child, "child");
	facts_put(facts, &pen, STYLE_VALUE, text_bytes(w->rss_kb * 1024, text),
		"memory");
	snprintf(text, sizeof(text), "%.0f %%", w->cpu * 100);
	facts_put(facts, &pen, STYLE_VALUE, text, "cpu");
}

static void
facts_fork(struct label_values *facts)
{
	const struct snapshot_worker *w = facts->worker;
	struct row_writer pen = facts_line(facts, "fork");
	char text[TEXT_NUMBER_SIZE];
	int from = pen.x;

	if (w->no_fork) {
		row_printf(&pen, STYLE_WARN,
			"no fork: the target starts %" PRId64
			" threads; each death costs a new start",
			w->threads);
	} else if (w->fork_us == 0) {
		row_text(&pen, STYLE_DIM, "not measured yet");
	} else {
		row_text(&pen, STYLE_VALUE,
			label_micros((double)w->fork_us, text));
		row_text(&pen, STYLE_LABEL, " for a new child");
	}
	row_mark(&pen, from, "fork");
}

static void
facts_restarts(struct label_values *facts)
{
	const struct snapshot_worker *w = facts->worker;
	struct row_writer pen = facts_line(facts, "restarts");
	char text[TEXT_NUMBER_SIZE];
	int from = pen.x;

	row_text(&pen, w->restarts > 0 ? STYLE_WARN : STYLE_VALUE,
		text_count(w->restarts, text));
	row_mark(&pen, from, "restarts");
	if (w->restart_why[0] != '\0') {
		row_text(&pen, STYLE_LABEL, "   the last: ");
		row_clean(&pen, STYLE_VALUE, w->restart_why);
	}
	facts_put(facts, &pen, STYLE_VALUE, text_count(w->deaths, text),
		label_plural(w->deaths, "child died", "children died"));
}

int
worker_facts_draw(const struct snapshot_worker *worker, double step_s,
	struct grid *grid, struct rect rect)
{
	struct label_values facts = { .grid = grid,
		.rect = rect,
		.worker = worker,
		.step_s = step_s };

	facts_state(&facts);
	facts_entry(&facts);
	facts_work(&facts);
	facts_processes(&facts);
	facts_fork(&facts);
	facts_restarts(&facts);
	return facts.row;
}
