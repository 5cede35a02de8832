/* talk: see talk.h. */
#include "lib/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/xmalloc.h"
#include "control/endpoint.h"
#include "control/snapshot.h"

static void
on_report(void *arg, const struct report *report)
{
	struct talk *talk = arg;

	if (report->kind == REPORT_EVENT)
		json_array_append_new(talk->events,
			json_deep_copy(report->event));
}

static void
on_message(void *arg, json_t *message)
{
	struct talk *talk = arg;

	json_array_append_new(talk->messages, json_deep_copy(message));
}

static void
on_closed(void *arg, const char *why)
{
	((struct talk *)arg)->closed = true;
}

static int
talk_begin(struct talk *talk, int *own)
{
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	talk->messages = json_array();
	talk->events = json_array();
	*own = fds[1];
	return fds[0];
}

static void
talk_connect(struct talk *talk, int own)
{
	static const struct frame_handlers handlers = {
		.on_message = on_message,
		.on_closed = on_closed,
	};

	talk->peer = frame_peer_create(talk->engine->base, own, 4 << 20,
		&handlers, talk);
}

void
talk_open(struct talk *talk, const struct tree *tree,
	const char *const *options)
{
	int own, theirs = talk_begin(talk, &own);

	talk->engine = whole_engine_open(tree, "good", options, theirs,
		on_report, talk);
	talk_connect(talk, own);
}

void
talk_open_past(struct talk *talk, const struct tree *tree, const char *target,
	const char *mode)
{
	int own, theirs = talk_begin(talk, &own);

	talk->engine = whole_engine_open_past(tree, target, mode, theirs,
		on_report, talk);
	talk_connect(talk, own);
}

void
talk_attach(struct talk *talk, const struct talk *first)
{
	struct error err = { 0 };
	int fd = -1;

	*talk = (struct talk){ .engine = first->engine };
	talk->messages = json_array();
	if (endpoint_connect(engine_output_path(talk->engine), &fd, &err) != OK)
		fail_msg("%s", err.text);
	talk_connect(talk, fd);
}

void
talk_leave(struct talk *talk)
{
	frame_peer_destroy(talk->peer);
	json_decref(talk->messages);
	*talk = (struct talk){ 0 };
}

enum exit_status
talk_close(struct talk *talk)
{
	struct error err = { 0 };
	enum exit_status status;

	if (talk->engine->end.over) {
		frame_peer_destroy(talk->peer); /* then nobody looks at it */
		talk->peer = NULL;
	} else if (talk->peer != NULL && !talk->engine->end.stopping) {
		engine_stop(talk->engine, END_USER);
	}
	status = whole_engine_run(talk->engine, &err);
	frame_peer_destroy(talk->peer);
	engine_destroy(talk->engine);
	json_decref(talk->messages);
	json_decref(talk->events);
	return status;
}

void
talk_say(struct talk *talk, const char *text)
{
	json_t *json = json_loads(text, 0, NULL);

	assert_non_null(json);
	assert_int_equal(frame_send(talk->peer, json, NULL), OK);
	json_decref(json);
}

void
talk_greet(struct talk *talk, long long version)
{
	char text[64];

	snprintf(text, sizeof(text), "{\"hello\": {\"version\": %lld}}",
		version);
	talk_say(talk, text);
}

void
talk_greet_staying(struct talk *talk)
{
	char text[64];

	snprintf(text, sizeof(text),
		"{\"hello\": {\"version\": %d, \"stay\": true}}",
		CONTROL_VERSION);
	talk_say(talk, text);
}

json_t *
talk_find(const struct talk *talk, const char *member)
{
	json_t *found = NULL, *message;
	size_t i;

	json_array_foreach(talk->messages, i, message) {
		if (json_object_get(message, member) != NULL)
			found = json_object_get(message, member);
	}
	return found;
}

static void
on_deadline(evutil_socket_t fd, short what, void *arg)
{
	*(bool *)arg = true;
}

/* member: NULL: until the connection is closed. */
static json_t *
talk_wait(struct talk *talk, const char *member)
{
	const struct timeval patience = { TALK_PATIENCE_S, 0 };
	struct event *deadline;
	json_t *found = NULL;
	bool late = false;

	deadline = event_new(talk->engine->base, -1, 0, on_deadline, &late);
	event_add(deadline, &patience);
	while (!late &&
		(member != NULL ? (found = talk_find(talk, member)) == NULL
				: !talk->closed))
		event_base_loop(talk->engine->base, EVLOOP_ONCE);
	event_free(deadline);
	assert_false(late);
	return found;
}

void
talk_wait_closed(struct talk *talk)
{
	(void)talk_wait(talk, NULL);
}

json_t *
talk_hear(struct talk *talk, const char *member)
{
	json_t *found = talk_wait(talk, member);

	json_incref(found);
	json_array_clear(talk->messages);
	return found;
}

char *
talk_command(struct talk *talk, const char *line, bool *ok)
{
	json_t *answer =
		json_pack("{s:{s:i, s:s}}", "command", "id", 9, "line", line);
	char *text;

	assert_int_equal(frame_send(talk->peer, answer, NULL), OK);
	json_decref(answer);
	answer = talk_hear(talk, "answer");
	*ok = json_is_true(json_object_get(answer, "ok"));
	text = xstrdup(json_string_value(json_object_get(answer, "text")));
	json_decref(answer);
	return text;
}

size_t
talk_events(const struct talk *talk, const char *kind)
{
	const json_t *event;
	size_t i, n = 0;

	json_array_foreach(talk->events, i, event) {
		n += strcmp(json_string_value(json_object_get(event, "event")),
			     kind) == 0;
	}
	return n;
}
