/* test_recorder: the recorder's own queries, and replies that come back. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "lib/check.h"
#include "lib/made_reply.h"
#include "ui/console/recording/player_state.h"
#include "ui/console/recording/recorder.h"

struct taken {
	char path[32];
	struct recorder *recorder;
	uint64_t id;      /* of the last query */
	unsigned replies; /* in the file that was read */
};

static void
taken_hear(struct taken *t, const char *name, json_t *take, double now_s)
{
	json_t *message = json_pack("{s:o}", name, take);

	recorder_message(t->recorder, message, now_s);
	json_decref(message);
}

static void
taken_open(struct taken *t, bool with_snapshot)
{
	int fd;

	*t = (struct taken){ .path = "/tmp/cfuzz-recorder-XXXXXX" };
	fd = mkstemp(t->path);
	assert_true(fd >= 0);
	t->recorder = recorder_create(fd, "./t", 100);
	if (with_snapshot)
		taken_hear(t, "snapshot",
			json_pack("{s:i, s:i}", "version", 1, "seq", 1), 100);
}

/* Ends the recording and reads it into a state. */
static struct recording *
taken_read(struct taken *t, struct player_state *s)
{
	struct recording_line line;
	struct recording *recording;
	struct error err;

	error_clear(&err);
	assert_int_equal(recorder_destroy(t->recorder, 1000), 0);
	recording = recording_open(t->path, &err);
	check(recording != NULL, "%s", err.text);
	unlink(t->path);
	recording_go(recording, recording_index(recording)->keys);
	while (recording_next(recording, &line, &err) == OK &&
		line.json != NULL) {
		t->replies += json_object_get(line.json, "reply") != NULL;
		assert_true(player_state_take(s, line.json));
	}
	return recording;
}

/* The program loads another library in the second minute. */
static json_t *
taken_modules(double now_s)
{
	json_t *modules =
		json_pack("[{s:i}, {s:i}, {s:i}]", "n", 3, "n", -1, "n", 9000);

	if (now_s > 160)
		json_array_append_new(modules, json_pack("{s:i}", "n", 5));
	return modules;
}

/* Answers all own queries of that time; returns a bit for each kind. */
static unsigned
taken_answer(struct taken *t, double now_s, struct query *last)
{
	unsigned kinds = 0;
	struct query query;

	while (recorder_next_query(t->recorder, &query, now_s)) {
		json_t *reply = made_reply_json(&query, ++t->id, MADE_EMPTY);

		kinds |= 1u << query.kind;
		last[query.kind] = query;
		recorder_asked(t->recorder, t->id, &query);
		json_object_set_new(reply, "revision", json_integer(9));
		if (query.kind == QUERY_MODULES)
			json_object_set_new(reply, "modules",
				taken_modules(now_s));
		if (query.kind == QUERY_JOURNAL) {
			json_object_set_new(reply, "first", json_integer(600));
			json_object_set_new(reply, "dropped",
				json_integer(100));
		}
		taken_hear(t, "reply", reply, now_s);
	}
	return kinds;
}

#define BIT(kind) (1u << QUERY_##kind)
#define FIRST (BIT(COVERAGE) | BIT(CORPUS) | BIT(JOURNAL) | BIT(MODULES))

static const struct due {
	const char *name;
	double now_s;
	unsigned kinds;
	uint64_t since, journal; /* of the last queries */
	uint32_t module, pcs;    /* of the last query of PCs; pcs 0: none */
} dues[] = {
	{ "all", 100, FIRST | BIT(PCS), 0, 0, 0, 3 },
	{ "the next module", 100.5, BIT(PCS), 0, 0, 2, 8192 },
	{ "changes, the module's rest", 101, BIT(COVERAGE) | BIT(PCS), 9, 0, 2,
		808 },
	{ "no more PCs", 102, BIT(COVERAGE) | BIT(JOURNAL), 9, 700, 2, 808 },
	{ "nothing yet", 102.5, 0, 9, 700, 2, 808 },
	{ "all again, and a new module", 170, FIRST | BIT(PCS), 0, 444, 3, 5 },
};

static void
test_own_queries(void **state)
{
	struct query last[QUERY_KIND_COUNT] = { 0 };
	struct player_state s = { 0 };
	struct taken t;

	taken_open(&t, true);
	for (size_t i = 0; i < ROWS(dues); i++) {
		const struct due *due = &dues[i];
		unsigned kinds = taken_answer(&t, due->now_s, last);

		check(kinds == due->kinds, "%s: kinds %x", due->name, kinds);
		check(last[QUERY_COVERAGE].since == due->since, "%s",
			due->name);
		check(last[QUERY_JOURNAL].since == due->journal, "%s",
			due->name);
		check(last[QUERY_PCS].module == due->module &&
				last[QUERY_PCS].count == due->pcs,
			"%s: %u PCs", due->name, last[QUERY_PCS].count);
	}
	recording_close(taken_read(&t, &s));
	player_state_clear(&s);
}

static void
test_before_the_first_snapshot(void **state)
{
	struct query query;
	struct taken t;

	taken_open(&t, false);
	assert_false(recorder_next_query(t.recorder, &query, 100));
	assert_int_equal(recorder_failed(t.recorder), 0);
	assert_int_equal(recorder_destroy(t.recorder, 101), 0);
	unlink(t.path);
	assert_false(recorder_next_query(NULL, &query, 100));
	assert_false(recorder_message(NULL, NULL, 100));
	assert_int_equal(recorder_destroy(NULL, 100), 0);
}

/* An error of the last bytes is known at the end only. */
static void
test_full(void **state)
{
	struct recorder *r;

	r = recorder_create(open("/dev/full", O_WRONLY), "./t", 100);
	assert_int_equal(recorder_destroy(r, 101), ENOSPC);
}

/* A view's query is answered from the recording as the engine did. */
static const struct viewed {
	const char *name;
	struct query query;
	enum made_kind kind;
	bool kept;
} viewed[] = {
	{ "a worker", { .kind = QUERY_WORKER, .worker = 1 }, MADE_PLAIN, true },
	{ "a finding", { .kind = QUERY_FINDING, .name = "crash-1" }, MADE_PLAIN,
		true },
	{ "an entry", { .kind = QUERY_ENTRY, .name = "01" }, MADE_PLAIN, true },
	{ "modules", { .kind = QUERY_MODULES }, MADE_PLAIN, true },
	{ "an error", { .kind = QUERY_WORKER }, MADE_ERROR, false },
	{ "a view's map", { .kind = QUERY_COVERAGE }, MADE_PLAIN, false },
};

static void
test_viewed(void **state)
{
	for (size_t i = 0; i < ROWS(viewed); i++) {
		const struct viewed *v = &viewed[i];
		json_t *sent = made_reply_json(&v->query, 5, v->kind), *got;
		struct player_state s = { 0 };
		struct recording *recording;
		struct taken t;

		taken_open(&t, true);
		recorder_query(t.recorder, 5, &v->query);
		taken_hear(&t, "reply", json_incref(sent), 101);
		taken_hear(&t, "reply", json_incref(sent), 102); /* unasked */
		recording = taken_read(&t, &s);
		got = player_state_answer(&s, recording, &v->query, 5);
		check(json_equal(got, sent) == v->kept, "%s", v->name);
		check((json_object_get(got, "error") == NULL) == v->kept, "%s",
			v->name);
		json_decref(got);
		json_decref(sent);
		player_state_clear(&s);
		recording_close(recording);
	}
}

/* A view asks again for an entry that it shows: the reply is kept if it has
 * other bytes or is to another query. */
static const struct again {
	const char *entry, *bytes;
	int energy;
	unsigned kept; /* so far */
} agains[] = {
	{ "01", "eno=", 1, 1 },
	{ "01", "eno=", 1, 1 },
	{ "01", "eno=", 2, 1 },
	{ "01", "eQ==", 2, 2 },
	{ "02", "eQ==", 2, 3 },
	{ "02", "eQ==", 2, 3 },
	{ "01", "eQ==", 2, 4 },
};

static void
test_again(void **state)
{
	for (size_t n = 1; n <= ROWS(agains); n++) {
		struct player_state s = { 0 };
		struct taken t;

		taken_open(&t, true);
		for (size_t i = 0; i < n; i++) {
			const struct again *a = &agains[i];
			struct query query = { .kind = QUERY_ENTRY };
			json_t *reply;

			snprintf(query.name, sizeof(query.name), "%s",
				a->entry);
			reply = made_reply_json(&query, ++t.id, MADE_EMPTY);
			json_object_set_new(reply, "bytes",
				json_string(a->bytes));
			json_object_set_new(reply, "lineage",
				json_pack("[{s:i}]", "energy", a->energy));
			recorder_query(t.recorder, t.id, &query);
			taken_hear(&t, "reply", reply, 101 + (double)i);
		}
		recording_close(taken_read(&t, &s));
		check(t.replies == agains[n - 1].kept, "%zu: %u replies", n,
			t.replies);
		player_state_clear(&s);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_queries),
		cmocka_unit_test(test_before_the_first_snapshot),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_viewed),
		cmocka_unit_test(test_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
