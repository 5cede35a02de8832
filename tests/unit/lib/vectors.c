/*
 * vectors: see vectors.h. The file is read once per test program.
 */

#include "lib/vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/sink.h"

#ifndef TEST_DATA
#define TEST_DATA "tests/data"
#endif

const json_t *
vectors_get(const char *name)
{
	static json_t *root;
	const json_t *array;
	json_error_t error;

	if (!root)
		root = json_load_file(TEST_DATA "/engine-vectors.json", 0,
			&error);
	if (!root)
		fail_msg("engine-vectors.json: %s", error.text);
	array = json_object_get(root, name);
	assert_non_null(array);
	return array;
}

const char *
vectors_text(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	row_check(text != NULL, "member %s", key);
	return text;
}

uint64_t
vectors_number(const json_t *object, const char *key)
{
	const json_t *member = json_object_get(object, key);
	const char *text = json_string_value(member);

	if (json_is_integer(member))
		return (uint64_t)json_integer_value(member);
	row_check(text != NULL, "member %s", key);
	if (text[0] == '-')
		return (uint64_t)strtoll(text, NULL, 10);
	return strtoull(text, NULL, strncmp(text, "0x", 2) == 0 ? 16 : 10);
}

size_t
vectors_hex(const char *hex, uint8_t *out, size_t room)
{
	size_t len = strlen(hex) / 2;

	assert_true(len <= room);
	for (size_t i = 0; i < len; i++) {
		char digits[3] = { hex[2 * i], hex[2 * i + 1], '\0' };

		out[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
	return len;
}

struct prng
vectors_prng(const json_t *object)
{
	return (struct prng){ .state = vectors_number(object, "state"),
		.inc = vectors_number(object, "inc") };
}

struct value
vectors_value(const json_t *object, uint8_t *room, size_t size)
{
	const char *type = vectors_text(object, "type");
	struct value value = { .data = room };

	assert_true(value_type_find(type, strlen(type), &value.type));
	if (value_type_is_bytes(value.type))
		value.len =
			vectors_hex(vectors_text(object, "hex"), room, size);
	else if (value.type == VALUE_BOOL)
		value.b = json_is_true(json_object_get(object, "v"));
	else if (json_object_get(object, "bits"))
		value_set_bits(&value, vectors_number(object, "bits"));
	else
		value_set_bits(&value, vectors_number(object, "dec"));
	return value;
}
