/*
 * mutation_log_page: the mutation log of an entry or a finding.
 *
 * A stack of mutations makes an entry from its parent. Each mutation is a row,
 * and the first row of a stack has the entry's name. A row shows only the bytes
 * that changed, marked. The selected mutation is shown in full below the rows.
 */
#include "ui/views/corpus/mutation_log_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/table.h"

#define MUTATION_LOG_STEP_ROWS 6 /* rows of the selected mutation, with frame */
#define MUTATION_LOG_STEP_MIN 16 /* minimum rows of a page that shows it */

enum mutation_log_column {
	MUTATION_LOG_ENTRY,
	MUTATION_LOG_GENERATION,
	MUTATION_LOG_OP,
	MUTATION_LOG_OFFSET,
	MUTATION_LOG_BEFORE,
	MUTATION_LOG_TO,
	MUTATION_LOG_AFTER,
	MUTATION_LOG_TEXT,
	MUTATION_LOG_LENGTH,
	MUTATION_LOG_COLUMNS
};

/* clang-format off */
static const struct table_column mutation_log_columns[MUTATION_LOG_COLUMNS] = {
	/*		     head	 width grow rank right */
	[MUTATION_LOG_ENTRY]	   = { "makes",	   6,   2,   3, .right = false },
	[MUTATION_LOG_GENERATION] = { "gen",	   3,   0,   2, .right = true },
	[MUTATION_LOG_OP]	   = { "mutation", 17,  4,   0, .right = false },
	[MUTATION_LOG_OFFSET]	   = { "at",	   6,   0,   0, .right = true },
	[MUTATION_LOG_BEFORE]	   = { "before",   8,  39,   1, .right = false },
	[MUTATION_LOG_TO]	   = { "",	   1,   0,   1, .right = false },
	[MUTATION_LOG_AFTER]	   = { "after",	   8,  39,   0, .right = false },
	[MUTATION_LOG_TEXT]	   = { "as text",  8,  24,   5, .right = false },
	[MUTATION_LOG_LENGTH]	   = { "bytes",	  13,   2,   4, .right = true },
};
/* clang-format on */

void
mutation_log_page_clear(struct mutation_log_page *page)
{
	free(page->now.steps);
	page->now = (struct reply_mutation_log){ 0 };
	page->name[0] = page->error[0] = '\0';
}

void
mutation_log_page_open(struct mutation_log_page *page, const char *name)
{
	if (strcmp(page->name, name) == 0)
		return;
	snprintf(page->name, sizeof(page->name), "%s", name);
	page->error[0] = '\0';
}

void
mutation_log_page_query(const struct mutation_log_page *page,
	struct query *query)
{
	query->kind = QUERY_MUTATION_LOG;
	snprintf(query->name, sizeof(query->name), "%s", page->name);
}

void
mutation_log_page_reply(struct mutation_log_page *page,
	const struct query *query, struct reply *reply)
{
	bool again = strcmp(page->now.name, page->name) == 0;

	if (strcmp(query->name, page->name) != 0)
		return;
	snprintf(page->error, sizeof(page->error), "%s", reply->error);
	if (reply->error[0] != '\0')
		return;
	free(page->now.steps);
	page->now = reply->mutation_log;
	reply->mutation_log = (struct reply_mutation_log){ 0 };
	snprintf(page->now.name, sizeof(page->now.name), "%s", page->name);
	page->list.n = page->now.steps_n;
	/* Users ask about the newest mutations. */
	list_select(&page->list, again ? page->list.selected : page->list.n);
}

bool
mutation_log_page_any(const struct mutation_log_page *page)
{
	return page->now.steps_n > 0 && page->error[0] == '\0';
}

const char *
mutation_log_page_selected(const struct mutation_log_page *page)
{
	return mutation_log_page_any(page) &&
			page->list.selected < page->now.steps_n
		? page->now.steps[page->list.selected].entry
		: "";
}

/* ---- bytes of a mutation ---- */

/* Bytes as hex, with an ellipsis if they do not fit. */
static void
mutation_log_put_hex(struct row_writer *out, enum style style,
	const uint8_t *bytes, uint32_t n, uint64_t part)
{
	uint32_t i;
	int gap;

	if (part == 0) {
		row_text(out, STYLE_DIM, "-");
		return;
	}
	for (i = 0; i < n; i++) {
		gap = i > 0 && i % 8 == 0;
		if (row_room(out) < gap + 2 + (i + 1 < part))
			break;
		row_printf(out, style, gap ? " %02x" : "%02x", bytes[i]);
	}
	if (i < part)
		row_text(out, STYLE_DIM, glyph(out->grid, GLYPH_MORE));
}

/* Bytes as text; a dot stands for a byte that is not printable. */
static void
mutation_log_put_text(struct row_writer *out, enum style style,
	const uint8_t *bytes, uint32_t n, uint64_t part)
{
	uint32_t i;

	if (part == 0) {
		row_text(out, STYLE_DIM, "-");
		return;
	}
	for (i = 0; i < n && row_room(out) >= (i + 1 < part ? 2 : 1); i++) {
		bool plain = bytes[i] >= 0x20 && bytes[i] < 0x7f;

		row_printf(out,
			plain || style == STYLE_MARK ? style : STYLE_DIM, "%c",
			plain ? bytes[i] : '.');
	}
	if (i < part)
		row_text(out, STYLE_DIM, glyph(out->grid, GLYPH_MORE));
}

static void
mutation_log_put(const struct mutation_log_page *page, struct row_writer *out,
	bool after, const struct reply_mutation *mutation)
{
	enum style style = after ? STYLE_STRONG : STYLE_HEX;
	const uint8_t *bytes = after ? mutation->after : mutation->before;
	uint32_t n = after ? mutation->after_n : mutation->before_n;
	uint64_t part = after ? mutation->part_after : mutation->part_before;

	if (page->text)
		mutation_log_put_text(out, style, bytes, n, part);
	else
		mutation_log_put_hex(out, style, bytes, n, part);
}

/* ---- a row ---- */

static const char *
mutation_log_length(const struct grid *grid,
	const struct reply_mutation *mutation, char buf[96])
{
	char before[TEXT_NUMBER_SIZE], after[TEXT_NUMBER_SIZE];

	text_count(mutation->len_after, after);
	if (mutation->len_before == mutation->len_after)
		snprintf(buf, 96, "%s", after);
	else
		snprintf(buf, 96, "%s %s %s",
			text_count(mutation->len_before, before),
			glyph(grid, GLYPH_TO), after);
	return buf;
}

/* Only the first mutation of a stack shows the entry's name. */
static bool
mutation_log_begins(const struct mutation_log_page *page, size_t i)
{
	const struct reply_mutation *mutations = page->now.steps;

	return i == page->list.top ||
		strcmp(mutations[i].entry, mutations[i - 1].entry) != 0;
}

static void
mutation_log_draw_names(const struct mutation_log_page *page,
	const struct table *table, struct grid *grid, struct rect rect, int row,
	size_t i)
{
	const struct reply_mutation *mutation = &page->now.steps[i];
	char text[32];

	if (mutation_log_begins(page, i)) {
		snprintf(text, sizeof(text), "%.*s",
			table->cells[MUTATION_LOG_ENTRY].w, mutation->entry);
		table_text(table, grid, rect, row, MUTATION_LOG_ENTRY,
			STYLE_VALUE, text);
		snprintf(text, sizeof(text), "%" PRIu32, mutation->generation);
		table_text(table, grid, rect, row, MUTATION_LOG_GENERATION,
			STYLE_DIM, text);
	}
	table_text(table, grid, rect, row, MUTATION_LOG_OP,
		mutation->minimized ? STYLE_MINIMIZING : STYLE_VALUE,
		mutation->minimized ? "minimized" : mutation->op);
}

static void
mutation_log_draw_row(const struct mutation_log_page *page,
	const struct table *table, struct grid *grid, struct rect rect, int row,
	size_t i)
{
	const struct reply_mutation *mutation = &page->now.steps[i];
	struct row_writer out;
	char text[96];

	mutation_log_draw_names(page, table, grid, rect, row, i);
	table_text(table, grid, rect, row, MUTATION_LOG_LENGTH, STYLE_VALUE,
		mutation_log_length(grid, mutation, text));
	if (mutation->minimized)
		return;
	snprintf(text, sizeof(text), "%" PRIx64, mutation->offset);
	table_text(table, grid, rect, row, MUTATION_LOG_OFFSET, STYLE_VALUE,
		text);
	out = table_writer(table, grid, rect, row, MUTATION_LOG_BEFORE);
	mutation_log_put(page, &out, false, mutation);
	table_text(table, grid, rect, row, MUTATION_LOG_TO, STYLE_DIM,
		glyph(grid, GLYPH_TO));
	out = table_writer(table, grid, rect, row, MUTATION_LOG_AFTER);
	mutation_log_put(page, &out, true, mutation);
	out = table_writer(table, grid, rect, row, MUTATION_LOG_TEXT);
	mutation_log_put_text(&out, STYLE_VALUE, mutation->after,
		mutation->after_n, mutation->part_after);
}

/* ---- the selected mutation ---- */

static void
mutation_log_draw_part(struct grid *grid, struct rect rect, int row,
	const char *name, enum style style, const uint8_t *bytes, uint32_t n,
	uint64_t part)
{
	struct row_writer out = row_put_at(grid, rect, row);
	char count[TEXT_NUMBER_SIZE];

	row_field(&out, 8, STYLE_LABEL, name);
	row_add_hot_spot(&out, rect.x, name);
	row_right(&out, 9, STYLE_VALUE, text_count(part, count));
	row_text(&out, STYLE_LABEL, part == 1 ? " byte   " : " bytes  ");
	mutation_log_put_hex(&out, style, bytes, n, part);
	row_gap(&out, 2);
	if (part > 0)
		mutation_log_put_text(&out, style, bytes, n, part);
}

/* Is it the last step to the minimized input of a finding, "ID/min"? */
static bool
mutation_log_of_finding(const struct reply_mutation_log *log,
	const struct reply_mutation *mutation)
{
	size_t len = strcspn(log->name, "/");

	return log->name[len] == '/' &&
		strncmp(log->name, mutation->entry, len) == 0;
}

static void
mutation_log_draw_mutation(const struct reply_mutation_log *log,
	const struct reply_mutation *mutation, struct grid *grid,
	struct rect rect)
{
	struct row_writer out = row_put_at(grid, rect, 0);
	char text[96];

	row_field(&out, 8, STYLE_LABEL, "makes");
	row_add_hot_spot(&out, rect.x, "makes");
	row_clean(&out, STYLE_STRONG, mutation->entry);
	row_text(&out, STYLE_LABEL, " of ");
	row_clean(&out, STYLE_VALUE, mutation->parent);
	if (mutation->partner[0] != '\0' &&
		strcmp(mutation->partner, mutation->parent) != 0) {
		row_text(&out, STYLE_LABEL, " and ");
		row_clean(&out, STYLE_VALUE, mutation->partner);
	}
	out = row_put_at(grid, rect, 1);
	row_field(&out, 8, STYLE_LABEL, "length");
	row_add_hot_spot(&out, rect.x, "length");
	row_printf(&out, STYLE_VALUE, "%s bytes",
		mutation_log_length(grid, mutation, text));
	if (mutation->minimized) {
		draw_cut_top(&rect, 2);
		draw_words(grid, rect, STYLE_MINIMIZING,
			mutation_log_of_finding(log, mutation)
				? "Minimized: the input got shorter and fails "
				  "as before."
				: "Minimized: the input got shorter and kept "
				  "its coverage.");
		return;
	}
	row_printf(&out, STYLE_LABEL, "   %s at ", mutation->op);
	row_printf(&out, STYLE_VALUE, "%" PRIu64 " (0x%" PRIx64 ")",
		mutation->offset, mutation->offset);
	mutation_log_draw_part(grid, rect, 2, "before", STYLE_HEX,
		mutation->before, mutation->before_n, mutation->part_before);
	mutation_log_draw_part(grid, rect, 3, "after", STYLE_MARK,
		mutation->after, mutation->after_n, mutation->part_after);
}

/* ---- the page ---- */

static void
mutation_log_draw_nothing(const struct mutation_log_page *page,
	const struct model *model, struct grid *grid, struct rect rect)
{
	bool known = strcmp(page->now.name, page->name) == 0;
	char text[224], how[64];

	if (page->error[0] != '\0')
		snprintf(text, sizeof(text),
			"The mutations cannot be shown: %s.", page->error);
	else if (known && page->now.complete)
		snprintf(text, sizeof(text),
			"This input was not made from another: it has "
			"no mutations.");
	else if (known)
		snprintf(text, sizeof(text), "No mutation is known: %s.",
			page->now.why);
	else if (model->link == LINK_UP)
		snprintf(text, sizeof(text),
			"The engine is replaying the mutations.");
	else
		snprintf(text, sizeof(text), "The engine has ended.");
	draw_empty(grid, rect, text,
		keys_text(KEYS_CORPUS, "{back} goes back.", how, sizeof(how)));
}

static void
mutation_log_title(const struct mutation_log_page *page, char buf[96])
{
	const struct reply_mutation_log *log = &page->now;
	char n[TEXT_NUMBER_SIZE];

	snprintf(buf, 96, "%s%s mutation%s%s", log->cut ? "the last " : "",
		text_count(log->steps_n, n), log->steps_n == 1 ? "" : "s",
		log->complete || log->cut ? "" : ", the seed is unknown");
}

static void
mutation_log_draw_rows(struct mutation_log_page *page, struct grid *grid,
	struct rect rect, struct rect box)
{
	struct list *list = &page->list;
	struct table table;

	/* Says why the log does not reach a seed. */
	if (!page->now.complete && page->now.why[0] != '\0' && rect.h > 4)
		draw_words(grid, draw_cut_top(&rect, 1), STYLE_WARN,
			page->now.why);
	table_layout(&table, mutation_log_columns, MUTATION_LOG_COLUMNS,
		rect.w);
	if (rect.h > 2)
		table_head(&table, grid, draw_cut_top(&rect, 1), -1, false);
	list_fit(list, page->now.steps_n, rect.h);
	for (size_t i = 0; i < list_seen(list); i++) {
		mutation_log_draw_row(page, &table, grid, rect, (int)i,
			list->top + i);
		if (list->top + i == list->selected)
			list_highlight(grid, rect, (int)i);
	}
	list_finish(list, grid, rect, box);
}

void
mutation_log_page_draw(struct mutation_log_page *page,
	const struct model *model, struct grid *grid, struct rect area)
{
	bool any = mutation_log_page_any(page);
	char title[64], right[96] = "";
	struct draw_box box = { .title = title,
		.right = any ? right : NULL,
		.focus = true };
	struct draw_box below = { .title = "the selected mutation" };
	struct rect mutation = { 0 };

	snprintf(title, sizeof(title), "mutations of %s",
		any ? page->now.name : page->name);
	if (any)
		mutation_log_title(page, right);
	if (any && area.h >= MUTATION_LOG_STEP_MIN)
		mutation = draw_cut_bottom(&area, MUTATION_LOG_STEP_ROWS);
	if (!any) {
		mutation_log_draw_nothing(page, model, grid,
			draw_box(grid, area, &box));
		return;
	}
	mutation_log_draw_rows(page, grid, draw_box(grid, area, &box), area);
	if (mutation.h > 0)
		mutation_log_draw_mutation(&page->now,
			&page->now.steps[page->list.selected], grid,
			draw_box(grid, mutation, &below));
}

bool
mutation_log_page_command(struct mutation_log_page *page, const char *command)
{
	if (strcmp(command, "hex") == 0) {
		page->text = !page->text;
		return true;
	}
	return list_command(&page->list, command);
}
