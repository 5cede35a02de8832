/*
 * test_quote: UTF-8, printable code points, quoting and its reverse.
 */

#include "shared/values/quote.h"

#include <stdio.h>
#include <string.h>

#include "lib/rows.h"
#include "lib/vectors.h"
#include "shared/utf8.h"
#include "shared/values/printable.h"

#ifndef TEST_DATA
#define TEST_DATA "tests/data"
#endif

static void
test_printable_ranges(void **state)
{
	FILE *file = fopen(TEST_DATA "/printable-ranges.txt", "re");
	unsigned first, last, code = 0;
	size_t ranges = 0;

	assert_non_null(file);
	while (fscanf(file, "%x %x", &first, &last) == 2) {
		ranges++;
		for (; code < first; code++)
			row_check(!printable_code(code), "U+%04X", code);
		for (; code <= last; code++)
			row_check(printable_code(code), "U+%04X", code);
	}
	fclose(file);
	assert_int_equal(ranges, 678);
	for (; code < 0x120000; code++)
		row_check(!printable_code(code), "U+%04X", code);
	assert_false(printable_code(UINT32_MAX));
}

static void
test_utf8_round_trip(void **state)
{
	for (uint32_t code = 0; code <= UTF8_CODE_MAX; code++) {
		uint8_t bytes[UTF8_LEN_MAX];
		uint32_t back = 0;
		size_t n;

		if (!utf8_is_code(code))
			continue;
		n = utf8_encode(bytes, code);
		row_check(utf8_decode(bytes, n, &back) == n && back == code,
			"U+%04X", code);
		row_check(utf8_decode(bytes, n - 1, &back) == 0, "U+%04X",
			code);
	}
	assert_false(utf8_is_code(0xd800));
	assert_false(utf8_is_code(0xdfff));
	assert_false(utf8_is_code(0x110000));
}

static void
test_utf8_rejects(void **state)
{
	static const char *const rows[] = { "\x80", "\xbf", "\xc0\x80",
		"\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf",
		"\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
		"\xff", "\xc3(", "\xe2\x82(", "\xf0\x9f\x98(" };
	uint32_t code;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		row_check(utf8_decode((const uint8_t *)rows[i], strlen(rows[i]),
				  &code) == 0,
			"row %zu", i);
}

struct quote_row {
	const char *name, *in, *out;
	size_t len;
};

static struct quote_row ROWS[] = {
	{ "empty", "", "\"\"", 0 },
	{ "letters", "hello", "\"hello\"", 5 },
	{ "quotes", "\"'\\", "\"\\\"'\\\\\"", 3 },
	{ "short escapes", "\a\b\f\n\r\t\v", "\"\\a\\b\\f\\n\\r\\t\\v\"", 7 },
	{ "control", "\0\x1f\x7f", "\"\\x00\\x1f\\x7f\"", 3 },
	{ "two bytes", "\xc3\xbf\xc2\x80\xc2\xad", "\"\xc3\xbf\\u0080\\u00ad\"",
		6 },
	{ "replacement", "\xef\xbf\xbd", "\"\xef\xbf\xbd\"", 3 },
	{ "surrogate", "\xed\xa0\x80", "\"\\xed\\xa0\\x80\"", 3 },
	{ "not UTF-8", "a\xff\xc3", "\"a\\xff\\xc3\"", 3 },
	{ "spaces", "\xe3\x80\x80\xe2\x80\xa8", "\"\\u3000\\u2028\"", 6 },
	{ "astral", "\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf",
		"\"\xf0\x9f\x98\x80\\U0010ffff\"", 8 },
	{ "bell in another page", "\xc4\x87", "\"\xc4\x87\"", 2 },
};

static void
test_row(void **state)
{
	const struct quote_row *row = *state;
	char text[64];
	uint8_t back[64];
	struct sink sink = { .data = text, .cap = sizeof(text) };

	quote_bytes(&sink, (const uint8_t *)row->in, row->len);
	assert_int_equal(sink.len, strlen(row->out));
	assert_memory_equal(text, row->out, sink.len);
	assert_int_equal(quote_strip(text, sink.len, back), row->len);
	assert_memory_equal(back, row->in, row->len);
}

static void
test_random_round_trips(void **state)
{
	struct prng p;

	prng_init(&p, 77, 1);
	for (int round = 0; round < 20000; round++) {
		uint8_t data[24], back[4 * 24 + 2];
		char text[4 * 24 + 2];
		struct sink sink = { .data = text, .cap = sizeof(text) };
		size_t len = prng_intn(&p, sizeof(data) + 1);
		bool high = prng_bool(&p);

		for (size_t i = 0; i < len; i++)
			data[i] = (uint8_t)(prng_u32(&p) | (high ? 0x80 : 0));
		quote_bytes(&sink, data, len);
		assert_true(sink.len <= sizeof(text));
		assert_int_equal(quote_strip(text, sink.len, back), len);
		assert_memory_equal(back, data, len);
	}
}

static void
test_characters(void **state)
{
	static const struct {
		uint32_t code;
		const char *want;
	} rows[] = { { 0, "'\\x00'" }, { '\'', "'\\''" }, { '"', "'\"'" },
		{ '\n', "'\\n'" }, { 0x80, "'\\u0080'" },
		{ 0xff, "'\xc3\xbf'" }, { 0x10ffff, "'\\U0010ffff'" } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[16];
		struct sink sink = { .data = text, .cap = sizeof(text) };

		quote_code(&sink, rows[i].code);
		assert_int_equal(sink.len, strlen(rows[i].want));
		assert_memory_equal(text, rows[i].want, sink.len);
	}
}

/* A literal between back quotes: no escapes, no carriage returns. */
static void
test_raw(void **state)
{
	static const char raw[] = "`a\\n\r\"`";
	uint8_t out[sizeof(raw)];

	assert_int_equal(quote_strip(raw, strlen(raw), out), 4);
	assert_memory_equal(out, "a\\n\"", 4);
}

static void
test_bad_escapes(void **state)
{
	static const struct {
		const char *text;
		char quote;
		bool good;
	} rows[] = { { "\\q", '"', false }, { "\\'", '"', false },
		{ "\\'", '\'', true }, { "\\\"", '\'', false },
		{ "\\\"", '"', true }, { "\\", '"', false },
		{ "\\x1", '"', false }, { "\\xg0", '"', false },
		{ "\\u12", '"', false }, { "\\ud800", '"', false },
		{ "\\U00110000", '"', false }, { "\\U0010ffff", '"', true },
		{ "\\400", '"', false }, { "\\377", '"', true },
		{ "\\38", '"', false }, { "\\8", '"', false },
		{ "\xff", '"', false } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct quoted quoted;
		const char *wrong = quote_parse(rows[i].text,
			strlen(rows[i].text), rows[i].quote, &quoted);

		row_check((wrong == NULL) == rows[i].good, "%s", rows[i].text);
		row_check(wrong || quoted.used == strlen(rows[i].text), "%s",
			rows[i].text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_printable_ranges),
		cmocka_unit_test(test_utf8_round_trip),
		cmocka_unit_test(test_utf8_rejects),
		cmocka_unit_test(test_random_round_trips),
		cmocka_unit_test(test_characters),
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_bad_escapes),
	};

	int failed;

	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + rows_run("quoting", ROWS_OF(ROWS, name, test_row));
}
