/*
 * Functions that an input was the first to reach: their list, their events, and
 * the answers about coverage, modules and addresses.
 */
#include "lib/idle_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/front/answers.h"
#include "engine/functions/new_functions.h"
#include "lib/fake_helper.h"
#include "lib/own_note.h"

#define BEGIN TABLE_ENTRY
#define MANY 70u
#define LONG_PATH 1000u

static const char *const plain[] = { "parallel", "1", NULL };
static const char *const fixed[] = { "parallel", "1", "seed", "7",
	"deterministic", "on", NULL };

/* The functions f1 and f2, one without a name, and an unknown edge. */
static const uint64_t numbers[] = { 0x101 | BEGIN, 0x102, 0x201 | BEGIN, 0x203,
	0x31 | BEGIN, 0 };

struct list {
	struct reply_new_function at[QUERY_NEW_FUNCTIONS_MAX];
	uint32_t n;
};

static struct list
list_of(const struct idle *idle)
{
	struct list list = { .n = 0 };

	list.n = new_functions_list(idle->engine, list.at);
	return list;
}

static bool
has_event(const struct idle *idle)
{
	return idle_events(idle, "reached") > 0;
}

static bool
has_one(const struct idle *idle)
{
	return list_of(idle).n > 0;
}

static bool
has_two(const struct idle *idle)
{
	return list_of(idle).n >= 2;
}

static const struct corpus_entry *
add_entry(struct idle *idle, const char *input)
{
	return corpus_add(idle->engine->campaign.corpus, input, strlen(input),
		CORPUS_NONE, NULL);
}

/* ---- with names ----------------------------------------------------------- */

/* Each function is reported once, with the input that reached it first. */
static void
test_named(void **state)
{
	const struct corpus_entry *one, *two;
	const json_t *event;
	struct list list;
	struct idle idle;
	char text[64];

	idle_open(&idle, *state, plain);
	one = add_entry(&idle, "one");
	two = add_entry(&idle, "two");
	idle_module(&idle, 6);
	idle_table(&idle, numbers, 6);
	idle_hit(&idle, 1, one);
	idle_hit(&idle, 3, one);
	idle_hit(&idle, 0, two);
	idle_hit(&idle, 5, two);
	assert_int_equal(list_of(&idle).n, 0);
	new_functions_on_second(idle.engine);
	idle_until(&idle, has_event);
	list = list_of(&idle);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.at[0].name, "f1");
	assert_string_equal(list.at[0].file, "f1.c");
	assert_int_equal(list.at[0].line, 2);
	assert_int_equal(list.at[0].counter, 1);
	assert_memory_equal(list.at[0].entry, one->name, 16);
	assert_string_equal(list.at[1].name, "f2");
	event = idle_event(&idle, "reached");
	assert_int_equal(json_integer_value(json_object_get(event, "count")),
		2);
	assert_memory_equal(idle_event_text(&idle, "reached", "input"),
		one->name, 16);
	snprintf(text, sizeof(text), "f1() and 1 more reached   by %.6s",
		one->name);
	assert_string_equal(idle_event_text(&idle, "reached", "text"), text);
	idle_close(&idle);
}

/* Without a name it is the address of the function's first edge. */
static void
test_unnamed(void **state)
{
	struct idle idle;
	struct list list;

	idle_open(&idle, *state, plain);
	idle_module(&idle, 6);
	idle_table(&idle, numbers, 6);
	idle_hit(&idle, 4, NULL);
	new_functions_on_second(idle.engine);
	idle_until(&idle, has_event);
	list = list_of(&idle);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.at[0].name, "test_new_functions+0x31");
	assert_string_equal(list.at[0].entry, "");
	assert_string_equal(idle_event_text(&idle, "reached", "text"),
		"test_new_functions+0x31 reached");
	idle_close(&idle);
}

/* Edges that were hit before the PC table was known are reported with it. */
static void
test_late_table(void **state)
{
	struct idle idle;

	idle_open(&idle, *state, plain);
	idle_module(&idle, 6);
	new_functions_on_second(idle.engine);
	idle_hit(&idle, 0, NULL);
	idle_hit(&idle, 2, NULL);
	idle_table(&idle, numbers, 6);
	idle_until(&idle, has_two);
	assert_string_equal(list_of(&idle).at[0].name, "f1");
	assert_string_equal(list_of(&idle).at[1].name, "f2");
	idle_close(&idle);
}

/* All functions are in events, each of which has the first names only. */
static bool
has_many(const struct idle *idle)
{
	size_t i, count, names, sum = 0;
	const json_t *event;

	json_array_foreach(idle->events, i, event) {
		count = (size_t)json_integer_value(
			json_object_get(event, "count"));
		names = json_array_size(json_object_get(event, "functions"));
		assert_int_equal(names, count < 32 ? count : 32);
		sum += count;
	}
	return sum == MANY;
}

/* The list has the newest. */
static void
test_many(void **state)
{
	uint64_t all[MANY];
	struct list list;
	struct idle idle;
	uint32_t i;

	idle_open(&idle, *state, plain);
	for (i = 0; i < MANY; i++)
		all[i] = ((i + 0x10) << 8 | 1) | BEGIN;
	idle_module(&idle, MANY);
	idle_table(&idle, all, MANY);
	for (i = 0; i < MANY; i++)
		idle_hit(&idle, i, NULL);
	assert_false(new_functions_settle(idle.engine));
	idle_until(&idle, has_many);
	list = list_of(&idle);
	assert_int_equal(list.n, QUERY_NEW_FUNCTIONS_MAX);
	assert_int_equal(list.at[0].counter, MANY - QUERY_NEW_FUNCTIONS_MAX);
	assert_int_equal(list.at[QUERY_NEW_FUNCTIONS_MAX - 1].counter,
		MANY - 1);
	assert_true(new_functions_settle(idle.engine));
	idle_close(&idle);
}

/* ---- seeds ---------------------------------------------------------------- */

static void
warm(struct idle *idle, bool warming)
{
	idle->engine->load.warmup_total = 1;
	idle->engine->load.warmup_left = warming;
	if (!warming)
		new_functions_on_warm(idle->engine);
}

/* Functions of seeds are counted, and are no news later. */
static void
test_seeds(void **state)
{
	struct idle idle;

	idle_open(&idle, *state, plain);
	idle_module(&idle, 6);
	idle_table(&idle, numbers, 6);
	warm(&idle, true);
	idle_hit(&idle, 0, NULL);
	idle_hit(&idle, 2, NULL);
	warm(&idle, false);
	assert_int_equal(idle_events(&idle, "reached"), 0);
	new_functions_on_second(idle.engine);
	idle_until(&idle, has_event);
	assert_string_equal(idle_event_text(&idle, "reached", "text"),
		"2 functions reached at the start");
	idle_hit(&idle, 1, NULL);
	idle_hit(&idle, 4, NULL);
	assert_int_equal(list_of(&idle).n, 0);
	idle_until(&idle, has_one);
	assert_int_equal(list_of(&idle).n, 1);
	assert_int_equal(list_of(&idle).at[0].counter, 4);
	idle_close(&idle);
}

/* So many edges that the log of coverage lost some: functions are counted. */
static void
test_seeds_with_many_edges(void **state)
{
	enum {
		EDGES = COVERAGE_LOG_MAX + 100
	};
	uint64_t *all = calloc(EDGES, sizeof(*all));
	struct feature feature = { .buckets = 1 };
	struct idle idle;
	uint32_t i;

	for (i = 0; i < EDGES; i++)
		all[i] = (i + 0x1000) | (i % 1000 == 0 ? BEGIN : 0);
	idle_open(&idle, *state, plain);
	idle_module(&idle, EDGES);
	idle_table(&idle, all, EDGES);
	warm(&idle, true);
	for (i = 0; i + 1 < EDGES; i++) {
		feature.counter = i;
		campaign_memory_merge(&idle.engine->campaign.memory, &feature,
			1);
	}
	idle_hit(&idle, EDGES - 1, NULL);
	warm(&idle, false);
	assert_string_equal(idle_event_text(&idle, "reached", "text"),
		"17 functions reached at the start");
	idle_close(&idle);
	free(all);
}

/* ---- without a clock ------------------------------------------------------ */

/* Events of a deterministic run have addresses and come at once. */
static void
test_deterministic(void **state)
{
	struct idle idle;

	idle_open(&idle, *state, fixed);
	idle_module(&idle, 6);
	idle_table(&idle, numbers, 6);
	warm(&idle, true);
	idle_hit(&idle, 2, NULL);
	warm(&idle, false);
	assert_string_equal(idle_event_text(&idle, "reached", "text"),
		"1 function reached at the start");
	idle_hit(&idle, 1, NULL);
	assert_int_equal(idle_events(&idle, "reached"), 1);
	idle_hit(&idle, 0, NULL);
	assert_int_equal(idle_events(&idle, "reached"), 2);
	assert_string_equal(idle_event_text(&idle, "reached", "text"),
		"test_new_functions+0x101 reached");
	/* The list has names. */
	new_functions_on_second(idle.engine);
	idle_until(&idle, has_one);
	assert_string_equal(list_of(&idle).at[0].name, "f1");
	assert_int_equal(idle_events(&idle, "reached"), 2);
	idle_close(&idle);
}

/* ---- answers -------------------------------------------------------------- */

static enum status
ask(struct idle *idle, answer_fn *answer, const struct query *query,
	struct reply *reply, struct error *err)
{
	*err = (struct error){ 0 };
	reply_clear(reply);
	reply->kind = query->kind;
	return answer(idle->engine, 1, query, reply, err);
}

/* The changes since a revision, or the whole map. */
static void
test_coverage(void **state)
{
	struct query query = { .kind = QUERY_COVERAGE, .count = 100 };
	struct reply reply = { 0 };
	struct error err;
	struct idle idle;

	idle_open(&idle, *state, plain);
	idle_module(&idle, 6);
	idle_hit(&idle, 1, NULL);
	assert_int_equal(ask(&idle, answer_coverage, &query, &reply, &err), OK);
	assert_true(reply.coverage.whole);
	assert_int_equal(reply.coverage.counters, 6);
	assert_int_equal(reply.coverage.mask.len, 6);
	assert_memory_equal(reply.coverage.mask.data, "\0\1\0\0\0", 6);
	query.since = reply.coverage.revision;
	idle_hit(&idle, 4, NULL);
	idle_hit(&idle, 3, NULL);
	assert_int_equal(ask(&idle, answer_coverage, &query, &reply, &err), OK);
	assert_false(reply.coverage.whole);
	assert_int_equal(reply.coverage.changes_n, 2);
	assert_int_equal(reply.coverage.changes[0].counter, 4);
	assert_int_equal(reply.coverage.changes[1].counter, 3);
	assert_int_equal(reply.coverage.changes[1].bits, 1);
	reply_clear(&reply);
	idle_close(&idle);
}

/* A question that comes before the PC table waits for it. */
static void
test_modules(void **state)
{
	struct query modules = { .kind = QUERY_MODULES };
	struct query pcs = { .kind = QUERY_PCS, .first = 2, .count = 2 };
	struct reply reply = { 0 };
	struct error err;
	struct idle idle;

	idle_open(&idle, *state, plain);
	idle.engine->pool.any_ready = true;
	memset(idle.engine->target.info.path, '/', LONG_PATH);
	idle.engine->target.info.path[LONG_PATH] = '\0';
	idle_module(&idle, 6);
	assert_int_equal(ask(&idle, answer_modules, &modules, &reply, &err),
		E_BUSY);
	assert_int_equal(ask(&idle, answer_pcs, &pcs, &reply, &err), E_BUSY);
	assert_int_equal(idle.engine->pc_tables.queries[1].query.kind,
		QUERY_PCS);
	idle_table(&idle, numbers, 6);
	assert_int_equal(idle.engine->pc_tables.queries[0].since_ns, 0);
	assert_int_equal(idle.engine->pc_tables.queries[1].since_ns, 0);
	assert_int_equal(ask(&idle, answer_modules, &modules, &reply, &err),
		OK);
	assert_int_equal(reply.modules.modules_n, 1);
	assert_int_equal(reply.modules.modules[0].n, 6);
	assert_string_equal(reply.modules.modules[0].path,
		idle.engine->target.info.path);
	assert_int_equal(ask(&idle, answer_pcs, &pcs, &reply, &err), OK);
	assert_int_equal(reply.pcs.n, 6);
	assert_int_equal(reply.pcs.first, 2);
	assert_int_equal(reply.pcs.pcs.len, 16);
	assert_memory_equal(reply.pcs.pcs.data,
		"\1\2\0\0\0\0\0\x80\3\2\0\0\0\0\0", 16);
	pcs.module = 1;
	assert_int_equal(ask(&idle, answer_pcs, &pcs, &reply, &err), E_RANGE);
	reply_clear(&reply);
	idle_close(&idle);
}

/* A target that does not know its addresses says so. */
static void
test_no_table(void **state)
{
	struct query pcs = { .kind = QUERY_PCS, .count = 2 };
	struct reply reply = { 0 };
	struct error err;
	struct idle idle;

	idle_open(&idle, *state, plain);
	idle.engine->pool.any_ready = true;
	idle_module(&idle, 6);
	idle_table(&idle, NULL, 0);
	assert_int_equal(ask(&idle, answer_pcs, &pcs, &reply, &err), E_STATE);
	assert_non_null(strstr(err.text, "has not sent its PC table"));
	idle.engine->pc_tables.table.modules[0].state = PC_TABLE_NONE;
	assert_int_equal(ask(&idle, answer_pcs, &pcs, &reply, &err), E_STATE);
	assert_non_null(strstr(err.text, "has no PC table"));
	reply_clear(&reply);
	idle_close(&idle);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_named),
		ROW(test_unnamed),
		ROW(test_late_table),
		ROW(test_many),
		ROW(test_seeds),
		ROW(test_seeds_with_many_edges),
		ROW(test_deterministic),
		ROW(test_coverage),
		ROW(test_modules),
		ROW(test_no_table),
	};

	fake_helper_main(argc, argv);
	return cmocka_run_group_tests_name("new_functions", tests, NULL, NULL);
}
