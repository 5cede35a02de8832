/*
 * view_minimization: how an input becomes small, live.
 *
 * The model keeps the course of each minimization (sizes over tries, the
 * last verdicts); the snapshot has the present moment. Several may go on at
 * once: their rows stand on top, the selected one is shown.
 */
#include "ui/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "shared/minimize.h"
#include "ui/course.h"
#include "ui/draw.h"
#include "ui/graph.h"
#include "ui/hex.h"
#include "ui/list.h"
#include "ui/table.h"
#include "ui/words.h"

#define MINIMIZATION_JOBS 5  /* rows for them, at most */
#define MINIMIZATION_HEAD 6  /* of the boxes with phase and size */
#define MINIMIZATION_SIZE 30 /* columns that a curve needs */
#define MINIMIZATION_WIDE 150

struct minimization {
	struct list list;
	char selected[24]; /* entry: it stays selected when others end */
};

static void *
minimization_create(void)
{
	return xcalloc(1, sizeof(struct minimization));
}

static void
minimization_destroy(void *state)
{
	free(state);
}

static size_t
minimization_find(const struct minimization *state, const struct snapshot *s)
{
	size_t i;

	for (i = 0; i < s->minimizations_n; i++)
		if (strcmp(s->minimizations[i].entry, state->selected) == 0)
			return i;
	return 0;
}

/* ---- several at once ---- */

/* clang-format off */
enum { JOB_WORKER, JOB_TITLE, JOB_PHASE, JOB_SIZE, JOB_BAR, JOB_TRIES,
	JOB_COLUMNS };

static const struct table_column minimization_jobs[JOB_COLUMNS] = {
	/*		  head	     width grow rank right */
	[JOB_WORKER] = { "worker",	6,   0,   1, true },
	[JOB_TITLE]  = { "what",       14,  50,   0, false },
	[JOB_PHASE]  = { "phase",	8,   0,   2, false },
	[JOB_SIZE]   = { "bytes",      15,   0,   0, true },
	[JOB_BAR]    = { "",		8,  12,   3, false },
	[JOB_TRIES]  = { "tries",	7,   3,   2, true },
};
/* clang-format on */

static double
minimization_part(const struct snapshot_minimization *m)
{
	return m->start_len > 0 ? (double)m->best_len / (double)m->start_len
				: 0;
}

static void
minimization_draw_job(const struct table *table, struct grid *grid,
	struct rect rect, int row, const struct snapshot_minimization *m)
{
	char text[WORDS_SIZE], from[TEXT_NUMBER_SIZE], to[TEXT_NUMBER_SIZE];
	struct pen pen;

	snprintf(text, sizeof(text), "%" PRIu32, m->worker);
	table_text(table, grid, rect, row, JOB_WORKER, STYLE_VALUE, text);
	table_text(table, grid, rect, row, JOB_TITLE,
		m->coverage ? STYLE_INFO : STYLE_BAD, m->title);
	table_text(table, grid, rect, row, JOB_PHASE, STYLE_MINIMIZING,
		minimize_phase_name((enum minimize_phase)m->phase));
	snprintf(text, sizeof(text), "%.24s %s %.24s",
		text_short((double)m->start_len, from), symbol(grid, SYMBOL_TO),
		text_short((double)m->best_len, to));
	table_text(table, grid, rect, row, JOB_SIZE, STYLE_VALUE, text);
	pen = table_pen(table, grid, rect, row, JOB_BAR);
	draw_bar(grid, pen.x, pen.y, pen_room(&pen), minimization_part(m),
		STYLE_SIZE);
	table_text(table, grid, rect, row, JOB_TRIES, STYLE_VALUE,
		text_short((double)m->tries, from));
}

static void
minimization_draw_jobs(struct minimization *state, const struct snapshot *s,
	struct grid *grid, struct rect box)
{
	struct draw_box frame = { .title = "being minimized" };
	struct rect rect = draw_box(grid, box, &frame);
	struct list *list = &state->list;
	struct table table;
	size_t i;

	table_layout(&table, minimization_jobs, JOB_COLUMNS, rect.w);
	if (rect.h > 2)
		table_head(&table, grid, draw_cut_top(&rect, 1), -1, false);
	list->selected = minimization_find(state, s);
	list_fit(list, s->minimizations_n, rect.h > 0 ? (size_t)rect.h : 0);
	for (i = 0; i < list_seen(list); i++) {
		size_t at = list->top + i;
		struct rect row = { rect.x - 1, rect.y + (int)i, rect.w + 2,
			1 };

		minimization_draw_job(&table, grid, rect, (int)i,
			&s->minimizations[at]);
		if (at == list->selected)
			grid_restyle(grid, row, STYLE_SELECTED);
	}
	draw_scroll(grid, box, list->top, list->page, list->n);
}

/* ---- one of them: phase and numbers ---- */

/* `tail v  > bytes  ranges  readable`; blocks are for coverage inputs. */
static void
minimization_put_phases(struct pen *pen, const struct snapshot_minimization *m)
{
	uint32_t first = m->coverage ? MINIMIZE_BLOCKS : MINIMIZE_TAIL;
	uint32_t phase, now = m->phase;

	for (phase = first; phase < MINIMIZE_DONE; phase++) {
		const char *name =
			minimize_phase_name((enum minimize_phase)phase);
		enum symbol mark = phase < now ? SYMBOL_DONE : SYMBOL_HERE;

		if (phase > first)
			pen_gap(pen, 2);
		if (phase <= now) {
			pen_text(pen,
				phase < now ? STYLE_GOOD : STYLE_MINIMIZING,
				symbol(pen->grid, mark));
			pen_gap(pen, 1);
		}
		pen_text(pen,
			phase == now          ? STYLE_MINIMIZING
				: phase < now ? STYLE_VALUE
					      : STYLE_DIM,
			name);
	}
	if (now >= MINIMIZE_DONE)
		pen_text(pen, STYLE_GOOD, "  done");
}

static void
minimization_put_number(struct pen *pen, uint64_t value, const char *name)
{
	char text[TEXT_NUMBER_SIZE];

	pen_value(pen, 0, STYLE_VALUE, text_count(value, text), name);
	pen_gap(pen, 3);
}

static void
minimization_draw_phase(const struct snapshot_minimization *m,
	struct grid *grid, struct rect rect)
{
	struct draw_box box = { .title = m->title };
	struct rect inside = draw_box(grid, rect, &box);
	struct pen pen = pen_at(grid, inside, 0);
	uint64_t rejected = m->tries > m->accepted ? m->tries - m->accepted : 0;
	char text[TEXT_NUMBER_SIZE];

	minimization_put_phases(&pen, m);
	pen = pen_at(grid, inside, 1);
	pen_pair(&pen, "position", STYLE_VALUE, text_count(m->position, text));
	pen_text(&pen, STYLE_LABEL, " of ");
	pen_text(&pen, STYLE_VALUE, text_count(m->best_len, text));
	pen_gap(&pen, 3);
	pen_pair(&pen, "for", STYLE_VALUE, words_seconds(m->elapsed_s, text));
	pen_gap(&pen, 3);
	pen_printf(&pen, STYLE_LABEL, "on worker ");
	pen_printf(&pen, STYLE_VALUE, "%" PRIu32, m->worker);
	pen = pen_at(grid, inside, 2);
	minimization_put_number(&pen, m->tries, "tries");
	minimization_put_number(&pen, m->accepted, "accepted");
	minimization_put_number(&pen, rejected, "rejected");
	pen = pen_at(grid, inside, 3);
	pen_text(&pen, STYLE_LABEL, "last: ");
	pen_clean(&pen, STYLE_STRONG,
		m->verdict[0] ? m->verdict : "no verdict yet");
}

static void
minimization_draw_size(const struct model *model,
	const struct snapshot_minimization *m, struct grid *grid,
	struct rect rect)
{
	struct draw_box box = { .title = "size", .below = "over the tries" };
	struct rect inside = draw_box(grid, rect, &box);
	struct pen pen = pen_at(grid, inside, 0);
	double samples[COURSE_MAX];
	struct graph graph = { .values = samples,
		.style = STYLE_SIZE,
		.max = (double)m->start_len };
	char text[TEXT_NUMBER_SIZE];
	size_t n;

	pen_printf(&pen, STYLE_VALUE, "%s %s ", text_count(m->start_len, text),
		symbol(grid, SYMBOL_TO));
	pen_printf(&pen, STYLE_STRONG, "%s bytes",
		text_count(m->best_len, text));
	pen_printf(&pen, STYLE_LABEL, "   %s",
		words_percent(m->best_len, m->start_len, text));
	draw_cut_top(&inside, 1);
	n = graph_samples(grid, inside.w);
	graph.n = n < COURSE_MAX ? n : COURSE_MAX;
	course_size(shrink_find(&model->shrinks, m->entry), samples, graph.n);
	graph_draw(grid, inside, &graph);
}

/* ---- one of them: bytes and verdicts ---- */

static void
minimization_draw_bytes(const struct snapshot_minimization *m,
	struct grid *grid, struct rect rect)
{
	struct draw_box box = {
		.title = "best so far; the part under trial is marked",
		.focus = true,
	};
	struct rect inside = draw_box(grid, rect, &box);
	struct hex hex = {
		.bytes = m->best,
		.n = m->best_n,
		.total = m->best_len,
		.mark = m->cut_offset,
		.mark_len = m->cut_len,
	};

	if (m->best_n == 0)
		draw_words(grid, inside, STYLE_DIM,
			m->best_len == 0 && m->tries > 0
				? "The empty input is enough."
				: "Its bytes are not known yet.");
	else
		hex_draw(grid, inside, &hex);
}

/* "without bytes 14-17" */
static void
minimization_cut_text(const struct shrink_step *step, char buf[64])
{
	if (step->cut_len == 1)
		snprintf(buf, 64, "without byte %" PRIu64, step->cut_offset);
	else if (step->cut_len > 1)
		snprintf(buf, 64, "without bytes %" PRIu64 "-%" PRIu64,
			step->cut_offset, step->cut_offset + step->cut_len - 1);
	else
		snprintf(buf, 64, "other bytes");
}

static void
minimization_draw_step(struct grid *grid, struct rect rect, int row,
	const struct shrink_step *step)
{
	struct pen pen = pen_at(grid, rect, row);
	char text[64], len[TEXT_NUMBER_SIZE];

	snprintf(text, sizeof(text), "#%" PRIu64, step->tries);
	pen_field(&pen, 8, STYLE_DIM, text);
	pen_text(&pen, step->accepted ? STYLE_GOOD : STYLE_DIM,
		symbol(grid, step->accepted ? SYMBOL_DONE : SYMBOL_FAILED));
	pen_gap(&pen, 1);
	pen_field(&pen, 10, step->accepted ? STYLE_GOOD : STYLE_DIM,
		step->accepted ? "accepted" : "rejected");
	minimization_cut_text(step, text);
	pen_field(&pen, 26, STYLE_VALUE, text);
	pen_right(&pen, 9, STYLE_VALUE, text_bytes(step->len, len));
	pen_gap(&pen, 2);
	pen_clean(&pen, STYLE_LABEL, step->verdict);
}

static void
minimization_draw_steps(const struct shrink *shrink, struct grid *grid,
	struct rect rect)
{
	struct draw_box box = { .title = "tries, the newest first" };
	struct rect inside = draw_box(grid, rect, &box);
	int i;

	if (shrink == NULL || shrink->log_n == 0) {
		draw_words(grid, inside, STYLE_DIM,
			"No candidate has been tried yet.");
		return;
	}
	for (i = 0; i < inside.h && (size_t)i < shrink->log_n; i++)
		minimization_draw_step(grid, inside, i,
			shrink_step_at(shrink, (size_t)i));
}

/* ---- nothing to show ---- */

static void
minimization_draw_past(const struct model *model, struct grid *grid,
	struct rect rect)
{
	const struct shrink_list *list = &model->shrinks;
	char from[TEXT_NUMBER_SIZE], to[TEXT_NUMBER_SIZE];
	int row;

	for (row = 0; row < rect.h && (size_t)row < list->n; row++) {
		const struct shrink *shrink = &list->items[row];
		struct pen pen = pen_at(grid, rect, row);
		size_t last = shrink->points_n - 1;

		pen_field(&pen, 18, STYLE_VALUE, shrink->entry);
		pen_right(&pen, 12, STYLE_VALUE,
			text_count(shrink->points[0].len, from));
		pen_printf(&pen, STYLE_LABEL, " %s ", symbol(grid, SYMBOL_TO));
		pen_printf(&pen, STYLE_GOOD, "%s bytes",
			text_count(shrink->points[last].len, to));
		pen_printf(&pen, STYLE_LABEL, " in %s tries",
			text_count(shrink->points[last].tries, to));
	}
}

static void
minimization_draw_none(const struct model *model, struct grid *grid,
	struct rect area)
{
	const struct snapshot *s = model->snapshot;
	struct draw_box box = { .title = "minimization" };
	struct draw_box past = { .title = "minimized before" };
	int rows = model->shrinks.n > 0 ? (int)model->shrinks.n + 2 : 0;
	struct rect below;

	if (rows > area.h / 2)
		rows = 0;
	below = draw_cut_bottom(&area, rows);
	draw_empty(grid, draw_box(grid, area, &box),
		"No input is being minimized at the moment.",
		s->findings_n > 0
			? "Press 5, select a finding, and press m."
			: "New inputs and findings will appear here as they "
			  "shrink.");
	if (rows > 0)
		minimization_draw_past(model, grid,
			draw_box(grid, below, &past));
}

/* ---- the page ---- */

/* Rows for the bytes: all of them, if most of the room is enough. */
static int
minimization_bytes_rows(const struct snapshot_minimization *m, struct rect area)
{
	int need = (int)(m->best_n / (hex_per_row(area.w - 4) + 1)) + 4;
	int most = area.h * 3 / 5;

	if (area.h < 9)
		return area.h;
	if (most < 7)
		most = area.h - 4;
	return need < most ? need : most;
}

static void
minimization_draw_one(const struct model *model,
	const struct snapshot_minimization *m, struct grid *grid,
	struct rect area)
{
	int rows = area.h >= 30 ? MINIMIZATION_HEAD + 4 : MINIMIZATION_HEAD;
	struct rect head = draw_cut_top(&area, rows);
	struct rect phase = head, bytes;

	if (area.w >= 2 * MINIMIZATION_SIZE) {
		phase = draw_cut_left(&head, head.w * 3 / 5);
		minimization_draw_size(model, m, grid, head);
	}
	minimization_draw_phase(m, grid, phase);
	bytes = area.w >= MINIMIZATION_WIDE
		? draw_cut_left(&area, area.w / 2)
		: draw_cut_top(&area, minimization_bytes_rows(m, area));
	if (bytes.h > 0)
		minimization_draw_bytes(m, grid, bytes);
	if (area.h > 0)
		minimization_draw_steps(shrink_find(&model->shrinks, m->entry),
			grid, area);
}

static void
minimization_draw(void *data, const struct model *model, struct grid *grid,
	struct rect area)
{
	struct minimization *state = data;
	const struct snapshot *s = model->snapshot;
	struct rect rest = area;
	int jobs = (int)s->minimizations_n;

	state->list.n = s->minimizations_n;
	if (jobs == 0) {
		minimization_draw_none(model, grid, area);
	} else {
		if (jobs > MINIMIZATION_JOBS)
			jobs = MINIMIZATION_JOBS;
		if (jobs > 1 && area.h >= 18)
			minimization_draw_jobs(state, s, grid,
				draw_cut_top(&rest, jobs + 3));
		minimization_draw_one(model,
			&s->minimizations[minimization_find(state, s)], grid,
			rest);
	}
	words_dim_stale(model, grid, area);
}

static bool
minimization_command(void *data, const struct model *model, const char *command,
	char *send)
{
	struct minimization *state = data;
	const struct snapshot *s = model->snapshot;
	struct list *list = &state->list;

	(void)send;
	list->n = s->minimizations_n;
	list_select(list, minimization_find(state, s));
	if (!list_command(list, command))
		return false;
	if (s->minimizations_n > 0)
		snprintf(state->selected, sizeof(state->selected), "%s",
			s->minimizations[list->selected].entry);
	return true;
}

const struct view_ops view_minimization = {
	.name = "minimization",
	.title = "Minimization",
	.context = KEYS_MINIMIZATION,
	.digit = '6',
	.create = minimization_create,
	.destroy = minimization_destroy,
	.draw = minimization_draw,
	.command = minimization_command,
};
