/*
 * status_row: one row with the state of the campaign, and problems.
 */
#include "ui/views/status_row.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"

#define STATUS_ROW_GAP 3
#define STATUS_ROW_BAR 24       /* maximum columns of the warm-up's bar */
#define STATUS_ROW_LIMITS 30    /* minimum columns for limits after a state */
#define STATUS_ROW_BEHIND_S 5.0 /* minimum delay of the writer to show */

/* ---- limits ---- */

static bool
status_row_limit_off(const struct snapshot_limit *limit)
{
	return strcmp(limit->value, "0") == 0 ||
		strcmp(limit->value, "none") == 0 || limit->value[0] == '\0';
}

/* Returns true if the limit fits. */
static bool
status_row_put_limit(struct row_writer *out, const struct snapshot_limit *limit,
	bool changed)
{
	size_t columns = text_width(limit->name) + 1 +
		text_width(limit->value) + STATUS_ROW_GAP;

	if ((int)columns > row_room(out))
		return false;
	row_gap(out, STATUS_ROW_GAP);
	row_pair(out, limit->name, changed ? STYLE_STRONG : STYLE_VALUE,
		limit->value);
	return true;
}

static void
status_row_put_limits(const struct snapshot *s, struct row_writer *out)
{
	char key[KEY_HINT_SIZE];
	int pass;
	size_t i;

	row_text(out, STYLE_KEY, keys_hint(KEYS_COMMON, "limits", key));
	row_text(out, STYLE_LABEL, strcmp(key, "l") == 0 ? "imits" : " limits");
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < s->limits_n; i++) {
			const struct snapshot_limit *limit = &s->limits[i];
			bool changed = strcmp(limit->origin, "default") != 0;

			if (changed == (pass == 0) &&
				!status_row_limit_off(limit))
				status_row_put_limit(out, limit, changed);
		}
	}
}

/* ---- states ---- */

static void
status_row_put_warmup(const struct model *model, struct row_writer *out)
{
	const struct snapshot *s = model->snapshot;
	double part = s->warmup_total > 0
		? (double)s->warmup_done / (double)s->warmup_total
		: 0;
	int bar;

	label_put_state(model, out);
	row_gap(out, 2);
	bar = row_room(out) < STATUS_ROW_BAR ? row_room(out) : STATUS_ROW_BAR;
	if (bar < 4)
		return;
	draw_bar(out->grid, out->x, out->y, bar, part, STYLE_COVERAGE);
	row_gap(out, bar + 2);
	if (row_room(out) > 30)
		row_text(out, STYLE_DIM, "each input runs once");
	row_gap(out, STATUS_ROW_GAP);
	if (row_room(out) >= STATUS_ROW_LIMITS)
		status_row_put_limits(model->snapshot, out);
}

static void
status_row_put_paused(const struct model *model, struct row_writer *out)
{
	char text[TEXT_NUMBER_SIZE], key[KEY_HINT_SIZE];

	label_put_state(model, out);
	row_gap(out, STATUS_ROW_GAP);
	row_pair(out, "in all for", STYLE_VALUE,
		label_seconds(model->snapshot->paused_s, text));
	row_gap(out, STATUS_ROW_GAP);
	if (model_only_shows(model) == NULL) {
		row_text(out, STYLE_KEY,
			keys_hint(KEYS_COMMON, "toggle-pause", key));
		row_text(out, STYLE_LABEL, " goes on");
		row_gap(out, STATUS_ROW_GAP);
	}
	if (row_room(out) >= STATUS_ROW_LIMITS)
		status_row_put_limits(model->snapshot, out);
}

static void
status_row_put_stopping(const struct model *model, struct row_writer *out)
{
	const struct snapshot *s = model->snapshot;
	char key[KEY_HINT_SIZE];

	if (s->stop_step == STOP_NONE) {
		label_put_state(model, out);
		return;
	}
	row_text(out, STYLE_STOPPING, glyph(out->grid, GLYPH_ENDED));
	row_gap(out, 1);
	label_put_ladder(out, s->stop_step, s->next_step_s);
	label_put_countdown(out, s->next_step_s, label_step_s(s));
	row_gap(out, STATUS_ROW_GAP);
	if (row_room(out) < 20 || s->stop_step >= STOP_KILL ||
		model_only_shows(model) != NULL)
		return;
	row_text(out, STYLE_KEY, keys_hint(KEYS_COMMON, "stop", key));
	row_text(out, STYLE_LABEL, " does not wait");
}

static void
status_row_put_ended(const struct model *model, struct row_writer *out)
{
	const struct snapshot *s = model->snapshot;
	int status =
		model->link == LINK_ENDED ? model->exit_status : s->exit_status;
	char key[KEY_HINT_SIZE];

	label_put_state(model, out);
	if (s->ended_by[0] != '\0') {
		row_text(out, STYLE_LABEL, ": ");
		row_clean(out, STYLE_VALUE, s->ended_by);
	}
	row_gap(out, STATUS_ROW_GAP);
	row_text(out, STYLE_LABEL, "exit status ");
	row_printf(out, status > 1 ? STYLE_BAD : STYLE_VALUE, "%d", status);
	row_gap(out, STATUS_ROW_GAP);
	row_text(out, STYLE_KEY, keys_hint(KEYS_COMMON, "quit", key));
	row_text(out, STYLE_LABEL, " leaves");
}

static bool
status_row_put_trouble(const struct snapshot *s, struct row_writer *out)
{
	if (s->unsaved == 0 && s->writer_behind_s < STATUS_ROW_BEHIND_S)
		return false;
	row_printf(out, STYLE_BAD, "%s ", glyph(out->grid, GLYPH_ALERT));
	if (s->unsaved > 0)
		row_printf(out, STYLE_BAD,
			"%" PRIu64 " %s not on disk: is it full?", s->unsaved,
			label_plural(s->unsaved, "file is", "files are"));
	else
		row_printf(out, STYLE_WARN, "the disk is %.0f s behind",
			s->writer_behind_s);
	row_gap(out, STATUS_ROW_GAP);
	return true;
}

void
status_row_put(const struct model *model, struct row_writer *out)
{
	const struct snapshot *s = model->snapshot;

	status_row_put_trouble(s, out);
	if (model->link == LINK_ENDED || model->link == LINK_LOST ||
		s->state == RUN_ENDED)
		status_row_put_ended(model, out);
	else if (s->seq == 0 || s->state == RUN_STARTING)
		label_put_state(model, out);
	else if (s->state == RUN_WARMUP)
		status_row_put_warmup(model, out);
	else if (s->state == RUN_PAUSED)
		status_row_put_paused(model, out);
	else if (s->state == RUN_STOPPING)
		status_row_put_stopping(model, out);
	else
		status_row_put_limits(s, out);
}

void
status_row_put_brief(const struct model *model, struct row_writer *out)
{
	const struct snapshot *s = model->snapshot;
	uint64_t findings = snapshot_findings(s);

	row_printf(out, snapshot_findings_open(s) > 0 ? STYLE_BAD : STYLE_DIM,
		"%s%" PRIu64, glyph(out->grid, GLYPH_ALERT), findings);
	row_gap(out, 1);
	label_put_state(model, out);
}
