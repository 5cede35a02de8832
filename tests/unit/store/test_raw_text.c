/*
 * test_raw_text: texts of any bytes come back unchanged, and a forged object
 * cannot give bytes that differ from its readable text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "store/raw_text.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

static void
test_there_and_back(void **state)
{
	static const struct {
		const char *text, *read;
	} rows[] = {
		{ "", "" },
		{ "/a/b", "/a/b" },
		{ "/ä/€", "/ä/€" },
		{ "a\xff", "a\\xff" },
		{ "a\\xff", "a\\xff" },
		{ "\xc3", "\\xc3" },
		{ "a\nb\x1b[", "a\\nb\\x1b[" },
	};

	for (size_t i = 0; i < N(rows); i++) {
		json_t *json = json_object();
		char *back;

		raw_text_put(json, "x", rows[i].text);
		assert_string_equal(json_string_value(
					    json_object_get(json, "x")),
			rows[i].read);
		assert_int_equal(json_object_get(json, "x_hex") != NULL,
			strcmp(rows[i].text, rows[i].read) != 0);
		back = raw_text_get(json, "x");
		assert_string_equal(back, rows[i].text);
		free(back);
		json_decref(json);
	}
}

static void
test_lists(void **state)
{
	char *texts[] = { "-x", "", "\xfe" };
	json_t *json = json_object();
	char **back;

	raw_text_put_list(json, "args", texts, 2);
	assert_null(json_object_get(json, "args_hex"));
	raw_text_put_list(json, "args", texts, 3);
	back = raw_text_get_list(json, "args", 3);
	for (size_t i = 0; i < N(texts); i++)
		assert_string_equal(back[i], texts[i]);
	assert_null(back[3]);
	xfree_list(back);
	back = raw_text_get_list(json, "args", 2);
	assert_null(back[0]);
	xfree_list(back);
	json_decref(json);
}

static void
test_of_anybody(void **state)
{
	static const struct {
		const char *json, *text;
	} rows[] = {
		{ "{}", NULL },
		{ "{\"x_hex\": \"61\"}", NULL },
		{ "{\"x\": 1, \"x_hex\": \"61\"}", NULL },
		{ "{\"x\": \"a\", \"x_hex\": \"61\"}", "a" },
		{ "{\"x\": \"a\", \"x_hex\": \"62\"}", "a" },
		{ "{\"x\": \"a\", \"x_hex\": \"6\"}", "a" },
		{ "{\"x\": \"a\", \"x_hex\": \"6100\"}", "a" },
		{ "{\"x\": \"a\", \"x_hex\": \"6g\"}", "a" },
		{ "{\"x\": \"a\", \"x_hex\": []}", "a" },
		{ "{\"x\": \"\\\\xff\", \"x_hex\": \"ff\"}", "\xff" },
		{ "{\"x\": \"\\\\xff\", \"x_hex\": \"fe\"}", "\\xff" },
	};
	json_t *json;

	for (size_t i = 0; i < N(rows); i++) {
		char *text;

		json = json_loads(rows[i].json, 0, NULL);
		assert_non_null(json);
		text = raw_text_get(json, "x");
		if (rows[i].text == NULL)
			assert_null(text);
		else
			assert_string_equal(text, rows[i].text);
		free(text);
		json_decref(json);
	}
	json = json_loads("{\"x\": [\"a\", \"\\\\xff\", \"c\"],"
			  " \"x_hex\": [1, \"ff\"]}",
		0, NULL);
	char **list = raw_text_get_list(json, "x", 9);

	assert_string_equal(list[0], "a");
	assert_string_equal(list[1], "\xff");
	assert_string_equal(list[2], "c");
	xfree_list(list);
	json_decref(json);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there_and_back),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_of_anybody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
