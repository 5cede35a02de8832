/*
 * test_stack_hash: entries are found again, and a full table takes no more.
 */
#include "findings/stack_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
test_find(void **state)
{
	struct stack_hashes table = { 0 };
	uint64_t bucket = 9, list[4];

	assert_false(stack_hashes_find(&table, 1, &bucket));
	assert_int_equal(stack_hashes_list(&table, 1, list, 4), 0);
	stack_hashes_move(&table, 1, 2);
	assert_true(stack_hashes_put(&table, 5, 50));
	assert_true(stack_hashes_put(&table, 3, 50));
	assert_true(stack_hashes_put(&table, 4, 40));
	assert_true(stack_hashes_find(&table, 3, &bucket));
	assert_int_equal(bucket, 50);
	assert_false(stack_hashes_find(&table, 0, &bucket));
	assert_false(stack_hashes_find(&table, 6, &bucket));
	assert_int_equal(stack_hashes_list(&table, 50, list, 4), 2);
	assert_int_equal(list[0], 3);
	assert_int_equal(list[1], 5);
	assert_int_equal(stack_hashes_list(&table, 50, list, 1), 1);
	stack_hashes_move(&table, 50, 40);
	assert_int_equal(stack_hashes_list(&table, 40, list, 4), 3);
	assert_true(stack_hashes_put(&table, 4, 7));
	assert_true(stack_hashes_find(&table, 4, &bucket));
	assert_int_equal(bucket, 7);
	assert_int_equal(table.n, 3);
	stack_hashes_clear(&table);
	assert_false(stack_hashes_find(&table, 3, &bucket));
	stack_hashes_clear(&table);
}

/* Also with stack hashes that have the same slot. */
static void
test_full(void **state)
{
	struct stack_hashes table = { 0 };
	uint64_t i, bucket;

	for (i = 1; i <= STACK_HASHES_MAX; i++)
		assert_true(stack_hashes_put(&table, i << 16, i));
	assert_true(stack_hashes_full(&table));
	assert_false(stack_hashes_put(&table, 1, 1));
	assert_true(stack_hashes_put(&table, 1 << 16, 3));
	for (i = 2; i <= STACK_HASHES_MAX; i++) {
		assert_true(stack_hashes_find(&table, i << 16, &bucket));
		assert_int_equal(bucket, i);
	}
	stack_hashes_clear(&table);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_full),
	};

	return cmocka_run_group_tests_name("stack hashes", tests, NULL, NULL);
}
