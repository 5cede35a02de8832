/*
 * test_call: values as a call in C. tests/e2e/cc_typed.sh compiles the text and
 * checks its values.
 */

#include "shared/values/call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ROOM 4096
/* A literal as bytes, with any NUL in it. */
#define BYTES(text) (uint8_t *)(uintptr_t)(text), sizeof(text) - 1

static const struct scalar_case {
	const char *text;
	enum value_type type;
	uint64_t bits;
} SCALAR_CASES[] = {
	{ "true", VALUE_BOOL, 1 },
	{ "false", VALUE_BOOL, 0 },
	{ "INT8_C(-128)", VALUE_INT8, (uint64_t)INT8_MIN },
	{ "INT16_C(-32768)", VALUE_INT16, (uint64_t)INT16_MIN },
	{ "INT32_C(-5)", VALUE_INT32, (uint64_t)-5 },
	{ "INT32_MIN", VALUE_INT32, (uint64_t)INT32_MIN },
	{ "INT32_C(-2147483647)", VALUE_INT32, (uint64_t)INT32_MIN + 1 },
	{ "INT64_MIN", VALUE_INT64, (uint64_t)INT64_MIN },
	{ "INT64_MIN", VALUE_INT, (uint64_t)INT64_MIN },
	{ "INT64_C(9223372036854775807)", VALUE_INT, INT64_MAX },
	{ "UINT8_C(255)", VALUE_UINT8, 255 },
	{ "UINT16_C(65535)", VALUE_UINT16, 65535 },
	{ "UINT32_C(4294967295)", VALUE_UINT32, UINT32_MAX },
	{ "UINT64_C(18446744073709551615)", VALUE_UINT64, UINT64_MAX },
	{ "UINT64_C(0)", VALUE_UINT, 0 },
	{ "0.0f", VALUE_FLOAT32, 0 },
	{ "-0.0f", VALUE_FLOAT32, 0x80000000 },
	{ "1.5f", VALUE_FLOAT32, 0x3fc00000 },
	{ "1e-45f", VALUE_FLOAT32, 1 },
	{ "3.4028235e+38f", VALUE_FLOAT32, 0x7f7fffff },
	{ "cfuzz_float32_of(UINT32_C(0x7f800000))", VALUE_FLOAT32, 0x7f800000 },
	{ "cfuzz_float32_of(UINT32_C(0xffc00001))", VALUE_FLOAT32, 0xffc00001 },
	{ "-0.0", VALUE_FLOAT64, UINT64_C(0x8000000000000000) },
	{ "5.0", VALUE_FLOAT64, UINT64_C(0x4014000000000000) },
	{ "0.1", VALUE_FLOAT64, UINT64_C(0x3fb999999999999a) },
	{ "5e-324", VALUE_FLOAT64, 1 },
	{ "1.7976931348623157e+308", VALUE_FLOAT64,
		UINT64_C(0x7fefffffffffffff) },
	{ "cfuzz_float64_of(UINT64_C(0xfff0000000000000))", VALUE_FLOAT64,
		UINT64_C(0xfff0000000000000) },
	{ "cfuzz_float64_of(UINT64_C(0x7ff8000000000001))", VALUE_FLOAT64,
		VALUE_NAN64 },
};

static const struct bytes_case {
	const char *text;
	uint8_t *data;
	size_t len;
} BYTES_CASES[] = {
	{ "\"\", 0", BYTES("") },
	{ "\"he\\000llo\", 6", BYTES("he\0llo") },
	{ "\"\\0001\", 2",
		BYTES("\0"
		      "1") },
	{ "\"\\377a\", 2",
		BYTES("\xff"
		      "a") },
	{ "\"\\\"\\\\'\\n\\r\\t\", 6", BYTES("\"\\'\n\r\t") },
	{ "\"?\\?\\?=?\", 5", BYTES("?\?\?=?") },
	{ "\"\\303\\244%s\\177\", 5", BYTES("\xc3\xa4%s\x7f") },
};

static void
check_call(const char *want, const char *name, const struct value *values,
	size_t n)
{
	char text[ROOM];
	struct sink sink = { .data = text, .cap = sizeof(text) - 1 };

	call_print(&sink, name, values, n);
	assert_in_range(sink.len, 1, sink.cap);
	text[sink.len] = '\0';
	assert_string_equal(text, want);
}

static void
test_scalars(void **state)
{
	for (size_t i = 0; i < sizeof(SCALAR_CASES) / sizeof(*SCALAR_CASES);
		i++) {
		const struct scalar_case *c = &SCALAR_CASES[i];
		struct value value = { .type = c->type };
		char want[200];

		value_set_bits(&value, c->bits);
		snprintf(want, sizeof(want), "f(%s);", c->text);
		check_call(want, "f", &value, 1);
	}
}

static void
test_bytes(void **state)
{
	for (size_t i = 0; i < sizeof(BYTES_CASES) / sizeof(*BYTES_CASES);
		i++) {
		const struct bytes_case *c = &BYTES_CASES[i];
		struct value value = { .type = VALUE_BYTES,
			.data = c->data,
			.len = c->len };
		char want[200];

		snprintf(want, sizeof(want), "f(cfuzz_bytes_of(%s));", c->text);
		check_call(want, "f", &value, 1);
		value.type = VALUE_STRING;
		snprintf(want, sizeof(want), "f(cfuzz_string_of(%s));",
			c->text);
		check_call(want, "f", &value, 1);
	}
}

static void
test_call(void **state)
{
	const struct value values[] = {
		{ .type = VALUE_BYTES, .data = BYTES("ab") },
		{ .type = VALUE_BOOL, .b = true },
		{ .type = VALUE_INT8, .i = -1 },
	};
	struct sink sink = { .data = NULL };

	check_call("text_slice(cfuzz_bytes_of(\"ab\", 2), true, INT8_C(-1));",
		"text_slice", values, 3);
	/* Without room, the size that the text needs. */
	call_print(&sink, "f", values + 1, 1);
	assert_int_equal(sink.len, strlen("f(true);"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scalars),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
