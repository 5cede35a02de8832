/*
 * test_excerpt: reads lines around a line, from any path.
 */
#include "symbols/excerpt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/cfuzz-test-XXXXXX";

static const char *
path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void
put(const char *name, const char *text, size_t len)
{
	FILE *file = fopen(path_of(name), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

static int
make_folder(void **state)
{
	return mkdtemp(folder) == NULL;
}

static int
remove_folder(void **state)
{
	static const char *const names[] = { "ten", "odd", "pipe", "large" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void)unlink(path_of(names[i]));
	return rmdir(folder);
}

static const struct row {
	uint32_t line, n, first;
} rows[] = {
	{ 5, 7, 2 },
	{ 1, 4, 1 },
	{ 3, 6, 1 },
	{ 10, 4, 7 },
	{ 8, 6, 5 },
	{ 11, 0, 0 },
	{ 4000000000u, 0, 0 },
	{ UINT32_MAX, 0, 0 },
};

static void
test_lines(void **state)
{
	static const char text[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10";
	struct symbol_line lines[SYMBOL_LINES_MAX];
	char number[16];
	uint32_t n, i;
	size_t row;

	put("ten", text, sizeof(text) - 1);
	for (row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		n = excerpt_read(path_of("ten"), rows[row].line, lines);
		assert_int_equal(n, rows[row].n);
		for (i = 0; i < n; i++) {
			assert_int_equal(lines[i].number, rows[row].first + i);
			snprintf(number, sizeof(number), "%u", lines[i].number);
			assert_string_equal(lines[i].text, number);
		}
	}
}

/* Tabs, long lines, zeros, carriage returns. */
static void
test_odd(void **state)
{
	struct symbol_line lines[SYMBOL_LINES_MAX];
	char text[1024];

	memset(text, 'x', sizeof(text));
	memcpy(text, "\ta\tb\r\n\0c\n", 9);
	put("odd", text, sizeof(text));
	assert_int_equal(excerpt_read(path_of("odd"), 2, lines), 3);
	assert_string_equal(lines[0].text, "    a   b");
	assert_string_equal(lines[1].text, "c");
	assert_int_equal(strlen(lines[2].text), SYMBOL_LINE_MAX - 1);
}

/* Reading never blocks, and its size is limited. */
static void
test_no_file(void **state)
{
	struct symbol_line lines[SYMBOL_LINES_MAX];
	FILE *file;

	assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
	assert_int_equal(excerpt_read(path_of("pipe"), 1, lines), 0);
	assert_int_equal(excerpt_read("/dev/zero", 1, lines), 0);
	assert_int_equal(excerpt_read("/dev/tty", 1, lines), 0);
	assert_int_equal(excerpt_read(folder, 1, lines), 0);
	assert_int_equal(excerpt_read(path_of("nowhere"), 1, lines), 0);
	file = fopen(path_of("large"), "w");
	assert_non_null(file);
	assert_int_equal(ftruncate(fileno(file), (off_t)1 << 40), 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(excerpt_read(path_of("large"), 9, lines), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_odd),
		cmocka_unit_test(test_no_file),
	};

	return cmocka_run_group_tests_name("excerpt", tests, make_folder,
		remove_folder);
}
