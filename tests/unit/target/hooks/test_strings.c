/* strings: calls with and without recording, and crashes meanwhile. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/engine_double.h"
#include "shared/wire/failure.h"
#include "target/hooks/compare.h"
#include "target/hooks/hooks_cmp.h"
#include "target/hooks/strings.h"

static void
test_recording(void **state)
{
	assert_false(__cfuzz_strings_on);
	hooks_cmp_begin();
	assert_true(__cfuzz_strings_on);
	(void)hooks_cmp_end();
	assert_false(__cfuzz_strings_on);
}

static void
test_watch(void **state)
{
	strings_watch(true);
	assert_true(__cfuzz_strings_on);
	strings_watch(false);
	assert_false(__cfuzz_strings_on);
}

static uint64_t
crash(struct engine_double *d, const char *input)
{
	assert_true(double_run(d, input, 2));
	assert_true(d->reply.died);
	assert_true(d->reply.failure.frames_n >= 1);
	return failure_stack_hash(&d->reply.failure);
}

/* A crash is the same with and without recording. */
static void
test_crash(void **state)
{
	const char *path = double_target(*state);
	struct engine_double d;
	uint64_t stack_hash;

	if (path == NULL)
		skip();
	double_start(&d, path, NULL);
	stack_hash = crash(&d, "--");
	assert_true(crash(&d, "w-") == stack_hash);
	assert_int_equal(double_stop(&d), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recording),
		cmocka_unit_test(test_watch),
		{ "the same crash", test_crash, NULL, NULL, "watched" },
		{ "the same crash with UBSan", test_crash, NULL, NULL,
			"watched.ubsan" },
	};

	return cmocka_run_group_tests_name("target/strings", tests, NULL, NULL);
}
