/*
 * rows: see rows.h.
 */

#include "lib/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
row_fail(const char *file, int line, const char *condition, const char *fmt,
	...)
{
	char row[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(row, sizeof(row), fmt, ap);
	va_end(ap);
	print_error("%s: not %s\n", row, condition);
	_fail(file, line);
	abort();
}

int
rows_run_with(const char *group, const struct rows *rows,
	const struct CMUnitTest *others, size_t others_n,
	CMFixtureFunction enter, CMFixtureFunction leave)
{
	const uint8_t *row = rows->table;
	size_t n = rows->n + others_n;
	struct CMUnitTest *tests = calloc(n, sizeof(*tests));
	int failed;

	assert_non_null(tests);
	for (size_t i = 0; i < rows->n; i++, row += rows->size) {
		memcpy(&tests[i].name, row + rows->name, sizeof(char *));
		tests[i].test_func = rows->test;
		tests[i].initial_state = (void *)(uintptr_t)row;
	}
	for (size_t i = 0; i < others_n; i++)
		tests[rows->n + i] = others[i];
	/* The macro counts an array; here the number is known otherwise. */
	failed = _cmocka_run_group_tests(group, tests, n, enter, leave);
	free(tests);
	return failed;
}

int
rows_run(const char *group, const struct rows *rows)
{
	return rows_run_with(group, rows, NULL, 0, NULL, NULL);
}
