/*
 * A program that runs its inputs in a loop: how long a process lives, and what
 * ends an input.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/engine_double.h"
#include "lib/rows.h"

static void
start(struct engine_double *d, const char *name)
{
	const char *path = double_target(name);

	if (path == NULL)
		skip();
	double_start(d, path, double_sanitizers());
	assert_string_equal(d->reply.target_kind, "main()");
}

/* The program says how many inputs its process has run. */
static void
expect_inputs(struct engine_double *d, const char *says)
{
	assert_true(double_run(d, "n", 1));
	assert_int_equal(d->reply.failure.kind, FAILURE_ERROR);
	assert_string_equal(d->reply.failure.text, says);
}

static void
test_life(void **state)
{
	struct engine_double d;

	start(&d, "loop");
	assert_true(double_run(&d, "", 0));
	assert_int_equal(d.reply.end, CALL_DONE);
	assert_true(double_run(&d, "1", 1));
	expect_inputs(&d, "3 inputs");
	/* Other executions in between, none of which is in the middle. */
	assert_true(double_fuzz(&d, "1", 1, 1));
	expect_inputs(&d, "5 inputs");
	expect_inputs(&d, "1 inputs");
	assert_int_equal(double_stop(&d), 0);
}

static void
test_call(void **state)
{
	struct engine_double d;

	start(&d, "loop");
	d.request = (struct rpc_request){ .kind = RPC_FUZZ,
		.limit = 3000,
		.parent = double_add_entry(&d, "1", 1),
		.cap = 2,
		.stack_max = 1 };
	/* Until a mutation ends the loop; that is no failure. */
	assert_true(double_call(&d));
	assert_true(d.reply.count > 0);
	if (!d.reply.died)
		expect_inputs(&d, "1 inputs");
	assert_int_equal(double_stop(&d), 0);
}

/* clang-format off */
static const struct leave_row {
	const char *name, *input;
	enum call_end end;
} LEAVE_ROWS[] = {
	{ "exit", "e", CALL_DONE },
	{ "exit 0", "z", CALL_DONE },
	{ "return", "r", CALL_DONE },
	{ "_exit", "_", CALL_LIMIT },
};
/* clang-format on */

static void
test_leave(void **state)
{
	const struct leave_row *row = *state;
	struct engine_double d;

	start(&d, "loop");
	assert_true(double_run(&d, "1", 1));
	assert_true(double_run(&d, row->input, 1));
	assert_false(d.reply.died);
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_int_equal(d.reply.end, row->end);
	assert_int_equal(d.reply.count, 1);
	expect_inputs(&d, "1 inputs");
	assert_int_equal(double_stop(&d), 0);
}

static void
test_fail_on_exit(void **state)
{
	static const char *const bad[] = { "e", "r", "_" };
	struct engine_double d;

	start(&d, "loop");
	d.request =
		(struct rpc_request){ .kind = RPC_PING, .fail_on_exit = true };
	assert_true(double_call(&d));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_true(double_run(&d, bad[i], 1));
		assert_true(d.reply.died);
		assert_int_equal(d.reply.failure.kind, FAILURE_EXIT);
	}
	assert_true(double_run(&d, "z", 1));
	assert_false(d.reply.died);
	assert_int_equal(double_stop(&d), 0);
}

static void
test_death(void **state)
{
	struct engine_double d;

	start(&d, "loop");
	assert_true(double_run(&d, "a", 1));
	assert_true(d.reply.died);
	assert_string_equal(d.reply.failure.what, "SIGABRT");
	expect_inputs(&d, "1 inputs");
	assert_int_equal(double_stop(&d), 0);
}

/* A copy of the process ends when it asks for an input. */
static void
test_fork(void **state)
{
	struct engine_double d;

	start(&d, "loop");
	assert_true(double_run(&d, "f", 1));
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	expect_inputs(&d, "2 inputs");
	assert_int_equal(double_stop(&d), 0);
	assert_int_equal(double_count_processes(&d), 0);
}

static void
test_sanitizer(void **state)
{
	struct engine_double d;

	start(&d, "loop.asan");
	assert_true(double_run(&d, "1", 1));
	assert_true(double_run(&d, "e", 1));
	assert_false(d.reply.died);
	expect_inputs(&d, "1 inputs");
	assert_int_equal(double_stop(&d), 0);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_life),
		cmocka_unit_test(test_call),
		cmocka_unit_test(test_fail_on_exit),
		cmocka_unit_test(test_death),
		cmocka_unit_test(test_fork),
		cmocka_unit_test(test_sanitizer),
	};

	return rows_run_with("target/persistent",
		ROWS_OF(LEAVE_ROWS, name, test_leave), others, ROWS(others),
		NULL, NULL);
}
