/*
 * console: the process that owns the screen and the keyboard.
 *
 * Three things happen: a frame of the engine, a key, a second that passed.
 * Each changes the model; the screen follows.
 */
#include "ui/console.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/text.h"
#include "ui/chrome.h"
#include "ui/console_private.h"
#include "ui/limits.h"

#define CONSOLE_FRAME_NS (100 * (uint64_t)CLOCK_NS_PER_MS)
#define CONSOLE_SETUP_FAILED 2 /* exit status: nothing ran */

static const struct view_ops *const console_views[CONSOLE_VIEWS] = {
	&view_dashboard, &view_workers, &view_findings, &view_minimization,
	&view_help, /* the last: console_actions.c counts on it */
};

const struct view_ops *
console_view(size_t i)
{
	return console_views[i];
}

static double
console_now_s(void)
{
	return (double)clock_now_ns() / CLOCK_NS_PER_S;
}

void
console_end(struct console *c)
{
	c->done = true;
	event_base_loopbreak(c->base);
}

/* ---- painting ---- */

void
console_paint(struct console *c)
{
	struct grid *grid = c->grid;
	struct rect body = chrome_body(grid);

	model_tick(&c->model, console_now_s());
	c->dirty = !terminal_ready(c->terminal);
	if (c->dirty) /* on_ready() comes back to it */
		return;
	grid_clear(grid);
	console_views[c->view]->draw(c->views[c->view], &c->model, grid, body);
	if (c->model.limits.open)
		limits_draw(&c->model, grid, body);
	chrome_draw(&c->model, grid);
	terminal_paint(c->terminal, grid);
	c->painted_ns = clock_now_ns();
}

/* Something changed: it is shown within a tenth of a second. */
void
console_changed(struct console *c)
{
	uint64_t since = clock_now_ns() - c->painted_ns;
	struct timeval wait = { 0 };

	if (since < CONSOLE_FRAME_NS)
		wait.tv_usec = (suseconds_t)((CONSOLE_FRAME_NS - since) / 1000);
	if (!c->dirty)
		event_add(c->paint_timer, &wait);
	c->dirty = true;
}

static void
console_on_paint_timer(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	console_paint(arg);
}

static void
console_on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct console *c = arg;

	(void)fd;
	(void)what;
	if (model_tick(&c->model, console_now_s()))
		console_changed(c);
}

/* ---- what takes the keys ---- */

void
console_update_context(struct console *c)
{
	struct model *m = &c->model;
	size_t below = c->view == CONSOLE_VIEWS - 1 ? c->view_before : c->view;

	m->view = console_views[below]->context;
	if (m->question.open)
		m->context = KEYS_ASK;
	else if (m->prompt.open || (m->limits.open && m->limits.editing))
		m->context = KEYS_EDIT;
	else if (m->limits.open)
		m->context = KEYS_LIMITS;
	else
		m->context = console_views[c->view]->context;
}

void
console_show_view(struct console *c, size_t view)
{
	if (view == c->view)
		return;
	if (c->view != CONSOLE_VIEWS - 1)
		c->view_before = c->view;
	c->view = view;
}

/* ---- the engine ---- */

uint64_t
console_send(struct console *c, const char *line)
{
	struct error err;
	json_t *message;
	enum status status;

	error_clear(&err);
	if (c->engine == NULL) {
		model_say(&c->model, true, "the engine has ended");
		return 0;
	}
	message = json_pack("{s:{s:I, s:s}}", "command", "id",
		(json_int_t)++c->command_id, "line", line);
	if (message == NULL) {
		model_say(&c->model, true, "this is no text: not sent");
		return 0;
	}
	status = frame_send(c->engine, message, &err);
	json_decref(message);
	if (status != OK)
		model_say(&c->model, true, "not sent: %s", err.text);
	return c->command_id;
}

static void
console_on_snapshot(struct console *c, const json_t *json)
{
	struct snapshot snapshot;
	struct error err;

	error_clear(&err);
	snapshot_init(&snapshot);
	if (snapshot_decode(&snapshot, json, &err) == OK)
		model_add_snapshot(&c->model, &snapshot, console_now_s());
	else
		model_say(&c->model, true, "the engine sent nonsense: %s",
			err.text);
	snapshot_clear(&snapshot);
}

static void
console_on_answer(struct console *c, const json_t *json)
{
	uint64_t id = (uint64_t)json_integer_value(json_object_get(json, "id"));
	bool ok = json_is_true(json_object_get(json, "ok"));
	const char *text = json_string_value(json_object_get(json, "text"));
	char clean[MODEL_TEXT];

	text_clean_string(text != NULL ? text : "", clean, sizeof(clean));
	if (id == c->limits_id && c->model.limits.open)
		limits_answer(&c->model, ok, clean);
	else if (clean[0] != '\0')
		model_say(&c->model, !ok, "%s", clean);
	console_update_context(c);
}

/* The lines of a text, each cleaned. */
static void
console_clean_lines(const char *text, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	while (*text != '\0' && len + 2 < size) {
		size_t n = strcspn(text, "\n");

		len += text_clean(text, n, buf + len, size - len - 1);
		text += n;
		if (*text == '\n') {
			buf[len++] = '\n';
			buf[len] = '\0';
			text++;
		}
	}
}

/* A failed start stays on the screen until a key; all else just ends. */
static void
console_on_bye(struct console *c, const json_t *json)
{
	const char *text = json_string_value(json_object_get(json, "text"));
	struct model *m = &c->model;

	m->exit_status = (int)json_integer_value(json_object_get(json, "exit"));
	m->link = LINK_ENDED;
	if (text != NULL)
		console_clean_lines(text, m->bye, sizeof(m->bye));
	if (m->exit_status != CONSOLE_SETUP_FAILED || m->bye[0] == '\0')
		console_end(c);
}

/* We speak second: an engine that fails at once would not hear us. */
static void
console_on_hello(struct console *c, const json_t *json)
{
	json_int_t version =
		json_integer_value(json_object_get(json, "version"));
	json_t *hello =
		json_pack("{s:{s:i}}", "hello", "version", CONTROL_VERSION);

	if (version != CONTROL_VERSION)
		model_say(&c->model, true,
			"the engine is of another version than the console");
	if (frame_send(c->engine, hello, NULL) != OK)
		model_say(&c->model, true, "the engine does not listen");
	json_decref(hello);
}

static void
console_on_message(void *arg, json_t *message)
{
	struct console *c = arg;
	const json_t *json;

	if ((json = json_object_get(message, "snapshot")) != NULL)
		console_on_snapshot(c, json);
	else if ((json = json_object_get(message, "answer")) != NULL)
		console_on_answer(c, json);
	else if ((json = json_object_get(message, "bye")) != NULL)
		console_on_bye(c, json);
	else if ((json = json_object_get(message, "hello")) != NULL)
		console_on_hello(c, json);
	console_changed(c);
}

/* Without a goodbye: the launcher finds out why. */
static void
console_on_closed(void *arg, const char *why)
{
	struct console *c = arg;

	log_debug("the engine is gone: %s", why);
	frame_peer_destroy(c->engine);
	c->engine = NULL;
	if (c->model.link == LINK_ENDED)
		return;
	c->model.link = LINK_LOST;
	console_end(c);
}

/* ---- the terminal ---- */

static void
console_on_ready(void *arg)
{
	struct console *c = arg;

	if (c->dirty)
		console_paint(c);
}

static void
console_on_resize(void *arg, int w, int h)
{
	struct console *c = arg;

	c->model.width = w;
	c->model.height = h;
	grid_resize(c->grid, w, h);
	console_paint(c);
}

static void
console_on_gone(void *arg)
{
	console_end(arg);
}

static void
console_on_end_signal(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	console_end(arg);
}

/* ---- life ---- */

static const struct terminal_handlers console_terminal_handlers = {
	.on_key = console_on_key,
	.on_paste = console_on_paste,
	.on_ready = console_on_ready,
	.on_resize = console_on_resize,
	.on_gone = console_on_gone,
};

static const struct frame_handlers console_frame_handlers = {
	.on_message = console_on_message,
	.on_closed = console_on_closed,
};

static void
console_init_model(struct console *c, const struct console_config *config)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	model_init(&c->model);
	text_clean_string(config->target, c->model.target,
		sizeof(c->model.target));
	c->model.now_s = console_now_s();
	c->model.ascii = terminal_ascii(c->terminal);
	c->ask.processors = processors > 0 ? (unsigned)processors : 1;
	for (size_t i = 0; i < CONSOLE_VIEWS; i++)
		c->views[i] = console_views[i]->create();
	console_update_context(c);
}

static enum status
console_open_terminal(struct console *c, const struct console_config *config)
{
	const char *no_color = getenv("NO_COLOR");
	struct theme theme;
	struct terminal_config terminal = {
		.in_fd = config->in_fd,
		.out_fd = config->out_fd,
		.ascii = config->settings->ascii,
		.no_color = config->settings->no_color ||
			(no_color != NULL && no_color[0] != '\0'),
		.theme = &theme,
	};
	enum status status =
		theme_load(config->settings->theme, &theme, &c->err);

	if (status != OK)
		return status;
	c->terminal = terminal_create(c->base, &terminal,
		&console_terminal_handlers, c, &c->err);
	if (c->terminal == NULL)
		return c->err.code;
	for (size_t i = 0; theme_builtin(i) != NULL; i++)
		if (strcmp(theme_builtin(i), theme.name) == 0)
			c->theme = i;
	console_init_model(c, config);
	snprintf(c->model.theme, sizeof(c->model.theme), "%s", theme.name);
	c->grid = grid_create(1, 1);
	grid_set_ascii(c->grid, c->model.ascii);
	return OK;
}

static void
console_make_events(struct console *c)
{
	static const int ends[] = { SIGTERM, SIGHUP, SIGINT };
	struct timeval second = { .tv_sec = 1 };

	c->paint_timer = evtimer_new(c->base, console_on_paint_timer, c);
	c->tick_timer = event_new(c->base, -1, EV_PERSIST, console_on_tick, c);
	event_add(c->tick_timer, &second);
	for (size_t i = 0; i < 3; i++) {
		c->ended[i] = evsignal_new(c->base, ends[i],
			console_on_end_signal, c);
		event_add(c->ended[i], NULL);
	}
}

/* The launcher restores the terminal with it if we cannot. */
static void
console_tell_reset(struct console *c, int fd)
{
	const char *text = terminal_reset_text(c->terminal);

	if (fd_write_all(fd, text, strlen(text) + 1, NULL) != OK)
		model_say(&c->model, true,
			"the launcher is gone; the terminal may need `reset`");
}

static void
console_free_event(struct event *event)
{
	if (event != NULL)
		event_free(event);
}

static void
console_clear(struct console *c)
{
	terminal_destroy(c->terminal);
	frame_peer_destroy(c->engine);
	for (size_t i = 0; i < CONSOLE_VIEWS; i++)
		if (c->views[i] != NULL)
			console_views[i]->destroy(c->views[i]);
	prompt_history_clear(&c->history);
	if (c->model.snapshot != NULL)
		model_clear(&c->model);
	grid_destroy(c->grid);
	console_free_event(c->paint_timer);
	console_free_event(c->tick_timer);
	for (size_t i = 0; i < 3; i++)
		console_free_event(c->ended[i]);
	event_base_free(c->base);
}

enum status
console_run(const struct console_config *config, struct error *err)
{
	struct console c = { .base = event_base_new() };

	signal(SIGPIPE, SIG_IGN);
	console_make_events(&c);
	if (console_open_terminal(&c, config) == OK) {
		console_tell_reset(&c, config->report_fd);
		if (terminal_enter(c.terminal, &c.err) == OK) {
			c.engine = frame_peer_create(c.base, config->control_fd,
				FRAME_TO_CONSOLE_MAX, &console_frame_handlers,
				&c);
			event_base_dispatch(c.base);
		}
	}
	console_clear(&c);
	if (fd_write_all(config->report_fd, "", 1, NULL) != OK)
		log_debug("the launcher is gone");
	return c.err.code == OK ? OK
				: error_set(err, c.err.code, "%s", c.err.text);
}
