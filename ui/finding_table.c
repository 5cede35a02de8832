/*
 * finding_table: distinct bugs as rows, for each view that shows them.
 *
 * The newest stands first, as in the snapshot. The selection is kept by id.
 */
#include "ui/finding_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/draw.h"
#include "ui/table.h"
#include "ui/words.h"

#define FINDING_WIDE 100
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
	FINDING_FIRST,
	FINDING_LAST,
	FINDING_CLASS,
	FINDING_ID,
	FINDING_COLUMNS
};

/* clang-format off */
static const struct table_column finding_places[FINDING_COLUMNS] = {
	/*		    head       width grow rank right */
	[FINDING_MARK]	= { "",		  1,   0,   0, false },
	[FINDING_WHAT]	= { "what",	 20,   8,   0, false },
	[FINDING_WHERE]	= { "where",	 14,  46,   1, false },
	[FINDING_SEEN]	= { "seen",	  6,   0,   0, true },
	[FINDING_AGAIN]	= { "again",	  5,   0,   2, true },
	[FINDING_LEN]	= { "size",	  6,   0,   5, true },
	[FINDING_LEAST]	= { "min",	  6,   0,   3, true },
	[FINDING_STATE]	= { "state",	 10,   0,   4, false },
	[FINDING_FIRST]	= { "first",	 11,   0,   6, true },
	[FINDING_LAST]	= { "last",	 11,   0,   7, true },
	[FINDING_CLASS]	= { "class",	 13,   0,   8, false },
	[FINDING_ID]	= { "id",	  8,   8,   9, false },
};

/* The dashboard's few: no head, so the numbers explain themselves. */
static const struct table_column finding_newest[] = {
	{ "", 16, 12, 0, false },
	{ "",  9, 40, 1, false },
	{ "",  6,  0, 0, true },
	{ "",  3,  2, 2, true },
};

/* A kind of the snapshot belongs to a class of findings. */
static const struct {
	const char *kind, *class;
	enum style style;
} finding_classes[] = {
	{ "hang",    "hang",	      STYLE_WARN },
	{ "stopped", "hang",	      STYLE_WARN },
	{ "oom",     "out of memory", STYLE_WARN },
	{ "leak",    "leak",	      STYLE_WARN },
};

static const struct {
	const char *state;
	enum style style;
} finding_states[] = {
	{ "new",       STYLE_INFO },
	{ "confirmed", STYLE_BAD },
	{ "flaky",     STYLE_WARN },
	{ "known",     STYLE_DIM },
	{ "ignored",   STYLE_DIM },
};
/* clang-format on */

#define FINDING_N(table) (sizeof(table) / sizeof((table)[0]))

const char *
finding_class(const struct snapshot_finding *finding)
{
	size_t i;

	for (i = 0; i < FINDING_N(finding_classes); i++)
		if (strcmp(finding->kind, finding_classes[i].kind) == 0)
			return finding_classes[i].class;
	return "crash";
}

enum style
finding_style(const struct snapshot_finding *finding)
{
	size_t i;

	if (strcmp(finding->state, "ignored") == 0)
		return STYLE_DIM;
	for (i = 0; i < FINDING_N(finding_classes); i++)
		if (strcmp(finding->kind, finding_classes[i].kind) == 0)
			return finding_classes[i].style;
	return STYLE_BAD;
}

static enum style
finding_state_style(const struct snapshot_finding *finding)
{
	size_t i;

	if (finding->minimizing)
		return STYLE_MINIMIZING;
	for (i = 0; i < FINDING_N(finding_states); i++)
		if (strcmp(finding->state, finding_states[i].state) == 0)
			return finding_states[i].style;
	return STYLE_VALUE;
}

/* "5/5": all is good news for whoever debugs it, less is flaky. */
static const char *
finding_again(const struct snapshot_finding *finding,
	char buf[TEXT_NUMBER_SIZE], enum style *style)
{
	*style = STYLE_DIM;
	if (finding->replays == 0) {
		snprintf(buf, TEXT_NUMBER_SIZE, "-");
		return buf;
	}
	*style = finding->reproduced == finding->replays ? STYLE_GOOD
							 : STYLE_WARN;
	snprintf(buf, TEXT_NUMBER_SIZE, "%" PRIu32 "/%" PRIu32,
		finding->reproduced, finding->replays);
	return buf;
}

/* `x14`, `x36 k`: no decimals, for a narrow column. */
static const char *
finding_times(const struct grid *grid, const struct snapshot_finding *finding,
	char buf[TEXT_NUMBER_SIZE])
{
	char count[TEXT_NUMBER_SIZE];
	char *point, *unit;

	text_short((double)finding->count, count);
	point = strchr(count, '.');
	unit = strchr(count, ' ');
	if (point && unit)
		memmove(point, unit, strlen(unit) + 1);
	snprintf(buf, TEXT_NUMBER_SIZE, "%s%.20s", symbol(grid, SYMBOL_TIMES),
		count);
	return buf;
}

/* The text of a cell; buf is only used for numbers. */
static const char *
finding_text(const struct grid *grid, const struct snapshot_finding *f,
	enum finding_column column, char buf[TEXT_NUMBER_SIZE],
	enum style *style)
{
	*style = STYLE_VALUE;
	switch (column) {
	case FINDING_MARK:
		*style = finding_style(f);
		return symbol(grid, SYMBOL_ALERT);
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
		return f->minimizing ? "minimizing" : f->state;
	case FINDING_FIRST:
		*style = STYLE_DIM;
		return text_clock(f->first_s, buf);
	case FINDING_LAST:
		*style = STYLE_DIM;
		return text_clock(f->last_s, buf);
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
finding_draw_row(const struct table *place, struct grid *grid, struct rect rect,
	int row, const struct snapshot_finding *finding, bool selected)
{
	struct rect line = { rect.x - 1, rect.y + row, rect.w + 2, 1 };
	char buf[TEXT_NUMBER_SIZE];
	enum style style;
	int column;

	for (column = 0; column < FINDING_COLUMNS; column++) {
		const char *text = finding_text(grid, finding,
			(enum finding_column)column, buf, &style);

		table_text(place, grid, rect, row, (size_t)column, style, text);
	}
	if (selected)
		grid_restyle(grid, line, STYLE_SELECTED);
}

static size_t
finding_find(const struct snapshot *snapshot, const char *id)
{
	size_t i;

	for (i = 0; i < snapshot->findings_n; i++)
		if (strcmp(snapshot->findings[i].id, id) == 0)
			return i;
	return 0;
}

const struct snapshot_finding *
finding_table_selected(const struct finding_table *table,
	const struct model *model)
{
	const struct snapshot *snapshot = model->snapshot;

	if (snapshot->findings_n == 0)
		return NULL;
	return &snapshot->findings[finding_find(snapshot, table->selected)];
}

/* Places matter: a wide screen shows more of them before it shows times. */
static void
finding_layout(struct table *place,
	struct table_column columns[FINDING_COLUMNS], int width)
{
	memcpy(columns, finding_places, sizeof(finding_places));
	if (width >= FINDING_WIDE)
		columns[FINDING_WHERE].width = FINDING_WIDE_WHERE;
	if (width < FINDING_NARROW) {
		columns[FINDING_WHAT].width = FINDING_NARROW_TEXT;
		columns[FINDING_WHERE].width = FINDING_NARROW_TEXT;
	}
	table_layout(place, columns, FINDING_COLUMNS, width);
}

void
finding_table_draw(struct finding_table *table, const struct model *model,
	struct grid *grid, struct rect area, struct rect box)
{
	const struct snapshot *snapshot = model->snapshot;
	struct list *list = &table->list;
	struct table_column columns[FINDING_COLUMNS];
	struct table place;
	size_t i;

	finding_layout(&place, columns, area.w);
	if (area.h > 2)
		table_head(&place, grid, draw_cut_top(&area, 1), -1, false);
	list->selected = finding_find(snapshot, table->selected);
	list_fit(list, snapshot->findings_n, area.h > 0 ? (size_t)area.h : 0);
	for (i = 0; i < list_seen(list); i++) {
		size_t at = list->top + i;

		finding_draw_row(&place, grid, area, (int)i,
			&snapshot->findings[at], at == list->selected);
	}
	draw_scroll(grid, box, list->top, list->page, list->n);
}

static void
finding_newest_row(const struct table *place, struct grid *grid,
	struct rect area, int row, const struct snapshot_finding *f)
{
	char buf[TEXT_NUMBER_SIZE];
	enum style style;

	table_text(place, grid, area, row, 0, finding_style(f), f->what);
	table_text(place, grid, area, row, 1, STYLE_VALUE, f->where);
	table_text(place, grid, area, row, 2, STYLE_VALUE,
		finding_times(grid, f, buf));
	finding_again(f, buf, &style);
	table_text(place, grid, area, row, 3, style, buf);
}

void
finding_table_newest(const struct model *model, struct grid *grid,
	struct rect area)
{
	const struct snapshot *snapshot = model->snapshot;
	struct table place;
	int i;

	table_layout(&place, finding_newest, FINDING_N(finding_newest), area.w);
	for (i = 0; i < area.h && (size_t)i < snapshot->findings_n; i++)
		finding_newest_row(&place, grid, area, i,
			&snapshot->findings[i]);
}

bool
finding_table_command(struct finding_table *table, const struct model *model,
	const char *command)
{
	const struct snapshot *snapshot = model->snapshot;
	struct list *list = &table->list;

	list->n = snapshot->findings_n;
	list_select(list, finding_find(snapshot, table->selected));
	if (!list_command(list, command))
		return false;
	if (snapshot->findings_n > 0)
		snprintf(table->selected, sizeof(table->selected), "%s",
			snapshot->findings[list->selected].id);
	return true;
}
