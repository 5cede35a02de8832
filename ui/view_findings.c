/*
 * view_findings: distinct bugs, and one of them in detail.
 *
 * What is worth knowing about a bug: what and where, how often and how
 * reliably it fails, how small it was made, where its files lie, and the
 * line to type in order to see it again.
 */
#include "ui/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "ui/draw.h"
#include "ui/finding_table.h"
#include "ui/words.h"

#define FINDINGS_NAME 10 /* columns of a name before its value */
#define FINDINGS_DETAIL 11
#define FINDINGS_ROWS_MIN 5
#define FINDINGS_PATH 1024

struct findings {
	struct finding_table table;
	bool detail;
};

static void *
findings_create(void)
{
	return xcalloc(1, sizeof(struct findings));
}

static void
findings_destroy(void *state)
{
	free(state);
}

/* ---- the detail ---- */

struct findings_lines {
	struct grid *grid;
	struct rect rect;
	int row;
	const struct snapshot *s;
	const struct snapshot_finding *f;
};

static struct pen
findings_line(struct findings_lines *lines, const char *name)
{
	struct pen pen = pen_at(lines->grid, lines->rect, lines->row++);

	pen_field(&pen, FINDINGS_NAME, STYLE_LABEL, name);
	pen_gap(&pen, 1);
	return pen;
}

static void
findings_line_what(struct findings_lines *lines)
{
	struct pen pen = findings_line(lines, finding_class(lines->f));

	pen_clean(&pen, finding_style(lines->f), lines->f->what);
	pen_text(&pen, STYLE_LABEL, " in ");
	pen_clean(&pen, STYLE_STRONG, lines->f->where);
}

static void
findings_line_seen(struct findings_lines *lines)
{
	const struct snapshot_finding *f = lines->f;
	struct pen pen = findings_line(lines, "seen");
	char text[TEXT_NUMBER_SIZE];

	pen_printf(&pen, STYLE_VALUE, "%s %s", text_count(f->count, text),
		words_plural(f->count, "time", "times"));
	pen_text(&pen, STYLE_LABEL, "   first at ");
	pen_text(&pen, STYLE_VALUE, text_clock(f->first_s, text));
	pen_text(&pen, STYLE_LABEL, "   last at ");
	pen_text(&pen, STYLE_VALUE, text_clock(f->last_s, text));
}

static void
findings_line_again(struct findings_lines *lines)
{
	const struct snapshot_finding *f = lines->f;
	struct pen pen = findings_line(lines, "replays");
	bool all = f->reproduced == f->replays;

	if (f->replays == 0) {
		pen_text(&pen, STYLE_DIM, "none so far; r replays it");
		return;
	}
	pen_printf(&pen, all ? STYLE_GOOD : STYLE_WARN,
		"failed in %" PRIu32 " of %" PRIu32, f->reproduced, f->replays);
	pen_text(&pen, STYLE_LABEL, "   state ");
	pen_clean(&pen, STYLE_VALUE, f->state);
}

static void
findings_line_size(struct findings_lines *lines)
{
	const struct snapshot_finding *f = lines->f;
	struct pen pen = findings_line(lines, "size");
	char text[TEXT_NUMBER_SIZE];

	pen_printf(&pen, STYLE_VALUE, "%s bytes", text_count(f->len, text));
	if (f->minimized_len > 0) {
		pen_printf(&pen, STYLE_LABEL, " %s ",
			symbol(lines->grid, SYMBOL_TO));
		pen_printf(&pen, STYLE_GOOD, "%s bytes",
			text_count(f->minimized_len, text));
	}
	if (f->minimizing)
		pen_text(&pen, STYLE_MINIMIZING,
			"   minimizing now; 6 shows it");
	else if (f->minimized_len == 0)
		pen_text(&pen, STYLE_DIM, "   m minimizes it");
}

/* Long texts go on in the next rows, under their start. */
static void
findings_words(struct findings_lines *lines, const char *name, enum style style,
	const char *text)
{
	struct pen pen = findings_line(lines, name);
	struct rect rest = lines->rect;
	int used;

	draw_cut_top(&rest, lines->row - 1);
	draw_cut_left(&rest, pen.x - lines->rect.x);
	used = draw_words(lines->grid, rest, style, text);
	lines->row += used > 0 ? used - 1 : 0;
}

/* With the smallest input that shows it. */
static void
findings_rerun(const struct findings_lines *lines, char buf[FINDINGS_PATH])
{
	const struct snapshot *s = lines->s;
	char path[FINDINGS_PATH];
	size_t n;

	snprintf(path, sizeof(path), "%s/%s/%s", s->output, lines->f->folder,
		lines->f->minimized_len > 0 ? "minimized" : "input");
	n = (size_t)(stpcpy(buf, "cfuzz repro ") - buf);
	n += text_quote(s->target, buf + n, FINDINGS_PATH - n);
	if (n + 1 < FINDINGS_PATH)
		buf[n++] = ' ';
	text_quote(path, buf + n, FINDINGS_PATH - n);
}

static void
findings_draw_detail(const struct findings *findings, const struct model *model,
	struct grid *grid, struct rect rect)
{
	const struct snapshot_finding *f =
		finding_table_selected(&findings->table, model);
	struct draw_box box = { .title = f->id,
		.focus = true,
		.below = "Enter closes" };
	struct findings_lines lines = { .grid = grid,
		.s = model->snapshot,
		.f = f };
	char text[FINDINGS_PATH];

	lines.rect = draw_box(grid, rect, &box);
	findings_line_what(&lines);
	findings_words(&lines, "report", STYLE_VALUE, f->text);
	findings_line_seen(&lines);
	findings_line_again(&lines);
	findings_line_size(&lines);
	snprintf(text, sizeof(text), "%s/%s", model->snapshot->output,
		f->folder);
	findings_words(&lines, "folder", STYLE_VALUE, text);
	findings_rerun(&lines, text);
	findings_words(&lines, "to re-run", STYLE_STRONG, text);
}

/* ---- the page ---- */

static void
findings_title(const struct snapshot *s, char buf[128])
{
	char all[TEXT_NUMBER_SIZE], seen[TEXT_NUMBER_SIZE];
	uint64_t n = s->crashes + s->hangs + s->ooms + s->leaks;
	uint64_t total =
		s->crashes_seen + s->hangs_seen + s->ooms_seen + s->leaks_seen;

	snprintf(buf, 128, "%s distinct, seen %s %s", text_count(n, all),
		text_count(total, seen), words_plural(total, "time", "times"));
}

static void
findings_draw_none(const struct snapshot *s, struct grid *grid,
	struct rect rect)
{
	char text[128], execs[TEXT_NUMBER_SIZE];

	snprintf(text, sizeof(text), "Nothing has failed in %s executions.",
		text_count(s->execs, execs));
	draw_empty(grid, rect, s->execs > 0 ? text : "Nothing has run yet.",
		"A crash, hang or lack of memory will stand here, once for "
		"each distinct bug.");
}

static void
findings_draw(void *state, const struct model *model, struct grid *grid,
	struct rect area)
{
	struct findings *findings = state;
	const struct snapshot *s = model->snapshot;
	char right[128];
	struct draw_box box = { .title = "findings",
		.right = right,
		.focus = !findings->detail };
	struct rect rest = area, detail, inside;
	bool open = findings->detail && s->findings_n > 0;
	int rows = area.h - FINDINGS_DETAIL >= FINDINGS_ROWS_MIN
		? FINDINGS_DETAIL
		: area.h;

	detail = draw_cut_bottom(&rest, open ? rows : 0);
	if (rest.h > 0) {
		findings_title(s, right);
		inside = draw_box(grid, rest, &box);
		if (s->findings_n == 0)
			findings_draw_none(s, grid, inside);
		else
			finding_table_draw(&findings->table, model, grid,
				inside, rest);
	}
	if (open)
		findings_draw_detail(findings, model, grid, detail);
	words_dim_stale(model, grid, area);
}

/* Commands of the engine that take the selected finding. */
static bool
findings_send(const struct findings *findings, const struct model *model,
	const char *command, char *send)
{
	const struct snapshot_finding *f =
		finding_table_selected(&findings->table, model);

	if (strcmp(command, "minimize") != 0 &&
		strcmp(command, "replay") != 0 &&
		strcmp(command, "ignore") != 0)
		return false;
	if (f != NULL)
		snprintf(send, COMMAND_LINE_MAX, "%s %s", command, f->id);
	return true;
}

static bool
findings_command(void *state, const struct model *model, const char *command,
	char *send)
{
	struct findings *findings = state;

	if (strcmp(command, "open") == 0)
		findings->detail = !findings->detail;
	else if (strcmp(command, "back") == 0 && findings->detail)
		findings->detail = false;
	else if (!finding_table_command(&findings->table, model, command))
		return findings_send(findings, model, command, send);
	return true;
}

const struct view_ops view_findings = {
	.name = "findings",
	.title = "Findings",
	.context = KEYS_FINDINGS,
	.digit = '5',
	.create = findings_create,
	.destroy = findings_destroy,
	.draw = findings_draw,
	.command = findings_command,
};
