/*
 * test_input_text: tuples become text and come back, names are hashes of the
 * text, and invalid files are refused or bounded.
 */
#include "worker/inputs/input_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "lib/rows.h"

#define HEAD "go test fuzz v1\n"

static const struct tuple_types PLAIN = { .n = 0 };
static const struct tuple_types BYTES_INT8 = { .n = 2,
	.types = { VALUE_BYTES, VALUE_INT8 } };

/* ([]byte("ab\0"), int8(-2)) */
static const uint8_t TUPLE[] = { VALUE_BYTES, 3, 0, 0, 0, 'a', 'b', 0,
	VALUE_INT8, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
#define TUPLE_TEXT HEAD "[]byte(\"ab\\x00\")\nint8(-2)\n"

static void
test_plain(void **state)
{
	static const uint8_t bytes[] = { 'a', 0, 0xff };
	uint8_t *data = xmemdup(bytes, sizeof(bytes)), *same = data;
	char name[SHA256_HEX_SIZE], own[SHA256_HEX_SIZE];
	struct input_text text;
	struct error err = { 0 };
	size_t len = sizeof(bytes);

	input_text_init(&text, &PLAIN, bytes, sizeof(bytes));
	assert_ptr_equal(text.data, bytes); /* no copy */
	assert_int_equal(text.len, sizeof(bytes));
	assert_null(text.made);
	input_text_clear(&text);
	assert_int_equal(input_from_text(&PLAIN, &data, &len, 3, &err), OK);
	assert_ptr_equal(data, same);
	assert_int_equal(input_from_text(&PLAIN, &data, &len, 2, &err),
		E_RANGE);
	input_text_name(&PLAIN, bytes, sizeof(bytes), name);
	sha256_name(bytes, sizeof(bytes), own);
	assert_string_equal(name, own);
	assert_true(input_is_sound(&PLAIN, bytes, sizeof(bytes)));
	assert_int_equal(input_file_max(&PLAIN, 7), 7);
	assert_int_equal(input_room(bytes, sizeof(bytes)), sizeof(bytes));
	free(data);
}

static void
test_typed(void **state)
{
	char name[SHA256_HEX_SIZE], own[SHA256_HEX_SIZE];
	struct input_text text;
	struct error err = { 0 };
	uint8_t *data;
	size_t len;

	input_text_init(&text, &BYTES_INT8, TUPLE, sizeof(TUPLE));
	assert_int_equal(text.len, strlen(TUPLE_TEXT));
	assert_memory_equal(text.data, TUPLE_TEXT, text.len);
	assert_int_equal(input_text_len(&BYTES_INT8, TUPLE, sizeof(TUPLE)),
		text.len);
	input_text_name(&BYTES_INT8, TUPLE, sizeof(TUPLE), name);
	sha256_name(TUPLE_TEXT, strlen(TUPLE_TEXT), own);
	assert_string_equal(name, own);
	data = xmemdup(text.data, text.len);
	len = text.len;
	input_text_clear(&text);
	assert_int_equal(input_from_text(&BYTES_INT8, &data, &len,
				 sizeof(TUPLE), &err),
		OK);
	assert_int_equal(len, sizeof(TUPLE));
	assert_memory_equal(data, TUPLE, len);
	free(data);
}

/* clang-format off */
static const struct sample_row {
	size_t n, size, len;
	const char *text;
} SAMPLES[] = {
	{ 17, 100, 26, "[]byte(\"ab\\x00\"), int8(-2)" },
	{ 17, 9, 26, "[]byte(\"a" },
	{ 16, 100, 16, "[]byte(\"ab\\x00\")" },
	{ 7, 100, 12, "[]byte(\"ab\")" },
	{ 5, 100, 10, "[]byte(\"\")" },
	{ 4, 100, 0, "" },
	{ 0, 100, 0, "" },
};
/* clang-format on */

/* Any part of an input, which may be changing. */
static void
test_sample(void **state)
{
	struct tuple_types scalar = { .n = 1, .types = { VALUE_INT8 } };
	uint8_t text[100];
	size_t i;

	for (i = 0; i < sizeof(SAMPLES) / sizeof(*SAMPLES); i++) {
		const struct sample_row *row = &SAMPLES[i];
		uint8_t *part = xmemdup(TUPLE, row->n);

		memset(text, '#', sizeof(text));
		assert_int_equal(input_text_sample(&BYTES_INT8, part, row->n,
					 text, row->size),
			row->len);
		assert_memory_equal(text, row->text, strlen(row->text));
		assert_int_equal(text[strlen(row->text)], '#');
		free(part);
	}
	/* Bytes of other types: the input is changing just now. */
	assert_int_equal(input_text_sample(&scalar, TUPLE, 17, text, 100), 0);
	assert_int_equal(input_text_sample(&PLAIN, TUPLE, 17, text, 100), 17);
	assert_memory_equal(text, TUPLE, 17);
}

/* clang-format off */
static const struct place_row {
	uint64_t offset, len;
	const char *text;
} PLACES[] = {
	/* Up to the end of the bytes, with the end of the line. */
	{ 5, 3, "ab\\x00\")\n" },
	{ 5, 1, "a" },
	{ 6, 1, "b" },
	{ 5, 2, "ab" },
	{ 7, 1, "\\x00\")\n" },
	{ 9, 8, "int8(-2)\n" },
	{ 6, 0, "" },
};
/* clang-format on */

static void
test_place(void **state)
{
	struct tuple_types types;
	uint64_t offset, len;
	size_t i;

	input_types(TUPLE, sizeof(TUPLE), &types);
	assert_int_equal(types.n, 2);
	for (i = 0; i < sizeof(PLACES) / sizeof(*PLACES); i++) {
		offset = PLACES[i].offset;
		len = PLACES[i].len;
		input_text_place(&types, TUPLE, sizeof(TUPLE), &offset, &len);
		assert_int_equal(len, strlen(PLACES[i].text));
		assert_memory_equal(&TUPLE_TEXT[offset], PLACES[i].text, len);
	}
	offset = 16;
	len = 100; /* more than there is: unchanged */
	input_text_place(&types, TUPLE, sizeof(TUPLE), &offset, &len);
	assert_int_equal(len, 100);
	input_types("x", 1, &types);
	assert_int_equal(types.n, 0);
}

/* Overwritten inputs are handled without error. */
static void
test_unsound(void **state)
{
	struct input_text text;

	assert_true(input_is_sound(&BYTES_INT8, TUPLE, sizeof(TUPLE)));
	assert_false(input_is_sound(&BYTES_INT8, TUPLE, sizeof(TUPLE) - 1));
	assert_false(input_is_sound(&BYTES_INT8, TUPLE, 0));
	input_text_init(&text, &BYTES_INT8, TUPLE, sizeof(TUPLE) - 1);
	assert_int_equal(text.len, sizeof(TUPLE) - 1);
	assert_memory_equal(text.data, TUPLE, text.len);
	input_text_clear(&text);
}

/* clang-format off */
static const struct text_row {
	const char *name, *text;
	size_t max_len;
	enum status status;
	const char *says;
} TEXTS[] = {
	{ "comments, other spellings", HEAD "\n[]byte(`ab`) // x\nint8(0x7f)",
		100, OK, NULL },
	{ "carriage returns", "go test fuzz v1\r\n[]byte(\"\")\r\nint8(1)\r\n",
		100, OK, NULL },
	{ "exactly max-len", HEAD "[]byte(\"abc\")\nint8(0)\n", 17, OK, NULL },
	{ "over max-len", HEAD "[]byte(\"abcd\")\nint8(0)\n", 17, E_RANGE,
		"17 bytes" },
	{ "nothing", "", 100, E_FORMAT, "cannot unmarshal empty string" },
	{ "raw bytes", "abc", 100, E_FORMAT,
		"must include version and at least one value" },
	{ "another version", "go test fuzz v2\nint8(1)\n", 100, E_FORMAT,
		"unknown encoding version: go test fuzz v2" },
	{ "a bad line", HEAD "[]byte(\"a\")\nint8(200)\n", 100, E_FORMAT,
		"malformed line" },
	{ "no value", HEAD, 100, E_FORMAT,
		"wrong number of values in corpus entry: 0, want 2" },
	{ "one value", HEAD "int8(1)\n", 100, E_FORMAT,
		"wrong number of values in corpus entry: 1, want 2" },
	{ "other types", HEAD "string(\"hello\")\nint(50)\n", 100, E_FORMAT,
		"[string int], want [[]uint8 int8]" },
	{ "many values", HEAD "int(1)\nint(1)\nint(1)\nint(1)\nint(1)\nint(1)\n"
		"int(1)\nint(1)\nint(1)\nint(1)\nint(1)\nint(1)\nint(1)\n"
		"int(1)\nint(1)\nint(1)\nint(1)\n", 100, E_FORMAT,
		"more than 16 values" },
};
/* clang-format on */

static void
test_text(void **state)
{
	const struct text_row *row = *state;
	size_t len = strlen(row->text), was = len;
	uint8_t *data = xmemdup(row->text, len), *same = data;
	struct error err = { 0 };

	assert_int_equal(input_from_text(&BYTES_INT8, &data, &len, row->max_len,
				 &err),
		row->status);
	if (row->status == OK) {
		assert_true(input_is_sound(&BYTES_INT8, data, len));
	} else {
		assert_ptr_equal(data, same);
		assert_int_equal(len, was);
		if (strstr(err.text, row->says) == NULL)
			fail_msg("%s", err.text);
	}
	free(data);
}

/* The longest text of an input is within the limit for files. */
static void
test_longest(void **state)
{
	static const uint8_t high[] = { 0xf4, 0x8f, 0xbf, 0xbf };
	struct tuple_types types = { .n = TUPLE_MAX };
	struct value values[TUPLE_MAX] = { { .u = 0 } };
	uint8_t data[TUPLE_MAX * 512], bytes[400];
	size_t i, len;

	for (i = 0; i < TUPLE_MAX; i++) {
		types.types[i] = i % 2 ? VALUE_STRING : VALUE_FLOAT64;
		values[i].type = types.types[i];
		if (i % 2 == 0)
			value_set_bits(&values[i], 0xfff8000000000001);
		values[i].data = bytes;
		values[i].len = i % 2 ? sizeof(bytes) : 0;
	}
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = i < 200 ? 0xff : high[i % 4];
	tuple_pack(values, TUPLE_MAX, data);
	len = tuple_size(values, TUPLE_MAX);
	assert_true(input_text_len(&types, data, len) > 2 * len);
	assert_true(input_text_len(&types, data, len) <=
		input_file_max(&types, len));
}

/* The room is enough for any types. */
static void
test_room(void **state)
{
	struct tuple_types types = { .n = TUPLE_MAX };
	uint8_t data[TUPLE_ZERO_MAX];
	struct input_text text;
	size_t i, len;

	for (i = 0; i < TUPLE_MAX; i++)
		types.types[i] = VALUE_INT;
	len = tuple_zero(&types, data);
	input_text_init(&text, &types, data, len);
	assert_true(text.len < len);
	assert_true(input_room(text.data, text.len) >= len);
	input_text_clear(&text);
}

static void
test_read(void **state)
{
	char path[] = "/tmp/cfuzz-input-XXXXXX";
	int fd = mkstemp(path);
	struct error err = { 0 };
	uint8_t *data;
	size_t len, file_len;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, TUPLE_TEXT, strlen(TUPLE_TEXT)),
		(ssize_t)strlen(TUPLE_TEXT));
	assert_int_equal(input_read(&BYTES_INT8, path, false, sizeof(TUPLE),
				 &data, &len, &file_len, &err),
		OK);
	assert_int_equal(len, sizeof(TUPLE));
	assert_int_equal(file_len, strlen(TUPLE_TEXT));
	free(data);
	assert_int_equal(write(fd, "int(1)\n", 7), 7);
	assert_int_equal(input_read(&BYTES_INT8, path, false, sizeof(TUPLE),
				 &data, &len, &file_len, &err),
		E_FORMAT);
	assert_null(data);
	assert_memory_equal(err.text, path, strlen(path));
	close(fd);
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_typed),
		cmocka_unit_test(test_unsound),
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_read),
	};

	return rows_run_with("text", ROWS_OF(TEXTS, name, test_text), others,
		ROWS(others), NULL, NULL);
}
