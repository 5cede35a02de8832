/*
 * explain: the selected field is remembered by label and position, so that it
 * stays selected while the screen changes.
 */
#include "ui/console/explain.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "control/settings.h"
#include "ui/console/explain_words.h"
#include "ui/term/hot_spot.h"
#include "ui/widgets/draw.h"

#define EXPLAIN_W 78
#define EXPLAIN_OF "of " /* … followed by the number of edges */
#define EXPLAIN_COUNTERS " edges"
#define EXPLAIN_ASIDE 4 /* cost of a row, in columns */

/* ---- words ---- */

static const struct glossary_entry *
explain_entry(const char *name)
{
	const struct glossary_entry *entry;

	for (size_t i = 0; (entry = glossary_entry(i)) != NULL; i++)
		if (strcmp(entry->name, name) == 0)
			return entry;
	return NULL;
}

static bool
explain_from_glossary(const struct model *model, const char *name,
	struct explained *e)
{
	const struct glossary_entry *entry = explain_entry(name);

	if (entry == NULL)
		return false;
	e->name = entry->name;
	e->text = entry->text;
	entry->value(model, e->value);
	if (strcmp(e->value, "-") == 0)
		e->value[0] = '\0';
	if (entry->advice != NULL)
		e->advice = entry->advice(model, &e->style);
	return true;
}

static bool
explain_from_limits(const struct model *model, const char *name,
	struct explained *e)
{
	const struct option *option = settings_find(name);
	const struct snapshot_limit *limit =
		snapshot_find_limit(model->snapshot, name);

	if (option == NULL || limit == NULL)
		return false;
	e->name = option->name;
	e->text = option->help;
	text_clean_string(limit->value, e->value, sizeof(e->value));
	e->style = STYLE_LABEL;
	e->advice =
		limit->live ? "{limits} changes it" : "fixed since the start";
	return true;
}

/* Labels with a number: "of 3 826", "1 290 of 3 826 edges". */
static bool
explain_counts_counters(const char *label)
{
	size_t len = strlen(label), end = strlen(EXPLAIN_COUNTERS);

	return strncmp(label, EXPLAIN_OF, strlen(EXPLAIN_OF)) == 0 ||
		(len > end && strcmp(label + len - end, EXPLAIN_COUNTERS) == 0);
}

static const struct explain_words *
explain_label(const char *label, enum key_context view)
{
	const struct explain_words *words;

	for (size_t i = 0; (words = explain_words(i)) != NULL; i++)
		if (words->view == view && strcmp(words->label, label) == 0)
			return words;
	return NULL;
}

bool
explain_find(const struct model *model, const char *label, struct explained *e)
{
	const struct explain_words *words;

	if (explain_counts_counters(label))
		label = "edges";
	*e = (struct explained){ .advice = "", .style = STYLE_DIM };
	words = explain_label(label, model->view);
	if (words == NULL)
		words = explain_label(label, KEYS_COMMON);
	if (words == NULL)
		return explain_from_glossary(model, label, e) ||
			explain_from_limits(model, label, e);
	if (words->entry != NULL)
		return explain_from_glossary(model, words->entry, e);
	e->name = words->label;
	e->text = words->text;
	return true;
}

/* ---- fields ---- */

struct explain_fields {
	const struct hot_spot *items[HOT_SPOTS_MAX];
	size_t n, selected;
};

static int
explain_compare(const void *a, const void *b)
{
	const struct hot_spot *one = *(const struct hot_spot *const *)a;
	const struct hot_spot *two = *(const struct hot_spot *const *)b;

	return one->y != two->y ? one->y - two->y : one->x - two->x;
}

static int
explain_distance(const struct hot_spot *spot, int x, int y)
{
	return abs(spot->x - x) + EXPLAIN_ASIDE * abs(spot->y - y);
}

/* The nearest field; a field with the same label precedes all others. */
static size_t
explain_selected(const struct explain_fields *fields, const struct explain *e)
{
	int best = INT_MAX;
	size_t at = 0;

	for (size_t i = 0; i < fields->n; i++) {
		const struct hot_spot *spot = fields->items[i];
		int distance = explain_distance(spot, e->x, e->y);

		if (strcmp(spot->text, e->label) != 0)
			distance += SHRT_MAX;
		if (distance >= best)
			continue;
		best = distance;
		at = i;
	}
	return at;
}

/* Collects the fields that have an explanation, in reading order. */
static void
explain_collect(const struct model *model, const struct grid *grid,
	struct explain_fields *fields)
{
	const struct hot_spots *spots = grid_hot_spots(grid);
	struct explained e;

	fields->n = 0;
	for (size_t i = 0; i < spots->n; i++)
		if (spots->items[i].kind == HOT_SPOT_FIELD &&
			explain_find(model, spots->items[i].text, &e))
			fields->items[fields->n++] = &spots->items[i];
	if (fields->n > 0)
		qsort(fields->items, fields->n, sizeof(fields->items[0]),
			explain_compare);
	fields->selected = explain_selected(fields, &model->explain);
}

static void
explain_select(struct model *model, const struct hot_spot *spot)
{
	struct explain *e = &model->explain;

	e->x = spot->x;
	e->y = spot->y;
	snprintf(e->label, sizeof(e->label), "%s", spot->text);
}

bool
explain_open(struct model *model, const struct grid *grid)
{
	struct explain_fields fields;

	explain_collect(model, grid, &fields);
	if (fields.n == 0)
		return false;
	model->explain.open = true;
	explain_select(model, fields.items[0]);
	return true;
}

bool
explain_pick(struct model *model, const struct grid *grid, int x, int y)
{
	const struct hot_spot *spot =
		hot_spots_at(grid_hot_spots(grid), HOT_SPOT_FIELD, x, y);
	struct explained e;

	if (spot == NULL || !explain_find(model, spot->text, &e))
		return false;
	explain_select(model, spot);
	return true;
}

/* The nearest field in a direction; the selected one if there is none. */
static const struct hot_spot *
explain_towards(const struct explain_fields *fields, int dx, int dy)
{
	const struct hot_spot *from = fields->items[fields->selected];
	const struct hot_spot *best = from;
	int least = INT_MAX;

	for (size_t i = 0; i < fields->n; i++) {
		const struct hot_spot *spot = fields->items[i];
		int ahead = (spot->x - from->x) * dx + (spot->y - from->y) * dy;
		int distance = dy != 0
			? EXPLAIN_ASIDE * abs(spot->y - from->y) +
				abs(spot->x - from->x)
			: abs(spot->x - from->x) + 100 * abs(spot->y - from->y);

		if (ahead <= 0 || distance >= least)
			continue;
		least = distance;
		best = spot;
	}
	return best;
}

void
explain_command(struct model *model, const struct grid *grid,
	const char *command)
{
	static const struct {
		const char *command;
		int dx, dy;
	} ways[] = {
		{ "left", -1, 0 },
		{ "right", 1, 0 },
		{ "up", 0, -1 },
		{ "down", 0, 1 },
	};
	struct explain_fields fields;
	size_t step = 0;

	explain_collect(model, grid, &fields);
	if (fields.n == 0 || strcmp(command, "back") == 0) {
		model->explain.open = false;
		return;
	}
	if (strcmp(command, "next") == 0)
		step = 1;
	else if (strcmp(command, "previous") == 0)
		step = fields.n - 1;
	if (step > 0)
		explain_select(model,
			fields.items[(fields.selected + step) % fields.n]);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (strcmp(command, ways[i].command) == 0)
			explain_select(model,
				explain_towards(&fields, ways[i].dx,
					ways[i].dy));
}

/* ---- the panel ---- */

struct rect
explain_panel(struct grid *grid, struct rect body, int rows, int away_from,
	const char *title, const char *below)
{
	struct draw_box box = { .title = title, .below = below, .focus = true };
	struct rect rect = body;

	rect.w = body.w < EXPLAIN_W ? body.w : EXPLAIN_W;
	rect.h = rows + 2 < body.h ? rows + 2 : body.h;
	rect.x += (body.w - rect.w) / 2;
	rect.y += body.h - rect.h;
	if (away_from >= rect.y && away_from < rect.y + rect.h &&
		away_from >= body.y + rect.h)
		rect.y = body.y;
	return draw_box(grid, rect, &box);
}

/* A click on the panel closes it. */
static void
explain_add_hot_spots(struct grid *grid, struct rect inside)
{
	const struct key_row *row = keys_for_command(KEYS_EXPLAIN, "back");
	struct rect rect = { inside.x - 2, inside.y - 1, inside.w + 4,
		inside.h + 2 };
	char line[HOT_SPOT_TEXT];

	if (row == NULL)
		return;
	snprintf(line, sizeof(line), "key %s", row->key);
	grid_add_hot_spot(grid, rect, HOT_SPOT_COMMAND, line);
}

static void
explain_draw_panel(const struct model *model, struct grid *grid,
	struct rect body, const struct hot_spot *spot)
{
	int w = (body.w < EXPLAIN_W ? body.w : EXPLAIN_W) - 4;
	struct explained e;
	char below[128], advice[160];
	struct rect inside;
	struct row_writer out;
	bool first;

	if (!explain_find(model, spot->text, &e))
		return;
	first = e.value[0] != '\0' || e.advice[0] != '\0';
	inside = explain_panel(grid, body, first + draw_words_rows(e.text, w),
		spot->y, e.name,
		keys_text(KEYS_EXPLAIN,
			w > 50 ? "arrows: other fields   {help} all keys   "
				 "{back} closes"
			       : "{next} next   {back} closes",
			below, sizeof(below)));
	explain_add_hot_spots(grid, inside);
	if (first) {
		out = row_put_at(grid, inside, 0);
		row_clean(&out, STYLE_STRONG, e.value);
		row_gap(&out, e.value[0] != '\0' ? 3 : 0);
		row_clean(&out, e.style,
			keys_text(KEYS_COMMON, e.advice, advice,
				sizeof(advice)));
		draw_cut_top(&inside, 1);
	}
	draw_words(grid, inside, STYLE_NORMAL, e.text);
}

void
explain_draw(const struct model *model, struct grid *grid, struct rect body)
{
	struct explain_fields fields;

	explain_collect(model, grid, &fields);
	for (size_t i = 0; i < fields.n; i++) {
		const struct hot_spot *spot = fields.items[i];

		grid_restyle(grid,
			(struct rect){ spot->x, spot->y, spot->w, spot->h },
			i == fields.selected ? STYLE_SELECTED : STYLE_INPUT);
	}
	if (fields.n > 0)
		explain_draw_panel(model, grid, body,
			fields.items[fields.selected]);
}
