/*
 * view_limits: draws the limits dialog; see limit_dialog.h.
 *
 * One row per limit: its name, its value and the value's origin. Below, in
 * words: the meaning of the selected limit, the form of its values, and the
 * engine's answer to the last change.
 */
#include "ui/views/limit_dialog.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "control/settings.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/list.h"
#include "ui/widgets/table.h"

#define LIMITS_W 72
#define LIMITS_NOTES 4 /* rows below the list */
#define LIMITS_PATH 35 /* columns of the widest value */

enum {
	LIMITS_NAME,
	LIMITS_VALUE,
	LIMITS_ORIGIN,
	LIMITS_COLUMNS
};

/* clang-format off */
static const struct table_column limits_columns[LIMITS_COLUMNS] = {
	[LIMITS_NAME]	= { "limit",	15,  0, 0, .right = false },
	[LIMITS_VALUE]	= { "value",	12, 24, 0, .right = false },
	[LIMITS_ORIGIN] = { "from",	12,  2, 1, .right = false },
};

/* The form of a value, by type. */
static const char *const limits_forms[] = {
	[OPTION_FLAG]	  = "yes or no",
	[OPTION_COUNT]	  = "a whole number",
	[OPTION_SEED]	  = "a whole number",
	[OPTION_MS]	  = "milliseconds, or 250ms, 1s, 2m",
	[OPTION_MEGABYTE] = "megabytes, or 512M, 2G; 0 for no limit",
	[OPTION_BYTES]	  = "bytes, or 64K, 1M",
	[OPTION_BUDGET]	  = "30s, 1h30m, 10000x for executions, or none",
	[OPTION_WORD]	  = "a word",
	[OPTION_TEXT]	  = "a text",
	[OPTION_TEXTS]	  = "a text",
};
/* clang-format on */

static const char *
limits_origin(const struct snapshot_limit *limit)
{
	if (!limit->live)
		return "fixed at start";
	if (strcmp(limit->origin, "flag") == 0)
		return "command line";
	return strcmp(limit->origin, "key") == 0 ? "changed here"
						 : limit->origin;
}

/* ---- rows ---- */

static void
limits_draw_row(const struct model *model, const struct table *table,
	struct grid *grid, struct rect rect, int row, size_t i)
{
	const struct snapshot_limit *limit = &model->snapshot->limits[i];
	bool selected = i == model->limits.selected;
	bool changed = strcmp(limit->origin, "default") != 0;
	struct row_writer out;

	table_text(table, grid, rect, row, LIMITS_NAME,
		limit->live ? STYLE_DIALOG : STYLE_DIM, limit->name);
	table_text(table, grid, rect, row, LIMITS_VALUE,
		changed               ? STYLE_STRONG
			: limit->live ? STYLE_VALUE
				      : STYLE_DIM,
		limit->value);
	table_text(table, grid, rect, row, LIMITS_ORIGIN, STYLE_DIM,
		limits_origin(limit));
	if (!selected)
		return;
	list_highlight(grid, rect, row);
	if (!model->limits.editing)
		return;
	out = table_writer(table, grid, rect, row, LIMITS_VALUE);
	draw_field(&model->limits.field, grid,
		(struct rect){ out.x, out.y, row_room(&out), 1 });
}

static void
limits_draw_rows(const struct model *model, struct grid *grid, struct rect rect,
	struct rect box)
{
	struct list list = { 0 };
	struct table table;
	size_t i;

	table_layout(&table, limits_columns, LIMITS_COLUMNS, rect.w);
	if (rect.h > 2)
		table_head(&table, grid, draw_cut_top(&rect, 1), -1, false);
	list_fit(&list, model->snapshot->limits_n, rect.h);
	list_select(&list, model->limits.selected);
	for (i = 0; i < list_seen(&list); i++)
		limits_draw_row(model, &table, grid, rect, (int)i,
			list.top + i);
	grid_cover(grid,
		(struct rect){ 0, 0, grid_width(grid), grid_height(grid) });
	list_finish(&list, grid, rect, box);
}

/* ---- words ---- */

static void
limits_form(const struct option *option, char *buf, size_t size)
{
	size_t types = sizeof(limits_forms) / sizeof(limits_forms[0]);
	char *bar;

	if (option->type == OPTION_WORD && option->words) {
		snprintf(buf, size, "one of: %s", option->words);
		while ((bar = strchr(buf, '|')) != NULL)
			*bar = ' ';
		return;
	}
	/* "none" is 0, which is no limit of time unless it may be written so. */
	if (option->type == OPTION_BUDGET && option->min == 0)
		snprintf(buf, size,
			"30s, 1h30m, 10000x for executions, or off");
	else
		snprintf(buf, size, "%s",
			(size_t)option->type < types
				? limits_forms[option->type]
				: "");
}

static void
limits_draw_notes(const struct model *model, struct grid *grid,
	struct rect rect)
{
	const struct limits *limits = &model->limits;
	const struct snapshot *s = model->snapshot;
	const struct snapshot_limit *limit;
	const struct option *option;
	char form[128];

	if (limits->selected >= s->limits_n)
		return;
	if (limits->problem[0] != '\0') {
		draw_words(grid, rect, STYLE_WARN, limits->problem);
		return;
	}
	if (limits->answer[0] != '\0')
		draw_cut_top(&rect,
			draw_words(grid, rect, STYLE_GOOD, limits->answer));
	limit = &s->limits[limits->selected];
	option = settings_find(limit->name);
	if (option == NULL)
		return;
	draw_cut_top(&rect, draw_words(grid, rect, STYLE_DIALOG, option->help));
	limits_form(option, form, sizeof(form));
	/* A path may be longer than its column. */
	draw_words(grid, rect, STYLE_DIM,
		text_width(limit->value) > LIMITS_PATH ? limit->value : form);
}

/* Rows for notes: the limits come first, but an answer always gets a row. */
static int
limits_notes_rows(const struct model *model, int rows)
{
	bool told = model->limits.problem[0] != '\0' ||
		model->limits.answer[0] != '\0';

	if (rows > LIMITS_NOTES + 2)
		return LIMITS_NOTES;
	return rows > 3 || (told && rows > 1) ? 1 : 0;
}

void
limit_dialog_draw(const struct model *model, struct grid *grid,
	struct rect area)
{
	const struct snapshot *s = model->snapshot;
	bool editing = model->limits.editing;
	bool ended = s->state == RUN_ENDED;
	bool fixed = limit_dialog_refuses(model) != NULL;
	char below[96];
	struct draw_box box = { .title = "limits",
		.focus = true,
		.below = keys_text(editing ? KEYS_EDIT : KEYS_LIMITS,
			editing         ? "{accept} sets, {cancel} cancels"
				: fixed ? "{back} closes"
					: "{open} changes, {back} closes",
			below, sizeof(below)) };
	int rows = s->limits_n > 0 ? (int)s->limits_n : 1;
	struct rect rect = draw_middle(area, LIMITS_W, rows + LIMITS_NOTES + 3);
	struct rect inside = draw_box(grid, rect, &box);
	struct rect notes;

	if (s->limits_n == 0) {
		draw_empty(grid, inside,
			ended ? "The limits were not kept."
			      : "The limits are not known yet.",
			ended ? NULL
			      : "The engine sends them when it has started.");
		return;
	}
	notes = draw_cut_bottom(&inside, limits_notes_rows(model, inside.h));
	limits_draw_rows(model, grid, inside, rect);
	if (notes.h == LIMITS_NOTES)
		draw_cut_top(&notes, 1);
	limits_draw_notes(model, grid, notes);
}
