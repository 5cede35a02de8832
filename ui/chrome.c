/*
 * chrome: what stands around and above every view.
 *
 * Header and footer are lists of parts with a priority; what does not fit
 * is left out whole, never cut in the middle.
 */
#include "ui/chrome.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/draw.h"
#include "ui/words.h"

#define CHROME_BRAND "cfuzz"
#define CHROME_FOOTER_MAX 40
#define CHROME_GAP 3
#define CHROME_QUESTION_W 58
#define CHROME_BYE_W 76

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

static void
chrome_announcement(const struct model *model, struct pen *pen)
{
	const struct announcement *a = &model->announcement;
	struct rect rest = { pen->x, pen->y, pen_room(pen), 1 };
	struct pen bar = *pen;
	int key = a->key[0] != '\0' ? 5 : 0;

	grid_fill(pen->grid, rest, STYLE_ANNOUNCE, " ");
	pen_gap(&bar, 1);
	bar.end -= key;
	pen_text(&bar, STYLE_ANNOUNCE, symbol(pen->grid, SYMBOL_ALERT));
	pen_gap(&bar, 1);
	pen_clean(&bar, STYLE_ANNOUNCE, a->text);
	bar.x = pen->end - key;
	bar.end = pen->end;
	if (key > 0)
		pen_printf(&bar, STYLE_ANNOUNCE, " [%s] ", a->key);
}

static size_t
chrome_workers(const struct snapshot *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->workers_n; i++)
		n += !s->workers[i].retiring;
	return n;
}

/* "3 workers   ? help" on the right, as far as there is room. */
static void
chrome_header_right(const struct model *model, struct pen *pen)
{
	const struct key_row *help = keys_for_command(KEYS_COMMON, "help");
	size_t n = chrome_workers(model->snapshot);
	char workers[48];
	int width;

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

static void
chrome_header(const struct model *model, struct grid *grid)
{
	struct rect row = { 0, 0, grid_width(grid), 1 };
	struct pen pen = pen_at(grid, row, 0);
	int state = chrome_state_width(model);
	bool calls = model->announcement.kind != ANNOUNCE_NONE;
	char clock[TEXT_NUMBER_SIZE];
	int target;

	grid_fill(grid, row, STYLE_HEADER, " ");
	if (pen_room(&pen) >= state + 8) {
		pen_gap(&pen, 1);
		pen_text(&pen, STYLE_BRAND, CHROME_BRAND);
		pen_gap(&pen, 2);
	}
	target = pen_room(&pen) - state - 24;
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
			text_clock(model->snapshot->elapsed_s, clock));
	pen_gap(&pen, 2);
	if (calls && pen_room(&pen) > 8)
		chrome_announcement(model, &pen);
	else
		chrome_header_right(model, &pen);
}

/* ---- footer ---- */

struct chrome_item {
	char keys[24];
	const char *word;
	int priority;
	bool shown;
};

static uint64_t
chrome_findings(const struct snapshot *s)
{
	return s->crashes + s->hangs + s->ooms + s->leaks;
}

/* Does the key matter now? */
static bool
chrome_matters(const struct model *model, const struct key_row *row)
{
	const char *view = key_context_name(model->view);

	if (row->word == NULL)
		return false;
	if (row->context != model->context &&
		keys_find(model->context, row->key) != row)
		return false;
	if (strncmp(row->command, "view ", 5) == 0 &&
		strcmp(row->command + 5, view) == 0)
		return false;
	if (strcmp(row->command, "view findings") == 0)
		return chrome_findings(model->snapshot) > 0;
	if (strcmp(row->command, "view minimization") == 0)
		return model->snapshot->minimizations_n > 0;
	return true;
}

static const char *
chrome_word(const struct model *model, const struct key_row *row)
{
	if (strcmp(row->command, "toggle-pause") == 0 &&
		model->snapshot->paused)
		return "resume";
	return row->word;
}

/* Neighbours with the same word share it: "+ - workers". */
static void
chrome_item_add(struct chrome_item *items, size_t *n, const char *key,
	const char *word, int priority)
{
	struct chrome_item *item = *n > 0 ? &items[*n - 1] : NULL;

	if (item != NULL && strcmp(item->word, word) == 0) {
		size_t len = strlen(item->keys);

		snprintf(item->keys + len, sizeof(item->keys) - len, " %s",
			key);
		return;
	}
	if (*n == CHROME_FOOTER_MAX)
		return;
	item = &items[(*n)++];
	*item = (struct chrome_item){ .word = word, .priority = priority };
	snprintf(item->keys, sizeof(item->keys), "%s", key);
}

static size_t
chrome_items(const struct model *model, struct chrome_item *items)
{
	char spoken[KEY_NAME_SIZE * 2];
	const struct key_row *row;
	size_t n = 0;

	for (size_t i = 0; (row = keys_row(i)) != NULL; i++)
		if ((row->context == model->context ||
			    row->context == KEYS_COMMON) &&
			chrome_matters(model, row))
			chrome_item_add(items, &n,
				key_name_spoken(row->key, spoken),
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
	return (int)(text_width(item->keys) + 1 + text_width(item->word));
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
chrome_item_draw(struct pen *pen, struct chrome_item *item)
{
	char *rest = item->keys, *key;

	while ((key = strsep(&rest, " ")) != NULL) {
		pen_text(pen, STYLE_KEY, key);
		pen_gap(pen, 1);
	}
	pen_text(pen, STYLE_FOOTER, item->word);
}

static void
chrome_keys(const struct model *model, struct grid *grid, struct rect row)
{
	struct chrome_item items[CHROME_FOOTER_MAX];
	size_t n = chrome_items(model, items);
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

static void
chrome_message(const struct model *model, struct grid *grid, struct rect row)
{
	struct pen pen = pen_at(grid, row, 0);
	enum style style = model->message_bad ? STYLE_WARN : STYLE_INFO;

	pen_gap(&pen, 1);
	pen_text(&pen, style,
		symbol(grid, model->message_bad ? SYMBOL_ALERT : SYMBOL_HERE));
	pen_gap(&pen, 1);
	pen_clean(&pen, style, model->message);
}

/* The text as far as the cursor can be seen, and the cursor. */
static void
chrome_prompt(const struct model *model, struct grid *grid, struct rect row)
{
	const struct field *field = &model->prompt.field;
	int cursor = field_cursor_column(field), room = row.w - 1;
	int skip = cursor >= room ? cursor - room + 1 : 0;
	const char *text = field->text + text_fit(field->text, (size_t)skip);
	struct rect at = { 1 + cursor - skip, row.y, 1, 1 };

	grid_fill(grid, row, STYLE_INPUT, " ");
	grid_text(grid, 0, row.y, 1, STYLE_INPUT, ":");
	grid_text(grid, 1, row.y, row.w - 1, STYLE_INPUT, text);
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
chrome_footer(const struct model *model, struct grid *grid)
{
	int h = grid_height(grid);
	struct rect row = { 0, h - 1, grid_width(grid), 1 };

	if (h < 4 && !model->prompt.open)
		return;
	grid_fill(grid, row, STYLE_FOOTER, " ");
	if (model->prompt.open)
		chrome_prompt(model, grid, row);
	else if (model->message[0] != '\0')
		chrome_message(model, grid, row);
	else if (model->link != LINK_ENDED)
		chrome_keys(model, grid, row);
}

/* ---- above the view ---- */

static struct rect
chrome_middle(struct rect area, int w, int h)
{
	w = w < area.w ? w : area.w;
	h = h < area.h ? h : area.h;
	return (struct rect){ area.x + (area.w - w) / 2,
		area.y + (area.h - h) / 3, w, h };
}

static void
chrome_choice(const struct model *model, struct grid *grid, struct rect inside,
	size_t i)
{
	const struct choice *choice = &model->question.choices[i];
	bool selected = model->question.selected == i;
	struct pen pen = pen_at(grid, inside,
		inside.h - (int)(model->question.choices_n - i));

	pen_text(&pen, selected ? STYLE_KEY : STYLE_DIALOG,
		selected ? symbol(grid, SYMBOL_HERE) : " ");
	pen_gap(&pen, 1);
	pen_text(&pen, STYLE_KEY, choice->key);
	pen_gap(&pen, 2);
	pen_text(&pen, STYLE_DIALOG, choice->label);
	if (selected)
		grid_restyle(grid,
			(struct rect){ inside.x, pen.y, inside.w, 1 },
			STYLE_SELECTED);
}

static void
chrome_question(const struct model *model, struct grid *grid, struct rect body)
{
	const struct question *q = &model->question;
	struct draw_box box = { .title = q->title, .focus = true };
	int h = 3 + (int)q->choices_n +
		((int)strlen(q->text) + CHROME_QUESTION_W - 9) /
			(CHROME_QUESTION_W - 8);
	struct rect rect = chrome_middle(body, CHROME_QUESTION_W, h);
	struct rect inside = draw_box(grid, rect, &box);
	struct rect text = inside;

	text.h -= (int)q->choices_n;
	if (text.h > 0)
		draw_words(grid, text, STYLE_DIALOG, q->text);
	for (size_t i = 0; i < q->choices_n; i++)
		chrome_choice(model, grid, inside, i);
}

/* Rows that the lines of a text take when broken at that width. */
static int
chrome_lines_height(const char *text, int w)
{
	int rows = 0;

	while (*text != '\0') {
		size_t len = strcspn(text, "\n");

		/* Words leave room at the ends of rows. */
		rows += 1 + (int)len * 9 / 8 / w;
		text += len + (text[len] == '\n');
	}
	return rows;
}

static void
chrome_lines(struct grid *grid, struct rect rect, const char *text)
{
	char line[MODEL_TEXT * 4];

	while (*text != '\0' && rect.h > 0) {
		size_t len = strcspn(text, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		draw_cut_top(&rect, draw_words(grid, rect, STYLE_DIALOG, line));
		text += len + (text[len] == '\n');
	}
}

/* Why nothing ran; stays until a key. */
static void
chrome_bye(const struct model *model, struct grid *grid, struct rect body)
{
	struct draw_box box = { .title = "nothing ran",
		.below = "any key ends",
		.focus = true };
	int w = body.w < CHROME_BYE_W ? body.w : CHROME_BYE_W;
	int h = chrome_lines_height(model->bye, w > 14 ? w - 4 : 10) + 3;
	struct rect rect = chrome_middle(body, w, h);

	chrome_lines(grid, draw_box(grid, rect, &box), model->bye);
}

void
chrome_draw(const struct model *model, struct grid *grid)
{
	struct rect body = chrome_body(grid);

	chrome_header(model, grid);
	chrome_footer(model, grid);
	if (model->question.open)
		chrome_question(model, grid, body);
	else if (model->link == LINK_ENDED && model->bye[0] != '\0')
		chrome_bye(model, grid, body);
}
