/*
 * screen_frame: what stands around every view.
 *
 * Header and footer are lists of parts with a priority; what does not fit
 * is left out whole, never cut in the middle.
 */
#include "ui/console/screen_frame.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "control/command.h"
#include "ui/console/playback_bar.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/finding_place.h"
#include "ui/widgets/labels.h"

#define CHROME_PLAYBACK 42 /* columns for clock and place of a recording */
#define CHROME_BRAND "cfuzz"
#define CHROME_FOOTER_MAX 40
#define CHROME_GAP 3
#define CHROME_CALLS 56     /* columns; with less, a call needs the name's */
#define CHROME_SMALL 32     /* columns; with less, state and findings alone */
#define CHROME_STATE_MIN 10 /* columns of the state, there */

struct rect
chrome_body(const struct grid *grid)
{
	int w = grid_width(grid), h = grid_height(grid);
	int top = h >= 2, bottom = h >= 4;

	return (struct rect){ 0, top, w, h - top - bottom };
}

/* ---- header ---- */

static int
chrome_state_width(const struct model *model)
{
	char words[WORDS_SIZE];

	return (int)text_width(words_state(model, words)) + 3;
}

/* Of a finding the file and the line are kept, whatever else is cut. */
static const char *
chrome_announced(const struct model *model, const struct grid *grid,
	int columns, char buf[SPOT_TITLE_SIZE])
{
	const struct announcement *a = &model->announcement;
	const struct snapshot *s = model->snapshot;

	for (size_t i = 0; i < s->findings_n && a->finding[0] != '\0'; i++)
		if (strcmp(s->findings[i].id, a->finding) == 0)
			return spot_title(grid, a->before, &s->findings[i],
				columns, buf);
	return a->text;
}

static void
chrome_announcement(const struct model *model, struct pen *pen)
{
	const struct announcement *a = &model->announcement;
	struct rect rest = { pen->x, pen->y, pen_room(pen), 1 };
	struct pen bar = *pen;
	int key = a->key[0] != '\0' ? 5 : 0;
	char text[SPOT_TITLE_SIZE];

	grid_fill(pen->grid, rest, STYLE_ANNOUNCE, " ");
	pen_gap(&bar, 1);
	bar.end -= key;
	pen_text(&bar, STYLE_ANNOUNCE, symbol(pen->grid, SYMBOL_ALERT));
	pen_gap(&bar, 1);
	pen_clean(&bar, STYLE_ANNOUNCE,
		chrome_announced(model, pen->grid, pen_room(&bar), text));
	bar.x = pen->end - key;
	bar.end = pen->end;
	if (key > 0)
		pen_printf(&bar, STYLE_ANNOUNCE, " [%s] ", a->key);
	if (key > 0)
		draw_mark_key(&bar, pen->x, a->key);
}

static size_t
chrome_workers(const struct snapshot *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->workers_n; i++)
		n += !s->workers[i].retiring;
	return n;
}

/* Its place is that of the workers: there are none. */
static void
chrome_playback(const struct model *model, struct pen *pen)
{
	pen->end--;
	playback_bar_put(&model->playback, pen);
}

/* "3 workers   ? help" on the right, as far as there is room. */
static void
chrome_header_right(const struct model *model, struct pen *pen)
{
	const struct key_row *help = keys_for_command(KEYS_COMMON, "explain");
	size_t n = chrome_workers(model->snapshot);
	char workers[48];
	int width;

	if (model->playback.on) {
		chrome_playback(model, pen);
		return;
	}
	snprintf(workers, sizeof(workers), "%zu %s", n,
		words_plural(n, "worker", "workers"));
	width = (int)strlen(workers);
	if (n > 0 && pen_room(pen) >= width + 12) {
		pen->x = pen->end - width - 12;
		pen_text(pen, STYLE_HEADER, workers);
	}
	if (pen_room(pen) < 9)
		return;
	pen->x = pen->end - 9 + 1;
	pen_text(pen, STYLE_KEY, help != NULL ? help->key : "");
	pen_text(pen, STYLE_HEADER, " help");
	if (help != NULL)
		draw_mark_key(pen, pen->end - 8, help->key);
}

static const char *
chrome_target(const struct model *model)
{
	return model->snapshot->target[0] != '\0' ? model->snapshot->target
						  : model->target;
}

/* The state's words, in capitals up to its numbers: seen from afar. */
static void
chrome_state(const struct model *model, struct pen *pen)
{
	int x = pen->x;

	words_put_state(model, pen);
	for (; x < pen->x; x++) {
		const struct cell *cell = grid_cell(pen->grid, x, pen->y);
		char capital[2] = { (char)toupper((uint8_t)cell->text[0]), 0 };

		if (strchr(":0123456789", cell->text[0]) != NULL &&
			cell->text[0] != '\0')
			break;
		if (islower((uint8_t)cell->text[0]))
			grid_put(pen->grid, x, pen->y, (enum style)cell->style,
				cell->level, capital);
	}
}

/* On the smallest terminals: the state, and how many findings there are. */
static void
chrome_header_small(const struct model *model, struct pen *pen)
{
	uint64_t n = words_findings(model->snapshot);
	enum style style = words_findings_open(model->snapshot) > 0
		? STYLE_BAD
		: STYLE_HEADER;
	char count[TEXT_NUMBER_SIZE], clock[TEXT_NUMBER_SIZE];
	int end = pen->end, width;

	width = (int)text_width(text_count(n, count)) + 3;
	pen_gap(pen, 1);
	if (pen_room(pen) >= CHROME_STATE_MIN + width)
		pen->end -= width;
	chrome_state(model, pen);
	pen_gap(pen, 2);
	if (pen_room(pen) >= 9)
		pen_text(pen, STYLE_VALUE,
			text_clock(words_campaign_s(model->snapshot), clock));
	if (pen->end == end)
		return;
	pen->x = pen->end;
	pen->end = end;
	pen_text(pen, style, symbol(pen->grid, SYMBOL_ALERT));
	pen_gap(pen, 1);
	pen_text(pen, style, count);
}

static void
chrome_header(const struct model *model, struct grid *grid)
{
	struct rect row = { 0, 0, grid_width(grid), 1 };
	struct pen pen = pen_at(grid, row, 0);
	int state = chrome_state_width(model);
	bool calls = model->announcement.kind != ANNOUNCE_NONE &&
		!model->playback.on;
	char clock[TEXT_NUMBER_SIZE];
	int target;

	grid_fill(grid, row, STYLE_HEADER, " ");
	if (row.w < CHROME_SMALL && !model->playback.on) {
		chrome_header_small(model, &pen);
		return;
	}
	pen_gap(&pen, 1);
	if (pen_room(&pen) >= state + 7 && !(calls && row.w < CHROME_CALLS)) {
		pen_text(&pen, STYLE_BRAND, CHROME_BRAND);
		pen_gap(&pen, 2);
	}
	target = pen_room(&pen) - state -
		(model->playback.on ? CHROME_PLAYBACK : 24);
	if (!calls && target >= 8) {
		int width = (int)text_width(chrome_target(model));

		pen_field(&pen, width < target ? width : target, STYLE_HEADER,
			chrome_target(model));
		pen_gap(&pen, CHROME_GAP);
	}
	chrome_state(model, &pen);
	pen_gap(&pen, 2);
	if (pen_room(&pen) >= 9)
		pen_printf(&pen, STYLE_VALUE, "%s",
			text_clock(words_campaign_s(model->snapshot), clock));
	pen_gap(&pen, 2);
	if (calls && pen_room(&pen) > 8)
		chrome_announcement(model, &pen);
	else
		chrome_header_right(model, &pen);
}

/* ---- footer ---- */

#define CHROME_ITEM_KEYS 4

struct chrome_item {
	char keys[CHROME_ITEM_KEYS][KEY_NAME_SIZE];
	size_t n;
	const char *word;
	int priority;
	bool shown;
};

/* What steers an engine has no meaning there. */
static bool
chrome_matters_in_playback(const struct key_row *row)
{
	return strncmp(row->command, "view ", 5) == 0 ||
		strcmp(row->command, "quit") == 0 ||
		strcmp(row->command, "next-view") == 0;
}

/* What an engine has to do cannot be done when it is gone. */
static bool
chrome_needs_engine(const char *command)
{
	static const char *const others[] = { "toggle-pause", "toggle-worker",
		"stop-worker", "limits", "steps", "trail" };
	char name[32];

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strcmp(command, others[i]) == 0)
			return true;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(command, " "),
		command);
	return command_find(name) != NULL && strcmp(name, "quit") != 0;
}

/* A campaign that is ending obeys the steps of the stop alone. */
static bool
chrome_too_late(const struct model *model, const char *command)
{
	const struct snapshot *s = model->snapshot;

	if (model->link == LINK_ENDED || s->state == RUN_ENDED)
		return chrome_needs_engine(command);
	if (s->state != RUN_STOPPING || !chrome_needs_engine(command))
		return false;
	return strncmp(command, "stop", 4) != 0 || s->stop_step >= STOP_KILL;
}

/* Does the key matter now? */
static bool
chrome_matters(const struct model *model, const struct key_row *row)
{
	const char *view = key_context_name(model->view);

	if (row->word == NULL || chrome_too_late(model, row->command) ||
		(row->context == KEYS_LIMITS &&
			model->snapshot->limits_n == 0 &&
			strcmp(row->command, "open") == 0))
		return false;
	if (row->context != model->context && row->context != KEYS_PLAYBACK &&
		keys_find(model->context, row->key) != row)
		return false;
	if (row->context != KEYS_PLAYBACK &&
		(model_takes_playback_keys(model) ||
			(model->playback.on && row->context == KEYS_COMMON)))
		return chrome_matters_in_playback(row);
	if (strncmp(row->command, "view ", 5) == 0 &&
		strcmp(row->command + 5, view) == 0)
		return false;
	if (strcmp(row->command, "view findings") == 0)
		return words_findings(model->snapshot) > 0;
	if (strcmp(row->command, "view minimization") == 0)
		return model->snapshot->minimizations_n > 0;
	return true;
}

bool
chrome_offers(const struct model *model, const struct view_ops *view,
	void *state, const struct key_row *row)
{
	bool own = view != NULL && view->offers != NULL &&
		row->context == view->context;

	return chrome_matters(model, row) &&
		(!own || view->offers(state, model, row->command));
}

static const char *
chrome_word(const struct model *model, const struct key_row *row)
{
	if (strcmp(row->command, "toggle-pause") == 0 &&
		(model->playback.on ? model->playback.paused
				    : model->snapshot->paused))
		return model->playback.on ? "play" : "resume";
	return row->word;
}

/* Neighbours with the same word share it: "+ - workers". */
static void
chrome_item_add(struct chrome_item *items, size_t *n, const char *key,
	const char *word, int priority)
{
	struct chrome_item *item = *n > 0 ? &items[*n - 1] : NULL;

	if (item == NULL || strcmp(item->word, word) != 0) {
		if (*n == CHROME_FOOTER_MAX)
			return;
		item = &items[(*n)++];
		*item = (struct chrome_item){ .word = word,
			.priority = priority };
	}
	if (item->n < CHROME_ITEM_KEYS)
		snprintf(item->keys[item->n++], KEY_NAME_SIZE, "%s", key);
}

static size_t
chrome_items(const struct model *model, const struct view_ops *view,
	void *state, struct chrome_item *items)
{
	const struct key_row *row;
	size_t n = 0;

	for (size_t i = 0; (row = keys_row(i)) != NULL; i++)
		if ((row->context == model->context ||
			    row->context == KEYS_COMMON ||
			    (row->context == KEYS_PLAYBACK &&
				    model_takes_playback_keys(model))) &&
			chrome_offers(model, view, state, row))
			chrome_item_add(items, &n, row->key,
				chrome_word(model, row), row->priority);
	return n;
}

static void
chrome_question_items(const struct model *model, struct chrome_item *items,
	size_t *n)
{
	const struct question *q = &model->question;

	for (size_t i = 0; i < q->choices_n; i++)
		if (q->choices[i].command[0] != '\0')
			chrome_item_add(items, n, q->choices[i].key,
				q->choices[i].label, 95);
}

static int
chrome_item_width(const struct chrome_item *item)
{
	char spoken[KEY_NAME_SIZE * 2];
	size_t width = text_width(item->word);

	for (size_t i = 0; i < item->n; i++)
		width += text_width(key_name_spoken(item->keys[i], spoken)) + 1;
	return (int)width;
}

/* Marks the most important ones that fit; returns the gap between them. */
static int
chrome_choose(struct chrome_item *items, size_t n, int room)
{
	int left = room - 1, shown = 0, gap;

	for (;;) {
		struct chrome_item *best = NULL;

		for (size_t i = 0; i < n; i++)
			if (!items[i].shown && items[i].priority > 0 &&
				(best == NULL ||
					items[i].priority > best->priority))
				best = &items[i];
		if (best == NULL)
			break;
		best->shown = chrome_item_width(best) + 2 <= left;
		if (best->shown)
			left -= chrome_item_width(best) + 2;
		shown += best->shown;
		best->priority = 0;
	}
	gap = shown > 0 && left >= shown ? CHROME_GAP : 2;
	return gap;
}

static void
chrome_item_draw(struct pen *pen, const struct chrome_item *item)
{
	char spoken[KEY_NAME_SIZE * 2];
	int from = pen->x;

	for (size_t i = 0; i < item->n; i++) {
		from = pen->x;
		pen_text(pen, STYLE_KEY,
			key_name_spoken(item->keys[i], spoken));
		draw_mark_key(pen, from, item->keys[i]);
		pen_gap(pen, 1);
	}
	pen_text(pen, STYLE_FOOTER, item->word);
	if (item->n == 1)
		draw_mark_key(pen, from, item->keys[0]);
}

static void
chrome_keys(const struct model *model, struct grid *grid, struct rect row,
	const struct view_ops *view, void *state)
{
	struct chrome_item items[CHROME_FOOTER_MAX];
	size_t n = chrome_items(model, view, state, items);
	struct pen pen = pen_at(grid, row, 0);
	int gap;

	if (model->context == KEYS_ASK)
		chrome_question_items(model, items, &n);
	gap = chrome_choose(items, n, row.w);
	pen_gap(&pen, 1);
	for (size_t i = 0; i < n; i++) {
		if (!items[i].shown)
			continue;
		chrome_item_draw(&pen, &items[i]);
		pen_gap(&pen, gap);
	}
}

/* ---- messages ---- */

/* A recording's header has no room: what is called out stands here. */
static bool
chrome_calls_below(const struct model *model)
{
	return model->playback.on && model->message[0] == '\0' &&
		model->announcement.kind != ANNOUNCE_NONE;
}

struct rect
chrome_message_place(const struct model *model, const struct grid *grid)
{
	struct rect body = chrome_body(grid), none = { 0 };
	bool calls = chrome_calls_below(model);
	int rows;

	if (body.y + body.h == grid_height(grid) || model->prompt.open ||
		(model->message[0] == '\0' && !calls))
		return none;
	rows = calls ? 1 : draw_words_rows(model->message, body.w - 4);
	if (rows > body.h / 2)
		rows = body.h / 2;
	return draw_cut_bottom(&body, rows);
}

struct rect
chrome_free(const struct model *model, const struct grid *grid)
{
	struct rect body = chrome_body(grid);

	body.h -= chrome_message_place(model, grid).h;
	return body;
}

static void
chrome_message(const struct model *model, struct grid *grid)
{
	struct rect rect = chrome_message_place(model, grid);
	struct pen pen = pen_at(grid, rect, 0);
	enum style style = model->message_bad ? STYLE_WARN : STYLE_INFO;

	if (rect.h == 0)
		return;
	grid_cover(grid, rect);
	grid_fill(grid, rect, STYLE_FOOTER, " ");
	if (chrome_calls_below(model)) {
		chrome_announcement(model, &pen);
		return;
	}
	pen_gap(&pen, 1);
	pen_text(&pen, style,
		symbol(grid, model->message_bad ? SYMBOL_ALERT : SYMBOL_HERE));
	draw_cut_left(&rect, 3);
	rect.w--;
	draw_words(grid, rect, style, model->message);
}

/* What is asked for; its columns. */
static int
chrome_prompt_sign(const struct model *model, int width,
	char sign[sizeof(model->prompt.command) + 4])
{
	const struct prompt *p = &model->prompt;
	int columns;

	stpcpy(sign, p->filter ? "/" : ":");
	if (p->command[0] == '\0')
		return 1;
	snprintf(sign, sizeof(p->command) + 4, "%s: ", p->command);
	columns = (int)text_width(sign);
	if (columns <= width / 2)
		return columns;
	stpcpy(sign, ":");
	return 1;
}

/* The text as far as the cursor can be seen, and the cursor. */
static void
chrome_prompt(const struct model *model, struct grid *grid, struct rect row)
{
	const struct field *field = &model->prompt.field;
	char sign[sizeof(model->prompt.command) + 4];
	int label = chrome_prompt_sign(model, row.w, sign);
	int cursor = field_cursor_column(field), room = row.w - label;
	int skip = cursor >= room ? cursor - room + 1 : 0;
	const char *text = field->text + text_fit(field->text, (size_t)skip);
	struct rect at = { label + cursor - skip, row.y, 1, 1 };

	grid_fill(grid, row, STYLE_INPUT, " ");
	grid_text(grid, 0, row.y, label, STYLE_INPUT, sign);
	grid_text(grid, label, row.y, room, STYLE_INPUT, text);
	grid_restyle(grid, at, STYLE_MARK);
	if (row.y >= 2 && model->prompt.hint[0] != '\0') {
		struct rect above = { 0, row.y - 1, row.w, 1 };
		struct pen pen = pen_at(grid, above, 0);

		grid_fill(grid, above, STYLE_INFO, " ");
		pen_gap(&pen, 1);
		pen_clean(&pen, STYLE_INFO, model->prompt.hint);
	}
}

static void
chrome_footer(const struct model *model, struct grid *grid,
	const struct view_ops *view, void *state)
{
	int h = grid_height(grid);
	struct rect row = { 0, h - 1, grid_width(grid), 1 };

	if (h < 4 && !model->prompt.open)
		return;
	grid_fill(grid, row, STYLE_FOOTER, " ");
	if (model->prompt.open)
		chrome_prompt(model, grid, row);
	else if (model->link != LINK_ENDED || model->bye[0] == '\0')
		chrome_keys(model, grid, row, view, state);
}

void
chrome_draw(const struct model *model, struct grid *grid,
	const struct view_ops *view, void *state)
{
	chrome_header(model, grid);
	chrome_footer(model, grid, view, state);
	chrome_message(model, grid);
}
