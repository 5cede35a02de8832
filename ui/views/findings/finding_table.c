/*
 * finding_table: distinct findings as rows, for all views that show them.
 *
 * The newest comes first until the user sorts. The selection is kept by id.
 */
#include "ui/views/findings/finding_table.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "shared/wire/failure.h"
#include "ui/views/findings/finding_widths.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/finding_location.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/table.h"

#define FINDING_WIDE_WHERE 22
#define FINDING_NARROW 60
#define FINDING_NARROW_TEXT 11

enum finding_column {
	FINDING_MARK,
	FINDING_WHAT,
	FINDING_WHERE,
	FINDING_SEEN,
	FINDING_AGAIN,
	FINDING_LEN,
	FINDING_LEAST,
	FINDING_STATE,
	FINDING_NOTED,
	FINDING_SEQUENCE,
	FINDING_FIRST,
	FINDING_LAST,
	FINDING_CLASS,
	FINDING_ID,
	FINDING_COLUMNS
};

/* clang-format off */
/* Columns on the dashboard: no heads, as the values need no explanation. */
static const struct table_column finding_newest[] = {
	{ "", 16, 12, 0, .right = false },
	{ "", 10, 40, 1, .right = false },
	{ "",  5,  0, 0, .right = true },
	{ "",  3,  2, 2, .right = true },
};

static const struct {
	const char *state;
	enum style style;
} finding_states[] = {
	{ "new",       STYLE_INFO },
	{ "confirmed", STYLE_BAD },
	{ "flaky",     STYLE_WARN },
	{ "known",     STYLE_DIM },
	{ "accepted",  STYLE_DIM },
};
/* clang-format on */

#define FINDING_N(table) (sizeof(table) / sizeof((table)[0]))

const char *
finding_class(const struct snapshot_finding *finding)
{
	return failure_class(failure_kind_parse(finding->kind))->words;
}

/* Older recordings have no standing: treat these findings as open. */
static bool
finding_is_open(const struct snapshot_finding *finding)
{
	return finding->standing[0] == '\0' ||
		strcmp(finding->standing, "open") == 0;
}

/* A state from another build says less than the standing in this one. */
static const char *
finding_state(const struct snapshot_finding *finding)
{
	if (finding->minimizing)
		return "minimizing";
	return finding_is_open(finding) ||
			strcmp(finding->state, "accepted") == 0
		? finding->state
		: finding->standing;
}

static enum style
finding_style(const struct snapshot_finding *finding)
{
	if (strcmp(finding->state, "accepted") == 0 ||
		!finding_is_open(finding))
		return STYLE_DIM;
	return strcmp(finding_class(finding), "crash") == 0 ? STYLE_BAD
							    : STYLE_WARN;
}

static enum style
finding_state_style(const struct snapshot_finding *finding)
{
	size_t i;

	if (finding->minimizing)
		return STYLE_MINIMIZING;
	if (!finding_is_open(finding))
		return STYLE_DIM;
	for (i = 0; i < FINDING_N(finding_states); i++)
		if (strcmp(finding->state, finding_states[i].state) == 0)
			return finding_states[i].style;
	return STYLE_VALUE;
}

/* ---- order ---- */

/* The share of replays that failed, 0 to 1; -1: there were none. */
static double
finding_share(const struct snapshot_finding *finding)
{
	uint32_t failed, n;

	(void)snapshot_replays_count(finding, &failed, &n);
	return n > 0 ? (double)failed / n : -1;
}

SORT_TEXT(finding_by_what, snapshot_finding, row->what)
SORT_TEXT(finding_by_location, snapshot_finding, row->where)
SORT_TEXT(finding_by_state, snapshot_finding, finding_state(row))
SORT_TEXT(finding_by_class, snapshot_finding, finding_class(row))
SORT_TEXT(finding_by_id, snapshot_finding, row->id)
SORT_NUMBER(finding_by_noted, snapshot_finding, row->noted)
SORT_NUMBER(finding_by_sequence, snapshot_finding, row->sequence)
SORT_NUMBER(finding_by_seen, snapshot_finding, row->count)
SORT_NUMBER(finding_by_again, snapshot_finding, finding_share(row))
SORT_NUMBER(finding_by_len, snapshot_finding, row->len)
SORT_NUMBER(finding_by_least, snapshot_finding, row->minimized_len)
SORT_NUMBER(finding_by_first, snapshot_finding, row->first_s)
SORT_NUMBER(finding_by_last, snapshot_finding, row->last_s)

/* clang-format off */
static const struct table_column finding_columns[FINDING_COLUMNS] = {
	/*		    head     width grow rank right falling order */
	[FINDING_MARK]	= { "",		1,  0, 0, .right = false },
	[FINDING_WHAT]	= { "what",    20,  8, 0, false, .text = finding_by_what },
	[FINDING_WHERE]	= { "where",   14, 46, 1, false, .text = finding_by_location },
	[FINDING_SEEN]	= { "seen",	6,  0, 0, true, true, .number = finding_by_seen },
	[FINDING_AGAIN]	= { "again",	5,  0, 4, true, true, .number = finding_by_again },
	[FINDING_LEN]	= { "size",	6,  0, 5, true, true, .number = finding_by_len },
	[FINDING_LEAST]	= { "min",	6,  0, 2, true, true, .number = finding_by_least },
	[FINDING_STATE]	= { "state",   10,  0, 3, false, .text = finding_by_state },
	[FINDING_NOTED]	= { "note",	4,  0, 6, false, true, .number = finding_by_noted },
	[FINDING_SEQUENCE] = { "row",	3,  0, 9, true, true, .number = finding_by_sequence },
	[FINDING_FIRST]	= { "first",   11,  0, 7, true, true, .number = finding_by_first },
	[FINDING_LAST]	= { "last",    11,  0, 8, true, true, .number = finding_by_last },
	[FINDING_CLASS]	= { "class",   13,  0, 9, false, .text = finding_by_class },
	[FINDING_ID]	= { "id",      16,  0, 9, false, .text = finding_by_id },
};
/* clang-format on */

/* ---- a row ---- */

/* "5/5": every replay failed, which is good for debugging. Less is flaky. */
static const char *
finding_again(const struct snapshot_finding *finding,
	char buf[SNAPSHOT_REPLAYS_SIZE], enum style *style)
{
	*style = STYLE_DIM;
	if (finding_share(finding) >= 0 && finding_is_open(finding))
		*style = finding_share(finding) >= 1 ? STYLE_GOOD : STYLE_WARN;
	return snapshot_replays(finding, buf);
}

/* `x14`, `x1.9k`, `x36k`, `x212k`, for a narrow column. */
static const char *
finding_times(const struct grid *grid, const struct snapshot_finding *finding,
	char buf[TEXT_NUMBER_SIZE])
{
	char count[TEXT_NUMBER_SIZE];
	size_t len, unit;

	text_short((double)finding->count, count);
	len = strcspn(count, ". ");
	unit = strcspn(count, " ");
	if (len == 1)
		len = unit; /* with a digit behind the point */
	snprintf(buf, TEXT_NUMBER_SIZE, "%s%.*s%s", glyph(grid, GLYPH_TIMES),
		(int)len, count, count + unit + (count[unit] == ' '));
	return buf;
}

/* The text of a cell; buf is for numbers. */
static const char *
finding_text(const struct grid *grid, const struct snapshot_finding *f,
	enum finding_column column, char buf[SNAPSHOT_REPLAYS_SIZE],
	enum style *style)
{
	*style = STYLE_VALUE;
	switch (column) {
	case FINDING_MARK:
		*style = finding_style(f);
		return glyph(grid, GLYPH_ALERT);
	case FINDING_WHAT:
		*style = finding_style(f);
		return f->what;
	case FINDING_WHERE:
		return f->where;
	case FINDING_SEEN:
		return finding_times(grid, f, buf);
	case FINDING_AGAIN:
		return finding_again(f, buf, style);
	case FINDING_LEN:
		return text_bytes(f->len, buf);
	case FINDING_LEAST:
		*style = f->minimized_len > 0 ? STYLE_VALUE : STYLE_DIM;
		return f->minimized_len > 0 ? text_bytes(f->minimized_len, buf)
					    : "-";
	case FINDING_STATE:
		*style = finding_state_style(f);
		return finding_state(f);
	case FINDING_NOTED:
		*style = STYLE_INFO;
		return f->noted ? "yes" : "";
	case FINDING_SEQUENCE:
		return f->sequence > 1 ? text_count(f->sequence, buf) : "";
	case FINDING_FIRST:
		*style = STYLE_DIM;
		return text_clock_fit(f->first_s, finding_columns[column].width,
			buf);
	case FINDING_LAST:
		*style = STYLE_DIM;
		return text_clock_fit(f->last_s, finding_columns[column].width,
			buf);
	case FINDING_CLASS:
		return finding_class(f);
	case FINDING_ID:
		*style = STYLE_DIM;
		return f->id;
	default:
		return "";
	}
}

static void
finding_draw_row(const struct table *layout, struct grid *grid,
	struct rect rect, int row, const struct snapshot_finding *finding,
	bool selected)
{
	char buf[SNAPSHOT_REPLAYS_SIZE], location[FINDING_LOCATION_SIZE];
	enum style style;
	int column;

	for (column = 0; column < FINDING_COLUMNS; column++) {
		const char *text = finding_text(grid, finding,
			(enum finding_column)column, buf, &style);

		if (column == FINDING_WHERE)
			text = finding_location_fit(grid, finding,
				layout->cells[column].w, location);
		table_text(layout, grid, rect, row, (size_t)column, style,
			text);
	}
	if (selected)
		list_highlight(grid, rect, row);
}

/* ---- the rows ---- */

struct finding_order {
	size_t n;
	const void *findings[SNAPSHOT_FINDINGS_MAX];
};

static bool
finding_matches(const struct filter *filter, const struct snapshot_finding *f)
{
	const char *texts[] = { f->what, f->where, f->state, f->id, f->kind,
		finding_class(f), f->text, f->standing };

	return filter_match(filter, texts, FINDING_N(texts));
}

static void
finding_order_init(struct finding_order *order, const struct sort *sort,
	const struct model *model)
{
	const struct snapshot *s = model->snapshot;
	size_t i;

	order->n = 0;
	for (i = 0; i < s->findings_n && order->n < SNAPSHOT_FINDINGS_MAX; i++)
		if (finding_matches(&model->filters[KEYS_FINDINGS],
			    &s->findings[i]))
			order->findings[order->n++] = &s->findings[i];
	sort_rows(sort, finding_columns, order->findings, order->n);
}

void
finding_table_init(struct finding_table *table)
{
	*table = (struct finding_table){ .sort.column = FINDING_FIRST };
}

size_t
finding_table_shown(const struct model *model)
{
	struct finding_order order;
	struct sort sort = { 0 };

	finding_order_init(&order, &sort, model);
	return order.n;
}

static const struct snapshot_finding *
finding_at(const struct finding_order *order, size_t i)
{
	return order->findings[i];
}

/* Index of the finding, or order->n. */
static size_t
finding_find(const struct finding_order *order, const char *id)
{
	size_t i;

	for (i = 0; i < order->n; i++)
		if (strcmp(finding_at(order, i)->id, id) == 0)
			return i;
	return order->n;
}

/* The row of the selected finding, where others may have moved it. The first
 * one until the user selects, and the same row if the finding is gone. */
static void
finding_select(struct finding_table *table, const struct finding_order *order)
{
	size_t at = finding_find(order, table->selected);

	table->list.n = order->n;
	if (at == order->n)
		at = table->selected[0] != '\0' ? table->list.selected : 0;
	list_select(&table->list, at);
}

static void
finding_keep(struct finding_table *table, const struct finding_order *order)
{
	if (order->n > 0)
		snprintf(table->selected, sizeof(table->selected), "%s",
			finding_at(order, table->list.selected)->id);
}

const struct snapshot_finding *
finding_table_selected(struct finding_table *table, const struct model *model)
{
	struct finding_order order;

	finding_order_init(&order, &table->sort, model);
	finding_select(table, &order);
	if (table->selected[0] != '\0')
		finding_keep(table, &order);
	return order.n > 0 ? finding_at(&order, table->list.selected) : NULL;
}

/* ---- drawing ---- */

/* Replays of other builds are described in words: "5/5 before". */
static int
finding_again_width(const struct finding_order *order)
{
	int width = finding_columns[FINDING_AGAIN].width, needed;
	char buf[SNAPSHOT_REPLAYS_SIZE];

	for (size_t i = 0; i < order->n; i++) {
		snapshot_replays(finding_at(order, i), buf);
		needed = (int)strlen(buf);
		if (needed > width && strchr(buf, ' ') != NULL)
			width = needed;
	}
	return width;
}

/*
 * The location needs a wide column: it matters more than the count of replays,
 * which the state sums up.
 */
static void
finding_layout(struct table *layout,
	struct table_column columns[FINDING_COLUMNS], int width,
	const struct finding_order *order)
{
	memcpy(columns, finding_columns, sizeof(finding_columns));
	columns[FINDING_AGAIN].width = finding_again_width(order);
	columns[FINDING_WHERE].width = FINDING_WIDE_WHERE;
	if (width < FINDING_NARROW)
		columns[FINDING_WHAT].width = columns[FINDING_WHERE].width =
			FINDING_NARROW_TEXT;
	table_layout(layout, columns, FINDING_COLUMNS, width);
}

void
finding_table_draw(struct finding_table *table, const struct model *model,
	struct grid *grid, struct rect area, struct rect box)
{
	struct finding_order order;
	struct list *list = &table->list;
	struct table_column columns[FINDING_COLUMNS];
	struct finding_widths needed = { 0 };
	struct table layout;
	bool here; /* the selected finding has a row */
	size_t i;

	finding_order_init(&order, &table->sort, model);
	finding_layout(&layout, columns, area.w, &order);
	for (i = 0; i < order.n; i++)
		finding_widths_add(&needed, finding_at(&order, i));
	finding_widths_share(&needed, &layout, FINDING_WHAT);
	sort_head(&table->sort, &layout, grid, &area);
	finding_select(table, &order);
	list_fit(list, order.n, area.h);
	here = table->selected[0] == '\0' ||
		finding_find(&order, table->selected) < order.n;
	for (i = 0; i < list_seen(list); i++) {
		size_t at = list->top + i;

		finding_draw_row(&layout, grid, area, (int)i,
			finding_at(&order, at), here && at == list->selected);
	}
	list_finish(list, grid, area, box);
}

static void
finding_newest_row(const struct table *layout, struct grid *grid,
	struct rect area, int row, const struct snapshot_finding *f)
{
	char buf[SNAPSHOT_REPLAYS_SIZE], location[FINDING_LOCATION_SIZE];
	enum style style;

	table_text(layout, grid, area, row, 0, finding_style(f), f->what);
	table_text(layout, grid, area, row, 1, STYLE_VALUE,
		finding_location_fit(grid, f, layout->cells[1].w, location));
	table_text(layout, grid, area, row, 2, STYLE_VALUE,
		finding_times(grid, f, buf));
	finding_again(f, buf, &style);
	table_text(layout, grid, area, row, 3, style, buf);
}

void
finding_table_newest(const struct model *model, struct grid *grid,
	struct rect area)
{
	const struct snapshot *snapshot = model->snapshot;
	struct finding_widths needed = { 0 };
	struct table layout;
	int i;

	table_layout(&layout, finding_newest, FINDING_N(finding_newest),
		area.w);
	for (i = 0; i < area.h && (size_t)i < snapshot->findings_n; i++)
		finding_widths_add(&needed, &snapshot->findings[i]);
	finding_widths_share(&needed, &layout, 0);
	for (i = 0; i < area.h && (size_t)i < snapshot->findings_n; i++)
		finding_newest_row(&layout, grid, area, i,
			&snapshot->findings[i]);
}

bool
finding_table_command(struct finding_table *table, const struct model *model,
	const char *command)
{
	struct finding_order order;

	if (sort_command(&table->sort, finding_columns, FINDING_COLUMNS,
		    command))
		return true;
	finding_order_init(&order, &table->sort, model);
	finding_select(table, &order);
	if (!list_command(&table->list, command))
		return false;
	finding_keep(table, &order);
	return true;
}
