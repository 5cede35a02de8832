/*
 * rows: cmocka, tables whose rows are tests, and checks that name the row of
 * the table they are about.
 */
#ifndef CFUZZ_TESTS_CONTROL_ROWS_H
#define CFUZZ_TESTS_CONTROL_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

#define row_check(condition, ...) \
	do { \
		if (!(condition)) \
			row_fail(__FILE__, __LINE__, #condition, __VA_ARGS__); \
	} while (0)

void row_fail(const char *file, int line, const char *condition,
	const char *fmt, ...) __attribute__((noreturn, format(printf, 4, 5)));

/* A table, and the test that each of its rows is; *state is the row. */
struct rows {
	const void *table;
	size_t n, size, name; /* name: where a row has its `const char *` */
	CMUnitTestFunction test;
};

#define ROWS_OF(table, member, function) \
	(&(const struct rows){ (table), ROWS(table), sizeof((table)[0]), \
		offsetof(__typeof__((table)[0]), member), (function) })

/* Runs a group, a test for each row and then the others; enter and leave are of
 * the group. Each but the rows may be NULL. How many failed. */
int rows_run_with(const char *group, const struct rows *rows,
	const struct CMUnitTest *others, size_t others_n,
	CMFixtureFunction enter, CMFixtureFunction leave);
int rows_run(const char *group, const struct rows *rows);

#endif
