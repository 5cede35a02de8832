/*
 * finding_page: see finding_page.h.
 */
#include "ui/views/findings/finding_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "ui/term/keys.h"
#include "ui/views/findings/finding_table.h"
#include "ui/views/findings/finding_values.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/finding_location.h"

#define PAGE_REPORT_MAX (1u << 20) /* maximum bytes of a report to show */
#define PAGE_NARROW 60
#define PAGE_USUAL 5   /* with more tabs, a narrow page has no gaps */
#define PAGE_TINY 8    /* minimum rows of a page with tabs */
#define PAGE_STACK_H 3 /* minimum rows for the stack */
#define PAGE_ASKS sizeof(((struct finding_page *)0)->bytes_name)

static const struct page_tab {
	const char *name;
	const char *brief; /* name on narrow pages; NULL: the same */
	/* Suffix of the id in a query for bytes; NULL: it shows no bytes. */
	const char *asks;
} page_tabs[FINDING_TAB_COUNT] = {
	[FINDING_TAB_SUMMARY] = { "summary", NULL, NULL },
	[FINDING_TAB_STACK] = { "stack", NULL, NULL },
	[FINDING_TAB_REPORT] = { "report", NULL, NULL },
	[FINDING_TAB_INPUT] = { "input", NULL, "" },
	[FINDING_TAB_MINIMIZED] = { "minimized", "min", "/min" },
	[FINDING_TAB_CALL] = { "call", NULL, "/call" },
	[FINDING_TAB_SEQUENCE] = { "sequence", "seq", "/seq" },
};

/* ---- queries and replies ---- */

static void
page_drop_rows(struct finding_page *page)
{
	free(page->wrapped);
	page->wrapped = NULL;
	page->rows.n = 0;
	page->columns = 0;
}

static void
page_drop_report(struct finding_page *page)
{
	free(page->report);
	page->report = NULL;
	page->report_n = 0;
	text_lines_clear(&page->lines);
	page_drop_rows(page);
}

void
finding_page_clear(struct finding_page *page)
{
	finding_stack_clear(&page->stack);
	page_drop_report(page);
	bytes_clear(&page->bytes);
	*page = (struct finding_page){ .tab = page->tab };
}

void
finding_page_open(struct finding_page *page, const char *id)
{
	if (strcmp(page->id, id) == 0)
		return;
	finding_page_clear(page);
	snprintf(page->id, sizeof(page->id), "%s", id);
}

/* Bytes of the report to ask for; 0: the report is complete. */
static uint32_t
page_report_left(const struct finding_page *page)
{
	uint64_t all = page->now.report_len;

	if (all > PAGE_REPORT_MAX)
		all = PAGE_REPORT_MAX;
	return page->known && page->report_n >= all ? 0 : QUERY_BYTES_MAX;
}

/* In a query for the bytes of the open tab; "": it shows none. */
static void
page_asks(const struct finding_page *page, char name[PAGE_ASKS])
{
	const char *asks = page_tabs[page->tab].asks;

	name[0] = '\0';
	if (asks != NULL)
		snprintf(name, PAGE_ASKS, "%s%s", page->id, asks);
}

/* Are the bytes, or their error, those of the open tab? */
static bool
page_has_bytes(const struct finding_page *page)
{
	char name[PAGE_ASKS];

	page_asks(page, name);
	return strcmp(page->bytes_name, name) == 0;
}

size_t
finding_page_query(const struct finding_page *page, bool shown,
	struct query *queries)
{
	static const struct bytes fresh;
	char name[PAGE_ASKS];

	if (page->id[0] == '\0')
		return 0;
	queries[0].kind = QUERY_FINDING;
	snprintf(queries[0].name, sizeof(queries[0].name), "%s", page->id);
	queries[0].first = page->report_n;
	queries[0].count = shown ? page_report_left(page) : 0;
	page_asks(page, name);
	if (!shown || name[0] == '\0')
		return 1;
	queries[1].kind = QUERY_ENTRY;
	snprintf(queries[1].name, sizeof(queries[1].name), "%s", name);
	bytes_query(page_has_bytes(page) ? &page->bytes : &fresh, &queries[1]);
	return 2;
}

/* Takes the next piece of the report; starts again if the report changed. */
static void
page_take_report(struct finding_page *page, const struct query *query,
	const struct reply_finding *r)
{
	char *copy;

	if (page->known && page->now.report_len != r->report_len)
		page_drop_report(page);
	if (r->first != page->report_n || r->report.len == 0 ||
		query->first != r->first ||
		r->report.len >
			PAGE_REPORT_MAX + QUERY_BYTES_MAX - page->report_n)
		return;
	page->report = xrealloc(page->report, page->report_n + r->report.len);
	memcpy(page->report + page->report_n, r->report.data, r->report.len);
	page->report_n += r->report.len;
	copy = xmemdup(page->report, page->report_n);
	text_lines_take(&page->lines, copy, page->report_n);
	page_drop_rows(page);
}

static void
page_take_finding(struct finding_page *page, const struct query *query,
	struct reply_finding *r)
{
	page_take_report(page, query, r);
	finding_stack_take(&page->stack, r);
	page->now = *r;
	page->now.frames = NULL;
	page->now.frames_n = 0;
	page->now.report = (struct field_blob){ 0 };
	page->known = true;
	page->note_old = false;
}

static void
page_take_bytes(struct finding_page *page, const struct query *query,
	struct reply *reply)
{
	snprintf(page->bytes_error, sizeof(page->bytes_error), "%s",
		reply->error);
	if (strcmp(page->bytes_name, query->name) != 0)
		bytes_clear(&page->bytes);
	snprintf(page->bytes_name, sizeof(page->bytes_name), "%s", query->name);
	if (reply->error[0] == '\0')
		bytes_take(&page->bytes, &reply->entry);
}

void
finding_page_reply(struct finding_page *page, const struct query *query,
	struct reply *reply)
{
	if (strncmp(query->name, page->id, strlen(page->id)) != 0)
		return;
	if (query->kind == QUERY_ENTRY) {
		page_take_bytes(page, query, reply);
	} else if (query->kind == QUERY_FINDING) {
		snprintf(page->error, sizeof(page->error), "%s", reply->error);
		if (reply->error[0] == '\0')
			page_take_finding(page, query, &reply->finding);
	}
}

/* ---- tabs ---- */

static bool
page_has_tab(const struct finding_page *page, const struct snapshot_finding *f,
	enum finding_tab tab)
{
	switch (tab) {
	case FINDING_TAB_MINIMIZED:
		return f->minimized_len > 0;
	case FINDING_TAB_CALL:
		return page->known && page->now.typed;
	case FINDING_TAB_SEQUENCE:
		return f->sequence > 1;
	default:
		return tab < FINDING_TAB_COUNT;
	}
}

static int
page_count_tabs(const struct finding_page *page,
	const struct snapshot_finding *f)
{
	int n = 0;

	for (int i = 0; i < FINDING_TAB_COUNT; i++)
		n += page_has_tab(page, f, (enum finding_tab)i);
	return n;
}

/* Marks the open tab; a click opens another one. */
static void
page_draw_tabs(const struct finding_page *page,
	const struct snapshot_finding *f, struct grid *grid, struct rect row)
{
	struct row_writer out = row_put_at(grid, row, 0);
	bool narrow = row.w < PAGE_NARROW;
	int gap = !narrow ? 2 : page_count_tabs(page, f) > PAGE_USUAL ? 0 : 1;
	char command[16];

	for (int i = 0; i < FINDING_TAB_COUNT; i++) {
		const struct page_tab *tab = &page_tabs[i];
		bool here = page->tab == (enum finding_tab)i;
		int from = out.x;

		if (!page_has_tab(page, f, (enum finding_tab)i))
			continue;
		row_text(&out, here ? STYLE_KEY : STYLE_LABEL,
			here ? glyph(grid, GLYPH_HERE) : " ");
		row_text(&out, here ? STYLE_STRONG : STYLE_LABEL,
			narrow && tab->brief != NULL ? tab->brief : tab->name);
		row_add_hot_spot(&out, from, tab->name);
		snprintf(command, sizeof(command), "tab %d", i);
		grid_add_hot_spot(grid,
			(struct rect){ from, row.y, out.x - from, 1 },
			HOT_SPOT_COMMAND, command);
		row_gap(&out, gap);
	}
}

/* Wraps long lines, so that all of a report is visible. */
static void
page_wrap(struct finding_page *page, int columns)
{
	char text[TEXT_LINES_BYTES];
	size_t at, len;

	if (page->columns == columns || columns <= 0)
		return;
	page_drop_rows(page);
	page->columns = columns;
	for (size_t line = 0; line < page->lines.n; line++) {
		text_lines_get(&page->lines, line, text);
		at = 0;
		do {
			page->wrapped = xgrow(page->wrapped, page->rows.n, 1,
				sizeof(*page->wrapped));
			page->wrapped[page->rows.n++] =
				(struct finding_row){ (uint32_t)line,
					(uint32_t)at };
			len = text_fit(text + at, (size_t)columns);
			at += len;
		} while (len > 0 && text[at] != '\0');
	}
}

/* Says why a page that the engine fills has nothing yet. */
static void
page_draw_no_reply(const struct finding_page *page, const struct model *model,
	struct grid *grid, struct rect rect)
{
	draw_words(grid, rect, STYLE_DIM,
		page->error[0] != '\0'           ? page->error
			: model->link == LINK_UP ? "Waiting for the engine."
						 : "The engine has ended.");
}

static void
page_draw_report(struct finding_page *page, struct grid *grid, struct rect rect,
	struct rect box)
{
	struct list *list = &page->rows;
	char text[TEXT_LINES_BYTES];

	page_wrap(page, rect.w);
	if (list->n == 0) {
		draw_words(grid, rect, STYLE_DIM,
			"There is no report of this failure yet.");
		return;
	}
	list->inert = true;
	list_fit(list, list->n, rect.h);
	for (size_t i = 0; i < list_seen(list); i++) {
		struct row_writer out = row_put_at(grid, rect, (int)i);
		size_t at = list->top + i;

		text_lines_get(&page->lines, page->wrapped[at].line, text);
		row_text(&out, STYLE_VALUE, text + page->wrapped[at].at);
		if (at == list->selected)
			list_highlight(grid, rect, (int)i);
	}
	list_finish(list, grid, rect, box);
}

static void
page_draw_bytes(struct finding_page *page, const struct model *model,
	struct grid *grid, struct rect rect, struct rect box)
{
	char text[192];

	if (!page_has_bytes(page)) {
		page_draw_no_reply(page, model, grid, rect);
	} else if (page->bytes_error[0] != '\0') {
		snprintf(text, sizeof(text), "The finding cannot be shown: %s.",
			page->bytes_error);
		draw_words(grid, rect, STYLE_DIM, text);
	} else {
		/* A typed input is text, like its file. */
		page->bytes.text =
			page->now.typed || page->tab == FINDING_TAB_SEQUENCE;
		bytes_draw(&page->bytes, grid, rect, box);
	}
}

/*
 * Draws the values, and below them the stack if there is room. Values that do
 * not fit scroll until the page has another height.
 */
static void
page_draw_values(struct finding_page *page, const struct model *model,
	const struct snapshot_finding *f, struct grid *grid, struct rect rect,
	struct rect box)
{
	struct list *values = &page->values;
	struct finding_values_drawn drawn;

	if (page->values_h != rect.h)
		values->selected = 0;
	page->values_h = rect.h;
	drawn = finding_values_draw(model, f, page->known ? &page->now : NULL,
		(unsigned)values->selected, grid, rect);
	values->n = values->selected + drawn.left + 1;
	draw_scroll(grid, box, values->selected, drawn.shown,
		values->selected + drawn.shown + drawn.left);
	draw_cut_top(&rect, values->n > 1 ? rect.h : drawn.rows);
	if (rect.h > PAGE_STACK_H + 1)
		draw_cut_top(&rect, 1);
	if (rect.h >= PAGE_STACK_H && page->known)
		finding_stack_draw(&page->stack, grid, rect, model->foreign);
	else if (rect.h >= PAGE_STACK_H && page->error[0] != '\0')
		draw_words(grid, rect, STYLE_WARN, page->error);
	else if (rect.h > 0 && !page->known && model->link == LINK_ENDED)
		page_draw_no_reply(page, model, grid, rect);
}

static void
page_draw_tab(struct finding_page *page, const struct model *model,
	const struct snapshot_finding *f, struct grid *grid, struct rect rect,
	struct rect box)
{
	switch (page->tab) {
	case FINDING_TAB_STACK:
		if (page->known)
			finding_stack_draw(&page->stack, grid, rect,
				model->foreign);
		else
			page_draw_no_reply(page, model, grid, rect);
		break;
	case FINDING_TAB_REPORT:
		if (page->known)
			page_draw_report(page, grid, rect, box);
		else
			page_draw_no_reply(page, model, grid, rect);
		break;
	case FINDING_TAB_INPUT:
	case FINDING_TAB_MINIMIZED:
	case FINDING_TAB_CALL:
	case FINDING_TAB_SEQUENCE:
		page_draw_bytes(page, model, grid, rect, box);
		break;
	default:
		page_draw_values(page, model, f, grid, rect, box);
		break;
	}
}

/* The tab may be gone: another finding, or no minimized input any more. */
static void
page_check_tab(struct finding_page *page, const struct snapshot_finding *f)
{
	if (!page_has_tab(page, f, page->tab))
		page->tab = FINDING_TAB_INPUT;
}

void
finding_page_draw(struct finding_page *page, const struct model *model,
	const struct snapshot_finding *f, struct grid *grid, struct rect rect)
{
	char key[64], title[FINDING_LOCATION_TITLE_SIZE];
	bool narrow = rect.w < PAGE_NARROW;
	/* Frame and blanks around the title; the id, its blanks and a gap. */
	int room = rect.w - 6 - (narrow ? 0 : (int)text_width(f->id) + 3);
	struct draw_box box = { .title = title,
		.right = f->id,
		.focus = true,
		.below = keys_text(KEYS_FINDINGS,
			"{left} {right} pages  {back} closes", key,
			sizeof(key)) };
	struct rect inside;

	page_check_tab(page, f);
	finding_location_title(grid, finding_class(f), f, room, title);
	if (narrow)
		box.right = NULL;
	inside = draw_box(grid, rect, &box);
	if (inside.h >= PAGE_TINY) {
		page_draw_tabs(page, f, grid, draw_cut_top(&inside, 1));
		if (inside.h >= 2 * PAGE_TINY)
			draw_cut_top(&inside, 1);
	}
	page_draw_tab(page, model, f, grid, inside, rect);
}

/* ---- commands ---- */

static void
page_turn(struct finding_page *page, const struct snapshot_finding *f, int step)
{
	int n = FINDING_TAB_COUNT;

	do
		page->tab = (enum finding_tab)(((int)page->tab + n + step) % n);
	while (!page_has_tab(page, f, page->tab));
}

/* Opens the next tab with bytes; after the last one, the first tab. */
static void
page_hex(struct finding_page *page, const struct snapshot_finding *f)
{
	if (page_tabs[page->tab].asks == NULL)
		page->tab = FINDING_TAB_INPUT;
	else
		page_turn(page, f, 1);
}

bool
finding_page_command(struct finding_page *page,
	const struct snapshot_finding *f, const char *command)
{
	page_check_tab(page, f);
	if (strcmp(command, "left") == 0) {
		page_turn(page, f, -1);
	} else if (strcmp(command, "right") == 0) {
		page_turn(page, f, 1);
	} else if (strcmp(command, "hex") == 0) {
		page_hex(page, f);
	} else if (strncmp(command, "tab ", 4) == 0) {
		unsigned long tab = strtoul(command + 4, NULL, 10);

		if (tab < FINDING_TAB_COUNT)
			page->tab = (enum finding_tab)tab;
		page_check_tab(page, f);
	} else if (page->tab == FINDING_TAB_SUMMARY && page->values.n > 1) {
		return list_command(&page->values, command);
	} else if (page->tab == FINDING_TAB_REPORT) {
		return list_command(&page->rows, command);
	} else if (page_tabs[page->tab].asks != NULL) {
		return bytes_command(&page->bytes, command);
	} else {
		return finding_stack_command(&page->stack, command);
	}
	return true;
}
