/*
 * The control socket: greetings, commands, questions good and bad, the end of
 * the console; and the effect of a changed limit.
 */
#include "lib/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "control/frame.h"
#include "engine/front/server.h"
#include "engine/statistics/limit_effects.h"
#include "lib/fake_worker.h"
#include "lib/own_note.h"
#include "lib/whole_engine.h"

#define PATIENCE_S 120

static const char *const plain[] = { "parallel", "1", NULL };
static const char *const going_on[] = { "parallel", "1", "fuzztime", "50x",
	NULL };
static const char *const ending[] = { "parallel", "1", "stop-on-hangup", "on",
	NULL };

struct talk {
	struct engine *engine;
	struct frame_peer *peer;
	json_t *messages; /* from the engine */
	json_t *events;   /* of the journal */
};

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
	(void)arg;
	(void)why;
}

static void
talk_open(struct talk *talk, const struct tree *tree,
	const char *const *options)
{
	static const struct frame_handlers handlers = {
		.on_message = on_message,
		.on_closed = on_closed,
	};
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	talk->messages = json_array();
	talk->events = json_array();
	talk->engine = whole_engine_open(tree, "good", options, fds[0],
		on_report, talk);
	talk->peer = frame_peer_create(talk->engine->base, fds[1], 4 << 20,
		&handlers, talk);
}

static enum exit_status
talk_close(struct talk *talk)
{
	struct error err = { 0 };
	enum exit_status status;

	if (talk->peer != NULL && !talk->engine->end.stopping)
		engine_stop(talk->engine, END_USER);
	status = whole_engine_run(talk->engine, &err);
	frame_peer_destroy(talk->peer);
	engine_destroy(talk->engine);
	json_decref(talk->messages);
	json_decref(talk->events);
	return status;
}

static void
say(struct talk *talk, const char *text)
{
	json_t *json = json_loads(text, 0, NULL);

	assert_non_null(json);
	assert_int_equal(frame_send(talk->peer, json, NULL), OK);
	json_decref(json);
}

static void
greet(struct talk *talk, int version)
{
	char text[64];

	snprintf(text, sizeof(text), "{\"hello\": {\"version\": %d}}", version);
	say(talk, text);
}

static json_t *
find_message(const struct talk *talk, const char *member)
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
	(void)fd;
	(void)what;
	*(bool *)arg = true;
}

/* The last message with that member, once there is one; all are forgotten. */
static json_t *
hear(struct talk *talk, const char *member)
{
	const struct timeval patience = { PATIENCE_S, 0 };
	struct event *deadline;
	json_t *found;
	bool late = false;

	deadline = event_new(talk->engine->base, -1, 0, on_deadline, &late);
	event_add(deadline, &patience);
	while ((found = find_message(talk, member)) == NULL && !late)
		event_base_loop(talk->engine->base, EVLOOP_ONCE);
	event_free(deadline);
	assert_non_null(found);
	json_incref(found);
	json_array_clear(talk->messages);
	return found;
}

/* ---- messages ------------------------------------------------------------- */

/* clang-format off */
static const struct message_row {
	const char *name, *message, *member;
	const char *error; /* in its text or error; "": none */
	bool ok;
} MESSAGES[] = {
	{ "a command", "{'command': {'id': 7, 'line': 'pause'}}", "answer", "", true },
	{ "an unknown command", "{'command': {'id': 7, 'line': 'fly'}}", "answer", "fly", false },
	{ "a command for no finding", "{'command': {'id': 7, 'line': 'accept x'}}", "answer", "x", false },
	{ "a question", "{'query': {'id': 7, 'kind': 'coverage', 'first': 0, 'count': 9, 'since': 0}}", "reply", "", true },
	{ "a question for nothing", "{'query': {'id': 7, 'kind': 'entry', 'name': 'ffff', 'first': 0, 'count': 9}}", "reply", "ffff", false },
	{ "an unknown question", "{'query': {'id': 7, 'kind': 'weather'}}", "reply", "known words", false },
};
/* clang-format on */

/* A row has ' in place of ". */
static void
say_row(struct talk *talk, const char *message)
{
	char text[256], *at;

	snprintf(text, sizeof(text), "%s", message);
	for (at = text; (at = strchr(at, '\'')) != NULL;)
		*at = '"';
	say(talk, text);
}

/* Each command and each question with an id gets its answer. */
static void
test_messages(void **state)
{
	const struct message_row *row;
	struct talk talk = { 0 };
	const char *text;
	json_t *answer;

	talk_open(&talk, *state, plain);
	json_decref(hear(&talk, "hello"));
	greet(&talk, CONTROL_VERSION);
	for (row = MESSAGES; row < MESSAGES + ROWS(MESSAGES); row++) {
		say_row(&talk, "{'query': {'kind': 'none'}}"); /* unanswered */
		say_row(&talk, row->message);
		answer = hear(&talk, row->member);
		row_check(json_integer_value(json_object_get(answer, "id")) ==
				7,
			"%s", row->name);
		text = json_string_value(json_object_get(answer, "error"));
		if (strcmp(row->member, "answer") == 0)
			row_check(json_is_true(json_object_get(answer, "ok")) ==
					row->ok,
				"%s", row->name);
		else
			row_check((text == NULL || text[0] == '\0') == row->ok,
				"%s: %s", row->name, text != NULL ? text : "");
		if (strcmp(row->member, "answer") == 0)
			text = json_string_value(
				json_object_get(answer, "text"));
		row_check(row->error[0] == '\0' ||
				strstr(text, row->error) != NULL,
			"%s: %s", row->name, text);
		json_decref(answer);
	}
	assert_true(talk.engine->clock.paused);
	talk_close(&talk);
}

/* Nothing is done for a console that did not greet. */
static void
test_no_greeting(void **state)
{
	struct talk talk = { 0 };
	json_t *answer;

	talk_open(&talk, *state, plain);
	say(&talk, "{\"command\": {\"id\": 1, \"line\": \"pause\"}}");
	say(&talk, "{\"query\": {\"id\": 2, \"kind\": \"coverage\"}}");
	greet(&talk, CONTROL_VERSION);
	say(&talk, "{\"command\": {\"id\": 3, \"line\": \"ping\"}}");
	answer = hear(&talk, "answer");
	assert_int_equal(json_integer_value(json_object_get(answer, "id")), 3);
	assert_false(talk.engine->clock.paused);
	json_decref(answer);
	talk_close(&talk);
}

/* A console of another version is told to go, and gets no snapshot. */
static void
test_another_version(void **state)
{
	struct talk talk = { 0 };
	json_t *bye;

	talk_open(&talk, *state, plain);
	greet(&talk, CONTROL_VERSION + 1);
	bye = hear(&talk, "bye");
	assert_int_equal(json_integer_value(json_object_get(bye, "exit")), 2);
	assert_string_equal(json_string_value(json_object_get(bye, "text")),
		"the campaign speaks version 1 of the protocol, the console "
		"version 2: attach with the cfuzz that runs it");
	json_decref(bye);
	talk_close(&talk);
}

/* ---- the console leaves --------------------------------------------------- */

/* A lost console has detached; with --stop-on-hangup the campaign ends. */
static void
test_closed(void **state)
{
	static const char *const *const options[] = { ending, going_on };
	struct talk talk;
	size_t i;
	void *tree;

	(void)state;
	for (i = 0; i < ROWS(options); i++) {
		assert_int_equal(tree_open(&tree), 0);
		talk = (struct talk){ 0 };
		talk_open(&talk, tree, options[i]);
		greet(&talk, CONTROL_VERSION);
		say(&talk, "{\"command\": {\"id\": 1, \"line\": \"ping\"}}");
		json_decref(hear(&talk, "answer"));
		frame_peer_destroy(talk.peer);
		talk.peer = NULL;
		assert_int_equal(talk_close(&talk), EXIT_NOTHING);
		tree_close(&tree);
	}
}

static size_t
events_of(const struct talk *talk, const char *kind)
{
	const json_t *event;
	size_t i, n = 0;

	json_array_foreach(talk->events, i, event) {
		n += strcmp(json_string_value(json_object_get(event, "event")),
			     kind) == 0;
	}
	return n;
}

/* After the goodbye commands are refused, and leaving is not in the journal. */
static void
test_after_goodbye(void **state)
{
	struct talk talk = { 0 };
	json_t *answer;

	talk_open(&talk, *state, going_on);
	greet(&talk, CONTROL_VERSION);
	say(&talk, "{\"command\": {\"id\": 1, \"line\": \"ping\"}}");
	json_decref(hear(&talk, "answer"));
	server_say_bye(talk.engine->front.server, "over");
	json_decref(hear(&talk, "bye"));
	say(&talk, "{\"command\": {\"id\": 2, \"line\": \"pause\"}}");
	answer = hear(&talk, "answer");
	assert_false(json_is_true(json_object_get(answer, "ok")));
	json_decref(answer);
	frame_peer_destroy(talk.peer);
	talk.peer = NULL;
	event_base_loop(talk.engine->base, EVLOOP_NONBLOCK);
	assert_int_equal(events_of(&talk, "operator"), 0);
	assert_int_equal(events_of(&talk, "detach"), 0);
	talk_close(&talk);
}

/* A campaign may end before its console has greeted, which then is shown it. */
static void
test_ends_before_greeting(void **state)
{
	struct talk talk = { 0 };
	uint64_t end = clock_now_ns() + (uint64_t)PATIENCE_S * CLOCK_NS_PER_S;
	char text[64];

	talk_open(&talk, *state, going_on);
	server_begin_over(talk.engine->front.server, "over");
	snprintf(text, sizeof(text),
		"{\"hello\": {\"version\": %d, \"stay\": true}}",
		CONTROL_VERSION);
	say(&talk, text);
	while (find_message(&talk, "snapshot") == NULL) {
		assert_null(find_message(&talk, "bye"));
		assert_true(clock_now_ns() < end);
		server_tick(talk.engine->front.server, clock_now_ns());
		event_base_loop(talk.engine->base, EVLOOP_NONBLOCK);
	}
	frame_peer_destroy(talk.peer);
	talk.peer = NULL;
	talk_close(&talk);
}

/* ---- a changed limit ------------------------------------------------------ */

/* clang-format off */
static const struct effect_row {
	const char *name;
	uint64_t after_s;
	bool last, told;
} EFFECTS[] = {
	{ "after a long time", 6, false, true },
	{ "too early", 2, false, false },
	{ "early, but at the end", 2, true, true },
	{ "at once at the end", 0, true, false },
};
/* clang-format on */

/* The speed before and after a change is reported once enough time is over. */
static void
test_effects(void **state)
{
	const struct effect_row *row;
	struct talk talk = { 0 };
	const json_t *event;
	size_t told = 0;

	talk_open(&talk, *state, plain);
	talk.engine->clock.start_ns = clock_now_ns() - CLOCK_NS_PER_S;
	for (row = EFFECTS; row < EFFECTS + ROWS(EFFECTS); row++) {
		limit_effects_note(talk.engine, "timeout", "100", "200");
		talk.engine->clock.start_ns -= row->after_s * CLOCK_NS_PER_S;
		talk.engine->counts.executions += 600;
		limit_effects_tick(talk.engine, row->last);
		told += row->told;
		row_check(events_of(&talk, "limit") == told, "%s", row->name);
		talk.engine->effects.due = false;
	}
	event = json_array_get(talk.events, 0);
	assert_string_equal(json_string_value(json_object_get(event, "limit")),
		"timeout");
	assert_string_equal(json_string_value(json_object_get(event, "after")),
		"200");
	assert_true(json_real_value(
			    json_object_get(event, "execs_per_sec_after")) > 0);
	talk_close(&talk);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_messages),
		ROW(test_no_greeting),
		ROW(test_another_version),
		cmocka_unit_test(test_closed),
		ROW(test_after_goodbye),
		ROW(test_ends_before_greeting),
		ROW(test_effects),
	};

	(void)argc;
	fake_worker_main(argv);
	return cmocka_run_group_tests_name("server", tests, NULL, NULL);
}
