/* test_failure_report: reports of sanitizers, and texts of hostile targets. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/rows.h"
#include "shared/prng.h"
#include "shared/wire/failure.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))
#define LINE \
	"=================================================================\n"

/* clang-format off */
static const struct report_case {
	const char *name;
	const char *report;
	enum failure_kind kind; /* FAILURE_NONE: no report */
	const char *what;
	const char *text;
	uint32_t frames_n;
	const char *module;
	uint64_t offset;
} REPORT_CASES[] = {
	{ "nothing", "", FAILURE_NONE, NULL, NULL, 0, NULL, 0 },
	{ "chatter", "hello\nERROR: something\n\n", FAILURE_NONE, NULL, NULL, 0, NULL, 0 },
	{ "asan heap",
		"parsing\n" LINE
		"==18554==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000019 at pc 0x557f34999bf2 bp 0x7fffda400670 sp 0x7fffda400668\n"
		"WRITE of size 1 at 0x602000000019 thread T0\n"
		"    #0 0x557f34999bf1  (/src/faults.asan+0xe3bf1) (BuildId: 97ee27)\n"
		"    #1 0x557f349992c0  (/src/faults.asan+0xe32c0) (BuildId: 97ee27)\n"
		"    #2 0x7f53c2938249  (/lib/x86_64-linux-gnu/libc.so.6+0x27249) (BuildId: 93ac61)\n"
		"\n"
		"0x602000000019 is located 1 bytes to the right of 8-byte region\n"
		"allocated by thread T0 here:\n"
		"    #0 0x557f348db580  (/src/faults.asan+0x25580)\n",
		FAILURE_SANITIZER, "heap-buffer-overflow",
		"AddressSanitizer: heap-buffer-overflow (WRITE of size 1)",
		3, "faults.asan", 0xe3bf1 },
	{ "asan heap, the last piece of it",
		"==25584==ERROR: AddressSanitizer: unknown-crash on address 0x60200000fffd at pc 0x5597b5de80dc bp 0x7fff0a68c810 sp 0x7fff0a68c808\n"
		"READ of size 1 at 0x60200000fffd thread T0\n"
		"    #0 0x5597b5de80db  (/w/uc+0xdf0db) (BuildId: f9f3ec)\n"
		"\n"
		"0x60200000fffd is located 0 bytes to the right of 13-byte region [0x60200000fff0,0x60200000fffd)\n"
		"allocated by thread T0 here:\n"
		"    #0 0x5597b5dad14e  (/w/uc+0xa414e) (BuildId: f9f3ec)\n",
		FAILURE_SANITIZER, "heap-buffer-overflow",
		"AddressSanitizer: heap-buffer-overflow (READ of size 1)",
		1, "uc", 0xdf0db },
	{ "asan unknown, nowhere near",
		"==1==ERROR: AddressSanitizer: unknown-crash on address 0x60200000fffd at pc 0x55 bp 0x7f sp 0x7f\n"
		"READ of size 1 at 0x60200000fffd thread T0\n"
		"    #0 0x5597b5de80db  (/w/uc+0xdf0db)\n"
		"0x60200000fffd is located 0 bytes to the right of 13-byte region [0x60200000fff0,0x60200000fffd)\n"
		"freed by thread T0 here:\n"
		"    #0 0x5597b5dad14e  (/w/uc+0xa414e)\n"
		"previously allocated by thread T0 here:\n",
		FAILURE_SANITIZER, "unknown-crash",
		"AddressSanitizer: unknown-crash (READ of size 1)",
		1, "uc", 0xdf0db },
	{ "asan segv",
		"AddressSanitizer:DEADLYSIGNAL\n" LINE
		"==18557==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x564fe3607383 bp 0x7fff700c6780 sp 0x7fff700c6780 T0)\n"
		"==18557==The signal is caused by a WRITE memory access.\n"
		"==18557==Hint: address points to the zero page.\n"
		"    #0 0x564fe3607383  (/w/t+0xe3383)\n",
		FAILURE_SANITIZER, "SEGV", "AddressSanitizer: SEGV", 1, "t", 0xe3383 },
	{ "asan double free, symbols, library first",
		"==1==ERROR: AddressSanitizer: attempting double-free on 0x602000000010 in thread T0:\n"
		"    #0 0x7f2 in __interceptor_free ../asan_malloc_linux.cpp:52 (/lib/libasan.so.8+0xb76a8)\n"
		"    #1 0x7f3 in free (/w/t+0x1)\n"
		"    #2 0x55d in parse /w/t.c:12 (/w/my target (1)+0x12ab)\n",
		FAILURE_SANITIZER, "double-free", "AddressSanitizer: double-free",
		1, "my target (1)", 0x12ab },
	{ "asan, the program has no name any more",
		"==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x5)\n"
		"    #0 0x5  (/w/my t (1) (deleted)+0xe3383) (BuildId: 97ee27)\n",
		FAILURE_SANITIZER, "SEGV", NULL, 1, "my t (1)", 0xe3383 },
	{ "asan, a library of a relative folder",
		"==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x5)\n"
		"    #0 0x5 in parse (out (1)/libini.so.1+0xe33) (BuildId: 97ee27)\n",
		FAILURE_SANITIZER, "SEGV", NULL, 1, "libini.so.1", 0xe33 },
	{ "asan bad free",
		"==1==ERROR: AddressSanitizer: attempting free on address which was not malloc()-ed: 0x7ffc in thread T0\n",
		FAILURE_SANITIZER, "bad-free", "AddressSanitizer: bad-free", 0, NULL, 0 },
	{ "asan allocation",
		"==1==ERROR: AddressSanitizer: requested allocation size 0xffffffffffffffff (0x800 after adjustments) exceeds maximum\n",
		FAILURE_SANITIZER, "allocation-size-too-big", NULL, 0, NULL, 0 },
	{ "asan overlap",
		"==1==ERROR: AddressSanitizer: memcpy-param-overlap: memory ranges [0x1,0x2) and [0x1, 0x2) overlap\n",
		FAILURE_SANITIZER, "memcpy-param-overlap", NULL, 0, NULL, 0 },
	{ "asan recovers from a full machine",
		"==1==WARNING: AddressSanitizer failed to allocate 0xfffffff bytes\n",
		FAILURE_NONE, NULL, NULL, 0, NULL, 0 },
	{ "leak",
		LINE "==1==ERROR: LeakSanitizer: detected memory leaks\n\n"
		"Direct leak of 7 byte(s) in 1 object(s) allocated from:\n"
		"    #0 0x4 in malloc (/w/t+0x1)\n    #1 0x5  (/w/t+0x2)\n",
		FAILURE_LEAK, "leak", "LeakSanitizer: detected memory leaks (Direct leak of 7 byte(s) in 1 object(s))", 1, "t", 2 },
	{ "msan",
		"==18569==WARNING: MemorySanitizer: use-of-uninitialized-value\n"
		"    #0 0x557eb4fa53b8  (/w/faults.msan+0xad3b8) (BuildId: 0091b6)\n"
		"\nSUMMARY: MemorySanitizer: use-of-uninitialized-value (/w/faults.msan+0xad3b8)\n",
		FAILURE_SANITIZER, "use-of-uninitialized-value",
		"MemorySanitizer: use-of-uninitialized-value", 1, "faults.msan", 0xad3b8 },
	{ "tsan",
		"==================\n"
		"WARNING: ThreadSanitizer: data race (pid=18572)\n"
		"  Write of size 1 at 0x56477494ccfa by thread T2:\n"
		"    #0 <null> <null> (faults.tsan+0xd64a7) (BuildId: 591022)\n"
		"    #1 <null> <null> (faults.tsan+0x56508) (BuildId: 591022)\n"
		"\n"
		"  Previous write of size 1 at 0x56477494ccfa by thread T1:\n"
		"    #0 <null> <null> (faults.tsan+0xd64a7) (BuildId: 591022)\n",
		FAILURE_SANITIZER, "data-race", "ThreadSanitizer: data-race", 2,
		"faults.tsan", 0xd64a7 },
	{ "tsan, the program has no name any more",
		"WARNING: ThreadSanitizer: data race (pid=18572)\n"
		"    #0 <null> <null> (t (deleted)+0xd64a7) (BuildId: 591022)\n",
		FAILURE_SANITIZER, "data-race", NULL, 1, "t", 0xd64a7 },
	{ "tsan deadlock",
		"WARNING: ThreadSanitizer: lock-order-inversion (potential deadlock) (pid=1)\n",
		FAILURE_SANITIZER, "lock-order-inversion", NULL, 0, NULL, 0 },
	{ "tsan segv",
		"==1==ERROR: ThreadSanitizer: SEGV on unknown address 0x000000000000 (pc 0x5 T1)\n",
		FAILURE_SANITIZER, "SEGV", NULL, 0, NULL, 0 },
	{ "ubsan with a place only",
		"../lib/a/t.c:263:14: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'\n"
		"SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior t.c:263:14 in \n",
		FAILURE_SANITIZER, "signed-integer-overflow",
		"t.c:263:14: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'",
		1, "t.c:263:14", 0 },
	{ "ubsan with a stack",
		"t.c:3:1: runtime error: index 7 out of bounds for type 'int [5]'\n"
		"    #0 0x5  (/w/t+0x1234)\n",
		FAILURE_SANITIZER, "index-out-of-bounds-for-type", NULL, 1, "t", 0x1234 },
	{ "ubsan shift",
		"t.c:3:1: runtime error: shift exponent 32 is too large for 32-bit type 'int'\n",
		FAILURE_SANITIZER, "shift-exponent-is-too-large-for-type", NULL, 1,
		"t.c:3:1", 0 },
	{ "ubsan misaligned",
		"t.c:3:1: runtime error: load of misaligned address 0x7f01 for type 'int', which requires 4 byte alignment\n",
		FAILURE_SANITIZER, "load-of-misaligned-address-for-type", NULL, 1,
		"t.c:3:1", 0 },
	{ "ubsan division", "a.c:1:2: runtime error: division by zero\n",
		FAILURE_SANITIZER, "division-by-zero", NULL, 1, "a.c:1:2", 0 },
	{ "ubsan without a place", "<unknown>: runtime error: division by zero\n",
		FAILURE_SANITIZER, "division-by-zero", NULL, 0, NULL, 0 },
	{ "ubsan in a module", "(t+0x12ab): runtime error: division by zero\n",
		FAILURE_SANITIZER, "division-by-zero", NULL, 1, "(t+0x12ab)", 0 },
	{ "ubsan in a module with a path", "(/w/t+0x12ab): runtime error: division by zero\n",
		FAILURE_SANITIZER, "division-by-zero", NULL, 1, "t+0x12ab)", 0 },
	{ "ubsan at an address", "0x55d0: runtime error: division by zero\n",
		FAILURE_SANITIZER, "division-by-zero", NULL, 1, "0x55d0", 0 },
	{ "ubsan without a column",
		"../lib/t.c:3: runtime error: division by zero\n"
		"    #0 0x5  (/w/t+0x1234)\n"
		"SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior t.c:3 in \n",
		FAILURE_SANITIZER, "division-by-zero", "t.c:3: runtime error: division by zero",
		1, "t", 0x1234 },
	{ "ubsan behind a message of the target",
		"vm.lua:12: runtime error: bad opcode\n"
		"t.c:3: runtime error: division by zero\n"
		"SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior t.c:3 in \n",
		FAILURE_SANITIZER, "division-by-zero", NULL, 1, "t.c:3", 0 },
	{ "a message of the target", "vm.lua:12: runtime error: bad opcode\n",
		FAILURE_NONE, NULL, NULL, 0, NULL, 0 },
	{ "another message", "at 7:1:2 there was a: runtime error: bad opcode\n",
		FAILURE_NONE, NULL, NULL, 0, NULL, 0 },
	{ "numbers alone", ":1:2: runtime error: bad opcode\n",
		FAILURE_NONE, NULL, NULL, 0, NULL, 0 },
	{ "ubsan signal",
		"==1==ERROR: UndefinedBehaviorSanitizer: SEGV on unknown address 0x0\n",
		FAILURE_SANITIZER, "SEGV", "UndefinedBehaviorSanitizer: SEGV", 0, NULL, 0 },
	{ "frames of the sanitizer alone",
		"==1==ERROR: AddressSanitizer: stack-overflow on address 0x7\n"
		"    #0 0x1 in __asan_memcpy (/w/t+0x11)\n"
		"    #1 0x2  (/lib/libasan.so.8+0x22)\n",
		FAILURE_SANITIZER, "stack-overflow", NULL, 1, "t", 0x11 },
	{ "terminal escapes",
		"\033]0;owned\a.c:1:2: runtime error: \033[31mbad\033[m thing\n",
		FAILURE_SANITIZER, "?[31mbad?[m-thing", NULL, 1, "?]0;owned?.c:1:2", 0 },
	{ "no newline at the end",
		"==1==ERROR: AddressSanitizer: heap-use-after-free on address",
		FAILURE_SANITIZER, "heap-use-after-free", NULL, 0, NULL, 0 },
	{ "cut in the mark", "==1==ERROR: AddressSanitizer: ",
		FAILURE_NONE, NULL, NULL, 0, NULL, 0 },
	{ "frame without a module",
		"==1==ERROR: AddressSanitizer: SEGV on\n"
		"    #0 0x0  (<unknown module>)\n    #1 0x5 (t+0x7)\n",
		FAILURE_SANITIZER, "SEGV", NULL, 1, "t", 7 },
	{ "offset too long for 64 bits",
		"==1==ERROR: AddressSanitizer: SEGV on\n"
		"    #0 0x0  (t+0x11112222333344445)\n    #1 0x5 (t+0x7)\n",
		FAILURE_SANITIZER, "SEGV", NULL, 1, "t", 7 },
};
/* clang-format on */

static void
test_report(void **state)
{
	const struct report_case *c = *state;
	size_t len = strlen(c->report);
	/* Exactly this size, so that a sanitizer sees any excess. */
	char *report = malloc(len + (len == 0));
	struct failure f = { .kind = FAILURE_EXIT, .exit_status = 7 };

	assert_non_null(report);
	memcpy(report, c->report, len);
	assert_int_equal(failure_parse_report(&f, report, len),
		c->kind != FAILURE_NONE);
	free(report);
	assert_int_equal(f.exit_status, 7);
	if (c->kind == FAILURE_NONE) {
		assert_int_equal(f.kind, FAILURE_EXIT);
		return;
	}
	assert_int_equal(f.kind, c->kind);
	assert_string_equal(f.what, c->what);
	if (c->text)
		assert_string_equal(f.text, c->text);
	assert_int_equal(f.frames_n, c->frames_n);
	if (c->frames_n > 0) {
		assert_string_equal(f.frames[0].module, c->module);
		assert_true(f.frames[0].offset == c->offset);
	}
}

/* The result is bounded and printable for any text. */
static void
assert_clean(const struct failure *f)
{
	assert_true(f->frames_n <= FAILURE_FRAMES_MAX);
	assert_true(memchr(f->what, '\0', sizeof(f->what)));
	assert_true(memchr(f->text, '\0', sizeof(f->text)));
	for (const char *c = f->what; *c; c++)
		assert_in_range(*c, ' ', '~');
	for (const char *c = f->text; *c; c++)
		assert_in_range(*c, ' ', '~');
	for (uint32_t i = 0; i < f->frames_n; i++)
		assert_true(
			memchr(f->frames[i].module, '\0', FAILURE_MODULE_MAX));
}

/* Real reports, damaged. */
static void
test_damaged(void **state)
{
	struct prng prng;

	prng_init(&prng, 1, 1);
	for (int round = 0; round < 60000; round++) {
		const char *from =
			REPORT_CASES[prng_intn(&prng, N(REPORT_CASES))].report;
		size_t len = strlen(from);
		char *report = malloc(len + 1);
		struct failure f = { .kind = FAILURE_NONE };

		assert_non_null(report);
		memcpy(report, from, len);
		for (uint32_t i = prng_u32n(&prng, 8); len && i > 0; i--)
			report[prng_intn(&prng, len)] =
				prng_bool(&prng) ? (char)prng_u32(&prng) : '\n';
		len = prng_intn(&prng, len + 1);
		report = realloc(report, len + 1);
		assert_non_null(report);
		if (failure_parse_report(&f, report, len))
			assert_clean(&f);
		free(report);
	}
}

static void
test_large(void **state)
{
	size_t len = 256u << 10;
	char *report = malloc(len);
	struct failure f = { .kind = FAILURE_NONE };

	assert_non_null(report);
	memset(report, '\n', len);
	assert_false(failure_parse_report(&f, report, len));
	memset(report, '+', len);
	assert_false(failure_parse_report(&f, report, len));
	for (size_t i = 0; i + 8 < len; i += 8)
		memcpy(report + i, "#1 +0x1)", 8);
	memcpy(report, "==1==ERROR: AddressSanitizer: X\n", 32);
	assert_true(failure_parse_report(&f, report, len));
	assert_clean(&f);
	free(report);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_large),
	};

	int failed;

	failed = rows_run("reports", ROWS_OF(REPORT_CASES, name, test_report));
	return failed +
		cmocka_run_group_tests_name("hostile", others, NULL, NULL);
}
