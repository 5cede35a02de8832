/*
 * finding_facts: see finding_facts.h.
 */
#include "ui/views/findings/finding_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/term/keys.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"

#define FACTS_NAME 10 /* columns of a name before its value */
#define LABEL_VALUES_GAP 3
#define FACTS_BUILD_W 9 /* columns around a build's name */
#define FACTS_TALL 24   /* minimum rows of a page with the folder */

struct facts_page {
	struct grid *grid;
	struct rect rect;
	int row;
	const struct snapshot_finding *f;
};

static struct row_writer
facts_line(struct facts_page *page, const char *name)
{
	struct row_writer pen = row_put_at(page->grid, page->rect, page->row++);

	row_field(&pen, FACTS_NAME, STYLE_LABEL, name);
	if (name[0] != '\0')
		row_mark(&pen, page->rect.x, name);
	row_gap(&pen, 1);
	return pen;
}

/* Adds a pair after the last one, if all of it fits. */
static void
facts_pair(struct row_writer *pen, const char *name, const char *value)
{
	int width = (int)(text_width(name) + text_width(value));

	if (row_room(pen) < LABEL_VALUES_GAP + width + 1)
		return;
	row_gap(pen, LABEL_VALUES_GAP);
	row_pair(pen, name, STYLE_VALUE, value);
}

static void
facts_seen(struct facts_page *page)
{
	const struct snapshot_finding *f = page->f;
	struct row_writer pen = facts_line(page, "seen");
	char text[TEXT_NUMBER_SIZE];

	row_printf(&pen, STYLE_VALUE, "%s %s", text_count(f->count, text),
		label_plural(f->count, "time", "times"));
	facts_pair(&pen, "first at", text_clock(f->first_s, text));
	facts_pair(&pen, "last at", text_clock(f->last_s, text));
}

static void
facts_again(struct facts_page *page)
{
	const struct snapshot_finding *f = page->f;
	struct row_writer pen = facts_line(page, "replays");
	char hint[KEY_HINT_SIZE];
	bool all = f->reproduced == f->replays;

	if (f->replays == 0)
		row_printf(&pen, STYLE_DIM, "none so far; %s replays it",
			keys_hint(KEYS_FINDINGS, "replay", hint));
	else
		row_printf(&pen, all ? STYLE_GOOD : STYLE_WARN,
			"failed in %" PRIu32 " of %" PRIu32, f->reproduced,
			f->replays);
	if (f->replays > 0 && f->replays_build[0] != '\0' &&
		row_room(&pen) >=
			(int)text_width(f->replays_build) + FACTS_BUILD_W)
		row_printf(&pen, STYLE_LABEL, " (build %s)", f->replays_build);
	facts_pair(&pen, "state", f->state);
	if (f->sequence > 1)
		row_printf(&pen, STYLE_WARN, "   %" PRIu32 " inputs in a row",
			f->sequence);
}

/* Names the finding's build if the present build has not shown the failure. */
static void
facts_build(struct facts_page *page, const struct snapshot *s)
{
	const struct snapshot_finding *f = page->f;
	bool gone = strcmp(f->standing, "gone") == 0;
	char hint[KEY_HINT_SIZE];
	struct row_writer pen;

	if (!gone && strcmp(f->standing, "not seen") != 0)
		return;
	pen = facts_line(page, "build");
	row_text(&pen, STYLE_VALUE, f->build);
	row_printf(&pen, gone ? STYLE_GOOD : STYLE_LABEL,
		gone ? "   gone: no replay failed with %s"
		     : "   not seen with %s",
		s->build);
	if (!gone)
		row_printf(&pen, STYLE_DIM, "; %s replays it",
			keys_hint(KEYS_FINDINGS, "replay", hint));
}

static void
facts_size(struct facts_page *page, const struct reply_finding *more)
{
	const struct snapshot_finding *f = page->f;
	struct row_writer pen = facts_line(page, "size");
	char hint[KEY_HINT_SIZE];
	char text[TEXT_NUMBER_SIZE];

	row_printf(&pen, STYLE_VALUE, "%s %s", text_count(f->len, text),
		label_plural(f->len, "byte", "bytes"));
	if (f->minimized_len > 0) {
		row_printf(&pen, STYLE_LABEL, " %s ",
			glyph(page->grid, GLYPH_TO));
		row_printf(&pen, STYLE_GOOD, "%s %s",
			text_count(f->minimized_len, text),
			label_plural(f->minimized_len, "byte", "bytes"));
	}
	if (f->minimizing)
		row_printf(&pen, STYLE_MINIMIZING,
			"   minimizing now; %s shows it",
			keys_hint(KEYS_FINDINGS, "view minimization", hint));
	else if (f->minimized_len == 0 && f->len > 1 && f->sequence < 2)
		row_printf(&pen, STYLE_DIM, "   %s minimizes it",
			keys_hint(KEYS_FINDINGS, "minimize", hint));
	if (more != NULL && more->inputs > 0)
		row_printf(&pen, STYLE_LABEL, "   %" PRIu32 " more %s",
			more->inputs,
			label_plural(more->inputs, "input", "inputs"));
}

/* Long texts are wrapped and indented under their start. */
static void
facts_words(struct facts_page *page, const char *name, enum style style,
	const char *text)
{
	struct row_writer pen = facts_line(page, name);
	struct rect rest = page->rect;
	int used;

	draw_cut_top(&rest, page->row - 1);
	draw_cut_left(&rest, pen.x - page->rect.x);
	used = draw_words(page->grid, rest, style, text);
	page->row += used > 0 ? used - 1 : 0;
}

static void
facts_note(struct facts_page *page, const struct reply_finding *more)
{
	char hint[KEY_HINT_SIZE];
	struct row_writer pen;

	if (more != NULL && more->note[0] != '\0') {
		facts_words(page, "note", STYLE_INFO, more->note);
		return;
	}
	pen = facts_line(page, "note");
	if (more == NULL && page->f->noted)
		row_text(&pen, STYLE_DIM, "being asked for");
	else
		row_printf(&pen, STYLE_DIM, "none; %s writes one",
			keys_hint(KEYS_FINDINGS, "note", hint));
}

void
finding_command(const struct snapshot *s, const struct snapshot_finding *f,
	const struct reply_finding *more, char buf[FINDING_COMMAND])
{
	char path[512];
	size_t n;

	if (more != NULL && more->command[0] != '\0') {
		snprintf(buf, FINDING_COMMAND, "%s", more->command);
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

/* Breaks the command where a row ends: a copy would lose blanks. */
static void
facts_command(struct facts_page *page, const char *command)
{
	struct row_writer pen = facts_line(page, "to re-run");

	for (;;) {
		size_t room = (size_t)(row_room(&pen) > 0 ? row_room(&pen) : 0);
		size_t len = text_fit(command, room);
		char part[FINDING_COMMAND];

		snprintf(part, sizeof(part), "%.*s", (int)len, command);
		row_text(&pen, STYLE_STRONG, part);
		command += len;
		if (*command == '\0' || len == 0 || page->row >= page->rect.h)
			break;
		pen = facts_line(page, "");
	}
}

static void
facts_folder(struct facts_page *page, const struct snapshot *s,
	const struct reply_finding *more)
{
	char text[512];

	if (more != NULL && more->path[0] != '\0')
		snprintf(text, sizeof(text), "%s", more->path);
	else
		snprintf(text, sizeof(text), "%s/%s", s->output,
			page->f->folder);
	facts_words(page, "folder", STYLE_VALUE, text);
}

int
finding_facts_draw(const struct snapshot *s, const struct snapshot_finding *f,
	const struct reply_finding *more, struct grid *grid, struct rect rect)
{
	struct facts_page page = { .grid = grid, .rect = rect, .f = f };
	char text[FINDING_COMMAND];

	facts_words(&page, "report", STYLE_VALUE, f->text);
	facts_seen(&page);
	facts_again(&page);
	facts_build(&page, s);
	facts_size(&page, more);
	facts_note(&page, more);
	finding_command(s, f, more, text);
	facts_command(&page, text);
	if (rect.h >= FACTS_TALL)
		facts_folder(&page, s, more);
	return page.row < rect.h ? page.row : rect.h;
}
