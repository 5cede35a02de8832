/*
 * corpus_table: the corpus entries as rows.
 *
 * Depending on enum corpus_choice, the selection stays on the first row or on
 * an entry: a user who watches the newest entries sees the newest one, and a
 * user who reads one entry keeps it.
 */
#include "ui/views/corpus/corpus_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/lazy_list.h"
#include "ui/widgets/table.h"

#define CORPUS_TEXT 64
#define CORPUS_FLAGS_LONG 20 /* minimum columns for flags as words */

enum corpus_column {
	CORPUS_NAME,
	CORPUS_PARENT,
	CORPUS_GENERATION,
	CORPUS_LEN,
	CORPUS_BITS,
	CORPUS_EXEC,
	CORPUS_FOUND,
	CORPUS_ENERGY,
	CORPUS_NEW,
	CORPUS_EXECUTIONS,
	CORPUS_INDEX,
	CORPUS_FLAGS,
	CORPUS_COLUMNS
};

/* clang-format off */
/* "falling" for the age means by time found: the youngest entry first. */
static const struct table_column corpus_columns[CORPUS_COLUMNS] = {
	/*			head	 width grow rank right falling query */
	[CORPUS_NAME]	    = { "entry",    8,  8, 0, false, .query = "name" },
	[CORPUS_PARENT]	    = { "parent",   8,  8, 3, false, .query = "parent" },
	[CORPUS_GENERATION] = { "gen",	    4,  0, 1, true, true, .query = "generation" },
	[CORPUS_LEN]	    = { "size",	    7,  0, 0, true, true, .query = "len" },
	[CORPUS_BITS]	    = { "bits",	    5,  3, 0, true, true, .query = "new_bits" },
	[CORPUS_EXEC]	    = { "one exec", 8,  2, 4, true, true, .query = "exec_us" },
	[CORPUS_FOUND]	    = { "age",	    7,  3, 0, true, true, .query = "found_at_s" },
	[CORPUS_ENERGY]	    = { "energy",   6,  2, 2, true, true, .query = "energy" },
	[CORPUS_NEW]	    = { "new",	    6,  2, 6, true, true, .query = "finds" },
	[CORPUS_EXECUTIONS] = { "execs",    7,  3, 6, true, true, .query = "executions" },
	[CORPUS_FLAGS]	    = { "flags",    5, 27, 5, .right = false },
	[CORPUS_INDEX]	    = { "#",	    6,  3, 7, true, .query = "index" },
};
/* clang-format on */

void
corpus_table_init(struct corpus_table *table)
{
	*table = (struct corpus_table){ .sort.column = CORPUS_FOUND };
}

void
corpus_table_clear(struct corpus_table *table)
{
	free(table->held.rows);
	table->held = (struct reply_corpus){ 0 };
}

double
corpus_age(const struct model *model, const struct reply_row *row)
{
	double age = model->snapshot->elapsed_s - row->found_at_s;

	return age > 0 ? age : 0;
}

const char *
corpus_energy(const struct reply_row *row, char buf[TEXT_NUMBER_SIZE])
{
	double percent = row->energy * 100;

	if (percent <= 0)
		snprintf(buf, TEXT_NUMBER_SIZE, "-");
	else if (percent < 0.1)
		snprintf(buf, TEXT_NUMBER_SIZE, "<0.1 %%");
	else
		snprintf(buf, TEXT_NUMBER_SIZE,
			percent < 10 ? "%.1f %%" : "%.0f %%",
			percent < 100 ? percent : 100);
	return buf;
}

const char *
corpus_executions(const struct reply_row *row, char buf[TEXT_NUMBER_SIZE])
{
	if (row->executions < 0)
		snprintf(buf, TEXT_NUMBER_SIZE, "-");
	else
		text_short(floor(row->executions), buf);
	return buf;
}

/* ---- held rows ---- */

static const struct reply_row *
corpus_row(const struct corpus_table *table, size_t at)
{
	const struct reply_corpus *held = &table->held;

	return at >= held->first && at - held->first < held->rows_n
		? &held->rows[at - held->first]
		: NULL;
}

const struct reply_row *
corpus_table_selected(const struct corpus_table *table)
{
	return corpus_row(table, table->list.selected);
}

/* Keeps the selected entry from now on; if it is not held, keeps the row. */
static void
corpus_choose(struct corpus_table *table)
{
	const struct reply_row *row = corpus_table_selected(table);

	table->choice = row != NULL ? CORPUS_BY_NAME : CORPUS_BY_PLACE;
	if (row != NULL)
		snprintf(table->selected, sizeof(table->selected), "%.16s",
			row->name);
}

void
corpus_table_seek(struct corpus_table *table, const char *name)
{
	snprintf(table->seek, sizeof(table->seek), "%.16s", name);
}

/* After a change of order or filter, selects the same entry again. */
static void
corpus_reordered(struct corpus_table *table)
{
	if (table->choice == CORPUS_BY_NAME)
		corpus_table_seek(table, table->selected);
	else
		list_select(&table->list, 0);
}

/* ---- queries and replies ---- */

static void
corpus_fill_query(const struct corpus_table *table, struct query *query)
{
	const struct sort *sort = &table->sort;

	query->kind = QUERY_CORPUS;
	snprintf(query->sort, sizeof(query->sort), "%s",
		corpus_columns[sort->column].query);
	query->falling = sort_falling(sort, corpus_columns);
	snprintf(query->filter, sizeof(query->filter), "%s", table->filter);
	snprintf(query->name, sizeof(query->name), "%s", table->seek);
}

void
corpus_table_query(struct corpus_table *table, const struct model *model,
	struct query *query)
{
	const char *filter = model->filters[KEYS_CORPUS].text;

	if (strcmp(filter, table->filter) != 0) {
		snprintf(table->filter, sizeof(table->filter), "%s", filter);
		corpus_reordered(table);
	}
	corpus_fill_query(table, query);
	lazy_list_query(&table->list, query);
}

static size_t
corpus_find(const struct corpus_table *table, const char *name)
{
	const struct reply_corpus *held = &table->held;
	size_t i = 0;

	while (i < held->rows_n && strcmp(held->rows[i].name, name) != 0)
		i++;
	return i;
}

static void
corpus_keep_selected(struct corpus_table *table, const struct query *query)
{
	const struct reply_corpus *held = &table->held;
	size_t i;

	if (query->name[0] != '\0' && strcmp(query->name, table->seek) == 0) {
		table->seek[0] = '\0';
		table->choice = CORPUS_BY_PLACE;
		if (held->place > 0 && held->place <= table->list.n) {
			table->choice = CORPUS_BY_NAME;
			snprintf(table->selected, sizeof(table->selected),
				"%.16s", query->name);
			lazy_list_follow(&table->list, (size_t)held->place - 1);
			/* An entry that was minimized since has another name,
			 * and only that one is in the next rows. */
			if (corpus_table_selected(table) != NULL)
				corpus_choose(table);
			return;
		}
	}
	switch (table->choice) {
	case CORPUS_FIRST:
		list_select(&table->list, 0);
		break;
	case CORPUS_BY_PLACE:
		list_select(&table->list, table->list.selected);
		corpus_choose(table);
		break;
	case CORPUS_BY_NAME:
		i = corpus_find(table, table->selected);
		if (i < held->rows_n)
			lazy_list_follow(&table->list, (size_t)held->first + i);
		else if (table->seek[0] == '\0')
			corpus_table_seek(table, table->selected);
		break;
	}
}

void
corpus_table_reply(struct corpus_table *table, const struct query *query,
	struct reply *reply)
{
	struct reply_corpus *corpus = &reply->corpus;
	struct query now = { 0 };

	snprintf(table->error, sizeof(table->error), "%s", reply->error);
	if (reply->error[0] != '\0')
		return;
	corpus_fill_query(table, &now);
	/* The rows are in an old order or of an old filter. */
	if (table->known &&
		(strcmp(now.sort, query->sort) != 0 ||
			now.falling != query->falling ||
			strcmp(now.filter, query->filter) != 0))
		return;
	if (corpus->matching > LAZY_LIST_ROWS_MAX)
		corpus->matching = LAZY_LIST_ROWS_MAX;
	if (corpus->first > corpus->matching)
		corpus->first = corpus->matching;
	free(table->held.rows);
	table->held = *corpus;
	*corpus = (struct reply_corpus){ 0 };
	table->known = true;
	table->list.n = (size_t)table->held.matching;
	corpus_keep_selected(table, query);
}

/* ---- drawing ---- */

/* Flags as letters in fixed columns, or as words if there is room. */
static const char *
corpus_flags(const struct reply_row *row, int columns, char buf[CORPUS_TEXT])
{
	if (columns < CORPUS_FLAGS_LONG)
		snprintf(buf, CORPUS_TEXT, "%c%c%c%c", row->seed ? 's' : '-',
			row->favoured ? 'f' : '-', row->progress ? 'p' : '-',
			row->unstable ? 'u' : '-');
	else
		snprintf(buf, CORPUS_TEXT, "%s%s%s%s", row->seed ? "seed " : "",
			row->favoured ? "favoured " : "",
			row->progress ? "profile " : "",
			row->unstable ? "unstable" : "");
	return buf;
}

/* The whole name, or its start, which is also a valid name. */
static const char *
corpus_name(const char *name, int columns, char buf[CORPUS_TEXT])
{
	snprintf(buf, CORPUS_TEXT, "%.*s", columns, name);
	return buf;
}

/* The text of a cell; buf is for numbers. */
static const char *
corpus_text(const struct reply_row *row, const struct model *model,
	enum corpus_column column, char buf[TEXT_NUMBER_SIZE],
	enum style *style)
{
	*style = STYLE_VALUE;
	switch (column) {
	case CORPUS_NAME:
		*style = row->favoured ? STYLE_STRONG : STYLE_VALUE;
		return row->name;
	case CORPUS_PARENT:
		*style = STYLE_DIM;
		return row->parent[0] != '\0' ? row->parent : "-";
	case CORPUS_GENERATION:
		snprintf(buf, TEXT_NUMBER_SIZE, "%" PRIu32, row->generation);
		return buf;
	case CORPUS_LEN:
		return text_bytes(row->len, buf);
	case CORPUS_BITS:
		*style = row->new_bits > 0 ? STYLE_GOOD : STYLE_DIM;
		return text_short((double)row->new_bits, buf);
	case CORPUS_EXEC:
		return label_micros(row->exec_us, buf);
	case CORPUS_FOUND:
		*style = STYLE_DIM;
		return label_seconds(corpus_age(model, row), buf);
	case CORPUS_ENERGY:
		return corpus_energy(row, buf);
	case CORPUS_NEW:
		*style = row->finds > 0 ? STYLE_GOOD : STYLE_DIM;
		return text_short(row->finds, buf);
	case CORPUS_EXECUTIONS:
		return corpus_executions(row, buf);
	case CORPUS_INDEX:
		*style = STYLE_DIM;
		snprintf(buf, TEXT_NUMBER_SIZE, "%" PRIu32, row->index);
		return buf;
	default:
		return "";
	}
}

static void
corpus_draw_row(const struct table *layout, const struct model *model,
	struct grid *grid, struct rect rect, int at,
	const struct reply_row *row)
{
	char buf[CORPUS_TEXT];
	enum style style;

	for (size_t column = 0; column < CORPUS_COLUMNS; column++) {
		const char *text = corpus_text(row, model,
			(enum corpus_column)column, buf, &style);

		if (column == CORPUS_FLAGS)
			text = corpus_flags(row, layout->cells[column].w, buf);
		else if (column == CORPUS_NAME || column == CORPUS_PARENT)
			text = corpus_name(text, layout->cells[column].w, buf);
		table_text(layout, grid, rect, at, column, style, text);
	}
}

void
corpus_table_draw(struct corpus_table *table, const struct model *model,
	struct grid *grid, struct rect area, struct rect box)
{
	struct list *list = &table->list;
	struct table layout;

	table_layout(&layout, corpus_columns, CORPUS_COLUMNS, area.w);
	sort_head(&table->sort, &layout, grid, &area);
	list_fit(list, list->n, area.h);
	table->shown = lazy_list_shown(list, table->held.first,
		table->held.rows_n, table->shown);
	for (int i = 0; i < area.h; i++) {
		size_t at = table->shown + (size_t)i;
		const struct reply_row *row = corpus_row(table, at);

		if (row == NULL)
			break;
		corpus_draw_row(&layout, model, grid, area, i, row);
		if (at == list->selected)
			list_highlight(grid, area, i);
	}
	list_finish(list, grid, area, box);
}

/* ---- commands ---- */

bool
corpus_table_command(struct corpus_table *table, const char *command)
{
	if (sort_command(&table->sort, corpus_columns, CORPUS_COLUMNS,
		    command)) {
		corpus_reordered(table);
		return true;
	}
	if (!list_command(&table->list, command))
		return false;
	table->seek[0] = '\0';
	if (strcmp(command, "home") == 0)
		table->choice = CORPUS_FIRST;
	else
		corpus_choose(table);
	return true;
}
