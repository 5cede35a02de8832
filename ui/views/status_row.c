/*
 * status_row: one row about the present state, and whether it is good.
 */
#include "ui/views/status_row.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"

#define STATUS_GAP 3
#define STATUS_BAR 24       /* columns of the warm-up's bar, at most */
#define STATUS_LIMITS 30    /* columns for limits after a state */
#define STATUS_BEHIND_S 5.0 /* the writer is shown from then on */

/* ---- limits ---- */

static bool
status_limit_off(const struct snapshot_limit *limit)
{
	return strcmp(limit->value, "0") == 0 ||
		strcmp(limit->value, "none") == 0 || limit->value[0] == '\0';
}

/* True if it fits. */
static bool
status_put_limit(struct pen *pen, const struct snapshot_limit *limit,
	bool changed)
{
	size_t columns = text_width(limit->name) + 1 +
		text_width(limit->value) + STATUS_GAP;

	if ((int)columns > pen_room(pen))
		return false;
	pen_gap(pen, STATUS_GAP);
	pen_pair(pen, limit->name, changed ? STYLE_STRONG : STYLE_VALUE,
		limit->value);
	return true;
}

static void
status_put_limits(const struct snapshot *s, struct pen *pen)
{
	const char *key = words_key("limits");
	int pass;
	size_t i;

	pen_text(pen, STYLE_KEY, key);
	pen_text(pen, STYLE_LABEL, key[0] == 'l' ? "imits" : " limits");
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < s->limits_n; i++) {
			const struct snapshot_limit *limit = &s->limits[i];
			bool changed = strcmp(limit->origin, "default") != 0;

			if (changed == (pass == 0) && !status_limit_off(limit))
				status_put_limit(pen, limit, changed);
		}
	}
}

/* ---- states ---- */

static void
status_put_warmup(const struct model *model, struct pen *pen)
{
	const struct snapshot *s = model->snapshot;
	double part = s->warmup_total > 0
		? (double)s->warmup_done / (double)s->warmup_total
		: 0;
	int bar;

	words_put_state(model, pen);
	pen_gap(pen, 2);
	bar = pen_room(pen) < STATUS_BAR ? pen_room(pen) : STATUS_BAR;
	if (bar < 4)
		return;
	draw_bar(pen->grid, pen->x, pen->y, bar, part, STYLE_COVERAGE);
	pen_gap(pen, bar + 2);
	if (pen_room(pen) > 30)
		pen_text(pen, STYLE_DIM, "each input is run once");
	pen_gap(pen, STATUS_GAP);
	if (pen_room(pen) >= STATUS_LIMITS)
		status_put_limits(model->snapshot, pen);
}

static void
status_put_paused(const struct model *model, struct pen *pen)
{
	char text[TEXT_NUMBER_SIZE];

	words_put_state(model, pen);
	pen_gap(pen, STATUS_GAP);
	pen_pair(pen, "in all for", STYLE_VALUE,
		words_seconds(model->snapshot->paused_s, text));
	pen_gap(pen, STATUS_GAP);
	pen_text(pen, STYLE_KEY, words_key("toggle-pause"));
	pen_text(pen, STYLE_LABEL, " goes on");
	pen_gap(pen, STATUS_GAP);
	if (pen_room(pen) >= STATUS_LIMITS)
		status_put_limits(model->snapshot, pen);
}

static void
status_put_stopping(const struct model *model, struct pen *pen)
{
	const struct snapshot *s = model->snapshot;

	if (s->stop_step == STOP_NONE) {
		words_put_state(model, pen);
		return;
	}
	pen_text(pen, STYLE_STOPPING, symbol(pen->grid, SYMBOL_ENDED));
	pen_gap(pen, 1);
	words_put_ladder(pen, s->stop_step, s->next_step_s);
	words_put_countdown(pen, s->next_step_s, words_step_s(s));
	pen_gap(pen, STATUS_GAP);
	if (pen_room(pen) < 20 || s->stop_step >= STOP_KILL)
		return;
	pen_text(pen, STYLE_KEY, words_key("stop"));
	pen_text(pen, STYLE_LABEL, " does not wait");
}

static void
status_put_ended(const struct model *model, struct pen *pen)
{
	int status = model->link == LINK_ENDED ? model->exit_status
					       : model->snapshot->exit_status;

	words_put_state(model, pen);
	pen_gap(pen, STATUS_GAP);
	pen_text(pen, STYLE_LABEL, "exit status ");
	pen_printf(pen, status > 1 ? STYLE_BAD : STYLE_VALUE, "%d", status);
	pen_gap(pen, STATUS_GAP);
	pen_text(pen, STYLE_KEY, "q");
	pen_text(pen, STYLE_LABEL, " leaves");
}

static bool
status_put_trouble(const struct snapshot *s, struct pen *pen)
{
	if (s->unsaved == 0 && s->writer_behind_s < STATUS_BEHIND_S)
		return false;
	pen_printf(pen, STYLE_BAD, "%s ", symbol(pen->grid, SYMBOL_ALERT));
	if (s->unsaved > 0)
		pen_printf(pen, STYLE_BAD,
			"%" PRIu64 " %s not on disk: is it full?", s->unsaved,
			words_plural(s->unsaved, "file is", "files are"));
	else
		pen_printf(pen, STYLE_WARN, "the disk is %.0f s behind",
			s->writer_behind_s);
	pen_gap(pen, STATUS_GAP);
	return true;
}

void
status_put(const struct model *model, struct pen *pen)
{
	const struct snapshot *s = model->snapshot;

	status_put_trouble(s, pen);
	if (model->link == LINK_ENDED || model->link == LINK_LOST ||
		s->state == RUN_ENDED)
		status_put_ended(model, pen);
	else if (s->seq == 0 || s->state == RUN_STARTING)
		words_put_state(model, pen);
	else if (s->state == RUN_WARMUP)
		status_put_warmup(model, pen);
	else if (s->state == RUN_PAUSED)
		status_put_paused(model, pen);
	else if (s->state == RUN_STOPPING)
		status_put_stopping(model, pen);
	else
		status_put_limits(s, pen);
}

void
status_put_brief(const struct model *model, struct pen *pen)
{
	const struct snapshot *s = model->snapshot;
	uint64_t findings = words_findings(s);

	pen_printf(pen, words_findings_open(s) > 0 ? STYLE_BAD : STYLE_DIM,
		"%s%" PRIu64, symbol(pen->grid, SYMBOL_ALERT), findings);
	pen_gap(pen, 1);
	words_put_state(model, pen);
}
