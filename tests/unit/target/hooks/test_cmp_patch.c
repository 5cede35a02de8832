/* cmp_patch: calls that are overwritten and restored. */

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "target/child/child.h"
#include "target/child/child_cmplog.h"
#include "target/hooks/cmp_patch.h"
#include "target/hooks/compare.h"
#include "target/hooks/hooks_cmp.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))
#if defined(__clang__)
#define APART __attribute__((noinline, optnone))
#else
#define APART __attribute__((noinline, noclone))
#endif

void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b);
void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b);
/* The table is const, but compilers declare the function without it. */
void __sanitizer_cov_trace_switch(uint64_t value, void *cases);

/* As in instrumented code: a hook, then the comparison. */
static APART int
target_number(uint32_t a, uint32_t b)
{
	__sanitizer_cov_trace_cmp4(a, b);
	return a < b;
}

static APART int
target_two(uint32_t a, uint32_t b)
{
	__sanitizer_cov_trace_cmp4(a, b);
	__sanitizer_cov_trace_const_cmp2(7, (uint16_t)b);
	return a < b && b != 7;
}

static APART int
target_switch(uint64_t value)
{
	static uint64_t cases[] = { 2, 32, 1, 2 };

	__sanitizer_cov_trace_switch(value, cases);
	return value == 1 || value == 2;
}

static int
target(uint32_t a, uint32_t b)
{
	return target_number(a, b) + target_two(a, b) + target_switch(b);
}

static uint32_t
record(uint32_t a, uint32_t b, int result)
{
	hooks_cmp_begin();
	assert_int_equal(target(a, b), result);
	return hooks_cmp_end();
}

static void
test_nothing_known(void **state)
{
	assert_int_equal(cmp_patch_set(true), 0);
	assert_int_equal(cmp_patch_set(false), 0);
	assert_int_equal(target(3, 9), 2);
	assert_int_equal(cmp_patch_set(true), 0);
	assert_int_equal(cmp_patch_set(false), 0);
}

static void
test_cycle(void **state)
{
	for (uint32_t i = 0; i < 100; i++) {
		assert_int_equal(record(3, 9 + i, 2), 5);
		assert_int_equal(cmp_patch_set(true), 4);
		assert_int_equal(cmp_patch_set(true), 4);
		assert_int_equal(target(3, 9), 2);
		assert_int_equal(target(9, 2), 1);
		/* The hook is not called, so nothing is recorded. */
		assert_int_equal(record(3, 9 + i, 2), 0);
		assert_int_equal(cmp_patch_set(false), 0);
	}
	assert_int_equal(record(3, 9, 2), 5);
}

/* A call that is first seen while the others are overwritten. */
static APART int
target_late(uint32_t a)
{
	__sanitizer_cov_trace_const_cmp2(5, (uint16_t)a);
	return a == 5;
}

static void
test_late(void **state)
{
	assert_int_equal(cmp_patch_set(true), 4);
	hooks_cmp_begin();
	assert_int_equal(target_late(9), 0);
	assert_int_equal(hooks_cmp_end(), 1);
	assert_int_equal(cmp_patch_set(true), 5);
	assert_int_equal(cmp_patch_set(false), 0);
	hooks_cmp_begin();
	assert_int_equal(target_late(9), 0);
	assert_int_equal(hooks_cmp_end(), 1);
}

/* Two sites at the same offset of a page. */
static APART __attribute__((aligned(4096))) int
target_page(uint32_t a)
{
	__sanitizer_cov_trace_const_cmp2(1, (uint16_t)a);
	return a == 1;
}

static APART __attribute__((aligned(4096))) int
target_other_page(uint32_t a)
{
	__sanitizer_cov_trace_const_cmp2(2, (uint16_t)a);
	return a == 2;
}

static void
test_alike(void **state)
{
	uint32_t n;

	n = cmp_patch_set(true);
	assert_int_equal(cmp_patch_set(false), 0);
	hooks_cmp_begin();
	assert_int_equal(target_page(9) + target_other_page(9), 0);
	assert_int_equal(hooks_cmp_end(), 2);
	assert_int_equal(cmp_patch_set(true), n + 2);
	assert_int_equal(cmp_patch_set(false), 0);
}

static APART int
target_changed(uint32_t a)
{
	__sanitizer_cov_trace_const_cmp2(4, (uint16_t)a);
	return a == 4;
}

static void
write_code(uint8_t *at, const uint8_t *bytes, size_t n)
{
	uintptr_t page = (uintptr_t)at & ~(uintptr_t)4095;

	assert_int_equal(mprotect((void *)page, 8192,
				 PROT_READ | PROT_WRITE | PROT_EXEC),
		0);
	memcpy(at, bytes, n);
	__builtin___clear_cache((char *)at, (char *)at + n);
}

/*
 * Other code stands there now, as after another module was loaded at the
 * address. It is left alone.
 */
static void
test_changed(void **state)
{
	uint8_t *function = (uint8_t *)(uintptr_t)target_changed;
	uint8_t before[64], patched[64];
	size_t i = 0;
	uint32_t n;

	n = cmp_patch_set(true);
	assert_int_equal(cmp_patch_set(false), 0);
	memcpy(before, function, sizeof(before));
	hooks_cmp_begin();
	assert_int_equal(target_changed(9), 0);
	assert_int_equal(hooks_cmp_end(), 1);
	assert_int_equal(cmp_patch_set(true), n + 1);
	memcpy(patched, function, sizeof(patched));
	assert_memory_not_equal(before, patched, sizeof(before));
	while (patched[i] == before[i])
		i++;
	patched[i] ^= 0x55;
	write_code(function, patched, sizeof(patched));
	assert_int_equal(cmp_patch_set(false), 0);
	assert_memory_equal(function, patched, sizeof(patched));
	/* It is not taken for a call later, either. */
	write_code(function, before, sizeof(before));
	assert_int_equal(cmp_patch_set(true), n);
	assert_memory_equal(function, before, sizeof(before));
	assert_int_equal(cmp_patch_set(false), 0);
}

/* Addresses after other calls, after no call, and in no module. */
static void
test_wrong(void **state)
{
	static uint8_t data[64] = { 0xe8, 0xe8, 0xe8, 0xe8, 0xe8, 0xe8 };
	uintptr_t hook = (uintptr_t)__sanitizer_cov_trace_cmp4;
	uint8_t before[256];

	memcpy(before, (const void *)test_wrong, sizeof(before));
	for (uintptr_t i = 0; i < 200; i++) {
		cmp_patch_learn((uintptr_t)test_wrong + i, hook);
		cmp_patch_learn((uintptr_t)memcpy + i, hook);
	}
	cmp_patch_learn((uintptr_t)data + 8, hook);
	cmp_patch_learn(8, hook);
	cmp_patch_learn(UINTPTR_MAX, hook);
	assert_int_equal(cmp_patch_set(true), 7);
	assert_memory_equal(before, (const void *)test_wrong, sizeof(before));
	assert_int_equal(target(3, 9), 2);
	assert_int_equal(cmp_patch_set(false), 0);
}

static void *
wait_for_byte(void *arg)
{
	char byte;

	assert_int_equal(read(*(int *)arg, &byte, 1), 1);
	return NULL;
}

/* A thread that has been joined may still be leaving. */
static void
wait_until_alone(void)
{
	struct stat st;

	while (stat("/proc/self/task", &st) == 0 && st.st_nlink > 3)
		(void)sched_yield();
}

/* With a second thread, nothing is changed. */
static void
test_threads(void **state)
{
	pthread_t thread;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_byte, &ends[0]),
		0);
	assert_int_equal(cmp_patch_set(true), 0);
	assert_int_equal(write(ends[1], "", 1), 1);
	assert_int_equal(pthread_join(thread, NULL), 0);
	wait_until_alone();
	(void)close(ends[0]);
	(void)close(ends[1]);
}

/* A target that starts a thread when its hooks are no longer called needs another
 * process: in this one they would never be called again. */
static void
test_late_thread(void **state)
{
	struct worker worker = { .lives = 0 };
	struct child child = { .worker = &worker, .lived = 1000000 };
	pthread_t thread;
	int ends[2];

	assert_int_equal(record(3, 9, 2), 5);
	cmplog_open(&child);
	assert_int_equal(record(3, 9, 2), 0);
	assert_false(worker.spent);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_byte, &ends[0]),
		0);
	child.call.value_profile = 1;
	cmplog_open(&child);
	assert_true(worker.spent);
	assert_int_equal(write(ends[1], "", 1), 1);
	assert_int_equal(pthread_join(thread, NULL), 0);
	wait_until_alone();
	(void)close(ends[0]);
	(void)close(ends[1]);
	assert_int_equal(cmp_patch_set(false), 0);
}

static void
test_many(void **state)
{
	for (uintptr_t i = 0; i < 100000; i++)
		cmp_patch_learn(4096 + i * 7, 1);
	assert_in_range(cmp_patch_set(true), 7, 8);
	assert_int_equal(target(3, 9), 2);
	assert_int_equal(cmp_patch_set(false), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_known),
		cmocka_unit_test(test_cycle),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_alike),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_late_thread),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
