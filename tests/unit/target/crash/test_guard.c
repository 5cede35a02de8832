/* guard: bytes that are accessible and bytes that are not. */

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "target/crash/guard.h"

#define SIZE 5000u

static const size_t LENS[] = { 0, 1, 2, 7, 8, 15, 16, 17, 100, 4095, 4096, 4097,
	4999, 5000 };

/* Does reading this byte kill a process? */
static bool
is_deadly(const volatile uint8_t *at)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		signal(SIGSEGV, SIG_DFL);
		_exit(*at & 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status);
}

static void
test_put(void **state)
{
	static uint8_t value[SIZE];
	struct guard guard;

	assert_true(guard_init(&guard, SIZE));
	if (guard.align)
		skip(); /* a sanitizer is linked in; see below */
	for (size_t i = 0; i < sizeof(LENS) / sizeof(LENS[0]); i++) {
		size_t len = LENS[i];
		uint8_t *data;

		memset(value, (int)i + 1, len);
		data = guard_put(&guard, value, len);
		assert_non_null(data);
		assert_memory_equal(data, value, len);
		assert_ptr_equal(data + len, guard.end);
		assert_true(is_deadly(data + len));
		if (len > 0)
			assert_false(is_deadly(data + len - 1));
	}
}

/* Copies and compares all bytes, and no others. */
static void
test_has(void **state)
{
	static uint8_t value[200];
	struct guard guard;

	assert_true(guard_init(&guard, sizeof(value)));
	for (size_t i = 0; i < sizeof(value); i++)
		value[i] = (uint8_t)(i + 1);
	for (size_t len = 0; len <= sizeof(value); len++) {
		uint8_t *data = guard_put(&guard, value, len);

		assert_memory_equal(data, value, len);
		assert_true(guard_has(data, value, len));
		for (size_t i = 0; i < len; i++) {
			data[i] ^= (uint8_t)(1u << i % 8);
			assert_false(guard_has(data, value, len));
			data[i] = value[i];
		}
		if (len > 0 && !guard.poison)
			data[-1] ^= 1;
		assert_true(guard_has(data, value, len));
	}
}

/* A text ends with a NUL, which is the last readable byte. */
static void
test_text(void **state)
{
	static uint8_t value[SIZE];
	struct guard guard;

	assert_true(guard_init(&guard, SIZE));
	for (size_t i = 0; i < sizeof(LENS) / sizeof(LENS[0]); i++) {
		size_t len = LENS[i] < SIZE ? LENS[i] : SIZE - 1;
		uint8_t *data;

		memset(value, (int)i + 1, SIZE);
		data = guard_put_text(&guard, value, len);
		assert_true(guard_has(data, value, len));
		assert_int_equal(data[len], 0);
		if (guard.align)
			continue;
		assert_ptr_equal(data + len + 1, guard.end);
		assert_true(is_deadly(data + len + 1));
	}
	guard_clear(&guard);
	assert_null(guard.end);
	guard_clear(&guard);
}

/* For a sanitizer, the start is aligned. */
static void
test_align(void **state)
{
	static uint8_t value[SIZE];
	struct guard guard;

	assert_true(guard_init(&guard, SIZE));
	guard.align = true;
	for (size_t len = 0; len <= SIZE; len++) {
		uint8_t *data = guard_put(&guard, value, len);

		assert_int_equal((uintptr_t)data % 16, 0);
		assert_true(data + len <= guard.end);
		assert_true(guard.end - (data + len) < 16);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_put),
		cmocka_unit_test(test_has),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_align),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
