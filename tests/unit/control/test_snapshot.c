/*
 * test_snapshot: a snapshot through JSON text and back, copies, and JSON from a
 * malicious peer.
 */

#include "control/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "lib/rows.h"

/* ---- a full snapshot ---------------------------------------------------- */

static void
fill_worker(struct snapshot_worker *worker, uint32_t id)
{
	*worker = (struct snapshot_worker){
		.id = id,
		.pid = 1000 + id,
		.child = -1,
		.state = WORKER_VIEW_MINIMIZING,
		.state_s = 1.5,
		.paused = true,
		.stop_step = STOP_INTERRUPT,
		.next_step_s = 0.25,
		.entry = "3fa9c13fa9c13fa9",
		.generation = 7,
		.entry_len = 212,
		.execs = (uint64_t)1 << 40,
		.finds = 301,
		.restarts = 2,
		.deaths = 14,
		.execs_per_sec = 206000,
		.restart_why = "fork server died of SIGKILL",
		.rss_kb = 65536,
		.cpu = 0.5,
		.fork_us = 270,
		.threads = 3,
		.no_fork = true,
		.input_len = 3,
		.input = { 0, 0x7f, 0xff },
		.input_n = 3,
	};
}

static void
fill_lists(struct snapshot *s)
{
	s->workers_n = 2;
	s->workers = xcalloc(2, sizeof(*s->workers));
	fill_worker(&s->workers[0], 0);
	fill_worker(&s->workers[1], UINT32_MAX);
	s->workers[1].input_n = SNAPSHOT_INPUT;
	s->findings_n = 1;
	s->findings = xcalloc(1, sizeof(*s->findings));
	s->findings[0] = (struct snapshot_finding){
		.id = "1a2b3c4d",
		.folder = "crashes/heap-buffer-overflow-read_tile-1a2b3c4d",
		.kind = "sanitizer",
		.what = "heap-buffer-overflow",
		.where = "read_tile tile.c:118",
		.text = "READ of size 1 — “quoted”",
		.state = "new",
		.count = 14,
		.first_s = 1.25,
		.last_s = 99.5,
		.len = 1132,
		.minimized_len = 96,
		.replays = 5,
		.reproduced = 4,
		.minimizing = true,
	};
	s->minimizations_n = 1;
	s->minimizations = xcalloc(1, sizeof(*s->minimizations));
	s->minimizations[0] = (struct snapshot_minimization){
		.worker = 1,
		.entry = "1a2b3c4d",
		.title = "heap-buffer-overflow in read_tile",
		.phase = 2,
		.position = 20,
		.tries = 1204,
		.accepted = 87,
		.start_len = 1132,
		.best_len = 96,
		.cut_offset = 20,
		.cut_len = 4,
		.elapsed_s = 3.5,
		.verdict = "same crash",
		.best_n = 2,
		.best = { 0x89, 0x50 },
	};
	s->minimized_n = 1;
	s->minimized = xcalloc(1, sizeof(*s->minimized));
	s->minimized[0] = (struct snapshot_minimized){ "92cde2ac3d3e8c26",
		"SIGSEGV in f", 3384, 390, 1204, 12.5 };
	s->events_n = 1;
	s->events = xcalloc(1, sizeof(*s->events));
	s->events[0] = (struct snapshot_event){ 9, 12.5, "find", "coverage +3",
		"3fa9c177d0aa9b01", 1763794800 };
	s->limits_n = 2;
	s->limits = xcalloc(2, sizeof(*s->limits));
	s->limits[0] =
		(struct snapshot_limit){ "timeout", "250ms", "flag", true };
	s->limits[1] =
		(struct snapshot_limit){ "seed", "42", "default", false };
	s->past_n = 2;
	s->past = xcalloc(2, sizeof(*s->past));
	s->past[0] = (struct snapshot_past){ 0.5, 40, 3, 0 };
	s->past[1] = (struct snapshot_past){ 7200.25, 41, 1, 2 };
	s->mutators_n = 2;
	s->mutators = xcalloc(2, sizeof(*s->mutators));
	s->mutators[0] = (struct snapshot_mutator){ "splice token",
		(uint64_t)1 << 40, 17, 0.0625 };
	s->mutators[1] = (struct snapshot_mutator){ "compare", 0, 0, 0 };
}

static void
fill(struct snapshot *s)
{
	snapshot_init(s);
	s->seq = 77;
	strcpy(s->target, "./png_reader");
	strcpy(s->output, "png_reader.cfuzz");
	s->state = RUN_ENDED;
	strcpy(s->ended_why, "stopped by the user");
	s->exit_status = 3;
	s->elapsed_s = 252.125;
	s->fuzz_time_s = 500.5;
	s->triage_time_s = 20.25;
	s->seed = UINT64_MAX;
	s->execs = 99812345;
	s->execs_per_sec = 412000.5;
	s->execs_per_sec_avg = 398000;
	s->counters_total = 3826;
	s->counters_hit = 1290;
	s->coverage_bits = 4812;
	s->counters_masked = 9;
	s->counters_stable = 99.25;
	s->instrumented = true;
	s->isolated = true;
	strcpy(s->sanitizer, "address");
	s->corpus = 530;
	s->last_find_s = 41;
	s->stability = 99.5;
	s->progress_inputs = 12;
	s->words = 40;
	s->words_learned = 28;
	s->length_cap = 128;
	s->crashes = 2;
	s->stop_step = STOP_KILL;
	s->next_step_s = 0.5;
	fill_lists(s);
}

/* Converts to text and back, as sent; releases `json`. */
static json_t *
as_text(json_t *json)
{
	json_t *back;
	char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(10));

	assert_non_null(text);
	back = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(back);
	free(text);
	json_decref(json);
	return back;
}

static json_t *
through_text(const struct snapshot *s)
{
	return as_text(snapshot_encode(s));
}

#define SAME_ITEMS(a, b, items) \
	do { \
		assert_int_equal((a)->items##_n, (b)->items##_n); \
		assert_memory_equal((a)->items, (b)->items, \
			(a)->items##_n * sizeof(*(a)->items)); \
	} while (0)

static void
check_same(const struct snapshot *a, const struct snapshot *b)
{
	struct snapshot flat_a = *a, flat_b = *b;

	SAME_ITEMS(a, b, workers);
	SAME_ITEMS(a, b, findings);
	SAME_ITEMS(a, b, minimizations);
	SAME_ITEMS(a, b, minimized);
	SAME_ITEMS(a, b, events);
	SAME_ITEMS(a, b, limits);
	SAME_ITEMS(a, b, mutators);
	SAME_ITEMS(a, b, past);
	flat_a.workers = flat_b.workers = NULL;
	flat_a.findings = flat_b.findings = NULL;
	flat_a.minimizations = flat_b.minimizations = NULL;
	flat_a.minimized = flat_b.minimized = NULL;
	flat_a.events = flat_b.events = NULL;
	flat_a.limits = flat_b.limits = NULL;
	flat_a.mutators = flat_b.mutators = NULL;
	flat_a.past = flat_b.past = NULL;
	assert_memory_equal(&flat_a, &flat_b, sizeof(flat_a));
}

static void
test_round_trip(void **state)
{
	struct snapshot s, back;
	struct error err = { 0 };
	json_t *json;

	fill(&s);
	snapshot_init(&back);
	json = through_text(&s);
	assert_int_equal(snapshot_decode(&back, json, &err), OK);
	check_same(&s, &back);
	json_decref(json);
	json = as_text(snapshot_encode_columns(&s));
	/* into a snapshot that is not empty */
	assert_int_equal(snapshot_decode(&back, json, &err), OK);
	check_same(&s, &back);
	json_decref(json);
	snapshot_clear(&back);
	snapshot_clear(&s);
}

static void
check_empty(const struct snapshot *s, json_t *take_json)
{
	struct snapshot back;

	snapshot_init(&back);
	assert_int_equal(snapshot_decode(&back, take_json, NULL), OK);
	assert_int_equal(back.workers_n, 0);
	assert_int_equal(back.mutators_n, 0);
	assert_true(back.last_find_s < 0 && back.next_step_s < 0);
	assert_true(back.counters_stable == 100);
	check_same(s, &back);
	json_decref(take_json);
	snapshot_clear(&back);
	snapshot_clear(&back);
}

static void
test_empty_round_trip(void **state)
{
	struct snapshot s;

	snapshot_init(&s);
	check_empty(&s, as_text(snapshot_encode(&s)));
	check_empty(&s, as_text(snapshot_encode_columns(&s)));
}

/* One array for each member; arrays of zeros are left out, except the first. */
static void
test_columns(void **state)
{
	struct snapshot s, back;
	json_t *json, *workers;

	snapshot_init(&s);
	snapshot_init(&back);
	s.workers_n = 3;
	s.workers = xcalloc(3, sizeof(*s.workers));
	json = as_text(snapshot_encode_columns(&s));
	workers = json_object_get(json, "workers");
	assert_int_equal(json_object_size(workers), 1);
	assert_int_equal(json_array_size(json_object_get(workers, "id")), 3);
	assert_int_equal(snapshot_decode(&back, json, NULL), OK);
	check_same(&s, &back);
	json_decref(json);
	strcpy(s.workers[1].entry, "3fa9c177d0aa9b01");
	s.workers[2].state_s = 0.25;
	s.workers[0].input_n = 1; /* a single byte 0 */
	json = as_text(snapshot_encode_columns(&s));
	workers = json_object_get(json, "workers");
	assert_int_equal(json_object_size(workers), 4);
	assert_string_equal(json_string_value(json_array_get(
				    json_object_get(workers, "entry"), 1)),
		"3fa9c177d0aa9b01");
	assert_int_equal(snapshot_decode(&back, json, NULL), OK);
	check_same(&s, &back);
	json_decref(json);
	snapshot_clear(&back);
	snapshot_clear(&s);
}

static void
test_published_names(void **state)
{
	static const char *const names[] = { "version", "target", "state",
		"elapsed_s", "execs", "execs_per_sec", "execs_per_sec_avg",
		"counters_total", "counters_hit", "coverage_bits", "corpus",
		"interesting", "crashes", "hangs", "ooms", "minimizing",
		"fuzz_time_s", "replays", "paused_s", "stability",
		"counters_masked", "counters_stable", "progress_inputs",
		"words", "words_learned", "length_cap", "mutators" };
	static const char *const worker_names[] = { "id", "pid", "state",
		"execs", "execs_per_sec", "restarts" };
	static const char *const mutator_names[] = { "name", "steps", "finds",
		"share" };
	json_t *json, *worker, *limit, *mutator;
	struct snapshot s;

	fill(&s);
	json = snapshot_encode(&s);
	for (size_t i = 0; i < ROWS(names); i++)
		row_check(json_object_get(json, names[i]), "%s", names[i]);
	worker = json_array_get(json_object_get(json, "workers"), 0);
	for (size_t i = 0; i < ROWS(worker_names); i++)
		row_check(json_object_get(worker, worker_names[i]), "%s",
			worker_names[i]);
	assert_string_equal(json_string_value(json_object_get(worker, "input")),
		"007fff");
	assert_string_equal(json_string_value(json_object_get(worker, "state")),
		"minimizing");
	mutator = json_array_get(json_object_get(json, "mutators"), 0);
	for (size_t i = 0; i < ROWS(mutator_names); i++)
		row_check(json_object_get(mutator, mutator_names[i]), "%s",
			mutator_names[i]);
	limit = json_object_get(json_object_get(json, "limits"), "timeout");
	assert_string_equal(json_string_value(json_object_get(limit, "value")),
		"250ms");
	assert_string_equal(json_string_value(json_object_get(json, "state")),
		"ended");
	assert_string_equal(json_string_value(json_object_get(json, "seed")),
		"18446744073709551615");
	assert_int_equal(json_integer_value(
				 json_object_get(json, "minimizing")),
		1);
	json_decref(json);
	snapshot_clear(&s);
}

static void
test_encode_takes_anything(void **state)
{
	struct snapshot s, back;
	json_t *json;

	snapshot_init(&s);
	snapshot_init(&back);
	memset(s.target, 0xff, sizeof(s.target)); /* not UTF-8, no NUL */
	strcpy(s.ended_why, "\x1b[31mred");
	s.execs = UINT64_MAX;
	s.elapsed_s = NAN;
	s.stability = INFINITY;
	s.state = (enum run_state)99;
	s.workers_n = 1;
	s.workers = xcalloc(1, sizeof(*s.workers));
	s.workers[0].input_n = UINT32_MAX;
	json = through_text(&s);
	assert_int_equal(snapshot_decode(&back, json, NULL), OK);
	assert_memory_equal(back.target, "\\xff\\xff", 8);
	assert_string_equal(back.ended_why, "\\x1b[31mred");
	assert_int_equal(back.execs, INT64_MAX);
	assert_true(back.elapsed_s == 0 && back.stability == 0);
	assert_int_equal(back.state, RUN_STARTING);
	assert_int_equal(back.workers[0].input_n, SNAPSHOT_INPUT);
	json_decref(json);
	snapshot_clear(&back);
	snapshot_clear(&s);
}

static void
test_encode_caps_lists(void **state)
{
	struct snapshot s, back;
	json_t *json;

	snapshot_init(&s);
	snapshot_init(&back);
	s.findings_n = SNAPSHOT_FINDINGS_MAX + 10;
	s.findings = xcalloc(s.findings_n, sizeof(*s.findings));
	json = through_text(&s);
	assert_int_equal(snapshot_decode(&back, json, NULL), OK);
	assert_int_equal(back.findings_n, SNAPSHOT_FINDINGS_MAX);
	json_decref(json);
	snapshot_clear(&back);
	snapshot_clear(&s);
}

/* ---- a peer that lies --------------------------------------------------- */

static void
check_decode(const char *text, enum status want, const char *message)
{
	json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
	struct error err = { 0 };
	struct snapshot s;

	row_check(json, "%s: is no JSON", text);
	fill(&s);
	row_check(snapshot_decode(&s, json, &err) == want, "%s: %s", text,
		err.text);
	row_check(strcmp(err.text, message) == 0, "%s: %s", text, err.text);
	if (want != OK) {
		row_check(err.code == want, "%s", text);
		row_check(s.workers_n == 0 && !s.workers && s.seq == 0,
			"%s: something was kept", text);
	}
	snapshot_clear(&s);
	json_decref(json);
}

static void
test_replays(void **state)
{
	static const struct {
		const char *standing, *build, *replays_build;
		uint32_t n, failed, n_before, failed_before;
		const char *text;
	} rows[] = {
		{ "open", "a", "a", 0, 0, 0, 0, "-" },
		{ "open", "a", "a", 5, 4, 0, 0, "4/5" },
		{ "", "a", "a", 5, 4, 0, 0, "4/5" },
		{ "open", "a", "", 2, 1, 0, 0, "1/2" },
		{ "not seen", "a", "a", 5, 5, 0, 0, "5/5 before" },
		/* Fixed in a build that is not the present one. */
		{ "not seen", "a", "b", 3, 0, 5, 4, "4/5 before" },
		{ "not seen", "a", "b", 3, 0, 0, 0, "0/3 before" },
		{ "not seen", "a", "a", 3, 0, 5, 5, "0/3 before" },
		{ "not seen", "a", "b", 3, 2, 5, 5, "2/3 before" },
		/* Replays are under way. */
		{ "not seen", "a", "", 0, 0, 5, 5, "5/5 before" },
		{ "open", "a", "", 0, 0, 5, 5, "5/5 before" },
		{ "fixed", "a", "b", 3, 0, 5, 5,
			"5/5 before, 0/3 with this build" },
		{ "fixed", "a", "b", 3, 0, 0, 0, "0/3" },
		{ "open", "b", "b", 3, 2, 5, 5,
			"5/5 before, 2/3 with this build" },
		/* The user went back to the build that failed. */
		{ "open", "a", "b", 3, 0, 5, 5, "5/5 before" },
	};
	char buf[SNAPSHOT_REPLAYS_SIZE];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct snapshot_finding f = { .replays = rows[i].n,
			.reproduced = rows[i].failed,
			.replays_before = rows[i].n_before,
			.reproduced_before = rows[i].failed_before };

		snprintf(f.standing, sizeof(f.standing), "%s",
			rows[i].standing);
		snprintf(f.build, sizeof(f.build), "%s", rows[i].build);
		snprintf(f.replays_build, sizeof(f.replays_build), "%s",
			rows[i].replays_build);
		assert_string_equal(snapshot_replays(&f, buf), rows[i].text);
	}
}

static void
test_decode_hostile(void **state)
{
	static const struct {
		const char *members;
		enum status status;
		const char *message;
	} rows[] = {
		{ "\"unknown\": [[[[]]]]", OK, "" },
		{ "\"execs\": 5", OK, "" },
		{ "\"elapsed_s\": 5", OK, "" },
		{ "\"target\": null", E_FORMAT,
			"target: a string is expected" },
		{ "\"target\": 5", E_FORMAT, "target: a string is expected" },
		{ "\"execs\": \"5\"", E_FORMAT,
			"execs: a whole number is expected" },
		{ "\"execs\": 5.5", E_FORMAT,
			"execs: a whole number is expected" },
		{ "\"execs\": true", E_FORMAT,
			"execs: a whole number is expected" },
		{ "\"execs\": -1", E_RANGE,
			"execs: a number from 0 to 9223372036854775807 is "
			"expected" },
		{ "\"exit_status\": 5000000000", E_RANGE,
			"exit_status: a number from -2147483648 to 2147483647 "
			"is expected" },
		{ "\"elapsed_s\": []", E_FORMAT,
			"elapsed_s: a number is expected" },
		{ "\"paused\": 1", E_FORMAT,
			"paused: true or false is expected" },
		{ "\"state\": \"dancing\"", E_FORMAT,
			"state: one of the known words is expected" },
		{ "\"state\": 1", E_FORMAT,
			"state: one of the known words is expected" },
		{ "\"seed\": 5", E_FORMAT,
			"seed: a string of digits is expected" },
		{ "\"seed\": \"-5\"", E_FORMAT,
			"seed: a string of digits is expected" },
		{ "\"seed\": \"99999999999999999999\"", E_FORMAT,
			"seed: a 64-bit number is expected" },
		{ "\"seed\": \"5x\"", E_FORMAT,
			"seed: a 64-bit number is expected" },
		{ "\"workers\": 5", E_FORMAT, "workers: an array is expected" },
		{ "\"workers\": {}", OK, "" },
		{ "\"workers\": {\"id\": 5}", E_FORMAT,
			"workers: id: 0 items are expected" },
		{ "\"workers\": {\"pid\": [5]}", E_FORMAT,
			"workers: pid: 0 items are expected" },
		{ "\"workers\": {\"id\": [1, 2], \"pid\": [5]}", E_FORMAT,
			"workers: pid: 2 items are expected" },
		{ "\"workers\": {\"id\": [1, 2], \"pid\": {\"0\": 1}}",
			E_FORMAT, "workers: pid: 2 items are expected" },
		{ "\"workers\": {\"id\": [1, -2]}", E_RANGE,
			"workers: id: item 1: a number from 0 to 4294967295 "
			"is expected" },
		{ "\"workers\": {\"id\": [1], \"unknown\": 5}", OK, "" },
		{ "\"workers\": [5]", E_FORMAT,
			"workers: item 0: an object is expected" },
		{ "\"workers\": [{}, {\"id\": 4294967296}]", E_RANGE,
			"workers: item 1: id: a number from 0 to 4294967295 "
			"is expected" },
		{ "\"workers\": [{\"input\": \"0\"}]", E_FORMAT,
			"workers: item 0: input: a string of hex bytes is "
			"expected" },
		{ "\"workers\": [{\"input\": \"0g\"}]", E_FORMAT,
			"workers: item 0: input: a string of hex bytes is "
			"expected" },
		{ "\"workers\": [{\"input\": \"0A\"}]", E_FORMAT,
			"workers: item 0: input: a string of hex bytes is "
			"expected" },
		{ "\"workers\": [{\"input\": 5}]", E_FORMAT,
			"workers: item 0: input: a string of hex bytes is "
			"expected" },
		{ "\"mutators\": null", E_FORMAT,
			"mutators: an array is expected" },
		{ "\"mutators\": [{\"share\": \"all\"}]", E_FORMAT,
			"mutators: item 0: share: a number is expected" },
		{ "\"mutators\": [{\"steps\": -1}]", E_RANGE,
			"mutators: item 0: steps: a number from 0 to "
			"9223372036854775807 is expected" },
		{ "\"limits\": []", E_FORMAT, "limits: an object is expected" },
		{ "\"limits\": {\"timeout\": 5}", E_FORMAT,
			"limits: timeout: an object is expected" },
		{ "\"limits\": {\"a name that is much too long\": {}}",
			E_FORMAT, "limits: a name is too long" },
		{ "\"limits\": {\"timeout\": {\"live\": 1}}", E_FORMAT,
			"limits: timeout: live: true or false is expected" },
	};
	char text[512];

	for (size_t i = 0; i < ROWS(rows); i++) {
		snprintf(text, sizeof(text), "{\"version\": 1, %s}",
			rows[i].members);
		check_decode(text, rows[i].status, rows[i].message);
	}
	check_decode("[]", E_FORMAT, "an object is expected");
	check_decode("5", E_FORMAT, "an object is expected");
	check_decode("{}", E_FORMAT, "version: it is missing");
	check_decode("{\"version\": \"1\"}", E_FORMAT,
		"version: it is missing");
	check_decode("{\"version\": 2}", E_PROTOCOL,
		"version: 2 is not understood, only 1");
}

static void
test_decode_cuts_and_cleans_texts(void **state)
{
	char text[2000] = "{\"version\": 1, \"sanitizer\": \"";
	struct snapshot s;
	json_t *json;

	snapshot_init(&s);
	memset(text + strlen(text), 'x', 1000);
	strcat(text, "\", \"ended_why\": \"a\\u001b[2J\\u202eb\"}");
	json = json_loads(text, 0, NULL);
	assert_int_equal(snapshot_decode(&s, json, NULL), OK);
	assert_int_equal(strlen(s.sanitizer), sizeof(s.sanitizer) - 1);
	assert_string_equal(s.ended_why, "a\\x1b[2J\\u202eb");
	json_decref(json);
	snapshot_clear(&s);
}

/* Decodes a list with that name; releases the list. */
static void
check_list(const char *name, json_t *take_list, enum status want,
	const char *message)
{
	json_t *json = json_pack("{s:i}", "version", 1);
	struct error err = { 0 };
	struct snapshot s;

	json_object_set_new(json, name, take_list);
	snapshot_init(&s);
	row_check(snapshot_decode(&s, json, &err) == want, "%s: %s", name,
		err.text);
	row_check(strcmp(err.text, message) == 0, "%s: %s", name, err.text);
	snapshot_clear(&s);
	json_decref(json);
}

/* An array of n empty objects. */
static void
check_long_list(const char *name, size_t n, enum status want,
	const char *message)
{
	json_t *items = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(items, json_object());
	check_list(name, items, want, message);
}

/* A column of n numbers. */
static void
check_long_column(const char *name, const char *member, size_t n,
	enum status want, const char *message)
{
	json_t *column = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(column, json_integer(1));
	check_list(name, json_pack("{s:o}", member, column), want, message);
}

static void
test_decode_huge_lists(void **state)
{
	check_long_list("workers", 256, OK, "");
	check_long_list("workers", 257, E_RANGE,
		"workers: 257 items are more than 256");
	check_long_list("findings", 200, OK, "");
	check_long_list("findings", 100000, E_RANGE,
		"findings: 100000 items are more than 200");
	check_long_list("events", 65, E_RANGE,
		"events: 65 items are more than 64");
	check_long_list("minimized", 16, OK, "");
	check_long_list("minimized", 17, E_RANGE,
		"minimized: 17 items are more than 16");
	check_long_list("mutators", 64, OK, "");
	check_long_list("mutators", 65, E_RANGE,
		"mutators: 65 items are more than 64");
	check_long_list("past", 128, OK, "");
	check_long_list("past", 129, E_RANGE,
		"past: 129 items are more than 128");
	check_long_column("workers", "id", 256, OK, "");
	check_long_column("workers", "id", 257, E_RANGE,
		"workers: 257 items are more than 256");
	check_long_column("events", "seq", 65, E_RANGE,
		"events: 65 items are more than 64");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_empty_round_trip),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_published_names),
		cmocka_unit_test(test_encode_takes_anything),
		cmocka_unit_test(test_encode_caps_lists),
		cmocka_unit_test(test_replays),
		cmocka_unit_test(test_decode_hostile),
		cmocka_unit_test(test_decode_cuts_and_cleans_texts),
		cmocka_unit_test(test_decode_huge_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
