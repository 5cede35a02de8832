/*
 * console: the process that owns the screen and the keyboard.
 *
 * Three kinds of events change the model: a message of the engine, a key, and a
 * clock tick each second. The screen shows the model.
 */
#include "ui/console/console.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/libraries.h"
#include "ui/console/console_private.h"
#include "ui/console/debugger.h"
#include "ui/console/explain.h"
#include "ui/console/overlay.h"
#include "ui/console/recall.h"
#include "ui/console/screen_frame.h"
#include "ui/console/tour.h"
#include "ui/model/keys_file.h"
#include "ui/views/limit_dialog.h"

/* Signals that end the console; the launcher sends two of them. */
static const int console_ends[] = { SIGTERM, SIGHUP, SIGINT };

#define CONSOLE_FRAME_NS (100 * (uint64_t)CLOCK_NS_PER_MS)

static const struct view_ops *const console_views[CONSOLE_VIEWS] = {
	&view_dashboard, &view_workers, &view_coverage, &view_corpus,
	&view_findings, &view_minimization, &view_journal,
	&view_help, /* must be last: see console_actions.c */
};

const struct view_ops *
console_view(size_t i)
{
	return console_views[i];
}

size_t
console_find_view(const char *name)
{
	size_t i = 0;

	while (i < CONSOLE_VIEWS && strcmp(console_views[i]->name, name) != 0)
		i++;
	return i;
}

double
console_now_s(void)
{
	return (double)clock_now_ns() / CLOCK_NS_PER_S;
}

static void
console_end_now(struct console *c)
{
	c->done = true;
	event_base_loopbreak(c->base);
}

void
console_end(struct console *c)
{
	c->ending = true;
	if (c->debugger == NULL)
		console_end_now(c);
}

/* ---- painting ---- */

void
console_paint(struct console *c)
{
	struct grid *grid = c->grid;
	struct rect body = screen_frame_body(grid), rest;

	model_tick(&c->model, console_now_s());
	tour_update(&c->model);
	c->dirty = !terminal_ready(c->terminal);
	if (c->dirty) /* on_ready() paints later */
		return;
	if (c->model.playback.past) /* after a jump: not all is known yet */
		return;
	grid_clear(grid);
	console_views[c->view]->draw(c->views[c->view], &c->model, grid, body);
	if (c->model.limits.open)
		limit_dialog_draw(&c->model, grid, body);
	screen_frame_draw(&c->model, grid, console_views[c->view],
		c->views[c->view]);
	rest = screen_frame_free(&c->model, grid);
	if (c->model.explain.open) {
		explain_draw(&c->model, grid, rest);
	} else if (c->model.tour.open) {
		tour_look(&c->model, grid);
		tour_draw(&c->model, grid, rest);
	}
	overlay_draw(&c->model, grid, body);
	terminal_paint(c->terminal, grid);
	c->painted_ns = clock_now_ns();
	console_tell_place(c);
}

/* Paints within a tenth of a second. */
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
	console_paint(arg);
}

static void
console_on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct console *c = arg;

	if (model_tick(&c->model, console_now_s()))
		console_changed(c);
}

/* ---- what takes the keys ---- */

/* The result asks for a key, and waits until the keys are not for another. */
static void
console_ask_end(struct console *c)
{
	const struct model *m = &c->model;

	/* The campaign has ended: whether to quit it is no question now. */
	if (c->end_waits && ask_is_quit(m))
		c->model.question.open = false;
	if (!c->end_waits || c->leaving || m->question.open || m->prompt.open ||
		m->limits.open)
		return;
	c->end_waits = false;
	ask_ended(&c->model);
}

void
console_update_context(struct console *c)
{
	struct model *m = &c->model;
	size_t below = c->view == CONSOLE_VIEWS - 1 ? c->view_before : c->view;

	console_ask_end(c);
	m->view = console_views[below]->context;
	if (m->question.open)
		m->context = KEYS_ASK;
	else if (m->prompt.open || (m->limits.open && m->limits.editing))
		m->context = KEYS_EDIT;
	else if (m->limits.open)
		m->context = KEYS_LIMITS;
	else if (m->explain.open)
		m->context = KEYS_EXPLAIN;
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
	console_end_now(arg);
}

static void
console_on_end_signal(evutil_socket_t fd, short what, void *arg)
{
	console_end_now(arg);
}

/* ---- life ---- */

static const struct terminal_handlers console_terminal_handlers = {
	.on_key = console_on_key,
	.on_paste = console_on_paste,
	.on_mouse = console_on_mouse,
	.on_ready = console_on_ready,
	.on_resize = console_on_resize,
	.on_gone = console_on_gone,
};

/* A view has something new to draw, and perhaps to query. */
static void
console_on_view_changed(void *arg)
{
	console_ask(arg);
	console_changed(arg);
}

static void
console_create_view(struct console *c, size_t i)
{
	const struct view_ops *view = console_views[i];

	c->views[i] = view->create();
	if (view->attach != NULL)
		view->attach(c->views[i], c->base, console_on_view_changed, c);
}

static void
console_init_model(struct console *c, const struct console_config *config)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	model_init(&c->model);
	c->model.foreign = config->owner[0] != '\0';
	text_clean_string(config->target, c->model.target,
		sizeof(c->model.target));
	recall_load(&c->history);
	c->model.now_s = console_now_s();
	c->model.ascii = terminal_ascii(c->terminal);
	c->ask.processors = processors > 0 ? (unsigned)processors : 1;
	for (size_t i = 0; i < CONSOLE_VIEWS; i++)
		console_create_view(c, i);
	console_update_context(c);
}

/*
 * Errors here are those of the user's own file: the file of --keys was checked
 * before the start.
 */
static void
console_load_keys(struct console *c, const struct console_config *config)
{
	struct error err = { 0 };

	if (keys_load(config->settings->keys, &err) != OK)
		model_say(&c->model, true, "%s", err.text);
}

static enum status
console_open_terminal(struct console *c, const struct console_config *config)
{
	const char *no_color = getenv("NO_COLOR");
	struct theme theme;
	struct terminal_config terminal = {
		.in_fd = STDIN_FILENO,
		.out_fd = STDOUT_FILENO,
		.ascii = config->settings->ascii,
		.no_color = config->settings->no_color ||
			(no_color != NULL && no_color[0] != '\0'),
		.no_mouse = config->settings->no_mouse,
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
	console_load_keys(c, config);
	c->grid = grid_create(1, 1);
	grid_set_ascii(c->grid, c->model.ascii);
	return OK;
}

/* During clean-up these signals come too late and are blocked. */
static void
console_block_ends(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < 3; i++)
		sigaddset(&set, console_ends[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static void
console_make_events(struct console *c)
{
	struct timeval second = { .tv_sec = 1 };

	c->paint_timer = evtimer_new(c->base, console_on_paint_timer, c);
	c->tick_timer = event_new(c->base, -1, EV_PERSIST, console_on_tick, c);
	event_add(c->tick_timer, &second);
	for (size_t i = 0; i < 3; i++) {
		c->ended[i] = evsignal_new(c->base, console_ends[i],
			console_on_end_signal, c);
		event_add(c->ended[i], NULL);
	}
}

/* Sends the reset text to the launcher, which uses it if the console dies. */
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
	debugger_destroy(c->debugger);
	terminal_destroy(c->terminal);
	frame_peer_destroy(c->engine);
	json_decref(c->held);
	for (size_t i = 0; i < CONSOLE_VIEWS; i++)
		if (c->views[i] != NULL)
			console_views[i]->destroy(c->views[i]);
	prompt_history_clear(&c->history);
	keys_reset();
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
console_run(const struct console_config *config, struct console_end *end,
	struct error *err)
{
	/* Too large for a small stack. */
	struct console *c = xcalloc(1, sizeof(*c));
	enum status status;

	c->base = libraries_base_new();
	c->held = json_array();
	c->subscriptions.send = console_send_query;
	c->subscriptions.arg = c;
	c->config = config;
	c->end = end;
	*end = (struct console_end){ .said_bye = false };
	signal(SIGPIPE, SIG_IGN);
	console_make_events(c);
	if (console_open_terminal(c, config) == OK) {
		console_tell_reset(c, config->report_fd);
		if (terminal_enter(c->terminal, &c->err) == OK) {
			c->engine = frame_peer_create(c->base,
				config->control_fd, FRAME_TO_CONSOLE_MAX,
				&console_frame_handlers, c);
			console_record(c, config->record_fd, config->target);
			if (config->settings->tour)
				console_tour(c, "open");
			event_base_dispatch(c->base);
		}
	}
	end->left = c->model.link != LINK_LOST;
	end->quits = c->leaving && c->held == NULL;
	console_end_recording(c);
	console_block_ends();
	console_clear(c);
	if (fd_write_all(config->report_fd, "", 1, NULL) != OK)
		log_debug("the launcher is gone");
	status = c->err.code == OK
		? OK
		: error_set(err, c->err.code, "%s", c->err.text);
	free(c);
	return status;
}
