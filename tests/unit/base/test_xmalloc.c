/*
 * test_xmalloc: allocation, and the end of the program without memory.
 */

#include "base/xmalloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/scratch.h"

/* More than any address space, also where memory is overcommitted. */
#define HUGE_SIZE ((size_t)1 << 56)

/* The allocator of a sanitizer ends the program itself. */
#if defined(__SANITIZE_ADDRESS__)
#define FIRST_WAY 3
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIRST_WAY 3
#endif
#endif
#ifndef FIRST_WAY
#define FIRST_WAY 0
#endif
#define WAYS 5

static void
test_contents(void **state)
{
	char *text = xasprintf("%s-%d", "abc", 42);
	char *copy = xstrdup(text), *start = xstrndup(text, 3);
	char *same = xstrndup("ab", 100);
	uint8_t *zero = xcalloc(4, 8), *mem = xmemdup("xyz", 3);

	assert_string_equal(copy, "abc-42");
	assert_string_equal(start, "abc");
	assert_string_equal(same, "ab");
	assert_memory_equal(mem, "xyz", 3);
	for (int i = 0; i < 32; i++)
		assert_int_equal(zero[i], 0);
	mem = xrealloc(mem, 100);
	assert_memory_equal(mem, "xyz", 3);
	mem = xreallocarray(mem, 10, 100);
	assert_memory_equal(mem, "xyz", 3);
	free(text);
	free(copy);
	free(start);
	free(same);
	free(zero);
	free(mem);
}

/* A list that grows by any number of items and shrinks in between. */
static void
test_grow(void **state)
{
	static const size_t more[] = { 0, 1, 1, 15, 1, 100, 3, 1000 };
	uint32_t *items = NULL;
	size_t n = 0;

	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		items = xgrow(items, n, more[i], sizeof(*items));
		for (size_t k = 0; k < more[i]; k++, n++)
			items[n] = (uint32_t)n;
	}
	for (size_t i = 0; i < n; i++)
		assert_int_equal(items[i], i);
	for (n = 20; n < 70; n++) {
		items = xgrow(items, n, 1, sizeof(*items));
		items[n] = 7;
	}
	assert_int_equal(items[19], 19);
	assert_int_equal(items[69], 7);
	free(items);
}

static void
test_nothing_is_something(void **state)
{
	void *all[] = { xmalloc(0), xcalloc(0, 8), xcalloc(8, 0),
		xrealloc(NULL, 0), xreallocarray(NULL, 0, 8), xmemdup("", 0) };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		assert_non_null(all[i]);
		free(all[i]);
	}
}

static volatile size_t too_much = HUGE_SIZE; /* hidden from the compiler */

static void
run_out(int how)
{
	switch (how) {
	case 0:
		free(xmalloc(too_much));
		break;
	case 1:
		free(xcalloc(too_much, 1));
		break;
	case 2:
		free(xrealloc(NULL, too_much));
		break;
	case 3:
		free(xreallocarray(NULL, SIZE_MAX / 2, too_much));
		break;
	default:
		xmalloc_fail();
	}
}

static void
test_out_of_memory(void **state)
{
	for (int how = FIRST_WAY; how < WAYS; how++) {
		char text[64] = "";
		int fds[2], status;
		pid_t pid;

		assert_int_equal(pipe(fds), 0);
		pid = fork();
		if (pid == 0) {
			dup2(fds[1], STDERR_FILENO);
			run_out(how);
			_exit(0);
		}
		close(fds[1]);
		assert_true(read(fds[0], text, sizeof(text) - 1) > 0);
		close(fds[0]);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), XMALLOC_EXIT_STATUS);
		assert_string_equal(text,
			"cfuzz: out of memory: Cannot allocate memory\n");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contents),
		cmocka_unit_test(test_grow),
		cmocka_unit_test(test_nothing_is_something),
		cmocka_unit_test(test_out_of_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
