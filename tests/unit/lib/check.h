/*
 * check: cmocka, and checks that name the row of the table they are about.
 */
#ifndef CFUZZ_TESTS_UI_CHECK_H
#define CFUZZ_TESTS_UI_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/rows.h"

#define check(condition, ...) \
	do { \
		if (!(condition)) { \
			print_error("%s: ", #condition); \
			fail_msg(__VA_ARGS__); \
		} \
	} while (0)

#define check_text(got, want, name) \
	check(strcmp(got, want) == 0, "%s: got `%s`, want `%s`", name, got, \
		want)

#endif
