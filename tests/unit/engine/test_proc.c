/* What the system tells of processes: memory, times, children. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/proc.h"

#define MIB (1u << 20)

/* Takes so much memory of its own, says so, and waits for its end. */
static void
hold(size_t size, int say_fd)
{
	char *piece = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (piece == MAP_FAILED)
		_exit(1);
	memset(piece, 1, size);
	(void)!write(say_fd, "", 1);
	for (;;)
		pause();
}

static pid_t
start_holder(size_t size, size_t child_size)
{
	int ends[2], n = child_size > 0 ? 2 : 1;
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		setsid();
		if (child_size > 0 && fork() == 0)
			hold(child_size, ends[1]);
		hold(size, ends[1]);
	}
	while (n-- > 0)
		assert_int_equal(read(ends[0], &byte, 1), 1);
	close(ends[0]);
	close(ends[1]);
	return pid;
}

static void
end_holder(pid_t pid)
{
	kill(-pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static size_t
count_files(void)
{
	size_t n = 0;

	for (int fd = 0; fd < 1024; fd++) {
		int copy = dup(fd);

		n += copy >= 0;
		if (copy >= 0)
			close(copy);
	}
	return n;
}

/* Through the same files as through new ones, and of one after another. */
static void
test_memory(void **state)
{
	size_t files = count_files();
	struct proc_memory memory;
	uint64_t kb;
	pid_t pid;

	(void)state;
	proc_memory_init(&memory);
	for (unsigned size = 8; size <= 32; size *= 2) {
		pid = start_holder(size * MIB, 0);
		for (int look = 0; look < 3; look++) {
			kb = proc_memory_kb(&memory, pid);
			assert_in_range(kb, size << 10, (size << 10) + 8192);
		}
		assert_int_equal(count_files(), files + 2);
		end_holder(pid);
		assert_int_equal(proc_memory_kb(&memory, pid), 0);
		assert_int_equal(count_files(), files);
	}
	proc_memory_close(&memory);
	proc_memory_close(&memory);
}

static void
test_memory_of_children(void **state)
{
	pid_t pid = start_holder(4 * MIB, 32 * MIB), children[4];
	struct proc_memory memory;
	struct proc_times times;

	(void)state;
	proc_memory_init(&memory);
	assert_in_range(proc_memory_kb(&memory, pid), 36 << 10, 60 << 10);
	assert_int_equal(proc_children(pid, children, 4), 1);
	assert_true(proc_is_child(children[0], pid));
	assert_false(proc_is_child(children[0], getpid()));
	assert_true(proc_times(children[0], &times));
	assert_int_equal(times.parent, pid);
	assert_int_not_equal(times.state, 'Z');
	/* It is looked at again, not remembered. */
	kill(children[0], SIGKILL);
	while (proc_is_child(children[0], pid))
		usleep(1000);
	assert_in_range(proc_memory_kb(&memory, pid), 4 << 10, 12 << 10);
	end_holder(pid);
	assert_false(proc_times(pid, &times));
	assert_false(proc_is_child(pid, getpid()));
	assert_false(proc_is_child(0, 0));
	proc_memory_close(&memory);
}

/* With few descriptors left none is kept, and memory is seen all the same. */
static void
test_few_files(void **state)
{
	pid_t pid = start_holder(8 * MIB, 0);
	size_t files = count_files();
	struct rlimit old, few;
	struct proc_memory memory;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	few.rlim_cur = 40;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	proc_memory_init(&memory);
	assert_in_range(proc_memory_kb(&memory, pid), 8 << 10, 16 << 10);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_int_equal(count_files(), files);
	end_holder(pid);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_memory_of_children),
		cmocka_unit_test(test_few_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
