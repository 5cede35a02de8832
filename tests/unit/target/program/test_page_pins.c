/* page_pins: a forked process has a copy of a pinned page from the start. */

#include "target/program/page_pins.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/scratch.h"

#define PAGES 8u

static uint8_t *
map_pages(size_t page)
{
	uint8_t *map = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(map != MAP_FAILED);
	(void)madvise(map, PAGES * page, MADV_NOHUGEPAGE);
	memset(map, 1, PAGES * page);
	return map;
}

/* Which pages does this process alone have? As bits. */
static int
own_pages(const uint8_t *map, size_t page)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), own = 0;
	uint64_t entries[PAGES];

	if (fd < 0 ||
		pread(fd, entries, sizeof(entries),
			(off_t)((uintptr_t)map / page * sizeof(entries[0]))) !=
			sizeof(entries))
		_exit(255);
	close(fd);
	for (unsigned i = 0; i < PAGES; i++)
		own |= (int)(entries[i] >> 56 & 1) << i;
	return own;
}

static int
forked_pages(const uint8_t *map, size_t page)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(own_pages(map, page));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
test_pinned(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *map = map_pages(page);
	const struct iovec ranges[] = {
		{ map + page, page },
		{ map + 4 * page, 2 * page },
	};

	assert_int_equal(forked_pages(map, page), 0);
	if (!page_pins_set(ranges, 2))
		skip(); /* no io_uring here */
	assert_int_equal(forked_pages(map, page), 1 << 1 | 1 << 4 | 1 << 5);
	for (size_t i = 0; i < PAGES * page; i++)
		assert_int_equal(map[i], 1);
}

static void
test_refused(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *map = map_pages(page);
	const struct iovec nothing = { (void *)page, page };
	int fd, next;

	fd = dup(STDIN_FILENO);
	close(fd);
	assert_false(page_pins_set(&nothing, 1));
	next = dup(STDIN_FILENO);
	assert_int_equal(next, fd);
	close(next);
	assert_int_equal(forked_pages(map, page), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pinned),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests_name("target/page_pins", tests, NULL,
		NULL);
}
