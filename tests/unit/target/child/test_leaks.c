/*
 * leaks: real targets. Leaks are found, and no leak is reported where none can
 * be found.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "lib/engine_double.h"

static char BASE[] = "ASAN_OPTIONS=abort_on_error=1:symbolize=0:handle_abort=0:"
		     "leak_check_at_exit=0:exitcode=77";
static char OFF[] = "ASAN_OPTIONS=abort_on_error=1:symbolize=0:handle_abort=0:"
		    "leak_check_at_exit=0:exitcode=77:detect_leaks=0";
static char CACHE[] = "LEAKS_CACHE=1";
static char EARLY[] = "LEAKS_EARLY=1";
static char LATE[] = "LEAKS_FORBID_LATE=1";
static char BOTH[] = "LEAKS_BOTH=1";
static char FORBID[] = "LEAKS_FORBID=1";

/* Starts as the engine does; returns the target's answer about leaks. */
static enum rpc_leaks
start(struct engine_double *d, const char *target, char *options, char *more)
{
	char *env[] = { options, more, NULL };
	const char *path = double_target(target);

	if (!path)
		skip();
	double_spawn(d, path, env);
	d->request = (struct rpc_request){ .kind = RPC_PING, .leaks = true };
	assert_true(double_call(d));
	double_add_modules(d, d->reply.modules, d->reply.modules_n);
	return d->reply.leaks;
}

/* Runs the input in a new child. */
static bool
run_fresh(struct engine_double *d, const char *input)
{
	double_set_value(d, input, strlen(input));
	d->request = (struct rpc_request){ .kind = RPC_FUZZ,
		.warmup = true,
		.fresh = true,
		.parent = MEMORY_NO_ENTRY };
	assert_true(double_call(d));
	return d->reply.failure.kind == FAILURE_LEAK;
}

static void
test_prepare(void **state)
{
	struct engine_double d;

	assert_int_equal(start(&d, "leaks", BASE, NULL), LEAKS_NONE);
	assert_int_equal(double_stop(&d), 0);
	assert_int_equal(start(&d, "leaks.asan", BASE, NULL), LEAKS_FOUND);
	assert_int_equal(double_stop(&d), 0);
	assert_int_equal(start(&d, "leaks.asan", OFF, NULL), LEAKS_NONE);
	assert_false(run_fresh(&d, "lost"));
	assert_int_equal(double_stop(&d), 0);
	assert_int_equal(start(&d, "leaks.asan", BASE, EARLY), LEAKS_EARLY);
	assert_false(run_fresh(&d, "lost"));
	assert_int_equal(double_stop(&d), 0);
	assert_int_equal(start(&d, "leaks.asan", BASE, FORBID), LEAKS_BROKEN);
	assert_false(run_fresh(&d, "lost"));
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_int_equal(double_stop(&d), 0);
}

/* Without a request of the engine, no leaks are reported. */
static void
test_unasked(void **state)
{
	const char *path = double_target("leaks.asan");
	char *env[] = { BASE, NULL };
	struct engine_double d;

	if (!path)
		skip();
	double_start(&d, path, env);
	assert_int_equal(d.reply.leaks, LEAKS_NONE);
	assert_false(run_fresh(&d, "lost"));
	assert_int_equal(double_stop(&d), 0);
}

static void
test_found(void **state)
{
	struct engine_double d;
	uint64_t stack_hash = 0;

	(void)start(&d, "leaks.asan", BASE, BOTH);
	for (int i = 0; i < 5; i++) {
		assert_true(run_fresh(&d, i % 2 ? "lo" : "lost and more"));
		assert_false(d.reply.died);
		assert_int_equal(d.reply.count, 1);
		assert_string_equal(d.reply.failure.what, "leak");
		assert_non_null(strstr(d.reply.failure.text, "in 1 object(s)"));
		assert_true(d.reply.failure.frames_n >= 2);
		if (i == 0)
			stack_hash = failure_stack_hash(&d.reply.failure);
		assert_true(stack_hash == failure_stack_hash(&d.reply.failure));
		/* Memory that is allocated once, kept or freed is no leak. */
		assert_false(run_fresh(&d, "la"));
		assert_false(run_fresh(&d, "cc"));
		assert_false(run_fresh(&d, ""));
		assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
		/* The child that leaked is gone and does not report again. */
		assert_true(double_run(&d, "lo", 2));
		assert_true(double_run(&d, "cc", 2));
		assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	}
	assert_true(run_fresh(&d, "bo"));
	assert_true(stack_hash != failure_stack_hash(&d.reply.failure));
	assert_non_null(strstr(d.reply.failure.text, "1000 byte(s)"));
	assert_int_equal(double_stop(&d), 0);
}

/* While fuzzing, leaks in the second execution count, too. */
static void
test_fuzz(void **state)
{
	char *const more[] = { NULL, CACHE };
	struct engine_double d;
	uint64_t executions;

	for (size_t i = 0; i < 2; i++) {
		(void)start(&d, "leaks.asan", BASE, more[i]);
		executions = 0;
		do {
			d.reply.failure.kind = FAILURE_NONE;
			double_set_value(&d, "lost", 4);
			d.request = (struct rpc_request){ .kind = RPC_FUZZ,
				.limit = 20000,
				.parent = MEMORY_NO_ENTRY,
				.cap = 100,
				.confirm = true,
				.stack_max = 5 };
			assert_true(double_call(&d));
			(void)double_merge(&d);
			assert_true(d.reply.count <= 20000);
			executions += d.reply.count;
		} while (d.reply.failure.kind == FAILURE_NONE &&
			executions < 2000000);
		assert_int_equal(d.reply.failure.kind, FAILURE_LEAK);
		assert_int_equal(d.reply.end, CALL_FAILED);
		assert_int_equal(double_stop(&d), 0);
	}
}

static void
test_minimize(void **state)
{
	static const char VALUE[] = "lost, and a long tail";
	struct engine_double d;

	(void)start(&d, "leaks.asan", BASE, NULL);
	assert_true(run_fresh(&d, VALUE));
	d.request = (struct rpc_request){ .kind = RPC_MINIMIZE,
		.parent = MEMORY_NO_ENTRY,
		.rule = MINIMIZE_SAME_BUCKET,
		.failure_kind = FAILURE_LEAK,
		.stack_hash = failure_stack_hash(&d.reply.failure) };
	double_set_value(&d, VALUE, strlen(VALUE));
	assert_true(double_call(&d));
	assert_true(d.reply.wrote_to_mem);
	assert_int_equal(d.reply.best_len, 2);
	assert_memory_equal(d.worker.map + d.layout.best_offset, "lo", 2);
	assert_false(d.reply.died);
	assert_int_equal(d.reply.failure.kind, FAILURE_LEAK);
	assert_int_equal(double_stop(&d), 0);
}

/*
 * Leak checks work at first, and then the target forbids them. That is no
 * finding.
 */
static void
test_forbidden_late(void **state)
{
	struct engine_double d;

	(void)start(&d, "leaks.asan", BASE, LATE);
	assert_false(run_fresh(&d, "fo"));
	assert_int_equal(d.reply.failure.kind, FAILURE_PROTOCOL);
	assert_true(failure_is_suspect(d.reply.failure.kind));
	assert_non_null(strstr(d.reply.failure.text, "LeakSanitizer"));
	/* No more leak checks from now on. */
	assert_false(run_fresh(&d, "fo"));
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_int_equal(double_stop(&d), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prepare),
		cmocka_unit_test(test_unasked),
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_fuzz),
		cmocka_unit_test(test_minimize),
		cmocka_unit_test(test_forbidden_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
