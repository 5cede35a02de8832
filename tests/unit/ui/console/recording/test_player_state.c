/* test_player_state: lines of a recording go in, answers to queries come out.
 */
#include "ui/console/recording/player_state.h"

#include <unistd.h>

#include "lib/check.h"

#define HEAD "{\"recording\": 1, \"target\": \"./t\"}\n"
#define SNAPSHOT "{\"at\": 0, \"snapshot\": {\"version\": 1, \"seq\": 1}}\n"
#define MODULES \
	"{\"at\": 1, \"query\": {\"kind\": \"modules\"}, \"reply\": {\"kind\": " \
	"\"modules\", \"modules\": [{\"path\": \"/t\", \"n\": 4}]}}\n"

/* `query`: members of a query; `reply`: the same of its recorded reply. */
#define LINE(query, reply) "{\"query\": {" query "}, \"reply\": {" reply "}}"
#define CORPUS(members) "\"kind\": \"corpus\"" members
#define CORPUS_REPLY(first, names) \
	"\"kind\": \"corpus\", \"total\": 9, \"first\": " first \
	", \"rows\": [" names "]"
#define JOURNAL "\"kind\": \"journal\""
#define EVENT(kind, text) "{\"kind\": \"" kind "\", \"text\": \"" text "\"}"
#define EVENT_ABOUT \
	"{\"kind\": \"find\", \"about\": \"3fa9c1\", \"text\": \"+2 bits\"}"
#define JOURNAL_REPLY(first, rows) \
	JOURNAL ", \"first\": " first ", \"rows\": [" rows "]"
#define MAP "\"kind\": \"coverage\""

static json_t *
parse(const char *text)
{
	json_error_t why;
	json_t *json = json_loads(text, 0, &why);

	check(json != NULL, "%s: %s", text, why.text);
	return json;
}

static struct recording *
open_recording(const char *text)
{
	char path[] = "/tmp/cfuzz-player-XXXXXX";
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");
	struct recording *recording;
	struct error err;

	error_clear(&err);
	fputs(text, file);
	fclose(file);
	recording = recording_open(path, &err);
	unlink(path);
	check(recording != NULL, "%s", err.text);
	return recording;
}

static json_t *
answer(struct player_state *s, struct recording *recording, const char *asked)
{
	json_t *json = parse(asked), *reply;
	struct query query;
	uint64_t id;

	json_object_set_new(json, "id", json_integer(5));
	assert_int_equal(query_decode(&query, &id, json, NULL), OK);
	reply = player_state_answer(s, recording, &query, id);
	assert_int_equal(json_integer_value(json_object_get(reply, "id")), 5);
	json_decref(json);
	return reply;
}

/* ---- lines and answers ---- */

#define NO_VIEW "the recording does not contain this: nobody viewed it"
#define ROWS_0_TO_2 \
	LINE(CORPUS(""), \
		CORPUS_REPLY("0", "{\"n\": 0}, {\"n\": 1}, {\"n\": 2}"))
/* The list was whole, and then there were more. */
#define WHOLE_1_AND_2 \
	LINE(CORPUS(""), \
		"\"kind\": \"corpus\", \"total\": 2, \"rows\": [{\"n\": 1}, " \
		"{\"n\": 2}]")
#define SORTED_3_AND_4(members, first) \
	LINE(CORPUS(", \"sort\": \"n\"" members), \
		CORPUS_REPLY(first, "{\"n\": 3}, {\"n\": 4}"))
#define ROWS_3_AND_4 \
	LINE(CORPUS(", \"first\": 3"), \
		CORPUS_REPLY("3", "{\"n\": 3}, {\"n\": 4}"))
#define ROW_A \
	"{\"index\": 0, \"name\": \"a1\", \"parent\": \"b2\", \"favoured\": " \
	"true}"
#define ROW_B "{\"index\": 1, \"name\": \"b2\", \"seed\": true}"
#define ROW_C \
	"{\"index\": 2, \"name\": \"c3\", \"parent\": \"b2\", \"favoured\": " \
	"true, \"seed\": false}"
#define NAMED_ROWS \
	LINE(CORPUS(""), CORPUS_REPLY("0", ROW_A ", " ROW_B ", " ROW_C))
#define EVENTS_0_TO_2 \
	LINE(JOURNAL, \
		JOURNAL_REPLY("0", \
			EVENT("find", "Coverage +2") ", " EVENT("crash", \
				"SIGSEGV in f") ", " EVENT("find", \
				"+1 bits")))

static const struct answered {
	const char *name;
	const char *lines[3];
	const char *query, *reply; /* members that the reply has */
} answers[] = {
	{ "a worker that nobody viewed", { NULL },
		"{\"kind\": \"worker\", \"worker\": 3}",
		"{\"kind\": \"worker\", \"error\": \"" NO_VIEW "\"}" },
	{ "a worker that was viewed",
		{ LINE("\"kind\": \"worker\", \"worker\": 3",
			"\"kind\": \"worker\", \"stderr\": \"x\"") },
		"{\"kind\": \"worker\", \"worker\": 3}",
		"{\"stderr\": \"x\"}" },
	{ "the last reply counts",
		{ LINE("\"kind\": \"worker\"", "\"stderr\": \"x\""),
			LINE("\"kind\": \"worker\"", "\"stderr\": \"y\"") },
		"{\"kind\": \"worker\"}", "{\"stderr\": \"y\"}" },
	{ "another worker",
		{ LINE("\"kind\": \"worker\"", "\"stderr\": \"x\"") },
		"{\"kind\": \"worker\", \"worker\": 1}",
		"{\"error\": \"" NO_VIEW "\"}" },
	{ "modules that come later", { NULL }, "{\"kind\": \"modules\"}",
		"{\"modules\": [{\"path\": \"/t\", \"n\": 4}]}" },
	{ "no list of the corpus", { NULL }, "{\"kind\": \"corpus\"}",
		"{\"error\": \"the recording has no list of the corpus "
		"yet\"}" },
	{ "rows of the corpus", { ROWS_0_TO_2 },
		"{\"kind\": \"corpus\", \"first\": 1, \"count\": 1}",
		"{\"first\": 1, \"matching\": 3, \"rows\": [{\"n\": 1}]}" },
	{ "more rows than recorded", { ROWS_0_TO_2 },
		"{\"kind\": \"corpus\", \"first\": 2, \"count\": 9}",
		"{\"first\": 2, \"matching\": 3, \"rows\": [{\"n\": 2}]}" },
	{ "the newest part of the corpus", { ROWS_0_TO_2, ROWS_3_AND_4 },
		"{\"kind\": \"corpus\", \"first\": 4, \"count\": 9}",
		"{\"first\": 4, \"matching\": 5, \"rows\": [{\"n\": 4}]}" },
	{ "rows before the part", { ROWS_3_AND_4 },
		"{\"kind\": \"corpus\", \"first\": 1, \"count\": 1}",
		"{\"first\": 3, \"matching\": 5, \"rows\": [{\"n\": 3}]}" },
	{ "another order", { ROWS_0_TO_2 },
		"{\"kind\": \"corpus\", \"sort\": \"n\", \"falling\": true, "
		"\"count\": 9}",
		"{\"first\": 0, \"matching\": 3, \"rows\": [{\"n\": 2}, "
		"{\"n\": 1}, {\"n\": 0}]}" },
	{ "a part in another order", { ROWS_0_TO_2 },
		"{\"kind\": \"corpus\", \"sort\": \"n\", \"falling\": true, "
		"\"first\": 1, \"count\": 1}",
		"{\"first\": 1, \"matching\": 3, \"rows\": [{\"n\": 1}]}" },
	{ "rows after the last in another order", { ROWS_3_AND_4 },
		"{\"kind\": \"corpus\", \"sort\": \"n\", \"first\": 3, "
		"\"count\": 9}",
		"{\"first\": 2, \"matching\": 2, \"rows\": []}" },
	{ "a part in the asked order before a newer one in another",
		{ LINE(CORPUS(", \"sort\": \"n\", \"falling\": true"),
			  CORPUS_REPLY("0", "{\"n\": 8}, {\"n\": 7}")),
			ROWS_0_TO_2 },
		"{\"kind\": \"corpus\", \"sort\": \"n\", \"falling\": true, "
		"\"first\": 1, \"count\": 9}",
		"{\"first\": 1, \"matching\": 2, \"rows\": [{\"n\": 7}]}" },
	{ "a whole list before a part in the asked order",
		{ WHOLE_1_AND_2,
			LINE(CORPUS(", \"sort\": \"n\""),
				"\"kind\": \"corpus\", \"total\": 2, "
				"\"rows\": [{\"n\": 1}]") },
		"{\"kind\": \"corpus\", \"sort\": \"n\", \"count\": 9}",
		"{\"matching\": 2, \"rows\": [{\"n\": 1}, {\"n\": 2}]}" },
	{ "a list that was whole when there were fewer",
		{ WHOLE_1_AND_2, SORTED_3_AND_4(", \"first\": 3", "3") },
		"{\"kind\": \"corpus\", \"sort\": \"n\", \"first\": 3, "
		"\"count\": 9}",
		"{\"total\": 9, \"first\": 3, \"rows\": [{\"n\": 3}, "
		"{\"n\": 4}]}" },
	{ "the same, asked in a third order",
		{ WHOLE_1_AND_2, SORTED_3_AND_4("", "0") },
		"{\"kind\": \"corpus\", \"sort\": \"n\", \"falling\": true, "
		"\"count\": 9}",
		"{\"total\": 9, \"rows\": [{\"n\": 4}, {\"n\": 3}]}" },
	{ "by text, equal ones by index", { NAMED_ROWS },
		"{\"kind\": \"corpus\", \"sort\": \"parent\", \"count\": 9}",
		"{\"rows\": [" ROW_B ", " ROW_A ", " ROW_C "]}" },
	{ "the same, falling", { NAMED_ROWS },
		"{\"kind\": \"corpus\", \"sort\": \"parent\", \"falling\": "
		"true, \"count\": 9}",
		"{\"rows\": [" ROW_C ", " ROW_A ", " ROW_B "]}" },
	{ "by a flag", { NAMED_ROWS },
		"{\"kind\": \"corpus\", \"sort\": \"seed\", \"falling\": "
		"true, \"count\": 1}",
		"{\"matching\": 3, \"rows\": [" ROW_B "]}" },
	{ "the place of an entry", { NAMED_ROWS },
		"{\"kind\": \"corpus\", \"sort\": \"parent\", \"name\": "
		"\"c3\", \"count\": 1}",
		"{\"place\": 3, \"rows\": [" ROW_B "]}" },
	{ "the place of no name", { ROWS_0_TO_2 },
		"{\"kind\": \"corpus\", \"count\": 1}", "{\"place\": 0}" },
	{ "the place of none", { NAMED_ROWS },
		"{\"kind\": \"corpus\", \"sort\": \"parent\", \"name\": "
		"\"d4\", \"count\": 1}",
		"{\"place\": 0}" },
	{ "no row has the word", { NAMED_ROWS },
		"{\"kind\": \"corpus\", \"filter\": \"zzz\", \"count\": 9}",
		"{\"first\": 0, \"matching\": 0, \"rows\": []}" },
	{ "the start of a name, or of its parent's", { NAMED_ROWS },
		"{\"kind\": \"corpus\", \"filter\": \"B\", \"sort\": "
		"\"index\", \"falling\": true, \"count\": 9}",
		"{\"matching\": 3, \"rows\": [" ROW_C ", " ROW_B ", " ROW_A
		"]}" },
	{ "not its middle", { NAMED_ROWS },
		"{\"kind\": \"corpus\", \"filter\": \"3\", \"count\": 9}",
		"{\"matching\": 0, \"rows\": []}" },
	{ "part of a flag's name, and a name", { NAMED_ROWS },
		"{\"kind\": \"corpus\", \"filter\": \"FAV a1\", \"count\": "
		"9}",
		"{\"matching\": 1, \"rows\": [" ROW_A "]}" },
	{ "two words, and no row has both", { NAMED_ROWS },
		"{\"kind\": \"corpus\", \"filter\": \"seed c3\", \"count\": "
		"9}",
		"{\"matching\": 0}" },
	{ "a filtered corpus is no list of all",
		{ LINE(CORPUS(", \"filter\": \"seed\""),
			CORPUS_REPLY("0", "{\"n\": 7}")) },
		"{\"kind\": \"corpus\", \"count\": 9}",
		"{\"error\": \"the recording has no list of the corpus "
		"yet\"}" },
	{ "the same filter",
		{ ROWS_0_TO_2,
			LINE(CORPUS(", \"filter\": \"seed\""),
				CORPUS_REPLY("0", "{\"n\": 7}")) },
		"{\"kind\": \"corpus\", \"filter\": \"seed\"}",
		"{\"rows\": [{\"n\": 7}]}" },
	{ "an empty journal", { NULL }, "{\"kind\": \"journal\", \"count\": 9}",
		"{\"total\": 0, \"matching\": 0, \"dropped\": 0, \"rows\": "
		"[]}" },
	{ "the second event", { EVENTS_0_TO_2 },
		"{\"kind\": \"journal\", \"first\": 1, \"count\": 1}",
		"{\"total\": 3, \"matching\": 3, \"first\": 1, \"rows\": [" EVENT(
			"crash", "SIGSEGV in f") "]}" },
	{ "events after the last", { EVENTS_0_TO_2 },
		"{\"kind\": \"journal\", \"first\": 8, \"count\": 1}",
		"{\"matching\": 3, \"first\": 3, \"rows\": []}" },
	{ "events of a kind", { EVENTS_0_TO_2 },
		"{\"kind\": \"journal\", \"count\": 9, \"kinds\": \"hang "
		"crash\"}",
		"{\"total\": 3, \"matching\": 1, \"rows\": [" EVENT("crash",
			"SIGSEGV in f") "]}" },
	{ "events with all words", { EVENTS_0_TO_2 },
		"{\"kind\": \"journal\", \"count\": 9, \"filter\": \"FIND "
		"cover\"}",
		"{\"matching\": 1, \"rows\": [" EVENT("find",
			"Coverage +2") "]}" },
	{ "the event of an input or a finding",
		{ LINE(JOURNAL,
			JOURNAL_REPLY("0",
				EVENT("find", "+1 bits") ", " EVENT_ABOUT)) },
		"{\"kind\": \"journal\", \"count\": 9, \"filter\": \"find "
		"3FA9\"}",
		"{\"matching\": 1, \"rows\": [" EVENT_ABOUT "]}" },
	{ "overlapping parts of the journal",
		{ LINE(JOURNAL,
			  JOURNAL_REPLY("4",
				  EVENT("a", "4") ", " EVENT("b", "5"))),
			LINE(JOURNAL,
				JOURNAL_REPLY("5",
					EVENT("b", "5") ", " EVENT("c",
						"6"))) },
		"{\"kind\": \"journal\", \"count\": 9}",
		"{\"total\": 3, \"dropped\": 4, \"rows\": [" EVENT("a",
			"4") ", " EVENT("b", "5") ", " EVENT("c", "6") "]}" },
	{ "a gap in the journal",
		{ EVENTS_0_TO_2,
			LINE(JOURNAL, JOURNAL_REPLY("9", EVENT("a", "9"))) },
		"{\"kind\": \"journal\", \"count\": 9}",
		"{\"total\": 1, \"dropped\": 9, \"rows\": [" EVENT("a",
			"9") "]}" },
	{ "older events come after newer ones",
		{ LINE(JOURNAL, JOURNAL_REPLY("2", EVENT("c", "2"))),
			LINE(JOURNAL,
				JOURNAL_REPLY("1",
					EVENT("b", "1") ", " EVENT("c", "2"))),
			LINE(JOURNAL, JOURNAL_REPLY("0", EVENT("a", "0"))) },
		"{\"kind\": \"journal\", \"count\": 9}",
		"{\"total\": 3, \"dropped\": 0, \"rows\": [" EVENT("a",
			"0") ", " EVENT("b", "1") ", " EVENT("c", "2") "]}" },
	{ "older events before a gap",
		{ LINE(JOURNAL, JOURNAL_REPLY("2", EVENT("c", "2"))),
			LINE(JOURNAL, JOURNAL_REPLY("0", EVENT("a", "0"))) },
		"{\"kind\": \"journal\", \"count\": 9}",
		"{\"total\": 1, \"dropped\": 2, \"rows\": [" EVENT("c",
			"2") "]}" },
	{ "a filtered journal is not the journal",
		{ LINE(JOURNAL ", \"filter\": \"x\"",
			JOURNAL_REPLY("0", EVENT("a", "x"))) },
		"{\"kind\": \"journal\", \"count\": 9}", "{\"total\": 0}" },
	{ "no map yet", { NULL }, "{\"kind\": \"coverage\"}",
		"{\"error\": \"the recording has no map yet\"}" },
	{ "changes of no map",
		{ LINE(MAP ", \"since\": 1",
			MAP ", \"id\": 1, \"revision\": 2") },
		"{\"kind\": \"coverage\"}",
		"{\"error\": \"the recording has no map yet\"}" },
};

static void
take(struct player_state *s, const char *text)
{
	json_t *line = parse(text);

	check(player_state_take(s, line), "%s", text);
	json_decref(line);
}

static void
test_answers(void **state)
{
	struct recording *recording = open_recording(HEAD SNAPSHOT MODULES);

	for (size_t i = 0; i < ROWS(answers); i++) {
		const struct answered *a = &answers[i];
		struct player_state s = { 0 };
		json_t *reply, *want = parse(a->reply), *value;
		const char *key;

		for (size_t k = 0; k < ROWS(a->lines) && a->lines[k]; k++)
			take(&s, a->lines[k]);
		reply = answer(&s, recording, a->query);
		json_object_foreach(want, key, value)
			check(json_equal(json_object_get(reply, key), value),
				"%s: %s", a->name, key);
		json_decref(reply);
		json_decref(want);
		player_state_clear(&s);
	}
	recording_close(recording);
}

static void
test_refused_lines(void **state)
{
	static const char *const lines[] = {
		LINE("\"kind\": \"weather\"", ""),
		LINE(MAP, ""),
		LINE(MAP, "\"id\": 1, \"kind\": \"worker\""),
	};

	for (size_t i = 0; i < ROWS(lines); i++) {
		struct player_state s = { 0 };
		json_t *line = parse(lines[i]);

		check(!player_state_take(&s, line), "%s", lines[i]);
		json_decref(line);
		player_state_clear(&s);
	}
}

/* ---- the coverage map ---- */

static void
take_map(struct player_state *s, const struct reply *reply)
{
	json_t *line = parse(LINE(MAP, ""));

	json_object_set_new(line, "reply", reply_encode(reply, 1));
	assert_true(player_state_take(s, line));
	json_decref(line);
}

static void
take_whole_map(struct player_state *s)
{
	uint8_t mask[] = { 1, 2, 3, 4 };
	struct reply reply = { .kind = QUERY_COVERAGE };

	reply.coverage.whole = true;
	reply.coverage.first = 10;
	reply.coverage.revision = 1;
	reply.coverage.counters = 14;
	reply.coverage.mask = (struct field_blob){ mask, sizeof(mask) };
	take_map(s, &reply);
}

static void
take_changes(struct player_state *s, struct reply_change *changes, size_t n)
{
	struct reply reply = { .kind = QUERY_COVERAGE };
	struct reply_new_function reached = { .name = "parse" };

	reply.coverage.revision = 2;
	reply.coverage.counters = 15;
	reply.coverage.changes = changes;
	reply.coverage.changes_n = n;
	reply.coverage.reached = &reached;
	reply.coverage.reached_n = 1;
	take_map(s, &reply);
}

/* The map has edges 10 to 13, then 14 too; changes are of edges 9, 11 and 14. */
static const struct range {
	const char *name;
	uint64_t first;
	uint32_t count;
	size_t len;
	uint8_t mask[5];
} ranges[] = {
	{ "all", 10, 0, 5, { 1, 10, 3, 4, 1 } },
	{ "a part", 11, 2, 2, { 10, 3 } },
	{ "more than there is", 12, 100, 3, { 3, 4, 1 } },
	{ "before it", 9, 4, 0, { 0 } },
	{ "after it", 15, 4, 0, { 0 } },
};

static void
check_range(struct player_state *s, const struct range *range)
{
	struct query query = { .kind = QUERY_COVERAGE,
		.first = range->first,
		.count = range->count };
	json_t *json = player_state_answer(s, NULL, &query, 3);
	struct reply reply = { 0 };
	uint64_t id;

	assert_int_equal(reply_decode(&reply, &id, json, NULL), OK);
	check(reply.coverage.whole && reply.coverage.revision == 2 &&
			reply.coverage.counters == 15 &&
			reply.coverage.first == range->first,
		"%s", range->name);
	check(reply.coverage.reached_n == 1, "%s: no function", range->name);
	check_text(reply.coverage.reached[0].name, "parse", range->name);
	check(reply.coverage.mask.len == range->len, "%s: %zu edges",
		range->name, reply.coverage.mask.len);
	for (size_t i = 0; i < range->len; i++)
		check(reply.coverage.mask.data[i] == range->mask[i],
			"%s: edge %zu", range->name, i);
	reply_clear(&reply);
	json_decref(json);
}

static void
test_ranges(void **state)
{
	struct reply_change changes[] = { { .counter = 9, .bits = 1 },
		{ .counter = 11, .bits = 8 }, { .counter = 14, .bits = 1 } };
	struct player_state s = { 0 };

	take_whole_map(&s);
	take_changes(&s, NULL, 0);
	take_changes(&s, changes, ROWS(changes));
	for (size_t i = 0; i < ROWS(ranges); i++)
		check_range(&s, &ranges[i]);
	player_state_clear(&s);
}

/* The recording may begin before the target is loaded. */
static void
test_empty_at_first(void **state)
{
	struct reply_change change = { .counter = 14, .bits = 2 };
	struct reply empty = { .kind = QUERY_COVERAGE };
	struct player_state s = { 0 };

	empty.coverage.whole = true;
	empty.coverage.revision = 1;
	take_map(&s, &empty);
	take_changes(&s, &change, 1);
	assert_int_equal(s.coverage.coverage.mask.len, 15);
	assert_int_equal(s.coverage.coverage.mask.data[0], 0);
	assert_int_equal(s.coverage.coverage.mask.data[14], 2);
	player_state_clear(&s);
}

/* Many changes, in more than one reply. */
static void
test_many_changes(void **state)
{
	struct reply_change *changes =
		calloc(QUERY_CHANGES_MAX, sizeof(*changes));
	struct reply_change last = { .counter = 12, .bits = 16 };
	struct player_state s = { 0 };

	take_whole_map(&s);
	take_changes(&s, changes, QUERY_CHANGES_MAX);
	take_changes(&s, &last, 1);
	assert_int_equal(s.coverage.coverage.mask.data[2], 3 | 16);
	player_state_clear(&s);
	free(changes);
}

/* A recording may say any number. */
static void
test_huge_map(void **state)
{
	struct reply reply = { .kind = QUERY_COVERAGE };
	struct player_state s = { 0 };

	take_whole_map(&s);
	reply.coverage.revision = 2;
	reply.coverage.counters = UINT32_MAX;
	take_map(&s, &reply);
	assert_int_equal(s.coverage.coverage.mask.len, QUERY_COUNTERS_MAX);
	assert_int_equal(s.coverage.coverage.mask.data[3], 4);
	player_state_clear(&s);
}

/* ---- limits ---- */

static void
take_worker(struct player_state *s, int worker, size_t text_len)
{
	json_t *line = parse(LINE("\"kind\": \"worker\"", ""));
	char *text = malloc(text_len + 1);

	memset(text, 'x', text_len);
	json_object_set_new(json_object_get(line, "query"), "worker",
		json_integer(worker));
	json_object_set_new(json_object_get(line, "reply"), "stderr",
		json_stringn(text, text_len));
	assert_true(player_state_take(s, line));
	free(text);
	json_decref(line);
}

static bool
has_worker(struct player_state *s, struct recording *recording, int worker)
{
	struct query query = { .kind = QUERY_WORKER,
		.worker = (uint32_t)worker };
	json_t *reply = player_state_answer(s, recording, &query, 1);
	bool has = json_object_get(reply, "error") == NULL;

	json_decref(reply);
	return has;
}

/* The least recently used reply makes room for the next one. */
static void
test_many_replies(void **state)
{
	struct recording *recording = open_recording(HEAD SNAPSHOT);
	struct player_state s = { 0 };

	for (int i = 0; i < PLAYER_REPLIES; i++)
		take_worker(&s, i, 1);
	assert_true(has_worker(&s, recording, 0));
	take_worker(&s, PLAYER_REPLIES, 1);
	assert_true(has_worker(&s, recording, 0));
	assert_false(has_worker(&s, recording, 1));
	assert_true(has_worker(&s, recording, PLAYER_REPLIES));
	player_state_clear(&s);
	recording_close(recording);
}

/* Two replies fit into the limit of memory, three do not. */
static void
test_large_replies(void **state)
{
	struct recording *recording = open_recording(HEAD SNAPSHOT);
	struct player_state s = { 0 };

	for (int i = 0; i < 3; i++)
		take_worker(&s, i, PLAYER_REPLIES_BYTES / 5 * 2);
	assert_false(has_worker(&s, recording, 0));
	assert_true(has_worker(&s, recording, 1));
	assert_true(has_worker(&s, recording, 2));
	take_worker(&s, 3, PLAYER_REPLIES_BYTES);
	for (int i = 0; i < 4; i++)
		assert_false(has_worker(&s, recording, i));
	player_state_clear(&s);
	recording_close(recording);
}

/* The journal keeps its newest 4096 rows. */
static void
test_long_journal(void **state)
{
	struct query query = { .kind = QUERY_JOURNAL, .count = 1 };
	json_t *line = parse(LINE(JOURNAL, JOURNAL_REPLY("0", ""))), *reply;
	json_t *rows = json_object_get(json_object_get(line, "reply"), "rows");
	struct player_state s = { 0 };

	for (int i = 0; i < 5000; i++)
		json_array_append_new(rows,
			json_pack("{s:i, s:s}", "seq", i, "text", "x"));
	assert_true(player_state_take(&s, line));
	reply = player_state_answer(&s, NULL, &query, 1);
	rows = json_object_get(reply, "rows");
	assert_int_equal(json_integer_value(json_object_get(reply, "dropped")),
		5000 - 4096);
	assert_int_equal(json_integer_value(
				 json_object_get(json_array_get(rows, 0),
					 "seq")),
		5000 - 4096);
	json_decref(reply);
	json_decref(line);
	player_state_clear(&s);
}

static void
test_view(void **state)
{
	struct player_state s = { 0 };

	take(&s, "{\"view\": \"corpus\"}");
	take(&s, "{\"view\": \"workers\"}");
	assert_string_equal(json_string_value(s.view), "workers");
	take(&s, "{\"snapshot\": {\"a\": 1}}");
	take(&s, "{\"delta\": {\"a\": 2}}");
	assert_int_equal(json_integer_value(json_object_get(s.snapshot, "a")),
		2);
	player_state_clear(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_refused_lines),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_empty_at_first),
		cmocka_unit_test(test_many_changes),
		cmocka_unit_test(test_huge_map),
		cmocka_unit_test(test_many_replies),
		cmocka_unit_test(test_large_replies),
		cmocka_unit_test(test_long_journal),
		cmocka_unit_test(test_view),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
