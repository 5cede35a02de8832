/*
 * fork_server: real targets, started and driven as the engine does.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/engine_double.h"

/* The engine's options for sanitizers. */
static char *SANITIZER_ENV[] = {
	(char *)(uintptr_t) "ASAN_OPTIONS=abort_on_error=1:symbolize=0:"
			    "handle_abort=0:detect_leaks=0",
	(char *)(uintptr_t) "UBSAN_OPTIONS=abort_on_error=1:halt_on_error=1:"
			    "symbolize=0:print_stacktrace=1",
	(char *)(uintptr_t) "MSAN_OPTIONS=abort_on_error=1:symbolize=0",
	(char *)(uintptr_t) "TSAN_OPTIONS=abort_on_error=1:halt_on_error=1:"
			    "symbolize=0",
	NULL,
};

/* clang-format off */
static const struct fault_case {
	const char *name;
	const char *target;
	const char *input;
	enum failure_kind kind;
	const char *what; /* NULL: any */
	bool died;
	bool hurried; /* the engine kills it */
} FAULT_CASES[] = {
	{ "null pointer",    "faults", "s", FAILURE_SIGNAL, "SIGSEGV", true, false },
	{ "abort",           "faults", "a", FAILURE_SIGNAL, "SIGABRT", true, false },
	{ "assert",          "faults", "A", FAILURE_SIGNAL, "SIGABRT", true, false },
	{ "division",        "faults", "f", FAILURE_SIGNAL, "SIGFPE", true, false },
	{ "trap",            "faults", "t", FAILURE_SIGNAL, "SIGTRAP", true, false },
	{ "illegal",         "faults", "i", FAILURE_SIGNAL, "SIGILL", true, false },
	{ "recursion",       "faults", "R", FAILURE_SIGNAL, "SIGSEGV", true, false },
	{ "jump to nowhere", "faults", "J", FAILURE_SIGNAL, "SIGSEGV", true, false },
	{ "overread",        "faults", "o", FAILURE_SIGNAL, "SIGSEGV", true, false },
	{ "exit 0",          "faults", "x", FAILURE_EXIT, "exit 0", true, false },
	{ "exit 70",         "faults", "y", FAILURE_EXIT, "exit 70", true, false },
	{ "_exit 3",         "faults", "X", FAILURE_EXIT, "exit 3", true, false },
	{ "quick_exit 4",    "faults", "q", FAILURE_EXIT, "exit 4", true, false },
	{ "exit 5 beside",   "faults", "Q", FAILURE_EXIT, "exit 6", true, false },
	{ "SIGKILL",         "faults", "k", FAILURE_KILLED, "SIGKILL", true, false },
	{ "SIGTERM",         "faults", "T", FAILURE_KILLED, "SIGTERM", true, false },
	{ "SIGSTOP",         "faults", "S", FAILURE_STOPPED, "SIGSTOP", true, false },
	{ "modified input",  "faults", "m", FAILURE_INPUT_MODIFIED, NULL, false, false },
	{ "cfuzz_fail",      "faults", "e", FAILURE_ERROR, "error", false, false },
	{ "no message",      "faults", "E", FAILURE_ERROR, "error", false, false },
	{ "blank message",   "faults", "E ", FAILURE_ERROR, "error", false, false },
	{ "close all",       "faults", "C", FAILURE_LINK, NULL, true, false },
	{ "junk",            "faults", "j", FAILURE_PROTOCOL, NULL, true, false },
	{ "daemon",          "faults", "D", FAILURE_EXIT, "exit 0", true, false },
	{ "hang",            "faults", "h", FAILURE_KILLED, "SIGKILL", true, true },
	{ "deaf hang",       "faults", "H", FAILURE_KILLED, "SIGKILL", true, true },
	{ "wild write",      "faults", "w", FAILURE_PROTOCOL, NULL, false, false },
	{ "asan heap",       "faults.asan", "b", FAILURE_SANITIZER, "heap-buffer-overflow", true, false },
	{ "asan segv",       "faults.asan", "s", FAILURE_SANITIZER, "SEGV", true, false },
	{ "asan overread",   "faults.asan", "oxx", FAILURE_SANITIZER, "input-buffer-overflow", true, false },
	{ "asan exit",       "faults.asan", "y", FAILURE_EXIT, "exit 70", true, false },
	{ "asan abort",      "faults.asan", "a", FAILURE_SIGNAL, "SIGABRT", true, false },
	{ "ubsan overflow",  "faults.ubsan", "u", FAILURE_SANITIZER, "signed-integer-overflow", true, false },
	{ "msan",            "faults.msan", "n", FAILURE_SANITIZER, "use-of-uninitialized-value", true, false },
	{ "tsan",            "faults.tsan", "r", FAILURE_SANITIZER, "data-race", true, false },
	{ "tsan segv",       "faults.tsan", "s", FAILURE_SANITIZER, "SEGV", true, false },
};
/* clang-format on */

/*
 * exit() in the child leaves a stack; _exit() and an exit() in another process
 * do not.
 */
static bool
has_place(const struct fault_case *c)
{
	switch (c->kind) {
	case FAILURE_SIGNAL:
	case FAILURE_SANITIZER:
	case FAILURE_ERROR:
		return true;
	case FAILURE_EXIT:
		return strchr("xyq", c->input[0]) != NULL;
	default:
		return false;
	}
}

/* One target serves all its cases, as in a campaign. */
static struct engine_double double_shared;
static const char *double_shared_target;

static void
use_target(const char *name)
{
	const char *path = double_target(name);

	if (!path)
		skip();
	if (double_shared_target && strcmp(double_shared_target, name) == 0)
		return;
	if (double_shared_target)
		assert_int_equal(double_stop(&double_shared), 0);
	double_shared_target = name;
	double_start(&double_shared, path, SANITIZER_ENV);
}

static void
test_fault(void **state)
{
	const struct fault_case *c = *state;
	struct engine_double *d = &double_shared;
	const struct rpc_reply *r = &d->reply;

	use_target(c->target);
	double_set_value(d, c->input, strlen(c->input));
	d->request = (struct rpc_request){ .kind = RPC_FUZZ,
		.warmup = true,
		.parent = MEMORY_NO_ENTRY };
	double_send(d);
	if (c->hurried) {
		pid_t child = 0;

		while (__atomic_load_n(&d->head->count, __ATOMIC_RELAXED) == 0)
			usleep(1000);
		child = d->head->child_pid;
		assert_true(child > 1);
		kill(-child, SIGKILL);
	}
	assert_true(double_receive(d));
	if (r->failure.kind != c->kind)
		print_error("%s: %s\n", failure_kind_name(r->failure.kind),
			r->failure.text);
	assert_int_equal(r->failure.kind, c->kind);
	if (c->what)
		assert_string_equal(r->failure.what, c->what);
	assert_true(r->failure.text[0] != '\0');
	if (c->input[0] == 'E')
		assert_string_equal(r->failure.text,
			"cfuzz_fail() was called without a message");
	assert_int_equal(r->died, c->died);
	if (c->kind == FAILURE_EXIT)
		assert_int_equal(strstr(r->failure.text, "no place") == NULL,
			has_place(c));
	assert_int_equal(r->failure.frames_n > 0, has_place(c));
	if (has_place(c)) {
		if (strcmp(c->input, "J") != 0)
			assert_string_equal(r->failure.frames[0].module,
				c->target);
	}
	if (c->kind != FAILURE_PROTOCOL)
		assert_int_equal(r->count, 1);
	/* The same failure has the same stack hash, and the next input runs. */
	if (c->kind == FAILURE_SIGNAL) {
		uint64_t stack_hash = failure_stack_hash(&r->failure);

		assert_true(double_run(d, c->input, strlen(c->input)));
		assert_true(failure_stack_hash(&r->failure) == stack_hash);
	}
	assert_true(double_run(d, "zzz", 3));
	assert_int_equal(r->failure.kind, FAILURE_NONE);
	assert_int_equal(r->end, CALL_DONE);
	assert_int_equal(r->count, 1);
}

static int
end_shared(void **state)
{
	(void)state;
	if (double_shared_target) {
		assert_int_equal(double_stop(&double_shared), 0);
		double_shared_target = NULL;
	}
	return 0;
}

static void
start(struct engine_double *d, const char *target)
{
	const char *path = double_target(target);

	if (!path)
		skip();
	double_start(d, path, SANITIZER_ENV);
}

static void
test_ping(void **state)
{
	struct engine_double d;

	(void)state;
	start(&d, "faults");
	assert_int_equal(d.reply.threads, 1);
	assert_false(d.reply.no_fork);
	assert_string_equal(d.reply.sanitizer, "");
	assert_true(d.reply.instrumentation[0] != '\0');
	assert_int_equal(d.reply.modules_n, 2);
	assert_true(d.reply.modules[0].n > 10);
	assert_int_equal(double_stop(&d), 0);
}

static void
test_sanitizer_names(void **state)
{
	static const char *const NAMES[][2] = {
		{ "faults.asan", "address" },
		{ "faults.ubsan", "undefined" },
		{ "faults.msan", "memory" },
		{ "faults.tsan", "thread" },
	};
	struct engine_double d;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const char *path = double_target(NAMES[i][0]);

		if (!path)
			continue;
		double_start(&d, path, SANITIZER_ENV);
		assert_string_equal(d.reply.sanitizer, NAMES[i][1]);
		assert_int_equal(d.reply.threads, 1);
		assert_int_equal(double_stop(&d), 0);
	}
}

static void
test_limit(void **state)
{
	static const uint64_t LIMITS[] = { 1, 2, 5, 6, 1000, 123457 };
	struct engine_double d;

	(void)state;
	start(&d, "empty");
	for (size_t i = 0; i < sizeof(LIMITS) / sizeof(LIMITS[0]); i++) {
		assert_true(double_fuzz(&d, "abc", 3, LIMITS[i]));
		assert_int_equal(d.reply.end, CALL_LIMIT);
		assert_int_equal(d.reply.count, LIMITS[i]);
		assert_int_equal(d.head->count, LIMITS[i]);
	}
	assert_int_equal(double_stop(&d), 0);
}

static void
test_end_word(void **state)
{
	struct engine_double d;

	(void)state;
	start(&d, "empty");
	double_set_value(&d, "abc", 3);
	d.request = (struct rpc_request){ .kind = RPC_FUZZ,
		.parent = MEMORY_NO_ENTRY,
		.cap = 100,
		.stack_max = 5 };
	double_send(&d);
	while (__atomic_load_n(&d.head->count, __ATOMIC_RELAXED) < 1000)
		usleep(100);
	__atomic_store_n(&d.campaign_head->slots[5].end_seq, d.seq,
		__ATOMIC_RELEASE);
	assert_true(double_receive(&d));
	assert_int_equal(d.reply.end, CALL_TIME);
	assert_true(d.reply.count >= 1000);
	/* A call that has ended before it begins executes nothing. */
	d.campaign_head->slots[5].end_seq = d.seq + 1;
	assert_true(double_fuzz(&d, "abc", 3, 10));
	assert_int_equal(d.reply.end, CALL_TIME);
	assert_int_equal(d.reply.count, 0);
	assert_int_equal(double_stop(&d), 0);
}

/* Waits until the child stops in this execution. */
static void
wait_for_stop(const struct engine_double *d, uint64_t execution)
{
	char path[64], text[512], state = 0;
	FILE *file;

	while (state != 'T' && d->head->outcome.end == CALL_RUNNING) {
		usleep(100);
		snprintf(path, sizeof(path), "/proc/%d/stat",
			(int)d->head->child_pid);
		file = fopen(path, "r");
		if (file == NULL)
			continue;
		if (__atomic_load_n(&d->head->count, __ATOMIC_RELAXED) ==
				execution &&
			fgets(text, sizeof(text), file) != NULL)
			state = strrchr(text, ')')[2];
		fclose(file);
	}
}

/* A new input that takes all the time of its call is confirmed nevertheless. */
static void
test_end_word_confirms(void **state)
{
	struct engine_double d;
	struct ring_input find;
	size_t offset = 0;
	bool damaged;

	(void)state;
	start(&d, "stops");
	__atomic_store_n(&d.campaign_head->slots[5].paused, 1,
		__ATOMIC_RELEASE);
	double_set_value(&d, "abc", 3);
	d.request = (struct rpc_request){ .kind = RPC_FUZZ,
		.parent = MEMORY_NO_ENTRY,
		.cap = 100,
		.stack_max = 5,
		.confirm = true };
	double_send(&d);
	wait_for_stop(&d, 1);
	__atomic_store_n(&d.campaign_head->slots[5].end_seq, d.seq,
		__ATOMIC_RELEASE);
	kill(d.head->child_pid, SIGCONT);
	wait_for_stop(&d, 2);
	kill(d.head->child_pid, SIGCONT);
	assert_true(double_receive(&d));
	assert_int_equal(d.reply.end, CALL_TIME);
	assert_int_equal(d.reply.count, 2);
	assert_int_equal(d.reply.finds, 1);
	assert_true(ring_next(d.worker.map + d.layout.ring_offset,
		d.reply.ring_used, &offset, DOUBLE_MAX_LEN, &find, &damaged));
	assert_true(find.record.flags & RING_CONFIRMED);
	assert_true(find.record.run_ns > 0);
	assert_int_equal(double_stop(&d), 0);
}

/* Each new input is one step up; the last execution crashes. */
static void
test_steps(void **state)
{
	struct engine_double d;
	uint32_t entry;
	size_t finds = 0;

	(void)state;
	start(&d, "steps");
	entry = double_add_entry(&d, "cfu", 3);
	for (int i = 0; i < 200; i++) {
		d.request = (struct rpc_request){ .kind = RPC_FUZZ,
			.limit = 200000,
			.parent = entry,
			.cap = 16,
			.stack_max = 5,
			.confirm = true };
		assert_true(double_call(&d));
		if (d.reply.died) {
			/* One call may find all steps. */
			finds += d.reply.finds;
			break;
		}
		if (d.reply.finds > 0) {
			const uint8_t *ring =
				d.worker.map + d.layout.ring_offset;
			struct ring_input find;
			size_t offset = 0;
			bool damaged;

			assert_true(ring_next(ring, d.reply.ring_used, &offset,
				DOUBLE_MAX_LEN, &find, &damaged));
			assert_true(find.record.flags & RING_CONFIRMED);
			assert_true(find.record.parent == entry);
			assert_true(
				find.record.mutations_n == find.record.stack_n);
			assert_true(find.record.stack_n >= 1 &&
				find.record.stack_n <= 5);
			if (find.record.len >= 4 &&
				memcmp(find.bytes, "cfuz", 4) == 0)
				entry = double_add_entry(&d, find.bytes,
					find.record.len);
		}
		finds += double_merge(&d);
	}
	assert_true(finds > 0);
	assert_true(d.reply.died);
	assert_int_equal(d.reply.failure.kind, FAILURE_SIGNAL);
	assert_string_equal(d.reply.failure.what, "SIGABRT");
	assert_memory_equal(d.worker.map + d.layout.value_offset, "cfuz!", 5);
	assert_true(d.head->value_len >= 5);
	assert_int_equal(double_stop(&d), 0);
}

/* The number of edges hit by the only new input in the reply. */
static uint32_t
read_hits(const struct engine_double *d)
{
	size_t offset = 0;
	struct ring_input find;
	bool damaged;

	assert_true(ring_next(d->worker.map + d->layout.ring_offset,
		d->reply.ring_used, &offset, DOUBLE_MAX_LEN, &find, &damaged));
	assert_int_equal(offset, d->reply.ring_used);
	assert_true(find.record.run_ns > 0);
	return find.record.hits_n;
}

/*
 * Coverage of a warm-up is new only once; the second time there are no new
 * features, but the edges hit are reported again.
 */
static void
test_coverage(void **state)
{
	struct engine_double d;
	uint32_t hits;

	(void)state;
	start(&d, "steps");
	assert_true(double_run(&d, "x", 1));
	assert_int_equal(d.reply.finds, 1);
	assert_true(d.reply.run_ns > 0);
	assert_int_equal(double_merge(&d), 1);
	hits = read_hits(&d);
	assert_true(hits > 0);
	assert_true(double_run(&d, "x", 1));
	assert_int_equal(d.reply.finds, 1);
	assert_int_equal(double_merge(&d), 0);
	assert_int_equal(read_hits(&d), hits);
	assert_true(double_run(&d, "cf", 2));
	assert_int_equal(d.reply.finds, 1);
	assert_int_equal(double_stop(&d), 0);
}

static void
test_returns(void **state)
{
	struct engine_double d;

	(void)state;
	start(&d, "faults");
	assert_true(double_run(&d, "-", 1));
	assert_int_equal(d.reply.rejected, 1);
	assert_int_equal(d.reply.finds, 0);
	assert_false(d.reply.odd_return);
	assert_true(double_run(&d, "7", 1));
	assert_true(d.reply.odd_return);
	assert_int_equal(d.reply.finds, 1);
	assert_int_equal(double_stop(&d), 0);
}

static void
test_fresh(void **state)
{
	struct engine_double d;
	int32_t pid;

	(void)state;
	start(&d, "faults");
	assert_true(double_run(&d, "z", 1));
	pid = d.head->child_pid;
	assert_true(d.reply.fork_ns > 0);
	assert_true(double_run(&d, "z", 1));
	assert_int_equal(d.head->child_pid, pid);
	assert_int_equal(d.reply.fork_ns, 0);
	d.request.fresh = true;
	assert_true(double_call(&d));
	assert_int_not_equal(d.head->child_pid, pid);
	assert_int_equal(double_stop(&d), 0);
}

static void
minimize(struct engine_double *d, const char *value, bool coverage)
{
	double_set_value(d, value, strlen(value));
	d->request = (struct rpc_request){ .kind = RPC_MINIMIZE,
		.parent = MEMORY_NO_ENTRY,
		.want_coverage = coverage,
		.rule = MINIMIZE_SAME_BUCKET,
		.stack_hash = failure_stack_hash(&d->reply.failure) };
}

static void
assert_best(const struct engine_double *d, const char *best)
{
	assert_true(d->reply.wrote_to_mem);
	assert_int_equal(d->reply.best_len, strlen(best));
	assert_memory_equal(d->worker.map + d->layout.best_offset, best,
		strlen(best));
}

static void
test_minimize_crash(void **state)
{
	static const char VALUE[] = "cfuz!and a long tail that is not needed";
	struct engine_double d;

	(void)state;
	start(&d, "steps");
	assert_true(double_run(&d, VALUE, strlen(VALUE)));
	assert_true(d.reply.died);
	minimize(&d, VALUE, false);
	assert_true(double_call(&d));
	assert_best(&d, "cfuz!");
	assert_true(d.reply.died);
	assert_string_equal(d.reply.failure.what, "SIGABRT");
	assert_int_equal(d.reply.end, CALL_DONE);
	assert_true(d.reply.accepted > 0);
	assert_int_equal(d.reply.count, d.reply.tries + 1);
	assert_int_equal(d.head->live.start_len, strlen(VALUE));
	/* A wrong stack hash: not reproduced, nothing written. */
	minimize(&d, VALUE, false);
	d.request.stack_hash ^= 1;
	assert_true(double_call(&d));
	assert_false(d.reply.wrote_to_mem);
	assert_int_equal(d.reply.count, 1);
	/* A limit is kept exactly, and the best value so far is returned. */
	minimize(&d, VALUE, false);
	d.request.rule = MINIMIZE_ANY_FAILURE;
	d.request.limit = 7;
	assert_true(double_call(&d));
	assert_int_equal(d.reply.end, CALL_LIMIT);
	assert_int_equal(d.reply.count, 7);
	assert_true(d.reply.wrote_to_mem);
	assert_int_equal(double_stop(&d), 0);
}

/*
 * Inputs of any length: each length gives another message; one byte is enough.
 */
static void
test_minimize_lengths(void **state)
{
	char value[1025];
	struct engine_double d;

	(void)state;
	start(&d, "faults");
	for (size_t len = 1; len <= 1024; len++) {
		memset(value, 'e', len);
		value[len] = '\0';
		assert_true(double_run(&d, value, len));
		assert_int_equal(d.reply.failure.kind, FAILURE_ERROR);
		minimize(&d, value, false);
		assert_true(double_call(&d));
		assert_best(&d, "e");
		assert_int_equal(d.reply.end, CALL_DONE);
	}
	assert_int_equal(double_stop(&d), 0);
}

static void
test_minimize_coverage(void **state)
{
	static const char VALUE[] = "cfuz and a long tail";
	struct engine_double d;
	struct ring_input find;
	size_t offset = 0;
	bool damaged;

	(void)state;
	start(&d, "steps");
	assert_true(double_run(&d, VALUE, strlen(VALUE)));
	assert_int_equal(d.reply.finds, 1);
	assert_true(ring_next(d.worker.map + d.layout.ring_offset,
		d.reply.ring_used, &offset, DOUBLE_MAX_LEN, &find, &damaged));
	minimize(&d, VALUE, true);
	d.request.keep_n = find.record.features_n;
	memcpy(d.worker.map + d.layout.keep_offset, find.features,
		find.record.features_n * sizeof(*find.features));
	assert_true(double_call(&d));
	/* "cfuz0": the target reads the fifth byte, but any value will do. */
	assert_best(&d, "cfuz0");
	assert_int_equal(d.reply.end, CALL_DONE);
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_int_equal(double_stop(&d), 0);
}

/* Processes of the target are killed when the child dies, and at the end. */
static void
test_strays(void **state)
{
	struct engine_double d;

	(void)state;
	start(&d, "faults");
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

	(void)state;
	start(&d, "faults");
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
test_keeper_killed(void **state)
{
	struct engine_double d;
	int status;

	(void)state;
	start(&d, "faults");
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

	(void)state;
	start(&d, "empty");
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

	(void)state;
	for (size_t i = 0; i < sizeof(LINES) / sizeof(LINES[0]); i++) {
		start(&d, "empty");
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

	(void)state;
	start(&d, "empty");
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

	(void)state;
	if (!double_has_high_descriptors())
		skip();
	start(&d, "faults");
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

	(void)state;
	start(&d, "faults");
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

/* Sixteen megabytes on stderr do not overflow the memfd of 256 KiB. */
static void
test_chatter(void **state)
{
	struct engine_double d;

	(void)state;
	start(&d, "faults");
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

	(void)state;
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

/* The death of an idle child is reported by the next call. */
static void
test_idle_death(void **state)
{
	struct engine_double d;

	(void)state;
	start(&d, "faults");
	assert_true(double_run(&d, "z", 1));
	kill(d.head->child_pid, SIGSEGV);
	while (__atomic_load_n(&d.head->child_pid, __ATOMIC_ACQUIRE) != 0)
		usleep(1000);
	assert_true(double_run(&d, "z", 1));
	assert_true(d.reply.died);
	assert_int_equal(d.reply.count, 0);
	assert_int_equal(d.reply.failure.kind, FAILURE_SIGNAL);
	assert_true(double_run(&d, "z", 1));
	assert_false(d.reply.died);
	assert_int_equal(double_stop(&d), 0);
}

/* Extreme lengths, each in front of an unreadable byte. */
static void
test_lengths(void **state)
{
	static const size_t LENS[] = { 0, 1, 15, 16, 17, 4095, 4096 };
	static const char *const TARGETS[] = { "faults", "faults.asan" };
	static uint8_t value[DOUBLE_MAX_LEN];
	struct engine_double d;

	(void)state;
	for (size_t t = 0; t < 2; t++) {
		start(&d, TARGETS[t]);
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

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few.rlim_max = old.rlim_max;
	if (few.rlim_cur > few.rlim_max)
		few.rlim_cur = few.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	start(&d, "faults");
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

	(void)state;
	start(&d, "empty");
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
	enum {
		FAULTS = sizeof(FAULT_CASES) / sizeof(FAULT_CASES[0])
	};
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_ping),
		cmocka_unit_test(test_sanitizer_names),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_end_word),
		cmocka_unit_test(test_end_word_confirms),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_returns),
		cmocka_unit_test(test_fresh),
		cmocka_unit_test(test_minimize_crash),
		cmocka_unit_test(test_minimize_lengths),
		cmocka_unit_test(test_minimize_coverage),
		cmocka_unit_test(test_strays),
		cmocka_unit_test(test_engine_goes),
		cmocka_unit_test(test_keeper_killed),
		cmocka_unit_test(test_pause),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_endless_line),
		cmocka_unit_test(test_close_low),
		cmocka_unit_test(test_fork),
		cmocka_unit_test(test_chatter),
		cmocka_unit_test(test_soft_report),
		cmocka_unit_test(test_idle_death),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_few_descriptors),
		cmocka_unit_test(test_refused),
	};
	struct CMUnitTest faults[FAULTS];
	int failed;

	for (size_t i = 0; i < FAULTS; i++)
		faults[i] = (struct CMUnitTest){ .name = FAULT_CASES[i].name,
			.test_func = test_fault,
			.initial_state = (void *)(uintptr_t)&FAULT_CASES[i] };
	failed = cmocka_run_group_tests_name("calls", others, NULL, NULL);
	failed +=
		cmocka_run_group_tests_name("faults", faults, NULL, end_shared);
	return failed;
}
