/*
 * rows: cmocka, and checks that name the row of the table they are about.
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

#endif
