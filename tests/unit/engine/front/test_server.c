/*
 * The control socket: greetings, commands, questions good and bad, the end of
 * the console, consoles that read slowly; and the effect of a changed limit.
 */
#include "lib/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/xmalloc.h"
#include "control/endpoint.h"
#include "engine/front/server.h"
#include "engine/front/server_private.h"
#include "engine/parts.h"
#include "engine/statistics/limit_effects.h"
#include "lib/fake_worker.h"
#include "lib/own_note.h"
#include "lib/talk.h"

static const char *const plain[] = { "parallel", "1", NULL };
static const char *const going_on[] = { "parallel", "1", "fuzztime", "50x",
	NULL };
static const char *const ending[] = { "parallel", "1", "stop-on-hangup", "on",
	NULL };

/* ---- messages ------------------------------------------------------------- */

/* clang-format off */
static const struct message_row {
	const char *name, *message, *member;
	const char *error; /* in its text or error; "": none */
	bool ok;
} MESSAGES[] = {
	{ "a command", "{'command': {'id': 7, 'line': 'pause'}}", "answer", "", true },
	{ "an unknown command", "{'command': {'id': 7, 'line': 'fly'}}", "answer", "fly", false },
	{ "more workers than a number holds", "{'command': {'id': 7, 'line': 'workers +9223372036854775807'}}", "answer", "1 to 256", false },
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
	talk_say(talk, text);
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
	json_decref(talk_hear(&talk, "hello"));
	talk_greet(&talk, CONTROL_VERSION);
	for (row = MESSAGES; row < MESSAGES + ROWS(MESSAGES); row++) {
		say_row(&talk, "{'query': {'kind': 'none'}}"); /* unanswered */
		say_row(&talk, row->message);
		answer = talk_hear(&talk, row->member);
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
	talk_say(&talk, "{\"command\": {\"id\": 1, \"line\": \"pause\"}}");
	talk_say(&talk, "{\"query\": {\"id\": 2, \"kind\": \"coverage\"}}");
	talk_greet(&talk, CONTROL_VERSION);
	talk_say(&talk, "{\"command\": {\"id\": 3, \"line\": \"ping\"}}");
	answer = talk_hear(&talk, "answer");
	assert_int_equal(json_integer_value(json_object_get(answer, "id")), 3);
	assert_false(talk.engine->clock.paused);
	json_decref(answer);
	talk_close(&talk);
}

/* A console of another version is told to go, and gets no snapshot. */
static void
test_another_version(void **state)
{
	static const long long VERSIONS[] = { CONTROL_VERSION + 1, 0, -1,
		(1ll << 32) + CONTROL_VERSION };
	char text[256];

	for (size_t i = 0; i < sizeof(VERSIONS) / sizeof(VERSIONS[0]); i++) {
		struct talk talk = { 0 };
		json_t *bye;

		talk_open(&talk, *state, plain);
		talk_greet(&talk, VERSIONS[i]);
		bye = talk_hear(&talk, "bye");
		assert_int_equal(json_integer_value(
					 json_object_get(bye, "exit")),
			2);
		snprintf(text, sizeof(text),
			"the campaign speaks version 1 of the protocol, the "
			"console version %lld: attach with the cfuzz that runs "
			"it",
			VERSIONS[i]);
		assert_string_equal(json_string_value(
					    json_object_get(bye, "text")),
			text);
		json_decref(bye);
		talk_close(&talk);
	}
}

/* ---- the console leaves --------------------------------------------------- */

/* A lost console has detached; with --stop-on-hangup the campaign ends. So has
 * one that is lost before it has greeted. */
static void
test_closed(void **state)
{
	static const struct {
		const char *const *options;
		bool greets;
	} rows[] = { { ending, true }, { going_on, true }, { ending, false },
		{ going_on, false } };
	const struct client *client;
	struct talk talk;
	size_t i;
	void *tree;

	for (i = 0; i < ROWS(rows); i++) {
		assert_int_equal(tree_open(&tree), 0);
		talk = (struct talk){ 0 };
		talk_open(&talk, tree, rows[i].options);
		if (rows[i].greets) {
			talk_greet(&talk, CONTROL_VERSION);
			talk_say(&talk,
				"{\"command\": {\"id\": 1, \"line\": \"ping\"}}");
			json_decref(talk_hear(&talk, "answer"));
		}
		client = talk.engine->front.server->clients;
		frame_peer_destroy(talk.peer);
		talk.peer = NULL;
		while (client->peer != NULL)
			event_base_loop(talk.engine->base, EVLOOP_ONCE);
		assert_int_equal(engine_stopping(talk.engine),
			rows[i].options == ending);
		assert_int_equal(talk_close(&talk), EXIT_NOTHING);
		tree_close(&tree);
	}
}

/* After the goodbye commands are refused, and leaving is not in the journal. */
static void
test_after_goodbye(void **state)
{
	struct talk talk = { 0 };
	json_t *answer;

	talk_open(&talk, *state, going_on);
	talk_greet(&talk, CONTROL_VERSION);
	talk_say(&talk, "{\"command\": {\"id\": 1, \"line\": \"ping\"}}");
	json_decref(talk_hear(&talk, "answer"));
	server_say_bye(talk.engine->front.server, "over");
	json_decref(talk_hear(&talk, "bye"));
	talk_say(&talk, "{\"command\": {\"id\": 2, \"line\": \"pause\"}}");
	answer = talk_hear(&talk, "answer");
	assert_false(json_is_true(json_object_get(answer, "ok")));
	json_decref(answer);
	frame_peer_destroy(talk.peer);
	talk.peer = NULL;
	event_base_loop(talk.engine->base, EVLOOP_NONBLOCK);
	assert_int_equal(talk_events(&talk, "operator"), 0);
	assert_int_equal(talk_events(&talk, "detach"), 0);
	talk_close(&talk);
}

/* A campaign may end before its console has greeted, which then is shown it. */
static void
test_ends_before_greeting(void **state)
{
	struct talk talk = { 0 };
	uint64_t end =
		clock_now_ns() + (uint64_t)TALK_PATIENCE_S * CLOCK_NS_PER_S;
	char text[64];

	talk_open(&talk, *state, going_on);
	server_begin_over(talk.engine->front.server, "over");
	snprintf(text, sizeof(text),
		"{\"hello\": {\"version\": %d, \"stay\": true}}",
		CONTROL_VERSION);
	talk_say(&talk, text);
	while (talk_find(&talk, "snapshot") == NULL) {
		assert_null(talk_find(&talk, "bye"));
		assert_true(clock_now_ns() < end);
		server_tick(talk.engine->front.server, clock_now_ns());
		event_base_loop(talk.engine->base, EVLOOP_NONBLOCK);
	}
	frame_peer_destroy(talk.peer);
	talk.peer = NULL;
	talk_close(&talk);
}

/* ---- consoles that read slowly -------------------------------------------- */

#define MUCH (1u << 20) /* more than one who reads gets in all the ticks */
#define TICK_NS (CLOCK_NS_PER_S / 10)
#define TICKS 300 /* three times the patience */

static const struct reader_row {
	const char *name;
	size_t reads; /* bytes in each tick */
	bool dropped;
} READERS[] = {
	{ "reads 10 KB/s", 1000, false },
	{ "reads nothing", 0, true },
};

/* One more console, which has greeted; *fd: its socket. */
static struct client *
reader_attach(const struct talk *talk, int *fd)
{
	struct engine *e = talk->engine;
	const struct client *own = e->front.server->clients;

	assert_int_equal(endpoint_connect(engine_output_path(e), fd, NULL), OK);
	assert_true(dprintf(*fd, "{\"hello\": {\"version\": %d}}\n",
			    CONTROL_VERSION) > 0);
	for (int i = 0; i < TICKS && (own->next == NULL || !own->next->greeted);
		i++)
		event_base_loop(e->base, EVLOOP_ONCE);
	assert_true(own->next != NULL && own->next->greeted);
	return own->next;
}

/* The clock of the test is ahead afterwards. */
static void
reader_run(const struct talk *talk, const struct reader_row *row,
	const char *much)
{
	struct server *s = talk->engine->front.server;
	uint64_t now = clock_now_ns();
	char buf[1000];
	int fd;

	client_answer(reader_attach(talk, &fd), 1, true, much);
	for (int i = 0; i < TICKS; i++) {
		event_base_loop(talk->engine->base, EVLOOP_NONBLOCK);
		if (row->reads > 0)
			row_check(recv(fd, buf, row->reads, MSG_DONTWAIT) ==
					(ssize_t)row->reads,
				"%s", row->name);
		server_tick(s, now += TICK_NS);
	}
	row_check(talk_events(talk, "dropped") == row->dropped, "%s",
		row->name);
	fd_close(&fd);
	for (int i = 0; i < TICKS && s->clients->next != NULL; i++) {
		event_base_loop(talk->engine->base, EVLOOP_NONBLOCK);
		server_tick(s, now += TICK_NS);
	}
	row_check(s->clients->next == NULL, "%s", row->name);
	s->next_ns = 0;
}

/* A console that reads slowly, but all the time, is not dropped. The engine
 * notices its reading once per 16 KiB. */
static void
test_slow_readers(void **state)
{
	char *much = xcalloc(1, MUCH);
	struct talk talk = { 0 };
	bool ok;

	memset(much, 'x', MUCH - 1);
	talk_open(&talk, *state, plain);
	talk_greet(&talk, CONTROL_VERSION);
	free(talk_command(&talk, "ping", &ok));
	for (size_t i = 0; i < ROWS(READERS); i++)
		reader_run(&talk, &READERS[i], much);
	free(much);
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
		row_check(talk_events(&talk, "limit") == told, "%s", row->name);
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
		ROW(test_slow_readers),
		ROW(test_effects),
	};

	fake_worker_main(argv);
	return cmocka_run_group_tests_name("server", tests, NULL, NULL);
}
