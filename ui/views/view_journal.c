/*
 * view_journal: all events, the newest at the bottom.
 *
 * The list follows the newest event until the user scrolls up; the End key
 * follows again. Enter opens an event's detail, and from there the event's
 * entry or finding. The engine holds and filters the events; the view has only
 * those around the visible rows.
 */
#include "ui/views/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "ui/views/journal_event.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/event_line.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/lazy_list.h"

#define JOURNAL_CLOCK 9    /* columns */
#define JOURNAL_KIND 10    /* columns */
#define JOURNAL_NARROW 50  /* minimum columns for a kind's word */
#define JOURNAL_DETAIL 9   /* rows */
#define JOURNAL_ROWS_MIN 5 /* minimum rows beside the detail */

/* Classes of events; `e` switches between them. Every class includes the events
 * that begin a run. */
static const struct {
	const char *name, *kinds;
} journal_classes[] = {
	{ "all", "" },
	{ "new inputs", "find reached unstable word resume" },
	{ "findings",
		"crash hang oom leak suspect verified replayed regressed "
		"merged finding findings resume" },
	{ "minimizations", "minimized resume" },
	{ "workers", "worker resume" },
	{ "your commands", "operator limit resume" },
};

#define JOURNAL_CLASSES (sizeof(journal_classes) / sizeof(journal_classes[0]))

struct journal {
	struct list list;
	size_t class;
	bool stays;               /* keeps the selected event selected */
	uint64_t selected;        /* seq of the selected event */
	char filter[FILTER_SIZE]; /* filter of the query */
	bool wall;                /* shows the time of day */
	bool detail;
	bool known; /* the first reply is here */
	char error[160];
	struct reply_journal held;
	size_t shown; /* first drawn row */
};

static void *
journal_create(void)
{
	return xcalloc(1, sizeof(struct journal));
}

static void
journal_destroy(void *state)
{
	struct journal *journal = state;

	free(journal->held.rows);
	free(journal);
}

static const struct snapshot_event *
journal_row(const struct journal *journal, size_t at)
{
	const struct reply_journal *held = &journal->held;

	return at >= held->first && at - held->first < held->rows_n
		? &held->rows[at - held->first]
		: NULL;
}

/* NULL: no row is selected, or the view does not have it yet. */
static const struct snapshot_event *
journal_selected(const struct journal *journal)
{
	return journal_row(journal, journal->list.selected);
}

/* An open page would turn to another event. */
static void
journal_follow(struct journal *journal)
{
	journal->stays = false;
	journal->detail = false;
	list_select(&journal->list, journal->list.n);
}

/* Keeps the selected event from now on. */
static void
journal_stay(struct journal *journal)
{
	const struct snapshot_event *event = journal_selected(journal);

	journal->stays = true;
	journal->selected = event != NULL ? event->seq : 0;
}

/* ---- queries and replies ---- */

static size_t
journal_subscribe(void *state, const struct model *model, struct query *queries)
{
	struct journal *journal = state;
	const char *filter = model->filters[KEYS_JOURNAL].text;

	if (strcmp(filter, journal->filter) != 0) {
		snprintf(journal->filter, sizeof(journal->filter), "%s",
			filter);
		journal_follow(journal);
	}
	queries[0].kind = QUERY_JOURNAL;
	snprintf(queries[0].filter, sizeof(queries[0].filter), "%s", filter);
	snprintf(queries[0].kinds, sizeof(queries[0].kinds), "%s",
		journal_classes[journal->class].kinds);
	if (journal->stays)
		lazy_list_query(&journal->list, &queries[0]);
	else
		lazy_list_query_end(&journal->list, &queries[0]);
	return 1;
}

/* New events may have moved the selected one to another row. */
static void
journal_keep_selected(struct journal *journal)
{
	const struct reply_journal *held = &journal->held;

	if (!journal->stays) {
		journal_follow(journal);
		return;
	}
	for (size_t i = 0; i < held->rows_n; i++) {
		if (held->rows[i].seq == journal->selected) {
			lazy_list_follow(&journal->list,
				(size_t)held->first + i);
			return;
		}
	}
	list_select(&journal->list, journal->list.selected);
	journal_stay(journal);
}

static void
journal_reply(void *state, const struct query *query, struct reply *reply)
{
	struct journal *journal = state;
	struct reply_journal *rows = &reply->journal;

	snprintf(journal->error, sizeof(journal->error), "%s", reply->error);
	if (reply->error[0] != '\0')
		return;
	/* The reply is for an old filter or class. */
	if (journal->known &&
		(strcmp(query->filter, journal->filter) != 0 ||
			strcmp(query->kinds,
				journal_classes[journal->class].kinds) != 0))
		return;
	if (rows->matching > LAZY_LIST_ROWS_MAX)
		rows->matching = LAZY_LIST_ROWS_MAX;
	if (rows->first > rows->matching)
		rows->first = rows->matching;
	free(journal->held.rows);
	journal->held = *rows;
	*rows = (struct reply_journal){ 0 };
	journal->known = true;
	journal->list.n = (size_t)journal->held.matching;
	journal_keep_selected(journal);
}

/* ---- a row ---- */

static const char *
journal_time(const struct journal *journal, const struct snapshot_event *event,
	int width, char buf[TEXT_NUMBER_SIZE])
{
	time_t at = event->wall_s > 0 && event->wall_s < 1e11
		? (time_t)event->wall_s
		: 0;
	struct tm tm;

	if (!journal->wall)
		return text_clock_fit(event->at_s, width, buf);
	if (at == 0 || localtime_r(&at, &tm) == NULL ||
		strftime(buf, TEXT_NUMBER_SIZE, "%H:%M:%S", &tm) == 0)
		snprintf(buf, TEXT_NUMBER_SIZE, "-");
	return buf;
}

static void
journal_draw_row(const struct journal *journal, struct grid *grid,
	struct rect rect, int at, const struct snapshot_event *event)
{
	struct row_writer out = row_put_at(grid, rect, at);
	enum style style = event_line_style(event->kind);
	int width = rect.w < JOURNAL_NARROW ? 8 : JOURNAL_CLOCK;
	char clock[TEXT_NUMBER_SIZE];

	row_field(&out, width, STYLE_DIM,
		journal_time(journal, event, width, clock));
	row_gap(&out, 1);
	row_text(&out, style, glyph(grid, event_line_symbol(event->kind)));
	row_gap(&out, 1);
	if (rect.w >= JOURNAL_NARROW) {
		row_field(&out, JOURNAL_KIND, style,
			event_line_kind(event->kind));
		row_gap(&out, 1);
	}
	row_clean(&out, rect.w < JOURNAL_NARROW ? style : STYLE_VALUE,
		event->text);
}

/* Adds hot spots to the first row only: other rows have the same fields. */
static void
journal_add_hot_spots(struct grid *grid, struct rect area)
{
	bool narrow = area.w < JOURNAL_NARROW;
	int clock = narrow ? 8 : JOURNAL_CLOCK,
	    kind = narrow ? 1 : JOURNAL_KIND;

	grid_add_hot_spot(grid, (struct rect){ area.x, area.y, clock, 1 },
		HOT_SPOT_FIELD, "time");
	grid_add_hot_spot(grid,
		(struct rect){ area.x + clock + 1, area.y, kind, 1 },
		HOT_SPOT_FIELD, "kind");
}

static void
journal_draw_rows(struct journal *journal, struct grid *grid, struct rect area,
	struct rect box)
{
	struct list *list = &journal->list;

	list_fit(list, list->n, area.h);
	if (!journal->stays)
		list_select(list, list->n);
	journal->shown = lazy_list_shown(list, journal->held.first,
		journal->held.rows_n, journal->shown);
	for (int i = 0; i < area.h; i++) {
		size_t at = journal->shown + (size_t)i;
		const struct snapshot_event *event = journal_row(journal, at);

		if (event == NULL)
			break;
		if (i == 0)
			journal_add_hot_spots(grid, area);
		journal_draw_row(journal, grid, area, i, event);
		if (at == list->selected)
			list_highlight(grid, area, i);
	}
	list_finish(list, grid, area, box);
}

/* ---- the page ---- */

static void
journal_draw_none(const struct journal *journal, const struct model *model,
	struct grid *grid, struct rect rect)
{
	char text[224], how[64];

	if (!journal->known && journal->error[0] != '\0') {
		snprintf(text, sizeof(text), "The journal cannot be shown: %s.",
			journal->error);
		draw_empty(grid, rect, text,
			model->playback.on
				? NULL
				: "The console will ask the engine again.");
	} else if (journal->known && journal->filter[0] != '\0') {
		label_no_rows(grid, rect, KEYS_JOURNAL);
	} else if (journal->known && journal->class != 0) {
		draw_empty(grid, rect, "There is no event of this kind.",
			keys_text(KEYS_JOURNAL, "{kind} selects the next kind.",
				how, sizeof(how)));
	} else if (journal->known) {
		draw_empty(grid, rect, "Nothing has happened yet.",
			"Each new input, failure and change of a limit appears "
			"here.");
	} else if (model->link == LINK_UP) {
		draw_empty(grid, rect,
			"Waiting for the events from the engine.", NULL);
	} else {
		label_no_reply(model, grid, rect,
			"Events appear here when the campaign has started.");
	}
}

static void
journal_titles(const struct journal *journal, const struct model *model,
	const struct grid *grid, char left[64], char right[FILTER_TITLE + 64])
{
	const struct filter *filter = &model->filters[KEYS_JOURNAL];
	const struct reply_journal *held = &journal->held;
	char words[FILTER_TITLE], count[TEXT_NUMBER_SIZE], follows[64];
	bool narrow = grid_width(grid) < JOURNAL_NARROW;

	snprintf(left, 64, journal->class == 0 ? "%s" : "%s: %s", "journal",
		journal_classes[journal->class].name);
	if (filter_on(filter))
		filter_title(filter, journal->list.n, (size_t)held->total,
			words);
	else
		snprintf(words, sizeof(words), "%s %s",
			text_count(held->matching, count),
			label_plural(held->matching, "event", "events"));
	if (narrow && filter_on(filter)) {
		snprintf(right, FILTER_TITLE + 64, "%s", words);
		return;
	}
	snprintf(right, FILTER_TITLE + 64, "%s%s%s %s", narrow ? "" : words,
		narrow ? "" : "  ",
		glyph(grid, journal->stays ? GLYPH_PAUSED : GLYPH_RUNNING),
		journal->stays ? keys_text(KEYS_JOURNAL, "{end} follows",
					 follows, sizeof(follows))
			       : "following");
}

static void
journal_draw(void *state, const struct model *model, struct grid *grid,
	struct rect area)
{
	struct journal *journal = state;
	char left[64], right[FILTER_TITLE + 64];
	struct draw_box box = { .title = left,
		.right = journal->known ? right : NULL,
		.right_cut = filter_on(&model->filters[KEYS_JOURNAL]),
		.focus = !journal->detail };
	struct rect rest = area, detail = { 0 }, inside;

	journal_titles(journal, model, grid, left, right);
	if (journal->detail && journal_selected(journal) != NULL)
		detail = draw_cut_bottom(&rest,
			area.h - JOURNAL_DETAIL >= JOURNAL_ROWS_MIN
				? JOURNAL_DETAIL
				: area.h);
	if (rest.h > 0) {
		inside = draw_box(grid, rest, &box);
		if (journal->held.rows_n == 0)
			journal_draw_none(journal, model, grid, inside);
		else
			journal_draw_rows(journal, grid, inside, rest);
	}
	journal_event_draw(journal_selected(journal), model, grid, detail);
	label_dim_stale(model, grid, area);
}

/* ---- commands ---- */

/* Enter opens the detail; Enter in the detail opens the entry or finding. */
static void
journal_open(struct journal *journal, const struct model *model, char *send)
{
	const struct snapshot_event *event = journal_selected(journal);

	if (event == NULL)
		return;
	if (!journal->detail) {
		journal->detail = true;
		journal_stay(journal);
	} else if (event->about[0] == '\0') {
		journal->detail = false;
	} else if (snapshot_find_finding(model->snapshot, event->about)) {
		snprintf(send, COMMAND_LINE_MAX, "view findings show %s",
			event->about);
	} else {
		snprintf(send, COMMAND_LINE_MAX, "view corpus entry %s journal",
			event->about);
	}
}

static bool
journal_move(struct journal *journal, const char *command)
{
	if (!list_command(&journal->list, command))
		return false;
	if (strcmp(command, "end") == 0)
		journal_follow(journal);
	else if (journal->stays || journal->list.selected + 1 < journal->list.n)
		journal_stay(journal);
	return true;
}

static bool
journal_command(void *state, const struct model *model, const char *command,
	char *send)
{
	struct journal *journal = state;

	if (strcmp(command, "open") == 0) {
		journal_open(journal, model, send);
	} else if (strcmp(command, "back") == 0) {
		if (!journal->detail)
			return false;
		journal->detail = false;
	} else if (strcmp(command, "kind") == 0) {
		journal->class = (journal->class + 1) % JOURNAL_CLASSES;
		journal_follow(journal);
	} else if (strcmp(command, "clock") == 0) {
		journal->wall = !journal->wall;
	} else {
		return journal_move(journal, command);
	}
	return true;
}

/* page: whether the detail is open, and twice the class. */
static void
journal_tell(void *state, const struct model *model, struct place *place)
{
	const struct journal *journal = state;

	place->page = journal->detail + 2 * (uint32_t)journal->class;
	place->row = journal->list.selected;
	snprintf(place->item, sizeof(place->item), "%" PRIu64,
		journal->stays ? journal->selected : 0);
	if (!journal->stays) /* it moves by itself */
		place->row = 0;
}

static void
journal_go(void *state, const struct model *model, const struct place *place)
{
	struct journal *journal = state;
	uint64_t seq = strtoull(place->item, NULL, 10);

	journal->class = place->page / 2 % JOURNAL_CLASSES;
	journal->detail = place->page % 2;
	journal->stays = seq > 0;
	journal->selected = seq;
	if (journal->stays)
		list_select(&journal->list, place->row);
	else
		journal_follow(journal);
}

static bool
journal_offers(void *state, const struct model *model, const char *command)
{
	const struct journal *journal = state;

	if (strcmp(command, "open") == 0)
		return journal_selected(journal) != NULL;
	if (strcmp(command, "end") == 0)
		return journal->stays;
	if (strcmp(command, "clock") == 0)
		return journal->held.rows_n > 0;
	return journal->known;
}

const struct view_ops view_journal = {
	.name = "journal",
	.title = "Journal",
	.context = KEYS_JOURNAL,
	.filters = true,
	.create = journal_create,
	.destroy = journal_destroy,
	.draw = journal_draw,
	.command = journal_command,
	.offers = journal_offers,
	.tell = journal_tell,
	.go = journal_go,
	.subscribe = journal_subscribe,
	.reply = journal_reply,
};
