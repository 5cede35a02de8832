/* test_recording: reads what a recorder wrote; invalid files are reported. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "control/snapshot.h"
#include "ui/console/recording/player.h"
#include "ui/console/recording/player_state.h"
#include "ui/console/recording/recorder.h"
#include "ui/console/recording/recording.h"
#include "ui/model/model.h"

#define HEAD "{\"recording\": 1, \"target\": \"./t\"}\n"
#define SNAPSHOT "{\"at\": 0.5, \"snapshot\": {\"version\": 1, \"seq\": 1}}\n"

static char folder[] = "/tmp/cfuzz-recording-XXXXXX";
static char path[64];

static int
set_up(void **state)
{
	if (mkdtemp(folder) == NULL)
		return -1;
	snprintf(path, sizeof(path), "%s/it", folder);
	return 0;
}

static int
tear_down(void **state)
{
	unlink(path);
	return rmdir(folder);
}

/* ---- writing and reading ---- */

static void
make_snapshot(struct snapshot *s, uint64_t n)
{
	snapshot_init(s);
	s->seq = n;
	s->state = RUN_FUZZING;
	s->elapsed_s = (double)n / 10;
	s->runs = 2;
	s->past_s = 3600;
	s->past_bits = 2;
	s->past_n = 2;
	s->past = calloc(2, sizeof(*s->past));
	s->past[0] = (struct snapshot_past){ 7, 1, 4, 0 };
	s->past[1] = (struct snapshot_past){ 3000, 2, 5, 1 };
	s->execs = n * n;
	s->coverage_bits = n / 3;
	s->workers_n = 2;
	s->workers = calloc(2, sizeof(*s->workers));
	s->workers[1].id = 1;
	s->workers[n % 2].execs = n * 7;
	s->events_n = n < 20 ? n : 20;
	s->events = calloc(s->events_n + 1, sizeof(*s->events));
	for (size_t i = 0; i < s->events_n; i++)
		s->events[i].seq = n - s->events_n + i;
}

static void
hear(struct recorder *r, const char *name, json_t *take, double now_s)
{
	json_t *message = json_pack("{s:o}", name, take);

	recorder_message(r, message, now_s);
	json_decref(message);
}

static void
hear_snapshot(struct recorder *r, uint64_t n)
{
	struct snapshot s;

	make_snapshot(&s, n);
	hear(r, "snapshot", snapshot_encode(&s), 100 + (double)n / 10);
	snapshot_clear(&s);
}

/* The coverage map: a mask of four edges, later a change of one. */
static void
hear_map(struct recorder *r, uint64_t id, bool whole, double now_s)
{
	struct query query = { .kind = QUERY_COVERAGE, .since = !whole };
	uint8_t mask[4] = { 1, 0, 0, 0 };
	struct reply_change change = { .counter = 2, .bits = 5, .at_s = 1 };
	struct reply reply = { .kind = QUERY_COVERAGE };

	reply.coverage.revision = whole ? 1 : 2;
	reply.coverage.counters = 4;
	reply.coverage.whole = whole;
	if (whole)
		reply.coverage.mask = (struct field_blob){ mask, 4 };
	reply.coverage.changes = &change;
	reply.coverage.changes_n = !whole;
	recorder_asked(r, id, &query);
	hear(r, "reply", reply_encode(&reply, id), now_s);
}

static void
record(void)
{
	struct recorder *r;
	int fd;

	unlink(path);
	assert_int_equal(recorder_open_file(path, &fd, NULL), OK);
	r = recorder_create(fd, "./t\033[2J", 100);
	for (uint64_t n = 1; n <= 300; n++) {
		hear_snapshot(r, n);
		if (n == 20 || n == 40)
			hear_map(r, n, n == 20, 100 + (double)n / 10);
		if (n != 100)
			continue;
		recorder_command(r, 7, "pause");
		hear(r, "answer",
			json_pack("{s:i, s:b, s:s}", "id", 7, "ok", 1, "text",
				"paused"),
			110);
	}
	assert_int_equal(recorder_destroy(r, 131), 0);
}

static void
check_state(const struct player_state *state, uint64_t n)
{
	struct snapshot s;
	json_t *expected;

	make_snapshot(&s, n);
	expected = snapshot_encode(&s);
	if (!json_equal(state->snapshot, expected))
		fail_msg("snapshot %llu is another", (unsigned long long)n);
	json_decref(expected);
	snapshot_clear(&s);
}

/* Every snapshot is read as it was written, from any start position. */
static void
test_all_of_it(void **state)
{
	struct recording *r;
	struct recording_line line;

	record();
	r = recording_open(path, NULL);
	assert_non_null(r);
	assert_string_equal(recording_index(r)->target, "./t\\x1b[2J");
	assert_int_equal(recording_index(r)->keys_n, 3);
	assert_int_equal(recording_index(r)->points_n, 150);
	assert_true(recording_index(r)->length_s > 30.9 &&
		recording_index(r)->length_s < 31.1);
	for (size_t k = 0; k < recording_index(r)->keys_n; k++) {
		struct player_state s = { 0 };
		uint64_t n = 1 + 100 * k;

		recording_go(r, &recording_index(r)->keys[k]);
		while (recording_next(r, &line, NULL) == OK &&
			line.json != NULL) {
			player_state_take(&s, line.json);
			if (json_object_get(line.json, "snapshot") != NULL ||
				json_object_get(line.json, "delta") != NULL)
				check_state(&s, n++);
		}
		assert_int_equal(n, 301);
		player_state_clear(&s);
	}
	recording_close(r);
}

static void
test_map(void **state)
{
	struct query query = { .kind = QUERY_COVERAGE, .count = 100 };
	struct player_state s = { 0 };
	struct recording_line line;
	struct reply reply = { 0 };
	struct recording *r;
	json_t *json;
	uint64_t id;

	record();
	r = recording_open(path, NULL);
	recording_go(r, &recording_index(r)->keys[0]);
	while (recording_next(r, &line, NULL) == OK && line.json != NULL)
		player_state_take(&s, line.json);
	json = player_state_answer(&s, r, &query, 9);
	assert_int_equal(reply_decode(&reply, &id, json, NULL), OK);
	assert_int_equal(id, 9);
	assert_int_equal(reply.coverage.mask.len, 4);
	assert_int_equal(reply.coverage.mask.data[0], 1);
	assert_int_equal(reply.coverage.mask.data[2], 5);
	assert_int_equal(reply.coverage.revision, 2);
	json_decref(json);
	query = (struct query){ .kind = QUERY_WORKER, .worker = 3 };
	json = player_state_answer(&s, r, &query, 10);
	assert_int_equal(reply_decode(&reply, &id, json, NULL), OK);
	assert_string_not_equal(reply.error, "");
	json_decref(json);
	reply_clear(&reply);
	player_state_clear(&s);
	recording_close(r);
}

static void
test_no_overwriting(void **state)
{
	struct error err;
	int fd;

	record();
	error_clear(&err);
	assert_int_equal(recorder_open_file(path, &fd, &err), E_EXISTS);
	assert_non_null(strstr(err.text, "exists already"));
}

/* ---- what is wrong ---- */

static void
write_file(const char *text)
{
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
}

static const struct wrong {
	const char *name, *text;
	const char *where, *why; /* NULL: valid */
} wrongs[] = {
	{ "sound", HEAD SNAPSHOT, NULL, NULL },
	{ "torn at the end", HEAD SNAPSHOT "{\"at\": 1, \"snaps", NULL, NULL },
	{ "unknown lines", HEAD SNAPSHOT "{\"at\": 1, \"weather\": 3}\n", NULL,
		NULL },
	{ "empty", "", ":1:", "not a recording" },
	{ "another file", "#!/bin/sh\necho\n", ":1:1", "not a recording" },
	{ "another version", "{\"recording\": 99}\n" SNAPSHOT, ":1:1",
		"another version" },
	{ "no snapshot", HEAD, "", "no snapshot" },
	{ "garbage", HEAD SNAPSHOT "{\"at\": 1, ]}\n", ":3:11", "']'" },
	{ "no object", HEAD SNAPSHOT "[]\n", ":3:1", "object" },
	{ "no time", HEAD SNAPSHOT "{\"snapshot\": {}}\n", ":3:1", "time" },
	{ "time of a word", HEAD "{\"at\": \"now\"}\n", ":2:1", "time" },
	{ "time below zero", HEAD "{\"at\": -1}\n", ":2:1", "time" },
	{ "back in time", HEAD SNAPSHOT "{\"at\": 0.1}\n", ":3:1",
		"decreases" },
	{ "delta of nothing", HEAD "{\"at\": 1, \"delta\": {}}\n", ":2:1",
		"delta" },
	{ "delta of a word", HEAD SNAPSHOT "{\"at\": 1, \"delta\": 7}\n",
		":3:1", "delta" },
	{ "a wrong type",
		HEAD
		"{\"at\": 1, \"snapshot\": {\"version\": 1, \"seq\": []}}\n",
		":2:1", "seq" },
	{ "an unknown question",
		HEAD SNAPSHOT
		"{\"at\": 1, \"query\": {\"kind\": \"x\"}, \"reply\": {}}\n",
		":3:1", "kind" },
	{ "a question that is none",
		HEAD SNAPSHOT "{\"at\": 1, \"query\": 3, \"reply\": {}}\n",
		":3:1", "id" },
};

static void
test_wrong(void **state)
{
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		const struct wrong *w = &wrongs[i];
		struct recording *r;
		struct error err;

		error_clear(&err);
		write_file(w->text);
		r = recording_open(path, &err);
		if ((r == NULL) != (w->why != NULL))
			fail_msg("%s: %s", w->name, err.text);
		if (w->why != NULL &&
			(strstr(err.text, path) == NULL ||
				strstr(err.text, w->where) == NULL ||
				strstr(err.text, w->why) == NULL))
			fail_msg("%s: %s", w->name, err.text);
		recording_close(r);
	}
}

static void
test_no_file(void **state)
{
	struct error err;

	unlink(path);
	for (int i = 0; i < 4; i++) {
		static const char *const devices[] = { "/dev/zero", "/tmp",
			NULL, NULL };
		const char *name = devices[i] != NULL ? devices[i] : path;

		error_clear(&err);
		if (i == 3)
			assert_int_equal(mkfifo(path, 0600), 0);
		assert_null(recording_open(name, &err));
		assert_string_not_equal(err.text, "");
	}
	unlink(path);
}

/* A line without an end needs limited memory. */
static void
test_endless_line(void **state)
{
	struct error err;
	int fd;

	write_file(HEAD);
	fd = open(path, O_WRONLY | O_APPEND);
	assert_int_equal(ftruncate(fd, 64 << 20), 0);
	close(fd);
	error_clear(&err);
	assert_null(recording_open(path, &err));
	assert_non_null(strstr(err.text, ":2:1: the line is too long"));
}

/* ---- times ---- */

static void
test_times(void **state)
{
	static const struct {
		const char *text;
		double seconds; /* < 0: refused */
	} times[] = {
		{ "90", 90 },
		{ "1m30s", 90 },
		{ "1:30", 90 },
		{ "1:02:03", 3723 },
		{ "500ms", 0.5 },
		{ "0", 0 },
		{ "", -1 },
		{ "soon", -1 },
		{ "1:2:3:4", -1 },
		{ "-5s", -1 },
		{ "1:", -1 },
		{ "1:-5", -1 },
		{ "1: 5", -1 },
		{ "99999999999999999999", -1 },
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		double seconds = -1;
		enum status status =
			player_parse_time(times[i].text, &seconds, NULL);

		if ((status == OK) != (times[i].seconds >= 0) ||
			(status == OK &&
				(seconds - times[i].seconds > 1e-9 ||
					times[i].seconds - seconds > 1e-9)))
			fail_msg("`%s`: %f", times[i].text, seconds);
	}
}

/* ---- played ---- */

/* The model of a console that sends these commands, until the goodbye. */
static void
play(struct model *model, const char *commands)
{
	struct error err = { 0 };
	char *line = NULL;
	size_t room = 0;
	int ends[2];
	FILE *console;
	pid_t child;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	child = fork();
	if (child == 0) {
		close(ends[1]);
		_exit(player_run(path, ends[0], &err));
	}
	close(ends[0]);
	console = fdopen(ends[1], "r+");
	assert_non_null(console);
	fputs(commands, console);
	fflush(console);
	while (getline(&line, &room, console) > 0) {
		json_t *message = json_loads(line, 0, NULL);
		const json_t *json = json_object_get(message, "snapshot");
		struct snapshot s;

		snapshot_init(&s);
		if (json_is_true(json_object_get(
			    json_object_get(message, "playback"), "past")))
			model_forget(model);
		if (json != NULL && snapshot_decode(&s, json, &err) == OK)
			model_add_snapshot(model, &s, 0);
		json_decref(message);
	}
	free(line);
	fclose(console);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/* After a jump the graph has the whole campaign, earlier runs first. */
static void
test_past(void **state)
{
	struct model *model = malloc(sizeof(*model));
	const struct history *h = &model->whole;

	record();
	model_init(model);
	play(model,
		"{\"hello\": {\"version\": 1}}\n"
		"{\"command\": {\"id\": 1, \"line\": \"seek end\"}}\n"
		"{\"command\": {\"id\": 2, \"line\": \"quit\"}}\n");
	assert_true(h->n > 50);
	assert_true(history_at(h, 0)->at_s == 7);
	assert_int_equal(history_at(h, 0)->new_inputs, 4);
	assert_int_equal(history_at(h, 1)->coverage_bits, 2);
	assert_int_equal(history_at(h, 1)->findings, 1);
	for (size_t i = 2; i < h->n; i++)
		assert_true(history_at(h, i)->at_s >= 3600);
	assert_int_equal(history_bits_at(h, 3630), 100);
	model_clear(model);
	free(model);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_of_it),
		cmocka_unit_test(test_past),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_no_overwriting),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_endless_line),
		cmocka_unit_test(test_times),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
