/*
 * console_actions: what the console's own commands do.
 */
#include "ui/console_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/command.h"
#include "ui/action.h"
#include "ui/limits.h"

#define CONSOLE_HELP (CONSOLE_VIEWS - 1)

/* The help is no stop on the way through the views. */
static void
console_turn_view(struct console *c, size_t step)
{
	size_t n = CONSOLE_HELP;
	size_t from = c->view == CONSOLE_HELP ? c->view_before : c->view;

	console_show_view(c, (from + step + n) % n);
}

static void
console_view_named(struct console *c, const char *name)
{
	for (size_t i = 0; i < CONSOLE_VIEWS; i++) {
		if (strcmp(console_view(i)->name, name) == 0) {
			console_show_view(c, i);
			return;
		}
	}
	model_say(&c->model, true, "there is no view `%s`", name);
}

static void
console_toggle_pause(struct console *c)
{
	console_send(c, c->model.snapshot->paused ? "resume" : "pause");
}

static const struct snapshot_worker *
console_worker(struct console *c)
{
	const struct snapshot_worker *worker = model_worker(&c->model);

	if (worker == NULL)
		model_say(&c->model, true, "there is no worker now");
	return worker;
}

static void
console_toggle_worker(struct console *c)
{
	const struct snapshot_worker *worker = console_worker(c);
	char line[64];

	if (worker == NULL)
		return;
	snprintf(line, sizeof(line), "%s %" PRIu32,
		worker->paused ? "resume" : "pause", worker->id);
	console_send(c, line);
}

static void
console_stop_worker(struct console *c)
{
	const struct snapshot_worker *worker = console_worker(c);
	char line[64];

	if (worker == NULL)
		return;
	snprintf(line, sizeof(line), "stop %" PRIu32, worker->id);
	if (!ask_about(&c->ask, &c->model, line))
		console_send(c, line);
}

static void
console_use_theme(struct console *c, const char *name)
{
	struct theme theme;
	struct error err;

	error_clear(&err);
	if (theme_load(name, &theme, &err) != OK) {
		model_say(&c->model, true, "%s", err.text);
		return;
	}
	snprintf(c->model.theme, sizeof(c->model.theme), "%s", theme.name);
	terminal_set_theme(c->terminal, &theme);
	if (!terminal_has_color(c->terminal))
		model_say(&c->model, false,
			"theme %s; but no colours are shown here, so it looks "
			"like monochrome",
			theme.name);
	else
		model_say(&c->model, false, "theme %s", theme.name);
}

static void
console_next_theme(struct console *c)
{
	if (theme_builtin(++c->theme) == NULL)
		c->theme = 0;
	console_use_theme(c, theme_builtin(c->theme));
}

static void
console_back(struct console *c)
{
	if (c->view == CONSOLE_HELP)
		console_show_view(c, c->view_before);
	else if (c->view != 0)
		console_show_view(c, 0);
}

static void
console_help(struct console *c)
{
	console_show_view(c,
		c->view == CONSOLE_HELP ? c->view_before : CONSOLE_HELP);
}

static void
console_act(struct console *c, enum action_id id, const char *arg)
{
	switch (id) {
	case ACTION_TOGGLE_PAUSE:
		console_toggle_pause(c);
		break;
	case ACTION_TOGGLE_WORKER:
		console_toggle_worker(c);
		break;
	case ACTION_STOP_WORKER:
		console_stop_worker(c);
		break;
	case ACTION_SELECT:
		c->model.selected_worker = (uint32_t)strtoul(arg, NULL, 10);
		break;
	case ACTION_VIEW:
		console_view_named(c, arg);
		break;
	case ACTION_NEXT_VIEW:
		console_turn_view(c, 1);
		break;
	case ACTION_PREVIOUS_VIEW:
		console_turn_view(c, (size_t)-1);
		break;
	case ACTION_HELP:
		console_help(c);
		break;
	case ACTION_LIMITS:
		limits_open(&c->model);
		break;
	case ACTION_PROMPT:
		prompt_open(&c->history, &c->model);
		break;
	case ACTION_THEME:
		if (arg[0] != '\0')
			console_use_theme(c, arg);
		else
			console_next_theme(c);
		break;
	case ACTION_REDRAW:
		terminal_redraw(c->terminal);
		break;
	case ACTION_SUSPEND:
		terminal_suspend(c->terminal);
		break;
	case ACTION_BACK:
		console_back(c);
		break;
	case ACTION_COUNT:
		break;
	}
}

/* Splits "name argument"; false: it is none of the console's commands. */
static bool
console_try_action(struct console *c, const char *line)
{
	size_t len = strcspn(line, " ");
	const char *arg = line + len + strspn(line + len, " ");
	const struct action_row *row;
	char name[32];

	snprintf(name, sizeof(name), "%.*s", (int)len, line);
	row = action_find(name);
	if (row == NULL)
		return false;
	if (arg[0] != '\0' && row->max_args == 0)
		model_say(&c->model, true, "%s takes no argument", name);
	else
		console_act(c, row->id, arg);
	return true;
}

/* What is typed is checked here, so that a slip costs no round trip. */
static void
console_engine_line(struct console *c, const char *line, bool typed)
{
	struct command command;
	struct error err;

	error_clear(&err);
	if (command_parse(line, &command, &err) != OK) {
		if (typed)
			model_say(&c->model, true, "%s", err.text);
		return;
	}
	if (!ask_about(&c->ask, &c->model, line))
		console_send(c, line);
}

void
console_line(struct console *c, const char *line, bool typed)
{
	const struct view_ops *view = console_view(c->view);
	char send[COMMAND_LINE_MAX] = "";

	if (view->command(c->views[c->view], &c->model, line, send)) {
		if (send[0] == '\0')
			return;
		line = send;
		typed = true;
	}
	if (!console_try_action(c, line))
		console_engine_line(c, line, typed);
}
