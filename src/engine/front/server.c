/*
 * server: the engine's end of the control socket. It sends a snapshot ten times
 * a second while the console keeps up, runs the console's commands, passes on
 * its queries, and says goodbye. A console that closes without a quit ends the
 * campaign, unless the user wants it to run on.
 */
#include "engine/front/server.h"

#include <stdlib.h>
#include <event2/event.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/frame.h"
#include "control/query.h"
#include "control/settings.h"
#include "control/snapshot.h"
#include "engine/engine_end.h"
#include "engine/front/snapshot_view.h"
#include "engine/parts.h"
#include "engine/program.h"

#define SNAPSHOT_NS 100000000ull
#define BACKLOG_MAX (256u << 10) /* bytes behind: no snapshots */

struct server {
	struct engine *engine;
	const struct server_handlers *handlers;
	struct frame_peer *peer; /* NULL: the console is gone */
	bool greeted, refused;
	bool answering, held; /* answering a command; its answer comes later */
	json_int_t command;
	uint64_t next_ns;
};

static void
server_send(struct server *s, json_t *take_message)
{
	struct error err = { 0 };

	if (s->peer != NULL && frame_send(s->peer, take_message, &err) != OK)
		log_debug("console: %s", err.text);
	json_decref(take_message);
}

/*
 * Texts may quote a user or a target and be cut within a character; jansson
 * rejects such text.
 */
static json_t *
server_text(const char *text)
{
	char clean[1024];

	text_clean_string(text, clean, sizeof(clean));
	return json_string(clean);
}

bool
server_hold(struct server *s, json_int_t *id)
{
	if (s == NULL || !s->answering)
		return false;
	s->held = true;
	*id = s->command;
	return true;
}

void
server_answer_late(struct server *s, json_int_t id, bool ok, const char *text)
{
	if (s == NULL)
		return;
	server_send(s,
		json_pack("{s:{s:I, s:b, s:o}}", "answer", "id", id, "ok",
			(int)ok, "text", server_text(text)));
	s->next_ns = 0; /* show the effect at once */
}

static void
server_answer(struct server *s, json_int_t id, const char *line)
{
	struct error err = { 0 };
	char answer[256];
	bool ok;

	s->answering = true;
	s->held = false;
	s->command = id;
	ok = s->handlers->on_command(s->engine, line, answer, sizeof(answer),
		     &err) == OK;
	s->answering = false;
	log_debug("command: %s: %s", line, ok ? answer : err.text);
	if (!ok || !s->held)
		server_answer_late(s, id, ok, ok ? answer : err.text);
}

static void
server_send_bye(struct server *s, const char *text)
{
	server_send(s,
		json_pack("{s:{s:i, s:o}}", "bye", "exit",
			(int)engine_status(s->engine), "text",
			server_text(text)));
}

bool
server_is_behind(const struct server *s)
{
	return s != NULL && s->peer != NULL &&
		frame_backlog(s->peer) > FRAME_HOLD;
}

void
server_reply(struct server *s, uint64_t id, const struct reply *reply)
{
	if (s != NULL && s->peer != NULL)
		server_send(s,
			json_pack("{s:o}", "reply", reply_encode(reply, id)));
}

static void
server_on_query(struct server *s, const json_t *json)
{
	const char *kind = json_string_value(json_object_get(json, "kind"));
	struct error err = { 0 };
	struct query query;
	uint64_t id;

	if (query_decode(&query, &id, json, &err) == OK) {
		s->handlers->on_query(s->engine, id, &query);
		return;
	}
	log_debug("console: query: %s", err.text);
	/* A query with an id always gets a reply. */
	if (json_is_integer(json_object_get(json, "id")))
		server_send(s,
			json_pack("{s:{s:O, s:o, s:o}}", "reply", "id",
				json_object_get(json, "id"), "kind",
				server_text(kind != NULL ? kind : ""), "error",
				server_text(err.text)));
}

static void
server_on_message(void *arg, json_t *message)
{
	struct server *s = arg;
	const json_t *query = json_object_get(message, "query");
	const char *line;
	json_int_t id = 0;
	int version;

	if (json_unpack(message, "{s:{s:i}}", "hello", "version", &version) ==
		0) {
		s->greeted = version == CONTROL_VERSION;
		s->refused = !s->greeted;
		if (s->refused)
			server_send_bye(s,
				"the console has another version of "
				"the protocol");
	} else if (s->greeted &&
		json_unpack(message, "{s:{s?I, s:s}}", "command", "id", &id,
			"line", &line) == 0) {
		server_answer(s, id, line);
	} else if (s->greeted && query != NULL) {
		server_on_query(s, query);
	}
}

static void
server_on_closed(void *arg, const char *why)
{
	struct server *s = arg;
	struct engine *e = s->engine;

	log_debug("console is gone: %s", why);
	frame_peer_destroy(s->peer);
	s->peer = NULL;
	if (!engine_settings(e)->keep_running && !engine_stopping(e))
		engine_stop(e, END_USER);
}

struct server *
server_create(struct engine *e, int take_fd,
	const struct server_handlers *handlers)
{
	static const struct frame_handlers frames = {
		.on_message = server_on_message,
		.on_closed = server_on_closed,
	};
	struct server *s = xcalloc(1, sizeof(*s));

	s->engine = e;
	s->handlers = handlers;
	s->peer = frame_peer_create(engine_base(e), take_fd,
		FRAME_TO_ENGINE_MAX, &frames, s);
	server_send(s,
		json_pack("{s:{s:i, s:o}}", "hello", "version", CONTROL_VERSION,
			"target", server_text(program_name(e))));
	return s;
}

void
server_destroy(struct server *s)
{
	if (s == NULL)
		return;
	frame_peer_destroy(s->peer);
	free(s);
}

void
server_tick(struct server *s, uint64_t now)
{
	struct snapshot snapshot;

	if (s == NULL || s->peer == NULL || !s->greeted || now < s->next_ns ||
		frame_backlog(s->peer) > BACKLOG_MAX)
		return;
	s->next_ns = now + SNAPSHOT_NS;
	view_make(s->engine, &snapshot);
	server_send(s,
		json_pack("{s:o}", "snapshot",
			snapshot_encode_columns(&snapshot)));
	snapshot_clear(&snapshot);
}

void
server_say_bye(struct server *s, const char *text)
{
	if (s == NULL || s->peer == NULL || s->refused)
		return;
	s->next_ns = 0;
	s->greeted = true;
	server_tick(s, UINT64_MAX - SNAPSHOT_NS);
	server_send_bye(s, text);
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
	while (s->peer != NULL && frame_backlog(s->peer) > 0 &&
		clock_now_ns() < end) {
		event_base_loopexit(base, &limit);
		event_base_loop(base, EVLOOP_ONCE);
	}
}
