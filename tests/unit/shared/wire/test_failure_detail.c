/*
 * test_failure_detail: the words that tell failures apart.
 */
#include "shared/wire/failure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/rows.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

/* clang-format off */
static const struct detail_case {
	const char *name;
	enum failure_kind kind;
	const char *what, *text, *detail;
} DETAIL_CASES[] = {
	{ "glibc", FAILURE_SIGNAL, "SIGABRT",
	  "aborted (SIGABRT): t: a.c:9: f: Assertion `x1 > 10' failed.",
	  "x1 > N" },
	{ "a quote in it", FAILURE_SIGNAL, "SIGABRT",
	  "t: a.c:9: f: Assertion `c == 'x'' failed.", "c == 'x'" },
	{ "libstdc++", FAILURE_SIGNAL, "SIGABRT",
	  "v.h:1100: T f() [with T = int]: Assertion '__n < size()' failed.",
	  "__n < size()" },
	{ "musl", FAILURE_SIGNAL, "SIGABRT",
	  "Assertion failed: x > 0 (a.c: f: 9)", "x > N" },
	{ "BSD", FAILURE_SIGNAL, "SIGABRT",
	  "Assertion failed: (x), function f, file a.c, line 9.", "(x)" },
	{ "a check", FAILURE_SIGNAL, "SIGABRT",
	  "F0101 a.cc:9] Check failed: a == b (3 vs. 0x7ffc) oh", "a == b" },
	{ "glib", FAILURE_SIGNAL, "SIGABRT",
	  "ERROR:a.c:9:f: assertion failed: (n == 0x12)", "(n == N)" },
	{ "none", FAILURE_SIGNAL, "SIGABRT",
	  "aborted (SIGABRT): free(): invalid pointer", "" },
	{ "words of another signal", FAILURE_SIGNAL, "SIGSEGV",
	  "Assertion `x' failed.", "" },
	{ "read", FAILURE_SANITIZER, "heap-buffer-overflow",
	  "AddressSanitizer: heap-buffer-overflow (READ of size 4)", "READ" },
	{ "write", FAILURE_SANITIZER, "heap-buffer-overflow",
	  "AddressSanitizer: heap-buffer-overflow (WRITE of size 4)",
	  "WRITE" },
	{ "what a target says", FAILURE_ERROR, "error",
	  "Assertion `x' failed.", "" },
	{ "strange bytes", FAILURE_SIGNAL, "SIGABRT",
	  "Assertion `\x1b[31m\xff' failed.", "?[N?" },
	{ "no end", FAILURE_SIGNAL, "SIGABRT", "Assertion `x", "x" },
};
/* clang-format on */

static void
test_detail(void **state)
{
	const struct detail_case *c = *state;
	struct failure f = { .kind = c->kind };
	char detail[FAILURE_DETAIL_MAX];
	uint64_t plain;

	strcpy(f.what, c->what);
	plain = failure_stack_hash(&f);
	strcpy(f.text, c->text);
	failure_detail(&f, detail, sizeof(detail));
	assert_string_equal(detail, c->detail);
	assert_int_equal(failure_stack_hash(&f) != plain, detail[0] != '\0');
}

/* Text without a terminator, in any room. */
static void
test_detail_bounds(void **state)
{
	struct failure f = { .kind = FAILURE_SIGNAL, .what = "SIGABRT" };
	char detail[FAILURE_DETAIL_MAX];

	memset(f.text, 'x', sizeof(f.text));
	memcpy(f.text, "Assertion `", 11);
	failure_detail(&f, detail, sizeof(detail));
	assert_int_equal(strlen(detail), sizeof(detail) - 1);
	failure_detail(&f, detail, 1);
	assert_string_equal(detail, "");
	assert_true(failure_stack_hash(&f) != 0);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_detail_bounds),
	};

	return rows_run_with("detail", ROWS_OF(DETAIL_CASES, name, test_detail),
		others, ROWS(others), NULL, NULL);
}
