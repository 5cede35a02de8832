/*
 * entry_page: one corpus entry or finding.
 *
 * The values are at the top, and the bytes below. The lineage, from the entry to
 * its seed, is beside or above the bytes.
 */
#include "ui/views/corpus/entry_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/views/corpus/corpus_table.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"

#define ENTRY_SIDE_MIN 104 /* minimum columns for lineage beside the bytes */
#define ENTRY_LINEAGE 40   /* columns of the lineage beside the bytes */
#define ENTRY_LINEAGE_ROWS 7
#define ENTRY_TINY 7       /* minimum rows for a lineage */
#define ENTRY_PARTS_MIN 10 /* minimum rows below the values */
#define ENTRY_VALUES_MAX 16
#define ENTRY_VALUES_TEXT 160
#define ENTRY_VALUES_GAP 3 /* columns between two */

/* Names and values in a row, wrapped where needed. */
struct entry_values {
	size_t n;
	struct entry_value {
		const char *name; /* "" = only the value */
		enum style style;
		char text[ENTRY_VALUES_TEXT];
	} items[ENTRY_VALUES_MAX];
};

void
entry_page_clear(struct entry_page *page)
{
	bytes_clear(&page->bytes);
	free(page->now.bytes.data);
	free(page->now.lineage);
	page->now = (struct reply_entry){ 0 };
	page->name[0] = page->error[0] = '\0';
}

void
entry_page_open(struct entry_page *page, const char *name)
{
	if (strcmp(page->name, name) == 0)
		return;
	snprintf(page->name, sizeof(page->name), "%s", name);
	page->error[0] = '\0';
}

/* ---- queries and replies ---- */

static bool
entry_page_is_shown(const struct entry_page *page)
{
	return strcmp(page->name, page->now.name) == 0;
}

void
entry_page_query(const struct entry_page *page, struct query *query)
{
	static const struct bytes fresh;

	query->kind = QUERY_ENTRY;
	snprintf(query->name, sizeof(query->name), "%s", page->name);
	bytes_query(entry_page_is_shown(page) ? &page->bytes : &fresh, query);
}

void
entry_page_reply(struct entry_page *page, const struct query *query,
	struct reply *reply)
{
	struct reply_entry *entry = &reply->entry;

	if (strcmp(query->name, page->name) != 0)
		return;
	/* An entry that was minimized since has another name now. */
	if (entry->name[0] != '\0')
		snprintf(page->name, sizeof(page->name), "%s", entry->name);
	snprintf(page->error, sizeof(page->error), "%s", reply->error);
	if (reply->error[0] != '\0')
		return;
	if (!entry_page_is_shown(page)) {
		bytes_clear(&page->bytes);
		page->lineage = (struct list){ 0 };
	}
	bytes_take(&page->bytes, entry);
	free(page->now.lineage);
	page->now = *entry;
	*entry = (struct reply_entry){ 0 };
	snprintf(page->now.name, sizeof(page->now.name), "%s", page->name);
}

/* ---- values ---- */

/* The value may be foreign text. Drops empty values, and those that exceed the
 * maximum number. */
static void
entry_values_add(struct entry_values *values, const char *name,
	enum style style, const char *text)
{
	struct entry_value *value;

	if (values->n == ENTRY_VALUES_MAX || text[0] == '\0')
		return;
	value = &values->items[values->n++];
	value->name = name;
	value->style = style;
	text_clean_string(text, value->text, sizeof(value->text));
}

static int
entry_values_width(const struct entry_value *value)
{
	int name = (int)text_width(value->name);

	return name + (name > 0) + (int)text_width(value->text);
}

/* The position of a pair after the ones before it. */
static void
entry_values_position(const struct entry_value *value, int columns, int *x,
	int *row)
{
	*x += *x > 0 ? ENTRY_VALUES_GAP : 0;
	if (*x > 0 && *x + entry_values_width(value) > columns) {
		*x = 0;
		++*row;
	}
}

static int
entry_values_height(const struct entry_values *values, int columns)
{
	int x = 0, row = 0;

	for (size_t i = 0; i < values->n; i++) {
		entry_values_position(&values->items[i], columns, &x, &row);
		x += entry_values_width(&values->items[i]);
	}
	return values->n > 0 ? row + 1 : 0;
}

static void
entry_values_draw(const struct entry_values *values, struct grid *grid,
	struct rect rect)
{
	int x = 0, row = 0;

	for (size_t i = 0; i < values->n; i++) {
		const struct entry_value *value = &values->items[i];
		struct row_writer out;
		int from;

		entry_values_position(value, rect.w, &x, &row);
		out = row_put_at(grid, rect, row);
		row_gap(&out, x);
		from = out.x;
		row_text(&out, STYLE_LABEL, value->name);
		row_gap(&out, value->name[0] != '\0');
		row_clean(&out, value->style, value->text);
		row_add_hot_spot(&out, from,
			value->name[0] != '\0' ? value->name : value->text);
		x += entry_values_width(value);
	}
}

static void
entry_values_parent(struct entry_values *values, const struct reply_row *row)
{
	char text[TEXT_NUMBER_SIZE];

	if (row->seed) {
		entry_values_add(values, "it is a", STYLE_STRONG, "seed");
		return;
	}
	/* The input with which a campaign without seeds begins has none, and
	 * is not kept: after a resume its children have none either. */
	entry_values_add(values, "parent", STYLE_VALUE,
		row->parent[0] != '\0' ? row->parent : "none known");
	snprintf(text, sizeof(text), "%" PRIu32, row->generation);
	entry_values_add(values, "generation", STYLE_VALUE, text);
}

static void
entry_values_row(struct entry_values *values, const struct model *model,
	const struct reply_row *row)
{
	char text[TEXT_NUMBER_SIZE];

	entry_values_parent(values, row);
	entry_values_add(values, "new bits",
		row->new_bits > 0 ? STYLE_GOOD : STYLE_DIM,
		text_count(row->new_bits, text));
	entry_values_add(values, "one execution", STYLE_VALUE,
		label_micros(row->exec_us, text));
	entry_values_add(values, "age", STYLE_VALUE,
		label_seconds(corpus_age(model, row), text));
	entry_values_add(values, "energy", STYLE_VALUE,
		corpus_energy(row, text));
	entry_values_add(values, "executions", STYLE_VALUE,
		corpus_executions(row, text));
	entry_values_add(values, "new inputs", STYLE_VALUE,
		text_count(row->finds, text));
	if (row->favoured)
		entry_values_add(values, "", STYLE_GOOD, "favoured");
	if (row->progress)
		entry_values_add(values, "", STYLE_INFO, "value profile");
	if (row->unstable)
		entry_values_add(values, "", STYLE_WARN, "unstable");
}

static void
entry_values_finding(struct entry_values *values, const struct entry_page *page,
	const struct model *model)
{
	const struct snapshot_finding *f =
		snapshot_find_finding(model->snapshot, page->now.name);
	char text[TEXT_NUMBER_SIZE];

	entry_values_add(values, "it is a", STYLE_BAD, "finding");
	if (f == NULL)
		return;
	entry_values_add(values, "what", STYLE_BAD, f->what);
	entry_values_add(values, "in", STYLE_VALUE, f->where);
	entry_values_add(values, "seen", STYLE_VALUE,
		text_count(f->count, text));
	entry_values_add(values, "first at", STYLE_VALUE,
		text_clock(f->first_s, text));
}

static void
entry_values_fill(struct entry_values *values, const struct entry_page *page,
	const struct model *model)
{
	values->n = 0;
	if (page->now.finding)
		entry_values_finding(values, page, model);
	else if (page->now.lineage_n > 0)
		entry_values_row(values, model, &page->now.lineage[0]);
}

/* ---- lineage ---- */

/* One row of the lineage: the entry comes first, its oldest ancestor last. */
static void
entry_draw_mutation(const struct entry_page *page, struct grid *grid,
	struct rect rect, size_t i, int at)
{
	const struct reply_row *row = &page->now.lineage[i];
	struct row_writer out = row_put_at(grid, rect, at);
	bool self = i == 0 && !page->now.finding;
	bool last = row->parent[0] == '\0';
	char text[TEXT_NUMBER_SIZE];

	row_text(&out, self ? STYLE_KEY : STYLE_FRAME,
		glyph(grid,
			self           ? GLYPH_HERE
				: last ? GLYPH_BOTTOM_LEFT
				       : GLYPH_VLINE));
	row_gap(&out, 1);
	snprintf(text, sizeof(text), "%.8s", row->name);
	row_field(&out, 8, STYLE_VALUE, text);
	row_right(&out, 8, STYLE_VALUE, text_bytes(row->len, text));
	if (row->seed)
		row_text(&out, STYLE_STRONG, "  seed   ");
	else
		row_printf(&out, STYLE_DIM, "  gen %-3" PRIu32,
			row->generation);
	if (row->new_bits > 0)
		row_printf(&out, STYLE_GOOD, " +%s",
			text_short((double)row->new_bits, text));
	if (i == page->lineage.selected)
		list_highlight(grid, rect, at);
}

static void
entry_draw_lineage(struct entry_page *page, struct grid *grid, struct rect box,
	const char *title)
{
	char right[TEXT_NUMBER_SIZE + 16], count[TEXT_NUMBER_SIZE];
	struct draw_box frame = { .title = title, .right = right };
	struct list *list = &page->lineage;
	struct rect rect;

	if (box.h <= 0 || box.w <= 0)
		return;
	snprintf(right, sizeof(right), "%s%s",
		text_count(page->now.lineage_n, count),
		page->now.cut ? " or more" : "");
	rect = draw_box(grid, box, &frame);
	grid_add_hot_spot(grid, (struct rect){ rect.x, rect.y, rect.w, 1 },
		HOT_SPOT_FIELD, "lineage");
	list_fit(list, page->now.lineage_n, rect.h);
	for (size_t i = 0; i < list_seen(list); i++)
		entry_draw_mutation(page, grid, rect, list->top + i, (int)i);
	list_finish(list, grid, rect, box);
}

/* ---- the page ---- */

static void
entry_draw_bytes(struct entry_page *page, struct grid *grid, struct rect box,
	const char *title)
{
	char right[64], count[TEXT_NUMBER_SIZE];
	struct draw_box frame = { .title = title, .right = right };
	struct rect rect;

	if (box.h <= 0 || box.w <= 0)
		return;
	snprintf(right, sizeof(right), "%s, as %s",
		text_count(page->bytes.len, count),
		page->bytes.text ? "text" : "hex");
	rect = draw_box(grid, box, &frame);
	grid_add_hot_spot(grid, (struct rect){ rect.x, rect.y, rect.w, 1 },
		HOT_SPOT_FIELD, "bytes of it");
	bytes_draw(&page->bytes, grid, rect, box);
}

/* Draws the values if there is room, and cuts their rows off the area. */
static bool
entry_draw_head(const struct entry_page *page, const struct model *model,
	struct grid *grid, struct rect *area, const char *title)
{
	struct draw_box box = { .title = title, .focus = true };
	struct entry_values values;
	int rows;

	entry_values_fill(&values, page, model);
	rows = entry_values_height(&values, area->w - 4) + 2;
	if (rows == 2 || area->h - rows < ENTRY_PARTS_MIN)
		return false;
	entry_values_draw(&values, grid,
		draw_box(grid, draw_cut_top(area, rows), &box));
	return true;
}

/* Draws the lineage beside the bytes, above them, or not at all. */
static void
entry_draw_all(struct entry_page *page, const struct model *model,
	struct grid *grid, struct rect area, const char *title)
{
	bool head = entry_draw_head(page, model, grid, &area, title);
	struct rect lineage = { 0 }, bytes = area;
	int rows = (int)page->now.lineage_n + 2;

	if (area.w >= ENTRY_SIDE_MIN) {
		bytes = draw_cut_left(&area, area.w - ENTRY_LINEAGE);
		lineage = area;
	} else if (area.h >= ENTRY_TINY && page->now.lineage_n > 0) {
		if (rows > ENTRY_LINEAGE_ROWS)
			rows = ENTRY_LINEAGE_ROWS;
		if (rows > area.h / 2)
			rows = area.h / 2;
		lineage = draw_cut_top(&bytes, rows);
	}
	entry_draw_lineage(page, grid, lineage, head ? "lineage" : title);
	entry_draw_bytes(page, grid, bytes,
		head || (lineage.h > 0 && lineage.y < bytes.y) ? "bytes"
							       : title);
}

static void
entry_draw_nothing(const struct entry_page *page, const struct model *model,
	struct grid *grid, struct rect area, const char *title)
{
	struct draw_box box = { .title = title, .focus = true };
	char text[224], how[64];

	if (page->error[0] != '\0')
		snprintf(text, sizeof(text), "The entry cannot be shown: %s.",
			page->error);
	else if (model->link == LINK_UP)
		snprintf(text, sizeof(text), "Waiting for the engine.");
	else
		snprintf(text, sizeof(text), "The engine has ended.");
	draw_empty(grid, draw_box(grid, area, &box), text,
		keys_text(KEYS_CORPUS, "{back} goes back.", how, sizeof(how)));
}

void
entry_page_draw(struct entry_page *page, const struct model *model,
	struct grid *grid, struct rect area)
{
	bool known = page->now.name[0] != '\0' && page->error[0] == '\0';
	char title[64];

	snprintf(title, sizeof(title), "%s %s",
		known && page->now.finding ? "finding" : "entry",
		known ? page->now.name : page->name);
	if (known)
		entry_draw_all(page, model, grid, area, title);
	else
		entry_draw_nothing(page, model, grid, area, title);
}

bool
entry_page_command(struct entry_page *page, const char *command)
{
	struct list *list = &page->lineage;

	if (strcmp(command, "up") == 0 || strcmp(command, "down") == 0 ||
		strncmp(command, "row ", 4) == 0)
		return list_command(list, command);
	if (strcmp(command, "open") == 0) {
		if (list->selected >= page->now.lineage_n ||
			strcmp(page->now.lineage[list->selected].name,
				page->name) == 0)
			return false;
		entry_page_open(page, page->now.lineage[list->selected].name);
		return true;
	}
	return bytes_command(&page->bytes, command);
}
