/* coverage_table: see coverage_table.h. */
#include "ui/views/coverage/coverage_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/fit.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/table.h"

#define COVERAGE_REMAKE_S 1.0

enum coverage_column {
	COVERAGE_MARK,
	COVERAGE_NAME,
	COVERAGE_WHERE,
	COVERAGE_BAR,
	COVERAGE_PERCENT,
	COVERAGE_HIT,
	COVERAGE_TOTAL,
	COVERAGE_MISSED,
	COVERAGE_FIRST,
	COVERAGE_COLUMNS
};

/* ---- order ---- */

SORT_NUMBER(coverage_by_part, coverage_row,
	row->sum->total > 0 ? (double)row->sum->hit / row->sum->total : -1)
SORT_NUMBER(coverage_by_hit, coverage_row, row->sum->hit)
SORT_NUMBER(coverage_by_total, coverage_row, row->sum->total)
SORT_NUMBER(coverage_by_missed, coverage_row, row->sum->total - row->sum->hit)
SORT_NUMBER(coverage_by_first, coverage_row, row->sum->first_s)
SORT_TEXT(coverage_by_name, coverage_row, row->name)
SORT_TEXT(coverage_by_location, coverage_row,
	row->path != NULL ? row->path : "")

/* clang-format off */
#define COVERAGE_NUMBERS \
	[COVERAGE_BAR]	    = { "",	     6,  6, 2, .right = false }, \
	[COVERAGE_PERCENT]  = { "part",	     5,  0, 0, true, true, .number = coverage_by_part }, \
	[COVERAGE_HIT]	    = { "hit",	     6,  0, 1, true, true, .number = coverage_by_hit }, \
	[COVERAGE_TOTAL]    = { "of",	     6,  0, 3, true, true, .number = coverage_by_total }, \
	[COVERAGE_MISSED]   = { "missed",    6,  0, 3, true, true, .number = coverage_by_missed }, \
	[COVERAGE_FIRST]    = { "reached",   9,  0, 5, true, true, .number = coverage_by_first }

static const struct table_column coverage_columns[2][COVERAGE_COLUMNS] = {
	{
	/*		        head	  width grow rank right falling order */
	[COVERAGE_MARK]	    = { "",	     1,  0, 0, .right = false },
	[COVERAGE_NAME]	    = { "function", 14, 40, 0, false, .text = coverage_by_name },
	[COVERAGE_WHERE]    = { "where",    12, 24, 4, false, .text = coverage_by_location },
	COVERAGE_NUMBERS
	},
	{
	[COVERAGE_MARK]	    = { "",	     1,  0, 0, .right = false },
	[COVERAGE_NAME]	    = { "file",	    12, 24, 0, false, .text = coverage_by_name },
	[COVERAGE_WHERE]    = { "folder",   12, 40, 4, false, .text = coverage_by_location },
	COVERAGE_NUMBERS
	},
};
/* clang-format on */

/* ---- rows ---- */

void
coverage_table_init(struct coverage_table *table)
{
	memset(table, 0, sizeof(*table));
	table->sort.column = COVERAGE_HIT;
	table->made_s = -COVERAGE_REMAKE_S;
	table->changed = UINT64_MAX;
}

void
coverage_table_clear(struct coverage_table *table)
{
	free(table->rows);
	free(table->order);
	coverage_table_init(table);
}

static void
coverage_fill_function(struct coverage_row *row)
{
	const struct source_table *t = &row->module->table;
	const struct source_function *f = &t->functions[row->index];

	row->sum = &row->module->functions[row->index];
	row->name = coverage_function_name(row->module, row->index, row->plain,
		sizeof(row->plain));
	if (f->file != SOURCE_NONE)
		row->path = basename(t->files[f->file].path);
	row->line = f->line;
}

static void
coverage_fill_file(struct coverage_row *row)
{
	row->sum = &row->module->files[row->index];
	row->path = row->module->table.files[row->index].path;
	row->name = basename(row->path);
}

static void
coverage_make_rows(struct coverage_table *table, const struct coverage_map *map)
{
	size_t n = 0;

	for (size_t i = 0; i < map->modules_n; i++)
		n += table->files ? map->modules[i].table.files_n
				  : map->modules[i].table.functions_n;
	free(table->rows);
	free(table->order);
	table->rows = xcalloc(n + 1, sizeof(*table->rows));
	table->order = xcalloc(n + 1, sizeof(*table->order));
	table->rows_n = 0;
	for (size_t i = 0; i < map->modules_n; i++) {
		const struct coverage_module *m = &map->modules[i];
		uint32_t of_module =
			table->files ? m->table.files_n : m->table.functions_n;

		for (uint32_t k = 0; k < of_module; k++) {
			struct coverage_row *row = &table->rows[table->rows_n];

			row->module = m;
			row->index = k;
			if (table->files)
				coverage_fill_file(row);
			else
				coverage_fill_function(row);
			table->rows_n += row->sum->total > 0;
			if (row->sum->total == 0)
				memset(row, 0, sizeof(*row));
		}
	}
}

static void
coverage_order_rows(struct coverage_table *table, const struct filter *filter)
{
	table->shown_n = table->reached_n = 0;
	for (size_t i = 0; i < table->rows_n; i++) {
		const struct coverage_row *row = &table->rows[i];
		const char *texts[] = { row->name,
			row->path != NULL ? row->path : "" };

		table->reached_n += row->sum->hit > 0;
		if (filter_match(filter, texts, 2))
			table->order[table->shown_n++] = row;
	}
	sort_rows(&table->sort, coverage_columns[table->files], table->order,
		table->shown_n);
}

static void
coverage_find_selected(struct coverage_table *table)
{
	table->list.n = table->shown_n;
	for (size_t i = 0; i < table->shown_n; i++) {
		const struct coverage_row *row = table->order[i];

		if (row->module == table->selected_module &&
			row->index == table->selected_index) {
			table->list.selected = i;
			return;
		}
	}
	if (table->list.selected >= table->shown_n)
		table->list.selected = 0;
}

void
coverage_table_update(struct coverage_table *table,
	const struct coverage_map *map, const struct model *model)
{
	const struct filter *filter = &model->filters[KEYS_COVERAGE];
	bool others = table->structure != map->structure ||
		table->files != table->made_files;
	bool late = table->changed != map->changed &&
		model->now_s - table->made_s >= COVERAGE_REMAKE_S;

	if (!others && !late && table->made_sort.column == table->sort.column &&
		table->made_sort.reverse == table->sort.reverse &&
		strcmp(table->made_filter.text, filter->text) == 0)
		return;
	coverage_make_rows(table, map);
	coverage_order_rows(table, filter);
	coverage_find_selected(table);
	table->structure = map->structure;
	table->changed = map->changed;
	table->made_files = table->files;
	table->made_s = model->now_s;
	table->made_sort = table->sort;
	table->made_filter = *filter;
}

const struct coverage_row *
coverage_table_selected(const struct coverage_table *table)
{
	return table->list.selected < table->shown_n
		? table->order[table->list.selected]
		: NULL;
}

void
coverage_table_keep(struct coverage_table *table)
{
	const struct coverage_row *row = coverage_table_selected(table);

	if (row == NULL)
		return;
	table->selected_module = row->module;
	table->selected_index = row->index;
}

uint32_t
coverage_table_tell(const struct coverage_table *table, char item[PLACE_ITEM])
{
	const struct coverage_row *row = coverage_table_selected(table);

	text_clean_string(row != NULL ? row->name : "", item, PLACE_ITEM);
	return row != NULL ? row->index : 0;
}

static bool
coverage_is_called(const struct coverage_row *row, const char *item)
{
	char name[PLACE_ITEM];

	text_clean_string(row->name, name, sizeof(name));
	return strcmp(name, item) == 0;
}

bool
coverage_table_seek(struct coverage_table *table, const char *item,
	uint32_t index, bool *moved)
{
	const struct coverage_row *row = coverage_table_selected(table);
	size_t i, found = table->shown_n;

	*moved = row == NULL || row->index != index ||
		!coverage_is_called(row, item);
	if (!*moved)
		return true;
	for (i = table->shown_n; i-- > 0;) {
		row = table->order[i];
		if (!coverage_is_called(row, item))
			continue;
		found = i;
		if (row->index == index)
			break;
	}
	if (found == table->shown_n)
		return false;
	list_select(&table->list, found);
	coverage_table_keep(table);
	return true;
}

/* ---- drawing ---- */

/* "tile.c:118" for a function, the folder for a file. */
static const char *
coverage_location(const struct coverage_table *table,
	const struct coverage_row *row, const struct grid *grid, int columns,
	char *buf, size_t size)
{
	size_t len;

	if (row->path == NULL)
		return "";
	if (!table->files)
		return fit_place(grid, row->path, row->line, columns, buf,
			size);
	len = (size_t)(row->name - row->path);
	snprintf(buf, size, "%.*s", (int)(len > 1 ? len - 1 : len), row->path);
	return buf;
}

/* Shows new hits first, else whether all, some or none were hit. */
static void
coverage_put_symbol(struct row_writer *out, const struct coverage_sum *sum,
	double elapsed_s)
{
	if (coverage_is_new(sum->last_s, elapsed_s, COVERAGE_NEW_S))
		row_text(out, STYLE_GOOD, glyph(out->grid, GLYPH_NEW));
	else if (coverage_is_new(sum->last_s, elapsed_s, COVERAGE_FRESH_S))
		row_text(out, STYLE_GOOD, glyph(out->grid, GLYPH_FRESH));
	else if (sum->hit == 0)
		row_text(out, STYLE_DIM, glyph(out->grid, GLYPH_NOTE));
	else if (sum->hit == sum->total)
		row_text(out, STYLE_GOOD, glyph(out->grid, GLYPH_DONE));
	else
		row_text(out, STYLE_WARN, glyph(out->grid, GLYPH_PARTLY));
}

static void
coverage_put_number(const struct table *layout, struct grid *grid,
	struct rect rect, int row, enum coverage_column column, uint32_t n)
{
	char text[TEXT_NUMBER_SIZE];

	table_text(layout, grid, rect, row, column, STYLE_DIM,
		text_count(n, text));
}

static void
coverage_draw_row(const struct coverage_table *table,
	const struct table *layout, double elapsed_s, struct grid *grid,
	struct rect rect, size_t at)
{
	const struct coverage_row *row = table->order[at];
	const struct coverage_sum *sum = row->sum;
	int line = (int)(at - table->list.top);
	struct row_writer out =
		table_writer(layout, grid, rect, line, COVERAGE_MARK);
	char text[SOURCE_PATH_MAX];

	coverage_put_symbol(&out, sum, elapsed_s);
	table_text(layout, grid, rect, line, COVERAGE_NAME,
		sum->hit > 0 ? STYLE_VALUE : STYLE_DIM,
		table->files ? row->name
			     : fit_function(grid, row->name,
				       layout->cells[COVERAGE_NAME].w, text,
				       sizeof(text)));
	table_text(layout, grid, rect, line, COVERAGE_WHERE, STYLE_DIM,
		coverage_location(table, row, grid,
			layout->cells[COVERAGE_WHERE].w, text, sizeof(text)));
	out = table_writer(layout, grid, rect, line, COVERAGE_BAR);
	draw_bar(grid, out.x, out.y, row_room(&out),
		(double)sum->hit / sum->total, STYLE_COVERAGE);
	table_text(layout, grid, rect, line, COVERAGE_PERCENT,
		sum->hit > 0 ? STYLE_VALUE : STYLE_DIM,
		label_percent(sum->hit, sum->total, text));
	coverage_put_number(layout, grid, rect, line, COVERAGE_HIT, sum->hit);
	coverage_put_number(layout, grid, rect, line, COVERAGE_TOTAL,
		sum->total);
	coverage_put_number(layout, grid, rect, line, COVERAGE_MISSED,
		sum->total - sum->hit);
	table_text(layout, grid, rect, line, COVERAGE_FIRST, STYLE_DIM,
		sum->first_s >= 0
			? text_clock_fit((double)sum->first_s,
				  layout->cells[COVERAGE_FIRST].w, text)
			: "");
	if (at == table->list.selected)
		list_highlight(grid, rect, line);
}

void
coverage_table_draw(struct coverage_table *table, const struct model *model,
	struct grid *grid, struct rect area, struct rect box)
{
	struct list *list = &table->list;
	struct table layout;

	table_layout(&layout, coverage_columns[table->files], COVERAGE_COLUMNS,
		area.w);
	sort_head(&table->sort, &layout, grid, &area);
	list_fit(list, table->shown_n, area.h);
	for (size_t i = 0; i < list_seen(list); i++)
		coverage_draw_row(table, &layout,
			label_campaign_s(model->snapshot), grid, area,
			list->top + i);
	list_finish(list, grid, area, box);
}

bool
coverage_table_command(struct coverage_table *table, const char *command)
{
	if (strcmp(command, "files") == 0) {
		table->files = !table->files;
		table->selected_module = NULL;
		table->list = (struct list){ .page = table->list.page };
		return true;
	}
	if (sort_command(&table->sort, coverage_columns[table->files],
		    COVERAGE_COLUMNS, command))
		return true;
	if (!list_command(&table->list, command))
		return false;
	coverage_table_keep(table);
	return true;
}
