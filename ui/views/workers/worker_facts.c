/*
 * worker_facts: see worker_facts.h.
 *
 * A line is a name and some facts, the most important first; what does not
 * fit is left out whole.
 */
#include "ui/views/workers/worker_facts.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"

#define FACTS_NAME 10 /* columns of a name before its value */
#define FACTS_GAP 3
#define FACTS_NARROW 60 /* columns; with less, words are short */

struct facts {
	struct grid *grid;
	struct rect rect;
	int row;
	const struct snapshot_worker *worker;
	double step_s; /* between steps of a stop */
};

/* A new line with its name; what follows is the caller's. */
static struct pen
facts_line(struct facts *facts, const char *name)
{
	struct pen pen = pen_at(facts->grid, facts->rect, facts->row++);

	pen_field(&pen, FACTS_NAME, STYLE_LABEL, name);
	pen_mark(&pen, facts->rect.x, name);
	pen_gap(&pen, 1);
	return pen;
}

/* "7 finds", after a gap if it is not the line's first. */
static void
facts_put(const struct facts *facts, struct pen *pen, enum style style,
	const char *value, const char *name)
{
	int first = facts->rect.x + FACTS_NAME + 1;
	int gap = pen->x > first ? FACTS_GAP : 0;

	if (gap + (int)text_width(value) + 1 + (int)text_width(name) >
		pen_room(pen))
		return;
	pen_gap(pen, gap);
	pen_value(pen, 0, style, value, name);
}

static void
facts_state(struct facts *facts)
{
	const struct snapshot_worker *w = facts->worker;
	struct pen pen = facts_line(facts, "state");
	char text[TEXT_NUMBER_SIZE];

	pen_text(&pen, words_worker_style(w), words_worker_state(w));
	pen_text(&pen, STYLE_LABEL, " for ");
	pen_text(&pen, STYLE_VALUE, words_seconds(w->state_s, text));
	if (w->paused)
		pen_text(&pen, STYLE_PAUSED, ", paused by its own key (P)");
	if (w->retiring)
		pen_text(&pen, STYLE_STOPPING, ", leaves after this call");
	if (w->stop_step == STOP_NONE)
		return;
	pen = facts_line(facts, "stop");
	words_put_ladder(&pen, w->stop_step, w->next_step_s);
	words_put_countdown(&pen, w->next_step_s, facts->step_s);
	if (w->stop_step >= STOP_KILL || pen_room(&pen) < 22)
		return;
	pen_gap(&pen, FACTS_GAP);
	pen_text(&pen, STYLE_KEY, words_key("stop-worker"));
	pen_text(&pen, STYLE_LABEL, " does not wait");
}

static void
facts_entry(struct facts *facts)
{
	const struct snapshot_worker *w = facts->worker;
	struct pen pen = facts_line(facts, "works on");
	bool narrow = facts->rect.w < FACTS_NARROW;
	char entry[64], text[TEXT_NUMBER_SIZE];

	if (w->entry[0] == '\0') {
		pen_text(&pen, STYLE_DIM, "nothing yet");
		return;
	}
	snprintf(entry, sizeof(entry), "%.*s", narrow ? 8 : 63, w->entry);
	pen_clean(&pen, STYLE_VALUE, entry);
	pen_gap(&pen, FACTS_GAP);
	pen_text(&pen, STYLE_LABEL, narrow ? "gen " : "generation ");
	pen_printf(&pen, STYLE_VALUE, "%" PRIu32, w->generation);
	text_bytes(w->entry_len, text);
	if (pen_room(&pen) < FACTS_GAP + (int)text_width(text))
		return;
	pen_gap(&pen, FACTS_GAP);
	pen_text(&pen, STYLE_VALUE, text);
}

static void
facts_work(struct facts *facts)
{
	const struct snapshot_worker *w = facts->worker;
	struct pen pen = facts_line(facts, "has done");
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
		words_plural(w->finds, "find", "finds"));
}

static void
facts_process(const struct facts *facts, struct pen *pen, int64_t pid,
	const char *name)
{
	char text[TEXT_NUMBER_SIZE];

	snprintf(text, sizeof(text), "%" PRId64, pid);
	facts_put(facts, pen, STYLE_VALUE, text, name);
}

static void
facts_processes(struct facts *facts)
{
	const struct snapshot_worker *w = facts->worker;
	struct pen pen = facts_line(facts, "processes");
	char text[TEXT_NUMBER_SIZE];

	if (w->pid <= 0) {
		pen_text(&pen, STYLE_DIM, "none at the moment");
		return;
	}
	facts_process(facts, &pen, w->pid, "keeper");
	if (w->child > 0)
		facts_process(facts, &pen, w->child, "child");
	facts_put(facts, &pen, STYLE_VALUE, text_bytes(w->rss_kb * 1024, text),
		"memory");
	snprintf(text, sizeof(text), "%.0f %%", w->cpu * 100);
	facts_put(facts, &pen, STYLE_VALUE, text, "cpu");
}

static void
facts_fork(struct facts *facts)
{
	const struct snapshot_worker *w = facts->worker;
	struct pen pen = facts_line(facts, "fork");
	char text[TEXT_NUMBER_SIZE];
	int from = pen.x;

	if (w->no_fork) {
		pen_printf(&pen, STYLE_WARN,
			"no fork: the target starts %" PRId64
			" threads; each death costs a new start",
			w->threads);
	} else if (w->fork_us == 0) {
		pen_text(&pen, STYLE_DIM, "not measured yet");
	} else {
		pen_text(&pen, STYLE_VALUE,
			words_micros((double)w->fork_us, text));
		pen_text(&pen, STYLE_LABEL, " for a new child");
	}
	pen_mark(&pen, from, "fork");
}

static void
facts_restarts(struct facts *facts)
{
	const struct snapshot_worker *w = facts->worker;
	struct pen pen = facts_line(facts, "restarts");
	char text[TEXT_NUMBER_SIZE];
	int from = pen.x;

	pen_text(&pen, w->restarts > 0 ? STYLE_WARN : STYLE_VALUE,
		text_count(w->restarts, text));
	pen_mark(&pen, from, "restarts");
	if (w->restart_why[0] != '\0') {
		pen_text(&pen, STYLE_LABEL, "   the last: ");
		pen_clean(&pen, STYLE_VALUE, w->restart_why);
	}
	facts_put(facts, &pen, STYLE_VALUE, text_count(w->deaths, text),
		words_plural(w->deaths, "child died", "children died"));
}

int
worker_facts_draw(const struct snapshot_worker *worker, double step_s,
	struct grid *grid, struct rect rect)
{
	struct facts facts = { .grid = grid,
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
