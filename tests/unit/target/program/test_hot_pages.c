/*
 * hot_pages: a child has copies of the pages that runs use, and of no other; a
 * run gets those that runs write.
 */

#include "target/program/hot_pages.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/scratch.h"
#include "target/program/page_pins.h"

#define PAGES 64u
#define RUNS 40u
#define LEARNING 16u /* of them */

static size_t page_size;
static volatile uint8_t sink;
static bool learning; /* the end of the next run has to be seen */

enum page_state {
	PAGE_ABSENT,
	PAGE_OF_FILE,
	PAGE_COPY
};

static uint64_t
entry_of(const uint8_t *at)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &entry, sizeof(entry),
				 (off_t)((uintptr_t)at / page_size *
					 sizeof(entry))),
		sizeof(entry));
	close(fd);
	return entry;
}

static enum page_state
state_of(const uint8_t *at)
{
	uint64_t entry = entry_of(at);

	if (!(entry >> 63))
		return PAGE_ABSENT;
	return entry >> 61 & 1 ? PAGE_OF_FILE : PAGE_COPY;
}

/* A private file whose pages hold their numbers; the first is a copy already. */
static uint8_t *
map_file(const struct scratch *scratch)
{
	int fd = openat(scratch->dirfd, "code", O_RDWR | O_CREAT | O_CLOEXEC,
		0600);
	uint8_t *map;

	page_size = (size_t)sysconf(_SC_PAGESIZE);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)(PAGES * page_size)), 0);
	for (uint8_t i = 0; i < PAGES; i++)
		assert_int_equal(pwrite(fd, &i, 1, (off_t)(i * page_size)), 1);
	map = mmap(NULL, PAGES * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
		fd, 0);
	assert_true(map != MAP_FAILED);
	close(fd);
	map[0] = 77;
	assert_int_equal(mprotect(map, PAGES * page_size, PROT_READ), 0);
	return map;
}

/* Each run uses page 9; one of them page 30 as well. */
static bool
run(struct hot_pages *hot, const uint8_t *map, bool other)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		sink = map[9 * page_size];
		if (other)
			sink = map[30 * page_size];
		if (learning)
			hot_pages_on_end(hot);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	learning = hot_pages_on_run(hot);
	return learning;
}

static void
assert_settled(const uint8_t *map)
{
	for (size_t i = 0; i < PAGES; i++)
		assert_int_equal(state_of(map + i * page_size),
			i == 0 || i == 9 || i == 30 ? PAGE_COPY : PAGE_ABSENT);
}

/* The next child is a process of its own, which runs nothing first. */
static void
assert_next_child(struct hot_pages *hot, const uint8_t *map)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		if (hot_pages_on_child(hot))
			_exit(2);
		_exit(state_of(map + 9 * page_size) == PAGE_COPY &&
					state_of(map + 10 * page_size) ==
						PAGE_ABSENT
				? 0
				: 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
test_learns(void **state)
{
	uint8_t *map = map_file(*state);
	struct hot_pages *hot = hot_pages_open();

	assert_non_null(hot);
	learning = hot_pages_on_child(hot);
	assert_true(learning);
	for (unsigned i = 0; i < RUNS; i++)
		assert_true(run(hot, map, i == 3) == (i < LEARNING - 1));
	assert_settled(map);
	assert_next_child(hot, map);
	/* Nothing has changed for the program. */
	assert_int_equal(map[0], 77);
	for (size_t i = 1; i < PAGES; i++)
		assert_int_equal(map[i * page_size], i);
	munmap(map, PAGES * page_size);
}

/* Pages that the child has used meanwhile are unmapped now and then. */
static void
test_trims(void **state)
{
	uint8_t *map = map_file(*state);
	struct hot_pages *hot = hot_pages_open();

	learning = hot_pages_on_child(hot);
	for (unsigned i = 0; i < RUNS; i++)
		(void)run(hot, map, i == 3);
	/* Until the second round of learning, and after it. */
	for (unsigned i = 0; i < 2; i++) {
		sink = map[50 * page_size];
		assert_int_equal(state_of(map + 50 * page_size), PAGE_OF_FILE);
		for (unsigned n = 0; n < 1024; n++)
			learning = hot_pages_on_run(hot);
	}
	assert_settled(map);
	munmap(map, PAGES * page_size);
}

/*
 * Each run writes page 9, and one of them page 30. As bits: which of the two a
 * run has to itself when it begins.
 */
static int
run_writing(struct hot_pages *hot, uint8_t *map, bool other)
{
	uint8_t *often = map + 9 * page_size, *seldom = map + 30 * page_size;
	pid_t pid = fork();
	int status, own;

	assert_true(pid >= 0);
	if (pid == 0) {
		own = (int)(entry_of(often) >> 56 & 1) |
			(int)(entry_of(seldom) >> 56 & 1) << 1;
		++*often;
		if (other)
			++*seldom;
		if (learning)
			hot_pages_on_end(hot);
		_exit(own);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	learning = hot_pages_on_run(hot);
	return WEXITSTATUS(status);
}

static void
test_written(void **state)
{
	struct iovec probe;
	struct hot_pages *hot = hot_pages_open();
	uint8_t *map;

	page_size = (size_t)sysconf(_SC_PAGESIZE);
	map = mmap(NULL, PAGES * page_size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(map != MAP_FAILED);
	(void)madvise(map, PAGES * page_size, MADV_NOHUGEPAGE);
	memset(map, 1, PAGES * page_size);
	probe = (struct iovec){ map, page_size };
	if (!page_pins_set(&probe, 1))
		skip(); /* no io_uring here */
	learning = hot_pages_on_child(hot);
	for (unsigned i = 0; i < LEARNING; i++)
		assert_int_equal(run_writing(hot, map, i == 3), 0);
	for (unsigned i = LEARNING; i < RUNS; i++)
		assert_int_equal(run_writing(hot, map, i == 3), 1);
	/* The runs had copies. */
	for (size_t i = 0; i < PAGES * page_size; i++)
		assert_int_equal(map[i], 1);
	munmap(map, PAGES * page_size);
}

/* The first runs may use less than later ones. */
static void
test_learns_again(void **state)
{
	uint8_t *map = map_file(*state);
	struct hot_pages *hot = hot_pages_open();
	unsigned i;

	learning = hot_pages_on_child(hot);
	for (i = 0; i < LEARNING; i++)
		(void)run(hot, map, false);
	assert_false(learning);
	for (; !learning; i++) {
		assert_in_range(i, LEARNING, 1024);
		learning = hot_pages_on_run(hot);
	}
	for (i = 0; i < LEARNING; i++)
		(void)run(hot, map, true);
	assert_false(learning);
	assert_settled(map);
	munmap(map, PAGES * page_size);
}

/* A thread of the run may crash meanwhile. */
static void
test_crashed(void **state)
{
	struct hot_pages *hot = hot_pages_open();

	(void)signal(SIGSYS, SIG_DFL); /* not cmocka's */
	assert_true(hot_pages_on_child(hot));
	hot_pages_set_ending(hot, true);
	assert_false(hot_pages_was_ended(hot, SIGSEGV));
	/* That was the end of this run alone. */
	assert_false(hot_pages_was_ended(hot, 0));
	assert_true(hot_pages_on_run(hot));
	hot_pages_set_ending(hot, true);
	assert_true(hot_pages_was_ended(hot, SIGSYS));
	assert_false(hot_pages_on_run(hot));
}

static void
on_call(int signo)
{
}

/* clang-format off */
static const struct handled_row {
	const char *name;
	void (*handler)(int); /* of the program, for SIGSYS */
	bool ended;           /* a crash amid the look is a sandbox's */
} HANDLED[] = {
	{ "none", SIG_DFL, false },
	{ "ignored", SIG_IGN, false },
	{ "a sandbox's", on_call, true },
};
/* clang-format on */

/* A sandbox whose handler crashes. */
static void
test_handled(void **state)
{
	const struct handled_row *row;
	struct hot_pages *hot;

	for (row = HANDLED; row < HANDLED + 3; row++) {
		hot = hot_pages_open();
		assert_true(hot_pages_on_child(hot));
		(void)signal(SIGSYS, row->handler);
		hot_pages_set_ending(hot, true);
		(void)signal(SIGSYS, SIG_DFL);
		if (hot_pages_was_ended(hot, SIGSEGV) != row->ended ||
			hot_pages_on_run(hot) == row->ended)
			fail_msg("%s", row->name);
	}
}

/* After a run that ended amid its look at its pages, no other has to look. */
static void
test_ended(void **state)
{
	struct hot_pages *hot = hot_pages_open();

	assert_true(hot_pages_on_child(hot));
	assert_true(hot_pages_on_run(hot));
	assert_false(hot_pages_was_ended(hot, 0));
	hot_pages_set_ending(hot, true);
	hot_pages_set_ending(hot, false);
	assert_false(hot_pages_was_ended(hot, 0));
	hot_pages_on_end(hot);
	assert_false(hot_pages_was_ended(hot, 0));
	hot_pages_set_ending(hot, true);
	assert_true(hot_pages_was_ended(hot, 0));
	assert_false(hot_pages_was_ended(hot, 0));
	assert_false(hot_pages_on_run(hot));
	assert_false(hot_pages_on_child(hot));
}

static void
test_nothing(void **state)
{
	hot_pages_set_ending(NULL, true);
	assert_false(hot_pages_was_ended(NULL, 0));
	assert_false(hot_pages_on_child(NULL));
	assert_false(hot_pages_on_run(NULL));
	hot_pages_on_end(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_learns, scratch_open,
			scratch_close),
		cmocka_unit_test_setup_teardown(test_learns_again, scratch_open,
			scratch_close),
		cmocka_unit_test_setup_teardown(test_trims, scratch_open,
			scratch_close),
		cmocka_unit_test(test_written),
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_crashed),
		cmocka_unit_test(test_handled),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests_name("target/hot_pages", tests, NULL,
		NULL);
}
