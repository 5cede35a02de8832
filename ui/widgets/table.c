/*
 * table: columns of constant width.
 */
#include "ui/widgets/table.h"

#include <assert.h>
#include <stdio.h>

#include "base/text.h"
#include "ui/term/glyph.h"

#define TABLE_GAP 2

/* Width of all columns with rank <= limit. */
static int
table_need(const struct table *table, int limit)
{
	int need = 0;
	size_t i;

	for (i = 0; i < table->n; i++)
		if (table->columns[i].rank <= limit)
			need += table->columns[i].width +
				(need > 0 ? TABLE_GAP : 0);
	return need;
}

static int
table_highest_rank(const struct table *table)
{
	int highest = 0;
	size_t i;

	for (i = 0; i < table->n; i++)
		if (table->columns[i].rank > highest)
			highest = table->columns[i].rank;
	return highest;
}

/* Shares the free room between the growing columns, by their `grow`. */
static void
table_grow(struct table *table, int left)
{
	int wishes = 0;
	size_t i;

	for (i = 0; i < table->n; i++)
		if (table->places[i].w > 0)
			wishes += table->columns[i].grow;
	for (i = 0; i < table->n && wishes > 0; i++) {
		int grow = table->columns[i].grow;
		int share;

		if (table->places[i].w == 0 || grow == 0)
			continue;
		share = left < wishes ? left * grow / wishes : grow;
		table->places[i].w += share;
		left -= share;
		wishes -= grow;
	}
}

void
table_layout(struct table *table, const struct table_column *columns, size_t n,
	int width)
{
	int limit, x = 0;
	size_t i;

	assert(n <= TABLE_COLUMNS);
	*table = (struct table){ .columns = columns, .n = n };
	limit = table_highest_rank(table);
	while (limit > 0 && table_need(table, limit) > width)
		limit--;
	for (i = 0; i < n; i++)
		if (columns[i].rank <= limit)
			table->places[i].w = columns[i].width;
	if (table_need(table, limit) < width)
		table_grow(table, width - table_need(table, limit));
	for (i = 0; i < n; i++) {
		if (table->places[i].w == 0)
			continue;
		table->places[i].x = x;
		if (x + table->places[i].w > width)
			table->places[i].w = x < width ? width - x : 0;
		x += table->places[i].w + TABLE_GAP;
	}
}

/* The mark may use the gap after the column. */
static void
table_head_sorted(struct row_writer *pen, int end, const char *head, bool right,
	const char *mark)
{
	if ((int)text_width(head) >= row_room(pen) && pen->end < end)
		pen->end++;
	if (right)
		row_right(pen, row_room(pen) - 1, STYLE_STRONG, head);
	else
		row_text(pen, STYLE_STRONG, head);
	row_text(pen, STYLE_STRONG, mark);
}

/* A click on a head sorts by its column. */
static void
table_head_mark(struct grid *grid, const struct row_writer *pen, size_t column)
{
	struct rect rect = { pen->x, pen->y, row_room(pen), 1 };
	char line[HOT_SPOT_TEXT];

	snprintf(line, sizeof(line), "sort %zu", column);
	grid_mark(grid, rect, HOT_SPOT_COMMAND, line);
}

void
table_head(const struct table *table, struct grid *grid, struct rect rect,
	int sorted, bool falling)
{
	const char *mark = glyph(grid, falling ? GLYPH_FALLING : GLYPH_RISING);
	size_t i;

	for (i = 0; i < table->n; i++) {
		const struct table_column *column = &table->columns[i];
		struct row_writer pen = table_pen(table, grid, rect, 0, i);

		if (row_room(&pen) == 0)
			continue;
		if (sorted >= 0)
			table_head_mark(grid, &pen, i);
		if (column->head[0] != '\0')
			grid_mark(grid,
				(struct rect){ pen.x, pen.y, row_room(&pen),
					1 },
				HOT_SPOT_FIELD, column->head);
		if (sorted == (int)i)
			table_head_sorted(&pen, rect.x + rect.w, column->head,
				column->right, mark);
		else
			table_text(table, grid, rect, 0, i, STYLE_COLUMN,
				column->head);
	}
}

struct row_writer
table_pen(const struct table *table, struct grid *grid, struct rect rect,
	int row, size_t column)
{
	struct rect cell = rect;

	cell.x += table->places[column].x;
	cell.w = table->places[column].w;
	return row_put_at(grid, cell, row);
}

void
table_text(const struct table *table, struct grid *grid, struct rect rect,
	int row, size_t column, enum style style, const char *text)
{
	struct row_writer pen = table_pen(table, grid, rect, row, column);

	if (table->columns[column].right)
		row_right(&pen, row_room(&pen), style, text);
	else
		row_field(&pen, row_room(&pen), style, text);
}
