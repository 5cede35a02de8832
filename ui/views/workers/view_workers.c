/*
 * view_workers: every worker as a row, and one of them in detail.
 *
 * The detail is below the rows, or beside them on a wide screen: the worker's
 * current input, its numbers, its last start, and the progress of a stop.
 */
#include "ui/views/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "ui/views/workers/worker_detail.h"
#include "ui/views/workers/worker_table.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"

#define WORKERS_DETAIL_MIN 8
#define WORKERS_ROWS_MIN 4
#define WORKERS_SIDE_MIN 170 /* minimum columns for the detail beside */

struct workers {
	struct worker_table table;
	bool open; /* the detail is open */
	struct worker_detail detail;
};

static void *
workers_create(void)
{
	struct workers *workers = xcalloc(1, sizeof(*workers));

	workers->detail.first = 1; /* until the first draw */
	return workers;
}

static void
workers_destroy(void *state)
{
	struct workers *workers = state;

	worker_detail_clear(&workers->detail);
	free(workers);
}

/* ---- the page ---- */

/* Rows of the detail: those that the table leaves, or a minimum. */
static int
workers_detail_rows(const struct workers *workers, const struct snapshot *s,
	struct rect area)
{
	int rows = (int)s->workers_n + 3;

	if (!workers->open)
		return 0;
	if (rows > area.h / 3)
		rows = area.h / 3;
	if (rows < WORKERS_ROWS_MIN)
		rows = WORKERS_ROWS_MIN;
	return area.h - rows >= WORKERS_DETAIL_MIN ? area.h - rows : area.h;
}

static void
workers_draw_table(struct workers *workers, const struct model *model,
	struct grid *grid, struct rect rect)
{
	const struct snapshot *s = model->snapshot;
	const struct filter *filter = &model->filters[KEYS_WORKERS];
	char right[FILTER_TITLE], rate[TEXT_NUMBER_SIZE];
	char key[KEY_HINT_SIZE], how[KEY_HINT_SIZE + 24], below[96];
	size_t shown = worker_table_shown(&workers->table, model);
	struct draw_box box = { .title = "workers",
		.right = right,
		.right_cut = filter_on(filter),
		.below = shown > 0 && !workers->open
			? keys_text(KEYS_WORKERS,
				  "{open} shows its input and history", below,
				  sizeof(below))
			: NULL,
		.focus = !workers->open };
	struct rect inside;

	snprintf(right, sizeof(right), "%zu, together %s", s->workers_n,
		text_rate(s->execs_per_sec, rate));
	if (filter_on(filter))
		filter_title(filter, shown, s->workers_n, right);
	inside = draw_box(grid, rect, &box);
	snprintf(how, sizeof(how), "Press %s to start one.",
		keys_hint(KEYS_WORKERS, "workers +1", key));
	if (s->workers_n > 0 && shown == 0)
		label_no_rows(grid, inside, KEYS_WORKERS);
	else if (s->workers_n == 0)
		draw_empty(grid, inside,
			s->state == RUN_ENDED
				? "The campaign has ended: no worker is left."
				: "No worker is running.",
			s->state == RUN_ENDED || model_only_shows(model) != NULL
				? NULL
				: how);
	else
		worker_table_draw(&workers->table, model, grid, inside, rect);
}

static void
workers_draw(void *state, const struct model *model, struct grid *grid,
	struct rect area)
{
	struct workers *workers = state;
	const struct snapshot *s = model->snapshot;
	struct rect rest = area, detail;

	if (s->workers_n > 0 && workers->open && area.w >= WORKERS_SIDE_MIN &&
		area.h >= 20) {
		rest = draw_cut_left(&area, area.w / 2);
		detail = area;
		area.x = rest.x;
		area.w += rest.w;
	} else {
		detail = draw_cut_bottom(&rest,
			s->workers_n > 0 ? workers_detail_rows(workers, s, area)
					 : 0);
	}
	if (rest.h > 0)
		workers_draw_table(workers, model, grid, rest);
	if (workers->open)
		worker_detail_draw(&workers->detail, model, grid, detail);
	label_dim_stale(model, grid, area);
}

static bool
workers_is_for_one(const char *command)
{
	return strcmp(command, "open") == 0 ||
		strcmp(command, "toggle-worker") == 0 ||
		strcmp(command, "stop-worker") == 0;
}

static bool
workers_command(void *state, const struct model *model, const char *command,
	char *send)
{
	struct workers *workers = state;

	if (!workers->open && workers_is_for_one(command) &&
		worker_table_hides(&workers->table, model, send))
		return true;
	if (strcmp(command, "open") == 0)
		workers->open = !workers->open;
	else if (strcmp(command, "back") == 0 && workers->open)
		workers->open = false;
	else if (!workers->open ||
		!worker_detail_command(&workers->detail, command))
		return worker_table_command(&workers->table, model, command,
			send);
	return true;
}

static bool
workers_offers(void *state, const struct model *model, const char *command)
{
	const struct workers *workers = state;

	if (model->snapshot->workers_n == 0)
		return false;
	if (!workers->open && worker_table_shown(&workers->table, model) == 0)
		return strcmp(command, "filter") == 0;
	if (strcmp(command, "open") == 0 || strcmp(command, "sort") == 0 ||
		strcmp(command, "filter") == 0)
		return !workers->open;
	return true;
}

static bool
workers_turns(const void *state)
{
	const struct workers *workers = state;

	return workers->open && workers->detail.alone;
}

static void
workers_tell(void *state, const struct model *model, struct place *place)
{
	const struct workers *workers = state;

	place->page = workers->open;
}

static void
workers_go(void *state, const struct model *model, const struct place *place)
{
	struct workers *workers = state;

	workers->open = place->page > 0;
}

static size_t
workers_subscribe(void *state, const struct model *model, struct query *queries)
{
	const struct workers *workers = state;

	return workers->open && worker_detail_query(model, &queries[0]) ? 1 : 0;
}

static void
workers_reply(void *state, const struct query *query, struct reply *reply)
{
	struct workers *workers = state;

	worker_detail_take(&workers->detail, reply);
}

const struct view_ops view_workers = {
	.name = "workers",
	.title = "Workers",
	.context = KEYS_WORKERS,
	.filters = true,
	.create = workers_create,
	.destroy = workers_destroy,
	.draw = workers_draw,
	.command = workers_command,
	.offers = workers_offers,
	.turns = workers_turns,
	.tell = workers_tell,
	.go = workers_go,
	.subscribe = workers_subscribe,
	.reply = workers_reply,
};
