/*
 * view_workers: every worker as a row, and one of them in detail.
 *
 * The detail stands below the rows, or beside them where the screen is wide:
 * what the worker runs at this moment, how it fares, how it was started
 * last, and, when it is being stopped, how far that has got.
 */
#include "ui/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "ui/draw.h"
#include "ui/hex.h"
#include "ui/words.h"
#include "ui/worker_table.h"

#define WORKERS_NAME 10 /* columns of a name before its value */
#define WORKERS_DETAIL_MIN 8
#define WORKERS_ROWS_MIN 4
#define WORKERS_SIDE_MIN 170 /* columns of a screen for a pane beside */

struct workers {
	struct worker_table table;
	bool detail;
};

static void *
workers_create(void)
{
	return xcalloc(1, sizeof(struct workers));
}

static void
workers_destroy(void *state)
{
	free(state);
}

/* ---- the detail ---- */

struct workers_lines {
	struct grid *grid;
	struct rect rect;
	int row;
	const struct snapshot_worker *worker;
};

/* A new line with its name; what follows is the caller's. */
static struct pen
workers_line(struct workers_lines *lines, const char *name)
{
	struct pen pen = pen_at(lines->grid, lines->rect, lines->row++);

	pen_field(&pen, WORKERS_NAME, STYLE_LABEL, name);
	pen_gap(&pen, 1);
	return pen;
}

static void
workers_line_state(struct workers_lines *lines)
{
	const struct snapshot_worker *w = lines->worker;
	struct pen pen = workers_line(lines, "state");
	char text[TEXT_NUMBER_SIZE];

	pen_text(&pen, words_worker_style(w), words_worker_state(w));
	pen_text(&pen, STYLE_LABEL, " for ");
	pen_text(&pen, STYLE_VALUE, words_seconds(w->state_s, text));
	if (w->paused)
		pen_text(&pen, STYLE_PAUSED, ", paused by its own key (P)");
	if (w->retiring)
		pen_text(&pen, STYLE_STOPPING, ", leaves after this call");
	if (w->stop_step == STOP_NONE)
		return;
	pen = workers_line(lines, "stop");
	words_put_ladder(&pen, w->stop_step, w->next_step_s);
}

static void
workers_line_processes(struct workers_lines *lines)
{
	const struct snapshot_worker *w = lines->worker;
	struct pen pen = workers_line(lines, "processes");
	char rss[TEXT_NUMBER_SIZE];

	if (w->pid <= 0) {
		pen_text(&pen, STYLE_DIM, "none at the moment");
		return;
	}
	pen_printf(&pen, STYLE_VALUE, "%" PRId64, w->pid);
	pen_text(&pen, STYLE_LABEL, " keeper");
	if (w->child > 0) {
		pen_printf(&pen, STYLE_VALUE, "   %" PRId64, w->child);
		pen_text(&pen, STYLE_LABEL, " child");
	}
	pen_printf(&pen, STYLE_VALUE, "   %s",
		text_bytes(w->rss_kb * 1024, rss));
	pen_text(&pen, STYLE_LABEL, " memory");
	pen_printf(&pen, STYLE_VALUE, "   %.0f %%", w->cpu * 100);
	pen_text(&pen, STYLE_LABEL, " cpu");
}

static void
workers_line_fork(struct workers_lines *lines)
{
	const struct snapshot_worker *w = lines->worker;
	struct pen pen = workers_line(lines, "fork");

	if (w->no_fork)
		pen_printf(&pen, STYLE_WARN,
			"no fork: the target starts %" PRId64
			" threads; each death costs a new start",
			w->threads);
	else if (w->fork_us == 0)
		pen_text(&pen, STYLE_DIM, "not measured yet");
	else
		pen_printf(&pen, STYLE_VALUE, "%" PRIu64 " us for a new child",
			w->fork_us);
}

static void
workers_line_work(struct workers_lines *lines)
{
	const struct snapshot_worker *w = lines->worker;
	struct pen pen = workers_line(lines, "works on");
	char text[TEXT_NUMBER_SIZE];

	if (w->entry[0] == '\0') {
		pen_text(&pen, STYLE_DIM, "nothing yet");
	} else {
		pen_clean(&pen, STYLE_VALUE, w->entry);
		pen_printf(&pen, STYLE_LABEL, "   generation ");
		pen_printf(&pen, STYLE_VALUE, "%" PRIu32, w->generation);
		pen_printf(&pen, STYLE_VALUE, "   %s",
			text_bytes(w->entry_len, text));
	}
	pen = workers_line(lines, "has done");
	pen_value(&pen, 0, STYLE_VALUE, text_count(w->execs, text),
		"executions");
	pen_gap(&pen, 3);
	pen_value(&pen, 0, STYLE_STRONG, text_rate(w->execs_per_sec, text),
		"now");
	pen_gap(&pen, 3);
	pen_value(&pen, 0, STYLE_VALUE, text_count(w->finds, text), "finds");
}

static void
workers_line_restarts(struct workers_lines *lines)
{
	const struct snapshot_worker *w = lines->worker;
	struct pen pen = workers_line(lines, "restarts");
	char text[TEXT_NUMBER_SIZE];

	pen_text(&pen, w->restarts > 0 ? STYLE_WARN : STYLE_VALUE,
		text_count(w->restarts, text));
	if (w->restart_why[0] != '\0') {
		pen_text(&pen, STYLE_LABEL, "   the last: ");
		pen_clean(&pen, STYLE_VALUE, w->restart_why);
	}
	pen_gap(&pen, 3);
	pen_value(&pen, 0, STYLE_VALUE, text_count(w->deaths, text),
		words_plural(w->deaths, "child died", "children died"));
}

/* What is under execution, sampled: it is gone before it is read. */
static void
workers_draw_input(struct grid *grid, struct rect rect,
	const struct snapshot_worker *w)
{
	struct hex hex = { .bytes = w->input,
		.n = w->input_n,
		.total = w->input_len };
	struct pen pen = pen_at(grid, rect, 0);
	char text[TEXT_NUMBER_SIZE];

	pen_text(&pen, STYLE_COLUMN, "live input");
	pen_text(&pen, STYLE_LABEL, "   ");
	pen_text(&pen, STYLE_VALUE, text_bytes(w->input_len, text));
	pen_text(&pen, STYLE_DIM, ", sampled ten times a second");
	draw_cut_top(&rect, 1);
	if (w->input_n == 0)
		draw_words(grid, rect, STYLE_DIM,
			"No input is under execution at the moment.");
	else
		hex_draw(grid, rect, &hex);
}

static void
workers_draw_detail(const struct model *model, struct grid *grid,
	struct rect rect)
{
	const struct snapshot_worker *w = model_worker(model);
	char title[64];
	struct draw_box box = { .title = title,
		.focus = true,
		.below = "Enter closes" };
	struct workers_lines lines = { .grid = grid, .worker = w };

	if (w == NULL || rect.h <= 0)
		return;
	snprintf(title, sizeof(title), "worker %" PRIu32, w->id);
	lines.rect = draw_box(grid, rect, &box);
	workers_line_state(&lines);
	workers_line_work(&lines);
	workers_line_processes(&lines);
	workers_line_fork(&lines);
	workers_line_restarts(&lines);
	draw_cut_top(&lines.rect, lines.row);
	if (lines.rect.h > 4)
		draw_cut_top(&lines.rect, 1);
	workers_draw_input(grid, lines.rect, w);
}

/* ---- the page ---- */

/* Rows of the detail: what the rows of the table leave, but enough. */
static int
workers_detail_rows(const struct workers *workers, const struct snapshot *s,
	struct rect area)
{
	int rows = (int)s->workers_n + 3;

	if (!workers->detail)
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
	char right[64], rate[TEXT_NUMBER_SIZE];
	struct draw_box box = { .title = "workers",
		.right = right,
		.focus = !workers->detail };
	struct rect inside;

	snprintf(right, sizeof(right), "%zu, together %s", s->workers_n,
		text_rate(s->execs_per_sec, rate));
	inside = draw_box(grid, rect, &box);
	if (s->workers_n == 0)
		draw_empty(grid, inside,
			s->state == RUN_ENDED
				? "The campaign has ended: no worker is left."
				: "No worker is running.",
			s->state == RUN_ENDED ? NULL : "Press + for one.");
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

	if (s->workers_n > 0 && workers->detail && area.w >= WORKERS_SIDE_MIN &&
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
	if (workers->detail)
		workers_draw_detail(model, grid, detail);
	words_dim_stale(model, grid, area);
}

static bool
workers_command(void *state, const struct model *model, const char *command,
	char *send)
{
	struct workers *workers = state;

	if (strcmp(command, "open") == 0)
		workers->detail = !workers->detail;
	else if (strcmp(command, "back") == 0 && workers->detail)
		workers->detail = false;
	else
		return worker_table_command(&workers->table, model, command,
			send);
	return true;
}

const struct view_ops view_workers = {
	.name = "workers",
	.title = "Workers",
	.context = KEYS_WORKERS,
	.digit = '2',
	.create = workers_create,
	.destroy = workers_destroy,
	.draw = workers_draw,
	.command = workers_command,
};
