/*
 * test_encode: texts of values, against the reference's.
 */

#include "shared/values/encode.h"

#include <string.h>

#include "base/hash.h"
#include "lib/vectors.h"

#define ROOM 4096

static void
test_lines(void **state)
{
	size_t i;
	json_t *row;

	assert_int_equal(json_array_size(vectors_get("encode")), 387);
	json_array_foreach((json_t *)vectors_get("encode"), i, row) {
		uint8_t room[ROOM];
		char line[ROOM];
		struct sink sink = { .data = line, .cap = ROOM };
		struct value value =
			vectors_value(json_object_get(row, "value"), room,
				ROOM);
		const json_t *want = json_object_get(row, "line");

		encode_value(&sink, &value);
		row_check(sink.len == json_string_length(want) &&
				memcmp(line, json_string_value(want),
					sink.len) == 0,
			"%s is %.*s", json_string_value(want), (int)sink.len,
			line);
		row_check(sink.len <= encode_bound(&value, 1), "%s",
			json_string_value(want));
	}
}

/* File names are hashes of texts, so the vectors have both. */
static void
test_naming(void **state)
{
	size_t i;
	json_t *row;

	json_array_foreach((json_t *)vectors_get("naming"), i, row) {
		const json_t *data = json_object_get(row, "data");
		char hex[65];

		sha256_name(json_string_value(data), json_string_length(data),
			hex);
		assert_string_equal(hex, vectors_text(row, "sha256"));
		assert_memory_equal(hex, vectors_text(row, "name16"), 16);
		assert_memory_equal(hex, vectors_text(row, "memory_id"), 8);
	}
}

static void
test_text(void **state)
{
	uint8_t bytes[] = { 'a', 0xff, '"' };
	struct value values[2] = { { .type = VALUE_INT, .i = 0 },
		{ .type = VALUE_BYTES, .data = bytes, .len = 3 } };
	static const char one[] = "go test fuzz v1\nint(0)\n";
	static const char two[] =
		"go test fuzz v1\nint(0)\n[]byte(\"a\\xff\\\"\")\n";
	char text[ROOM], hex[65];
	size_t len;

	assert_int_equal(encode_values(values, 1, text, ROOM, &len, NULL), OK);
	assert_int_equal(len, strlen(one));
	assert_memory_equal(text, one, len);
	sha256_name(text, len, hex);
	assert_memory_equal(hex, "de87e46a2f41b2c4", 16);
	assert_int_equal(encode_values(values, 2, text, ROOM, &len, NULL), OK);
	assert_int_equal(len, strlen(two));
	assert_memory_equal(text, two, len);
	assert_true(len <= encode_bound(values, 2));
}

static void
test_no_values(void **state)
{
	struct error err = { 0 };
	char text[16];
	size_t len = 1;

	assert_int_equal(encode_values(NULL, 0, text, 16, &len, &err), E_RANGE);
	assert_string_equal(err.text,
		"must have at least one value to marshal");
	assert_int_equal(len, 0);
}

/* Too small a room: len is the size needed, nothing beyond is written. */
static void
test_small_room(void **state)
{
	uint8_t bytes[3] = { 0, 1, 2 };
	struct value value = { .type = VALUE_STRING, .data = bytes, .len = 3 };
	char full[ROOM], text[ROOM];
	size_t need, len;

	assert_int_equal(encode_values(&value, 1, full, ROOM, &need, NULL), OK);
	for (size_t cap = 0; cap < need; cap++) {
		struct error err = { 0 };

		memset(text, '~', sizeof(text));
		assert_int_equal(encode_values(&value, 1, text, cap, &len,
					 &err),
			E_FULL);
		assert_int_equal(len, need);
		assert_memory_equal(text, full, cap);
		assert_int_equal(text[cap], '~');
	}
	assert_int_equal(encode_values(&value, 1, text, need, &len, NULL), OK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_naming),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_no_values),
		cmocka_unit_test(test_small_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
