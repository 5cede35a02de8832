/*
 * traps: breakpoints in a library, in forked processes: each is hit once, the
 * counters are right, the results are the same as without.
 */

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/blocks_part.h"
#include "target/hooks/counters.h"
#include "target/traps/instruction.h"
#include "target/traps/traps.h"

#define TEXT "abcdefghij!?abcdefghij"

static struct blocks_part part;

/* Runs the library in a forked process; returns the wait status. */
static int
run(const char *text, int want)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(part.main(text) != want);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* The counters of the library. */
static struct counter_region *
region(void)
{
	struct counters *counters = counters_get();

	for (uint32_t i = 0; i < counters->n; i++) {
		struct counter_region *r = &counters->regions[i];
		uintptr_t code = (uintptr_t)r->code;

		if (r->kind == COUNTERS_BREAKPOINT && code >= part.bias &&
			code < (uintptr_t)part.main)
			return r;
	}
	fail();
	return NULL;
}

/* Counts the blocks hit; clears them if there is no room for them. */
static uint32_t
take_hits(uint8_t *hits)
{
	struct counter_region *r = region();
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->n; i++) {
		assert_true(r->start[i] <= 1);
		if (r->start[i] != 0)
			assert_true(r->touched[i / 4096] >> i / 64 % 64 & 1);
		n += r->start[i];
	}
	if (hits != NULL)
		memcpy(hits, r->start, r->n);
	memset(r->start, 0, r->n);
	return n;
}

/* The counters of all modules. */
static uint32_t
count_all(void)
{
	const struct counters *counters = counters_get();
	uint32_t n = 0;

	for (uint32_t i = 0; i < counters->n; i++)
		if (counters->regions[i].kind == COUNTERS_BREAKPOINT)
			n += counters->regions[i].n;
	return n;
}

/* The whole test in a process of its own, whose code may be changed. */
static void
in_process(const struct blocks_build *build, void (*body)(int want))
{
	pid_t pid = fork();
	int status, want;
	uint32_t n;

	assert_true(pid >= 0);
	if (pid == 0) {
		blocks_part_open(&part, build);
		want = part.main(TEXT);
		n = traps_find();
		assert_true(n > 30);
		assert_int_equal(count_all(), n);
		assert_false(traps_exist());
		assert_true(traps_set());
		assert_true(traps_exist());
		body(want);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
hit_once(int want)
{
	uint8_t *map = calloc(1, MEMORY_COUNTERS_MAX + 8);
	struct feature feature = { .buckets = 1 };
	uint32_t n, few;

	assert_int_equal(run("", 0), 0);
	few = take_hits(NULL);
	assert_int_equal(run(TEXT, want), 0);
	n = take_hits(map + 8);
	assert_true(few > 2 && n > few + 9);
	/* Processes restore only their own copies. */
	assert_int_equal(run(TEXT, want), 0);
	assert_int_equal(take_hits(NULL), n);
	region()->assigned = true;
	region()->base = 8;
	traps_choose(map);
	assert_int_equal(run(TEXT, want), 0);
	assert_int_equal(take_hits(NULL), 0);
	feature.counter = 8;
	while (map[feature.counter] == 0)
		feature.counter++;
	traps_renew(&feature, 1);
	assert_int_equal(run(TEXT, want), 0);
	assert_int_equal(take_hits(NULL), 1);
	traps_choose(map);
	assert_int_equal(run(TEXT, want), 0);
	assert_int_equal(take_hits(NULL), 0);
	traps_choose(NULL);
	assert_int_equal(run(TEXT, want), 0);
	assert_int_equal(take_hits(NULL), n);
	free(map);
}

static void
test_builds(void **state)
{
	in_process(*state, hit_once);
}

/* Those of the last blocks fill no word. */
static void
each_counts(int want)
{
	uint8_t *map = calloc(1, MEMORY_COUNTERS_MAX + 8);
	struct counter_region *r = region();
	const uint8_t *code = r->code;

	r->assigned = true;
	for (uint32_t last = 0; last < 8; last++) {
		uint32_t i = r->n - 1 - last;

		assert_int_equal(code[r->offsets[i]], INSTRUCTION_BREAK);
		/* Behind it are the counters of another module. */
		map[r->n] = 1;
		map[i] = 1;
		traps_choose(map);
		assert_int_not_equal(code[r->offsets[i]], INSTRUCTION_BREAK);
		assert_int_equal(code[r->offsets[0]], INSTRUCTION_BREAK);
		map[i] = 0;
		traps_choose(map);
		assert_int_equal(code[r->offsets[i]], INSTRUCTION_BREAK);
	}
	free(map);
}

static void
test_number(void **state)
{
	in_process(&BLOCKS_BUILDS[1], each_counts);
}

/* Other machines get no traps: main(). */
#if defined(__x86_64__)
#define OWN_BREAKPOINT() __asm__ volatile("int3")
#else
#define OWN_BREAKPOINT() (void)raise(SIGTRAP)
#endif

static volatile sig_atomic_t passed;

static void
on_own(int signo)
{
	passed = signo;
}

static void
own_breakpoint(int want)
{
	const struct sigaction action = { .sa_handler = on_own };
	struct sigaction old;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		OWN_BREAKPOINT();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTRAP);
	traps_swap_action(&action, &old);
	assert_true(old.sa_handler == SIG_DFL);
	OWN_BREAKPOINT();
	assert_int_equal(passed, SIGTRAP);
	assert_int_equal(run(TEXT, want), 0);
	passed = 0;
	raise(SIGTRAP);
	assert_int_equal(passed, SIGTRAP);
}

/* A breakpoint that is not ours is the program's business. */
static void
test_own(void **state)
{
	in_process(&BLOCKS_BUILDS[1], own_breakpoint);
}

static void
die(int want)
{
	assert_int_equal(WTERMSIG(run("stop", want)), SIGABRT);
	assert_true(take_hits(NULL) > 0);
}

/* A process that dies has counted before. */
static void
test_death(void **state)
{
	in_process(&BLOCKS_BUILDS[1], die);
}

int
main(void)
{
	const struct CMUnitTest more[] = {
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_own),
		cmocka_unit_test(test_death),
	};
	struct CMUnitTest tests[BLOCKS_BUILDS_N] = { 0 };
	int failed;

	if (!instruction_is_known())
		return 0;
	for (size_t i = 0; i < BLOCKS_BUILDS_N; i++)
		tests[i] = (struct CMUnitTest){ BLOCKS_BUILDS[i].name,
			test_builds, NULL, NULL,
			(void *)(uintptr_t)&BLOCKS_BUILDS[i] };
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + cmocka_run_group_tests(more, NULL, NULL);
}
