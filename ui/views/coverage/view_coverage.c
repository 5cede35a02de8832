/*
 * view_coverage: the target's coverage as a map, over time, by functions and
 * files, and by lines of source.
 *
 * While the view is shown, it asks the engine for the coverage map and the PC
 * tables, and a helper process (coverage/sources.h) for the names.
 */
#include "ui/views/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "coverage/coverage_map.h"
#include "coverage/sources.h"
#include "ui/views/coverage/coverage_boxes.h"
#include "ui/views/coverage/coverage_table.h"
#include "ui/views/coverage/heat_map.h"
#include "ui/views/coverage/source_pane.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"

#define COVERAGE_BOXES_W 64 /* minimum columns for boxes side by side */
#define COVERAGE_BOXES_H 16 /* minimum rows for boxes above the list */
#define COVERAGE_TOP_MIN 7  /* rows of these boxes */
#define COVERAGE_TOP_MAX 16
#define COVERAGE_FUNCTIONS_W 110 /* minimum columns for new functions beside */
#define COVERAGE_FUNCTIONS_H 5   /* rows of new functions below the list */
#define COVERAGE_SIDE_W 150 /* minimum columns for source beside the list */
#define COVERAGE_FUNCTIONS_MIN \
	54                  /* minimum columns for a filter and a number */
#define COVERAGE_ROWS_MIN 6 /* minimum rows of the list */

struct coverage {
	struct coverage_map map;
	struct coverage_table table;
	struct source_pane pane;
	struct sources *sources; /* NULL: without an event loop */
	bool foreign;            /* see struct model */
	struct coverage_module *asked;
	uint64_t asked_structure; /* map.structure when asked */
	void (*changed)(void *arg);
	void *arg;
};

static void *
coverage_create(void)
{
	struct coverage *c = xcalloc(1, sizeof(*c));

	coverage_table_init(&c->table);
	return c;
}

static void
coverage_destroy(void *state)
{
	struct coverage *c = state;

	sources_destroy(c->sources);
	source_pane_close(&c->pane);
	coverage_table_clear(&c->table);
	coverage_map_clear(&c->map);
	free(c);
}

/* ---- names ---- */

/* A module may be any file that the engine names. */
static void
coverage_refuse_names(struct coverage *c)
{
	struct coverage_module *m;

	while ((m = coverage_map_nameless(&c->map)) != NULL)
		coverage_map_name(&c->map, m, NULL,
			"This is the campaign of another user: files that it "
			"names are not opened.");
}

static void
coverage_ask_names(struct coverage *c)
{
	struct coverage_module *m = coverage_map_nameless(&c->map);
	struct sources_question question;

	if (c->sources == NULL || c->asked != NULL || m == NULL)
		return;
	if (c->foreign) {
		coverage_refuse_names(c);
		return;
	}
	question = (struct sources_question){ m->path, m->id, m->pcs, m->n };
	m->names = NAMES_ASKED;
	c->asked = m;
	c->asked_structure = c->map.structure;
	if (sources_ask(c->sources, &question))
		return;
	c->asked = NULL;
	coverage_map_name(&c->map, m, NULL,
		"the source reader cannot be started");
}

/* The `done` function of struct sources_config. */
static void
coverage_on_names(void *arg, struct source_table *take_table, const char *why)
{
	struct coverage *c = arg;
	struct coverage_module *m = c->asked;

	c->asked = NULL;
	if (c->asked_structure == c->map.structure)
		coverage_map_name(&c->map, m, take_table, why);
	coverage_ask_names(c);
	if (c->changed != NULL)
		c->changed(c->arg);
}

static void
coverage_attach(void *state, struct event_base *base, void (*changed)(void *),
	void *arg)
{
	struct coverage *c = state;
	const struct sources_config config = { .base = base,
		.done = coverage_on_names,
		.arg = c };

	c->sources = sources_create(&config);
	c->changed = changed;
	c->arg = arg;
}

static size_t
coverage_subscribe(void *state, const struct model *model,
	struct query *queries)
{
	struct coverage *c = state;

	c->foreign = model->foreign;
	if (!model->snapshot->instrumented)
		return 0;
	return coverage_map_query(&c->map, queries);
}

static void
coverage_reply(void *state, const struct query *query, struct reply *reply)
{
	struct coverage *c = state;

	coverage_map_reply(&c->map, query, reply);
	coverage_ask_names(c);
}

/* ---- the list ---- */

/* Says why there are no functions, or none with lines; "": there are. */
static const char *
coverage_why_nameless(const struct coverage_map *map, const struct model *model,
	const char **what)
{
	*what = "";
	if (map->modules_n == 0) {
		*what = map->why[0] != '\0' ? map->why
			: map->modules_known
			? "The edges of this target have no addresses."
			: model->link == LINK_ENDED ? "The engine has ended."
						    : "Waiting for the engine.";
		return "No functions yet.";
	}
	for (size_t i = 0; i < map->modules_n; i++) {
		const struct coverage_module *m = &map->modules[i];

		if (m->names == NAMES_KNOWN)
			continue;
		*what = m->why;
		if (m->names == NAMES_REFUSED)
			return "The functions have no names.";
		return m->names == NAMES_NO_PLACES
			? "Waiting for the target's PC table."
			: "The debug information is being read.";
	}
	return "";
}

/* Advice for a better list; NULL: none. */
static const char *
coverage_advice(const struct coverage_map *map)
{
	bool debug = map->modules_n == 0, blind = false, found = true;
	bool cut = false;

	for (size_t i = 0; i < map->modules_n; i++) {
		const struct source_end *end = &map->modules[i].table.end;

		if (map->modules[i].names != NAMES_KNOWN)
			return NULL;
		debug |= end->debug != 0;
		blind |= end->blind != 0;
		found &= end->found != 0;
		cut |= end->cut != 0;
	}
	if (blind)
		return "libdw.so.1 is missing: install elfutils (Debian: "
		       "libdw1) for names and lines";
	if (!found)
		return "a file of the program has changed or is gone";
	if (!debug)
		return "no debug information: build with -g for source lines";
	return cut ? "too large: some lines are missing" : NULL;
}

static void
coverage_title(const struct coverage *c, bool brief, char *buf, size_t size)
{
	const char *what = c->table.files ? "files" : "functions";

	if (brief)
		snprintf(buf, size, "%s", what);
	else
		snprintf(buf, size, "%s  %zu of %zu reached", what,
			c->table.reached_n, c->table.rows_n);
}

/* Writes the advice into the last row, if there are enough rows. */
static void
coverage_put_advice(const struct coverage *c, struct grid *grid,
	struct rect *inside)
{
	const char *advice = coverage_advice(&c->map);

	if (advice != NULL && inside->h >= COVERAGE_ROWS_MIN)
		draw_words(grid, draw_cut_bottom(inside, 1), STYLE_WARN,
			advice);
}

static void
coverage_draw_list(struct coverage *c, const struct model *model,
	struct grid *grid, struct rect rect)
{
	const struct filter *filter = &model->filters[KEYS_COVERAGE];
	const char *what, *why = coverage_why_nameless(&c->map, model, &what);
	char title[64], right[FILTER_TITLE];
	struct draw_box box = { .title = title, .focus = !c->pane.open };
	struct rect inside;

	c->table.list.beside = c->pane.open;
	box.right_cut = filter_on(filter);
	coverage_title(c, box.right_cut && rect.w < COVERAGE_FUNCTIONS_MIN,
		title, sizeof(title));
	if (box.right_cut)
		box.right = filter_title(filter, c->table.shown_n,
			c->table.rows_n, right);
	inside = draw_box(grid, rect, &box);
	coverage_put_advice(c, grid, &inside);
	if (c->table.rows_n == 0)
		draw_empty(grid, inside,
			why[0] != '\0' ? why : "Nothing has a name.",
			what[0] != '\0' ? what : NULL);
	else if (c->table.shown_n == 0)
		label_no_rows(grid, inside, KEYS_COVERAGE);
	else
		coverage_table_draw(&c->table, model, grid, inside, rect);
}

/* ---- the page ---- */

/* Draws numbers, a strip of the map, and the list or the source. */
static void
coverage_draw_narrow(struct coverage *c, const struct model *model,
	struct grid *grid, struct rect area)
{
	int rows = area.h >= 8 && area.w < COVERAGE_BOXES_W ? 2 : 1;
	struct rect part;

	if (c->pane.open && area.h < COVERAGE_BOXES_H) {
		source_pane_draw(&c->pane, &c->map,
			label_campaign_s(model->snapshot), grid, area);
		return;
	}
	coverage_draw_numbers(&c->map, model, grid, draw_cut_top(&area, rows),
		rows);
	if (area.h >= 8) {
		part = draw_cut_top(&area, area.h >= 12 ? 3 : 1);
		heat_map_draw(&c->map, label_campaign_s(model->snapshot), grid,
			part);
	}
	if (c->pane.open)
		source_pane_draw(&c->pane, &c->map,
			label_campaign_s(model->snapshot), grid, area);
	else
		coverage_draw_list(c, model, grid, area);
}

static void
coverage_draw_top(struct coverage *c, const struct model *model,
	struct grid *grid, struct rect area)
{
	struct rect left = draw_cut_left(&area, area.w * 2 / 5);

	coverage_draw_growth(&c->map, model, grid, left);
	coverage_draw_map(&c->map, model, grid, area);
}

/* Draws the list, and beside it the source or the new functions. */
static void
coverage_draw_bottom(struct coverage *c, const struct model *model,
	struct grid *grid, struct rect area)
{
	double elapsed_s = label_campaign_s(model->snapshot);
	struct rect left;

	if (c->pane.open && area.w < COVERAGE_SIDE_W) {
		source_pane_draw(&c->pane, &c->map, elapsed_s, grid, area);
		return;
	}
	if (c->pane.open) {
		left = draw_cut_left(&area, area.w * 2 / 5);
		coverage_draw_list(c, model, grid, left);
		source_pane_draw(&c->pane, &c->map, elapsed_s, grid, area);
		return;
	}
	if (area.w >= COVERAGE_FUNCTIONS_W) {
		left = draw_cut_left(&area, area.w * 3 / 5);
		coverage_draw_list(c, model, grid, left);
		coverage_draw_new_functions(&c->map, model, grid, area);
		return;
	}
	if (area.h >= COVERAGE_ROWS_MIN + COVERAGE_FUNCTIONS_H + 2)
		coverage_draw_new_functions(&c->map, model, grid,
			draw_cut_bottom(&area, COVERAGE_FUNCTIONS_H));
	coverage_draw_list(c, model, grid, area);
}

static void
coverage_draw_wide(struct coverage *c, const struct model *model,
	struct grid *grid, struct rect area)
{
	int top = area.h * 2 / 5;

	if (c->pane.open)
		top = area.h / 3;
	if (top < COVERAGE_TOP_MIN)
		top = COVERAGE_TOP_MIN;
	if (top > COVERAGE_TOP_MAX)
		top = COVERAGE_TOP_MAX;
	coverage_draw_top(c, model, grid, draw_cut_top(&area, top));
	coverage_draw_bottom(c, model, grid, area);
}

static void
coverage_draw(void *state, const struct model *model, struct grid *grid,
	struct rect area)
{
	struct coverage *c = state;

	if (model_uninstrumented(model)) {
		draw_empty(grid, area,
			"No coverage: the target reports no edges.",
			"Was it built with cfuzz-cc, or with clang's "
			"-fsanitize=fuzzer-no-link?");
		return;
	}
	coverage_table_update(&c->table, &c->map, model);
	if (area.w >= COVERAGE_BOXES_W && area.h >= COVERAGE_BOXES_H)
		coverage_draw_wide(c, model, grid, area);
	else
		coverage_draw_narrow(c, model, grid, area);
	label_dim_stale(model, grid, area);
}

/* ---- commands ---- */

static void
coverage_open(struct coverage *c)
{
	const struct coverage_row *row = coverage_table_selected(&c->table);
	size_t module;

	if (row == NULL)
		return;
	coverage_table_keep(&c->table); /* the place is told by its name */
	module = (size_t)(row->module - c->map.modules);
	if (c->table.files)
		source_pane_open_file(&c->pane, &c->map, module, row->index, 0);
	else
		source_pane_open_function(&c->pane, &c->map, module,
			row->index);
}

static bool
coverage_is_frontier(const char *command)
{
	return strcmp(command, "next-frontier") == 0 ||
		strcmp(command, "previous-frontier") == 0;
}

static bool
coverage_command(void *state, const struct model *model, const char *command,
	char *send)
{
	struct coverage *c = state;

	coverage_table_update(&c->table, &c->map, model);
	if (c->pane.open && strcmp(command, "back") == 0) {
		source_pane_close(&c->pane);
		return true;
	}
	if (strncmp(command, "list ", 5) == 0) {
		/* As with findings, the page shows what is selected. */
		coverage_table_command(&c->table, command + 5);
		coverage_open(c);
		return true;
	}
	if (source_pane_command(&c->pane, &c->map, command, send))
		return true;
	if (strcmp(command, "open") == 0) {
		if (!c->pane.open)
			coverage_open(c);
		return true;
	}
	if (coverage_is_frontier(command)) {
		char key[KEY_HINT_SIZE];

		snprintf(send, COMMAND_LINE_MAX,
			"say the source shows the frontiers; %s opens it",
			keys_hint(KEYS_COVERAGE, "open", key));
		return true;
	}
	return coverage_table_command(&c->table, command);
}

/* page: whether the source is open, two for a list of files, and four times the
 * index of the row: static functions, and files in two folders, share names. */
static void
coverage_tell(void *state, const struct model *model, struct place *place)
{
	const struct coverage *c = state;
	uint32_t index = coverage_table_tell(&c->table, place->item);

	place->page = c->pane.open + 2u * c->table.files + 4u * index;
	place->row = c->pane.open ? c->pane.list.selected : 0;
}

static void
coverage_go(void *state, const struct model *model, const struct place *place)
{
	struct coverage *c = state;
	bool moved;

	c->table.files = place->page / 2 % 2;
	coverage_table_update(&c->table, &c->map, model);
	if (!coverage_table_seek(&c->table, place->item, place->page / 4,
		    &moved))
		return;
	if (place->page % 2 == 0) {
		source_pane_close(&c->pane);
		return;
	}
	if (moved || !c->pane.open)
		coverage_open(c);
	list_select(&c->pane.list, place->row);
}

static bool
coverage_offers(void *state, const struct model *model, const char *command)
{
	const struct coverage *c = state;

	if (model_uninstrumented(model))
		return false;
	if (c->pane.open)
		return coverage_is_frontier(command) && c->pane.frontiers_n > 0;
	if (strcmp(command, "filter") == 0)
		return c->table.rows_n > 0;
	return c->table.shown_n > 0 && !coverage_is_frontier(command);
}

const struct view_ops view_coverage = {
	.name = "coverage",
	.title = "Coverage",
	.context = KEYS_COVERAGE,
	.filters = true,
	.create = coverage_create,
	.destroy = coverage_destroy,
	.draw = coverage_draw,
	.command = coverage_command,
	.offers = coverage_offers,
	.tell = coverage_tell,
	.go = coverage_go,
	.subscribe = coverage_subscribe,
	.reply = coverage_reply,
	.attach = coverage_attach,
};
