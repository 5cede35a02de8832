#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/hash_set.h"

static void
test_names(void **state)
{
	struct hash_set set = { 0 };

	assert_true(hash_set_add(&set, 0, "main", 4));
	assert_false(hash_set_add(&set, 0, "main", 4));
	/* Another kind, and similar names. */
	assert_true(hash_set_add(&set, 64, "main", 4));
	assert_true(hash_set_add(&set, 0, "mainn", 5));
	assert_true(hash_set_add(&set, 0, "", 0));
	assert_false(hash_set_add(&set, 0, "", 0));
	assert_int_equal(set.n, 4);
	hash_set_clear(&set);
	assert_int_equal(set.n, 0);
	hash_set_clear(&set);
}

static void
test_grows_and_ends(void **state)
{
	struct hash_set set = { 0 };
	char name[24];

	for (int round = 0; round < 2; round++) {
		for (unsigned i = 0; i < HASH_SET_MAX; i++) {
			snprintf(name, sizeof(name), "f%u", i);
			assert_int_equal(hash_set_add(&set, 0, name,
						 strlen(name)),
				round == 0);
		}
	}
	/* The set is full: nothing is new any more. */
	assert_false(hash_set_add(&set, 0, "one more", 8));
	assert_int_equal(set.n, HASH_SET_MAX);
	hash_set_clear(&set);
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
