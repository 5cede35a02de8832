/*
 * test_subscriptions: when the queries of the current view are sent and
 * repeated.
 */
#include "ui/console/subscriptions.h"

#include "coverage/coverage_map.h"
#include "lib/check.h"

#define VIEW 3 /* any view number */

/* A view with given queries, and an engine that counts them. */
struct asked {
	struct subscriptions wants;
	struct model *model;
	struct query queries[VIEW_QUERIES_MAX]; /* wanted */
	size_t n;
	uint64_t id;       /* of the last query, 0: cannot be sent now */
	unsigned sent;     /* questions */
	struct query last; /* of them */
	bool deaf;
};

static size_t
view_want(void *state, const struct model *model, struct query *queries)
{
	const struct asked *asked = state;

	memcpy(queries, asked->queries, asked->n * sizeof(*queries));
	return asked->n;
}

static const struct view_ops view = { .subscribe = view_want };
static const struct view_ops view_silent = { .name = "silent" };

static uint64_t
send_query(void *arg, const struct query *query)
{
	struct asked *asked = arg;

	if (asked->deaf)
		return 0;
	asked->sent++;
	asked->last = *query;
	return ++asked->id;
}

static void
asked_open(struct asked *asked, enum query_kind kind)
{
	memset(asked, 0, sizeof(*asked));
	asked->wants.send = send_query;
	asked->wants.arg = asked;
	asked->model = malloc(sizeof(*asked->model));
	model_init(asked->model);
	asked->model->link = LINK_UP;
	asked->n = 1;
	asked->queries[0].kind = kind;
}

static void
asked_close(struct asked *asked)
{
	model_clear(asked->model);
	free(asked->model);
}

/* Updates the view's queries; returns how many were sent. */
static unsigned
ask(struct asked *asked)
{
	unsigned before = asked->sent;

	subscriptions_update(&asked->wants, VIEW, &view, asked, asked->model);
	return asked->sent - before;
}

static void
later(struct asked *asked, double seconds)
{
	struct snapshot *snapshot = (struct snapshot *)asked->model->snapshot;

	asked->model->now_s += seconds;
	snapshot->seq++;
}

static bool
answer_as(struct asked *asked, uint64_t id, enum query_kind kind,
	const char *error)
{
	struct reply reply = { .kind = kind };
	struct query query;
	size_t number = 99;

	snprintf(reply.error, sizeof(reply.error), "%s", error);
	if (!subscriptions_match(&asked->wants, id, &reply, asked->model->now_s,
		    &number, &query))
		return false;
	check(number == VIEW, "it is view %zu's", number);
	check(query.kind == kind, "it answers a query of its kind");
	return true;
}

static bool
answer(struct asked *asked)
{
	return answer_as(asked, asked->id, asked->last.kind, "");
}

static void
test_once(void **state)
{
	struct asked asked;

	asked_open(&asked, QUERY_MUTATION_LOG);
	check(ask(&asked) == 1, "asked at once");
	check(ask(&asked) == 0, "not while it is under way");
	later(&asked, 1);
	check(ask(&asked) == 0, "not while it is under way, later");
	check(answer(&asked), "the answer is the view's");
	check(!answer(&asked), "a second answer is nobody's");
	later(&asked, 1000);
	check(ask(&asked) == 0, "what cannot change is not asked again");
	asked_close(&asked);
}

static void
test_changed(void **state)
{
	struct asked asked;

	asked_open(&asked, QUERY_ENTRY);
	ask(&asked);
	snprintf(asked.queries[0].name, 24, "other");
	check(ask(&asked) == 0, "one question at a time");
	answer(&asked);
	check(ask(&asked) == 1, "the changed want, as soon as may be");
	check_text(asked.last.name, "other", "name");
	answer(&asked);
	asked.queries[0].since = 7;
	check(ask(&asked) == 0, "since is no change");
	asked_close(&asked);
}

static void
test_ages(void **state)
{
	static const struct {
		enum query_kind kind;
		double young, old; /* seconds; old 0: never */
	} rows[] = {
		{ QUERY_COVERAGE, 0.4, 0.6 },
		{ QUERY_MODULES, 4.9, 5.1 },
		{ QUERY_PCS, 1000, 0 },
		{ QUERY_CORPUS, 0.9, 1.1 },
		{ QUERY_ENTRY, 0.9, 1.1 },
		{ QUERY_MUTATION_LOG, 1000, 0 },
		{ QUERY_WORKER, 0.1, 0.3 },
		{ QUERY_JOURNAL, 0.2, 0.4 },
	};
	struct asked asked;

	for (size_t i = 0; i < ROWS(rows); i++) {
		const char *name = query_kind_name(rows[i].kind);

		asked_open(&asked, rows[i].kind);
		ask(&asked);
		answer(&asked);
		later(&asked, rows[i].young);
		check(ask(&asked) == 0, "%s: young enough", name);
		if (rows[i].old > 0) {
			asked.model->now_s += rows[i].old - rows[i].young;
			later(&asked, 0);
			check(ask(&asked) == 1, "%s: too old", name);
		}
		asked_close(&asked);
	}
}

/* Without a new snapshot nothing is queried again. */
static void
test_no_snapshot(void **state)
{
	struct asked asked;

	asked_open(&asked, QUERY_JOURNAL);
	ask(&asked);
	answer(&asked);
	asked.model->now_s += 60;
	check(ask(&asked) == 0, "no new snapshot");
	later(&asked, 0);
	check(ask(&asked) == 1, "a new one");
	asked_close(&asked);
}

static void
test_lost(void **state)
{
	struct asked asked;
	uint64_t lost;

	asked_open(&asked, QUERY_ENTRY);
	ask(&asked);
	lost = asked.id;
	later(&asked, 4.9);
	check(ask(&asked) == 0, "it may still come");
	later(&asked, 0.2);
	check(ask(&asked) == 1, "it is lost");
	check(!answer_as(&asked, lost, QUERY_ENTRY, ""),
		"the late answer is nobody's");
	check(answer(&asked), "the new one is");
	asked_close(&asked);
}

static void
test_refused(void **state)
{
	struct asked asked;

	asked_open(&asked, QUERY_ENTRY);
	ask(&asked);
	check(answer_as(&asked, asked.id, QUERY_ENTRY, "there is no such one"),
		"a refusal is an answer");
	later(&asked, 1.9);
	check(ask(&asked) == 0, "not at once");
	later(&asked, 0.2);
	check(ask(&asked) == 1, "after a while");
	answer_as(&asked, asked.id, QUERY_ENTRY, "no");
	snprintf(asked.queries[0].name, 24, "other");
	check(ask(&asked) == 1, "another one at once");
	asked_close(&asked);
}

static void
test_foreign(void **state)
{
	struct asked asked;

	asked_open(&asked, QUERY_CORPUS);
	check(!answer_as(&asked, 0, QUERY_CORPUS, ""), "nothing is under way");
	ask(&asked);
	check(!answer_as(&asked, asked.id + 1, QUERY_CORPUS, ""), "id");
	check(!answer_as(&asked, asked.id, QUERY_ENTRY, ""), "kind");
	check(answer(&asked), "its own");
	asked_close(&asked);
}

static void
test_several(void **state)
{
	struct asked asked;

	asked_open(&asked, QUERY_CORPUS);
	asked.n = 2;
	asked.queries[1].kind = QUERY_ENTRY;
	check(ask(&asked) == 2, "both");
	check(answer_as(&asked, asked.id, QUERY_ENTRY, ""), "the second");
	check(answer_as(&asked, asked.id - 1, QUERY_CORPUS, ""), "the first");
	asked.n = 0;
	later(&asked, 100);
	check(ask(&asked) == 0, "nothing is wanted");
	asked_close(&asked);
}

/* A view may have dropped the reply to a query that it did not want for a
 * while: a closed page, say. It is asked again, but not while it is under way. */
static void
test_wanted_again(void **state)
{
	struct asked asked;

	asked_open(&asked, QUERY_MODULES);
	asked.n = 2;
	asked.queries[1].kind = QUERY_PCS;
	check(ask(&asked) == 2, "both");
	check(answer_as(&asked, asked.id - 1, QUERY_MODULES, ""), "the first");
	asked.n = 1;
	check(ask(&asked) == 0, "only the first is wanted");
	asked.n = 2;
	check(ask(&asked) == 0, "the second is under way");
	check(answer(&asked), "the second");
	check(ask(&asked) == 0, "both are known");
	asked.n = 1;
	check(ask(&asked) == 0, "only the first is wanted, again");
	asked.n = 2;
	check(ask(&asked) == 1, "the second is wanted again");
	check(asked.last.kind == QUERY_PCS, "it is asked again");
	asked_close(&asked);
}

/* ---- a coverage map ---- */

static size_t
map_want(void *state, const struct model *model, struct query *queries)
{
	return coverage_map_query(state, queries);
}

static unsigned
ask_for_map(struct asked *asked, struct coverage_map *map)
{
	static const struct view_ops view_map = { .subscribe = map_want };
	unsigned before = asked->sent;

	subscriptions_update(&asked->wants, VIEW, &view_map, map, asked->model);
	return asked->sent - before;
}

static void
map_take(struct coverage_map *map, struct reply reply)
{
	const struct query query = { .kind = reply.kind };

	coverage_map_reply(map, &query, &reply);
}

/* A library that is loaded later makes the map forget the program's table. */
static void
test_library(void **state)
{
	struct reply_module modules[] = { { .path = "/m", .n = 1 },
		{ .path = "/l", .base = 1, .n = 1 } };
	struct reply reply = { .kind = QUERY_MODULES,
		.modules = { modules, 1 } };
	struct coverage_map map = { 0 };
	uint64_t pc = 0;
	struct asked asked;

	asked_open(&asked, QUERY_PCS);
	map_take(&map, reply);
	check(ask_for_map(&asked, &map) == 3, "map, modules, and a table");
	check(answer(&asked), "the table");
	map_take(&map,
		(struct reply){ .kind = QUERY_PCS,
			.pcs.pcs = { (uint8_t *)&pc, sizeof(pc) } });
	check(ask_for_map(&asked, &map) == 0, "the table is known");
	reply.modules.modules_n = 2;
	map_take(&map, reply);
	check(ask_for_map(&asked, &map) == 1, "the table again");
	check(asked.last.kind == QUERY_PCS && asked.last.module == 0,
		"it is the first module's");
	coverage_map_clear(&map);
	asked_close(&asked);
}

/* Queries that could not be sent are sent once there is an engine. */
static void
test_no_engine(void **state)
{
	struct asked asked;

	asked_open(&asked, QUERY_CORPUS);
	asked.model->link = LINK_STARTING;
	check(ask(&asked) == 0, "nothing heard of it yet");
	asked.model->link = LINK_UP;
	asked.deaf = true;
	check(ask(&asked) == 0, "it cannot be sent");
	asked.deaf = false;
	check(ask(&asked) == 1, "it can");
	asked.model->link = LINK_ENDED;
	later(&asked, 100);
	check(ask(&asked) == 0, "it has ended");
	check(answer(&asked), "its last words count");
	asked_close(&asked);
}

static void
test_reset(void **state)
{
	struct asked asked;
	uint64_t old;

	asked_open(&asked, QUERY_ENTRY);
	ask(&asked);
	old = asked.id;
	subscriptions_reset(&asked.wants);
	check(!answer_as(&asked, old, QUERY_ENTRY, ""), "of another engine");
	check(ask(&asked) == 1, "asked anew");
	answer(&asked);
	subscriptions_reset(&asked.wants);
	check(ask(&asked) == 1, "asked anew although it was answered");
	asked_close(&asked);
}

/* Views without queries and invalid view numbers do no harm. */
static void
test_no_wants(void **state)
{
	struct asked asked;

	asked_open(&asked, QUERY_ENTRY);
	subscriptions_update(&asked.wants, VIEW, &view_silent, NULL,
		asked.model);
	subscriptions_update(&asked.wants, SUBSCRIPTIONS_VIEWS_MAX, &view,
		&asked, asked.model);
	check(asked.sent == 0, "nothing is asked");
	asked_close(&asked);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_ages),
		cmocka_unit_test(test_no_snapshot),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_wanted_again),
		cmocka_unit_test(test_library),
		cmocka_unit_test(test_no_engine),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_no_wants),
	};

	return cmocka_run_group_tests_name("wants", tests, NULL, NULL);
}
