/*
 * shared_pages: a forked process changes the ranges and nothing beside them.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "target/program/shared_pages.h"

#define PAGES 8u

struct memory {
	uint8_t *start;
	size_t page, len;
};

/* Pages with different bytes; one is all zero. */
static struct memory
memory_make(void)
{
	struct memory m = { .page = (size_t)sysconf(_SC_PAGESIZE) };

	m.len = PAGES * m.page;
	m.start = mmap(NULL, m.len, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(m.start != MAP_FAILED);
	for (size_t i = 0; i < m.len; i++)
		m.start[i] = (uint8_t)(i / m.page == 5 ? 0 : 1 + i % 251);
	return m;
}

/* A process writes all bytes. */
static void
overwrite(const struct memory *m)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		memset(m->start, 255, m->len);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static bool
is_in(const uint8_t *at, const struct shared_range *ranges, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (at >= ranges[i].start &&
			at < ranges[i].start + ranges[i].len)
			return true;
	return false;
}

/* The ranges are shared, all other bytes are as they were. */
static void
assert_shares(const struct memory *m, struct shared_range *ranges, uint32_t n)
{
	static struct shared_pages pages;
	uint8_t *before = mmap(NULL, m->len, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(before, m->start, m->len);
	assert_true(shared_pages_open(&pages, ranges, n));
	assert_memory_equal(m->start, before, m->len);
	for (int round = 0; round < 2; round++) {
		shared_pages_save(&pages);
		overwrite(m);
		shared_pages_restore(&pages);
		for (size_t i = 0; i < m->len; i++) {
			if (is_in(m->start + i, ranges, n))
				assert_int_equal(m->start[i], 255);
			else
				assert_int_equal(m->start[i], before[i]);
		}
	}
	munmap(before, m->len);
	munmap(m->start, m->len);
}

static void
test_one(void **state)
{
	struct memory m = memory_make();
	struct shared_range ranges[] = { { m.start + m.page + 100, 17 } };

	assert_shares(&m, ranges, 1);
}

static void
test_whole_pages(void **state)
{
	struct memory m = memory_make();
	struct shared_range ranges[] = { { m.start + m.page, 2 * m.page } };

	assert_shares(&m, ranges, 1);
}

/* Unsorted, several on one page, across pages, next to each other. */
static void
test_many(void **state)
{
	struct memory m = memory_make();
	struct shared_range ranges[] = {
		{ m.start + 4 * m.page - 5, m.page + 10 },
		{ m.start + 10, 20 },
		{ m.start + 100, 1 },
		{ m.start + 30, 5 },
		{ m.start + m.page - 1, 2 },
		{ m.start + 7 * m.page, m.page },
	};

	assert_shares(&m, ranges, sizeof(ranges) / sizeof(ranges[0]));
}

static void
test_none(void **state)
{
	struct memory m = memory_make();

	assert_shares(&m, NULL, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_whole_pages),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests_name("target/shared_pages", tests, NULL,
		NULL);
}
