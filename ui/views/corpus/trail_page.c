/*
 * trail_page: the mutation log of an entry or a finding.
 *
 * A stack of mutations makes an entry from its parent. Each mutation is a row,
 * and the first row of a stack has the entry's name. A row shows only the bytes
 * that changed, marked. The selected mutation is shown in full below the rows.
 */
#include "ui/views/corpus/trail_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/table.h"

#define TRAIL_STEP_ROWS 6 /* rows of the selected mutation, with frame */
#define TRAIL_STEP_MIN 16 /* minimum rows of a page that shows it */

enum trail_column {
	TRAIL_ENTRY,
	TRAIL_GENERATION,
	TRAIL_OP,
	TRAIL_OFFSET,
	TRAIL_BEFORE,
	TRAIL_TO,
	TRAIL_AFTER,
	TRAIL_TEXT,
	TRAIL_LENGTH,
	TRAIL_COLUMNS
};

/* clang-format off */
static const struct table_column trail_places[TRAIL_COLUMNS] = {
	/*		     head	 width grow rank right */
	[TRAIL_ENTRY]	   = { "makes",	   6,   2,   3, false },
	[TRAIL_GENERATION] = { "gen",	   3,   0,   2, true },
	[TRAIL_OP]	   = { "mutation", 17,  4,   0, false },
	[TRAIL_OFFSET]	   = { "at",	   6,   0,   0, true },
	[TRAIL_BEFORE]	   = { "before",   8,  39,   1, false },
	[TRAIL_TO]	   = { "",	   1,   0,   1, false },
	[TRAIL_AFTER]	   = { "after",	   8,  39,   0, false },
	[TRAIL_TEXT]	   = { "as text",  8,  24,   5, false },
	[TRAIL_LENGTH]	   = { "bytes",	  13,   2,   4, true },
};
/* clang-format on */

void
trail_page_clear(struct trail_page *page)
{
	free(page->now.steps);
	page->now = (struct reply_trail){ 0 };
	page->name[0] = page->error[0] = '\0';
}

void
trail_page_open(struct trail_page *page, const char *name)
{
	if (strcmp(page->name, name) == 0)
		return;
	snprintf(page->name, sizeof(page->name), "%s", name);
	page->error[0] = '\0';
}

void
trail_page_want(const struct trail_page *page, struct query *query)
{
	query->kind = QUERY_TRAIL;
	snprintf(query->name, sizeof(query->name), "%s", page->name);
}

void
trail_page_reply(struct trail_page *page, const struct query *query,
	struct reply *reply)
{
	if (strcmp(query->name, page->name) != 0)
		return;
	snprintf(page->error, sizeof(page->error), "%s", reply->error);
	if (reply->error[0] != '\0')
		return;
	free(page->now.steps);
	page->now = reply->trail;
	reply->trail = (struct reply_trail){ 0 };
	snprintf(page->now.name, sizeof(page->now.name), "%s", page->name);
	page->list.n = page->now.steps_n;
	/* Users ask about the newest mutations. */
	list_select(&page->list, page->list.n);
}

const char *
trail_page_selected(const struct trail_page *page)
{
	return page->list.selected < page->now.steps_n
		? page->now.steps[page->list.selected].entry
		: "";
}

/* ---- bytes of a mutation ---- */

/* Bytes as hex, with an ellipsis if they do not fit. */
static void
trail_put_hex(struct row_writer *pen, enum style style, const uint8_t *bytes,
	uint32_t n, uint64_t part)
{
	uint32_t i;

	if (part == 0) {
		row_text(pen, STYLE_DIM, "-");
		return;
	}
	for (i = 0; i < n && row_room(pen) >= (i + 1 < part ? 3 : 2); i++)
		row_printf(pen, style, i > 0 && i % 8 == 0 ? " %02x" : "%02x",
			bytes[i]);
	if (i < part)
		row_text(pen, STYLE_DIM, glyph(pen->grid, GLYPH_MORE));
}

/* Bytes as text; a dot stands for a byte that is not printable. */
static void
trail_put_text(struct row_writer *pen, enum style style, const uint8_t *bytes,
	uint32_t n, uint64_t part)
{
	uint32_t i;

	if (part == 0) {
		row_text(pen, STYLE_DIM, "-");
		return;
	}
	for (i = 0; i < n && row_room(pen) >= (i + 1 < part ? 2 : 1); i++) {
		bool plain = bytes[i] >= 0x20 && bytes[i] < 0x7f;

		row_printf(pen,
			plain || style == STYLE_MARK ? style : STYLE_DIM, "%c",
			plain ? bytes[i] : '.');
	}
	if (i < part)
		row_text(pen, STYLE_DIM, glyph(pen->grid, GLYPH_MORE));
}

static void
trail_put(const struct trail_page *page, struct row_writer *pen, bool after,
	const struct reply_step *step)
{
	enum style style = after ? STYLE_STRONG : STYLE_HEX;
	const uint8_t *bytes = after ? step->after : step->before;
	uint32_t n = after ? step->after_n : step->before_n;
	uint64_t part = after ? step->part_after : step->part_before;

	if (page->text)
		trail_put_text(pen, style, bytes, n, part);
	else
		trail_put_hex(pen, style, bytes, n, part);
}

/* ---- a row ---- */

static const char *
trail_length(const struct grid *grid, const struct reply_step *step,
	char buf[96])
{
	char before[TEXT_NUMBER_SIZE], after[TEXT_NUMBER_SIZE];

	text_count(step->len_after, after);
	if (step->len_before == step->len_after)
		snprintf(buf, 96, "%s", after);
	else
		snprintf(buf, 96, "%s %s %s",
			text_count(step->len_before, before),
			glyph(grid, GLYPH_TO), after);
	return buf;
}

/* Only the first mutation of a stack shows the entry's name. */
static bool
trail_begins(const struct trail_page *page, size_t i)
{
	const struct reply_step *steps = page->now.steps;

	return i == page->list.top ||
		strcmp(steps[i].entry, steps[i - 1].entry) != 0;
}

static void
trail_draw_names(const struct trail_page *page, const struct table *place,
	struct grid *grid, struct rect rect, int row, size_t i)
{
	const struct reply_step *step = &page->now.steps[i];
	char text[32];

	if (trail_begins(page, i)) {
		snprintf(text, sizeof(text), "%.*s",
			place->places[TRAIL_ENTRY].w, step->entry);
		table_text(place, grid, rect, row, TRAIL_ENTRY, STYLE_VALUE,
			text);
		snprintf(text, sizeof(text), "%" PRIu32, step->generation);
		table_text(place, grid, rect, row, TRAIL_GENERATION, STYLE_DIM,
			text);
	}
	table_text(place, grid, rect, row, TRAIL_OP,
		step->minimized ? STYLE_MINIMIZING : STYLE_VALUE,
		step->minimized ? "minimized" : step->op);
}

static void
trail_draw_row(const struct trail_page *page, const struct table *place,
	struct grid *grid, struct rect rect, int row, size_t i)
{
	const struct reply_step *step = &page->now.steps[i];
	struct row_writer pen;
	char text[96];

	trail_draw_names(page, place, grid, rect, row, i);
	table_text(place, grid, rect, row, TRAIL_LENGTH, STYLE_VALUE,
		trail_length(grid, step, text));
	if (step->minimized)
		return;
	snprintf(text, sizeof(text), "%" PRIx64, step->offset);
	table_text(place, grid, rect, row, TRAIL_OFFSET, STYLE_VALUE, text);
	pen = table_pen(place, grid, rect, row, TRAIL_BEFORE);
	trail_put(page, &pen, false, step);
	table_text(place, grid, rect, row, TRAIL_TO, STYLE_DIM,
		glyph(grid, GLYPH_TO));
	pen = table_pen(place, grid, rect, row, TRAIL_AFTER);
	trail_put(page, &pen, true, step);
	pen = table_pen(place, grid, rect, row, TRAIL_TEXT);
	trail_put_text(&pen, STYLE_VALUE, step->after, step->after_n,
		step->part_after);
}

/* ---- the selected mutation ---- */

static void
trail_draw_part(struct grid *grid, struct rect rect, int row, const char *name,
	enum style style, const uint8_t *bytes, uint32_t n, uint64_t part)
{
	struct row_writer pen = row_put_at(grid, rect, row);
	char count[TEXT_NUMBER_SIZE];

	row_field(&pen, 8, STYLE_LABEL, name);
	row_mark(&pen, rect.x, name);
	row_right(&pen, 9, STYLE_VALUE, text_count(part, count));
	row_text(&pen, STYLE_LABEL, part == 1 ? " byte   " : " bytes  ");
	trail_put_hex(&pen, style, bytes, n, part);
	row_gap(&pen, 2);
	if (part > 0)
		trail_put_text(&pen, style, bytes, n, part);
}

static void
trail_draw_step(const struct reply_step *step, struct grid *grid,
	struct rect rect)
{
	struct row_writer pen = row_put_at(grid, rect, 0);
	char text[96];

	row_field(&pen, 8, STYLE_LABEL, "makes");
	row_mark(&pen, rect.x, "makes");
	row_clean(&pen, STYLE_STRONG, step->entry);
	row_text(&pen, STYLE_LABEL, " of ");
	row_clean(&pen, STYLE_VALUE, step->parent);
	if (step->partner[0] != '\0' &&
		strcmp(step->partner, step->parent) != 0) {
		row_text(&pen, STYLE_LABEL, " and ");
		row_clean(&pen, STYLE_VALUE, step->partner);
	}
	pen = row_put_at(grid, rect, 1);
	row_field(&pen, 8, STYLE_LABEL, "length");
	row_mark(&pen, rect.x, "length");
	row_printf(&pen, STYLE_VALUE, "%s bytes",
		trail_length(grid, step, text));
	if (step->minimized) {
		draw_cut_top(&rect, 2);
		draw_words(grid, rect, STYLE_MINIMIZING,
			"It was made smaller; what it is kept for stayed.");
		return;
	}
	row_printf(&pen, STYLE_LABEL, "   %s at ", step->op);
	row_printf(&pen, STYLE_VALUE, "%" PRIu64 " (0x%" PRIx64 ")",
		step->offset, step->offset);
	trail_draw_part(grid, rect, 2, "before", STYLE_HEX, step->before,
		step->before_n, step->part_before);
	trail_draw_part(grid, rect, 3, "after", STYLE_MARK, step->after,
		step->after_n, step->part_after);
}

/* ---- the page ---- */

static void
trail_draw_nothing(const struct trail_page *page, const struct model *model,
	struct grid *grid, struct rect rect)
{
	bool known = strcmp(page->now.name, page->name) == 0;
	char text[224], how[64];

	if (page->error[0] != '\0')
		snprintf(text, sizeof(text), "It cannot be shown: %s.",
			page->error);
	else if (known && page->now.complete)
		snprintf(text, sizeof(text),
			"It is a seed: no mutation made it.");
	else if (known)
		snprintf(text, sizeof(text), "No step of it is known: %s.",
			page->now.why);
	else if (model->link == LINK_UP)
		snprintf(text, sizeof(text),
			"The engine makes its mutations once more.");
	else
		snprintf(text, sizeof(text), "There is no engine to ask.");
	draw_empty(grid, rect, text,
		keys_text(KEYS_CORPUS, "{back} goes back.", how, sizeof(how)));
}

static void
trail_title(const struct trail_page *page, char buf[96])
{
	const struct reply_trail *trail = &page->now;
	char n[TEXT_NUMBER_SIZE];

	snprintf(buf, 96, "%s%s step%s%s", trail->cut ? "the last " : "",
		text_count(trail->steps_n, n), trail->steps_n == 1 ? "" : "s",
		trail->complete || trail->cut ? "" : ", its seed is not known");
}

static void
trail_draw_rows(struct trail_page *page, struct grid *grid, struct rect rect,
	struct rect box)
{
	struct list *list = &page->list;
	struct table place;

	/* Says why the log does not reach a seed. */
	if (!page->now.complete && page->now.why[0] != '\0' && rect.h > 4)
		draw_words(grid, draw_cut_top(&rect, 1), STYLE_WARN,
			page->now.why);
	table_layout(&place, trail_places, TRAIL_COLUMNS, rect.w);
	if (rect.h > 2)
		table_head(&place, grid, draw_cut_top(&rect, 1), -1, false);
	list_fit(list, page->now.steps_n, rect.h > 0 ? (size_t)rect.h : 0);
	for (size_t i = 0; i < list_seen(list); i++) {
		struct rect line = { rect.x - 1, rect.y + (int)i, rect.w + 2,
			1 };

		trail_draw_row(page, &place, grid, rect, (int)i, list->top + i);
		if (list->top + i == list->selected)
			grid_restyle(grid, line, STYLE_SELECTED);
	}
	list_mark(list, grid, rect);
	draw_scroll(grid, box, list->top, list->page, list->n);
}

void
trail_page_draw(struct trail_page *page, const struct model *model,
	struct grid *grid, struct rect area)
{
	bool any = page->now.steps_n > 0 && page->error[0] == '\0';
	char title[64], right[96] = "";
	struct draw_box box = { .title = title,
		.right = any ? right : NULL,
		.focus = true };
	struct draw_box below = { .title = "this step" };
	struct rect step = { 0 };

	snprintf(title, sizeof(title), "mutations of %s",
		any ? page->now.name : page->name);
	if (any)
		trail_title(page, right);
	if (any && area.h >= TRAIL_STEP_MIN)
		step = draw_cut_bottom(&area, TRAIL_STEP_ROWS);
	if (!any) {
		trail_draw_nothing(page, model, grid,
			draw_box(grid, area, &box));
		return;
	}
	trail_draw_rows(page, grid, draw_box(grid, area, &box), area);
	if (step.h > 0)
		trail_draw_step(&page->now.steps[page->list.selected], grid,
			draw_box(grid, step, &below));
}

bool
trail_page_command(struct trail_page *page, const char *command)
{
	if (strcmp(command, "hex") == 0) {
		page->text = !page->text;
		return true;
	}
	return list_command(&page->list, command);
}
