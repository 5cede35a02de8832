/*
 * test_pc_table_requests: tables of real workers, requested as the engine does,
 * and requests for missing ones.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "lib/engine_double.h"

#define NUMBERS_MAX 4096u

static uint32_t
ask(struct engine_double *d, const struct counter_module *module,
	uint32_t first, uint64_t *numbers)
{
	const struct pc_table_head *head =
		(const void *)(d->worker.map + d->layout.value_offset);

	d->request = (struct rpc_request){
		.kind = RPC_PC_TABLE,
		.module = *module,
		.first = first,
		.parent = MEMORY_NO_ENTRY,
	};
	assert_true(double_call(d));
	assert_int_equal(d->reply.count, head->n);
	assert_in_range(d->reply.count, 0, NUMBERS_MAX);
	assert_false(d->reply.died);
	memcpy(numbers, head + 1, d->reply.count * sizeof(*numbers));
	return (uint32_t)d->reply.count;
}

static void
test_pieces(void **state)
{
	static uint64_t all[NUMBERS_MAX], part[NUMBERS_MAX];
	const char *path = double_target("steps");
	struct counter_module module;
	struct engine_double d;
	uint32_t n, functions = 0;

	if (path == NULL)
		skip();
	double_start(&d, path, NULL);
	module = d.reply.modules[0];
	n = ask(&d, &module, 0, all);
	assert_int_equal(n, module.n);
	for (uint32_t i = 0; i < n; i++)
		functions += (all[i] & TABLE_ENTRY) != 0;
	assert_in_range(functions, 1, n);
	for (uint32_t first = 1; first < n; first++) {
		assert_int_equal(ask(&d, &module, first, part), n - first);
		assert_memory_equal(part, all + first,
			(n - first) * sizeof(*part));
	}
	double_stop(&d);
}

/* Any request leaves the worker alive and working. */
static void
test_strange_questions(void **state)
{
	static uint64_t numbers[NUMBERS_MAX];
	const char *path = double_target("steps");
	struct counter_module module, other;
	struct engine_double d;

	if (path == NULL)
		skip();
	double_start(&d, path, NULL);
	module = d.reply.modules[0];
	for (int child = 0; child < 2; child++) {
		other = module;
		assert_int_equal(ask(&d, &other, module.n, numbers), 0);
		assert_int_equal(ask(&d, &other, MEMORY_COUNTERS_MAX, numbers),
			0);
		other.key ^= 1;
		assert_int_equal(ask(&d, &other, 0, numbers), 0);
		other = module;
		other.n++;
		assert_int_equal(ask(&d, &other, 0, numbers), 0);
		/* In the next round there is a child, which is asked as
		 * well. */
		assert_true(double_run(&d, "x", 1));
		assert_int_equal(d.reply.end, CALL_DONE);
		assert_int_equal(d.reply.count, 1);
	}
	double_stop(&d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_strange_questions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
