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
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/engine_double.h"
#include "lib/scratch.h"

#define INPUT_PATH_SIZE 96

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

/* ---- the system refuses what an input needs ----------------------------- */

/* Starts a program whose inputs are in a file. It reads its empty standard input,
 * so it never fails. */
static void
begin_with_file(struct engine_double *d, const struct scratch *scratch,
	char path[INPUT_PATH_SIZE])
{
	char variable[INPUT_PATH_SIZE + sizeof(WORKER_INPUT)];
	char *env[] = { variable, NULL };
	const char *target = double_target("program");

	if (target == NULL)
		skip();
	snprintf(path, INPUT_PATH_SIZE, "%s/input", scratch->path);
	snprintf(variable, sizeof(variable), WORKER_INPUT "=%s", path);
	double_start(d, target, env);
}

/* The child may open no more files, and its input's file is gone. */
static void
refuse_file(const struct engine_double *d, const char *path)
{
	const struct rlimit none = { 0, 0 };

	assert_int_equal(prlimit(d->head->child_pid, RLIMIT_NOFILE, &none,
				 NULL),
		0);
	assert_int_equal(unlink(path), 0);
}

static void
assert_refused(const struct engine_double *d)
{
	static const char WHY[] =
		"the input cannot be written: Too many open files";

	assert_int_equal(d->reply.end, CALL_REFUSED);
	assert_int_equal(d->reply.failure.kind, FAILURE_NONE);
	assert_int_equal(d->reply.count, 0);
	assert_false(d->reply.died);
	assert_memory_equal(d->reply.internal_err, WHY, sizeof(WHY) - 1);
}

/* An input that could not run has neither run nor failed. */
static void
test_refused(void **state)
{
	char path[INPUT_PATH_SIZE];
	struct engine_double d;

	begin_with_file(&d, *state, path);
	assert_fine(&d, "n");
	refuse_file(&d, path);
	assert_true(run(&d, "n"));
	assert_refused(&d);
	assert_fine(&d, "n");
	assert_int_equal(d.reply.count, 1);
	assert_int_equal(double_stop(&d), 0);
}

/* Waits until a call has run some inputs. */
static void
wait_for_some(const struct engine_double *d)
{
	while (__atomic_load_n(&d->head->count, __ATOMIC_RELAXED) < 10)
		usleep(100);
}

/* What had run before counts, and the next call tells of the trouble. */
static void
test_refused_later(void **state)
{
	char path[INPUT_PATH_SIZE];
	struct engine_double d;

	begin_with_file(&d, *state, path);
	double_set_value(&d, "nn", 2);
	d.request = (struct rpc_request){ .kind = RPC_FUZZ,
		.parent = MEMORY_NO_ENTRY,
		.cap = 2,
		.stack_max = 1 };
	double_send(&d);
	wait_for_some(&d);
	refuse_file(&d, path);
	assert_true(double_receive(&d));
	assert_int_equal(d.reply.end, CALL_LIMIT);
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_string_equal(d.reply.internal_err, "");
	assert_true(d.reply.count >= 9);
	assert_int_equal(double_stop(&d), 0);
}

/* Of a row that could not run to its end, nothing counts. */
static void
test_refused_in_a_row(void **state)
{
	char path[INPUT_PATH_SIZE];
	struct engine_double d;
	uint32_t n = 5000;

	begin_with_file(&d, *state, path);
	memset(d.worker.map + d.layout.ring_offset, 0, n * sizeof(uint32_t));
	d.request = (struct rpc_request){ .kind = RPC_FUZZ, .sequence_n = n };
	double_send(&d);
	wait_for_some(&d);
	refuse_file(&d, path);
	assert_true(double_receive(&d));
	assert_refused(&d);
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
		cmocka_unit_test_setup_teardown(test_refused, scratch_open,
			scratch_close),
		cmocka_unit_test_setup_teardown(test_refused_later,
			scratch_open, scratch_close),
		cmocka_unit_test_setup_teardown(test_refused_in_a_row,
			scratch_open, scratch_close),
	};

	return cmocka_run_group_tests_name("target/program_run", tests, NULL,
		NULL);
}
