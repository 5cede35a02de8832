/*
 * The stack of a process that crashes or is killed, for targets that damage
 * their own stack, handlers and signals.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/engine_double.h"
#include "lib/rows.h"

static char *ENV[] = { (char *)(uintptr_t) "ASAN_OPTIONS=abort_on_error=1:"
					   "symbolize=0:handle_abort=0:"
					   "detect_leaks=0",
	(char *)(uintptr_t) "HANGS_ALL=1", NULL };

static void
start(struct engine_double *d, const char *target)
{
	const char *path = double_target(target);

	if (!path)
		skip();
	double_start(d, path, ENV);
}

/* clang-format off */
static const struct broken_case {
	const char *name;
	const char *input;
	enum failure_kind kind;
	const char *what;
	uint32_t frames_min;
	bool hurried; /* the engine's time-out expires */
} BROKEN_CASES[] = {
	{ "nothing is broken",           "a ", FAILURE_SIGNAL, "SIGABRT", 2, false },
	{ "the walk faults at once",     "fe", FAILURE_SIGNAL, "SIGABRT", 1, false },
	{ "... above a code address",    "ce", FAILURE_SIGNAL, "SIGTRAP", 1, false },
	{ "the walk faults",             "f ", FAILURE_SIGNAL, "SIGABRT", 2, false },
	{ "its stack is used up",        "de", FAILURE_SIGNAL, "SIGABRT", 1, false },
	{ "its stack is used up late",   "d ", FAILURE_SIGNAL, "SIGABRT", 2, false },
	{ "the walk never ends",         "le", FAILURE_SIGNAL, "SIGABRT", 1, true },
	{ "the walk never ends late",    "l ", FAILURE_SIGNAL, "SIGABRT", 2, true },
	{ "a trap: it never ends",       "te", FAILURE_SIGNAL, "SIGTRAP", 1, true },
	{ "a trap: it never ends late",  "t ", FAILURE_SIGNAL, "SIGTRAP", 2, true },
	{ "a handler that crashes",      "h ", FAILURE_SIGNAL, "SIGSEGV", 0, false },
	{ "a handler that exits",        "x ", FAILURE_EXIT,   "exit 11", 0, false },
};
/* clang-format on */

static void
wait_for_child(const struct engine_double *d)
{
	while (__atomic_load_n(&d->head->count, __ATOMIC_RELAXED) == 0)
		usleep(1000);
}

static void
send_run(struct engine_double *d, const char *input)
{
	double_set_value(d, input, strlen(input));
	/* Clears old results, so that only new ones are waited for. */
	d->head->count = 0;
	d->head->failure.sp = 0;
	d->head->failure.frames_n = 0;
	d->request = (struct rpc_request){ .kind = RPC_FUZZ,
		.warmup = true,
		.parent = MEMORY_NO_ENTRY };
	double_send(d);
}

static void
test_broken(void **state)
{
	const struct broken_case *c = *state;
	const struct timespec moment = { 0, 1000000 };
	struct engine_double d;
	uint64_t stack_hash;

	start(&d, "broken");
	for (int i = 0; i < 2; i++) {
		send_run(&d, c->input);
		while (c->hurried && d.head->failure.sp == 0)
			nanosleep(&moment, NULL);
		/* The signal interrupts the handler at an arbitrary place. */
		while (c->hurried && d.head->failure.frames_n < c->frames_min)
			if (nanosleep(&moment, NULL) == 0 && c->input[1] == 'e')
				break;
		if (c->hurried)
			kill(d.head->child_pid, SAMPLE_SIGNAL);
		assert_true(double_receive(&d));
		assert_true(d.reply.died);
		assert_int_equal(d.reply.failure.kind, c->kind);
		assert_string_equal(d.reply.failure.what, c->what);
		assert_true(d.reply.failure.frames_n >= c->frames_min);
		if (!c->hurried)
			assert_int_equal(d.reply.failure.frames_n,
				c->frames_min);
		if (i == 0)
			stack_hash = failure_stack_hash(&d.reply.failure);
		else if (!c->hurried)
			assert_true(stack_hash ==
				failure_stack_hash(&d.reply.failure));
	}
	assert_int_equal(double_stop(&d), 0);
}

/* clang-format off */
static const struct hang_case {
	const char *name;
	const char *target;
	const char *input;
	enum sample_request wish;
	bool answers;
} HANG_CASES[] = {
	{ "a loop",               "hangs",      "l", SAMPLE_WATCH, true },
	{ "a recursion",          "hangs",      "d", SAMPLE_WATCH, true },
	{ "read()",               "hangs",      "r", SAMPLE_WATCH, true },
	{ "nanosleep()",          "hangs",      "s", SAMPLE_WATCH, true },
	{ "a lock",               "hangs",      "m", SAMPLE_WATCH, true },
	{ "once is enough",       "hangs",      "l", SAMPLE_ONCE,  true },
	{ "signals are blocked",  "hangs",      "b", SAMPLE_WATCH, false },
	{ "a handler of its own", "hangs",      "o", SAMPLE_WATCH, false },
	{ "asan: a loop",         "hangs.asan", "l", SAMPLE_WATCH, true },
	{ "asan: a recursion",    "hangs.asan", "d", SAMPLE_WATCH, true },
	{ "asan: a lock",         "hangs.asan", "m", SAMPLE_WATCH, true },
};
/* clang-format on */

#define SAMPLE_BIT (UINT64_C(1) << (SAMPLE_SIGNAL - 1))

#if defined(__x86_64__)
#define WATCHES true
#else
#define WATCHES false /* it takes one stack: crash_sample.h */
#endif

static uint32_t
sampled(const struct engine_double *d)
{
	return __atomic_load_n(&d->head->failure.sampled, __ATOMIC_ACQUIRE);
}

/*
 * Waits until the child hangs: it sleeps and has not run between two looks, or
 * it has run for so long from now on.
 */
static void
let_hang(pid_t child, const struct hang_case *c, uint64_t ns)
{
	const bool waits = strchr("rsm", c->input[0]) != NULL;
	struct double_process begin = double_look(child), before, now = begin;

	do {
		usleep(1000);
		before = now;
		now = double_look(child);
	} while (waits ? now.state != 'S' || now.run_ns != before.run_ns
		       : now.run_ns - begin.run_ns < ns);
}

/* Lets the child hang, and asks for a sample. */
static pid_t
ask_for_sample(struct engine_double *d, const struct hang_case *c,
	uint64_t run_ns)
{
	pid_t child;

	send_run(d, c->input);
	wait_for_child(d);
	child = d->head->child_pid;
	let_hang(child, c, run_ns);
	__atomic_store_n(&d->head->failure.sample, c->wish, __ATOMIC_RELEASE);
	kill(child, SAMPLE_SIGNAL);
	while (c->answers && sampled(d) == SAMPLE_NONE)
		usleep(1000);
	return child;
}

/*
 * Samples a hang as the engine does and kills the child; returns the stack
 * hash.
 */
static uint64_t
sample_hang(struct engine_double *d, const struct hang_case *c, uint64_t run_ns)
{
	struct failure *f = &d->reply.failure;
	pid_t child = ask_for_sample(d, c, run_ns);
	if (c->wish == SAMPLE_ONCE)
		assert_int_equal(sampled(d), SAMPLE_FINAL);
	if (c->answers && c->wish == SAMPLE_WATCH)
		let_hang(child, c, 20000000);
	else if (!c->answers && !(double_look(child).blocked & SAMPLE_BIT))
		double_wait_signal(child, SAMPLE_SIGNAL);
	kill(-child, SIGKILL);
	assert_true(double_receive(d));
	assert_int_equal(f->kind, FAILURE_KILLED);
	assert_string_equal(f->what, "SIGKILL");
	assert_int_equal(f->frames_n > 0, c->answers);
	if (c->answers)
		assert_string_equal(f->frames[0].module, c->target);
	/* The engine sets this kind. */
	f->kind = FAILURE_HANG;
	return failure_stack_hash(f);
}

/* The stack hash is the same wherever the signal arrives. */
static void
test_hang(void **state)
{
	const struct hang_case *c = *state;
	struct engine_double d;
	uint64_t first;

	start(&d, c->target);
	first = sample_hang(&d, c, 20000000);
	for (uint64_t i = 1; WATCHES && c->wish == SAMPLE_WATCH && i < 6; i++)
		assert_true(
			sample_hang(&d, c, 20000000 + i * 1234567) == first);
	assert_true(double_run(&d, "z", 1));
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_int_equal(double_stop(&d), 0);
}

/* The frames of a child are watched, but the engine was wrong: it may go on. */
static pid_t
sample_in_vain(struct engine_double *d, const char *input)
{
	const struct hang_case c = { .input = input,
		.wish = SAMPLE_WATCH,
		.answers = true };
	pid_t child = ask_for_sample(d, &c, 20000000);
	struct failure_block *block = &d->head->failure;

	__atomic_store_n(&block->sample, SAMPLE_NOT, __ATOMIC_RELEASE);
	__atomic_store_n(&block->sampled, SAMPLE_NONE, __ATOMIC_RELEASE);
	/* Its handler blocks the signal. */
	double_wait_signal(child, SAMPLE_SIGNAL);
	return child;
}

/* It then crashes by a trap, and the walk never ends. */
static void
test_trap_after_sample(void **state)
{
	struct engine_double d;
	uint32_t *frames_n;
	pid_t child;

	start(&d, "broken");
	child = sample_in_vain(&d, "u ");
	frames_n = &d.head->failure.frames_n;
	__atomic_store_n(frames_n, 0, __ATOMIC_RELEASE);
	kill(child, SIGUSR1);
	while (__atomic_load_n(frames_n, __ATOMIC_ACQUIRE) == 0)
		usleep(1000);
	assert_false(double_look(child).blocked & SAMPLE_BIT);
	kill(child, SAMPLE_SIGNAL);
	assert_true(double_receive(&d));
	assert_string_equal(d.reply.failure.what, "SIGTRAP");
	assert_int_equal(double_stop(&d), 0);
}

/* The engine is in a hurry before the walk begins: the sample's frames are not
 * taken for the crash's. */
static void
test_trap_in_a_hurry(void **state)
{
	struct engine_double d;
	pid_t child;

#if !defined(__x86_64__)
	skip(); /* no frames are watched */
#endif
	start(&d, "broken");
	child = sample_in_vain(&d, "p ");
	kill(child, SIGUSR1);
	while (!(double_look(child).blocked & SAMPLE_BIT))
		usleep(1000);
	kill(child, SAMPLE_SIGNAL);
	assert_true(double_receive(&d));
	assert_string_equal(d.reply.failure.what, "SIGTRAP");
	assert_int_equal(d.reply.failure.frames_n, 1);
	assert_int_equal(double_stop(&d), 0);
}

/* Different hangs have different stack hashes. */
static void
test_hangs_differ(void **state)
{
	uint64_t hashes[6];
	struct engine_double d;

	start(&d, "hangs");
	for (size_t i = 0; i < 6; i++) {
		hashes[i] =
			sample_hang(&d, &HANG_CASES[i < 5 ? i : 6], 20000000);
		for (size_t j = 0; j < i; j++)
			assert_true(hashes[i] != hashes[j]);
	}
	assert_int_equal(double_stop(&d), 0);
}

/* While one thread has watched frames, another is asked for its own: it gives
 * them, and the first one still returns where it came from. */
static void
test_two_threads(void **state)
{
	struct engine_double d;
	const struct failure_block *block;
	uint64_t first;
	uint32_t *wish;
	pid_t child;

	if (!WATCHES)
		skip();
	start(&d, "hangs");
	child = sample_in_vain(&d, "2");
	block = &d.head->failure;
	first = block->starts[0];
	kill(child, SIGUSR1);
	while (!(double_look(child).blocked & SAMPLE_BIT))
		usleep(1000);
	wish = &d.head->failure.sample;
	__atomic_store_n(wish, SAMPLE_WATCH, __ATOMIC_RELEASE);
	kill(child, SAMPLE_SIGNAL);
	while (sampled(&d) != SAMPLE_FINAL) {
		assert_int_not_equal(sampled(&d), SAMPLE_TAKEN);
		usleep(1000);
	}
	assert_int_not_equal(block->frames_n, 0);
	assert_int_not_equal(block->starts[0], first);
	kill(child, SIGUSR1);
	__atomic_store_n(wish, SAMPLE_NOT, __ATOMIC_RELEASE);
	assert_true(double_receive(&d));
	assert_string_equal(d.reply.failure.what, "");
	assert_int_equal(double_stop(&d), 0);
}

/* The signal without a request changes nothing: the target may use it, too. */
static void
test_unasked(void **state)
{
	struct engine_double d;
	pid_t child;

	start(&d, "hangs");
	send_run(&d, "l");
	wait_for_child(&d);
	child = d.head->child_pid;
	for (int i = 0; i < 20; i++)
		kill(child, SAMPLE_SIGNAL);
	double_wait_signal(child, SAMPLE_SIGNAL);
	assert_int_equal(sampled(&d), SAMPLE_NONE);
	kill(-child, SIGKILL);
	assert_true(double_receive(&d));
	assert_int_equal(d.reply.failure.frames_n, 0);
	assert_int_equal(double_stop(&d), 0);
}

/* Asks for samples, and takes each back before the next, until it is killed. */
static void
sample_again(const struct engine_double *d)
{
	struct failure_block *block = &d->head->failure;

	for (useconds_t i = 0;; i++) {
		__atomic_store_n(&block->sampled, SAMPLE_NONE,
			__ATOMIC_RELEASE);
		__atomic_store_n(&block->sample, SAMPLE_WATCH,
			__ATOMIC_RELEASE);
		kill(d->head->child_pid, SAMPLE_SIGNAL);
		for (int k = 0; k < 50 && sampled(d) == SAMPLE_NONE; k++)
			usleep(20);
		__atomic_store_n(&block->sample, SAMPLE_NOT, __ATOMIC_RELEASE);
		usleep(i % 97);
	}
}

/* On a busy machine the signal arrives between two executions, where frames do
 * not return, and another sample comes while they are watched. */
static void
test_many_samples(void **state)
{
	struct engine_double d;
	pid_t sampler;

	start(&d, "empty");
	assert_true(double_run(&d, "x", 1));
	for (int i = 0; i < 5; i++) {
		sampler = fork();
		assert_true(sampler >= 0);
		if (sampler == 0)
			sample_again(&d);
		assert_true(double_fuzz(&d, "x", 1, 300000));
		kill(sampler, SIGKILL);
		(void)waitpid(sampler, NULL, 0);
		assert_false(d.reply.died);
		assert_string_equal(d.reply.failure.what, "");
	}
	assert_int_equal(double_stop(&d), 0);
}

/* The exception finds its way over watched frames, and the others return. */
static void
test_exception_after_sample(void **state)
{
	struct engine_double d;
	pid_t child;

	start(&d, "throws");
	child = sample_in_vain(&d, "w");
	kill(child, SIGUSR1);
	assert_true(double_receive(&d));
	assert_string_equal(d.reply.failure.what, "");
	assert_int_equal(double_stop(&d), 0);
}

/* A crash has the same stack whether or not frames are watched. */
static void
test_crash_after_sample(void **state)
{
	struct engine_double d;
	uint64_t stack_hash;
	uint32_t n;

	start(&d, "throws");
	assert_true(double_run(&d, "n", 1));
	assert_string_equal(d.reply.failure.what, "SIGSEGV");
	n = d.reply.failure.frames_n;
	assert_in_range(n, 17, FAILURE_FRAMES_MAX);
	stack_hash = failure_stack_hash(&d.reply.failure);
	kill(sample_in_vain(&d, "k"), SIGUSR1);
	assert_true(double_receive(&d));
	assert_string_equal(d.reply.failure.what, "SIGSEGV");
	assert_true(failure_stack_hash(&d.reply.failure) == stack_hash);
	assert_int_equal(d.reply.failure.frames_n, n);
	assert_int_equal(double_stop(&d), 0);
}

/* The target returns in the end, while the engine still wants the stack: it
 * begins with the target's function, not with the code that calls it. */
static void
test_slow(void **state)
{
	const struct hang_case c = { .input = "w",
		.wish = SAMPLE_WATCH,
		.answers = true };
	struct failure_block *block;
	struct engine_double d;
	uint64_t called;
	pid_t child;

#if !defined(__x86_64__)
	skip(); /* no frames are watched */
#endif
	start(&d, "throws");
	block = &d.head->failure;
	child = ask_for_sample(&d, &c, 20000000);
	assert_in_range(block->frames_n, 3, FAILURE_FRAMES_MAX);
	called = block->starts[block->frames_n - 2];
	kill(child, SIGUSR1);
	while (sampled(&d) != SAMPLE_FINAL)
		usleep(1000);
	assert_int_equal(block->frames_n, 2);
	assert_true(block->starts[0] == called);
	__atomic_store_n(&block->sample, SAMPLE_NOT, __ATOMIC_RELEASE);
	assert_true(double_receive(&d));
	assert_int_equal(double_stop(&d), 0);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_hangs_differ),
		cmocka_unit_test(test_trap_after_sample),
		cmocka_unit_test(test_trap_in_a_hurry),
		cmocka_unit_test(test_crash_after_sample),
		cmocka_unit_test(test_exception_after_sample),
		cmocka_unit_test(test_slow),
		cmocka_unit_test(test_two_threads),
		cmocka_unit_test(test_unasked),
		cmocka_unit_test(test_many_samples),
	};

	int failed;

	failed = rows_run("broken", ROWS_OF(BROKEN_CASES, name, test_broken));
	failed += rows_run("hangs", ROWS_OF(HANG_CASES, name, test_hang));
	return failed +
		cmocka_run_group_tests_name("others", others, NULL, NULL);
}
