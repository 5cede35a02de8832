/*
 * screen_footer: useful keys, or the prompt.
 *
 * The footer is a list of keys with priorities. A key that does not fit is left
 * out; words are never truncated.
 */
#include "ui/console/screen_footer.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "control/command.h"
#include "ui/views/limit_dialog.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"

#define SCREEN_FOOTER_ITEMS 40
#define SCREEN_FOOTER_ITEM_KEYS 4
#define SCREEN_FOOTER_GAP 3

struct screen_footer_item {
	char keys[SCREEN_FOOTER_ITEM_KEYS][KEY_NAME_SIZE];
	size_t n;
	const char *word;
	int priority;
	bool shown;
};

/* Only these keys make sense in a recording, which has no engine. */
static bool
screen_footer_matters_in_playback(const struct key_row *row)
{
	return strncmp(row->command, "view ", 5) == 0 ||
		strcmp(row->command, "quit") == 0 ||
		strcmp(row->command, "next-view") == 0;
}

/* Does the command need an engine? */
static bool
screen_footer_needs_engine(const char *command)
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

/* After the end there is only work on findings, as long as the engine stays. */
static bool
screen_footer_ended(const struct model *model, const struct key_row *row)
{
	bool stays = model->link == LINK_UP && !model->playback.on;

	return screen_footer_needs_engine(row->command) &&
		!(stays &&
			(row->context == KEYS_FINDINGS ||
				row->context == KEYS_MINIMIZATION ||
				strcmp(row->command, "trail") == 0));
}

/* While a campaign is ending, the engine accepts only stop steps; from one who
 * only watches it accepts none. */
static bool
screen_footer_too_late(const struct model *model, const struct key_row *row)
{
	const struct snapshot *s = model->snapshot;
	const char *command = row->command;

	if (model->watching && screen_footer_needs_engine(command))
		return true;
	if (model->link == LINK_ENDED || s->state == RUN_ENDED)
		return screen_footer_ended(model, row);
	if (s->state != RUN_STOPPING || !screen_footer_needs_engine(command))
		return false;
	return strcmp(command, "stop") != 0 || s->stop_step >= STOP_KILL;
}

/* Is the key useful now? */
static bool
screen_footer_matters(const struct model *model, const struct key_row *row)
{
	const char *view = key_context_name(model->view);

	if (row->word == NULL || screen_footer_too_late(model, row) ||
		(row->context == KEYS_LIMITS &&
			(model->snapshot->limits_n == 0 ||
				limit_dialog_refuses(model) != NULL) &&
			strcmp(row->command, "open") == 0))
		return false;
	if (row->context != model->context && row->context != KEYS_PLAYBACK &&
		keys_find(model->context, row->key) != row)
		return false;
	if (row->context != KEYS_PLAYBACK &&
		(model_takes_playback_keys(model) ||
			(model->playback.on && row->context == KEYS_COMMON)))
		return screen_footer_matters_in_playback(row);
	if (strncmp(row->command, "view ", 5) == 0 &&
		strcmp(row->command + 5, view) == 0)
		return false;
	if (strcmp(row->command, "view findings") == 0)
		return snapshot_findings(model->snapshot) > 0;
	if (strcmp(row->command, "view minimization") == 0)
		return model->snapshot->minimizations_n > 0;
	return true;
}

/* In a recording, an open page keeps the keys that turn it. */
static bool
screen_footer_is_taken(const struct model *model, const struct view_ops *view,
	const void *state, const struct key_row *row)
{
	const struct key_row *own = keys_find(model->context, row->key);

	return row->context == KEYS_PLAYBACK && view != NULL &&
		view->turns != NULL && view->turns(state) && own != NULL &&
		(strcmp(own->command, "left") == 0 ||
			strcmp(own->command, "right") == 0);
}

bool
screen_footer_offers(const struct model *model, const struct view_ops *view,
	void *state, const struct key_row *row)
{
	bool own = view != NULL && view->offers != NULL &&
		row->context == view->context;

	return screen_footer_matters(model, row) &&
		!screen_footer_is_taken(model, view, state, row) &&
		(!own || view->offers(state, model, row->command));
}

static const char *
screen_footer_word(const struct model *model, const struct key_row *row)
{
	if (strcmp(row->command, "toggle-pause") == 0 &&
		(model->playback.on ? model->playback.paused
				    : model->snapshot->paused))
		return model->playback.on ? "play" : "resume";
	return row->word;
}

/* Adjacent keys with the same word share it: "+ - workers". */
static void
screen_footer_item_add(struct screen_footer_item *items, size_t *n,
	const char *key, const char *word, int priority)
{
	struct screen_footer_item *item = *n > 0 ? &items[*n - 1] : NULL;

	if (item == NULL || strcmp(item->word, word) != 0) {
		if (*n == SCREEN_FOOTER_ITEMS)
			return;
		item = &items[(*n)++];
		*item = (struct screen_footer_item){ .word = word,
			.priority = priority };
	}
	if (item->n < SCREEN_FOOTER_ITEM_KEYS)
		snprintf(item->keys[item->n++], KEY_NAME_SIZE, "%s", key);
}

static size_t
screen_footer_items(const struct model *model, const struct view_ops *view,
	void *state, struct screen_footer_item *items)
{
	const struct key_row *row;
	size_t n = 0;

	for (size_t i = 0; (row = keys_row(i)) != NULL; i++)
		if ((row->context == model->context ||
			    row->context == KEYS_COMMON ||
			    (row->context == KEYS_PLAYBACK &&
				    model_takes_playback_keys(model))) &&
			screen_footer_offers(model, view, state, row))
			screen_footer_item_add(items, &n, row->key,
				screen_footer_word(model, row), row->priority);
	return n;
}

static void
screen_footer_question_items(const struct model *model,
	struct screen_footer_item *items, size_t *n)
{
	const struct question *q = &model->question;

	for (size_t i = 0; i < q->choices_n; i++)
		if (q->choices[i].command[0] != '\0')
			screen_footer_item_add(items, n, q->choices[i].key,
				q->choices[i].label, 95);
}

static int
screen_footer_item_width(const struct screen_footer_item *item)
{
	char spoken[KEY_NAME_SIZE * 2];
	size_t width = text_width(item->word);

	for (size_t i = 0; i < item->n; i++)
		width += text_width(key_name_spoken(item->keys[i], spoken)) + 1;
	return (int)width;
}

/* Chooses the most important parts that fit. Returns the gap between them. */
static int
screen_footer_choose(struct screen_footer_item *items, size_t n, int room)
{
	int left = room - 1, shown = 0, gap;

	for (;;) {
		struct screen_footer_item *best = NULL;

		for (size_t i = 0; i < n; i++)
			if (!items[i].shown && items[i].priority > 0 &&
				(best == NULL ||
					items[i].priority > best->priority))
				best = &items[i];
		if (best == NULL)
			break;
		best->shown = screen_footer_item_width(best) + 2 <= left;
		if (best->shown)
			left -= screen_footer_item_width(best) + 2;
		shown += best->shown;
		best->priority = 0;
	}
	gap = shown > 0 && left >= shown ? SCREEN_FOOTER_GAP : 2;
	return gap;
}

static void
screen_footer_item_draw(struct row_writer *out,
	const struct screen_footer_item *item)
{
	char spoken[KEY_NAME_SIZE * 2];
	int from = out->x;

	for (size_t i = 0; i < item->n; i++) {
		from = out->x;
		row_text(out, STYLE_KEY,
			key_name_spoken(item->keys[i], spoken));
		draw_key_hot_spot(out, from, item->keys[i]);
		row_gap(out, 1);
	}
	row_text(out, STYLE_FOOTER, item->word);
	if (item->n == 1)
		draw_key_hot_spot(out, from, item->keys[0]);
}

static void
screen_footer_keys(const struct model *model, struct grid *grid,
	struct rect row, const struct view_ops *view, void *state)
{
	struct screen_footer_item items[SCREEN_FOOTER_ITEMS];
	size_t n = screen_footer_items(model, view, state, items);
	struct row_writer out = row_put_at(grid, row, 0);
	int gap;

	if (model->context == KEYS_ASK)
		screen_footer_question_items(model, items, &n);
	gap = screen_footer_choose(items, n, row.w);
	row_gap(&out, 1);
	for (size_t i = 0; i < n; i++) {
		if (!items[i].shown)
			continue;
		screen_footer_item_draw(&out, &items[i]);
		row_gap(&out, gap);
	}
}

/* ---- the prompt ---- */

/* Writes the sign or name before the prompt. Returns its columns. */
static int
screen_footer_prompt_sign(const struct model *model, int width,
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

static void
screen_footer_prompt(const struct model *model, struct grid *grid,
	struct rect row)
{
	char sign[sizeof(model->prompt.command) + 4];
	int label = screen_footer_prompt_sign(model, row.w, sign);

	grid_text(grid, 0, row.y, label, STYLE_INPUT, sign);
	draw_field(&model->prompt.field, grid,
		(struct rect){ label, row.y, row.w - label, 1 });
	if (row.y >= 2 && model->prompt.hint[0] != '\0') {
		struct rect above = { 0, row.y - 1, row.w, 1 };
		struct row_writer out = row_put_at(grid, above, 0);

		grid_fill(grid, above, STYLE_INFO, " ");
		row_gap(&out, 1);
		row_clean(&out, STYLE_INFO, model->prompt.hint);
	}
}

void
screen_footer_draw(const struct model *model, struct grid *grid,
	const struct view_ops *view, void *state)
{
	int h = grid_height(grid);
	struct rect row = { 0, h - 1, grid_width(grid), 1 };

	if (h < 4 && !model->prompt.open)
		return;
	grid_fill(grid, row, STYLE_FOOTER, " ");
	if (model->prompt.open)
		screen_footer_prompt(model, grid, row);
	else if (model->link != LINK_ENDED || model->bye[0] == '\0')
		screen_footer_keys(model, grid, row, view, state);
}
