#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "engine/chain.h"
#include "engine/finding.h"

struct row {
	const char *name;
	struct failure failure;
	const char *folder, *where;
};

static const struct row rows[] = {
	{ "a signal",
		{ .kind = FAILURE_SIGNAL,
			.what = "SIGSEGV",
			.frames_n = 1,
			.frames = { { "target", 0x12 } } },
		"crashes/SIGSEGV-target+0x12-00000007", "target+0x12" },
	{ "no frames", { .kind = FAILURE_EXIT, .what = "exit 3" },
		"crashes/exit-3-00000007", "" },
	{ "hostile words",
		{ .kind = FAILURE_SANITIZER,
			.what = "../a b;\x1b[c",
			.frames_n = 1,
			.frames = { { "/../m\n", 1 } } },
		"crashes/..-a-b-c-..-m+0x1-00000007", "..-m+0x1" },
	{ "only unsafe ones",
		{ .kind = FAILURE_SANITIZER,
			.what = "///",
			.frames_n = 1,
			.frames = { { "\xff", 1 } } },
		"crashes/sanitizer-unknown+0x1-00000007", "unknown+0x1" },
	{ "a hang", { .kind = FAILURE_HANG, .what = "hang" },
		"hangs/hang-00000007", "" },
	{ "memory", { .kind = FAILURE_OOM, .what = "oom" }, "ooms/oom-00000007",
		"" },
	{ "a leak", { .kind = FAILURE_LEAK, .what = "" }, "leaks/leak-00000007",
		"" },
};

static void
test_names(void **state)
{
	const struct row *row = *state;
	struct finding *f = finding_create(&row->failure, 7);

	assert_string_equal(f->folder, row->folder);
	assert_string_equal(f->where, row->where);
	assert_string_equal(f->id, "0000000000000007");
	/* One folder below one of ours, whatever the target calls itself. */
	assert_ptr_equal(strchr(f->folder, '/'), strrchr(f->folder, '/'));
	finding_destroy(f);
	finding_destroy(NULL);
}

static void
test_states(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < FINDING_STATE_COUNT; i++)
		assert_int_equal(finding_state_parse(finding_state_name(
					 (enum finding_state)i)),
			i);
	assert_int_equal(finding_state_parse("nonsense"), FINDING_NEW);
}

/* The engine and a worker come to the same bytes, step by step. */
static void
test_chain(void **state)
{
	static const uint8_t start[] = "the start value";
	uint8_t buf[4096];
	struct mutation step, trail[5];
	struct prng rand;
	struct mutable m = { buf, sizeof(start), 1024 };
	const struct words words = { 0 };
	uint8_t *again;
	size_t len, i;

	(void)state;
	for (uint64_t seed = 1; seed < 200; seed++) {
		prng_init(&rand, seed, 1);
		memcpy(buf, start, sizeof(start));
		m.len = sizeof(start);
		for (i = 0; i < 5; i++)
			assert_true(mutate_bytes(&m, &rand, &step));
		prng_init(&rand, seed, 1);
		again = chain_rebuild(start, sizeof(start), rand, 5, 1024,
			&words, trail, &len);
		assert_int_equal(len, m.len);
		assert_memory_equal(again, buf, len);
		assert_int_equal(trail[4].op, step.op);
		free(again);
	}
	again = chain_rebuild(start, 3, rand, 0, 1024, &words, NULL, &len);
	assert_int_equal(len, 3);
	assert_memory_equal(again, start, 3);
	free(again);
}

int
main(void)
{
	enum {
		N = sizeof(rows) / sizeof(rows[0])
	};
	struct CMUnitTest tests[N + 2];
	size_t i;

	for (i = 0; i < N; i++)
		tests[i] = (struct CMUnitTest){
			.name = rows[i].name,
			.test_func = test_names,
			.initial_state = (void *)(uintptr_t)&rows[i],
		};
	tests[N] = (struct CMUnitTest)cmocka_unit_test(test_states);
	tests[N + 1] = (struct CMUnitTest)cmocka_unit_test(test_chain);
	return _cmocka_run_group_tests("finding", tests, N + 2, NULL, NULL);
}
