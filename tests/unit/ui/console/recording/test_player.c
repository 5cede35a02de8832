/*
 * test_player: commands of a player, and its conversation with a console.
 *
 * The recording of the tests is 100 s long, with a snapshot every 0.5 s.
 */
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "control/libraries.h"
#include "lib/check.h"
#include "lib/scratch.h"
#include "ui/console/recording/player_private.h"
#include "ui/console/recording/recorder.h"

#define LENGTH_S 100
#define HELLO "{\"hello\": {\"version\": 1}}\n"
#define COMMAND(line) "{\"command\": {\"id\": 7, \"line\": \"" line "\"}}\n"
#define QUERY "{\"query\": {\"id\": 8, \"kind\": \"journal\"}}\n"

struct deck {
	struct scratch *scratch;
	char path[96];
};

static json_t *
make_message(unsigned n)
{
	struct snapshot s;
	json_t *message;

	snapshot_init(&s);
	s.seq = n + 1;
	s.execs = 10 * n;
	s.elapsed_s = n / 2.0;
	message = json_pack("{s:o}", "snapshot", snapshot_encode(&s));
	snapshot_clear(&s);
	return message;
}

static int
set_up(void **state)
{
	struct deck *deck = calloc(1, sizeof(*deck));
	struct recorder *r;
	void *scratch;
	int fd;

	if (scratch_open(&scratch) != 0)
		return -1;
	deck->scratch = scratch;
	snprintf(deck->path, sizeof(deck->path), "%s/it", deck->scratch->path);
	assert_int_equal(recorder_open_file(deck->path, &fd, NULL), OK);
	r = recorder_create(fd, "./t", 50);
	for (unsigned n = 0; n <= 2 * LENGTH_S; n++) {
		json_t *message = make_message(n);

		recorder_message(r, message, 50 + n / 2.0);
		recorder_view(r, "corpus", NULL, 50 + n / 2.0);
		json_decref(message);
	}
	*state = deck;
	return recorder_destroy(r, 50 + LENGTH_S) == 0 ? 0 : -1;
}

static int
tear_down(void **state)
{
	struct deck *deck = *state;
	void *scratch = deck->scratch;

	free(deck);
	return scratch_close(&scratch);
}

/* ---- commands ---- */

#define NO_TIME "a time like 1m30s or 1:30 is expected"
#define NO_SPEED "speed: 1/8 to 64, max, slower or faster is expected"
#define NO_WORKERS "a recording has no workers to command"

/* A player at 20 s, playing at normal speed. */
static const struct obeyed {
	const char *lines; /* separated by commas; all but the last succeed */
	const char *answer, *error; /* of the last one; one of them is NULL */
	double at_s, speed;
	bool paused;
} obeyed[] = {
	{ "ping", "the player is here", NULL, 20, 1, false },
	{ "pause", "", NULL, 20, 1, true },
	{ "pause 2", NULL, NO_WORKERS, 20, 1, false },
	{ "pause,resume", "", NULL, 20, 1, false },
	{ "resume 2", NULL, NO_WORKERS, 20, 1, false },
	{ "seek end,resume", "this is the end; Home goes to the start", NULL,
		100, 1, false },
	{ "speed 2", "", NULL, 20, 2, false },
	{ "speed   4x", "", NULL, 20, 4, false },
	{ "speed 0.5x", "", NULL, 20, 0.5, false },
	{ "speed 1/4", "", NULL, 20, 0.25, false },
	{ "speed 1/8", "", NULL, 20, 0.125, false },
	{ "speed 64", "", NULL, 20, 64, false },
	{ "speed max", "", NULL, 20, 0, false },
	{ "speed faster", "", NULL, 20, 2, false },
	{ "speed slower", "", NULL, 20, 0.5, false },
	{ "speed 64,speed faster", "", NULL, 20, 0, false },
	{ "speed max,speed faster", "", NULL, 20, 0, false },
	{ "speed max,speed slower", "", NULL, 20, 64, false },
	{ "speed 1/8,speed slower", "", NULL, 20, 0.125, false },
	{ "speed", NULL, NO_SPEED, 20, 1, false },
	{ "speed x", NULL, NO_SPEED, 20, 1, false },
	{ "speed 65", NULL, NO_SPEED, 20, 1, false },
	{ "speed 1/9", NULL, NO_SPEED, 20, 1, false },
	{ "speed 1/0", NULL, NO_SPEED, 20, 1, false },
	{ "speed -1", NULL, NO_SPEED, 20, 1, false },
	{ "speed nan", NULL, NO_SPEED, 20, 1, false },
	{ "speed 2 x", NULL, NO_SPEED, 20, 1, false },
	{ "seek 42", "", NULL, 42, 1, false },
	{ "seek 0:42", "", NULL, 42, 1, false },
	{ "seek 1m30s", "", NULL, 90, 1, false },
	{ "seek +5", "", NULL, 25, 1, false },
	{ "seek -5s", "", NULL, 15, 1, false },
	{ "seek -500ms", "", NULL, 19.5, 1, false },
	{ "seek start", "", NULL, 0, 1, false },
	{ "seek end", "", NULL, 100, 1, false },
	{ "seek -1h", "", NULL, 0, 1, false },
	{ "seek 1h", "", NULL, 100, 1, false },
	{ "seek", NULL, NO_TIME, 20, 1, false },
	{ "seek soon", NULL, NO_TIME, 20, 1, false },
	{ "seek 1:-5", NULL, NO_TIME, 20, 1, false },
	{ "quit", "", NULL, 20, 1, false },
	{ "stop", NULL, "a recording cannot be changed", 20, 1, false },
	{ "pausepause", NULL, "a recording cannot be changed", 20, 1, false },
	{ "", NULL, "a recording cannot be changed", 20, 1, false },
};

static void
player_open(struct player *p, const char *path, struct error *err)
{
	error_clear(err);
	*p = (struct player){ .base = libraries_base_new(),
		.speed = 1,
		.err = err };
	p->recording = recording_open(path, err);
	check(p->recording != NULL, "%s", err->text);
	player_seek(p, 20);
}

static void
player_close(struct player *p)
{
	player_state_clear(&p->state);
	recording_close(p->recording);
	event_base_free(p->base);
}

static bool
near(double a, double b)
{
	return a - b < 1e-6 && b - a < 1e-6;
}

/* The snapshot is the one of the player's position. */
static void
check_snapshot(const struct player *p, const char *name)
{
	json_int_t seq =
		json_integer_value(json_object_get(p->state.snapshot, "seq"));

	check(seq == (json_int_t)(2 * p->at_s) + 1, "%s: snapshot %d", name,
		(int)seq);
	check_text(json_string_value(p->state.view), "corpus", name);
}

static void
check_obeyed(const struct obeyed *o, const char *path)
{
	char *lines = strdup(o->lines), *rest = lines, *line;
	const char *answer = "";
	struct player p;
	struct error err;

	player_open(&p, path, &err);
	while ((line = strsep(&rest, ",")) != NULL) {
		check(answer != NULL, "%s: %s", o->lines, err.text);
		answer = player_obey(&p, line, &err);
	}
	check((answer == NULL) == (o->answer == NULL), "%s: %s", o->lines,
		err.text);
	check_text(answer != NULL ? answer : err.text,
		answer != NULL ? o->answer : o->error, o->lines);
	check(near(p.at_s, o->at_s), "%s: at %f", o->lines, p.at_s);
	check(near(p.speed, o->speed), "%s: speed %f", o->lines, p.speed);
	check(p.paused == o->paused, "%s", o->lines);
	check_snapshot(&p, o->lines);
	player_close(&p);
	free(lines);
}

static void
test_commands(void **state)
{
	struct deck *deck = *state;

	for (size_t i = 0; i < ROWS(obeyed); i++)
		check_obeyed(&obeyed[i], deck->path);
}

/* A long seek must not be played as time of the campaign afterwards. */
static void
test_seek_is_not_played(void **state)
{
	struct deck *deck = *state;
	struct player p;
	struct error err;
	uint64_t sent_ns;

	player_open(&p, deck->path, &err);
	p.ticked_ns = 0;
	sent_ns = clock_now_ns();
	player_seek(&p, 50);
	assert_true(p.ticked_ns >= sent_ns);
	player_close(&p);
}

/* ---- the journal after a jump ---- */

#define EVENTS_EVERY_S 5
#define EVENTS_REPEATED 4 /* events of the last that are recorded again */

static void
put_events(FILE *file, int at_s, int first, int n)
{
	fprintf(file,
		"{\"at\": %d, \"query\": {\"kind\": \"journal\", \"first\": "
		"%d}, \"reply\": {\"kind\": \"journal\", \"first\": %d, "
		"\"rows\": [",
		at_s, first, first);
	for (int i = 0; i < n; i++)
		fprintf(file, "%s{\"seq\": %d, \"kind\": \"x\"}",
			i > 0 ? ", " : "", first + i + 1);
	fputs("]}}\n", file);
}

/* 200 s, with an event every 5 s, the first at 5 s, the last at 100 s. */
static void
put_recording_of_events(const char *path)
{
	FILE *file = fopen(path, "w");
	int n = 0;

	fputs("{\"recording\": 1, \"target\": \"./t\"}\n", file);
	for (int s = 0; s <= 2 * LENGTH_S; s++) {
		if (s % 10 == 0)
			fprintf(file,
				"{\"at\": %d, \"snapshot\": {\"version\": 1, "
				"\"seq\": %d}}\n",
				s, s + 1);
		if (s > 0 && s <= LENGTH_S && s % EVENTS_EVERY_S == 0)
			put_events(file, s, n++, 1);
		else if (s % 60 == 2)
			put_events(file, s,
				n > EVENTS_REPEATED ? n - EVENTS_REPEATED : 0,
				n > EVENTS_REPEATED ? EVENTS_REPEATED : n);
		else if (s % 2 == 0)
			put_events(file, s, n, 0);
	}
	fputs("{\"at\": 201, \"query\": {\"kind\": \"journal\", \"filter\": "
	      "\"x\"}, \"reply\": {\"kind\": \"journal\", \"rows\": [{}]}}\n",
		file);
	fclose(file);
}

static const struct journal_at {
	const char *name;
	double seek_s[2]; /* 0: no second jump */
	size_t events;
} journals[] = {
	{ "before the first event", { 4 }, 0 },
	{ "at the start", { 20 }, 4 },
	{ "while events come", { 88 }, 17 },
	{ "soon after the last event", { 105 }, 20 },
	{ "long after the last event", { 190 }, 20 },
	{ "at the end", { 201 }, 20 },
	{ "back from the end", { 201, 88 }, 17 },
};

/* All events before the position are there, wherever the jump starts. */
static void
test_journal_after_jump(void **state)
{
	struct deck *deck = *state;
	char path[128];

	snprintf(path, sizeof(path), "%s/events", deck->scratch->path);
	put_recording_of_events(path);
	for (size_t i = 0; i < ROWS(journals); i++) {
		const struct journal_at *j = &journals[i];
		struct query query = { .kind = QUERY_JOURNAL, .count = 100 };
		struct player p;
		struct error err;
		json_t *reply, *rows, *row;
		size_t k;

		player_open(&p, path, &err);
		player_seek(&p, j->seek_s[0]);
		if (j->seek_s[1] > 0)
			player_seek(&p, j->seek_s[1]);
		reply = player_state_answer(&p.state, p.recording, &query, 1);
		rows = json_object_get(reply, "rows");
		check(json_array_size(rows) == j->events, "%s: %zu events",
			j->name, json_array_size(rows));
		json_array_foreach(rows, k, row)
			check(json_integer_value(json_object_get(row, "seq")) ==
					(json_int_t)k + 1,
				"%s: event %zu", j->name, k);
		json_decref(reply);
		player_close(&p);
	}
}

/* A file that changes while it is played ends the player. */
static void
test_changed_file(void **state)
{
	struct deck *deck = *state;
	struct player p;
	struct error err;
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/changed", deck->scratch->path);
	file = fopen(path, "w");
	fputs("{\"recording\": 1, \"target\": \"./t\"}\n"
	      "{\"at\": 0, \"snapshot\": {\"version\": 1, \"seq\": 41}}\n"
	      "{\"at\": 20, \"view\": \"corpus\"}\n",
		file);
	fflush(file);
	player_open(&p, path, &err);
	assert_int_equal(p.exit_status, 0);
	rewind(file);
	fputs("{\"recording\": 1, \"target\": \"./t\"}\n]", file);
	fclose(file);
	player_seek(&p, 0);
	assert_int_equal(p.exit_status, 3);
	assert_int_equal(err.code, E_FORMAT);
	assert_non_null(strstr(err.text, ":2:1: "));
	assert_true(player_at_end(&p));
	player_close(&p);
}

/* ---- conversations ---- */

struct console {
	FILE *stream;
	pid_t player;
	json_t *messages; /* so far */
};

static void
console_open(struct console *c, const char *path)
{
	struct error err;
	int ends[2];

	error_clear(&err);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	c->messages = json_array();
	c->player = fork();
	if (c->player == 0) {
		close(ends[1]);
		_exit(player_run(path, ends[0], &err));
	}
	close(ends[0]);
	c->stream = fdopen(ends[1], "r");
	assert_non_null(c->stream);
}

static void
console_say(struct console *c, const char *text)
{
	assert_true(dprintf(fileno(c->stream), "%s", text) >= 0);
}

/* Reads messages until one contains the text; NULL: until the end. */
static const json_t *
console_await(struct console *c, const char *text)
{
	json_t *message = NULL;
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (!found && getline(&line, &room, c->stream) > 0) {
		message = json_loads(line, 0, NULL);
		check(message != NULL, "%s", line);
		json_array_append_new(c->messages, message);
		found = text != NULL && strstr(line, text) != NULL;
	}
	check(found || text == NULL, "%s does not come", text);
	free(line);
	return message;
}

/* Returns the player's exit status. */
static int
console_close(struct console *c)
{
	int status;

	fclose(c->stream);
	assert_int_equal(waitpid(c->player, &status, 0), c->player);
	assert_true(WIFEXITED(status));
	json_decref(c->messages);
	return WEXITSTATUS(status);
}

/* Each message has an answer; a message without a meaning has none. */
static const struct said {
	const char *name, *text, *answer; /* awaited */
} talk[] = {
	{ "nothing", "", "{\"hello\":{\"version\":" },
	{ "a greeting", HELLO, "{\"snapshot\":" },
	{ "a second greeting", HELLO COMMAND("ping"), "the player is here" },
	{ "a pause", COMMAND("pause"), "\"paused\":true" },
	{ "a command without a line", "{\"command\": {}}\n" COMMAND("ping"),
		"the player is here" },
	{ "an unknown command", COMMAND("minimize"), "cannot be changed" },
	{ "a query", QUERY, "{\"reply\":{" },
	{ "an unknown query",
		"{\"query\": {\"id\": 9, \"kind\": \"x\"}}\n" COMMAND("ping"),
		"the player is here" },
	{ "a jump", COMMAND("seek 50"), "\"past\":true" },
	{ "the state after a jump", "", "\"past\":false" },
	{ "the end, without a limit of speed",
		COMMAND("speed max") COMMAND("resume"), "\"ended\":true" },
	{ "the start, which is played again", COMMAND("seek start"),
		"\"ended\":false" },
	{ "the end once more", "", "\"ended\":true" },
	{ "the goodbye", COMMAND("quit"), "{\"bye\":{\"exit\":0" },
};

static void
test_talk(void **state)
{
	struct deck *deck = *state;
	struct console c;

	console_open(&c, deck->path);
	for (size_t i = 0; i < ROWS(talk); i++) {
		console_say(&c, talk[i].text);
		console_await(&c, talk[i].answer);
	}
	console_await(&c, NULL);
	assert_int_equal(console_close(&c), 0);
}

static void
test_console_gone(void **state)
{
	struct deck *deck = *state;
	struct console c;

	console_open(&c, deck->path);
	console_say(&c, HELLO);
	console_await(&c, "{\"snapshot\":");
	assert_int_equal(console_close(&c), 0);
}

/* The player handles the signal once it has greeted and answered. */
static void
test_signal(void **state)
{
	struct deck *deck = *state;
	struct console c;

	console_open(&c, deck->path);
	console_say(&c, HELLO COMMAND("ping"));
	console_await(&c, "the player is here");
	kill(c.player, SIGTERM);
	console_await(&c, "{\"bye\":{\"exit\":0");
	console_await(&c, NULL);
	assert_int_equal(console_close(&c), 0);
}

/* The console gets the reason: file, line, column and one sentence. */
static void
test_refused(void **state)
{
	struct deck *deck = *state;
	const json_t *bye, *text;
	struct console c;
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/damaged", deck->scratch->path);
	file = fopen(path, "w");
	fputs("#!/bin/sh\n", file);
	fclose(file);
	console_open(&c, path);
	bye = json_object_get(console_await(&c, NULL), "bye");
	text = json_object_get(bye, "text");
	assert_non_null(strstr(json_string_value(text),
		"/damaged:1:1: this is not a recording"));
	assert_int_equal(console_close(&c), 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_seek_is_not_played),
		cmocka_unit_test(test_journal_after_jump),
		cmocka_unit_test(test_changed_file),
		cmocka_unit_test(test_talk),
		cmocka_unit_test(test_console_gone),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
