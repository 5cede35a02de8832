/* test_failure: names, the meaning of a wait status, and the stack hash. */

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/rows.h"
#include "shared/wire/failure.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))
#define STOPPED(signo) ((signo) << 8 | 0x7f)
#define EXITED(status) ((status) << 8)

static const struct failure_module MODULES[] = {
	{ 0x1000, 0x2000, 0x1000, "target" },
	{ 0x5000, 0x6000, 0x4000, "libc.so.6" },
	{ 0x8000, 0x9000, 0x8000, "libstdc++.so.6" },
	{ 0xa000, 0xb000, 0xa000, "libother.so" },
	{ 0xc000, 0xd000, 0xc000, "libc-client.so" },
	{ 0xe000, 0xf000, 0xe000, "libc-2.31.so" },
	{ 0x1c00, 0x1d00, 0, FAILURE_PART_CALLS },
	{ 0x1d00, 0x1e00, 0, FAILURE_PART_STRINGS },
	{ 0x1e00, 0x1f00, 0, FAILURE_PART_TEXT },
};

static void
test_libraries(void **state)
{
	static const struct {
		const char *name;
		bool library;
	} rows[] = {
		{ "libc.so.6", true },
		{ "libc-2.31.so", true },
		{ "libc-client.so.2007e", false },
		{ "libc-", false },
		{ "libcurl.so.4", false },
		{ "ld-linux-x86-64.so.2", true },
		{ "libstdc++.so.6", true },
		{ "libc++abi.so.1", true },
		{ "libasan.so.8", true },
		{ "linux-vdso.so.1", true },
		{ "target", false },
		{ "", false },
	};

	for (size_t i = 0; i < N(rows); i++)
		if (failure_is_library(rows[i].name) != rows[i].library)
			fail_msg("%s", rows[i].name);
}

static void
test_kind_names(void **state)
{
	for (int kind = 0; kind < FAILURE_KIND_COUNT; kind++)
		assert_int_equal(failure_kind_parse(failure_kind_name(kind)),
			kind);
	assert_int_equal(failure_kind_parse("nonsense"), FAILURE_NONE);
	assert_string_equal(failure_kind_name(FAILURE_KIND_COUNT), "unknown");
	assert_string_equal(failure_kind_name((enum failure_kind)99999),
		"unknown");
}

static void
test_signals(void **state)
{
	static const int CRASHES[] = { SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
		SIGSEGV, SIGPIPE, SIGSYS };
	int n = 0;

	for (int signo = -2; signo < 70; signo++) {
		bool crash = false;

		for (size_t i = 0; i < N(CRASHES); i++)
			crash = crash || CRASHES[i] == signo;
		assert_int_equal(failure_is_crash_signal(signo), crash);
		assert_true(failure_signal_name(signo)[0] != '\0');
		assert_true(failure_signal_text(signo)[0] != '\0');
		n += crash;
	}
	assert_int_equal(n, N(CRASHES));
	assert_string_equal(failure_signal_name(SIGSEGV), "SIGSEGV");
	assert_string_equal(failure_signal_name(42), "SIG42");
	assert_string_equal(failure_signal_text(SIGSEGV), "segmentation fault");
	assert_string_equal(failure_signal_text(SIGTERM), "terminated");
	assert_string_equal(failure_signal_text(SIGTRAP),
		"trace/breakpoint trap");
}

/* clang-format off */
static const struct describe_case {
	const char *name;
	int status;
	struct failure_block block;
	enum failure_kind kind;
	const char *what;
	const char *text;
	uint32_t frames_n;
	const char *module;
	uint64_t offset;
} DESCRIBE_CASES[] = {
	{ "null", SIGSEGV, { .signo = SIGSEGV, .code = 1, .address = 8,
		.frames_n = 2, .frames = { 0x1234, 0x1500 } },
		FAILURE_SIGNAL, "SIGSEGV",
		"segmentation fault (SIGSEGV) near address 0", 2, "target", 0x234 },
	{ "elsewhere", SIGSEGV, { .signo = SIGSEGV, .code = 1,
		.address = 0x7000000, .frames_n = 1, .frames = { 0x1234 } },
		FAILURE_SIGNAL, "SIGSEGV", "segmentation fault (SIGSEGV)", 1,
		"target", 0x234 },
	{ "core dumped", SIGSEGV | 0x80, { .frames_n = 0 },
		FAILURE_SIGNAL, "SIGSEGV", "segmentation fault (SIGSEGV)", 0, "", 0 },
	{ "abort", SIGABRT, { .signo = SIGABRT, .frames_n = 5,
		.frames = { 0x5010, 0x5020, 0x8001, 0x1100, 0x5030 } },
		FAILURE_SIGNAL, "SIGABRT", "aborted (SIGABRT)", 2, "target", 0x100 },
	{ "libraries alone", SIGABRT, { .frames_n = 2,
		.frames = { 0x5010, 0x5020 } },
		FAILURE_SIGNAL, "SIGABRT", NULL, 2, "libc.so.6", 0x1010 },
	{ "another library", SIGSEGV, { .frames_n = 3,
		.frames = { 0x5010, 0xa020, 0x1000 } },
		FAILURE_SIGNAL, "SIGSEGV", NULL, 2, "libother.so", 0x20 },
	{ "a library named like the C library", SIGSEGV, { .frames_n = 3,
		.frames = { 0xe010, 0xc020, 0x1000 } },
		FAILURE_SIGNAL, "SIGSEGV", NULL, 2, "libc-client.so", 0x20 },
	{ "jump to nowhere", SIGSEGV, { .frames_n = 2,
		.frames = { 0, 0x1100 } },
		FAILURE_SIGNAL, "SIGSEGV", NULL, 2, "?", 0 },
	{ "unknown below", SIGSEGV, { .frames_n = 3,
		.frames = { 0x5010, 0x99999999, 0x1100 } },
		FAILURE_SIGNAL, "SIGSEGV", NULL, 1, "target", 0x100 },
	{ "forbidden handler", SIGSYS, { .signo = SIGILL, .frames_n = 1,
		.frames = { 0x1234 } },
		FAILURE_SIGNAL, "SIGILL", NULL, 1, "target", 0x234 },
	{ "forbidden sample", SIGSYS, { .sampled = SAMPLE_TAKEN, .frames_n = 1,
		.frames = { 0x1234 } },
		FAILURE_KILLED, "SIGKILL", NULL, 1, "target", 0x234 },
	{ "written over", SIGSEGV, { .frames_n = 2,
		.frames = { 0x1100, FAILURE_SMASHED } },
		FAILURE_SIGNAL, "stack-smashed", NULL, 1, "target", 0x100 },
	{ "all of it", SIGBUS, { .frames_n = 1,
		.frames = { FAILURE_SMASHED } },
		FAILURE_SIGNAL, "stack-smashed", NULL, 0, "", 0 },
	{ "above an abort", SIGABRT, { .frames_n = 3,
		.frames = { 0x5010, 0x1100, FAILURE_SMASHED } },
		FAILURE_SIGNAL, "SIGABRT", NULL, 1, "target", 0x100 },
	{ "outside of the call", SIGSEGV, { .frames_n = 4,
		.frames = { 0x1100, 0x1200, 0x1c00, 0x1300 } },
		FAILURE_SIGNAL, "SIGSEGV", NULL, 2, "target", 0x100 },
	{ "behind the runtime", SIGSEGV, { .frames_n = 2,
		.frames = { 0x1bff, 0x1f00 } },
		FAILURE_SIGNAL, "SIGSEGV", NULL, 2, "target", 0xbff },
	{ "called by the target", SIGSEGV, { .frames_n = 4,
		.frames = { 0x1e10, 0x1dff, 0x1100, 0x1cff } },
		FAILURE_SIGNAL, "SIGSEGV", NULL, 1, "target", 0x100 },
	{ "the same offset elsewhere", SIGSEGV, { .frames_n = 2,
		.frames = { 0x1100, 0xac10 } },
		FAILURE_SIGNAL, "SIGSEGV", NULL, 2, "target", 0x100 },
	{ "nobody of the target", SIGSEGV, { .frames_n = 3,
		.frames = { 0x1e10, 0x1e20, 0x1c10 } },
		FAILURE_SIGNAL, "stack-smashed", NULL, 0, "", 0 },
	{ "the place of an exit()", EXITED(3), { .kind = FAILURE_EXIT,
		.frames_n = 3, .frames = { 0x5010, 0x1100, 0x1c10 } },
		FAILURE_EXIT, "exit 3", NULL, 1, "target", 0x100 },
	{ "too many frames", SIGSEGV, { .frames_n = UINT32_MAX,
		.frames = { 0x1100 } },
		FAILURE_SIGNAL, "SIGSEGV", NULL, FAILURE_FRAMES_MAX, "target", 0x100 },
	{ "killed", SIGKILL, { .frames_n = 1, .frames = { 0x1100 } },
		FAILURE_KILLED, "SIGKILL", "killed (SIGKILL)", 0, "", 0 },
	{ "realtime signal", 42, { .frames_n = 0 },
		FAILURE_KILLED, "SIG42", "SIG42 (SIG42)", 0, "", 0 },
	{ "exit 0", EXITED(0), { .frames_n = 0 },
		FAILURE_EXIT, "exit 0",
		"the target ended the process by _exit() or execve(), which "
		"leave no place: exit status 0", 0, "", 0 },
	{ "exit 70", EXITED(70), { .kind = FAILURE_ERROR, .frames_n = 1,
		.frames = { 0x1001 } },
		FAILURE_EXIT, "exit 70", NULL, 0, "", 0 },
	{ "exit() is seen", EXITED(0), { .kind = FAILURE_EXIT, .frames_n = 3,
		.frames = { 0x5010, 0x5020, 0x1100 } },
		FAILURE_EXIT, "exit 0",
		"the target ended the process: exit status 0", 1, "target",
		0x100 },
	{ "exit() is seen, then a signal", SIGKILL, { .kind = FAILURE_EXIT,
		.frames_n = 1, .frames = { 0x1100 } },
		FAILURE_KILLED, "SIGKILL", NULL, 0, "", 0 },
	{ "stopped", STOPPED(SIGSTOP), { .kind = FAILURE_ERROR },
		FAILURE_STOPPED, "SIGSTOP", NULL, 0, "", 0 },
	{ "cfuzz_fail", 0, { .kind = FAILURE_ERROR, .text_len = 3,
		.text = "why not", .frames_n = 1, .frames = { 0x1001 } },
		FAILURE_ERROR, "error", "why", 1, "target", 1 },
	{ "input modified", 0, { .kind = FAILURE_INPUT_MODIFIED },
		FAILURE_INPUT_MODIFIED, "input-modified",
		"the target changed its input", 0, "", 0 },
	{ "forged kind", 0, { .kind = FAILURE_HANG },
		FAILURE_PROTOCOL, "protocol", NULL, 0, "", 0 },
	{ "nonsense kind", 0, { .kind = 0xa5a5a5a5 },
		FAILURE_PROTOCOL, "protocol", NULL, 0, "", 0 },
};
/* clang-format on */

static void
test_describe(void **state)
{
	const struct describe_case *c = *state;
	struct failure f;

	memset(&f, 0xa5, sizeof(f));
	failure_describe(&f, c->status, &c->block, MODULES, N(MODULES));
	assert_int_equal(f.kind, c->kind);
	assert_string_equal(f.what, c->what);
	if (c->text)
		assert_string_equal(f.text, c->text);
	assert_true(f.text[0] != '\0');
	assert_int_equal(f.frames_n, c->frames_n);
	if (c->frames_n > 0) {
		assert_string_equal(f.frames[0].module, c->module);
		assert_true(f.frames[0].offset == c->offset);
	}
}

/* clang-format off */
static const struct blame_case {
	const char *name;
	int status;
	struct failure_block block;
	enum failure_kind kind;
	const char *what;
	const char *text;
} BLAME_CASES[] = {
	{ "in the target", SIGSEGV, { .signo = SIGSEGV, .room_start = 0x4000,
		.room_end = 0x5000, .address = 0x5000 },
		FAILURE_SIGNAL, "SIGSEGV", "segmentation fault (SIGSEGV)" },
	{ "behind", SIGSEGV, { .signo = SIGSEGV, .origin = FAILURE_IN_MUTATOR,
		.access = FAILURE_ACCESS_WRITE, .room_start = 0x4000,
		.room_end = 0x5000, .address = 0x5000 },
		FAILURE_MUTATOR, "SIGSEGV", "custom mutator: segmentation "
		"fault (SIGSEGV) writing behind its buffer" },
	{ "before", SIGSEGV, { .signo = SIGSEGV, .origin = FAILURE_IN_CROSSOVER,
		.access = FAILURE_ACCESS_READ, .room_start = 0x4000,
		.room_end = 0x5000, .address = 0x3fff },
		FAILURE_MUTATOR, "SIGSEGV", "custom crossover: segmentation "
		"fault (SIGSEGV) reading before its buffer" },
	{ "who knows how", SIGSEGV, { .signo = SIGSEGV,
		.origin = FAILURE_IN_MUTATOR, .access = 77, .room_start = 0x4000,
		.room_end = 0x5000, .address = 0x5001 },
		FAILURE_MUTATOR, "SIGSEGV", "custom mutator: segmentation "
		"fault (SIGSEGV) reaching behind its buffer" },
	{ "far away", SIGSEGV, { .signo = SIGSEGV, .origin = FAILURE_IN_MUTATOR,
		.room_start = 0x4000, .room_end = 0x5000, .address = 0x9000,
		.frames_n = 1, .frames = { 0x1234 } },
		FAILURE_MUTATOR, "SIGSEGV", "custom mutator: segmentation "
		"fault (SIGSEGV), at target+0x234" },
	{ "no such room", SIGSEGV, { .signo = SIGSEGV,
		.origin = FAILURE_IN_MUTATOR, .room_start = 0x6000,
		.room_end = 0x5000, .address = 0x5001 },
		FAILURE_MUTATOR, "SIGSEGV",
		"custom mutator: segmentation fault (SIGSEGV)" },
	{ "no such place", SIGABRT, { .origin = FAILURE_ORIGIN_COUNT },
		FAILURE_SIGNAL, "SIGABRT", "aborted (SIGABRT)" },
	{ "killed", SIGKILL, { .origin = FAILURE_IN_MUTATOR },
		FAILURE_MUTATOR, "SIGKILL", "custom mutator: killed (SIGKILL)" },
	{ "exit", EXITED(2), { .origin = FAILURE_IN_MUTATOR },
		FAILURE_MUTATOR, "exit 2",
		"custom mutator: ended the process: exit 2" },
	{ "cfuzz_fail", 0, { .kind = FAILURE_ERROR, .text_len = 3,
		.text = "why", .origin = FAILURE_IN_MUTATOR },
		FAILURE_MUTATOR, "error", "custom mutator: why" },
};
/* clang-format on */

static void
test_blame(void **state)
{
	const struct blame_case *c = *state;
	struct failure f;

	failure_describe(&f, c->status, &c->block, MODULES, N(MODULES));
	failure_set_mutator(&f, &c->block);
	assert_int_equal(f.kind, c->kind);
	assert_string_equal(f.what, c->what);
	assert_string_equal(f.text, c->text);
}

static void
test_describe_long_text(void **state)
{
	struct failure_block block = { .kind = FAILURE_ERROR };
	struct failure f;

	memset(block.text, 'x', sizeof(block.text));
	block.text_len = UINT32_MAX;
	failure_describe(&f, 0, &block, MODULES, SIZE_MAX);
	assert_int_equal(strlen(f.text), FAILURE_TEXT_MAX - 1);
}

static void
test_describe_module_name(void **state)
{
	struct failure_module module = { 0, UINT64_MAX, 0, "" };
	struct failure_block block = { .frames_n = 1, .frames = { 1 } };
	struct failure f;

	memset(module.name, 'x', sizeof(module.name));
	failure_describe(&f, SIGSEGV, &block, &module, 1);
	assert_int_equal(strlen(f.frames[0].module), FAILURE_MODULE_MAX - 1);
}

static void
test_stack_hash(void **state)
{
	struct failure f = { .kind = FAILURE_SIGNAL,
		.what = "SIGSEGV",
		.text = "one",
		.frames_n = 6,
		.frames = { { "t", 1 }, { "t", 2 }, { "t", 3 }, { "t", 4 },
			{ "t", 5 }, { "t", 6 } } };
	struct failure other;
	uint64_t stack_hash = failure_stack_hash(&f);

	assert_true(stack_hash != 0);
	/* The same in every build: folders are named after it. */
	assert_true(stack_hash == failure_stack_hash(&f));
	other = f;
	strcpy(other.text, "another");
	other.frames[5].offset = 99;
	other.signo = 3;
	assert_true(failure_stack_hash(&other) == stack_hash);
	other = f;
	other.frames[4].offset = 99;
	assert_true(failure_stack_hash(&other) != stack_hash);
	other = f;
	strcpy(other.frames[0].module, "u");
	assert_true(failure_stack_hash(&other) != stack_hash);
	other = f;
	strcpy(other.what, "SIGBUS");
	assert_true(failure_stack_hash(&other) != stack_hash);
	other = f;
	other.kind = FAILURE_SANITIZER;
	assert_true(failure_stack_hash(&other) != stack_hash);
	other = f;
	other.frames_n = UINT32_MAX;
	assert_true(failure_stack_hash(&other) == stack_hash);
}

/* clang-format off */
static const struct full_case {
	const char *name;
	int status;
	struct failure_block block;
	bool full;
} FULL_CASES[] = {
	{ "at the stack pointer", SIGSEGV, { .signo = SIGSEGV, .code = 1,
		.sp = 0x700000, .address = 0x700000 }, true },
	{ "a call pushes", SIGSEGV, { .signo = SIGSEGV, .code = 1,
		.sp = 0x700000, .address = 0x6ffff8 }, true },
	{ "a large frame", SIGBUS, { .signo = SIGBUS, .code = 2,
		.sp = 0x700000, .address = 0x6f8000 }, true },
	{ "a frame made already", SIGSEGV, { .signo = SIGSEGV, .code = 1,
		.sp = 0x700000, .address = 0x700100 }, true },
	{ "far below", SIGSEGV, { .signo = SIGSEGV, .code = 1,
		.sp = 0x700000, .address = 0x6e0000 }, false },
	{ "far above", SIGSEGV, { .signo = SIGSEGV, .code = 1,
		.sp = 0x700000, .address = 0x710000 }, false },
	{ "sent by a process", SIGSEGV, { .signo = SIGSEGV, .code = 0,
		.sp = 0x700000, .address = 0x700000 }, false },
	{ "another signal", SIGFPE, { .signo = SIGFPE, .code = 1,
		.sp = 0x700000, .address = 0x700000 }, false },
	{ "not the signal that killed", SIGSEGV, { .signo = SIGBUS, .code = 1,
		.sp = 0x700000, .address = 0x700000 }, false },
	{ "sp unknown, null", SIGSEGV, { .signo = SIGSEGV, .code = 1,
		.address = 8 }, false },
	{ "the last page", SIGSEGV, { .signo = SIGSEGV, .code = 1,
		.sp = UINT64_MAX, .address = 0 }, false },
};
/* clang-format on */

static void
test_full(void **state)
{
	const struct full_case *c = *state;
	struct failure f;

	failure_describe(&f, c->status, &c->block, MODULES, N(MODULES));
	assert_int_equal(f.stack_full, c->full);
	assert_int_equal(strstr(f.text, "): stack overflow") != NULL, c->full);
}

/* A recursion is one finding, wherever in its round it overflows. */
static void
test_stack_hash_recursion(void **state)
{
	const struct failure f = { .kind = FAILURE_SIGNAL,
		.what = "SIGSEGV",
		.stack_full = true,
		.frames_n = 6,
		.frames = { { "t", 90 }, { "t", 1 }, { "t", 2 }, { "t", 1 },
			{ "t", 2 }, { "t", 1 } } };
	struct failure other = f;

	other.frames[0].offset = 91;
	assert_true(failure_stack_hash(&other) == failure_stack_hash(&f));
	for (uint32_t i = 1; i < 6; i++)
		other.frames[i].offset = 3 - other.frames[i].offset;
	assert_true(failure_stack_hash(&other) == failure_stack_hash(&f));
	/* A call on top that occurs once is not part of the round. */
	other = f;
	other.frames[1].offset = 77;
	assert_true(failure_stack_hash(&other) == failure_stack_hash(&f));
	other.stack_full = false;
	assert_true(failure_stack_hash(&other) != failure_stack_hash(&f));
	strcpy(other.what, "stack-overflow");
	other.frames[0].offset = 1;
	assert_true(failure_stack_hash(&other) != failure_stack_hash(&f));
	/* A recursion of other calls: another bug. */
	other = f;
	other.frames[2].offset = other.frames[4].offset = 5;
	assert_true(failure_stack_hash(&other) != failure_stack_hash(&f));
	/* No recursion in the frames: all frames count. */
	other = f;
	other.frames_n = 3;
	other.frames[2].offset = 8;
	assert_true(failure_stack_hash(&other) != failure_stack_hash(&f));
	other.frames_n = 1;
	assert_true(failure_stack_hash(&other) != 0);
	other.frames_n = UINT32_MAX;
	assert_true(failure_stack_hash(&other) != 0);
}

/* The same hang at any depth and anywhere in the round. */
static void
test_stack_hash_hang(void **state)
{
	const struct failure f = { .kind = FAILURE_HANG,
		.what = "hang",
		.frames_n = 6,
		.frames = { { "t", 90 }, { "t", 1 }, { "t", 2 }, { "t", 1 },
			{ "t", 2 }, { "t", 50 } } };
	struct failure other = f;

	for (uint32_t i = 1; i < 5; i++)
		other.frames[i].offset = 3 - other.frames[i].offset;
	other.frames_n = 5;
	assert_true(failure_stack_hash(&other) == failure_stack_hash(&f));
	/* Another function that does not return, below the same calls. */
	other.frames[0].offset = 91;
	assert_true(failure_stack_hash(&other) != failure_stack_hash(&f));
	/* The innermost function is part of the round. */
	other = f;
	memmove(other.frames, f.frames + 1, 4 * sizeof(f.frames[0]));
	other.frames_n = 4;
	assert_true(failure_stack_hash(&other) != failure_stack_hash(&f));
	/* Without a recursion all frames count. */
	other = f;
	other.frames_n = 3;
	assert_true(failure_stack_hash(&other) != failure_stack_hash(&f));
}

/* clang-format off */
static const struct sample_case {
	const char *name;
	struct failure_block block;
	int status;
	uint32_t frames_n;
	uint64_t offset;
} SAMPLE_CASES[] = {
	{ "the function is meant",
		{ .sampled = SAMPLE_TAKEN, .frames_n = 2,
		  .frames = { 0x1234, 0x1500 }, .starts = { 0x1200, 0x1400 } },
		SIGKILL, 2, 0x200 },
	{ "its beginning is not known",
		{ .sampled = SAMPLE_FINAL, .frames_n = 2,
		  .frames = { 0x1234, 0x1500 }, .starts = { 0, 0x1400 } },
		SIGKILL, 2, 0x234 },
	{ "it calls itself",
		{ .sampled = SAMPLE_TAKEN, .frames_n = 3,
		  .frames = { 0x1234, 0x1230, 0x1500 },
		  .starts = { 0x1200, 0x1200, 0x1400 } },
		SIGKILL, 2, 0x230 },
	{ "nobody has asked", { .frames_n = 1, .frames = { 0x1234 } },
		SIGKILL, 0, 0 },
	{ "it died of something else",
		{ .sampled = SAMPLE_TAKEN, .frames_n = 1, .frames = { 0x1234 } },
		SIGTERM, 0, 0 },
	{ "no frames", { .sampled = SAMPLE_FINAL }, SIGKILL, 0, 0 },
	{ "more frames than there is room for",
		{ .sampled = UINT32_MAX, .frames_n = UINT32_MAX,
		  .frames = { 0x1234 }, .starts = { 0x1200 } },
		SIGKILL, FAILURE_FRAMES_MAX, 0x200 },
};
/* clang-format on */

static void
test_sample(void **state)
{
	struct failure f;

	for (size_t i = 0; i < N(SAMPLE_CASES); i++) {
		const struct sample_case *c = &SAMPLE_CASES[i];

		failure_describe(&f, c->status, &c->block, MODULES, N(MODULES));
		if (f.frames_n != c->frames_n)
			print_error("%s: %u frames\n", c->name, f.frames_n);
		assert_int_equal(f.frames_n, c->frames_n);
		if (f.frames_n > 0)
			assert_int_equal(f.frames[0].offset, c->offset);
	}
}

static void
test_stack_hash_value(void **state)
{
	struct failure f = { .kind = FAILURE_EXIT, .what = "exit 1" };

	/* FNV-1a of 03 "exit 1" 00, computed independently. */
	assert_true(failure_stack_hash(&f) == 0x7d6e06fe1ec0f327u);
}

static void
test_quote(void **state)
{
	static const char ENDED[] =
		"terminate called without an active exception\n";
	static const struct {
		const char *before, *last, *text;
	} rows[] = {
		{ "", "", "x" },
		{ "", "\n \n", "x" },
		{ "", "one", "x: one" },
		{ "one\n", "two\n\n", "x: two" },
		{ "", ENDED,
			"x: terminate called without an active exception" },
		{ "one\n", ENDED,
			"x: terminate called without an active exception" },
		{ "one\npure virtual method called\n", ENDED,
			"x: pure virtual method called" },
		{ "deleted virtual method called\n", ENDED,
			"x: deleted virtual method called" },
		{ "pure virtual method called\n", "two\n", "x: two" },
	};
	char output[256];

	for (size_t i = 0; i < N(rows); i++) {
		struct failure f = { .text = "x" };
		int len = snprintf(output, sizeof(output), "%s%s",
			rows[i].before, rows[i].last);

		failure_quote(&f, output, (size_t)len);
		assert_string_equal(f.text, rows[i].text);
	}
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_kind_names),
		cmocka_unit_test(test_libraries),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_describe_long_text),
		cmocka_unit_test(test_describe_module_name),
		cmocka_unit_test(test_stack_hash),
		cmocka_unit_test(test_stack_hash_recursion),
		cmocka_unit_test(test_stack_hash_hang),
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_stack_hash_value),
		cmocka_unit_test(test_quote),
	};

	int failed;

	failed = rows_run("describe",
		ROWS_OF(DESCRIBE_CASES, name, test_describe));
	failed += rows_run("blame", ROWS_OF(BLAME_CASES, name, test_blame));
	failed += rows_run("stack full", ROWS_OF(FULL_CASES, name, test_full));
	return failed +
		cmocka_run_group_tests_name("failure", others, NULL, NULL);
}
