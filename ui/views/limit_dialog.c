/*
 * limit_dialog: state and keys of the limits dialog.
 *
 * The engine checks the values, not the dialog: the field stays open until the
 * engine accepts the value, and the dialog shows the engine's answer.
 */
#include "ui/views/limit_dialog.h"

#include <stdio.h>
#include <string.h>

#include "control/command.h"
#include "control/settings.h"
#include "ui/widgets/list.h"

#define LIMIT_DIALOG_PAGE 9 /* rows; a page up or down moves by one less */

void
limit_dialog_open(struct model *model)
{
	size_t selected = model->limits.selected;

	memset(&model->limits, 0, sizeof(model->limits));
	model->limits.open = true;
	if (selected < model->snapshot->limits_n)
		model->limits.selected = selected;
}

static const struct snapshot_limit *
limit_dialog_selected(const struct model *model)
{
	const struct snapshot *s = model->snapshot;

	return model->limits.selected < s->limits_n
		? &s->limits[model->limits.selected]
		: NULL;
}

static bool
limit_dialog_move(struct model *model, const char *command)
{
	struct limits *limits = &model->limits;
	struct list list = { .n = model->snapshot->limits_n,
		.page = LIMIT_DIALOG_PAGE,
		.selected = limits->selected };

	if (!list_command(&list, command))
		return false;
	limits->selected = list.selected;
	limits->problem[0] = '\0';
	limits->answer[0] = '\0';
	return true;
}

const char *
limit_dialog_refuses(const struct model *model)
{
	const char *why = model_only_shows(model);

	if (why == NULL && model->snapshot->state == RUN_ENDED)
		why = "the campaign has ended";
	return why;
}

static void
limit_dialog_edit(struct model *model, const char *text)
{
	const struct snapshot_limit *limit = limit_dialog_selected(model);
	const char *why = limit_dialog_refuses(model);
	struct limits *limits = &model->limits;

	limits->problem[0] = '\0';
	limits->answer[0] = '\0';
	if (limit == NULL)
		return;
	if (why != NULL) {
		snprintf(limits->problem, sizeof(limits->problem), "%s", why);
		return;
	}
	if (!limit->live) {
		snprintf(limits->problem, sizeof(limits->problem),
			"%s cannot change during a campaign; set it on the "
			"command line",
			limit->name);
		return;
	}
	limits->editing = true;
	text_field_set(&limits->field, text);
}

/* The typed text is one value, also with spaces. */
static void
limit_dialog_accept(struct model *model, char *send)
{
	const struct snapshot_limit *limit = limit_dialog_selected(model);
	const char *text = model->limits.field.text;
	size_t len;

	if (text[0] == '\0')
		model->limits.editing = false; /* unchanged */
	if (text[0] == '\0' || limit == NULL)
		return;
	len = (size_t)snprintf(send, COMMAND_LINE_MAX, "set %s ", limit->name);
	if (strpbrk(text, " \t\"") != NULL)
		command_quote(text, send + len, COMMAND_LINE_MAX - len);
	else
		snprintf(send + len, COMMAND_LINE_MAX - len, "%s", text);
}

static bool
limit_dialog_edit_command(struct model *model, const char *command, char *send)
{
	struct limits *limits = &model->limits;

	if (strcmp(command, "accept") == 0)
		limit_dialog_accept(model, send);
	else if (strcmp(command, "cancel") == 0)
		limits->editing = false;
	else
		return text_field_command(&limits->field, command);
	return true;
}

/* A new value replaces "none" and is added to a list, so typing starts with an
 * empty field there. */
static const char *
limit_dialog_start(const struct snapshot_limit *limit)
{
	const struct option *option =
		limit != NULL ? settings_find(limit->name) : NULL;

	if (limit == NULL || strcmp(limit->value, "none") == 0 ||
		(option != NULL && option->type == OPTION_TEXTS))
		return "";
	return limit->value;
}

bool
limit_dialog_command(struct model *model, const char *command, char *send)
{
	const struct snapshot_limit *limit = limit_dialog_selected(model);

	if (model->limits.editing)
		return limit_dialog_edit_command(model, command, send);
	if (strcmp(command, "open") == 0)
		limit_dialog_edit(model, limit_dialog_start(limit));
	else if (strcmp(command, "back") == 0)
		model->limits.open = false;
	else
		return limit_dialog_move(model, command);
	return true;
}

bool
limit_dialog_type(struct model *model, const char *text, size_t len)
{
	if (!model->limits.editing && len > 0 && text[0] >= '0' &&
		text[0] <= '9')
		limit_dialog_edit(model, "");
	if (!model->limits.editing)
		return false;
	text_field_insert(&model->limits.field, text, len);
	return true;
}

void
limit_dialog_answer(struct model *model, bool ok, const char *text)
{
	struct limits *limits = &model->limits;

	limits->problem[0] = '\0';
	limits->answer[0] = '\0';
	if (ok)
		limits->editing = false;
	snprintf(ok ? limits->answer : limits->problem, MODEL_TEXT, "%s", text);
}
