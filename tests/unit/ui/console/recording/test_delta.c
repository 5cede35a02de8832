/* test_delta: a value, its changes, and back again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ui/console/recording/delta.h"

static json_t *
parse(const char *text)
{
	json_error_t why;
	json_t *json = json_loads(text, JSON_DECODE_ANY, &why);

	if (json == NULL)
		fail_msg("%s: %s", text, why.text);
	return json;
}

static const struct pair {
	const char *name, *from, *to, *delta; /* NULL: nothing */
} pairs[] = {
	{ "the same", "{\"a\": [1, {\"b\": 2}]}", "{\"a\": [1, {\"b\": 2}]}",
		NULL },
	{ "a member", "{\"a\": 1, \"b\": 2}", "{\"a\": 1, \"b\": 3}",
		"{\"b\": 3}" },
	{ "a new member", "{}", "{\"a\": {\"b\": []}}",
		"{\"a\": {\"b\": []}}" },
	{ "a member less", "{\"a\": 1, \"b\": 2}", "{\"b\": 2}",
		"{\"a\": null}" },
	{ "an item", "{\"a\": [{\"x\": 1, \"y\": 2}, 5]}",
		"{\"a\": [{\"x\": 1, \"y\": 3}, 5]}",
		"{\"a\": {\"0\": {\"y\": 3}}}" },
	{ "items more", "{\"a\": [1]}", "{\"a\": [1, 2]}",
		"{\"a\": {\"n\": 2, \"1\": 2}}" },
	{ "items less", "{\"a\": [1, 2]}", "{\"a\": []}",
		"{\"a\": {\"n\": 0}}" },
	{ "a list goes on", "{\"a\": [1, 2, 3]}", "{\"a\": [2, 3, 4]}",
		"{\"a\": {\"drop\": 1, \"n\": 3, \"2\": 4}}" },
	{ "all its items are alike", "{\"a\": [1, 1, 2]}", "{\"a\": [1, 2, 3]}",
		"{\"a\": {\"drop\": 1, \"n\": 3, \"2\": 3}}" },
	{ "what goes on is not all", "{\"a\": [4, 5, 6]}", "{\"a\": [5, 5, 6]}",
		"{\"a\": {\"0\": 5}}" },
	{ "another type", "{\"a\": {\"b\": 1}}", "{\"a\": [1]}",
		"{\"a\": [1]}" },
};

static void
test_pairs(void **state)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		json_t *from = parse(pairs[i].from), *to = parse(pairs[i].to);
		json_t *delta = delta_make(from, to), *expected = NULL;

		if (pairs[i].delta != NULL)
			expected = parse(pairs[i].delta);
		if ((delta == NULL) != (expected == NULL) ||
			(delta != NULL && !json_equal(delta, expected)))
			fail_msg("%s: another delta", pairs[i].name);
		if (delta != NULL)
			from = delta_apply(from, delta);
		if (!json_equal(from, to))
			fail_msg("%s: it does not lead back", pairs[i].name);
		json_decref(from);
		json_decref(to);
		json_decref(delta);
		json_decref(expected);
	}
}

/* Invalid deltas have no effect and need no memory. */
static void
test_nonsense(void **state)
{
	static const char *const deltas[] = {
		"{\"a\": {\"n\": 99999999999}}",
		"{\"a\": {\"drop\": 7000000}}",
		"{\"a\": {\"drop\": -1, \"n\": -5, \"x\": 1, \"77\": 2}}",
		"{\"a\": {\"n\": \"3\"}}",
		"{\"z\": null, \"y\": {\"0\": 1}}",
		"[1, 2]",
		"null",
	};

	for (size_t i = 0; i < sizeof(deltas) / sizeof(deltas[0]); i++) {
		json_t *value = parse("{\"a\": [1, 2], \"b\": 3}");
		json_t *delta = parse(deltas[i]);

		value = delta_apply(value, delta);
		assert_non_null(value);
		assert_true(json_array_size(json_object_get(value, "a")) <= 2);
		json_decref(value);
		json_decref(delta);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
