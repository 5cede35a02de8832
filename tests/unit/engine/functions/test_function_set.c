#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "engine/functions/function_set.h"

static void
test_names(void **state)
{
	struct function_set set = { 0 };

	(void)state;
	assert_true(function_set_add(&set, 0, "main"));
	assert_false(function_set_add(&set, 0, "main"));
	/* Another module, and similar names. */
	assert_true(function_set_add(&set, 64, "main"));
	assert_true(function_set_add(&set, 0, "mainn"));
	assert_true(function_set_add(&set, 0, ""));
	assert_false(function_set_add(&set, 0, ""));
	assert_int_equal(set.n, 4);
	function_set_clear(&set);
	assert_int_equal(set.n, 0);
	function_set_clear(&set);
}

static void
test_grows_and_ends(void **state)
{
	struct function_set set = { 0 };
	char name[24];

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (unsigned i = 0; i < FUNCTION_SET_MAX; i++) {
			snprintf(name, sizeof(name), "f%u", i);
			assert_int_equal(function_set_add(&set, 0, name),
				round == 0);
		}
	}
	/* The set is full: no function is new any more. */
	assert_false(function_set_add(&set, 0, "one more"));
	assert_int_equal(set.n, FUNCTION_SET_MAX);
	function_set_clear(&set);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_grows_and_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
