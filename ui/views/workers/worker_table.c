/*
 * worker_table: the workers as rows, for all views that show them.
 *
 * Each column is a row of two tables: one has its head, its width and its order,
 * the other one its text. All views share the selected worker
 * (model->selected_worker), which stays selected when the order changes.
 */
#include "ui/views/workers/worker_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "control/command.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/table.h"

#define WORKER_TEXT 128

struct worker_cell {
	const struct snapshot_worker *worker;
	double best_rate; /* highest rate of all workers */
	double step_s;    /* seconds between steps of a stop */
	bool over;        /* the campaign ends: workers may be down */
};

/* The formats of columns that show a plain number. */
enum worker_format {
	WORKER_PLAIN,
	WORKER_COUNT,
	WORKER_SHORT,
	WORKER_BYTES,
	WORKER_RATE,
	WORKER_SECONDS
};

/* Writes a cell's text into buf; *style is STYLE_VALUE before the call. */
typedef void worker_text_fn(const struct worker_cell *cell,
	char buf[WORKER_TEXT], enum style *style);

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
	snprintf(buf, WORKER_TEXT, "%s", label_worker_state(cell->worker));
	*style = label_worker_style(cell->worker);
	if (cell->over && *style == STYLE_BAD)
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
worker_cpu(const struct worker_cell *cell, char *buf, enum style *style)
{
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
		label_micros((double)worker->fork_us, buf);
}

static void
worker_note(const struct worker_cell *cell, char *buf, enum style *style)
{
	*style = STYLE_DIM;
	snprintf(buf, WORKER_TEXT, "%s", cell->worker->restart_why);
}

/* ---- sort keys ---- */

SORT_NUMBER(worker_by_id, snapshot_worker, row->id)
SORT_NUMBER(worker_by_pid, snapshot_worker, row->pid)
SORT_NUMBER(worker_by_state, snapshot_worker, row->state)
SORT_NUMBER(worker_by_for, snapshot_worker, row->state_s)
SORT_NUMBER(worker_by_generation, snapshot_worker, row->generation)
SORT_NUMBER(worker_by_size, snapshot_worker, row->entry_len)
SORT_NUMBER(worker_by_execs, snapshot_worker, row->execs)
SORT_NUMBER(worker_by_rate, snapshot_worker, row->execs_per_sec)
SORT_NUMBER(worker_by_new, snapshot_worker, row->finds)
SORT_NUMBER(worker_by_restarts, snapshot_worker, row->restarts)
SORT_NUMBER(worker_by_deaths, snapshot_worker, row->deaths)
SORT_NUMBER(worker_by_memory, snapshot_worker, row->rss_kb * 1024)
SORT_NUMBER(worker_by_cpu, snapshot_worker, row->cpu)
SORT_NUMBER(worker_by_fork, snapshot_worker, row->fork_us)
SORT_TEXT(worker_by_entry, snapshot_worker, row->entry)
SORT_TEXT(worker_by_note, snapshot_worker, row->restart_why)

/* clang-format off */
enum { WORKER_STATE = 1, WORKER_BAR = 9 };

static const struct table_column worker_columns[] = {
	/* head	     width grow rank right falling order */
	{ "#",		3,  0, 0, true, .number = worker_by_id },
	{ "state",     10,  0, 0, false, .number = worker_by_state },
	{ "for",	7,  0, 5, true, true, .number = worker_by_for },
	{ "pid",	7,  0, 7, true, .number = worker_by_pid },
	{ "on",		8,  0, 3, false, .text = worker_by_entry },
	{ "gen",	4,  0, 4, true, true, .number = worker_by_generation },
	{ "size",	6,  0, 4, true, true, .number = worker_by_size },
	{ "execs",	7,  0, 2, true, true, .number = worker_by_execs },
	{ "per s",	8,  0, 0, true, true, .number = worker_by_rate },
	{ "",		6, 14, 1, .right = false }, /* WORKER_BAR: the rate */
	{ "new",	5,  2, 1, true, true, .number = worker_by_new },
	{ "restarts",	8,  0, 3, true, true, .number = worker_by_restarts },
	{ "deaths",	6,  0, 5, true, true, .number = worker_by_deaths },
	{ "memory",	7,  0, 6, true, true, .number = worker_by_memory },
	{ "cpu",	5,  0, 6, true, true, .number = worker_by_cpu },
	{ "fork",	8,  0, 8, true, true, .number = worker_by_fork },
	{ "last restart", 14, 40, 9, false, .text = worker_by_note },
};

static const struct {
	worker_text_fn *text;      /* NULL: the sort key … */
	enum worker_format format; /* … in this format, … */
	enum style style, zero;    /* … and the styles of a number and of 0 */
} worker_texts[] = {
	{ NULL, WORKER_PLAIN, STYLE_STRONG, STYLE_STRONG },
	{ .text = worker_state },
	{ NULL, WORKER_SECONDS, STYLE_DIM, STYLE_DIM },
	{ .text = worker_pid },
	{ .text = worker_entry },
	{ NULL, WORKER_PLAIN, STYLE_VALUE, STYLE_VALUE },
	{ NULL, WORKER_BYTES, STYLE_VALUE, STYLE_VALUE },
	{ NULL, WORKER_SHORT, STYLE_VALUE, STYLE_VALUE },
	{ NULL, WORKER_RATE, STYLE_STRONG, STYLE_DIM },
	{ .text = NULL }, /* WORKER_BAR */
	{ NULL, WORKER_COUNT, STYLE_VALUE, STYLE_VALUE },
	{ NULL, WORKER_COUNT, STYLE_WARN, STYLE_DIM },
	{ NULL, WORKER_SHORT, STYLE_VALUE, STYLE_DIM },
	{ NULL, WORKER_BYTES, STYLE_VALUE, STYLE_VALUE },
	{ .text = worker_cpu },
	{ .text = worker_fork },
	{ .text = worker_note },
};
/* clang-format on */

#define WORKER_COLUMNS (sizeof(worker_texts) / sizeof(worker_texts[0]))

_Static_assert(WORKER_COLUMNS ==
		sizeof(worker_columns) / sizeof(worker_columns[0]),
	"each column has a place and a text");

/* ---- order ---- */

struct worker_order {
	size_t n;
	const void *workers[WORKER_TABLE_MAX];
};

static bool
worker_matches(const struct filter *filter, const struct snapshot_worker *w)
{
	char id[16];
	const char *texts[] = { id, label_worker_state(w), w->entry,
		w->restart_why };

	snprintf(id, sizeof(id), "%" PRIu32, w->id);
	return filter_match(filter, texts, sizeof(texts) / sizeof(texts[0]));
}

static void
worker_order_init(struct worker_order *order, const struct worker_table *table,
	const struct model *model)
{
	const struct snapshot *s = model->snapshot;
	size_t i;

	order->n = 0;
	for (i = 0; i < s->workers_n && order->n < WORKER_TABLE_MAX; i++)
		if (table->quiet ||
			worker_matches(&model->filters[KEYS_WORKERS],
				&s->workers[i]))
			order->workers[order->n++] = &s->workers[i];
	sort_rows(&table->sort, worker_columns, order->workers, order->n);
}

size_t
worker_table_shown(const struct worker_table *table, const struct model *model)
{
	struct worker_order order;

	worker_order_init(&order, table, model);
	return order.n;
}

/* Index of the selected worker, or n. */
static size_t
worker_order_find(const struct worker_order *order, const struct model *model)
{
	const struct snapshot_worker *selected = model_worker(model);
	size_t i = 0;

	while (i < order->n && order->workers[i] != selected)
		i++;
	return i;
}

/* Takes the present rows and selection: other views also select workers. */
static void
worker_table_select(struct worker_table *table,
	const struct worker_order *order, const struct model *model)
{
	struct list *list = &table->list;
	size_t selected = worker_order_find(order, model);

	list->n = order->n;
	list->none = selected == order->n;
	list->selected = list->none ? 0 : selected;
}

bool
worker_table_hides(const struct worker_table *table, const struct model *model,
	char *send)
{
	struct worker_order order;
	const struct snapshot_worker *first;

	worker_order_init(&order, table, model);
	if (model->snapshot->workers_n == 0 ||
		worker_order_find(&order, model) < order.n)
		return false;
	if (order.n > 0) {
		first = order.workers[0];
		snprintf(send, COMMAND_LINE_MAX, "select %" PRIu32, first->id);
	}
	return true;
}

/* ---- drawing ---- */

static void
worker_number(enum worker_format format, double n, char buf[WORKER_TEXT])
{
	if (format == WORKER_COUNT)
		text_count((uint64_t)n, buf);
	else if (format == WORKER_SHORT)
		text_short(n, buf);
	else if (format == WORKER_BYTES)
		text_bytes((uint64_t)n, buf);
	else if (format == WORKER_RATE)
		text_rate(n, buf);
	else if (format == WORKER_SECONDS)
		label_seconds(n, buf);
	else
		snprintf(buf, WORKER_TEXT, "%.0f", n);
}

static void
worker_draw_cell(const struct table *layout, struct grid *grid,
	struct rect rect, int row, size_t column,
	const struct worker_cell *cell)
{
	char text[WORKER_TEXT];
	enum style style = STYLE_VALUE;
	struct row_writer out;
	double n;

	if (layout->cells[column].w == 0)
		return;
	if (column == WORKER_BAR) {
		out = table_writer(layout, grid, rect, row, column);
		if (row_room(&out) > 0 && cell->best_rate > 0)
			draw_bar(grid, out.x, out.y, row_room(&out),
				cell->worker->execs_per_sec / cell->best_rate,
				STYLE_SPEED);
		return;
	}
	if (worker_texts[column].text != NULL) {
		worker_texts[column].text(cell, text, &style);
	} else {
		n = worker_columns[column].number(cell->worker);
		style = n > 0 ? worker_texts[column].style
			      : worker_texts[column].zero;
		worker_number(worker_texts[column].format, n, text);
	}
	table_text(layout, grid, rect, row, column, style, text);
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

static bool
worker_stopping(const struct snapshot_worker *worker)
{
	return worker->stop_step != STOP_NONE &&
		worker->state != WORKER_VIEW_DOWN;
}

/* A worker that is being stopped shows the steps of the stop, not numbers. */
static void
worker_draw_ladder(const struct table *layout, struct grid *grid,
	struct rect rect, int row, const struct snapshot_worker *worker,
	double step_s)
{
	struct row_writer out =
		table_writer(layout, grid, rect, row, WORKER_STATE);

	row_gap(&out, row_room(&out) + 2);
	out.end = rect.x + rect.w;
	label_put_ladder(&out, worker->stop_step, worker->next_step_s);
	label_put_countdown(&out, worker->next_step_s, step_s);
}

static void
worker_draw_row(const struct table *layout, struct grid *grid, struct rect rect,
	int row, const struct worker_cell *cell)
{
	bool stopping = worker_stopping(cell->worker);
	size_t column, n = stopping ? WORKER_STATE + 1 : WORKER_COLUMNS;

	for (column = 0; column < n; column++)
		worker_draw_cell(layout, grid, rect, row, column, cell);
	if (stopping)
		worker_draw_ladder(layout, grid, rect, row, cell->worker,
			cell->step_s);
}

static void
worker_draw_selected(const struct worker_table *table, struct grid *grid,
	struct rect rect, int row)
{
	if (table->quiet)
		grid_text(grid, rect.x - 1, rect.y + row, 1, STYLE_KEY,
			glyph(grid, GLYPH_HERE));
	else
		list_highlight(grid, rect, row);
}

void
worker_table_draw(struct worker_table *table, const struct model *model,
	struct grid *grid, struct rect area, struct rect box)
{
	struct worker_order order;
	struct worker_cell cell;
	struct table layout;
	struct list *list = &table->list;
	size_t i;

	table_layout(&layout, worker_columns, WORKER_COLUMNS, area.w);
	worker_order_init(&order, table, model);
	if (!table->quiet)
		sort_head(&table->sort, &layout, grid, &area);
	else if (area.h > 2)
		table_head(&layout, grid, draw_cut_top(&area, 1), -1, false);
	worker_table_select(table, &order, model);
	list_fit(list, order.n, area.h);
	cell.best_rate = worker_best_rate(model->snapshot);
	cell.step_s = label_step_s(model->snapshot);
	cell.over = model->snapshot->state >= RUN_STOPPING;
	for (i = 0; i < list_seen(list); i++) {
		size_t at = list->top + i;

		cell.worker = order.workers[at];
		worker_draw_row(&layout, grid, area, (int)i, &cell);
		if (!list->none && at == list->selected)
			worker_draw_selected(table, grid, area, (int)i);
	}
	list_finish(list, grid, area, box);
}

/* ---- commands ---- */

bool
worker_table_command(struct worker_table *table, const struct model *model,
	const char *command, char *send)
{
	const struct snapshot_worker *worker;
	struct worker_order order;

	if (!table->quiet &&
		sort_command(&table->sort, worker_columns, WORKER_COLUMNS,
			command))
		return true;
	worker_order_init(&order, table, model);
	worker_table_select(table, &order, model);
	if (!list_command(&table->list, command))
		return false;
	if (table->list.selected < order.n) {
		worker = order.workers[table->list.selected];
		snprintf(send, COMMAND_LINE_MAX, "select %" PRIu32, worker->id);
	}
	return true;
}
