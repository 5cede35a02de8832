/*
 * server: the engine's end of the control socket. It sends snapshots ten times
 * a second to the clients that keep up, runs the commands of the one that
 * controls, answers the queries of all, and says goodbye. A console that is lost
 * has detached, unless the user wants the campaign to end with it.
 */
#include "engine/front/server.h"

#include <stdlib.h>
#include <unistd.h>
#include <event2/event.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "control/frame.h"
#include "control/json_text.h"
#include "control/query.h"
#include "control/settings.h"
#include "control/snapshot.h"
#include "engine/engine_end.h"
#include "engine/front/server_private.h"
#include "engine/front/snapshot_view.h"
#include "engine/log/messages.h"
#include "engine/parts.h"

#define SNAPSHOT_NS 100000000ull
#define BACKLOG_MAX (256u << 10) /* bytes behind: no snapshots */

/* An id of a client and its number become one id within the engine. */
#define ID_BITS 40
#define ID_MAX ((1ll << ID_BITS) - 1)

#define PLACE_SIZE_MAX 2048   /* bytes of a place as JSON */
#define COMMAND_NOTE_SIZE 256 /* of a command's line in the journal */

static uint64_t
server_id(const struct client *c, uint64_t id)
{
	return c->number << ID_BITS | id;
}

/* NULL: gone since it asked. */
static struct client *
server_client_of(const struct server *s, uint64_t id)
{
	struct client *c;

	for (c = s->clients; c != NULL; c = c->next)
		if (c->number == id >> ID_BITS && c->peer != NULL)
			return c;
	return NULL;
}

/* ---- commands and queries ---- */

bool
server_hold(struct server *s, json_int_t *id)
{
	if (s == NULL || s->asking == NULL)
		return false;
	s->held = true;
	*id = s->command;
	return true;
}

void
server_answer_late(struct server *s, json_int_t id, bool ok, const char *text)
{
	struct client *c = s != NULL ? server_client_of(s, (uint64_t)id) : NULL;

	if (c == NULL)
		return;
	client_answer(c, id & ID_MAX, ok, text);
	s->next_ns = 0; /* show the effect at once */
}

/* May a client that only watches do this? It may take control or leave. */
static bool
server_is_watchers(const struct client *c, enum command_id id)
{
	return id == COMMAND_TAKE || id == COMMAND_DETACH ||
		(id == COMMAND_QUIT && engine_over(c->server->engine));
}

/* NULL: the line is no command. */
static enum status
server_check_command(const struct client *c, const struct command *command,
	struct error *err)
{
	const char *refusal = "";

	if (command != NULL && c->guest)
		refusal = server_guest_refusal(command);
	if (refusal[0] != '\0')
		return error_set(err, E_STATE, "%s", refusal);
	if (c->role == CLIENT_CONTROL ||
		(command != NULL && server_is_watchers(c, command->id)))
		return OK;
	return error_set(err, E_STATE,
		c->guest ? "you only watch this campaign, which is another "
			   "user's"
			 : "you only watch this campaign: :take takes control");
}

/* Not on the screen, where the command's effects are. */
static void
server_note_command(struct client *c, enum client_role role, const char *line,
	bool ok)
{
	char clean[COMMAND_NOTE_SIZE];
	uint64_t now = clock_now_ns();

	/* A client can repeat a refused command as often as it likes. */
	if (!ok && now < c->refused_ns + CLOCK_NS_PER_S)
		return;
	c->refused_ns = ok ? c->refused_ns : now;
	text_clean_string(line, clean, sizeof(clean));
	message_event(c->server->engine, "command",
		json_pack("{s:s, s:s, s:s, s:b}", "user", c->user, "role",
			client_role_name(role), "line", clean, "ok", (int)ok),
		NULL);
}

/* Parses a line of a client that may send it. */
static bool
server_parse_line(const struct client *c, const char *line,
	struct command *command, struct error *err)
{
	struct error unknown = { 0 };
	bool known = command_parse(line, command, &unknown) == OK;

	if (server_check_command(c, known ? command : NULL, err) != OK)
		return false;
	if (!known)
		*err = unknown;
	return known;
}

void
server_run_command(struct client *c, json_int_t id, const char *line)
{
	struct server *s = c->server;
	enum client_role role = c->role;
	struct command command;
	struct error err = { 0 };
	char answer[256] = "";
	bool ok;

	if (id < 0 || id > ID_MAX) {
		client_answer(c, id, false, "the command's id is too large");
		return;
	}
	if (s->over) {
		client_answer(c, id, false, "the campaign has ended");
		return;
	}
	s->asking = c;
	s->held = false;
	s->command = (json_int_t)server_id(c, (uint64_t)id);
	message_set_user(s->engine, c->user);
	ok = server_parse_line(c, line, &command, &err) &&
		s->handlers->on_command(s->engine, &command, answer,
			sizeof(answer), &err) == OK;
	message_set_user(s->engine, NULL);
	server_note_command(c, role, line, ok);
	s->asking = NULL;
	log_debug("command: %s: %s", line, ok ? answer : err.text);
	if (!ok || !s->held)
		server_answer_late(s, s->command, ok, ok ? answer : err.text);
}

bool
server_is_behind(const struct server *s, uint64_t id)
{
	const struct client *c = s != NULL ? server_client_of(s, id) : NULL;

	return c != NULL && frame_backlog(c->peer) > FRAME_HOLD;
}

void
server_reply(struct server *s, uint64_t id, const struct reply *reply)
{
	struct client *c = s != NULL ? server_client_of(s, id) : NULL;

	if (c != NULL)
		client_send(c,
			json_pack("{s:o}", "reply",
				reply_encode(reply, id & ID_MAX)));
}

void
server_run_query(struct client *c, const json_t *json)
{
	const char *kind = json_text_get(json, "kind");
	struct server *s = c->server;
	struct error err = { 0 };
	struct query query;
	uint64_t id;

	if (query_decode(&query, &id, json, &err) == OK) {
		if (id <= ID_MAX) {
			s->handlers->on_query(s->engine, server_id(c, id),
				&query);
			return;
		}
		error_set(&err, E_RANGE, "the query's id is too large");
	}
	log_debug("console: query: %s", err.text);
	/* A query with an id always gets a reply. */
	if (json_is_integer(json_object_get(json, "id")))
		client_send(c,
			json_pack("{s:{s:O, s:o, s:o}}", "reply", "id",
				json_object_get(json, "id"), "kind",
				json_text_new(kind != NULL ? kind : ""),
				"error", json_text_new(err.text)));
}

/* ---- places ---- */

void
server_on_place(struct client *c, const json_t *place)
{
	struct server *s = c->server;

	if (c->role != CLIENT_CONTROL || !json_is_object(place) ||
		json_dumpb(place, NULL, 0, JSON_COMPACT) > PLACE_SIZE_MAX)
		return;
	json_decref(s->place);
	s->place = json_deep_copy(place);
	s->places++;
}

/* Between snapshots a place may change often: only the newest is sent. */
static void
server_send_place(struct client *c)
{
	struct server *s = c->server;

	if (!c->follows || c->role != CLIENT_WATCH || s->place == NULL ||
		c->place_seen == s->places)
		return;
	c->place_seen = s->places;
	client_send(c, json_pack("{s:O}", "place", s->place));
}

/* ---- the end of a client ---- */

void
server_on_closed(struct client *c)
{
	struct engine *e = c->server->engine;

	if (c->own && engine_settings(e)->stop_on_hangup) {
		if (!engine_stopping(e))
			engine_stop(e, END_USER);
	} else if (c->greeted && !c->server->over) {
		server_note(c, "detach", "detached");
	}
}

/* Not at once: a client may end while the list is walked. */
static void
server_free_gone(struct server *s)
{
	struct client **at = &s->clients, *c;

	while ((c = *at) != NULL) {
		if (c->peer != NULL) {
			at = &c->next;
			continue;
		}
		*at = c->next;
		client_destroy(c);
	}
}

/* ---- life ---- */

/*
 * Once: where users are in a directory service, it may take its time. Not
 * before a client comes: the C library ends a process that has no memory to
 * look for a user.
 */
const char *
server_user(struct server *s)
{
	if (s->user[0] == '\0')
		endpoint_user_name(geteuid(), s->user);
	return s->user;
}

struct server *
server_create(struct engine *e, int take_fd,
	const struct server_handlers *handlers)
{
	struct server *s = xcalloc(1, sizeof(*s));

	s->engine = e;
	s->handlers = handlers;
	s->listener = engine_over(e) ? NULL : listener_create(s);
	if (take_fd < 0)
		return s;
	client_create(s, take_fd, true, server_user(s))->uid = geteuid();
	return s;
}

void
server_destroy(struct server *s)
{
	struct client *c, *next;

	if (s == NULL)
		return;
	listener_destroy(s->listener);
	for (c = s->clients; c != NULL; c = next) {
		next = c->next;
		client_destroy(c);
	}
	json_decref(s->place);
	free(s);
}

static bool
server_wants_snapshot(const struct client *c)
{
	return c->peer != NULL && c->greeted &&
		frame_backlog(c->peer) <= BACKLOG_MAX;
}

static void
server_send_snapshot(struct server *s)
{
	struct snapshot snapshot;
	struct client *c;
	json_t *message;
	char *text;
	size_t len;

	view_make(s->engine, &snapshot);
	server_view(s, &snapshot);
	message = json_pack("{s:o}", "snapshot",
		snapshot_encode_columns(&snapshot));
	snapshot_clear(&snapshot);
	text = frame_encode(message, &len);
	json_decref(message);
	for (c = s->clients; c != NULL && text != NULL; c = c->next)
		if (server_wants_snapshot(c) &&
			frame_send_text(c->peer, text, len, NULL) == OK) {
			server_send_place(c);
			c->backlog = frame_backlog(c->peer);
		}
	free(text);
}

void
server_tick(struct server *s, uint64_t now)
{
	bool wanted = false;
	struct client *c;

	if (s == NULL || now < s->next_ns)
		return;
	listener_tick(s->listener);
	for (c = s->clients; c != NULL; c = c->next) {
		client_check(c, now);
		wanted = wanted || server_wants_snapshot(c);
	}
	server_free_gone(s);
	s->next_ns = now +
		(engine_over(s->engine) && engine_stopping(s->engine)
				? CLOCK_NS_PER_S
				: SNAPSHOT_NS);
	if (wanted)
		server_send_snapshot(s);
}

bool
server_has_clients(const struct server *s)
{
	return s != NULL && s->clients != NULL;
}

void
server_say_bye(struct server *s, const char *text)
{
	struct client *c;

	if (s == NULL)
		return;
	s->over = true;
	listener_destroy(s->listener);
	s->listener = NULL;
	/* Whoever has not greeted yet is shown the end as well. */
	for (c = s->clients; c != NULL; c = c->next)
		c->greeted = !c->refused;
	server_send_snapshot(s);
	for (c = s->clients; c != NULL; c = c->next)
		if (!c->refused)
			client_say_bye(c, text);
}

static bool
server_has_backlog(const struct server *s)
{
	const struct client *c;

	for (c = s->clients; c != NULL; c = c->next)
		if (c->peer != NULL && frame_backlog(c->peer) > 0)
			return true;
	return false;
}

void
server_flush(struct server *s)
{
	const struct timeval limit = { 1, 0 };
	struct event_base *base;
	uint64_t end = clock_now_ns() + CLOCK_NS_PER_S;

	if (s == NULL)
		return;
	base = engine_base(s->engine);
	while (server_has_backlog(s) && clock_now_ns() < end) {
		event_base_loopexit(base, &limit);
		event_base_loop(base, EVLOOP_ONCE);
	}
}
