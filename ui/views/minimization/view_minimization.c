/*
 * view_minimization: the minimization of an input, live and step by step.
 *
 * If several run at once, a list of them is at the top, and one is shown below.
 * The view asks the engine for tries, sizes and bytes of that one, and keys
 * control it. After its end it stays on the screen until the user selects
 * another one, or until the user has left the view and another one runs.
 */
#include "ui/views/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "shared/minimize/minimize.h"
#include "ui/views/minimization/minimization_stage.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/list.h"
#include "ui/widgets/sort.h"
#include "ui/widgets/table.h"

#define MINIMIZATION_JOBS 5      /* maximum rows of the list */
#define MINIMIZATION_LIST_H 18   /* minimum rows of an area with the list */
#define MINIMIZATION_NARROW 60   /* minimum columns of a list with tries */
#define MINIMIZATION_SHORT 8     /* digits of a name if narrow */
#define MINIMIZATION_LEFT_S 1.5  /* not drawn for so long: the user left */
#define MINIMIZATION_BYTES 8192u /* bytes to ask for … */
#define MINIMIZATION_PIECE 2048u /* … from a multiple of this */

struct minimize_task {
	struct list list;
	struct sort sort;
	struct snapshot_minimization seen; /* the minimization shown, … */
	bool any;                          /* … if there is one */
	bool ended;
	char wanted[24]; /* entry to show once it is there, or "" */
	struct reply_minimization told; /* reply about it, if known */
	bool known;
	double drawn_s;
};

static void *
minimization_create(void)
{
	return xcalloc(1, sizeof(struct minimize_task));
}

static void
minimize_task_destroy(void *data)
{
	struct minimize_task *state = data;
	struct reply reply = { .kind = QUERY_MINIMIZATION,
		.minimization = state->told };

	reply_clear(&reply);
	free(state);
}

/* ---- list ---- */

/* clang-format off */
enum { JOB_WORKER, JOB_TITLE, JOB_PHASE, JOB_SIZE, JOB_BAR, JOB_TRIES,
	JOB_COLUMNS };

static const struct table_column minimization_columns[JOB_COLUMNS] = {
	/*		  head	     width grow rank right */
	[JOB_WORKER] = { "worker",	6,   0,   1, true },
	[JOB_TITLE]  = { "what",       14,  50,   0, false },
	[JOB_PHASE]  = { "phase",	8,   0,   2, false },
	[JOB_SIZE]   = { "bytes",      15,   0,   0, true },
	[JOB_BAR]    = { "",		8,  12,   3, false },
	[JOB_TRIES]  = { "tries",	7,   3,   2, true },
};
/* clang-format on */

#define JOB_NUMBER(name, expression) \
	static double name(const void *row) \
	{ \
		const struct snapshot_minimization *m = row; \
\
		return (double)(expression); \
	}

JOB_NUMBER(job_by_worker, m->worker)
JOB_NUMBER(job_by_phase, m->phase)
JOB_NUMBER(job_by_size, m->best_len)
JOB_NUMBER(job_by_tries, m->tries)

static const char *
job_by_title(const void *row)
{
	const struct snapshot_minimization *m = row;

	return m->title;
}

/* clang-format off */
static const struct sort_column minimization_sorts[JOB_COLUMNS] = {
	[JOB_WORKER] = { .number = job_by_worker },
	[JOB_TITLE]  = { .text = job_by_title },
	[JOB_PHASE]  = { .number = job_by_phase, .falling = true },
	[JOB_SIZE]   = { .number = job_by_size, .falling = true },
	[JOB_TRIES]  = { .number = job_by_tries, .falling = true },
};
/* clang-format on */

struct jobs {
	size_t n;
	const void *items[SNAPSHOT_MINIMIZATIONS_MAX];
};

static bool
minimization_matches(const struct filter *filter,
	const struct snapshot_minimization *m)
{
	const char *texts[] = { m->title, m->entry,
		minimize_phase_name((enum minimize_phase)m->phase) };

	return filter_match(filter, texts, sizeof(texts) / sizeof(texts[0]));
}

static void
minimization_jobs_init(struct jobs *jobs, const struct minimize_task *state,
	const struct model *model)
{
	const struct snapshot *s = model->snapshot;
	const struct filter *filter = &model->filters[KEYS_MINIMIZATION];
	size_t i;

	jobs->n = 0;
	for (i = 0;
		i < s->minimizations_n && jobs->n < SNAPSHOT_MINIMIZATIONS_MAX;
		i++)
		if (minimization_matches(filter, &s->minimizations[i]))
			jobs->items[jobs->n++] = &s->minimizations[i];
	sort_rows(&state->sort, minimization_sorts, jobs->items, jobs->n);
}

static const struct snapshot_minimization *
minimization_job(const struct jobs *jobs, size_t i)
{
	return jobs->items[i];
}

/* Returns jobs->n if it is missing. */
static size_t
minimization_find(const struct jobs *jobs, const char *entry)
{
	size_t i;

	for (i = 0; i < jobs->n; i++)
		if (strcmp(minimization_job(jobs, i)->entry, entry) == 0)
			return i;
	return jobs->n;
}

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
	char text[LABEL_SIZE], from[TEXT_NUMBER_SIZE], to[TEXT_NUMBER_SIZE];
	struct row_writer pen;

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
	pen = table_pen(table, grid, rect, row, JOB_BAR);
	draw_bar(grid, pen.x, pen.y, row_room(&pen), minimization_part(m),
		STYLE_SIZE);
	table_text(table, grid, rect, row, JOB_TRIES, STYLE_VALUE,
		text_short((double)m->tries, from));
}

static void
minimization_draw_jobs(struct minimize_task *state, const struct model *model,
	const struct jobs *jobs, struct grid *grid, struct rect box)
{
	char right[FILTER_TITLE];
	struct draw_box frame = { .title = "being minimized",
		.right = filter_title(&model->filters[KEYS_MINIMIZATION],
			jobs->n, model->snapshot->minimizations_n, right) };
	struct rect rect;
	struct list *list = &state->list;
	struct table table;
	size_t i, shown;

	if (right[0] == '\0')
		frame.right = NULL;
	rect = draw_box(grid, box, &frame);
	table_layout(&table, minimization_columns, JOB_COLUMNS, rect.w);
	if (rect.h > 2)
		sort_head(&state->sort, minimization_sorts, &table, grid,
			draw_cut_top(&rect, 1));
	shown = minimization_find(jobs, state->seen.entry);
	list->selected = shown < jobs->n ? shown : 0;
	list_fit(list, jobs->n, rect.h > 0 ? (size_t)rect.h : 0);
	for (i = 0; i < list_seen(list); i++) {
		size_t at = list->top + i;
		struct rect row = { rect.x - 1, rect.y + (int)i, rect.w + 2,
			1 };

		minimization_draw_job(&table, grid, rect, (int)i,
			minimization_job(jobs, at));
		if (at == shown)
			grid_restyle(grid, row, STYLE_SELECTED);
	}
	list_mark(list, grid, rect);
	draw_scroll(grid, box, list->top, list->page, list->n);
}

/* ---- selection ---- */

static void
minimization_forget(struct minimize_task *state)
{
	struct reply reply = { .kind = QUERY_MINIMIZATION,
		.minimization = state->told };

	reply_clear(&reply);
	state->told = (struct reply_minimization){ 0 };
	state->known = false;
}

static void
minimization_choose(struct minimize_task *state,
	const struct snapshot_minimization *m)
{
	if (!state->any || strcmp(state->seen.entry, m->entry) != 0)
		minimization_forget(state);
	state->seen = *m;
	state->any = true;
	state->ended = false;
}

/* The minimization in step mode, else one of a finding, else the first. */
static const struct snapshot_minimization *
minimization_best_job(const struct jobs *jobs)
{
	const struct snapshot_minimization *best = NULL;

	for (size_t i = 0; i < jobs->n; i++) {
		const struct snapshot_minimization *m =
			minimization_job(jobs, i);
		int worth = 2 * m->by_steps + !m->coverage;
		int least = best != NULL ? 2 * best->by_steps + !best->coverage
					 : -1;

		if (worth > least)
			best = m;
	}
	return best;
}

/*
 * Follows the minimization that is shown. After its end it stays if the engine
 * has sent a reply about it; without a reply it was too short to look at.
 */
static void
minimization_update(struct minimize_task *state, const struct model *model,
	const struct jobs *jobs)
{
	const struct snapshot_minimization *best = minimization_best_job(jobs);
	size_t wanted = minimization_find(jobs, state->wanted);
	size_t shown = minimization_find(jobs, state->seen.entry);
	bool left = model->now_s - state->drawn_s > MINIMIZATION_LEFT_S;

	if (state->wanted[0] != '\0' && wanted < jobs->n) {
		minimization_choose(state, minimization_job(jobs, wanted));
		state->wanted[0] = '\0';
		return;
	}
	if (state->any && shown < jobs->n) {
		minimization_choose(state, minimization_job(jobs, shown));
		return;
	}
	state->ended = state->any;
	if (best != NULL &&
		(!state->any || !state->known || (left && !best->coverage)))
		minimization_choose(state, best);
	else if (!state->known)
		state->any = false;
}

/* ---- queries and replies ---- */

/* Asks for the bytes around the next cut. */
static size_t
minimization_want(void *data, const struct model *model, struct query *queries)
{
	struct minimize_task *state = data;
	uint64_t piece = (state->told.text_len > 0 ? state->told.text_cut
						   : state->told.cut_offset) /
		MINIMIZATION_PIECE;
	struct jobs jobs;

	minimization_jobs_init(&jobs, state, model);
	minimization_update(state, model, &jobs);
	if (!state->any)
		return 0;
	queries[0].kind = QUERY_MINIMIZATION;
	snprintf(queries[0].name, sizeof(queries[0].name), "%s",
		state->seen.entry);
	queries[0].first = state->known && !state->told.ended && piece > 1
		? (piece - 1) * MINIMIZATION_PIECE
		: 0;
	queries[0].count = MINIMIZATION_BYTES;
	return 1;
}

static void
minimization_reply(void *data, const struct model *model,
	const struct query *query, struct reply *reply)
{
	struct minimize_task *state = data;

	(void)model;
	if (!state->any || strcmp(query->name, state->seen.entry) != 0 ||
		reply->error[0] != '\0')
		return;
	minimization_forget(state);
	state->told = reply->minimization;
	state->known = true;
	reply->minimization = (struct reply_minimization){ 0 };
}

/* ---- nothing to show ---- */

static void
minimization_draw_past(const struct model *model, struct grid *grid,
	struct rect rect)
{
	const struct snapshot *s = model->snapshot;
	char from[TEXT_NUMBER_SIZE], to[TEXT_NUMBER_SIZE];
	bool narrow = rect.w < MINIMIZATION_NARROW;
	char name[sizeof(s->minimized[0].entry)];
	int row;

	for (row = 0; row < rect.h && (size_t)row < s->minimized_n; row++) {
		const struct snapshot_minimized *m = &s->minimized[row];
		struct row_writer pen = row_put_at(grid, rect, row);

		snprintf(name, sizeof(name), "%.*s",
			narrow ? MINIMIZATION_SHORT : (int)sizeof(name) - 1,
			m->entry);
		row_field(&pen, narrow ? MINIMIZATION_SHORT + 1 : 18,
			STYLE_VALUE, name);
		row_right(&pen, narrow ? 9 : 12, STYLE_VALUE,
			text_count(m->start_len, from));
		row_printf(&pen, STYLE_LABEL, " %s ", glyph(grid, GLYPH_TO));
		row_printf(&pen, STYLE_GOOD, "%s bytes",
			text_count(m->len, to));
		if (narrow)
			continue;
		row_printf(&pen, STYLE_LABEL, " in %s tries   ",
			text_count(m->tries, to));
		row_clean(&pen, STYLE_LABEL, m->title);
	}
}

static void
minimization_draw_none(const struct model *model, struct grid *grid,
	struct rect area)
{
	const struct snapshot *s = model->snapshot;
	struct draw_box box = { .title = "minimization" };
	struct draw_box past = { .title = "minimized before" };
	int rows = s->minimized_n > 0 ? (int)s->minimized_n + 2 : 0;
	char findings[KEY_HINT_SIZE], corpus[KEY_HINT_SIZE];
	char key[KEY_HINT_SIZE], how[160];
	struct rect below;

	snprintf(how, sizeof(how),
		"Select a finding (%s) or an input (%s), and press %s.",
		keys_hint(KEYS_COMMON, "view findings", findings),
		keys_hint(KEYS_COMMON, "view corpus", corpus),
		keys_hint(KEYS_FINDINGS, "minimize", key));
	if (rows > area.h / 2)
		rows = area.h / 2 > 2 ? area.h / 2 : 0;
	below = draw_cut_bottom(&area, rows);
	draw_empty(grid, draw_box(grid, area, &box),
		"Nothing is being minimized now.",
		s->findings_n > 0 || s->corpus > 0
			? how
			: "New inputs and findings will appear here as they "
			  "shrink.");
	if (rows > 0)
		minimization_draw_past(model, grid,
			draw_box(grid, below, &past));
}

/* ---- the page ---- */

/* The filter hides all minimizations. */
static void
minimization_draw_filtered(const struct model *model, struct grid *grid,
	struct rect area)
{
	char right[FILTER_TITLE];
	struct draw_box box = { .title = "minimization", .right = right };

	filter_title(&model->filters[KEYS_MINIMIZATION], 0,
		model->snapshot->minimizations_n, right);
	label_no_rows(grid, draw_box(grid, area, &box), KEYS_MINIMIZATION);
}

static void
minimization_draw(void *data, const struct model *model, struct grid *grid,
	struct rect area)
{
	struct minimize_task *state = data;
	size_t n = model->snapshot->minimizations_n;
	int rows = n < MINIMIZATION_JOBS ? (int)n : MINIMIZATION_JOBS;
	struct stage stage = { .model = model };
	struct rect rest = area;
	struct jobs jobs;

	minimization_jobs_init(&jobs, state, model);
	minimization_update(state, model, &jobs);
	state->drawn_s = model->now_s;
	if (state->any) {
		if (jobs.n + state->ended > 1 && area.h >= MINIMIZATION_LIST_H)
			minimization_draw_jobs(state, model, &jobs, grid,
				draw_cut_top(&rest, rows + 3));
		stage.m = &state->seen;
		stage.r = state->known ? &state->told : NULL;
		stage.ended = state->ended;
		stage_draw(&stage, grid, rest);
	} else if (n == 0) {
		minimization_draw_none(model, grid, area);
	} else {
		minimization_draw_filtered(model, grid, area);
	}
	label_dim_stale(model, grid, area);
}

/* ---- commands ---- */

/* Adds the shown minimization to "step ACTION", unless another is named. */
static bool
minimization_step(const struct minimize_task *state, const char *command,
	char *send)
{
	const char *action = command + strlen("step ");
	const char *name = state->wanted[0] != '\0' ? state->wanted
		: state->any                        ? state->seen.entry
						    : "";

	if (strncmp(command, "step ", strlen("step ")) != 0 ||
		strchr(action, ' ') != NULL)
		return false;
	if (strcmp(action, "toggle") == 0)
		action = state->any && state->seen.held ? "go" : "hold";
	snprintf(send, COMMAND_LINE_MAX, "step %s%s%s", action,
		name[0] != '\0' ? " " : "", name);
	return true;
}

static bool
minimization_command(void *data, const struct model *model, const char *command,
	char *send)
{
	struct minimize_task *state = data;
	struct list *list = &state->list;
	struct jobs jobs;
	size_t shown;

	if (strncmp(command, "show ", 5) == 0) {
		snprintf(state->wanted, sizeof(state->wanted), "%s",
			command + 5);
		return true;
	}
	if (minimization_step(state, command, send) ||
		sort_command(&state->sort, minimization_sorts, JOB_COLUMNS,
			command))
		return true;
	minimization_jobs_init(&jobs, state, model);
	minimization_update(state, model, &jobs);
	shown = minimization_find(&jobs, state->seen.entry);
	list->n = jobs.n;
	list_select(list, shown < jobs.n ? shown : 0);
	if (!list_command(list, command))
		return false;
	if (jobs.n > 0)
		minimization_choose(state,
			minimization_job(&jobs, list->selected));
	return true;
}

static bool
minimization_offers(void *data, const struct model *model, const char *command)
{
	const struct minimize_task *state = data;
	const struct snapshot_minimization *m = &state->seen;

	(void)model;
	if (strncmp(command, "step ", strlen("step ")) != 0)
		return true;
	command += strlen("step ");
	if (!state->any || state->ended)
		return false;
	if (strcmp(command, "back") == 0)
		return m->tries > 0;
	if (strcmp(command, "undo") == 0)
		return m->accepted > 0;
	return true;
}

const struct view_ops view_minimization = {
	.name = "minimization",
	.title = "Minimization",
	.context = KEYS_MINIMIZATION,
	.digit = '6',
	.filters = true,
	.create = minimization_create,
	.destroy = minimize_task_destroy,
	.draw = minimization_draw,
	.command = minimization_command,
	.offers = minimization_offers,
	.want = minimization_want,
	.reply = minimization_reply,
};
