/*
 * fork_pages: what a run forks counts in the child, and its variables are its
 * own.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "shared/pages.h"
#include "target/hooks/counters.h"
#include "target/program/fork_pages.h"
#include "target/program/shared_pages.h"

#define COUNTERS 9000u /* one page of them has no variables */
#define MANY 600u      /* processes, which have not enough pages together */

/* Other variables are on the first and last page of the counters. */
struct fork_data {
	uint8_t before[100];
	uint8_t counters[COUNTERS];
	uint8_t after[100];
} __attribute__((aligned(COUNTERS_PAGE)));

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct fork_data data;
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct shared_pages pages;

static void
count(void)
{
	data.counters[0]++;
	data.counters[COUNTERS_PAGE]++;
	data.counters[COUNTERS - 1]++;
}

static void
set(uint8_t value)
{
	data.before[99] = value;
	data.after[0] = value;
}

static bool
is(uint8_t value)
{
	return data.before[99] == value && data.after[0] == value;
}

/* Forks, as deep as it is told; each process has its own value. False: another
 * one has changed it. */
static bool
descend(uint8_t depth)
{
	bool good;
	int status;
	pid_t pid;

	set(depth);
	count();
	if (depth == 0)
		return is(0);
	pid = fork();
	if (pid == 0)
		_exit(is(depth) && descend((uint8_t)(depth - 1)) ? 0 : 1);
	good = pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
	return good && is(depth);
}

static bool
run_deep(void)
{
	return descend(3);
}

static bool
run_wide(void)
{
	for (uint32_t i = 0; i < MANY; i++) {
		if (!descend(1))
			return false;
	}
	return true;
}

static void
play(bool (*run)(void))
{
	int status;
	pid_t pid;

	for (uint32_t i = 0; i < COUNTERS; i++)
		data.counters[i] = 0;
	set(77);
	fork_pages_begin();
	shared_pages_save(&pages);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(is(77) && run() ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	shared_pages_restore(&pages);
	assert_int_equal(status, 0);
	fork_pages_collect();
	assert_true(is(77));
}

static int
open_pages(void **state)
{
	struct shared_range range = { data.counters, COUNTERS };
	bool *has_runs = pages_map(COUNTERS_PAGE);

	counters_add(COUNTERS_INLINE, data.counters, COUNTERS, data.counters);
	if (has_runs == NULL ||
		madvise(has_runs, COUNTERS_PAGE, MADV_WIPEONFORK) != 0)
		return -1;
	fork_pages_open(has_runs);
	*has_runs = true;
	fork_pages_add(data.counters, data.counters, COUNTERS);
	return shared_pages_open(&pages, &range, 1) ? 0 : -1;
}

/* The first process is the run itself. */
static void
test_deep(void **state)
{
	for (int i = 0; i < 2; i++) {
		play(run_deep);
		assert_int_equal(data.counters[0], 4);
		assert_int_equal(data.counters[1], 0);
		assert_int_equal(data.counters[COUNTERS_PAGE], 4);
		assert_int_equal(data.counters[COUNTERS - 1], 4);
	}
}

/* Counts end at the largest; those of the last processes are lost. */
static void
test_wide(void **state)
{
	play(run_wide);
	assert_int_equal(data.counters[0], 255);
	assert_int_equal(data.counters[COUNTERS_PAGE], (uint8_t)(2 * MANY));
	play(run_deep);
	assert_int_equal(data.counters[0], 4);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_wide),
	};

	return cmocka_run_group_tests(tests, open_pages, NULL);
}
