/* coverage_boxes: see coverage_boxes.h. */
#include "ui/views/coverage/coverage_boxes.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/views/coverage/heat_map.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/fit.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/series.h"

#define COVERAGE_NUMBER 9        /* columns of a number */
#define COVERAGE_NUMBER_NARROW 6 /* the same in fewer than … columns */
#define COVERAGE_NARROW 35
#define COVERAGE_CLOCK 9      /* columns of a time and its gap */
#define COVERAGE_TICKS_MIN 4  /* minimum rows of a graph with ticks */
#define COVERAGE_LEGEND_MIN 3 /* a map with more rows has a legend */
#define COVERAGE_WHERE_MIN 44 /* minimum columns of a row with a place */

/* ---- numbers ---- */

/* Writes the first name that fits; each is shorter than the one before. */
static void
coverage_put_number(struct row_writer *out, int columns, enum style style,
	const char *value, const char *const names[3], const char *field)
{
	int from = out->x, i = 0;

	if (text_width(value) < (size_t)columns)
		row_right(out, columns, style, value);
	else
		row_clean(out, style, value);
	row_gap(out, 1);
	while (i < 2 && (int)text_width(names[i]) > row_room(out))
		i++;
	row_text(out, STYLE_LABEL, names[i]);
	row_add_hot_spot(out, from, field);
}

static void
coverage_put_gain(const struct model *model, struct row_writer *out)
{
	static const char *const names[3] = { "last minute", "last min",
		"a min" };
	uint64_t bits = model_new_bits(model, 60);
	char count[TEXT_NUMBER_SIZE], text[TEXT_NUMBER_SIZE];
	enum style style = bits > 0 ? STYLE_GOOD
		: model->plateau    ? STYLE_WARN
				    : STYLE_DIM;

	snprintf(text, sizeof(text), "+%.24s", text_count(bits, count));
	coverage_put_number(out, 0, style, text, names, "last minute");
}

static void
coverage_put_counters(const struct coverage_map *map, const struct snapshot *s,
	struct row_writer *out, int columns)
{
	uint64_t checks, checks_hit, total_n = s->counters_total;
	uint64_t hit_n = s->counters_hit;
	char hit[TEXT_NUMBER_SIZE], total[TEXT_NUMBER_SIZE];
	char part[TEXT_NUMBER_SIZE], whole[96], brief[96];
	const char *const names[3] = { whole, brief, "reached" };

	/* Counters of sanitizers' checks are not part of the target. */
	coverage_map_checks(map, &checks, &checks_hit);
	total_n -= checks < total_n ? checks : total_n;
	hit_n -= checks_hit < hit_n ? checks_hit : hit_n;
	text_count(hit_n, hit);
	text_count(total_n, total);
	snprintf(whole, sizeof(whole), "%.30s of %.30s edges", hit, total);
	snprintf(brief, sizeof(brief), "%.30s of %.30s", hit, total);
	coverage_put_number(out, columns, STYLE_STRONG,
		label_percent(hit_n, total_n, part), names, "edges");
}

void
coverage_draw_numbers(const struct coverage_map *map, const struct model *model,
	struct grid *grid, struct rect rect, int rows)
{
	static const char *const names[3] = { "bits", "bits", "bits" };
	const struct snapshot *s = model->snapshot;
	struct row_writer out = row_put_at(grid, rect, 0);
	int columns = rect.w < COVERAGE_NARROW ? COVERAGE_NUMBER_NARROW
					       : COVERAGE_NUMBER;
	char text[TEXT_NUMBER_SIZE];

	if (rows < 2)
		columns = 0;
	coverage_put_number(&out, columns, STYLE_STRONG,
		text_count(s->coverage_bits, text), names, "bits");
	row_gap(&out, 2);
	coverage_put_gain(model, &out);
	if (rows > 1)
		out = row_put_at(grid, rect, 1);
	else
		row_gap(&out, 2);
	coverage_put_counters(map, s, &out, columns);
}

/* ---- growth ---- */

/* Under the curve: a tick for new inputs, a symbol for findings. */
static void
coverage_draw_ticks(const struct model *model, struct grid *grid,
	struct rect rect)
{
	const struct history *h = &model->whole;
	double end = h->n > 0 ? history_at(h, h->n - 1)->at_s : 0;

	if (!(end > 0) || rect.w <= 0 || rect.h <= 0)
		return;
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < h->n; i++) {
			const struct history_point *p = history_at(h, i);
			int x = (int)(p->at_s / end * (rect.w - 1));

			if (pass == 0 && p->new_inputs > 0)
				grid_put(grid, rect.x + x, rect.y, STYLE_DIM, 0,
					glyph(grid, GLYPH_RISING));
			if (pass == 1 && p->findings > 0)
				grid_put(grid, rect.x + x, rect.y, STYLE_BAD, 0,
					glyph(grid, GLYPH_ALERT));
		}
	}
}

void
coverage_draw_growth(const struct coverage_map *map, const struct model *model,
	struct grid *grid, struct rect rect)
{
	char below[64];
	struct draw_box box = { .title = "coverage", .below = below };
	struct rect inside;

	snprintf(below, sizeof(below), "%s%s new input %s finding",
		rect.w < COVERAGE_NARROW ? "" : "since the start  ",
		glyph(grid, GLYPH_RISING), glyph(grid, GLYPH_ALERT));
	inside = draw_box(grid, rect, &box);
	coverage_draw_numbers(map, model, grid, inside, 2);
	draw_cut_top(&inside, 2);
	if (inside.h >= COVERAGE_TICKS_MIN)
		coverage_draw_ticks(model, grid, draw_cut_bottom(&inside, 1));
	series_draw(&model->whole, series_bits, STYLE_COVERAGE, grid, inside);
}

/* ---- the map ---- */

void
coverage_draw_map(const struct coverage_map *map, const struct model *model,
	struct grid *grid, struct rect rect)
{
	char right[64], count[TEXT_NUMBER_SIZE];
	struct draw_box box = { .title = "map", .right = right };
	bool legend = rect.h - 2 > COVERAGE_LEGEND_MIN;
	struct rect room = { 0, 0, rect.w - 4, rect.h - 2 - legend };
	uint32_t per_cell = heat_map_per_cell(map, room);
	struct rect inside;

	snprintf(right, sizeof(right), "a cell is %.20s %s",
		text_count(per_cell, count),
		label_plural(per_cell, "edge", "edges"));
	inside = draw_box(grid, rect, &box);
	if (legend)
		heat_map_legend(grid, draw_cut_bottom(&inside, 1));
	if (map->n == 0 && model->link == LINK_ENDED)
		draw_words(grid, inside, STYLE_DIM, "The engine has ended.");
	heat_map_draw(map, label_campaign_s(model->snapshot), grid, inside);
}

/* ---- new functions ---- */

static void
coverage_draw_new_functions_row(const struct coverage_map *map,
	struct grid *grid, struct rect rect, int row,
	const struct reply_new_function *r, double elapsed_s)
{
	const struct source_function *f =
		coverage_map_function(map, r->counter);
	struct row_writer out = row_put_at(grid, rect, row);
	bool is_new =
		coverage_is_new((float)r->at_s, elapsed_s, COVERAGE_NEW_S);
	enum style style = is_new ? STYLE_STRONG : STYLE_VALUE;
	bool place = rect.w >= COVERAGE_WHERE_MIN && r->file[0] != '\0';
	char text[SOURCE_NAME_MAX];
	int room;

	row_field(&out, COVERAGE_CLOCK, STYLE_DIM,
		text_clock_fit(r->at_s, COVERAGE_CLOCK - 1, text));
	row_text(&out, STYLE_GOOD, is_new ? glyph(grid, GLYPH_NEW) : " ");
	row_gap(&out, 1);
	room = place ? row_room(&out) * 3 / 5 : row_room(&out);
	/* The engine sends "module+0x…" if it has no name: try the helper's. */
	row_field(&out, room, style,
		fit_function(grid,
			f != NULL && f->name[0] != '\0' && r->file[0] == '\0'
				? f->name
				: r->name,
			room, text, sizeof(text)));
	if (!place)
		return;
	row_gap(&out, 1);
	row_clean(&out, STYLE_DIM,
		fit_place(grid, r->file, r->line, row_room(&out), text,
			sizeof(text)));
}

void
coverage_draw_new_functions(const struct coverage_map *map,
	const struct model *model, struct grid *grid, struct rect rect)
{
	struct draw_box box = { .title = "functions newly reached" };
	struct rect inside = draw_box(grid, rect, &box);

	if (map->reached_n == 0)
		draw_empty(grid, inside, "None since the start.",
			"They appear here when an input reaches them.");
	for (size_t i = 0; i < map->reached_n && (int)i < inside.h; i++)
		coverage_draw_new_functions_row(map, grid, inside, (int)i,
			&map->reached[map->reached_n - 1 - i],
			label_campaign_s(model->snapshot));
	grid_add_hot_spot(grid, inside, HOT_SPOT_FIELD, "newly reached");
}
