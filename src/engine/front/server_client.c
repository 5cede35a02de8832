/*
 * server_client: one front end on the control socket: its greeting, the
 * messages from it and those to it. A client that stops reading costs the
 * engine no more than a bounded queue, and is dropped after some seconds.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/frame.h"
#include "control/json_text.h"
#include "engine/engine_end.h"
#include "engine/front/server_private.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/program.h"

#define CLIENT_TIMEOUT_NS (10ull * CLOCK_NS_PER_S) /* to greet, or to read */

void
client_send(struct client *c, json_t *take_message)
{
	struct error err = { 0 };

	if (c->peer != NULL && frame_send(c->peer, take_message, &err) != OK)
		log_debug("client %llu: %s", (unsigned long long)c->number,
			err.text);
	json_decref(take_message);
}

void
client_answer(struct client *c, json_int_t id, bool ok, const char *text)
{
	client_send(c,
		json_pack("{s:{s:I, s:b, s:o}}", "answer", "id", id, "ok",
			(int)ok, "text", json_text_new(text)));
}

void
client_say_bye(struct client *c, const char *text)
{
	client_send(c,
		json_pack("{s:{s:i, s:o}}", "bye", "exit",
			(int)engine_status(c->server->engine), "text",
			json_text_new(text)));
}

void
client_detach(struct client *c, const char *text)
{
	c->own = false; /* its end is not that of the campaign */
	c->role = CLIENT_WATCH;
	c->refused = true; /* until it has closed, it is nobody to give to */
	client_send(c,
		json_pack("{s:{s:i, s:o, s:b}}", "bye", "exit", 0, "text",
			json_text_new(text), "detached", 1));
}

const char *
client_role_name(enum client_role role)
{
	return role == CLIENT_CONTROL ? "control" : "watch";
}

void
client_set_role(struct client *c, enum client_role role, const char *text)
{
	c->role = role;
	client_send(c,
		json_pack("{s:{s:s, s:o}}", "role", "role",
			client_role_name(role), "text", json_text_new(text)));
}

/* ---- messages ---- */

static void
client_refuse(struct client *c, json_int_t version)
{
	char text[160];

	snprintf(text, sizeof(text),
		"the campaign speaks version %d of the protocol, the console "
		"version %lld: attach with the cfuzz that runs it",
		CONTROL_VERSION, (long long)version);
	client_send(c,
		json_pack("{s:{s:i, s:s}}", "bye", "exit", (int)EXIT_SETUP,
			"text", text));
}

static void
client_on_hello(struct client *c, const json_t *hello)
{
	json_int_t version =
		json_integer_value(json_object_get(hello, "version"));

	if (c->greeted || c->refused)
		return;
	c->greeted = version == CONTROL_VERSION;
	c->refused = !c->greeted;
	if (c->refused)
		client_refuse(c, version);
	else
		server_on_greeting(c, hello);
}

static void
client_on_message(void *arg, json_t *message)
{
	struct client *c = arg;
	const json_t *part = json_object_get(message, "hello");
	const char *line;
	json_int_t id = 0;

	if (json_is_object(part) &&
		json_is_integer(json_object_get(part, "version")))
		client_on_hello(c, part);
	else if (!c->greeted)
		return;
	else if (json_unpack(message, "{s:{s?I, s:s}}", "command", "id", &id,
			 "line", &line) == 0)
		server_run_command(c, id, line);
	else if ((part = json_object_get(message, "place")) != NULL)
		server_on_place(c, part);
	else if ((part = json_object_get(message, "query")) != NULL)
		server_run_query(c, part);
}

static void
client_lose(struct client *c)
{
	frame_peer_destroy(c->peer);
	c->peer = NULL;
	server_on_closed(c);
}

static void
client_on_closed(void *arg, const char *why)
{
	struct client *c = arg;

	log_debug("client %llu is gone: %s", (unsigned long long)c->number,
		why);
	client_lose(c);
}

/* ---- life ---- */

struct client *
client_create(struct server *s, int take_fd, bool own, const char *user)
{
	static const struct frame_handlers frames = {
		.on_message = client_on_message,
		.on_closed = client_on_closed,
	};
	struct client *c = xcalloc(1, sizeof(*c)), **end = &s->clients;

	c->server = s;
	c->number = ++s->numbers;
	c->own = own;
	c->moved_ns = clock_now_ns();
	text_clean_string(user, c->user, sizeof(c->user));
	c->peer = frame_peer_create(engine_base(s->engine), take_fd,
		FRAME_TO_ENGINE_MAX, &frames, c);
	while (*end != NULL)
		end = &(*end)->next;
	*end = c;
	client_send(c,
		json_pack("{s:{s:i, s:o}}", "hello", "version", CONTROL_VERSION,
			"target", json_text_new(program_name(s->engine))));
	return c;
}

void
client_destroy(struct client *c)
{
	frame_peer_destroy(c->peer);
	free(c);
}

/*
 * The console that came with the engine may be stopped by its user for any
 * time: it gets no snapshots meanwhile. The engine sees that a console reads when
 * the kernel takes more bytes, once for each 16 KiB read, libevent's largest
 * write. One that reads less in the time CLIENT_TIMEOUT_NS does not read.
 */
void
client_check(struct client *c, uint64_t now)
{
	size_t backlog;

	if (c->peer == NULL || c->own)
		return;
	backlog = frame_backlog(c->peer);
	if (c->greeted && (backlog == 0 || backlog < c->backlog))
		c->moved_ns = now;
	c->backlog = backlog;
	if (now < c->moved_ns + CLIENT_TIMEOUT_NS ||
		engine_over(c->server->engine))
		return;
	if (c->greeted)
		message_event(c->server->engine, "dropped",
			json_pack("{s:s}", "user", c->user),
			"%s was dropped: its console does not read", c->user);
	client_lose(c);
}
