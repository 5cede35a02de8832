/*
 * minimization_list: columns and order of the list.
 */
#include "ui/views/minimization/minimization_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "shared/minimize/minimize.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/table.h"

SORT_NUMBER(job_by_worker, snapshot_minimization, row->worker)
SORT_NUMBER(job_by_phase, snapshot_minimization, row->phase)
SORT_NUMBER(job_by_size, snapshot_minimization, row->best_len)
SORT_NUMBER(job_by_tries, snapshot_minimization, row->tries)
SORT_TEXT(job_by_title, snapshot_minimization, row->title)

/* clang-format off */
enum { JOB_WORKER, JOB_TITLE, JOB_PHASE, JOB_SIZE, JOB_BAR, JOB_TRIES,
	JOB_COLUMNS };

static const struct table_column minimization_columns[JOB_COLUMNS] = {
	/*		  head	     width grow rank right falling order */
	[JOB_WORKER] = { "worker",  6,  0, 1, true, .number = job_by_worker },
	[JOB_TITLE]  = { "what",   14, 50, 0, false, .text = job_by_title },
	[JOB_PHASE]  = { "phase",   8,  0, 2, false, true, .number = job_by_phase },
	[JOB_SIZE]   = { "bytes",  15,  0, 0, true, true, .number = job_by_size },
	[JOB_BAR]    = { "",	    8, 12, 3, .right = false },
	[JOB_TRIES]  = { "tries",   7,  3, 2, true, true, .number = job_by_tries },
};
/* clang-format on */

static bool
minimization_list_matches(const struct filter *filter,
	const struct snapshot_minimization *m)
{
	const char *texts[] = { m->title, m->entry,
		minimize_phase_name((enum minimize_phase)m->phase) };

	return filter_match(filter, texts, sizeof(texts) / sizeof(texts[0]));
}

void
minimization_list_rows(const struct minimization_list *list,
	const struct model *model, struct minimization_rows *rows)
{
	const struct snapshot *s = model->snapshot;
	const struct filter *filter = &model->filters[KEYS_MINIMIZATION];
	size_t i;

	rows->n = 0;
	for (i = 0;
		i < s->minimizations_n && rows->n < SNAPSHOT_MINIMIZATIONS_MAX;
		i++)
		if (minimization_list_matches(filter, &s->minimizations[i]))
			rows->items[rows->n++] = &s->minimizations[i];
	sort_rows(&list->sort, minimization_columns, rows->items, rows->n);
}

void
minimization_list_all(const struct model *model, struct minimization_rows *rows)
{
	const struct snapshot *s = model->snapshot;

	for (rows->n = 0; rows->n < s->minimizations_n &&
		rows->n < SNAPSHOT_MINIMIZATIONS_MAX;
		rows->n++)
		rows->items[rows->n] = &s->minimizations[rows->n];
}

const struct snapshot_minimization *
minimization_row(const struct minimization_rows *rows, size_t i)
{
	return rows->items[i];
}

size_t
minimization_rows_find(const struct minimization_rows *rows, const char *entry)
{
	size_t i, len = strlen(entry);

	for (i = 0; i < rows->n && len > 0; i++)
		if (strncmp(minimization_row(rows, i)->entry, entry, len) == 0)
			return i;
	return rows->n;
}

static double
minimization_list_part(const struct snapshot_minimization *m)
{
	return m->start_len > 0 ? (double)m->best_len / (double)m->start_len
				: 0;
}

static void
minimization_list_draw_row(const struct table *table, struct grid *grid,
	struct rect rect, int row, const struct snapshot_minimization *m)
{
	char text[LABEL_SIZE], from[TEXT_NUMBER_SIZE], to[TEXT_NUMBER_SIZE];
	struct row_writer out;

	snprintf(text, sizeof(text), "%" PRIu32, m->worker);
	table_text(table, grid, rect, row, JOB_WORKER, STYLE_VALUE, text);
	table_text(table, grid, rect, row, JOB_TITLE,
		m->coverage ? STYLE_INFO : STYLE_BAD, m->title);
	table_text(table, grid, rect, row, JOB_PHASE, STYLE_MINIMIZING,
		minimize_phase_name((enum minimize_phase)m->phase));
	snprintf(text, sizeof(text), "%.24s %s %.24s",
		text_short((double)m->start_len, from), glyph(grid, GLYPH_TO),
		text_short((double)m->best_len, to));
	table_text(table, grid, rect, row, JOB_SIZE, STYLE_VALUE, text);
	out = table_writer(table, grid, rect, row, JOB_BAR);
	draw_bar(grid, out.x, out.y, row_room(&out), minimization_list_part(m),
		STYLE_SIZE);
	table_text(table, grid, rect, row, JOB_TRIES, STYLE_VALUE,
		text_short((double)m->tries, from));
}

void
minimization_list_draw(struct minimization_list *view,
	const struct model *model, const struct minimization_rows *rows,
	const char *entry, struct grid *grid, struct rect box)
{
	char right[FILTER_TITLE];
	struct draw_box frame = { .title = "being minimized",
		.right = filter_title(&model->filters[KEYS_MINIMIZATION],
			rows->n, model->snapshot->minimizations_n, right) };
	struct rect rect;
	struct list *list = &view->list;
	struct table table;
	size_t i, shown;

	frame.right_cut = true;
	if (right[0] == '\0')
		frame.right = NULL;
	rect = draw_box(grid, box, &frame);
	if (rows->n == 0) {
		label_no_rows(grid, rect, KEYS_MINIMIZATION);
		return;
	}
	table_layout(&table, minimization_columns, JOB_COLUMNS, rect.w);
	sort_head(&view->sort, &table, grid, &rect);
	shown = minimization_rows_find(rows, entry);
	list->selected = shown < rows->n ? shown : 0;
	/* No row has more to open, and none may be the one that is shown. */
	list->beside = true;
	list_fit(list, rows->n, rect.h);
	for (i = 0; i < list_seen(list); i++) {
		size_t at = list->top + i;

		minimization_list_draw_row(&table, grid, rect, (int)i,
			minimization_row(rows, at));
		if (at == shown)
			list_highlight(grid, rect, (int)i);
	}
	list_finish(list, grid, rect, box);
}

bool
minimization_list_sort(struct minimization_list *view, const char *command)
{
	return sort_command(&view->sort, minimization_columns, JOB_COLUMNS,
		command);
}
