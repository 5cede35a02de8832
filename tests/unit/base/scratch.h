/*
 * scratch: what the tests of this layer share: cmocka, messages that name
 * the row of a table, and a folder that is gone after the test.
 */
#ifndef CFUZZ_TESTS_BASE_SCRATCH_H
#define CFUZZ_TESTS_BASE_SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Fail the test and name the row of the table that it was about. */
#define row_check(condition, ...) \
	do { \
		if (!(condition)) \
			row_fail(__FILE__, __LINE__, #condition, __VA_ARGS__); \
	} while (0)

void row_fail(const char *file, int line, const char *condition,
	const char *fmt, ...) __attribute__((noreturn, format(printf, 4, 5)));

struct scratch {
	int dirfd;
	char path[64];
};

/* Set-up and tear-down; *state is a struct scratch. */
int scratch_open(void **state);
int scratch_close(void **state);

#endif
