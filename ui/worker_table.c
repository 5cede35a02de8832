/*
 * worker_table: the workers as rows, for each view that shows them.
 *
 * A column is a row of a table: its head, its place in the room, how its
 * cell is drawn, and by what it sorts. The selected worker is the console's
 * (model->selected_worker), so it is the same in all views and stays on its
 * worker when the order changes.
 */
#include "ui/worker_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "control/command.h"
#include "ui/draw.h"
#include "ui/table.h"
#include "ui/words.h"

#define WORKER_TEXT 128

struct worker_cell {
	const struct snapshot_worker *worker;
	double best_rate; /* of all workers: a full bar */
	bool over;        /* the campaign ends: to be down is right */
};

struct worker_column {
	/* Text into buf; the style is STYLE_VALUE unless changed. */
	void (*text)(const struct worker_cell *cell, char buf[WORKER_TEXT],
		enum style *style);
	double (*key)(const struct snapshot_worker *worker);
	bool falling; /* the natural order is: largest first */
};

static void
worker_id(const struct worker_cell *cell, char *buf, enum style *style)
{
	snprintf(buf, WORKER_TEXT, "%" PRIu32, cell->worker->id);
	*style = STYLE_STRONG;
}

static void
worker_pid(const struct worker_cell *cell, char *buf, enum style *style)
{
	*style = STYLE_DIM;
	if (cell->worker->pid > 0)
		snprintf(buf, WORKER_TEXT, "%" PRId64, cell->worker->pid);
	else
		snprintf(buf, WORKER_TEXT, "-");
}

static void
worker_state(const struct worker_cell *cell, char *buf, enum style *style)
{
	snprintf(buf, WORKER_TEXT, "%s", words_worker_state(cell->worker));
	*style = words_worker_style(cell->worker);
	if (cell->over && *style == STYLE_BAD)
		*style = STYLE_DIM;
}

static void
worker_for(const struct worker_cell *cell, char *buf, enum style *style)
{
	words_seconds(cell->worker->state_s, buf);
	*style = STYLE_DIM;
}

static void
worker_entry(const struct worker_cell *cell, char *buf, enum style *style)
{
	const char *entry = cell->worker->entry;

	*style = entry[0] ? STYLE_VALUE : STYLE_DIM;
	snprintf(buf, WORKER_TEXT, "%.8s", entry[0] ? entry : "-");
}

static void
worker_generation(const struct worker_cell *cell, char *buf, enum style *style)
{
	(void)style;
	snprintf(buf, WORKER_TEXT, "%" PRIu32, cell->worker->generation);
}

static void
worker_size(const struct worker_cell *cell, char *buf, enum style *style)
{
	(void)style;
	text_bytes(cell->worker->entry_len, buf);
}

static void
worker_execs(const struct worker_cell *cell, char *buf, enum style *style)
{
	(void)style;
	text_short((double)cell->worker->execs, buf);
}

static void
worker_rate(const struct worker_cell *cell, char *buf, enum style *style)
{
	*style = cell->worker->execs_per_sec > 0 ? STYLE_STRONG : STYLE_DIM;
	text_rate(cell->worker->execs_per_sec, buf);
}

static void
worker_finds(const struct worker_cell *cell, char *buf, enum style *style)
{
	(void)style;
	text_count(cell->worker->finds, buf);
}

static void
worker_restarts(const struct worker_cell *cell, char *buf, enum style *style)
{
	*style = cell->worker->restarts > 0 ? STYLE_WARN : STYLE_DIM;
	text_count(cell->worker->restarts, buf);
}

static void
worker_deaths(const struct worker_cell *cell, char *buf, enum style *style)
{
	*style = cell->worker->deaths > 0 ? STYLE_VALUE : STYLE_DIM;
	text_short((double)cell->worker->deaths, buf);
}

static void
worker_memory(const struct worker_cell *cell, char *buf, enum style *style)
{
	(void)style;
	text_bytes(cell->worker->rss_kb * 1024, buf);
}

static void
worker_cpu(const struct worker_cell *cell, char *buf, enum style *style)
{
	(void)style;
	snprintf(buf, WORKER_TEXT, "%.0f %%", cell->worker->cpu * 100);
}

static void
worker_fork(const struct worker_cell *cell, char *buf, enum style *style)
{
	const struct snapshot_worker *worker = cell->worker;

	*style = worker->no_fork ? STYLE_WARN : STYLE_DIM;
	if (worker->no_fork)
		snprintf(buf, WORKER_TEXT, "no fork");
	else
		snprintf(buf, WORKER_TEXT, "%" PRIu64 " us", worker->fork_us);
}

static void
worker_note(const struct worker_cell *cell, char *buf, enum style *style)
{
	*style = STYLE_DIM;
	snprintf(buf, WORKER_TEXT, "%s", cell->worker->restart_why);
}

/* ---- by what they sort ---- */

#define WORKER_KEY(name, expression) \
	static double name(const struct snapshot_worker *worker) \
	{ \
		return (double)(expression); \
	}

WORKER_KEY(worker_by_id, worker->id)
WORKER_KEY(worker_by_pid, worker->pid)
WORKER_KEY(worker_by_state, worker->state)
WORKER_KEY(worker_by_for, worker->state_s)
WORKER_KEY(worker_by_generation, worker->generation)
WORKER_KEY(worker_by_size, worker->entry_len)
WORKER_KEY(worker_by_execs, worker->execs)
WORKER_KEY(worker_by_rate, worker->execs_per_sec)
WORKER_KEY(worker_by_finds, worker->finds)
WORKER_KEY(worker_by_restarts, worker->restarts)
WORKER_KEY(worker_by_deaths, worker->deaths)
WORKER_KEY(worker_by_memory, worker->rss_kb)
WORKER_KEY(worker_by_cpu, worker->cpu)
WORKER_KEY(worker_by_fork, worker->fork_us)

/* clang-format off */
enum { WORKER_STATE = 1, WORKER_BAR = 9 };

static const struct table_column worker_places[] = {
	/* head	       width grow rank right */
	{ "#",		  3,   0,   0, true },
	{ "state",	 10,   0,   0, false },
	{ "for",	  7,   0,   5, true },
	{ "pid",	  7,   0,   7, true },
	{ "on",		  8,   0,   3, false },
	{ "gen",	  4,   0,   4, true },
	{ "size",	  6,   0,   4, true },
	{ "execs",	  7,   0,   2, true },
	{ "per s",	  8,   0,   0, true },
	{ "",		  6,  14,   1, false },
	{ "finds",	  5,   2,   1, true },
	{ "restarts",	  8,   0,   3, true },
	{ "deaths",	  6,   0,   5, true },
	{ "memory",	  7,   0,   6, true },
	{ "cpu",	  5,   0,   6, true },
	{ "fork",	  8,   0,   8, true },
	{ "last restart", 14, 40,   9, false },
};

static const struct worker_column worker_columns[] = {
	{ worker_id,	     worker_by_id,	   false },
	{ worker_state,	     worker_by_state,	   false },
	{ worker_for,	     worker_by_for,	   true },
	{ worker_pid,	     worker_by_pid,	   false },
	{ worker_entry,	     NULL,		   false },
	{ worker_generation, worker_by_generation, true },
	{ worker_size,	     worker_by_size,	   true },
	{ worker_execs,	     worker_by_execs,	   true },
	{ worker_rate,	     worker_by_rate,	   true },
	{ NULL,		     NULL,		   false }, /* WORKER_BAR */
	{ worker_finds,	     worker_by_finds,	   true },
	{ worker_restarts,   worker_by_restarts,   true },
	{ worker_deaths,     worker_by_deaths,	   true },
	{ worker_memory,     worker_by_memory,	   true },
	{ worker_cpu,	     worker_by_cpu,	   true },
	{ worker_fork,	     worker_by_fork,	   true },
	{ worker_note,	     NULL,		   false },
};
/* clang-format on */

#define WORKER_COLUMNS (sizeof(worker_columns) / sizeof(worker_columns[0]))

_Static_assert(WORKER_COLUMNS ==
		sizeof(worker_places) / sizeof(worker_places[0]),
	"each column has a place");

/* ---- the order ---- */

struct worker_order {
	size_t n;
	const struct snapshot_worker *workers[WORKER_TABLE_MAX];
	double (*key)(const struct snapshot_worker *worker);
	bool falling;
};

static int
worker_compare(const void *a, const void *b, void *arg)
{
	const struct snapshot_worker *left = *(void *const *)a;
	const struct snapshot_worker *right = *(void *const *)b;
	const struct worker_order *order = arg;
	double one = order->key(left), other = order->key(right);

	if (one != other && order->falling)
		return one < other ? 1 : -1;
	if (one != other)
		return one < other ? -1 : 1;
	return left->id < right->id ? -1 : left->id > right->id;
}

static void
worker_order_init(struct worker_order *order, const struct worker_table *table,
	const struct snapshot *snapshot)
{
	size_t i;

	order->n = snapshot->workers_n;
	if (order->n > WORKER_TABLE_MAX)
		order->n = WORKER_TABLE_MAX;
	for (i = 0; i < order->n; i++)
		order->workers[i] = &snapshot->workers[i];
	order->key = worker_columns[table->sort].key;
	order->falling = worker_columns[table->sort].falling != table->reverse;
	qsort_r(order->workers, order->n, sizeof(order->workers[0]),
		worker_compare, order);
}

static size_t
worker_order_find(const struct worker_order *order, const struct model *model)
{
	const struct snapshot_worker *selected = model_worker(model);
	size_t i;

	for (i = 0; i < order->n; i++)
		if (order->workers[i] == selected)
			return i;
	return 0;
}

/* ---- drawing ---- */

static void
worker_draw_cell(const struct table *place, struct grid *grid, struct rect rect,
	int row, size_t column, const struct worker_cell *cell)
{
	char text[WORKER_TEXT];
	enum style style = STYLE_VALUE;
	struct pen pen;

	if (place->places[column].w == 0)
		return;
	if (column == WORKER_BAR) {
		pen = table_pen(place, grid, rect, row, column);
		if (pen_room(&pen) > 0 && cell->best_rate > 0)
			draw_bar(grid, pen.x, pen.y, pen_room(&pen),
				cell->worker->execs_per_sec / cell->best_rate,
				STYLE_SPEED);
		return;
	}
	worker_columns[column].text(cell, text, &style);
	table_text(place, grid, rect, row, column, style, text);
}

static double
worker_best_rate(const struct snapshot *snapshot)
{
	double best = 0;
	size_t i;

	for (i = 0; i < snapshot->workers_n; i++)
		best = fmax(best, snapshot->workers[i].execs_per_sec);
	return best;
}

/* A worker that is being stopped shows its ladder instead of numbers. */
static void
worker_draw_ladder(const struct table *place, struct grid *grid,
	struct rect rect, int row, const struct snapshot_worker *worker)
{
	struct pen pen = table_pen(place, grid, rect, row, WORKER_STATE);

	pen_gap(&pen, pen_room(&pen) + 2);
	pen.end = rect.x + rect.w;
	words_put_ladder(&pen, worker->stop_step, worker->next_step_s);
}

static void
worker_draw_row(const struct table *place, struct grid *grid, struct rect rect,
	int row, const struct worker_cell *cell)
{
	bool stopping = cell->worker->stop_step != STOP_NONE;
	size_t column, n = stopping ? WORKER_STATE + 1 : WORKER_COLUMNS;

	for (column = 0; column < n; column++)
		worker_draw_cell(place, grid, rect, row, column, cell);
	if (stopping)
		worker_draw_ladder(place, grid, rect, row, cell->worker);
}

static void
worker_draw_selected(const struct worker_table *table, struct grid *grid,
	struct rect rect, int row)
{
	struct rect line = { rect.x - 1, rect.y + row, rect.w + 2, 1 };

	if (table->quiet)
		grid_text(grid, line.x, line.y, 1, STYLE_KEY,
			symbol(grid, SYMBOL_HERE));
	else
		grid_restyle(grid, line, STYLE_SELECTED);
}

void
worker_table_draw(struct worker_table *table, const struct model *model,
	struct grid *grid, struct rect area, struct rect box)
{
	struct worker_order order;
	struct worker_cell cell;
	struct table place;
	struct list *list = &table->list;
	size_t i;

	table_layout(&place, worker_places, WORKER_COLUMNS, area.w);
	worker_order_init(&order, table, model->snapshot);
	if (area.h > 2)
		table_head(&place, grid, draw_cut_top(&area, 1),
			table->quiet ? -1 : (int)table->sort, order.falling);
	list->selected = worker_order_find(&order, model);
	list_fit(list, order.n, area.h > 0 ? (size_t)area.h : 0);
	cell.best_rate = worker_best_rate(model->snapshot);
	cell.over = model->snapshot->state >= RUN_STOPPING;
	for (i = 0; i < list_seen(list); i++) {
		size_t at = list->top + i;

		cell.worker = order.workers[at];
		worker_draw_row(&place, grid, area, (int)i, &cell);
		if (at == list->selected)
			worker_draw_selected(table, grid, area, (int)i);
	}
	draw_scroll(grid, box, list->top, list->page, list->n);
}

/* ---- commands ---- */

static void
worker_next_sort(struct worker_table *table)
{
	do
		table->sort = (table->sort + 1) % WORKER_COLUMNS;
	while (worker_columns[table->sort].key == NULL);
	table->reverse = false;
}

bool
worker_table_command(struct worker_table *table, const struct model *model,
	const char *command, char *send)
{
	struct worker_order order;

	if (!table->quiet && strcmp(command, "sort") == 0) {
		worker_next_sort(table);
		return true;
	}
	if (!table->quiet && strcmp(command, "sort-reverse") == 0) {
		table->reverse = !table->reverse;
		return true;
	}
	if (!list_command(&table->list, command))
		return false;
	worker_order_init(&order, table, model->snapshot);
	if (table->list.selected < order.n)
		snprintf(send, COMMAND_LINE_MAX, "select %" PRIu32,
			order.workers[table->list.selected]->id);
	return true;
}
