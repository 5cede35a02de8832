#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "worker/memory/coverage_log.h"

static void
add(struct coverage_log *log, uint32_t from, uint32_t n)
{
	for (uint32_t i = from; i < from + n; i++) {
		log->now_s = i;
		coverage_log_add(log, i, (uint8_t)(i % 8 + 1), i % 2 == 0);
	}
}

/* clang-format off */
static const struct since_case {
	const char *name;
	uint32_t changes; /* changes in the log */
	uint64_t since;
	bool known;
	size_t n;
} SINCE_CASES[] = {
	{ "nothing yet",       0, 1, true, 0 },
	{ "no revision",       0, 0, false, 0 },
	{ "no revision, late", 9, 0, false, 0 },
	{ "not reached",       0, 2, false, 0 },
	{ "all",               9, 1, true, 9 },
	{ "some",              9, 7, true, 3 },
	{ "none",              9, 10, true, 0 },
	{ "the future",        9, 11, false, 0 },
	{ "far future",        9, UINT64_MAX, false, 0 },
	{ "just kept", COVERAGE_LOG_MAX, 1, true, COVERAGE_LOG_MAX },
	{ "just lost", COVERAGE_LOG_MAX + 1, 1, false, 0 },
	{ "the oldest", COVERAGE_LOG_MAX + 1, 2, true, COVERAGE_LOG_MAX },
	{ "long ago", 3 * COVERAGE_LOG_MAX, 17, false, 0 },
};
/* clang-format on */

static void
test_since(void **state)
{
	const struct since_case *row = *state;
	struct coverage_log log = { 0 };
	size_t n = 0;

	add(&log, 0, row->changes);
	assert_int_equal(coverage_log_revision(&log), row->changes + 1);
	assert_int_equal(coverage_log_since(&log, row->since, &n), row->known);
	assert_int_equal(n, row->n);
	for (size_t i = 0; i < n; i++) {
		const struct coverage_change *c =
			coverage_log_get(&log, row->since + 1 + i);
		uint32_t want = (uint32_t)(row->since - 1 + i);

		assert_int_equal(c->counter, want);
		assert_int_equal(c->bits, want % 8 + 1);
		assert_int_equal(c->first, want % 2 == 0);
		assert_true(c->at_s == want);
	}
	coverage_log_clear(&log);
}

int
main(void)
{
	enum {
		N = sizeof(SINCE_CASES) / sizeof(SINCE_CASES[0])
	};
	struct CMUnitTest tests[N] = { 0 };

	for (size_t i = 0; i < N; i++) {
		tests[i].name = SINCE_CASES[i].name;
		tests[i].test_func = test_since;
		tests[i].initial_state = (void *)(uintptr_t)&SINCE_CASES[i];
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
