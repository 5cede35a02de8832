/*
 * program_run: a program with a main() of its own is a target as any, driven as
 * the engine does.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "lib/engine_double.h"

static bool
run(struct engine_double *d, const char *text)
{
	return double_run(d, text, strlen(text));
}

static void
assert_fine(struct engine_double *d, const char *text)
{
	assert_true(run(d, text));
	assert_int_equal(d->reply.end, CALL_DONE);
	assert_int_equal(d->reply.failure.kind, FAILURE_NONE);
}

static void
assert_fails(struct engine_double *d, const char *text, enum failure_kind kind)
{
	assert_true(run(d, text));
	assert_int_equal(d->reply.failure.kind, kind);
}

static void
test_fine(void **state)
{
	static const char *const texts[] = { "", "n", "x", "q", "c", "w",
		"longer", "l", "longer", "l" };
	struct engine_double d;

	double_begin(&d, "program");
	assert_string_equal(d.reply.target_kind, "main()");
	assert_false(d.reply.no_fork);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_fine(&d, texts[i]);
	}
	assert_int_equal(double_stop(&d), 0);
}

/* The counters of the run are the child's. */
static void
test_coverage(void **state)
{
	struct engine_double d;
	size_t first;

	double_begin(&d, "program");
	assert_true(run(&d, "n"));
	first = double_merge(&d);
	assert_true(first > 0);
	assert_true(run(&d, "n"));
	assert_int_equal(double_merge(&d), 0);
	assert_true(run(&d, "x"));
	assert_true(double_merge(&d) > 0);
	assert_int_equal(double_stop(&d), 0);
}

static void
test_failures(void **state)
{
	static const struct {
		const char *text, *what;
	} rows[] = { { "a", "SIGABRT" }, { "s", "SIGSEGV" } };
	struct engine_double d;

	double_begin(&d, "program");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_fails(&d, rows[i].text, FAILURE_SIGNAL);
		assert_string_equal(d.reply.failure.what, rows[i].what);
		assert_true(d.reply.failure.frames_n > 0);
		assert_fine(&d, "n");
	}
	assert_int_equal(double_stop(&d), 0);
}

/* Fuzzing finds the letters: comparisons cross the fork as well. */
static void
test_fuzz(void **state)
{
	struct engine_double d;

	double_begin(&d, "program");
	assert_true(double_fuzz(&d, "nn", 2, 200));
	assert_true(d.reply.failure.kind == FAILURE_SIGNAL ||
		d.reply.end == CALL_LIMIT);
	assert_int_equal(double_stop(&d), 0);
}

/* A status other than 0 is a failure if the engine says so. */
static void
test_fail_on_exit(void **state)
{
	struct engine_double d;

	double_begin(&d, "program");
	d.request =
		(struct rpc_request){ .kind = RPC_PING, .fail_on_exit = true };
	assert_true(double_call(&d));
	assert_fine(&d, "n");
	assert_fails(&d, "x", FAILURE_EXIT);
	assert_fails(&d, "q", FAILURE_EXIT);
	assert_int_equal(double_stop(&d), 0);
}

/* What a run leaves is killed before the next one. */
static void
test_orphans(void **state)
{
	static const char *const texts[] = { "o", "d", "o" };
	struct engine_double d;
	size_t n;

	double_begin(&d, "program");
	assert_true(run(&d, "n"));
	n = double_count_processes(&d);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_fine(&d, texts[i]);
		assert_int_equal(double_count_processes(&d), n);
	}
	assert_int_equal(double_stop(&d), 0);
	assert_int_equal(double_count_processes(&d), 0);
}

/* A run that stops itself is as a target that stops. */
static void
test_stop(void **state)
{
	struct engine_double d;

	double_begin(&d, "program");
	assert_fails(&d, "S", FAILURE_STOPPED);
	assert_fine(&d, "n");
	assert_int_equal(double_stop(&d), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fine),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_fuzz),
		cmocka_unit_test(test_fail_on_exit),
		cmocka_unit_test(test_orphans),
		cmocka_unit_test(test_stop),
	};

	return cmocka_run_group_tests_name("target/program_run", tests, NULL,
		NULL);
}
