/*
 * console_actions: the console's own commands.
 */
#include "ui/console/console_private.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "control/command.h"
#include "ui/console/explain.h"
#include "ui/console/tour.h"
#include "ui/model/action.h"
#include "ui/model/keys_file.h"
#include "ui/views/limit_dialog.h"

#define CONSOLE_HELP (CONSOLE_VIEWS - 1)

void
console_say_usage(struct console *c, enum action_id id)
{
	model_say(&c->model, true, "write: %s", action_row(id)->usage);
}

/* The view that is shown, or that the help covers. */
static size_t
console_view_below(const struct console *c)
{
	return c->view == CONSOLE_HELP ? c->view_before : c->view;
}

/* Cycling through the views skips the help. */
static void
console_turn_view(struct console *c, size_t step)
{
	size_t n = CONSOLE_HELP;
	size_t i = (console_view_below(c) + step + n) % n;

	c->led_from[i] = 0;
	console_show_view(c, i);
}

/* Back to that view, which stays led from where it was. */
static void
console_leave_view(struct console *c, size_t to)
{
	c->led_from[c->view] = 0;
	console_show_view(c, to);
}

/* Is the line that a view sends its own way back, "view NAME"? Goes it. */
static bool
console_goes_back(struct console *c, const char *line)
{
	size_t to = strncmp(line, "view ", 5) == 0 ? console_find_view(line + 5)
						   : CONSOLE_VIEWS;

	if (to == CONSOLE_VIEWS || to != c->led_from[c->view])
		return false;
	console_leave_view(c, to);
	return true;
}

/* "NAME", or "NAME COMMAND": shows a view and gives it a command. */
static void
console_view_named(struct console *c, const char *line)
{
	size_t len = strcspn(line, " "), i;
	const char *command = line + len + strspn(line + len, " ");
	char send[COMMAND_LINE_MAX] = "", name[PLACE_VIEW];

	if (len == 0) {
		console_say_usage(c, ACTION_VIEW);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)len, line);
	i = console_find_view(name);
	if (i == CONSOLE_VIEWS) {
		model_say(&c->model, true, "there is no view `%.*s`", (int)len,
			line);
		return;
	}
	if (console_view_below(c) != i)
		c->led_from[i] = command[0] != '\0' ? console_view_below(c) : 0;
	console_show_view(c, i);
	if (command[0] != '\0' &&
		!console_view(i)->command(c->views[i], &c->model, command,
			send))
		model_say(&c->model, true, "the view %s has no command `%s`",
			console_view(i)->title, command);
}

void
console_tour(struct console *c, const char *command)
{
	const struct tour_step *step;

	console_stay(c);
	if (strcmp(command, "open") == 0)
		tour_open(&c->model);
	else
		tour_command(&c->model, command);
	step = tour_step(c->model.tour.step);
	if (!c->model.tour.open)
		return;
	console_show_view(c, console_find_view(step->view));
}

/* Only the view knows whether it has something to open: ask the view. */
static bool
console_tour_may(struct console *c, const struct tour_step *step)
{
	const struct view_ops *view = console_view(c->view);

	return strcmp(view->name, step->view) == 0 &&
		(view->offers == NULL || view->context != KEYS_COVERAGE ||
			view->offers(c->views[c->view], &c->model, "open"));
}

void
console_tour_begin(struct console *c)
{
	const struct tour_step *step = tour_step(c->model.tour.step);
	char line[COMMAND_LINE_MAX];

	if (c->model.tour.open && console_tour_may(c, step) &&
		tour_line(&c->model, line, sizeof(line)))
		console_line(c, line, false);
}

static void
console_toggle_pause(struct console *c)
{
	const struct playback *playback = &c->model.playback;
	bool paused =
		playback->on ? playback->paused : c->model.snapshot->paused;

	console_send(c, paused ? "resume" : "pause");
}

static void
console_use_theme(struct console *c, const char *name)
{
	struct theme theme;
	struct error err = { 0 };

	if (theme_load(name, &theme, &err) != OK) {
		model_say(&c->model, true, "%s", err.text);
		return;
	}
	snprintf(c->model.theme, sizeof(c->model.theme), "%s", theme.name);
	terminal_set_theme(c->terminal, &theme);
	if (!terminal_has_color(c->terminal))
		model_say(&c->model, false,
			"theme %s; this terminal shows no colours, so it looks "
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

/* Without a path: the file of --keys, or the user's own. */
static void
console_use_keys(struct console *c, const char *path)
{
	struct error err = { 0 };

	if (path[0] == '\0')
		path = c->config->settings->keys;
	if (keys_load(path, &err) != OK)
		model_say(&c->model, true, "%s", err.text);
	else if (path[0] != '\0')
		model_say(&c->model, false, "keys loaded from %s", path);
	else
		model_say(&c->model, false, "your own keys are loaded");
}

static void
console_use_mouse(struct console *c, const char *word)
{
	bool on = strcmp(word, "on") == 0;

	if (!on && strcmp(word, "off") != 0)
		console_say_usage(c, ACTION_MOUSE);
	else if (!terminal_set_mouse(c->terminal, on))
		model_say(&c->model, true, "this terminal has no mouse");
	else
		model_say(&c->model, false,
			on ? "the console uses the mouse; with Shift, the terminal "
			     "does"
			   : "the terminal uses the mouse");
}

/* Without words the prompt asks for them. */
static void
console_filter(struct console *c, const char *words)
{
	const struct view_ops *view = console_view(c->view);

	if (!view->filters)
		model_say(&c->model, false, "%s has no list to filter",
			view->title);
	else if (words[0] != '\0')
		filter_set(&c->model.filters[view->context], words);
	else
		prompt_open_filter(&c->model, view->context);
}

static void
console_back(struct console *c)
{
	struct filter *filter =
		&c->model.filters[console_view(c->view)->context];

	if (filter_on(filter))
		filter_set(filter, "");
	else if (c->view == CONSOLE_HELP)
		console_show_view(c, c->view_before);
	else
		console_leave_view(c, c->led_from[c->view]);
}

static void
console_help(struct console *c)
{
	console_show_view(c,
		c->view == CONSOLE_HELP ? c->view_before : CONSOLE_HELP);
}

static void
console_steer_player(struct console *c, enum action_id id, const char *arg)
{
	const char *name = id == ACTION_SEEK ? "seek" : "speed";
	char line[COMMAND_LINE_MAX];

	if (!c->model.playback.on) {
		model_say(&c->model, true, "%s is for recordings (--play)",
			name);
	} else if (arg[0] == '\0') {
		console_say_usage(c, id);
	} else {
		snprintf(line, sizeof(line), "%s %s", name, arg);
		console_send(c, line);
	}
}

/* "COMMAND = TEXT" */
static void
console_edit(struct console *c, const char *arg)
{
	const char *equal = strstr(arg, " = ");
	size_t len = equal != NULL ? (size_t)(equal - arg) : strlen(arg);
	char command[64];
	const char *why;

	if (len == 0 || len >= sizeof(command)) {
		console_say_usage(c, ACTION_EDIT);
		return;
	}
	snprintf(command, sizeof(command), "%.*s", (int)len, arg);
	why = model_only_shows(&c->model);
	if (why != NULL) {
		model_say(&c->model, true, "%s", why);
		return;
	}
	prompt_open_word(&c->model, command, equal != NULL ? equal + 3 : "");
}

static void
console_copy(struct console *c, const char *text)
{
	if (text[0] == '\0')
		console_say_usage(c, ACTION_COPY);
	else if (terminal_copy(c->terminal, text))
		model_say(&c->model, false,
			"sent to the terminal's clipboard, if the terminal "
			"allows it");
	else
		model_say(&c->model, true, "this terminal has no clipboard");
}

/* Starts the minimization held before its first try; holds one that runs. */
static void
console_steps(struct console *c, const char *name)
{
	char line[COMMAND_LINE_MAX];

	if (name[0] == '\0') {
		console_say_usage(c, ACTION_STEPS);
		return;
	}
	snprintf(line, sizeof(line), "minimize %.64s held", name);
	c->steps_from = c->view;
	c->steps_id = console_send(c, line);
	snprintf(line, sizeof(line), "minimization show %.64s", name);
	console_view_named(c, line);
}

/* Commands about a finding or an input. */
static void
console_act_on_input(struct console *c, enum action_id id, const char *arg)
{
	switch (id) {
	case ACTION_EDIT:
		console_edit(c, arg);
		break;
	case ACTION_COPY:
		console_copy(c, arg);
		break;
	case ACTION_DEBUG:
		console_debug(c, arg);
		break;
	case ACTION_STEPS:
		console_steps(c, arg);
		break;
	case ACTION_SAY:
		if (arg[0] != '\0')
			model_say(&c->model, false, "%s", arg);
		else
			console_say_usage(c, id);
		break;
	default:
		break;
	}
}

static void
console_act_on_terminal(struct console *c, enum action_id id, const char *arg)
{
	switch (id) {
	case ACTION_THEME:
		if (arg[0] != '\0')
			console_use_theme(c, arg);
		else
			console_next_theme(c);
		break;
	case ACTION_KEYS:
		console_use_keys(c, arg);
		break;
	case ACTION_MOUSE:
		console_use_mouse(c, arg);
		break;
	case ACTION_REDRAW:
		terminal_redraw(c->terminal);
		break;
	case ACTION_SUSPEND:
		terminal_suspend(c->terminal);
		break;
	default:
		console_act_on_input(c, id, arg);
		break;
	}
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
		console_select(c, arg);
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
		limit_dialog_open(&c->model);
		break;
	case ACTION_PROMPT:
		prompt_open(&c->history, &c->model);
		break;
	case ACTION_FILTER:
		console_filter(c, arg);
		break;
	case ACTION_BACK:
		console_back(c);
		break;
	case ACTION_EXPLAIN:
		if (c->view == CONSOLE_HELP ||
			!explain_open(&c->model, c->grid))
			console_help(c);
		break;
	case ACTION_TOUR:
		console_tour(c, "open");
		break;
	case ACTION_SEEK:
	case ACTION_SPEED:
		console_steer_player(c, id, arg);
		break;
	default:
		console_act_on_terminal(c, id, arg);
		break;
	}
}

/* Splits "name argument"; false: not one of the console's commands. */
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
	if (arg[0] != '\0' && strchr(row->usage, ' ') == NULL)
		model_say(&c->model, true, "%s takes no argument", name);
	else
		console_act(c, (enum action_id)(row - action_row(0)), arg);
	return true;
}

/* The engine's message does not mention the console's own commands. */
static void
console_refuse(struct console *c, const char *line, const char *why)
{
	char name[32], shown[128], hint[KEY_HINT_SIZE];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(line, " \t"), line);
	text_clean_string(name, shown, sizeof(shown));
	if (shown[0] == '\0' || command_find(name) != NULL)
		model_say(&c->model, true, "%s", why);
	else
		model_say(&c->model, true,
			"there is no command \"%s\"; %s and Tab list them",
			shown, keys_hint(KEYS_COMMON, "prompt", hint));
}

void
console_line(struct console *c, const char *line, bool typed)
{
	const struct view_ops *view = console_view(c->view);
	char send[COMMAND_LINE_MAX] = "";
	struct command command;
	struct error err = { 0 };

	/* The engine's own commands, as `seek`, do not end a move. */
	if (view->command(c->views[c->view], &c->model, line, send)) {
		console_stay(c);
		if (send[0] == '\0' || console_goes_back(c, send))
			return;
		line = send;
		typed = true;
	}
	if (console_try_action(c, line)) {
		console_stay(c);
		return;
	}
	/* Typed commands are checked here: an error needs no round trip. */
	if (command_parse(line, &command, &err) != OK) {
		if (typed)
			console_refuse(c, line, err.text);
		return;
	}
	/* Leaving a recording loses nothing, so it needs no question. */
	if (!console_leave(c, line) &&
		(c->model.playback.on ||
			!ask_about(&c->ask, &c->model, &command, line)))
		console_send(c, line);
}
