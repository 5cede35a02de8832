/*
 * view_findings: distinct findings, and one of them in detail.
 *
 * The snapshot has the list. The view asks for more about the selected finding
 * in advance, for its page and for editing its note.
 */
#include "ui/views/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "ui/views/findings/finding_page.h"
#include "ui/views/findings/finding_table.h"
#include "ui/views/findings/finding_values.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"

#define FINDINGS_BOTH 32   /* minimum rows for list and detail */
#define FINDINGS_FRAME 3   /* rows around the list */
#define FINDINGS_NARROW 80 /* columns; fewer have no room for a long title */
#define FINDINGS_REPLAYS 5

struct findings {
	struct finding_table table;
	struct finding_page page; /* of the selected finding */
	uint64_t notes;           /* that were sent, known to the page */
	bool detail;
};

static void *
findings_create(void)
{
	struct findings *findings = xcalloc(1, sizeof(*findings));

	finding_table_init(&findings->table);
	return findings;
}

static void
findings_destroy(void *state)
{
	struct findings *findings = state;

	finding_page_clear(&findings->page);
	free(findings);
}

/* Switches the page to the selected finding. NULL: none. An open page stays
 * with its finding: the keys of the user must not act on another one. */
static const struct snapshot_finding *
findings_selected(struct findings *findings, const struct model *model)
{
	const struct snapshot_finding *f = findings->detail
		? snapshot_find_finding(model->snapshot,
			  findings->table.selected)
		: finding_table_selected(&findings->table, model);

	if (f != NULL)
		finding_page_open(&findings->page, f->id);
	findings->page.note_old |= findings->notes != model->notes;
	findings->notes = model->notes;
	return f;
}

static size_t
findings_subscribe(void *state, const struct model *model,
	struct query *queries)
{
	struct findings *findings = state;

	if (findings_selected(findings, model) == NULL)
		return 0;
	return finding_page_query(&findings->page, findings->detail, queries);
}

static void
findings_reply(void *state, const struct query *query, struct reply *reply)
{
	struct findings *findings = state;

	finding_page_reply(&findings->page, query, reply);
}

/* ---- the page ---- */

/* A snapshot lists the newest findings only. */
static bool
findings_left_out(const struct snapshot *s)
{
	return snapshot_findings(s) > s->findings_n && s->findings_n > 0;
}

/* brief: what fits beside the title of a narrow box. */
static void
findings_title(const struct snapshot *s, bool brief, char buf[FILTER_TITLE])
{
	char all[TEXT_NUMBER_SIZE], text[TEXT_NUMBER_SIZE];
	char newest[TEXT_NUMBER_SIZE + 16] = "";
	uint64_t total =
		s->crashes_seen + s->hangs_seen + s->ooms_seen + s->leaks_seen;

	text_count(snapshot_findings(s), all);
	if (findings_left_out(s))
		snprintf(newest, sizeof(newest), "the newest %s of ",
			text_count(s->findings_n, text));
	if (newest[0] != '\0' && brief)
		snprintf(buf, FILTER_TITLE, "%s%s", newest, all);
	else
		snprintf(buf, FILTER_TITLE, "%s%s distinct, seen %s %s", newest,
			all, text_count(total, text),
			label_plural(total, "time", "times"));
}

static void
findings_filter_title(const struct snapshot *s, const struct filter *filter,
	size_t shown, char buf[FILTER_TITLE])
{
	char all[TEXT_NUMBER_SIZE];
	size_t n;

	filter_title(filter, shown, s->findings_n, buf);
	n = strlen(buf);
	if (findings_left_out(s))
		snprintf(buf + n, FILTER_TITLE - n, ", the newest of %s",
			text_count(snapshot_findings(s), all));
}

static void
findings_draw_none(const struct snapshot *s, struct grid *grid,
	struct rect rect)
{
	char text[128], execs[TEXT_NUMBER_SIZE];

	snprintf(text, sizeof(text), "Nothing has failed in %s executions.",
		text_count(s->execs, execs));
	draw_empty(grid, rect, s->execs > 0 ? text : "Nothing has run yet.",
		"Each distinct crash, hang, leak or lack of memory "
		"appears here once.");
}

static void
findings_draw_table(struct findings *findings, const struct model *model,
	struct grid *grid, struct rect rect)
{
	const struct snapshot *s = model->snapshot;
	const struct filter *filter = &model->filters[KEYS_FINDINGS];
	size_t shown = finding_table_shown(model);
	char right[FILTER_TITLE];
	struct draw_box box = { .title = "findings",
		.right = right,
		.right_cut = filter_on(filter),
		.focus = !findings->detail };
	struct rect inside;

	findings->table.list.beside = findings->detail;
	if (filter_on(filter))
		findings_filter_title(s, filter, shown, right);
	else
		findings_title(s, rect.w < FINDINGS_NARROW, right);
	inside = draw_box(grid, rect, &box);
	if (s->findings_n == 0)
		findings_draw_none(s, grid, inside);
	else if (shown == 0)
		label_no_rows(grid, inside, KEYS_FINDINGS);
	else
		finding_table_draw(&findings->table, model, grid, inside, rect);
}

/* In place of the page. */
static void
findings_draw_gone(struct grid *grid, struct rect rect)
{
	char key[64];
	struct draw_box box = { .title = "finding",
		.focus = true,
		.below = keys_text(KEYS_FINDINGS, "{back} closes", key,
			sizeof(key)) };

	draw_empty(grid, draw_box(grid, rect, &box),
		"This finding is not in the list any more.",
		"It was merged into another one, or too many newer ones came.");
}

/* Rows of the list above the detail: what it needs, up to a third. */
static int
findings_list_rows(const struct model *model, int height)
{
	size_t rows = finding_table_shown(model) + FINDINGS_FRAME;

	return rows < (size_t)height / 3 ? (int)rows : height / 3;
}

static void
findings_draw(void *state, const struct model *model, struct grid *grid,
	struct rect area)
{
	struct findings *findings = state;
	const struct snapshot_finding *f = findings_selected(findings, model);
	struct rect rest = area, detail;
	bool open = findings->detail && model->snapshot->findings_n > 0;
	int rows = area.h;

	if (area.h >= FINDINGS_BOTH)
		rows -= findings_list_rows(model, area.h);
	detail = draw_cut_bottom(&rest, open ? rows : 0);
	if (rest.h > 0)
		findings_draw_table(findings, model, grid, rest);
	if (open && f != NULL)
		finding_page_draw(&findings->page, model, f, grid, detail);
	else if (open)
		findings_draw_gone(grid, detail);
	label_dim_stale(model, grid, area);
}

/* ---- commands ---- */

/* Opens the page. Also "show ID", from other views. */
static void
findings_show(struct findings *findings, const char *id)
{
	snprintf(findings->table.selected, sizeof(findings->table.selected),
		"%s", id);
	findings->detail = true;
}

static void
findings_open(struct findings *findings, const struct model *model)
{
	const struct snapshot_finding *f = findings_selected(findings, model);

	if (findings->detail)
		findings->detail = false;
	else if (f != NULL)
		findings_show(findings, f->id);
}

static bool
findings_knows_note(const struct finding_page *page,
	const struct snapshot_finding *f)
{
	return !page->note_old && (page->known || !f->noted);
}

/* Opens the prompt with the finding's note. Waits until the note is known,
 * because a new note replaces it. */
static void
findings_note(const struct findings *findings, const struct snapshot_finding *f,
	char *send)
{
	const struct finding_page *page = &findings->page;

	if (findings_knows_note(page, f))
		snprintf(send, COMMAND_LINE_MAX, "edit note %s = %s", f->id,
			page->known ? page->now.note : "");
	else
		snprintf(send, COMMAND_LINE_MAX,
			"say waiting for the present note from the engine");
}

static void
findings_copy(const struct findings *findings, const struct model *model,
	const struct snapshot_finding *f, char *send)
{
	const struct finding_page *page = &findings->page;
	char command[FINDING_COMMAND], key[KEY_HINT_SIZE];

	/* The snapshot's paths are those of the engine's working directory. */
	if (!page->known && model->link == LINK_UP && !model->playback.on) {
		snprintf(send, COMMAND_LINE_MAX,
			"say waiting for the command from the engine");
		return;
	}
	finding_command(model->snapshot, f, page->known ? &page->now : NULL,
		command);
	if (command[0] != '\0')
		snprintf(send, COMMAND_LINE_MAX, "copy %s", command);
	else
		snprintf(send, COMMAND_LINE_MAX,
			"say the command is too long to copy: %s writes a "
			"script of it",
			keys_hint(KEYS_FINDINGS, "export", key));
}

/* Writes a line for the finding into `send`; false: not such a command. */
static bool
findings_line(const struct findings *findings, const struct model *model,
	const struct snapshot_finding *f, const char *command, char *send)
{
	if (strcmp(command, "replay") == 0)
		snprintf(send, COMMAND_LINE_MAX, "edit replay %s = %d", f->id,
			FINDINGS_REPLAYS);
	else if (strcmp(command, "trail") == 0)
		snprintf(send, COMMAND_LINE_MAX,
			"view corpus trail %s findings", f->id);
	else if (strcmp(command, "note") == 0)
		findings_note(findings, f, send);
	else if (strcmp(command, "copy") == 0)
		findings_copy(findings, model, f, send);
	else if (strcmp(command, "minimize") == 0 ||
		strcmp(command, "steps") == 0 ||
		strcmp(command, "accept") == 0 ||
		strcmp(command, "export") == 0 || strcmp(command, "debug") == 0)
		snprintf(send, COMMAND_LINE_MAX, "%s %s", command, f->id);
	else
		return strcmp(command, "hex") == 0;
	return true;
}

/* Without a selected finding, sends nothing. */
static bool
findings_send(struct findings *findings, const struct model *model,
	const char *command, char *send)
{
	static const struct snapshot_finding none;
	const struct snapshot_finding *f = findings_selected(findings, model);
	char dropped[COMMAND_LINE_MAX];

	return findings_line(findings, model, f != NULL ? f : &none, command,
		f != NULL ? send : dropped);
}

/* Commands of the open detail. */
static bool
findings_page_command(struct findings *findings, const struct model *model,
	const char *command)
{
	const struct snapshot_finding *f = findings_selected(findings, model);

	if (f == NULL)
		return false;
	if (!findings->detail) {
		if (strcmp(command, "hex") != 0)
			return false;
		findings->page.tab = FINDING_TAB_SUMMARY;
		findings_show(findings, f->id);
	}
	return finding_page_command(&findings->page, f, command);
}

static bool
findings_command(void *state, const struct model *model, const char *command,
	char *send)
{
	struct findings *findings = state;

	if (strncmp(command, "show ", 5) == 0)
		findings_show(findings, command + 5);
	else if (strncmp(command, "list ", 5) == 0)
		return finding_table_command(&findings->table, model,
			command + 5);
	else if (strcmp(command, "open") == 0)
		findings_open(findings, model);
	else if (strcmp(command, "back") == 0 && findings->detail)
		findings->detail = false;
	else if (!findings_page_command(findings, model, command) &&
		!findings_send(findings, model, command, send))
		return finding_table_command(&findings->table, model, command);
	return true;
}

static bool
findings_can_shrink(const struct snapshot_finding *f)
{
	return f->len > 1 && f->minimized_len != 1 && f->sequence < 2;
}

static bool
findings_offers(void *state, const struct model *model, const char *command)
{
	struct findings *findings = state;
	const struct snapshot_finding *f = findings_selected(findings, model);

	if (f == NULL)
		return strcmp(command, "filter") == 0 &&
			model->snapshot->findings_n > 0;
	if (strcmp(command, "open") == 0 || strcmp(command, "sort") == 0 ||
		strcmp(command, "filter") == 0)
		return !findings->detail;
	if (strcmp(command, "minimize") == 0)
		return findings_can_shrink(f) && !f->minimizing;
	if (strcmp(command, "steps") == 0)
		return findings_can_shrink(f);
	if (strcmp(command, "debug") == 0)
		return snapshot_can_debug(model->snapshot, f) &&
			!model->foreign;
	if (strcmp(command, "note") == 0)
		return findings_knows_note(&findings->page, f);
	return true;
}

static bool
findings_turns(const void *state)
{
	const struct findings *findings = state;

	return findings->detail;
}

/* ---- places ---- */

/* The list in which the open tab scrolls; NULL: none. */
static struct list *
findings_scrolled(struct findings *findings)
{
	if (findings->page.tab == FINDING_TAB_REPORT)
		return &findings->page.rows;
	return findings->page.tab == FINDING_TAB_STACK
		? &findings->page.stack.list
		: NULL;
}

static void
findings_tell(void *state, const struct model *model, struct place *place)
{
	struct findings *findings = state;
	const struct snapshot_finding *f = findings_selected(findings, model);
	const struct list *list = findings_scrolled(findings);

	if (f == NULL)
		return;
	snprintf(place->item, sizeof(place->item), "%s", f->id);
	place->page = findings->detail ? 1 + findings->page.tab : 0;
	place->row = findings->detail && list != NULL ? list->selected : 0;
}

static void
findings_go(void *state, const struct model *model, const struct place *place)
{
	struct findings *findings = state;
	struct list *list;

	if (snapshot_find_finding(model->snapshot, place->item) == NULL)
		return;
	snprintf(findings->table.selected, sizeof(findings->table.selected),
		"%.23s", place->item);
	findings->detail = place->page > 0;
	if (place->page == 0 || place->page > FINDING_TAB_COUNT)
		return;
	findings->page.tab = (enum finding_tab)(place->page - 1);
	list = findings_scrolled(findings);
	if (list != NULL)
		list_select(list, place->row);
}

const struct view_ops view_findings = {
	.name = "findings",
	.title = "Findings",
	.context = KEYS_FINDINGS,
	.filters = true,
	.create = findings_create,
	.destroy = findings_destroy,
	.draw = findings_draw,
	.command = findings_command,
	.offers = findings_offers,
	.turns = findings_turns,
	.tell = findings_tell,
	.go = findings_go,
	.subscribe = findings_subscribe,
	.reply = findings_reply,
};
