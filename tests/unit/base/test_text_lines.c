/*
 * test_text_lines: foreign texts line by line.
 */
#include "base/text_lines.h"

#include "lib/check.h"

static void
test_texts(void **state)
{
	static const struct {
		const char *text;
		size_t n;
		const char *lines[3];
	} rows[] = {
		{ "", 0, { NULL } },
		{ "a", 1, { "a" } },
		{ "a\n", 1, { "a" } },
		{ "a\n\nb", 3, { "a", "", "b" } },
		{ "a\r\nb\r\n", 2, { "a", "b" } },
		{ "\tx\ty", 1, { "        x       y" } },
		{ "ab\tc", 1, { "ab      c" } },
		{ "\033[31m\a", 1, { "\\x1b[31m\\x07" } },
		{ "\xff\xfe", 1, { "\\xff\\xfe" } },
		{ "\xe2\x80\xae"
		  "evil",
			1, { "\\u202eevil" } },
	};
	char text[TEXT_LINES_BYTES];

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct text_lines lines = { 0 };

		text_lines_take(&lines, strdup(rows[i].text),
			strlen(rows[i].text));
		check(lines.n == rows[i].n, "%s: %zu", rows[i].text, lines.n);
		for (size_t k = 0; k < lines.n; k++) {
			text_lines_get(&lines, k, text);
			check_text(text, rows[i].lines[k], rows[i].text);
		}
		text_lines_clear(&lines);
		assert_null(lines.text);
	}
}

/* No more lines and no more of a line than the maximum. */
static void
test_large(void **state)
{
	size_t len = 2 * TEXT_LINES_MAX;
	struct text_lines lines = { 0 };
	char text[TEXT_LINES_BYTES], *data = malloc(len);

	memset(data, '\n', len);
	text_lines_take(&lines, data, len);
	assert_int_equal(lines.n, TEXT_LINES_MAX);
	data = malloc(len);
	memset(data, 0x1b, len);
	text_lines_take(&lines, data, len);
	assert_int_equal(lines.n, 1);
	text_lines_get(&lines, 0, text);
	assert_true(strlen(text) < TEXT_LINES_BYTES);
	text_lines_clear(&lines);
}

static void
test_no_source(void **state)
{
	static const struct {
		const char *path, *why;
	} rows[] = {
		{ "/no/where.c", "not where the compiler found it" },
		{ "/dev/zero", "cannot be shown" },
		{ "/tmp", "cannot be shown" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct text_lines lines = { 0 };
		char why[256] = "";

		check(text_lines_read_source(&lines, rows[i].path, why,
			      sizeof(why)) != OK,
			"%s", rows[i].path);
		check(strstr(why, rows[i].why) != NULL, "%s: %s", rows[i].path,
			why);
		assert_null(lines.text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_no_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
