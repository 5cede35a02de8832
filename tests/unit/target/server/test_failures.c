/*
 * test_failures: failures of real targets, as the fork server reports them.
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
#include "lib/rows.h"

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
	{ "like ubsan",      "faults", "L", FAILURE_SIGNAL, "SIGABRT", true, false },
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
	double_start(&double_shared, path, double_sanitizers());
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
	if (double_shared_target) {
		assert_int_equal(double_stop(&double_shared), 0);
		double_shared_target = NULL;
	}
	return 0;
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

	for (size_t i = 0; i < 4; i++) {
		const char *path = double_target(NAMES[i][0]);

		if (!path)
			continue;
		double_start(&d, path, double_sanitizers());
		assert_string_equal(d.reply.sanitizer, NAMES[i][1]);
		assert_int_equal(d.reply.threads, 1);
		assert_int_equal(double_stop(&d), 0);
	}
}

/* A thread is still at its report when the input that started it returns. Each
 * report is one failure, and whole. */
static void
test_late_reports(void **state)
{
	static const struct {
		const char *name, *input;
		bool next; /* the next call has it */
		enum failure_kind kind;
		const char *what, *report;
	} rows[] = {
		{ "before the header", "e", true, FAILURE_SANITIZER,
			"heap-use-after-free", "=====\n==" },
		{ "behind the header", "l", false, FAILURE_SANITIZER,
			"heap-use-after-free", "==" },
		{ "in the crash handler", "w", false, FAILURE_SIGNAL, "SIGABRT",
			"" },
	};
	struct engine_double d;
	const struct rpc_reply *r = &d.reply;

	double_begin(&d, "reporter");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *name = rows[i].name, *report = rows[i].report;

		assert_true(double_run(&d, rows[i].input, 1));
		if (rows[i].next) {
			row_check(r->failure.kind == FAILURE_NONE, "%s", name);
			assert_true(double_run(&d, "x", 1));
		}
		row_check(r->died, "%s", name);
		row_check(r->failure.kind == rows[i].kind, "%s", name);
		row_check(strcmp(r->failure.what, rows[i].what) == 0, "%s: %s",
			name, r->failure.what);
		row_check(r->failure.frames_n > 1, "%s: %u", name,
			(unsigned)r->failure.frames_n);
		row_check(memcmp(d.report.map, report, strlen(report)) == 0,
			"%s: %.20s", name, (const char *)d.report.map);
		/* Nothing of it is left for the next one. */
		assert_true(double_run(&d, "-", 1));
		row_check(r->failure.kind == FAILURE_NONE, "%s", name);
	}
	assert_int_equal(double_stop(&d), 0);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_sanitizer_names),
		cmocka_unit_test(test_late_reports),
	};

	return rows_run_with("faults", ROWS_OF(FAULT_CASES, name, test_fault),
		others, ROWS(others), NULL, end_shared);
}
