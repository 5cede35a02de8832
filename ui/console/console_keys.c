/*
 * console_keys: dispatches keys and the mouse.
 *
 * The topmost element takes all keys: a question, the prompt, the limits
 * dialog. Only the common Ctrl keys bypass it.
 */
#include "ui/console/console_private.h"

#include <stdio.h>
#include <string.h>

#include "control/command.h"
#include "shared/utf8.h"
#include "ui/console/explain.h"
#include "ui/console/recall.h"
#include "ui/views/limit_dialog.h"

#define CONSOLE_WHEEL_ROWS 3

static const char *
console_text_of(const char *key)
{
	uint32_t code;

	if (strcmp(key, "Space") == 0)
		return " ";
	/* Other names of keys have more than one character. */
	return utf8_decode(key, strlen(key), &code) == strlen(key) ? key : "";
}

static void
console_answered(struct console *c, const char *line)
{
	char copy[MODEL_TEXT];

	snprintf(copy, sizeof(copy), "%s", line);
	if (copy[0] != '\0' && !console_leave(c, copy))
		console_send(c, copy);
}

static void
console_key_ask(struct console *c, const struct key_row *row, const char *key)
{
	const char *line;

	if (row != NULL ? ask_command(&c->model, row->command, &line)
			: ask_key(&c->model, key, &line))
		console_answered(c, line);
}

static void
console_key_prompt(struct console *c, const struct key_row *row,
	const char *key)
{
	const char *text = console_text_of(key);
	char copy[PROMPT_LINE];
	const char *line;

	if (row == NULL) {
		prompt_type(&c->model, text, strlen(text));
	} else if (prompt_command(&c->history, &c->model, row->command,
			   &line)) {
		snprintf(copy, sizeof(copy), "%s", line);
		if (copy[0] == '\0')
			return;
		recall_save(&c->history);
		console_line(c, copy, true);
	}
}

static void
console_key_limits(struct console *c, const struct key_row *row,
	const char *key)
{
	const char *text = console_text_of(key);
	char send[COMMAND_LINE_MAX] = "";
	struct command command;
	struct error err = { 0 };

	if (row == NULL)
		limit_dialog_type(&c->model, text, strlen(text));
	else
		limit_dialog_command(&c->model, row->command, send);
	if (send[0] == '\0')
		return;
	if (command_parse(send, &command, &err) == OK &&
		ask_about(&c->ask, &c->model, &command, send))
		c->model.limits.editing = false;
	else
		c->limits_id = console_send(c, send);
}

static void
console_key_unknown(struct console *c, const char *key)
{
	const struct key_row *help = keys_for_command(KEYS_COMMON, "explain");
	char spoken[KEY_NAME_SIZE * 2];

	model_say(&c->model, false, "%s does nothing here; %s shows the keys",
		key_name_spoken(key, spoken),
		help != NULL ? help->key : ":help");
}

/* In the tour and the help in place, a row of keys.json may have any other
 * command. */
static bool
console_is_own(const struct key_row *row, enum key_context context)
{
	const struct key_row *own =
		keys_default_for_command(context, row->command);

	return row->context == context && own != NULL &&
		own->context == context;
}

/* Any other key closes the help in place and then has its usual effect. */
static void
console_key_explain(struct console *c, const struct key_row *row,
	const char *key)
{
	bool help = row != NULL && strcmp(row->command, "help") == 0;

	if (row != NULL && !help && console_is_own(row, KEYS_EXPLAIN)) {
		explain_command(&c->model, c->grid, row->command);
		return;
	}
	c->model.explain.open = false;
	console_update_context(c);
	if (row == NULL || row->context != KEYS_EXPLAIN)
		row = keys_find(c->model.context, key);
	if (row != NULL)
		console_line(c, row->command, false);
	else
		console_key_unknown(c, key);
}

/* A page that is open can be turned in a recording, too. */
static bool
console_turns(const struct console *c, const char *key)
{
	const struct view_ops *view = console_view(c->view);
	const struct key_row *row = keys_find(c->model.context, key);

	return view->turns != NULL && view->turns(c->views[c->view]) &&
		row != NULL &&
		(strcmp(row->command, "left") == 0 ||
			strcmp(row->command, "right") == 0);
}

/* The keys of the tour, then those of a recording precede the view's keys. */
static const struct key_row *
console_find_key(const struct console *c, const char *key)
{
	const struct model *m = &c->model;
	const struct key_row *row = NULL;

	if (m->tour.open && !m->explain.open && !key_context_closed(m->context))
		row = keys_find(KEYS_TOUR, key);
	if (row != NULL && row->context == KEYS_TOUR)
		return row;
	row = NULL;
	if (model_takes_playback_keys(m) && !console_turns(c, key))
		row = keys_find(KEYS_PLAYBACK, key);
	if (row != NULL && row->context == KEYS_PLAYBACK)
		return row;
	return keys_find(m->context, key);
}

static bool
console_is_view_on_top(const struct model *m)
{
	return m->context != KEYS_EXPLAIN && m->context != KEYS_ASK &&
		!m->prompt.open && !m->limits.open;
}

static void
console_dispatch_key(struct console *c, const char *key)
{
	struct model *m = &c->model;
	const struct key_row *row = console_find_key(c, key);

	m->message[0] = '\0';
	if (row != NULL && console_is_own(row, KEYS_TOUR))
		console_tour(c, row->command);
	else if (row != NULL &&
		(row->context == KEYS_COMMON || row->context == KEYS_TOUR ||
			console_is_view_on_top(m)))
		console_line(c, row->command, false);
	else if (m->context == KEYS_EXPLAIN)
		console_key_explain(c, row, key);
	else if (m->context == KEYS_ASK)
		console_key_ask(c, row, key);
	else if (m->prompt.open)
		console_key_prompt(c, row, key);
	else if (m->limits.open)
		console_key_limits(c, row, key);
	else
		console_key_unknown(c, key);
}

void
console_on_key(void *arg, const char *key)
{
	struct console *c = arg;

	if (c->done)
		return;
	/* After a failed start any key ends the console. */
	if (c->model.link == LINK_ENDED && c->model.bye[0] != '\0' &&
		!c->model.question.open) {
		console_end(c);
		return;
	}
	console_dispatch_key(c, key);
	console_update_context(c);
	console_ask(c);
	if (!c->done)
		console_paint(c);
}

/* ---- the mouse ---- */

/* Runs the line of the clicked spot, for the topmost element. */
static void
console_click(struct console *c, const char *line)
{
	struct model *m = &c->model;
	char send[COMMAND_LINE_MAX] = "";

	/* The key would be typed into the prompt. */
	if (m->prompt.open && !m->question.open)
		return;
	if (strncmp(line, "key ", 4) == 0)
		console_dispatch_key(c, line + 4);
	else if (m->question.open)
		return;
	else if (m->limits.open)
		limit_dialog_command(m, line, send);
	else
		console_line(c, line, false);
}

/*
 * While help in place is open, a click selects a field; key labels still act as
 * keys.
 */
static bool
console_explains(const struct console *c, const struct hot_spot *spot,
	const struct mouse *mouse)
{
	bool key = spot != NULL && strncmp(spot->text, "key ", 4) == 0;

	return c->model.context == KEYS_EXPLAIN && !key &&
		hot_spots_at(grid_hot_spots(c->grid), HOT_SPOT_FIELD, mouse->x,
			mouse->y) != NULL;
}

static void
console_wheel(struct console *c, const char *key)
{
	for (int i = 0; i < CONSOLE_WHEEL_ROWS; i++)
		console_dispatch_key(c, key);
}

void
console_on_mouse(void *arg, const struct mouse *mouse)
{
	struct console *c = arg;
	const struct hot_spot *spot;
	char line[HOT_SPOT_TEXT];

	if (c->done)
		return;
	spot = hot_spots_at(grid_hot_spots(c->grid), HOT_SPOT_COMMAND, mouse->x,
		mouse->y);
	if (mouse->kind != MOUSE_CLICK) {
		console_wheel(c,
			mouse->kind == MOUSE_WHEEL_UP ? "WheelUp"
						      : "WheelDown");
	} else if (console_explains(c, spot, mouse)) {
		explain_pick(&c->model, c->grid, mouse->x, mouse->y);
	} else if (spot != NULL) {
		/*
		 * The command may repaint and thereby delete the spot: copy its
		 * text.
		 */
		snprintf(line, sizeof(line), "%s", spot->text);
		console_click(c, line);
	}
	console_update_context(c);
	console_ask(c);
	if (!c->done)
		console_paint(c);
}

void
console_on_paste(void *arg, const char *text, size_t len)
{
	struct console *c = arg;

	if (c->model.prompt.open && !c->model.question.open)
		prompt_type(&c->model, text, len);
	else if (!c->model.limits.open ||
		!limit_dialog_type(&c->model, text, len))
		model_say(&c->model, false,
			"pasted text is ignored here; the prompt (:) accepts it");
	console_update_context(c);
	console_changed(c);
}
