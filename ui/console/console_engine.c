/*
 * console_engine: messages between console and engine.
 */
#include "ui/console/console_private.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "ui/views/limit_dialog.h"
#include "ui/widgets/labels.h"

#define CONSOLE_SETUP_FAILED 2 /* exit status: set-up failed */

/* Replies under way have the old note: what is shown is asked for again. */
static void
console_forget_note(struct console *c)
{
	c->model.notes++;
	subscriptions_reset(&c->subscriptions);
}

/* An engine that has not greeted us drops what it is told. */
static enum status
console_send_or_hold(struct console *c, json_t *message, struct error *err)
{
	if (c->held == NULL)
		return frame_send(c->engine, message, err);
	json_array_append(c->held, message);
	model_say(&c->model, false, "sent when the engine is ready");
	return OK;
}

static bool
console_is_silent(const struct console *c)
{
	return c->model.link == LINK_STARTING || model_stale(&c->model);
}

/* Greets the engine, and sends what was held for it. */
static void
console_greet(struct console *c)
{
	json_t *hello = json_pack("{s:{s:i, s:s, s:b, s:b, s:b}}", "hello",
		"version", CONTROL_VERSION, "role",
		c->config->watch ? "watch" : "control", "alone",
		(int)c->config->alone, "stay", 1, "follow",
		(int)c->config->follow);
	json_t *message;
	size_t i;

	if (frame_send(c->engine, hello, NULL) != OK)
		model_say(&c->model, true, "the engine does not respond");
	json_decref(hello);
	json_array_foreach(c->held, i, message)
		if (frame_send(c->engine, message, NULL) != OK)
			break;
	json_decref(c->held);
	c->held = NULL;
}

/* A second quit or detach needs no answer: a lost connection is a detach. */
static bool
console_gives_up(struct console *c)
{
	if (c->leave_id == 0 || !console_is_silent(c))
		return false;
	/* The engine obeys when it runs again, or for the first time. */
	if (c->held != NULL)
		console_greet(c);
	frame_flush(c->engine);
	console_end(c);
	return true;
}

static void
console_wait_to_leave(struct console *c, bool quit)
{
	char key[KEY_HINT_SIZE];

	c->leave_id = c->command_id;
	c->leaving |= quit;
	if (console_is_silent(c))
		model_say(&c->model, true,
			"the engine does not answer yet; %s again leaves "
			"without it",
			keys_hint(KEYS_COMMON, "quit", key));
}

static bool
console_send_line(struct console *c, const char *line)
{
	json_t *message = json_pack("{s:{s:I, s:s}}", "command", "id",
		(json_int_t)++c->command_id, "line", line);
	struct error err = { 0 };

	if (message == NULL) {
		model_say(&c->model, true,
			"not sent: the line is not valid UTF-8");
		return false;
	}
	if (console_send_or_hold(c, message, &err) != OK)
		model_say(&c->model, true, "not sent: %s", err.text);
	json_decref(message);
	recorder_command(c->recorder, c->command_id, line);
	model_sent(&c->model, c->command_id, line);
	return true;
}

uint64_t
console_send(struct console *c, const char *line)
{
	bool quit = strncmp(line, "quit", 4) == 0;
	bool leave = quit || strncmp(line, "detach", 6) == 0;
	char key[KEY_HINT_SIZE];

	if (c->model.link == LINK_ENDED || c->engine == NULL) {
		model_say(&c->model, true, "the campaign has ended; %s leaves",
			keys_hint(KEYS_COMMON, "quit", key));
		return 0;
	}
	if (leave && console_gives_up(c))
		return 0;
	if (strncmp(line + strspn(line, " \t"), "note", 4) == 0)
		console_forget_note(c);
	if (!console_send_line(c, line))
		return 0;
	if (leave)
		console_wait_to_leave(c, quit);
	return c->command_id;
}

bool
console_leave(struct console *c, const char *line)
{
	if (c->model.link != LINK_ENDED || strncmp(line, "quit", 4) != 0)
		return false;
	console_end(c);
	return true;
}

uint64_t
console_query(struct console *c, const struct query *query)
{
	json_t *message;
	enum status status;

	if (c->engine == NULL)
		return 0;
	message = json_pack("{s:o}", "query",
		query_encode(query, ++c->command_id));
	status = frame_send(c->engine, message, NULL);
	json_decref(message);
	return status == OK ? c->command_id : 0;
}

/* struct subscriptions' send. */
uint64_t
console_send_query(void *arg, const struct query *query)
{
	struct console *c = arg;
	uint64_t id = console_query(c, query);

	recorder_query(c->recorder, id, query);
	return id;
}

void
console_ask(struct console *c)
{
	subscriptions_update(&c->subscriptions, c->view, console_view(c->view),
		c->views[c->view], &c->model);
}

static void
console_on_reply(struct console *c, const json_t *json)
{
	struct reply reply = { 0 };
	struct query query;
	struct error err = { 0 };
	uint64_t id;
	size_t view;

	if (reply_decode(&reply, &id, json, &err) != OK)
		model_say(&c->model, true,
			"the engine sent an invalid message: %s", err.text);
	else if (subscriptions_match(&c->subscriptions, id, &reply,
			 console_now_s(), &view, &query) &&
		console_view(view)->reply != NULL)
		console_view(view)->reply(c->views[view], &query, &reply);
	console_go_on(c);
	reply_clear(&reply);
}

/* The result stays on the screen, unless the user asked to quit. */
static void
console_show_end(struct console *c)
{
	if (c->end_shown || c->leaving || c->model.playback.on)
		return;
	c->end_shown = true;
	c->end_waits = true;
	console_update_context(c);
}

static void
console_on_snapshot(struct console *c, const json_t *json)
{
	struct model *m = &c->model;
	struct snapshot snapshot;
	struct error err = { 0 };

	snapshot_init(&snapshot);
	if (snapshot_decode(&snapshot, json, &err) == OK) {
		model_add_snapshot(m, &snapshot, console_now_s());
		c->end->runs = m->snapshot->runs;
		/* A short campaign may be over in its first snapshot. If it
		 * could not start, the goodbye says why. */
		if (m->snapshot->state == RUN_ENDED && !c->config->past &&
			m->snapshot->exit_status != CONSOLE_SETUP_FAILED)
			console_show_end(c);
	} else
		model_say(&c->model, true,
			"the engine sent an invalid message: %s", err.text);
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
	model_answered(&c->model, id, ok);
	if (id == c->leave_id) {
		c->leave_id = 0;
		c->leaving &= ok;
	}
	/* The minimization to be shown does not begin. */
	if (!ok && id != 0 && id == c->steps_id)
		console_show_view(c, c->steps_from);
	if (id == c->limits_id && c->model.limits.open)
		limit_dialog_answer(&c->model, ok, clean);
	else if (clean[0] != '\0')
		model_say(&c->model, !ok, "%s", clean);
	console_update_context(c);
}

/* Copies a text and cleans each line. */
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

/* A failed start stays on the screen until a key is pressed. */
static void
console_on_bye(struct console *c, const json_t *json)
{
	const char *text = json_string_value(json_object_get(json, "text"));
	struct model *m = &c->model;
	bool starting = m->link == LINK_STARTING;

	m->exit_status = (int)json_integer_value(json_object_get(json, "exit"));
	m->link = LINK_ENDED;
	if (text != NULL)
		console_clean_lines(text, m->bye, sizeof(m->bye));
	c->end->said_bye = true;
	c->end->exit_status = m->exit_status;
	snprintf(c->end->text, sizeof(c->end->text), "%s", m->bye);
	c->end->detached = json_is_true(json_object_get(json, "detached"));
	/* The campaign runs, but not with this console. */
	c->end->refused = c->config->attached && starting &&
		m->exit_status == CONSOLE_SETUP_FAILED;
	if (c->end->detached || c->end->refused) {
		console_end(c);
		return;
	}
	if (m->exit_status == CONSOLE_SETUP_FAILED && m->bye[0] != '\0')
		return;
	m->bye[0] = '\0'; /* the last snapshot has it as well */
	if (c->leaving || m->playback.on) {
		console_end(c);
	} else {
		/* The user who sees the end had an engine until now. */
		if (c->end_shown)
			model_say(m, false,
				"the engine has ended: cfuzz attach shows what "
				"was not shown here");
		console_show_end(c);
	}
	console_update_context(c);
}

/* The campaign was started by a cfuzz that this one does not understand. */
static void
console_refuse_version(struct console *c, json_int_t version)
{
	snprintf(c->end->text, sizeof(c->end->text),
		"the campaign speaks version %" JSON_INTEGER_FORMAT
		" of the protocol, this console version %d: attach with the "
		"cfuzz that runs it",
		version, CONTROL_VERSION);
	c->end->refused = true;
	console_end(c);
}

/*
 * The console answers the engine's hello: an engine that fails at once does not
 * read.
 */
static void
console_on_hello(struct console *c, const json_t *json)
{
	json_int_t version =
		json_integer_value(json_object_get(json, "version"));

	if (version != CONTROL_VERSION)
		console_refuse_version(c, version);
	else
		console_greet(c);
}

static void
console_on_role(struct console *c, const json_t *json)
{
	const char *role = json_string_value(json_object_get(json, "role"));
	const char *text = json_string_value(json_object_get(json, "text"));
	char clean[MODEL_TEXT];

	c->model.watching = role != NULL && strcmp(role, "watch") == 0;
	c->place.view[0] = '\0'; /* followers get our place again */
	text_clean_string(text != NULL ? text : "", clean, sizeof(clean));
	/* The kernel told us whose campaign it is; the engine may lie. */
	if (c->model.foreign && c->model.watching && !c->said_owner)
		snprintf(clean, sizeof(clean),
			geteuid() == 0 ? "you watch the campaign of %s: :take "
					 "takes control"
				       : "you watch the campaign of %s, who "
					 "can give you control with :give",
			c->config->owner);
	c->said_owner = true;
	if (clean[0] != '\0')
		model_say(&c->model, false, "%s", clean);
	console_update_context(c);
}

static void
console_on_message(void *arg, json_t *message)
{
	struct console *c = arg;
	bool starting = c->model.link == LINK_STARTING;
	const json_t *json;

	if (console_heard(c, message))
		return;
	if ((json = json_object_get(message, "snapshot")) != NULL)
		console_on_snapshot(c, json);
	else if ((json = json_object_get(message, "playback")) != NULL)
		console_on_playback(c, json);
	else if ((json = json_object_get(message, "answer")) != NULL)
		console_on_answer(c, json);
	else if ((json = json_object_get(message, "reply")) != NULL)
		console_on_reply(c, json);
	else if ((json = json_object_get(message, "place")) != NULL)
		console_go(c, json);
	else if ((json = json_object_get(message, "bye")) != NULL)
		console_on_bye(c, json);
	else if ((json = json_object_get(message, "role")) != NULL)
		console_on_role(c, json);
	else if ((json = json_object_get(message, "hello")) != NULL)
		console_on_hello(c, json);
	console_tour_begin(c);
	console_ask(c);
	/* The first snapshot need not wait for a tenth of a second. */
	if (starting && c->model.link == LINK_UP)
		console_paint(c);
	else
		console_changed(c);
}

/* The engine is gone without a goodbye: the launcher reports why. */
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

const struct frame_handlers console_frame_handlers = {
	.on_message = console_on_message,
	.on_closed = console_on_closed,
};
