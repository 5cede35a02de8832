/*
 * test_query: the relation between a query and its reply.
 */
#include "control/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define ID 4711u

/* No member of a reply has the name of the query's id or kind. */
static void
test_reply_has_the_id(void **state)
{
	for (int kind = 0; kind < QUERY_KIND_COUNT; kind++) {
		struct reply reply = { .kind = (enum query_kind)kind }, back;
		struct error err = { 0 };
		json_t *json;
		uint64_t id = 0;

		memset(&back, 0, sizeof(back));
		if (kind == QUERY_WORKER)
			reply.worker.id = 3;
		json = reply_encode(&reply, ID);
		assert_int_equal(reply_decode(&back, &id, json, &err), OK);
		assert_int_equal(id, ID);
		assert_int_equal(back.kind, kind);
		if (kind == QUERY_WORKER)
			assert_int_equal(back.worker.id, 3);
		json_decref(json);
		reply_clear(&back);
	}
}

static void
test_query_has_the_id(void **state)
{
	for (int kind = 0; kind < QUERY_KIND_COUNT; kind++) {
		struct query query = { .kind = (enum query_kind)kind,
			.worker = 3,
			.module = 4,
			.first = 5,
			.count = 6 };
		struct query back;
		struct error err = { 0 };
		json_t *json = query_encode(&query, ID);
		uint64_t id = 0;

		assert_int_equal(query_decode(&back, &id, json, &err), OK);
		assert_int_equal(id, ID);
		assert_true(query_equal(&query, &back));
		json_decref(json);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reply_has_the_id),
		cmocka_unit_test(test_query_has_the_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
