/*
 * late_counters: a forked process registers counters, as a library that it loads
 * does, and they count here.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "target/hooks/counters.h"
#include "target/hooks/modules.h"
#include "target/program/late_counters.h"

#define COUNTERS 5000u /* more than a page */

void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop);
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop);

/* Other variables are on the pages of the counters. */
struct late_data {
	uint8_t before[100];
	uint8_t counters[COUNTERS];
	uint8_t after[100];
};

/* A library has its counters in its own data. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct late_data data;
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static uintptr_t table[2 * COUNTERS];

/* Like a run: registers, counts at `at`, and changes what is beside. */
static void
run(size_t at)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		memset(data.before, 'b', sizeof(data.before));
		__sanitizer_cov_8bit_counters_init(data.counters,
			data.counters + COUNTERS);
		__sanitizer_cov_pcs_init(table, table + 2 * COUNTERS);
		data.counters[at]++;
		memset(data.after, 'a', sizeof(data.after));
		_exit(data.before[0] != 'b' || data.after[0] != 'a' ||
			data.counters[at] != 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
test_late(void **state)
{
	const struct counters *all = counters_get();
	const struct counter_region *region;
	struct module_info module;

	for (size_t i = 0; i < COUNTERS; i++) {
		table[2 * i] = (uintptr_t)test_late + i;
		table[2 * i + 1] = i == 0;
	}
	assert_true(modules_find((const void *)data.counters, &module));
	late_counters_open();
	late_counters_watch();
	late_counters_take();
	assert_int_equal(all->n, 0);
	run(1);
	late_counters_take();
	assert_int_equal(all->n, 1);
	region = &all->regions[0];
	assert_int_equal(region->n, COUNTERS);
	assert_int_not_equal(region->key, 0);
	assert_true(region->start != data.counters);
	assert_int_equal(region->start[1], 1);
	assert_int_equal(region->module->bias, 0);
	assert_int_equal(region->table[2],
		(uintptr_t)test_late + 1 - module.bias);
	assert_int_equal(region->table[1], 1);
	/* The next run begins with zeros. */
	run(COUNTERS - 1);
	late_counters_take();
	assert_int_equal(all->n, 1);
	assert_int_equal(region->start[1], 0);
	assert_int_equal(region->start[COUNTERS - 1], 1);
	/* Nothing has changed here. */
	assert_int_equal(data.before[0] | data.counters[1] | data.after[0], 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
