/* heat_map: see heat_map.h. */
#include "ui/views/coverage/heat_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "ui/term/glyph.h"
#include "ui/term/row_writer.h"

#define HEAT_SHADES 4
#define HEAT_COLUMNS_MAX 4
#define HEAT_NEW 0x80u   /* flag of a cell: hit just now */
#define HEAT_FRESH 0x40u /* flag: hit in the last minute */

/* Each shade covers two hit-count buckets. */
static const struct {
	const char *text, *ascii, *name;
	int level;
} heat_shades[HEAT_SHADES] = {
	{ "░", "-", "1-3", 10 },
	{ "▒", "=", "4-15", 40 },
	{ "▓", "%", "16-63", 70 },
	{ "█", "#", "64+", 100 },
};

uint32_t
heat_map_per_cell(const struct coverage_map *map, struct rect rect)
{
	uint32_t cells = rect.w > 0 && rect.h > 0
		? (uint32_t)rect.w * (uint32_t)rect.h
		: 1;

	return map->n > cells ? (map->n + cells - 1) / cells : 1;
}

/* Columns of a cell: wide cells if the counters are few. */
static int
heat_columns(uint32_t n, struct rect rect)
{
	int columns = HEAT_COLUMNS_MAX;

	while (columns > 1 &&
		(uint64_t)(rect.w / columns) * (uint64_t)rect.h < n)
		columns--;
	return columns;
}

/* Sets the highest bucket of each cell, and flags for new hits. */
static void
heat_fill(const struct coverage_map *map, double elapsed_s, uint8_t *cells,
	uint32_t per_cell)
{
	size_t n = map->recent_n < COVERAGE_RECENT_MAX ? map->recent_n
						       : COVERAGE_RECENT_MAX;
	uint32_t counter;
	float at_s;

	for (uint32_t i = 0; i < map->n; i += per_cell) {
		uint8_t bits = 0;

		for (uint32_t k = i; k < map->n && k - i < per_cell; k++)
			bits |= map->buckets[k];
		cells[i / per_cell] = (uint8_t)coverage_bucket_of(bits);
	}
	for (size_t i = 0; i < n; i++) {
		counter = map->recent[i];
		at_s = map->first_s[counter];
		if (coverage_is_new(at_s, elapsed_s, COVERAGE_NEW_S))
			cells[counter / per_cell] |= HEAT_NEW;
		else if (coverage_is_new(at_s, elapsed_s, COVERAGE_FRESH_S))
			cells[counter / per_cell] |= HEAT_FRESH;
	}
}

static void
heat_put_shade(struct grid *grid, int x, int y, int shade)
{
	if (shade < 0)
		grid_put(grid, x, y, STYLE_DIM, 0, glyph(grid, GLYPH_TRACK));
	else
		grid_put(grid, x, y, STYLE_COVERAGE, heat_shades[shade].level,
			grid_ascii(grid) ? heat_shades[shade].ascii
					 : heat_shades[shade].text);
}

static void
heat_put(struct grid *grid, int x, int y, uint8_t cell)
{
	if ((cell & HEAT_NEW) != 0)
		grid_put(grid, x, y, STYLE_GOOD, 100, glyph(grid, GLYPH_NEW));
	else if ((cell & HEAT_FRESH) != 0)
		grid_put(grid, x, y, STYLE_GOOD, 60, glyph(grid, GLYPH_FRESH));
	else
		heat_put_shade(grid, x, y, (cell + 1) / 2 - 1);
}

void
heat_map_draw(const struct coverage_map *map, double elapsed_s,
	struct grid *grid, struct rect rect)
{
	uint32_t per_cell = heat_map_per_cell(map, rect);
	uint32_t n = (map->n + per_cell - 1) / per_cell;
	int columns, per_row;
	uint8_t *cells;

	if (rect.w <= 0 || rect.h <= 0 || map->n == 0)
		return;
	cells = xcalloc(n, 1);
	heat_fill(map, elapsed_s, cells, per_cell);
	columns = heat_columns(n, rect);
	per_row = rect.w / columns;
	for (int i = 0; i < (int)n; i++) {
		int x = rect.x + i % per_row * columns;

		/* Cells wider than two columns leave a gap. */
		for (int k = 0; k < columns - (columns > 2); k++)
			heat_put(grid, x + k, rect.y + i / per_row, cells[i]);
	}
	free(cells);
	grid_add_hot_spot(grid, rect, HOT_SPOT_FIELD, "map");
}

void
heat_map_legend(struct grid *grid, struct rect rect)
{
	struct row_writer out = row_put_at(grid, rect, 0);

	for (int i = -1; i < HEAT_SHADES; i++) {
		if (row_room(&out) < 8)
			return;
		heat_put_shade(grid, out.x, out.y, i);
		out.x += 2;
		row_text(&out, STYLE_LABEL, i < 0 ? "0" : heat_shades[i].name);
		row_gap(&out, 2);
	}
	if (row_room(&out) >= 8) {
		row_text(&out, STYLE_GOOD, glyph(grid, GLYPH_NEW));
		row_text(&out, STYLE_LABEL, " 10 s  ");
	}
	if (row_room(&out) >= 6) {
		row_text(&out, STYLE_GOOD, glyph(grid, GLYPH_FRESH));
		row_text(&out, STYLE_LABEL, " 60 s");
	}
}
