/*
 * console_keys: from a key to the one who takes it.
 *
 * What lies on top takes all keys: a question, the prompt, the limits. Only
 * the common Ctrl keys go past them.
 */
#include "ui/console_private.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "control/command.h"
#include "ui/limits.h"

static const char *
console_text_of(const char *key)
{
	if (strcmp(key, "Space") == 0)
		return " ";
	/* Names of keys are longer than one character. */
	return text_width(key) <= 2 && text_fit(key, 1) == strlen(key) ? key
								       : "";
}

static void
console_answered(struct console *c, const char *line)
{
	char copy[MODEL_TEXT];

	snprintf(copy, sizeof(copy), "%s", line);
	if (copy[0] != '\0')
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
	char copy[FIELD_SIZE];
	const char *line;

	if (row == NULL) {
		prompt_type(&c->model, text, strlen(text));
	} else if (prompt_command(&c->history, &c->model, row->command,
			   &line)) {
		snprintf(copy, sizeof(copy), "%s", line);
		if (copy[0] != '\0')
			console_line(c, copy, true);
	}
}

static void
console_key_limits(struct console *c, const struct key_row *row,
	const char *key)
{
	const char *text = console_text_of(key);
	char send[COMMAND_LINE_MAX] = "";

	if (row == NULL)
		limits_type(&c->model, text, strlen(text));
	else
		limits_command(&c->model, row->command, send);
	if (send[0] != '\0')
		c->limits_id = console_send(c, send);
}

static void
console_key_view(struct console *c, const struct key_row *row, const char *key)
{
	const struct key_row *help = keys_for_command(KEYS_COMMON, "help");
	char spoken[KEY_NAME_SIZE * 2];

	if (row != NULL)
		console_line(c, row->command, false);
	else
		model_say(&c->model, false,
			"%s does nothing here; %s shows the keys",
			key_name_spoken(key, spoken), help->key);
}

static void
console_dispatch_key(struct console *c, const char *key)
{
	struct model *m = &c->model;
	const struct key_row *row = keys_find(m->context, key);

	m->message[0] = '\0';
	if (row != NULL && row->context == KEYS_COMMON)
		console_line(c, row->command, false);
	else if (m->context == KEYS_ASK)
		console_key_ask(c, row, key);
	else if (m->prompt.open)
		console_key_prompt(c, row, key);
	else if (m->limits.open)
		console_key_limits(c, row, key);
	else
		console_key_view(c, row, key);
}

void
console_on_key(void *arg, const char *key)
{
	struct console *c = arg;

	if (c->done)
		return;
	if (c->model.link == LINK_ENDED) {
		console_end(c);
		return;
	}
	console_dispatch_key(c, key);
	console_update_context(c);
	if (!c->done)
		console_paint(c);
}

void
console_on_paste(void *arg, const char *text, size_t len)
{
	struct console *c = arg;

	if (c->model.prompt.open && !c->model.question.open)
		prompt_type(&c->model, text, len);
	else if (!c->model.limits.open || !limits_type(&c->model, text, len))
		model_say(&c->model, false,
			"pasted text was ignored; the prompt (:) takes it");
	console_update_context(c);
	console_changed(c);
}
