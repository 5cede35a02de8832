/*
 * finding_values: see finding_values.h.
 */
#include "ui/views/findings/finding_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/term/keys.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"

#define VALUES_NAME 10 /* columns of a name before its value */
#define LABEL_VALUES_GAP 3
#define VALUES_BUILD_W 9 /* columns around a build's name */
#define VALUES_TALL 24   /* minimum rows of a page with the folder */

struct finding_values {
	struct grid *grid;
	struct rect rect;
	int row;
	bool cut; /* the last value is not whole */
	const struct snapshot *s;
	const struct snapshot_finding *f;
	const struct reply_finding *more;
	bool commands; /* the engine would obey */
};

static struct row_writer
finding_values_line(struct finding_values *page, const char *name)
{
	struct row_writer out = row_put_at(page->grid, page->rect, page->row++);

	row_field(&out, VALUES_NAME, STYLE_LABEL, name);
	if (name[0] != '\0')
		row_add_hot_spot(&out, page->rect.x, name);
	row_gap(&out, 1);
	return out;
}

/* Adds a pair after the last one, if all of it fits. */
static void
finding_values_pair(struct row_writer *out, const char *name, const char *value)
{
	int width = (int)(text_width(name) + text_width(value));

	if (row_room(out) < LABEL_VALUES_GAP + width + 1)
		return;
	row_gap(out, LABEL_VALUES_GAP);
	row_pair(out, name, STYLE_VALUE, value);
}

/* Says why there is no value, and which key makes one, if any does. */
static void
finding_values_none(const struct finding_values *page, struct row_writer *out,
	const char *why, const char *command, const char *does)
{
	char hint[KEY_HINT_SIZE];

	row_text(out, STYLE_DIM, why);
	if (page->commands)
		row_printf(out, STYLE_DIM, "; %s %s",
			keys_hint(KEYS_FINDINGS, command, hint), does);
}

static void
finding_values_seen(struct finding_values *page)
{
	const struct snapshot_finding *f = page->f;
	struct row_writer out = finding_values_line(page, "seen");
	char text[TEXT_NUMBER_SIZE];

	row_printf(&out, STYLE_VALUE, "%s %s", text_count(f->count, text),
		label_plural(f->count, "time", "times"));
	finding_values_pair(&out, "first at", text_clock(f->first_s, text));
	finding_values_pair(&out, "last at", text_clock(f->last_s, text));
}

/* Names the finding's build if the present build has not shown the failure. */
static void
finding_values_build(struct finding_values *page)
{
	const struct snapshot_finding *f = page->f;
	bool fixed = strcmp(f->standing, "fixed") == 0;
	char hint[KEY_HINT_SIZE];
	struct row_writer out;

	if (!fixed && strcmp(f->standing, "not seen") != 0)
		return;
	out = finding_values_line(page, "build");
	row_text(&out, STYLE_VALUE, f->build);
	row_printf(&out, fixed ? STYLE_GOOD : STYLE_LABEL,
		fixed ? "   fixed: no replay failed with %s"
		      : "   not seen with %s",
		page->s->build);
	if (!fixed && page->commands)
		row_printf(&out, STYLE_DIM, "; %s replays it",
			keys_hint(KEYS_FINDINGS, "replay", hint));
}

static void
finding_values_again(struct finding_values *page)
{
	const struct snapshot_finding *f = page->f;
	struct row_writer out = finding_values_line(page, "replays");
	uint32_t failed, n;
	bool is_before = snapshot_replays_count(f, &failed, &n);
	bool all = failed == n || strcmp(f->standing, "fixed") == 0;
	char again[SNAPSHOT_REPLAYS_SIZE];

	if (n == 0)
		finding_values_none(page, &out, "none so far", "replay",
			"replays it");
	else if (strchr(snapshot_replays(f, again), ' ') != NULL)
		row_printf(&out, all ? STYLE_GOOD : STYLE_WARN, "failed in %s",
			again);
	else
		row_printf(&out, all ? STYLE_GOOD : STYLE_WARN,
			"failed in %" PRIu32 " of %" PRIu32, failed, n);
	if (n > 0 && !is_before && f->replays_build[0] != '\0' &&
		row_room(&out) >=
			(int)text_width(f->replays_build) + VALUES_BUILD_W)
		row_printf(&out, STYLE_LABEL, " (build %s)", f->replays_build);
	finding_values_pair(&out, "state", f->state);
	finding_values_build(page);
}

static void
finding_values_size(struct finding_values *page)
{
	const struct snapshot_finding *f = page->f;
	const struct reply_finding *more = page->more;
	struct row_writer out = finding_values_line(page, "size");
	char hint[KEY_HINT_SIZE];
	char text[TEXT_NUMBER_SIZE], inputs[64] = "";

	row_printf(&out, STYLE_VALUE, "%s %s", text_count(f->len, text),
		label_plural(f->len, "byte", "bytes"));
	if (f->minimized_len > 0) {
		row_printf(&out, STYLE_LABEL, " %s ",
			glyph(page->grid, GLYPH_TO));
		row_printf(&out, STYLE_GOOD, "%s %s",
			text_count(f->minimized_len, text),
			label_plural(f->minimized_len, "byte", "bytes"));
	}
	if (f->sequence > 1)
		row_printf(&out, STYLE_WARN,
			"   the last of %" PRIu32 " inputs in a row",
			f->sequence);
	if (f->minimizing)
		row_printf(&out, STYLE_MINIMIZING,
			"   minimizing now; %s shows it",
			keys_hint(KEYS_FINDINGS, "view minimization", hint));
	else if (page->commands && f->minimized_len == 0 && f->len > 1 &&
		f->sequence < 2)
		row_printf(&out, STYLE_DIM, "   %s minimizes it",
			keys_hint(KEYS_FINDINGS, "minimize", hint));
	if (more != NULL && more->inputs > 0)
		snprintf(inputs, sizeof(inputs), "   %" PRIu32 " more %s",
			more->inputs,
			label_plural(more->inputs, "input", "inputs"));
	if (row_room(&out) >= (int)text_width(inputs))
		row_text(&out, STYLE_LABEL, inputs);
}

/* Long texts are wrapped and indented under their start. */
static void
finding_values_words(struct finding_values *page, const char *name,
	enum style style, const char *text)
{
	struct row_writer out = finding_values_line(page, name);
	struct rect rest = page->rect;
	int used;

	draw_cut_top(&rest, page->row - 1);
	draw_cut_left(&rest, out.x - page->rect.x);
	used = draw_words(page->grid, rest, style, text);
	page->row += used > 0 ? used - 1 : 0;
}

static void
finding_values_note(struct finding_values *page)
{
	const struct reply_finding *more = page->more;
	struct row_writer out;

	if (more != NULL && more->note[0] != '\0') {
		finding_values_words(page, "note", STYLE_INFO, more->note);
		return;
	}
	out = finding_values_line(page, "note");
	if (more == NULL && page->f->noted)
		row_text(&out, STYLE_DIM, "waiting for the engine");
	else
		finding_values_none(page, &out, "none", "note", "writes one");
}

void
finding_command(const struct snapshot *s, const struct snapshot_finding *f,
	const struct reply_finding *more, char buf[FINDING_COMMAND])
{
	char path[512];
	size_t n;

	buf[0] = '\0';
	if (more != NULL) {
		n = strlen(more->command);
		if (n < FINDING_COMMAND)
			memcpy(buf, more->command, n + 1);
		return;
	}
	snprintf(path, sizeof(path), "%s/%s%s", s->output, f->folder,
		f->sequence > 1                ? ""
			: f->minimized_len > 0 ? "/minimized"
					       : "/input");
	n = (size_t)(stpcpy(buf, "cfuzz repro ") - buf);
	n += text_quote(s->target, buf + n, FINDING_COMMAND - n);
	if (n + 1 < FINDING_COMMAND)
		buf[n++] = ' ';
	text_quote(path, buf + n, FINDING_COMMAND - n);
}

/* Breaks the command where a row ends, as a copy would lose blanks, and marks
 * its end if the page is too short for it. */
static void
finding_values_command(struct finding_values *page)
{
	struct row_writer out = finding_values_line(page, "to re-run");
	char text[FINDING_COMMAND];
	const char *command = text;

	finding_command(page->s, page->f, page->more, text);
	if (text[0] == '\0') {
		finding_values_none(page, &out, "long", "export",
			"writes a script of it");
		return;
	}
	for (;;) {
		size_t room = (size_t)(row_room(&out) > 0 ? row_room(&out) : 0);
		size_t len = text_fit(command, room);
		bool cut = command[len] != '\0' && room > 0 &&
			page->row >= page->rect.h;
		char part[FINDING_COMMAND];

		len = cut ? text_fit(command, room - 1) : len;
		snprintf(part, sizeof(part), "%.*s", (int)len, command);
		row_text(&out, STYLE_STRONG, part);
		if (cut)
			row_text(&out, STYLE_LABEL,
				glyph(page->grid, GLYPH_MORE));
		page->cut = cut;
		command += len;
		if (*command == '\0' || len == 0 || page->row >= page->rect.h)
			break;
		out = finding_values_line(page, "");
	}
}

static void
finding_values_folder(struct finding_values *page)
{
	const struct reply_finding *more = page->more;
	char text[512];

	if (more != NULL && more->path[0] != '\0')
		snprintf(text, sizeof(text), "%s", more->path);
	else
		snprintf(text, sizeof(text), "%s/%s", page->s->output,
			page->f->folder);
	finding_values_words(page, "folder", STYLE_VALUE, text);
}

static void
finding_values_report(struct finding_values *page)
{
	finding_values_words(page, "report", STYLE_VALUE, page->f->text);
}

struct finding_values_drawn
finding_values_draw(const struct model *model, const struct snapshot_finding *f,
	const struct reply_finding *more, unsigned first, struct grid *grid,
	struct rect rect)
{
	/* The last one only where there is much room. */
	static void (*const values[])(struct finding_values *) = {
		finding_values_report,
		finding_values_seen,
		finding_values_again,
		finding_values_size,
		finding_values_note,
		finding_values_command,
		finding_values_folder,
	};
	struct finding_values page = {
		.grid = grid,
		.rect = rect,
		.s = model->snapshot,
		.f = f,
		.more = more,
		.commands = model_only_shows(model) == NULL,
	};
	unsigned n = sizeof(values) / sizeof(values[0]), i = first;

	if (rect.h < VALUES_TALL)
		n--;
	while (i < n && page.row < rect.h)
		values[i++](&page);
	i -= page.cut;
	return (struct finding_values_drawn){
		.rows = page.row < rect.h ? page.row : rect.h,
		.shown = i - first,
		.left = n - i,
	};
}
