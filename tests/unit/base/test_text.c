/*
 * test_text: the sanitiser, by examples and by its guarantees for every
 * character and many random bytes; columns; numbers.
 */

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8_width.h"
#include "lib/scratch.h"
#include "shared/prng.h"

#define RANDOM_STRINGS 1000000
#define RANDOM_LEN_MAX 24

/* ---- the sanitiser ------------------------------------------------------ */

static void
test_clean_examples(void **state)
{
	static const struct {
		const char *from, *to;
	} rows[] = {
		{ "", "" },
		{ "plain text", "plain text" },
		{ "back\\slash", "back\\slash" },
		{ "Grüße 中文 😀 ─⣿", "Grüße 中文 😀 ─⣿" },
		{ "a\nb\r\tc", "a\\nb\\r\\tc" },
		{ "\x1b]0;title\x07", "\\x1b]0;title\\x07" },
		{ "\x7f", "\\x7f" },
		{ "\xc2\x9b"
		  "31m",
			"\\u009b31m" },
		{ "\xff\xfe", "\\xff\\xfe" },
		{ "cut \xe2\x82", "cut \\xe2\\x82" },
		{ "\xc0\xaf", "\\xc0\\xaf" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
		{ "user\u202egpj.exe", "user\\u202egpj.exe" },
		{ "\u2066\u2069\u200e\u200f\u061c",
			"\\u2066\\u2069\\u200e\\u200f\\u061c" },
		{ "a\u200db\u200bc\ufeff", "a\\u200db\\u200bc\\ufeff" },
		{ "\xf3\xa0\x80\x81", "\\u{e0001}" },
		{ "\xee\x80\x80", "\\ue000" },
		{ "e\u0301", "e\u0301" },
		{ "\u0301e", "\\u0301e" },
		{ " \u0301", " \\u0301" },
		{ "e\u0301\u0301\u0301\u0301\u0301",
			"e\u0301\u0301\u0301\\u0301\\u0301" },
		{ "\x1b\u0301", "\\x1b\\u0301" },
	};
	char clean[256];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t len =
			text_clean_string(rows[i].from, clean, sizeof(clean));

		row_check(strcmp(clean, rows[i].to) == 0, "row %zu: %s", i,
			clean);
		row_check(len == strlen(clean), "row %zu", i);
	}
	assert_int_equal(text_clean("a\0b", 3, clean, sizeof(clean)), 6);
	assert_string_equal(clean, "a\\x00b");
}

static void
test_clean_is_cut_between_pieces(void **state)
{
	static const struct {
		size_t size;
		const char *to;
	} rows[] = {
		{ 1, "" },
		{ 2, "a" },
		{ 3, "a" },
		{ 4, "aé" },
		{ 7, "aé" },
		{ 8, "aé\\x1b" },
		{ 9, "aé\\x1bz" },
		{ 100, "aé\\x1bz" },
	};
	char clean[128];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memset(clean, '#', sizeof(clean));
		text_clean_string("aé\x1bz", clean, rows[i].size);
		row_check(strcmp(clean, rows[i].to) == 0, "size %zu: %s",
			rows[i].size, clean);
		row_check(clean[rows[i].size] == '#', "size %zu", rows[i].size);
	}
	clean[0] = '#';
	assert_int_equal(text_clean_string("abc", clean, 0), 0);
	assert_int_equal(clean[0], '#');
}

/* Cleaned text has only characters with columns, and marks on letters. */
static void
check_harmless(const char *clean, size_t len, const char *what)
{
	size_t marks_left = 0, i = 0;

	while (i < len) {
		uint32_t code = 0;
		size_t taken = utf8_decode(clean + i, len - i, &code);
		int width = utf8_width(code);

		row_check(taken > 0, "%s: no UTF-8 at %zu", what, i);
		row_check(code >= 0x20 && !(code >= 0x7f && code < 0xa0),
			"%s: control at %zu", what, i);
		row_check(width >= 0, "%s: U+%04x at %zu", what, code, i);
		row_check(width > 0 || marks_left > 0, "%s: mark at %zu", what,
			i);
		marks_left = width > 0 ? 3 : marks_left - 1;
		i += taken;
	}
}

/* The guarantees of text_clean() for one string. */
static void
check_promises(const uint8_t *bytes, size_t len, const char *what)
{
	char clean[16 * RANDOM_LEN_MAX], again[16 * RANDOM_LEN_MAX];
	size_t n = text_clean(bytes, len, clean, sizeof(clean));

	row_check(clean[n] == '\0' && strlen(clean) == n, "%s", what);
	check_harmless(clean, n, what);
	row_check(text_clean(clean, n, again, sizeof(again)) == n &&
			memcmp(clean, again, n) == 0,
		"%s: not the same when cleaned twice", what);
}

static void
test_clean_all_characters(void **state)
{
	char what[32];

	for (uint32_t code = 0; code <= 0x10ffff; code++) {
		uint8_t bytes[1 + UTF8_LEN_MAX] = { 'a' };
		size_t len;

		if (!utf8_is_code(code))
			continue;
		len = utf8_encode(bytes + 1, code);
		snprintf(what, sizeof(what), "U+%04x", code);
		check_promises(bytes + 1, len, what);
		check_promises(bytes, len + 1, what);
	}
}

/* Random bytes with many UTF-8 leads, continuations and controls. */
static size_t
random_string(struct prng *prng, uint8_t *bytes)
{
	static const uint8_t odd[] = { 0x1b, 0x9b, 0xc2, 0xcc, 0x81, 0xe2, 0x80,
		0xae, 0xf3, 0xa0, 'a', 0xed, 0xf4, 0xff, '\n', 0x7f };
	size_t len = prng_u32n(prng, RANDOM_LEN_MAX + 1);

	for (size_t i = 0; i < len; i++) {
		uint32_t draw = prng_u32(prng);

		bytes[i] = draw & 0x100 ? (uint8_t)draw : odd[draw & 15];
	}
	return len;
}

static void
test_clean_random_bytes(void **state)
{
	uint8_t bytes[RANDOM_LEN_MAX];
	struct prng prng;
	char what[32];

	prng_init(&prng, 1, 1);
	for (int i = 0; i < RANDOM_STRINGS; i++) {
		size_t len = random_string(&prng, bytes);

		snprintf(what, sizeof(what), "string %d", i);
		check_promises(bytes, len, what);
	}
}

static void
test_clean_lines(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", "" },
		{ "one\ntwo\n", "one\ntwo\n" },
		{ "a\tb\r\n", "a b\\r\n" },
		{ "\x1b[31m\n\n\xff", "\\x1b[31m\n\n\\xff" },
		/* A mark at the start of a line has no letter. */
		{ "e\xcc\x81\n\xcc\x81", "e\xcc\x81\n\\u0301" },
		{ "\xe2\x82\n\xac", "\\xe2\\x82\n\\xac" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *got =
			text_clean_lines(rows[i].text, strlen(rows[i].text));

		assert_string_equal(got, rows[i].want);
		free(got);
	}
}

static void
test_clean_dup_is_the_same(void **state)
{
	uint8_t bytes[RANDOM_LEN_MAX];
	char clean[16 * RANDOM_LEN_MAX];
	struct prng prng;

	prng_init(&prng, 2, 1);
	for (int i = 0; i < 1000; i++) {
		size_t len = random_string(&prng, bytes);
		char *copy = text_clean_dup(bytes, len);

		text_clean(bytes, len, clean, sizeof(clean));
		assert_string_equal(copy, clean);
		free(copy);
	}
}

/* ---- columns ------------------------------------------------------------ */

static void
test_columns(void **state)
{
	static const struct {
		const char *text;
		size_t width, fit_3;
	} rows[] = {
		{ "", 0, 0 },
		{ "ab", 2, 2 },
		{ "abcd", 4, 3 },
		{ "éé", 2, 4 },
		{ "中文", 4, 3 },
		{ "a中文", 5, 4 },
		{ "e\u0301xyz", 4, 5 },
		{ "xye\u0301", 3, 5 },
		{ "\xff\xff", 2, 2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		row_check(text_width(rows[i].text) == rows[i].width, "%s",
			rows[i].text);
		row_check(text_fit(rows[i].text, 3) == rows[i].fit_3, "%s",
			rows[i].text);
	}
}

/* ---- numbers ------------------------------------------------------------ */

static void
test_count(void **state)
{
	static const struct {
		uint64_t value;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ 999, "999" },
		{ 1000, "1 000" },
		{ 1234567, "1 234 567" },
		{ UINT64_MAX, "18 446 744 073 709 551 615" },
	};
	char buf[TEXT_NUMBER_SIZE];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(text_count(rows[i].value, buf),
			rows[i].text);
}

static void
test_short_and_rate(void **state)
{
	static const struct {
		double value;
		const char *text, *rate;
	} rows[] = {
		{ 0, "0", "0 /s" },
		{ -1, "0", "0 /s" },
		{ NAN, "0", "0 /s" },
		{ 0.3, "0.3", "0.3 /s" },
		{ 7, "7", "7 /s" },
		{ 99.97, "100", "100 /s" },
		{ 870, "870", "870 /s" },
		{ 999.4, "999", "999 /s" },
		{ 999.7, "1.0 k", "1.0 k/s" },
		{ 1234, "1.2 k", "1.2 k/s" },
		{ 870000, "870 k", "870 k/s" },
		{ 999600, "1.0 M", "1.0 M/s" },
		{ 49900000, "49.9 M", "49.9 M/s" },
		{ INFINITY, "9999 Y", "9999 Y/s" },
	};
	char buf[TEXT_NUMBER_SIZE];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_string_equal(text_short(rows[i].value, buf),
			rows[i].text);
		assert_string_equal(text_rate(rows[i].value, buf),
			rows[i].rate);
	}
}

static void
test_bytes(void **state)
{
	static const struct {
		uint64_t len;
		const char *text;
	} rows[] = {
		{ 0, "0 B" },
		{ 212, "212 B" },
		{ 1023, "1023 B" },
		{ 1024, "1.0 k" },
		{ 1132, "1.1 k" },
		{ 1048575, "1.0 M" },
		{ 64 << 20, "64.0 M" },
		{ UINT64_MAX, "16.0 E" },
	};
	char buf[TEXT_NUMBER_SIZE];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(text_bytes(rows[i].len, buf), rows[i].text);
}

/* Counters and times at the limits of their range. */
static void
test_edges(void **state)
{
	static const uint64_t edges[] = { 0, 1, UINT32_MAX, UINT64_C(1) << 32,
		INT64_MAX, UINT64_C(1) << 63, UINT64_MAX };
	char buf[TEXT_NUMBER_SIZE];
	size_t i;

	for (i = 0; i < 2 * sizeof(edges) / sizeof(edges[0]); i++) {
		uint64_t n = edges[i / 2];
		double real = i % 2 == 0 ? (double)n : -(double)n;
		const char *const texts[] = { strdup(text_count(n, buf)),
			strdup(text_bytes(n, buf)),
			strdup(text_elapsed(n, buf)),
			strdup(text_short(real, buf)),
			strdup(text_rate(real, buf)),
			strdup(text_clock(real, buf)) };

		for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
			size_t len = strlen(texts[k]);

			assert_in_range(len, 1, TEXT_NUMBER_SIZE - 1);
			assert_true(texts[k][0] != '-');
			assert_int_equal(strspn(texts[k],
						 "0123456789 .:/"
						 "BEGMTPYZdhmsk"),
				len);
			free((void *)(uintptr_t)texts[k]);
		}
	}
}

static void
test_clock(void **state)
{
	static const struct {
		double seconds;
		const char *text;
	} rows[] = {
		{ 0, "00:00:00" },
		{ -5, "00:00:00" },
		{ NAN, "00:00:00" },
		{ 59.9, "00:00:59" },
		{ 252, "00:04:12" },
		{ 86399, "23:59:59" },
		{ 86400, "1d 00:00:00" },
		{ 86400 + 7384, "1d 02:03:04" },
		{ INFINITY, "11574074074d 01:46:40" },
	};
	char buf[TEXT_NUMBER_SIZE];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(text_clock(rows[i].seconds, buf),
			rows[i].text);
}

static void
test_clock_fit(void **state)
{
	static const double day = 86400;
	static const struct {
		double seconds;
		int width;
		const char *text;
	} rows[] = {
		{ 0, 8, "00:00:00" },
		{ -5, 8, "00:00:00" },
		{ 86399, 8, "23:59:59" },
		{ 86399, 3, "23:59:59" },
		{ day + 7384, 8, "1d02:03" },
		{ day + 7384, 10, "1d02:03" },
		{ day + 7384, 11, "1d 02:03:04" },
		{ 10 * day + 7384, 8, "10d02:03" },
		{ 10 * day + 7384, 11, "10d02:03" },
		{ 10 * day + 7384, 12, "10d 02:03:04" },
		{ 100 * day, 8, "100d" },
		{ 100 * day, 9, "100d00:00" },
		{ INFINITY, 9, "11574074074d" },
	};
	char buf[TEXT_NUMBER_SIZE];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(text_clock_fit(rows[i].seconds,
					    rows[i].width, buf),
			rows[i].text);
}

static void
test_elapsed(void **state)
{
	static const struct {
		uint64_t ms;
		const char *text;
	} rows[] = {
		{ 0, "0s" },
		{ 499, "0s" },
		{ 500, "1s" },
		{ 1499, "1s" },
		{ 1500, "2s" },
		{ 59499, "59s" },
		{ 59500, "1m0s" },
		{ 61000, "1m1s" },
		{ 3599500, "1h0m0s" },
		{ 3723000, "1h2m3s" },
		{ 360000000, "100h0m0s" },
	};
	char buf[TEXT_NUMBER_SIZE];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(text_elapsed(rows[i].ms * 1000000, buf),
			rows[i].text);
	assert_string_equal(text_elapsed(UINT64_MAX, buf), "5124095h34m34s");
}

static void
test_quote(void **state)
{
	static const struct {
		const char *word, *text;
	} rows[] = {
		{ "./target", "./target" },
		{ "", "''" },
		{ "two words", "'two words'" },
		{ "it's", "'it'\\''s'" },
		{ "$(x);y", "'$(x);y'" },
		{ "crashes/a-b+0x1_c.d", "crashes/a-b+0x1_c.d" },
	}, shown[] = {
		{ "./target", "./target" },
		{ "it's", "'it'\\''s'" },
		{ "\303\274 \\", "'\303\274 \\'" },
		{ "a\nb", "$'a\\012b'" },
		{ "it's\x1b[m\\", "$'it\\'s\\033[m\\\\'" },
		{ "\377", "$'\\377'" },
	};
	char buf[64], small[8];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(text_quote(rows[i].word, buf, sizeof(buf)),
			strlen(rows[i].text));
		assert_string_equal(buf, rows[i].text);
	}
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		assert_int_equal(text_quote_shown(shown[i].word, buf,
					 sizeof(buf)),
			strlen(shown[i].text));
		assert_string_equal(buf, shown[i].text);
	}
	for (size_t size = 3; size < 16; size++) {
		size_t n = text_quote_shown("it's\n\n", buf, size);

		assert_true(n < size && strlen(buf) == n);
		assert_int_equal(buf[n - 1], '\'');
	}
	/* Cut text keeps its closing quote. */
	text_quote("''", small, sizeof(small));
	assert_true(strlen(small) < sizeof(small));
	assert_int_equal(small[strlen(small) - 1], '\'');
	assert_int_equal(text_quote("x", small, 2), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean_examples),
		cmocka_unit_test(test_clean_is_cut_between_pieces),
		cmocka_unit_test(test_clean_all_characters),
		cmocka_unit_test(test_clean_random_bytes),
		cmocka_unit_test(test_clean_dup_is_the_same),
		cmocka_unit_test(test_clean_lines),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_short_and_rate),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_clock_fit),
		cmocka_unit_test(test_elapsed),
		cmocka_unit_test(test_quote),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
