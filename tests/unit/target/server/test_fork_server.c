/*
 * test_fork_server: the life of a fork server and its children, driven as the
 * engine does.
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
#include <sys/wait.h>
#include <unistd.h>

#include "lib/engine_double.h"
#include "lib/rows.h"

static void
test_ping(void **state)
{
	struct engine_double d;

	double_begin(&d, "faults");
	assert_int_equal(d.reply.threads, 1);
	assert_false(d.reply.no_fork);
	assert_string_equal(d.reply.sanitizer, "");
	assert_true(d.reply.instrumentation[0] != '\0');
	assert_int_equal(d.reply.modules_n, 2);
	assert_true(d.reply.modules[0].n > 10);
	assert_int_equal(double_stop(&d), 0);
}

/* Processes of the target are killed when the child dies, and at the end. */
static void
test_strays(void **state)
{
	struct engine_double d;

	double_begin(&d, "faults");
	assert_true(double_run(&d, "d", 1));
	assert_int_equal(d.reply.end, CALL_DONE);
	assert_true(double_run(&d, "d", 1));
	assert_int_equal(double_count_processes(&d), 4);
	assert_true(double_run(&d, "s", 1));
	assert_int_equal(double_count_processes(&d), 1);
	assert_true(double_run(&d, "d", 1));
	assert_int_equal(double_count_processes(&d), 3);
	assert_int_equal(double_stop(&d), 0);
	assert_int_equal(double_count_processes(&d), 0);
}

/* The engine dies during a call. */
static void
test_engine_goes(void **state)
{
	struct engine_double d;

	double_begin(&d, "faults");
	double_set_value(&d, "H", 1);
	d.request = (struct rpc_request){ .kind = RPC_FUZZ,
		.warmup = true,
		.parent = MEMORY_NO_ENTRY };
	double_send(&d);
	while (__atomic_load_n(&d.head->count, __ATOMIC_RELAXED) == 0)
		usleep(1000);
	assert_int_equal(double_stop(&d), 0);
	assert_int_equal(double_count_processes(&d), 0);
}

/* The child kills the fork server: the kernel kills the child. */
static void
test_server_killed(void **state)
{
	struct engine_double d;
	int status;

	double_begin(&d, "faults");
	double_set_value(&d, "P", 1);
	d.request = (struct rpc_request){ .kind = RPC_FUZZ,
		.warmup = true,
		.parent = MEMORY_NO_ENTRY };
	double_send(&d);
	assert_false(double_receive(&d));
	status = double_wait(&d);
	assert_true(WIFSIGNALED(status));
	for (int i = 0; i < 60000 && double_count_processes(&d) > 0; i++)
		usleep(1000);
	assert_int_equal(double_count_processes(&d), 0);
}

/* The child is stopped, and the fork server has seen it and waits again. */
static void
wait_for_rest(const struct engine_double *d, pid_t child, uint64_t waits)
{
	while (double_look(child).state != 'T' ||
		double_look(d->pid).waits <= waits ||
		double_look(d->pid).state != 'S')
		usleep(1000);
}

/* A child that the engine holds paused is not a failure. */
static void
test_pause(void **state)
{
	struct engine_double d;
	uint64_t waits;
	pid_t child;

	double_begin(&d, "empty");
	double_set_value(&d, "abc", 3);
	d.request = (struct rpc_request){ .kind = RPC_FUZZ,
		.parent = MEMORY_NO_ENTRY,
		.cap = 100,
		.stack_max = 5 };
	double_send(&d);
	while (__atomic_load_n(&d.head->count, __ATOMIC_RELAXED) < 1000)
		usleep(100);
	child = d.head->child_pid;
	__atomic_store_n(&d.campaign_head->slots[5].paused, 1,
		__ATOMIC_RELEASE);
	waits = double_look(d.pid).waits;
	kill(-child, SIGSTOP);
	wait_for_rest(&d, child, waits);
	kill(-child, SIGCONT);
	__atomic_store_n(&d.campaign_head->slots[5].paused, 0,
		__ATOMIC_RELEASE);
	__atomic_store_n(&d.campaign_head->slots[5].end_seq, d.seq,
		__ATOMIC_RELEASE);
	assert_true(double_receive(&d));
	assert_int_equal(d.reply.end, CALL_TIME);
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_int_equal(d.head->child_pid, child);
	assert_int_equal(double_stop(&d), 0);
}

static void
test_nonsense(void **state)
{
	static const char *const LINES[] = { "{}\n", "[]\n", "hello\n", "\n",
		"{\"Ping\":{},\"Fuzz\":{}}\n", "[[[[[[[[[[[[[[\n" };
	struct engine_double d;
	int status;

	for (size_t i = 0; i < sizeof(LINES) / sizeof(LINES[0]); i++) {
		double_begin(&d, "empty");
		double_write(&d, LINES[i], strlen(LINES[i]));
		status = double_wait(&d);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 70);
	}
}

static void
test_endless_line(void **state)
{
	static char line[RPC_LINE_MAX];
	struct engine_double d;
	int status;

	double_begin(&d, "empty");
	memset(line, '[', sizeof(line));
	double_write(&d, line, sizeof(line));
	status = double_wait(&d);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 70);
}

/*
 * A target that closes all low descriptors does not close the link, which is at
 * 1024 or above.
 */
static void
test_close_low(void **state)
{
	struct engine_double d;

	if (!double_has_high_descriptors())
		skip();
	double_begin(&d, "faults");
	assert_true(double_run(&d, "c", 1));
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_true(double_run(&d, "s", 1));
	assert_int_equal(d.reply.failure.kind, FAILURE_SIGNAL);
	assert_int_equal(double_stop(&d), 0);
}

/* A copy of the child that the target forked does not run inputs. */
static void
test_fork(void **state)
{
	struct engine_double d;

	double_begin(&d, "faults");
	for (int i = 0; i < 10; i++) {
		assert_true(double_run(&d, "F", 1));
		assert_int_equal(d.reply.end, CALL_DONE);
		assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
		assert_int_equal(d.reply.count, 1);
	}
	for (int i = 0; i < 60000 && double_count_processes(&d) > 2; i++)
		usleep(1000);
	assert_int_equal(double_count_processes(&d), 2);
	assert_int_equal(double_stop(&d), 0);
}

/* A child that forgets files has none left at last. */
static void
test_files(void **state)
{
	struct engine_double d;
	pid_t child;

	double_begin(&d, "faults");
	assert_true(double_run(&d, "p", 1));
	child = d.head->child_pid;
	for (int i = 0; i < 40; i++)
		assert_true(double_run(&d, "z", 1));
	assert_int_not_equal(d.head->child_pid, child);
	child = d.head->child_pid;
	for (int i = 0; i < 40; i++)
		assert_true(double_run(&d, "z", 1));
	assert_int_equal(d.head->child_pid, child);
	assert_int_equal(double_stop(&d), 0);
}

/* Sixteen megabytes on stderr do not overflow the memfd of 256 KiB. */
static void
test_chatter(void **state)
{
	struct engine_double d;

	double_begin(&d, "faults");
	for (int i = 0; i < 2; i++) {
		assert_true(double_run(&d, "O", 1));
		assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
		assert_true(lseek(d.output.fd, 0, SEEK_CUR) <=
			(off_t)d.output.size);
	}
	/* The last words of the target explain an abort. */
	assert_true(double_run(&d, "A", 1));
	assert_non_null(strstr(d.reply.failure.text, "Assertion"));
	assert_int_equal(double_stop(&d), 0);
}

/* A sanitizer report is a failure even if the target goes on. */
static void
test_soft_report(void **state)
{
	char *env[] = { (char *)(uintptr_t) "UBSAN_OPTIONS=halt_on_error=0",
		NULL };
	struct engine_double d;
	const char *path = double_target("faults.ubsan");

	if (!path)
		skip();
	double_start(&d, path, env);
	assert_true(double_run(&d, "u", 1));
	assert_int_equal(d.reply.end, CALL_FAILED);
	assert_int_equal(d.reply.failure.kind, FAILURE_SANITIZER);
	assert_string_equal(d.reply.failure.what, "signed-integer-overflow");
	assert_false(d.reply.died);
	assert_true(double_run(&d, "z", 1));
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_int_equal(double_stop(&d), 0);
}

static void
end_idle_child(struct engine_double *d, int signo)
{
	kill(d->head->child_pid, signo);
	while (__atomic_load_n(&d->head->child_pid, __ATOMIC_ACQUIRE) != 0)
		usleep(1000);
}

/* clang-format off */
static const struct idle_row {
	const char *name, *target, *before; /* before: what the child runs first */
	int signo;                          /* ends the idle child */
	struct rpc_request request;
	const char *value;                  /* of this request */
	bool reported;                      /* it is answered with that death */
} IDLE_ROWS[] = {
	{ "the next call", "faults", "z", SIGSEGV, { .kind = RPC_FUZZ, .warmup = true }, "z", true },
	{ "a call for a new child", "faults", "z", SIGSEGV, { .kind = RPC_FUZZ, .warmup = true, .fresh = true }, "z", false },
	{ "a minimization", "faults", "z", SIGSEGV, { .kind = RPC_MINIMIZE, .rule = MINIMIZE_ANY_FAILURE, .limit = 1 }, "a", false },
	{ "a minimization for coverage", "faults", "z", SIGSEGV, { .kind = RPC_MINIMIZE, .want_coverage = true, .limit = 1 }, "z", false },
	{ "an end without a failure", "loop", "u", SIGUSR1, { .kind = RPC_FUZZ, .warmup = true }, "u", false },
};
/* clang-format on */

/* The death of an idle child is reported by the next call that is about it. */
static void
test_idle_death(void **state)
{
	struct engine_double d;

	for (size_t i = 0; i < sizeof(IDLE_ROWS) / sizeof(IDLE_ROWS[0]); i++) {
		const struct idle_row *row = &IDLE_ROWS[i];

		double_begin(&d, row->target);
		assert_true(double_run(&d, row->before, 1));
		assert_false(d.reply.died);
		end_idle_child(&d, row->signo);
		double_set_value(&d, row->value, 1);
		d.request = row->request;
		d.request.parent = MEMORY_NO_ENTRY;
		assert_true(double_call(&d));
		row_check((d.reply.count == 0) == row->reported, "%s: %d",
			row->name, (int)d.reply.count);
		if (row->reported)
			row_check(d.reply.died &&
					d.reply.failure.kind == FAILURE_SIGNAL,
				"%s: %s", row->name, d.reply.failure.what);
		/* It is reported once at most. */
		assert_true(double_run(&d, row->before, 1));
		row_check(!d.reply.died && d.reply.count == 1, "%s: %d",
			row->name, (int)d.reply.count);
		assert_int_equal(double_stop(&d), 0);
	}
}

/* Extreme lengths, each in front of an unreadable byte. */
static void
test_lengths(void **state)
{
	static const size_t LENS[] = { 0, 1, 15, 16, 17, 4095, 4096 };
	static const char *const TARGETS[] = { "faults", "faults.asan" };
	static uint8_t value[DOUBLE_MAX_LEN];
	struct engine_double d;

	for (size_t t = 0; t < 2; t++) {
		double_begin(&d, TARGETS[t]);
		for (size_t i = 0; i < 7; i++) {
			memset(value, 'z', sizeof(value));
			assert_true(double_run(&d, value, LENS[i]));
			assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
			value[0] = 'o';
			assert_true(double_run(&d, value, LENS[i]));
			assert_int_equal(d.reply.died, LENS[i] > 0);
		}
		assert_int_equal(double_stop(&d), 0);
	}
}

/* A descriptor limit without room above 1024. */
static void
test_few_descriptors(void **state)
{
	struct rlimit few = { 256, 256 }, old;
	struct engine_double d;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few.rlim_max = old.rlim_max;
	if (few.rlim_cur > few.rlim_max)
		few.rlim_cur = few.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	double_begin(&d, "faults");
	assert_true(double_run(&d, "z", 1));
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_true(double_run(&d, "c", 1));
	assert_int_equal(double_stop(&d), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
}

static void
test_refused(void **state)
{
	struct engine_double d;

	double_begin(&d, "empty");
	assert_true(double_run(&d, "x", 1));
	d.request.parent = 17;
	assert_true(double_call(&d));
	assert_int_equal(d.reply.end, CALL_REFUSED);
	/* Only the target can have caused it. */
	assert_string_equal(d.reply.internal_err, "");
	assert_int_equal(d.reply.failure.kind, FAILURE_PROTOCOL);
	d.request.parent = MEMORY_NO_ENTRY;
	d.head->value_len = UINT64_MAX;
	assert_true(double_call(&d));
	assert_int_equal(d.reply.end, CALL_REFUSED);
	assert_int_equal(double_stop(&d), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ping),
		cmocka_unit_test(test_strays),
		cmocka_unit_test(test_engine_goes),
		cmocka_unit_test(test_server_killed),
		cmocka_unit_test(test_pause),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_endless_line),
		cmocka_unit_test(test_close_low),
		cmocka_unit_test(test_fork),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_chatter),
		cmocka_unit_test(test_soft_report),
		cmocka_unit_test(test_idle_death),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_few_descriptors),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
