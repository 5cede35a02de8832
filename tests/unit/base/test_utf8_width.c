/*
 * test_utf8_width: every character encoded and decoded, and invalid bytes.
 */

#include "base/utf8_width.h"

#include <stdbool.h>
#include <string.h>

#include "lib/scratch.h"

static void
test_all_characters(void **state)
{
	for (uint32_t code = 0; code <= UTF8_CODE_MAX; code++) {
		uint8_t bytes[UTF8_LEN_MAX];
		uint32_t back = 0;
		size_t len;

		if (!utf8_is_code(code)) {
			row_check(code >= 0xd800 && code <= 0xdfff, "U+%04x",
				code);
			continue;
		}
		len = utf8_encode(bytes, code);
		row_check(utf8_decode(bytes, len, &back) == len, "U+%04x",
			code);
		row_check(back == code, "U+%04x", code);
		row_check(len == 1 || utf8_decode(bytes, len - 1, &back) == 0,
			"U+%04x cut", code);
	}
	assert_false(utf8_is_code(UTF8_CODE_MAX + 1));
}

static void
test_no_character(void **state)
{
	static const struct {
		const char *name, *bytes;
	} rows[] = {
		{ "a lone continuation", "\x80" },
		{ "overlong slash", "\xc0\xaf" },
		{ "overlong in three", "\xe0\x80\xaf" },
		{ "overlong in four", "\xf0\x80\x80\xaf" },
		{ "a surrogate", "\xed\xa0\x80" },
		{ "beyond the last", "\xf4\x90\x80\x80" },
		{ "five bytes", "\xf8\x88\x80\x80\x80" },
		{ "fe", "\xfe" },
		{ "ff", "\xff" },
		{ "a lead before ASCII", "\xc3(" },
		{ "a missing third", "\xe2\x82(" },
		{ "nothing", "" },
	};
	uint32_t code;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		row_check(utf8_decode(rows[i].bytes, strlen(rows[i].bytes),
				  &code) == 0,
			"%s", rows[i].name);
}

static void
test_width(void **state)
{
	static const struct {
		uint32_t code;
		int width;
	} rows[] = {
		{ 0, -1 },
		{ '\n', -1 },
		{ ' ', 1 },
		{ '~', 1 },
		{ 0x7f, -1 },
		{ 0x9b, -1 },
		{ 0xa0, 1 },
		{ 0xad, -1 },
		{ 0xe9, 1 },
		{ 0x301, 0 },
		{ 0x34f, -1 },
		{ 0x61c, -1 },
		{ 0x1100, 2 },
		{ 0x1160, -1 },
		{ 0x200b, -1 },
		{ 0x200d, -1 },
		{ 0x200e, -1 },
		{ 0x200f, -1 },
		{ 0x2028, -1 },
		{ 0x202a, -1 },
		{ 0x202e, -1 },
		{ 0x2060, -1 },
		{ 0x2066, -1 },
		{ 0x2069, -1 },
		{ 0x2500, 1 },
		{ 0x28ff, 1 },
		{ 0x4e2d, 2 },
		{ 0xd800, -1 },
		{ 0xe000, -1 },
		{ 0xfe0f, -1 },
		{ 0xfeff, -1 },
		{ 0xff21, 2 },
		{ 0xfffd, 1 },
		{ 0xffff, -1 },
		{ 0x1f600, 2 },
		{ 0xe0001, -1 },
		{ 0x10fffd, -1 },
		{ 0x110000, -1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		row_check(utf8_width(rows[i].code) == rows[i].width,
			"U+%04x: %d", rows[i].code, utf8_width(rows[i].code));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_characters),
		cmocka_unit_test(test_no_character),
		cmocka_unit_test(test_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
