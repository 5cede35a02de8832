/*
 * view_minimization: the minimization of an input, live and step by step.
 *
 * If several run at once, a list of them is at the top, and one is shown below.
 * The view asks the engine for tries, sizes and bytes of that one, and keys
 * control it. After its end it stays on the screen until the user selects
 * another one, or until the user has left the view and another one runs.
 */
#include "ui/views/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "ui/views/minimization/minimization_list.h"
#include "ui/views/minimization/minimization_stage.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"

#define MINIMIZATION_ROWS 5       /* maximum rows of the list */
#define MINIMIZATION_LIST_H 18    /* minimum rows of an area with the list */
#define MINIMIZATION_NARROW 60    /* minimum columns of a list with tries */
#define MINIMIZATION_SHORT 8      /* digits of a name if narrow */
#define MINIMIZATION_LEFT_S 1.5   /* not drawn for so long: the user left */
#define MINIMIZATION_WANTED_S 2.0 /* to wait for one that does not begin */
#define MINIMIZATION_BYTES 8192u  /* bytes to ask for … */
#define MINIMIZATION_PIECE 2048u  /* … from a multiple of this */

struct minimization_view {
	struct minimization_list list;
	struct snapshot_minimization seen; /* the minimization shown, … */
	bool any;                          /* … if there is one */
	bool ended;
	char wanted[24];    /* entry to show once it is there, or "" … */
	double wanted_s;    /* … since then, in the time of model.now_s */
	char asked[24];     /* the last one wanted, be it there or not, … */
	uint64_t asked_seq; /* … and the newest event of that time */
	struct reply_minimization reply; /* about it, if known */
	bool known;
	double drawn_s;
};

static void *
minimization_create(void)
{
	return xcalloc(1, sizeof(struct minimization_view));
}

static void
minimization_forget(struct minimization_view *state)
{
	struct reply reply = { .kind = QUERY_MINIMIZATION,
		.minimization = state->reply };

	reply_clear(&reply);
	state->reply = (struct reply_minimization){ 0 };
	state->known = false;
}

static void
minimization_destroy(void *data)
{
	minimization_forget(data);
	free(data);
}

/* ---- selection ---- */

static void
minimization_want(struct minimization_view *state, const struct model *model,
	const char *entry)
{
	const struct snapshot *s = model->snapshot;

	snprintf(state->wanted, sizeof(state->wanted), "%.23s", entry);
	state->wanted_s = model->now_s;
	snprintf(state->asked, sizeof(state->asked), "%s", state->wanted);
	state->asked_seq = s->events_n > 0 ? s->events[s->events_n - 1].seq : 0;
}

/* Snapshots this late would have it: it was refused, or has ended. */
static void
minimization_want_no_more(struct minimization_view *state,
	const struct model *model)
{
	double snapshot_s = model->now_s - model->stale_s;

	if (snapshot_s - state->wanted_s > MINIMIZATION_WANTED_S)
		state->wanted[0] = '\0';
}

static void
minimization_choose(struct minimization_view *state,
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
minimization_best(const struct minimization_rows *rows)
{
	const struct snapshot_minimization *best = NULL;

	for (size_t i = 0; i < rows->n; i++) {
		const struct snapshot_minimization *m =
			minimization_row(rows, i);
		int worth = 2 * m->by_steps + !m->coverage;
		int least = best != NULL ? 2 * best->by_steps + !best->coverage
					 : -1;

		if (worth > least)
			best = m;
	}
	return best;
}

/*
 * Follows the minimization that is shown, whether the filter hides its row or
 * not. After its end it stays if the engine has sent a reply about it; without
 * a reply it was too short to look at.
 */
static void
minimization_update(struct minimization_view *state, const struct model *model)
{
	bool left = model->now_s - state->drawn_s > MINIMIZATION_LEFT_S;
	const struct snapshot_minimization *best;
	struct minimization_rows all;
	size_t wanted, shown;

	minimization_list_all(model, &all);
	wanted = minimization_rows_find(&all, state->wanted);
	shown = minimization_rows_find(&all, state->seen.entry);
	if (state->wanted[0] != '\0' && wanted < all.n) {
		minimization_choose(state, minimization_row(&all, wanted));
		state->wanted[0] = '\0';
		return;
	}
	minimization_want_no_more(state, model);
	if (state->any && shown < all.n) {
		minimization_choose(state, minimization_row(&all, shown));
		return;
	}
	best = minimization_best(&all);
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
minimization_subscribe(void *data, const struct model *model,
	struct query *queries)
{
	struct minimization_view *state = data;
	uint64_t piece = (state->reply.text_len > 0 ? state->reply.text_cut
						    : state->reply.cut_offset) /
		MINIMIZATION_PIECE;

	minimization_update(state, model);
	if (!state->any)
		return 0;
	queries[0].kind = QUERY_MINIMIZATION;
	snprintf(queries[0].name, sizeof(queries[0].name), "%s",
		state->seen.entry);
	queries[0].first = state->known && !state->reply.ended && piece > 1
		? (piece - 1) * MINIMIZATION_PIECE
		: 0;
	queries[0].count = MINIMIZATION_BYTES;
	return 1;
}

static void
minimization_reply(void *data, const struct query *query, struct reply *reply)
{
	struct minimization_view *state = data;

	if (!state->any || strcmp(query->name, state->seen.entry) != 0 ||
		reply->error[0] != '\0')
		return;
	minimization_forget(state);
	state->reply = reply->minimization;
	state->known = true;
	reply->minimization = (struct reply_minimization){ 0 };
}

/* ---- its end ---- */

/* The engine's message at the end of a minimization that the user asked for, or
 * NULL. */
static const char *
minimization_outcome(const struct minimization_view *state,
	const struct snapshot *s)
{
	size_t i = state->asked[0] != '\0' ? s->events_n : 0;

	while (i-- > 0 && s->events[i].seq > state->asked_seq)
		if (strcmp(s->events[i].kind, "minimized") == 0 &&
			strcmp(s->events[i].about, state->asked) == 0)
			return s->events[i].text;
	return NULL;
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
		struct row_writer out = row_put_at(grid, rect, row);

		snprintf(name, sizeof(name), "%.*s",
			narrow ? MINIMIZATION_SHORT : (int)sizeof(name) - 1,
			m->entry);
		row_field(&out, narrow ? MINIMIZATION_SHORT + 1 : 18,
			STYLE_VALUE, name);
		row_right(&out, narrow ? 9 : 12, STYLE_VALUE,
			text_count(m->start_len, from));
		row_printf(&out, STYLE_LABEL, " %s ", glyph(grid, GLYPH_TO));
		row_printf(&out, STYLE_GOOD, "%s bytes",
			text_count(m->len, to));
		if (narrow)
			continue;
		row_printf(&out, STYLE_LABEL, " in %s tries   ",
			text_count(m->tries, to));
		row_clean(&out, STYLE_LABEL, m->title);
	}
}

static void
minimization_draw_none(const struct minimization_view *state,
	const struct model *model, struct grid *grid, struct rect area)
{
	const struct snapshot *s = model->snapshot;
	const char *outcome = minimization_outcome(state, s);
	struct draw_box box = { .title = "minimization" };
	struct draw_box past = { .title = "minimized before" };
	int rows = s->minimized_n > 0 ? (int)s->minimized_n + 2 : 0;
	char findings[KEY_HINT_SIZE], corpus[KEY_HINT_SIZE];
	char key[KEY_HINT_SIZE], how[192];
	struct rect below;

	keys_hint(KEYS_COMMON, "view findings", findings);
	keys_hint(KEYS_COMMON, "view corpus", corpus);
	keys_hint(KEYS_FINDINGS, "minimize", key);
	if (s->state == RUN_ENDED)
		snprintf(how, sizeof(how),
			"Select a finding (%s), and press %s.", findings, key);
	else
		snprintf(how, sizeof(how),
			"Select a finding (%s) or an input (%s), and press %s.",
			findings, corpus, key);
	if (rows > area.h / 2)
		rows = area.h / 2 > 2 ? area.h / 2 : 0;
	below = draw_cut_bottom(&area, rows);
	draw_empty(grid, draw_box(grid, area, &box),
		"Nothing is being minimized now.",
		outcome != NULL                           ? outcome
			: model_only_shows(model) != NULL ? NULL
			: s->findings_n > 0 ||
				(s->corpus > 0 && s->state != RUN_ENDED)
			? how
			: s->state == RUN_ENDED
			? NULL
			: "New inputs and findings appear here while they are "
			  "minimized.");
	if (rows > 0)
		minimization_draw_past(model, grid,
			draw_box(grid, below, &past));
}

/* ---- the page ---- */

static void
minimization_draw(void *data, const struct model *model, struct grid *grid,
	struct rect area)
{
	struct minimization_view *state = data;
	size_t n = model->snapshot->minimizations_n;
	int list_h = (n < MINIMIZATION_ROWS ? (int)n : MINIMIZATION_ROWS) + 3;
	struct stage stage = { .model = model };
	struct rect rest = area;
	struct minimization_rows rows;

	minimization_list_rows(&state->list, model, &rows);
	minimization_update(state, model);
	state->drawn_s = model->now_s;
	if (state->any) {
		if (n + state->ended > 1 && area.h >= MINIMIZATION_LIST_H)
			minimization_list_draw(&state->list, model, &rows,
				state->seen.entry, grid,
				draw_cut_top(&rest, list_h));
		stage.m = &state->seen;
		stage.r = state->known ? &state->reply : NULL;
		stage.ended = state->ended;
		if (strcmp(state->asked, state->seen.entry) == 0)
			stage.outcome =
				minimization_outcome(state, model->snapshot);
		stage_draw(&stage, grid, rest);
	} else {
		minimization_draw_none(state, model, grid, area);
	}
	label_dim_stale(model, grid, area);
}

/* ---- commands ---- */

/* Adds the shown minimization to "step ACTION", unless another is named. */
static bool
minimization_step(const struct minimization_view *state, const char *command,
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
	struct minimization_view *state = data;
	struct list *list = &state->list.list;
	struct minimization_rows rows;
	size_t shown;

	if (strncmp(command, "show ", 5) == 0) {
		minimization_want(state, model, command + 5);
		return true;
	}
	minimization_update(state, model);
	if (minimization_step(state, command, send) ||
		minimization_list_sort(&state->list, command))
		return true;
	minimization_list_rows(&state->list, model, &rows);
	shown = minimization_rows_find(&rows, state->seen.entry);
	list->n = rows.n;
	list->none = shown == rows.n;
	list_select(list, list->none ? 0 : shown);
	if (strncmp(command, "list ", 5) == 0)
		command += 5; /* a click */
	if (!list_command(list, command))
		return false;
	if (rows.n > 0)
		minimization_choose(state,
			minimization_row(&rows, list->selected));
	return true;
}

static void
minimization_tell(void *data, const struct model *model, struct place *place)
{
	const struct minimization_view *state = data;

	if (state->any)
		snprintf(place->item, sizeof(place->item), "%s",
			state->seen.entry);
}

static void
minimization_go(void *data, const struct model *model,
	const struct place *place)
{
	minimization_want(data, model, place->item);
}

static bool
minimization_offers(void *data, const struct model *model, const char *command)
{
	const struct minimization_view *state = data;
	const struct snapshot_minimization *m = &state->seen;

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
	.filters = true,
	.create = minimization_create,
	.destroy = minimization_destroy,
	.draw = minimization_draw,
	.command = minimization_command,
	.offers = minimization_offers,
	.tell = minimization_tell,
	.go = minimization_go,
	.subscribe = minimization_subscribe,
	.reply = minimization_reply,
};
