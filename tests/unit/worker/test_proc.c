/* test_proc: memory, times and children of processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/kcmp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/proc.h"
#include "worker/proc_memory.h"

#define MIB (1u << 20)
/* Kernels may count a process's last pages late. */
#define LATE_MIB 2u

/* Memory that each forked process has from us: much with AddressSanitizer. */
static size_t
ours_kb(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	size_t kb = 0;
	char line[128];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "RssAnon: %zu kB", &kb) == 1)
			break;
	assert_int_equal(fclose(f), 0);
	return kb;
}

static void
take(size_t size)
{
	char *piece = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (piece == MAP_FAILED)
		_exit(1);
	memset(piece, 1, size);
}

/* Allocates memory of its own, reports that, and waits to be killed. */
static void
hold(size_t size, int say_fd)
{
	/* An orphan must not outlive the leader of its session. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	take(size);
	(void)!write(say_fd, "", 1);
	for (;;)
		pause();
}

/* Processes that a holder starts, besides holding memory itself. */
enum more {
	NOTHING,
	CHILD,      /* with memory */
	GRANDCHILD, /* with memory, below a child with little */
	ORPHAN,     /* with memory; its parent has ended */
	THREAD_CHILD,
	BORROWER, /* a child that shares its parent's memory */
	MANY,     /* many children with a little memory each */
	CROWD,    /* more than a page lists; the last child has memory */
};
#define MANY_N 100
#define CROWD_N 900

struct more_arg {
	size_t size;
	int say_fd;
};

static int
borrow(void *arg)
{
	const struct more_arg *more = arg;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)!write(more->say_fd, "", 1);
	for (;;)
		pause();
	return 0;
}

static void *
start_on_thread(void *arg)
{
	const struct more_arg *more = arg;

	if (fork() == 0)
		hold(more->size, more->say_fd);
	for (;;)
		pause();
	return NULL;
}

static void
start_more(enum more more, const struct more_arg *arg)
{
	static char stack[65536] __attribute__((aligned(16)));
	pid_t pid, parent;
	pthread_t thread;

	switch (more) {
	case NOTHING:
		return;
	case CHILD:
		if (fork() == 0)
			hold(arg->size, arg->say_fd);
		return;
	case GRANDCHILD:
	case ORPHAN:
		pid = fork();
		if (pid != 0) {
			if (more == ORPHAN)
				waitpid(pid, NULL, 0);
			return;
		}
		parent = getpid();
		if (fork() == 0) {
			while (more == ORPHAN && getppid() == parent)
				sched_yield();
			hold(arg->size, arg->say_fd);
		}
		if (more == ORPHAN)
			_exit(0);
		for (;;)
			pause();
	case THREAD_CHILD:
		pthread_create(&thread, NULL, start_on_thread, (void *)arg);
		return;
	case BORROWER:
		clone(borrow, stack + sizeof(stack), CLONE_VM | SIGCHLD,
			(void *)arg);
		return;
	case MANY:
		for (int i = 0; i < MANY_N; i++)
			if (fork() == 0)
				hold(arg->size / MANY_N, arg->say_fd);
		return;
	case CROWD:
		for (int i = 1; i <= CROWD_N; i++) {
			pid = fork();
			if (pid == 0)
				hold(i < CROWD_N ? 1 : arg->size, arg->say_fd);
			if (pid < 0)
				kill(0, SIGKILL); /* nobody waits for more */
		}
		return;
	}
}

static int
count_more(enum more more)
{
	if (more == MANY)
		return MANY_N;
	return more == CROWD ? CROWD_N : more != NOTHING;
}

static pid_t
start_holder(size_t size, enum more more, size_t more_size)
{
	int ends[2], n = 1 + count_more(more);
	struct more_arg arg;
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		setsid();
		arg = (struct more_arg){ more_size, ends[1] };
		/* A later fork would copy the memory held. */
		if (more == BORROWER)
			take(more_size);
		start_more(more, &arg);
		hold(size, ends[1]);
	}
	close(ends[1]); /* or nothing ends the wait for a fork that failed */
	while (n-- > 0)
		assert_int_equal(read(ends[0], &byte, 1), 1);
	close(ends[0]);
	return pid;
}

static void
end_holder(pid_t pid)
{
	kill(-pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* Holders that a failed test has left, or the next one would wait for them. */
static int
end_holders(void **state)
{
	pid_t children[64];
	size_t n = proc_children(getpid(), children, 64);

	while (n-- > 0)
		kill(-children[n], SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		continue;
	return 0;
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

/* With few descriptors none are kept: see test_few_files(). */
static size_t
kept_files(void)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	return limit.rlim_cur >= 64 ? 4 : 0;
}

/* Through open files as through new ones, for one process after another. */
static void
test_memory(void **state)
{
	size_t files = count_files(), ours = ours_kb() + 4096, more;
	struct proc_memory memory;
	uint64_t kb;
	pid_t pid;

	proc_memory_init(&memory);
	assert_int_equal(proc_memory_kb(&memory, getpid()), 0);
	proc_memory_open(&memory, getpid());
	for (unsigned size = 8; size <= 32; size *= 2) {
		/* the shadow of AddressSanitizer is an eighth */
		more = ours + (size << 7) + (LATE_MIB << 10);
		pid = start_holder((size + LATE_MIB) * MIB, NOTHING, 0);
		for (int look = 0; look < 3; look++) {
			kb = proc_memory_kb(&memory, pid);
			assert_in_range(kb, size << 10, (size << 10) + more);
		}
		assert_int_equal(count_files(), files + kept_files());
		/* Any wrong pid gives the same sum. */
		assert_in_range(proc_memory_kb(&memory, 1), size << 10,
			(size << 10) + more);
		assert_in_range(proc_memory_kb(&memory, 0), size << 10,
			(size << 10) + more);
		end_holder(pid);
		assert_int_equal(proc_memory_kb(&memory, pid), 0);
	}
	proc_memory_close(&memory);
	proc_memory_close(&memory);
	assert_int_equal(count_files(), files);
}

/* Each of many has some memory of its own: much with AddressSanitizer. */
#ifdef __SANITIZE_ADDRESS__
#define MANY_KB_MAX (1 << 20)
#else
#define MANY_KB_MAX (180 << 10)
#endif

/* Descendants count at any depth; shared memory counts once. */
static void
test_memory_of_descendants(void **state)
{
	static const enum more ALL[] = { CHILD, GRANDCHILD, ORPHAN,
		THREAD_CHILD, BORROWER, MANY };
	struct proc_memory memory;
	pid_t pid;

	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	proc_memory_init(&memory);
	for (size_t i = 0; i < sizeof(ALL) / sizeof(ALL[0]); i++) {
		/* The kernel may not allow kcmp(). */
		if (ALL[i] == BORROWER &&
			syscall(SYS_kcmp, getpid(), getpid(), KCMP_VM, 0, 0) !=
				0)
			continue;
		proc_memory_open(&memory, getpid());
		pid = start_holder(4 * MIB, ALL[i], 100 * MIB);
		for (int look = 0; look < 2; look++)
			assert_in_range(proc_memory_kb(&memory, pid), 100 << 10,
				ALL[i] == MANY ? MANY_KB_MAX : 130 << 10);
		end_holder(pid);
		while (waitpid(-1, NULL, 0) > 0)
			continue;
		assert_int_equal(proc_memory_kb(&memory, pid), 0);
	}
	proc_memory_close(&memory);
}

/* However long the list of children is, the last one counts. */
static void
test_memory_of_crowd(void **state)
{
	static pid_t children[CROWD_N + 1];
	struct proc_memory memory;
	uint64_t with, without;
	pid_t pid;

	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	proc_memory_init(&memory);
	proc_memory_open(&memory, getpid());
	pid = start_holder(1, CROWD, 64 * MIB);
	assert_int_equal(proc_children(pid, children, CROWD_N + 1), CROWD_N);
	with = proc_memory_kb(&memory, pid);
	kill(children[CROWD_N - 1], SIGKILL);
	while (proc_is_child(children[CROWD_N - 1], pid))
		usleep(1000);
	without = proc_memory_kb(&memory, pid);
	assert_true(with >= without + (60 << 10));
	end_holder(pid);
	/* The others are ours now, and would count. */
	while (waitpid(-1, NULL, 0) > 0)
		continue;
	proc_memory_close(&memory);
}

/* Earlier children are exempt; the process itself may be the expected one. */
static void
test_memory_of_fork_server(void **state)
{
	pid_t before = start_holder(40 * MIB, NOTHING, 0), pid;
	/* AddressSanitizer keeps what earlier tests have freed. */
	size_t ours = ours_kb();
	struct proc_memory memory;
	char *piece;

	proc_memory_init(&memory);
	proc_memory_open(&memory, getpid());
	assert_int_equal(proc_memory_kb(&memory, before), 0);
	pid = start_holder((8 + LATE_MIB) * MIB, NOTHING, 0);
	assert_in_range(proc_memory_kb(&memory, pid), 8 << 10,
		((12 + LATE_MIB) << 10) + ours_kb());
	piece = mmap(NULL, 40 * MIB, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(piece != MAP_FAILED);
	memset(piece, 1, 40 * MIB);
	assert_in_range(proc_memory_kb(&memory, getpid()), 48 << 10,
		(80 << 10) + ours);
	munmap(piece, 40 * MIB);
	end_holder(pid);
	end_holder(before);
	proc_memory_close(&memory);
}

static void
test_relations(void **state)
{
	pid_t pid = start_holder(4 * MIB, CHILD, 4 * MIB), children[4];
	struct proc_times times;

	assert_int_equal(proc_children(pid, children, 4), 1);
	assert_true(proc_is_child(children[0], pid));
	assert_false(proc_is_child(children[0], getpid()));
	assert_true(proc_times(children[0], &times));
	assert_int_equal(times.parent, pid);
	assert_int_not_equal(times.state, 'Z');
	kill(children[0], SIGKILL);
	while (proc_is_child(children[0], pid))
		usleep(1000);
	end_holder(pid);
	assert_false(proc_times(pid, &times));
	assert_false(proc_is_child(pid, getpid()));
	assert_false(proc_is_child(0, 0));
}

/* Here a number inside is the one outside: which processes are looked at? */
static void
test_inside(void **state)
{
	static const struct {
		const char *name;
		enum more more;
		bool below; /* of the child */
	} cases[] = {
		{ "child", CHILD, false },
		{ "grandchild", GRANDCHILD, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		pid_t pid = start_holder(4 * MIB, cases[i].more, 4 * MIB), it;

		print_message("%s\n", cases[i].name);
		assert_int_equal(proc_children(pid, &it, 1), 1);
		if (cases[i].below)
			assert_int_equal(proc_children(it, &it, 1), 1);
		assert_int_equal(proc_descendant_inside(pid, it), it);
		assert_int_equal(proc_descendant_inside(pid, getpid()), 0);
		assert_int_equal(proc_descendant_inside(0, it), 0);
		end_holder(pid);
	}
}

/* With few descriptors left no file stays open, but memory is measured. */
static void
test_few_files(void **state)
{
	pid_t pid;
	size_t files = count_files();
	struct rlimit old, few;
	struct proc_memory memory;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	few.rlim_cur = files + 4;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	proc_memory_init(&memory);
	proc_memory_open(&memory, getpid());
	pid = start_holder(8 * MIB, CHILD, 8 * MIB);
	assert_in_range(proc_memory_kb(&memory, pid), 16 << 10,
		(20 << 10) + 2 * ours_kb());
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_int_equal(count_files(), files);
	end_holder(pid);
	proc_memory_close(&memory);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_memory, end_holders),
		cmocka_unit_test_teardown(test_memory_of_descendants,
			end_holders),
		cmocka_unit_test_teardown(test_memory_of_crowd, end_holders),
		cmocka_unit_test_teardown(test_memory_of_fork_server,
			end_holders),
		cmocka_unit_test_teardown(test_relations, end_holders),
		cmocka_unit_test_teardown(test_inside, end_holders),
		cmocka_unit_test_teardown(test_few_files, end_holders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
