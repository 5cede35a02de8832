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
		if (table->cells[i].w > 0)
			wishes += table->columns[i].grow;
	for (i = 0; i < table->n && wishes > 0; i++) {
		int grow = table->columns[i].grow;
		int share;

		if (table->cells[i].w == 0 || grow == 0)
			continue;
		share = left < wishes ? left * grow / wishes : grow;
		table->cells[i].w += share;
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
			table->cells[i].w = columns[i].width;
	if (table_need(table, limit) < width)
		table_grow(table, width - table_need(table, limit));
	for (i = 0; i < n; i++) {
		if (table->cells[i].w == 0)
			continue;
		table->cells[i].x = x;
		if (x + table->cells[i].w > width)
			table->cells[i].w = x < width ? width - x : 0;
		x += table->cells[i].w + TABLE_GAP;
	}
}

/* The mark may use the gap after the column. */
static void
table_head_sorted(struct row_writer *out, int end, const char *head, bool right,
	const char *symbol)
{
	if ((int)text_width(head) >= row_room(out) && out->end < end)
		out->end++;
	if (right)
		row_right(out, row_room(out) - 1, STYLE_STRONG, head);
	else
		row_text(out, STYLE_STRONG, head);
	row_text(out, STYLE_STRONG, symbol);
}

/* A click on a head sorts by its column. */
static void
table_add_hot_spot(struct grid *grid, const struct row_writer *out,
	size_t column)
{
	struct rect rect = { out->x, out->y, row_room(out), 1 };
	char line[HOT_SPOT_TEXT];

	snprintf(line, sizeof(line), "sort %zu", column);
	grid_add_hot_spot(grid, rect, HOT_SPOT_COMMAND, line);
}

void
table_head(const struct table *table, struct grid *grid, struct rect rect,
	int sorted, bool falling)
{
	const char *symbol =
		glyph(grid, falling ? GLYPH_FALLING : GLYPH_RISING);
	size_t i;

	for (i = 0; i < table->n; i++) {
		const struct table_column *column = &table->columns[i];
		struct row_writer out = table_writer(table, grid, rect, 0, i);

		if (row_room(&out) == 0)
			continue;
		if (sorted >= 0)
			table_add_hot_spot(grid, &out, i);
		if (column->head[0] != '\0')
			grid_add_hot_spot(grid,
				(struct rect){ out.x, out.y, row_room(&out),
					1 },
				HOT_SPOT_FIELD, column->head);
		if (sorted == (int)i)
			table_head_sorted(&out, rect.x + rect.w, column->head,
				column->right, symbol);
		else
			table_text(table, grid, rect, 0, i, STYLE_COLUMN,
				column->head);
	}
}

struct row_writer
table_writer(const struct table *table, struct grid *grid, struct rect rect,
	int row, size_t column)
{
	struct rect cell = rect;

	cell.x += table->cells[column].x;
	cell.w = table->cells[column].w;
	return row_put_at(grid, cell, row);
}

void
table_text(const struct table *table, struct grid *grid, struct rect rect,
	int row, size_t column, enum style style, const char *text)
{
	struct row_writer out = table_writer(table, grid, rect, row, column);

	if (table->columns[column].right)
		row_right(&out, row_room(&out), style, text);
	else
		row_field(&out, row_room(&out), style, text);
}
