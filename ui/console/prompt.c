/*
 * prompt: the lines after `:` and `/`.
 */
#include "ui/console/prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "control/settings.h"
#include "ui/console/completion.h"
#include "ui/model/action.h"

#define PROMPT_VALUE 64 /* bytes of an option's value in the line above */

/* ---- history ---- */

void
prompt_history_clear(struct prompt_history *history)
{
	for (size_t i = 0; i < history->n; i++)
		free(history->lines[i]);
	memset(history, 0, sizeof(*history));
}

void
prompt_history_add(struct prompt_history *history, const char *line)
{
	if (line[0] == '\0' ||
		(history->n > 0 &&
			strcmp(history->lines[history->n - 1], line) == 0))
		return;
	if (history->n == PROMPT_HISTORY) {
		free(history->lines[0]);
		memmove(history->lines, history->lines + 1,
			sizeof(history->lines) - sizeof(history->lines[0]));
		history->n--;
	}
	history->lines[history->n++] = xstrdup(line);
	if (history->fresh < history->n)
		history->fresh++;
}

static void
prompt_history_show(struct prompt_history *history, struct text_field *field,
	size_t at)
{
	if (at > history->n)
		return;
	if (history->at == history->n)
		snprintf(history->typed, sizeof(history->typed), "%s",
			field->text);
	history->at = at;
	text_field_set(field,
		at == history->n ? history->typed : history->lines[at]);
}

/* ---- the line above ---- */

/* Shows `set timeout MS Time limit … Now: 1000`; false: unknown option. */
static bool
prompt_hint_option(struct model *model)
{
	struct prompt *p = &model->prompt;
	const struct snapshot_limit *limit;
	const struct option *o;
	char name[TEXT_FIELD_SIZE], now[PROMPT_VALUE] = "";

	if (sscanf(p->field.text, "set %511s", name) != 1)
		return false;
	o = settings_find(name);
	if (o == NULL || !(o->flags & OPTION_LIVE))
		return false;
	limit = snapshot_find_limit(model->snapshot, name);
	if (limit != NULL)
		text_clean_string(limit->value, now, sizeof(now));
	snprintf(p->hint, sizeof(p->hint), "set %s %s   %s%s%s", o->name,
		o->arg != NULL ? o->arg : "on|off", o->help,
		now[0] != '\0' ? " Now: " : "", now);
	return true;
}

/* Shows the usage of the command being typed. */
static void
prompt_hint(struct model *model)
{
	struct prompt *p = &model->prompt;
	const struct command_row *command;
	const struct action_row *action;
	char name[TEXT_FIELD_SIZE];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(p->field.text, " "),
		p->field.text);
	command = command_find(name);
	action = action_find(name);
	p->hint[0] = '\0';
	if (prompt_hint_option(model))
		return;
	if (command != NULL)
		snprintf(p->hint, sizeof(p->hint), "%s   %s", command->usage,
			command->help);
	else if (action != NULL)
		snprintf(p->hint, sizeof(p->hint), "%s   %s", action->usage,
			action->help);
}

static void
prompt_complete(struct model *model)
{
	struct text_field *field = &model->prompt.field;
	struct completion c;

	completion_collect(&c, field, model->snapshot);
	if (c.n == 0) {
		snprintf(model->prompt.hint, MODEL_TEXT, "no completion");
		return;
	}
	text_field_insert(field, c.common + c.word_len,
		strlen(c.common) - c.word_len);
	if (c.n == 1) {
		text_field_insert(field, " ", 1);
		prompt_hint(model);
	} else {
		snprintf(model->prompt.hint, MODEL_TEXT, "%s", c.list);
	}
}

/* ---- the line ---- */

void
prompt_open(struct prompt_history *history, struct model *model)
{
	memset(&model->prompt, 0, sizeof(model->prompt));
	model->prompt.open = true;
	history->at = history->n;
	history->typed[0] = '\0';
}

/* ---- a filter ---- */

void
prompt_open_filter(struct model *model, enum key_context view)
{
	struct prompt *p = &model->prompt;

	memset(p, 0, sizeof(*p));
	p->open = p->filter = true;
	p->filtered = view;
	text_field_set(&p->field, model->filters[view].text);
	keys_text(KEYS_EDIT,
		"rows must have all these words; {accept} keeps the "
		"filter, {cancel} removes it",
		p->hint, sizeof(p->hint));
}

static void
prompt_use_filter(struct model *model)
{
	const struct prompt *p = &model->prompt;

	filter_set(&model->filters[p->filtered], p->field.text);
}

/* True: closed. */
static bool
prompt_filter_command(struct model *model, const char *command)
{
	struct prompt *p = &model->prompt;

	if (strcmp(command, "accept") == 0) {
		p->open = false;
	} else if (strcmp(command, "cancel") == 0 ||
		(strcmp(command, "rubout") == 0 && p->field.len == 0)) {
		text_field_set(&p->field, "");
		p->open = false;
	} else {
		text_field_command(&p->field, command);
	}
	prompt_use_filter(model);
	return !p->open;
}

/* ---- the last word of a command ---- */

static const char *
prompt_trim(char *text)
{
	size_t len = strlen(text);

	while (len > 0 && text[len - 1] == ' ')
		text[--len] = '\0';
	return text + strspn(text, " ");
}

void
prompt_open_word(struct model *model, const char *command, const char *text)
{
	struct prompt *p = &model->prompt;
	const struct command_row *row;
	char name[sizeof(p->command)];

	memset(p, 0, sizeof(*p));
	p->open = true;
	snprintf(p->command, sizeof(p->command), "%s", command);
	text_field_set(&p->field, text);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(command, " "),
		command);
	row = command_find(name);
	if (row != NULL)
		snprintf(p->hint, sizeof(p->hint), "%s", row->help);
}

/* True: closed. */
static bool
prompt_word_command(struct prompt_history *history, struct model *model,
	const char *command, const char **line)
{
	struct prompt *p = &model->prompt;
	char word[2 * TEXT_FIELD_SIZE + 4];

	if (strcmp(command, "accept") == 0) {
		command_quote(prompt_trim(p->field.text), word, sizeof(word));
		snprintf(history->line, sizeof(history->line), "%s %s",
			p->command, word);
		*line = history->line;
		p->open = false;
	} else if (strcmp(command, "cancel") == 0) {
		p->open = false;
	} else {
		text_field_command(&p->field, command);
	}
	return !p->open;
}

/* ---- keys ---- */

bool
prompt_command(struct prompt_history *history, struct model *model,
	const char *command, const char **line)
{
	struct text_field *field = &model->prompt.field;

	*line = "";
	if (model->prompt.filter)
		return prompt_filter_command(model, command);
	if (model->prompt.command[0] != '\0')
		return prompt_word_command(history, model, command, line);
	if (strcmp(command, "accept") == 0) {
		*line = prompt_trim(field->text);
		prompt_history_add(history, *line);
		model->prompt.open = false;
		return true;
	}
	if (strcmp(command, "cancel") == 0 ||
		(strcmp(command, "rubout") == 0 && field->len == 0)) {
		model->prompt.open = false;
		return true;
	}
	if (strcmp(command, "complete") == 0) {
		prompt_complete(model);
		return false;
	}
	if (strcmp(command, "previous") == 0)
		prompt_history_show(history, field, history->at - 1);
	else if (strcmp(command, "next") == 0)
		prompt_history_show(history, field, history->at + 1);
	else
		text_field_command(field, command);
	prompt_hint(model);
	return false;
}

void
prompt_type(struct model *model, const char *text, size_t len)
{
	text_field_insert(&model->prompt.field, text, len);
	if (model->prompt.filter)
		prompt_use_filter(model);
	else if (model->prompt.command[0] == '\0')
		prompt_hint(model);
}
