/*
 * A target whose first input byte chooses how it misbehaves; the table at
 * the end is the list. Other bytes, and what follows, walk a few branches.
 * VARIANTS: asan ubsan msan tsan
 */

#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cfuzz.h"

static volatile int sink;

static int *volatile null_pointer;

static void
fault_segv(const uint8_t *data, size_t size)
{
	*null_pointer = (int)size;
}

static void
fault_abort(const uint8_t *data, size_t size)
{
	abort();
}

static void
fault_assert(const uint8_t *data, size_t size)
{
	assert(size == 99999999);
}

static void
fault_divide(const uint8_t *data, size_t size)
{
#if defined(__aarch64__)
	raise(SIGFPE); /* arm64 divides by zero */
#else
	volatile int zero = 0;

	sink = (int)size / zero;
#endif
}

static void
fault_trap(const uint8_t *data, size_t size)
{
	raise(SIGTRAP);
}

static void
fault_illegal(const uint8_t *data, size_t size)
{
#if defined(__aarch64__)
	__asm__ volatile(".inst 0"); /* __builtin_trap() is a breakpoint */
#else
	__builtin_trap();
#endif
}

static void
fault_recurse(const uint8_t *data, size_t size)
{
	volatile char room[4096];

	room[0] = (char)size;
	fault_recurse(data, size + (size_t)room[0]);
	sink = room[0];
}

static void
fault_jump(const uint8_t *data, size_t size)
{
	void (*volatile nowhere)(void) = NULL;

	nowhere();
	sink = 1;
}

static void
fault_exit_0(const uint8_t *data, size_t size)
{
	exit(0);
}

static void
fault_exit_70(const uint8_t *data, size_t size)
{
	exit(70);
}

static void
fault_exit_now(const uint8_t *data, size_t size)
{
	_exit(3);
}

static void
fault_exit_quickly(const uint8_t *data, size_t size)
{
	quick_exit(4);
}

/* The other process calls exit(), and this one does not. */
static void
fault_exit_beside(const uint8_t *data, size_t size)
{
	pid_t pid = fork();

	if (pid == 0)
		exit(5);
	(void)waitpid(pid, NULL, 0);
	_exit(6);
}

static void
fault_kill(const uint8_t *data, size_t size)
{
	raise(SIGKILL);
}

static void
fault_term(const uint8_t *data, size_t size)
{
	raise(SIGTERM);
}

static void
fault_stop(const uint8_t *data, size_t size)
{
	raise(SIGSTOP);
}

static void
fault_hang(const uint8_t *data, size_t size)
{
	for (;;)
		sink++;
}

static void
fault_sleep(const uint8_t *data, size_t size)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (;;)
		pause();
}

static void
fault_modify(const uint8_t *data, size_t size)
{
	((uint8_t *)(uintptr_t)data)[size - 1] ^= 1;
}

static void
fault_fail(const uint8_t *data, size_t size)
{
	cfuzz_fail("input of %zu bytes, first %c", size, data[0]);
}

static void
fault_fail_silently(const uint8_t *data, size_t size)
{
	cfuzz_fail("%s", size > 1 ? " \n" : "");
}

static void
fault_close_low(const uint8_t *data, size_t size)
{
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
}

static void
fault_close_all(const uint8_t *data, size_t size)
{
	for (int fd = 3; fd < 4096; fd++)
		close(fd);
}

/* Speaks on every descriptor there is. */
static void
fault_junk(const uint8_t *data, size_t size)
{
	for (int fd = 3; fd < 4096; fd++)
		sink = (int)write(fd, "\n{}\n[[[", 7);
}

static void
fault_files(const uint8_t *data, size_t size)
{
	for (int i = 0; i < 100; i++)
		sink = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void
fault_daemon(const uint8_t *data, size_t size)
{
	if (fork() == 0) {
		setsid();
		if (fork() == 0)
			for (;;)
				pause();
		_exit(0);
	}
	wait(NULL);
}

/* Both go on as if nothing had happened. */
static void
fault_fork(const uint8_t *data, size_t size)
{
	sink = fork();
}

static void
fault_become_daemon(const uint8_t *data, size_t size)
{
	if (daemon(1, 1) != 0)
		abort();
	for (;;)
		pause();
}

static void
fault_orphan(const uint8_t *data, size_t size)
{
	kill(getppid(), SIGKILL);
	for (;;)
		pause();
}

static void
fault_heap(const uint8_t *data, size_t size)
{
	volatile char *room = malloc(8);

	if (room)
		room[8 + (size & 3)] = (char)data[0];
	free((void *)room);
}

static void
fault_overread(const uint8_t *data, size_t size)
{
	sink = ((const volatile uint8_t *)data)[size];
}

static void
fault_overflow(const uint8_t *data, size_t size)
{
	volatile int most = 2147483647;

	sink = most + (int)(size != 0);
}

static void
fault_uninitialised(const uint8_t *data, size_t size)
{
	volatile int *room = malloc(sizeof(int) * 4);

	if (room && room[size & 3])
		sink++;
	free((void *)room);
}

static volatile int racy;
static pthread_barrier_t race_begins, race_ends;

/*
 * Many times: of two accesses at the very same moment neither may be seen. TSan
 * may miss those of a thread that has ended: both wait for each other. With one
 * barrier for both ends, the second to leave it would be behind the first.
 */
static void *
fault_race_thread(void *arg)
{
	pthread_barrier_wait(&race_begins);
	for (int i = 0; i < 1000; i++)
		racy++;
	pthread_barrier_wait(&race_ends);
	return arg;
}

static void
fault_race(const uint8_t *data, size_t size)
{
	pthread_t one, two;

	pthread_barrier_init(&race_begins, NULL, 2);
	pthread_barrier_init(&race_ends, NULL, 2);
	pthread_create(&one, NULL, fault_race_thread, NULL);
	pthread_create(&two, NULL, fault_race_thread, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
}

static void
fault_chatter(const uint8_t *data, size_t size)
{
	static char line[4096];

	memset(line, '\033', sizeof(line));
	for (int i = 0; i < 2000; i++)
		sink = (int)write(2, line, sizeof(line));
}

/* A message of its own, and then a crash. */
static void
fault_like_ubsan(const uint8_t *data, size_t size)
{
	(void)fputs("a.js:1:2: runtime error: bad opcode\n", stderr);
	fault_abort(data, size);
}

/* Writes over everything that can be written to, above the heap. */
static void
fault_wild(const uint8_t *data, size_t size)
{
	unsigned long start, end;
	char line[512], mode[8];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %7s", &start, &end, mode) == 3 &&
			strcmp(mode, "rw-s") == 0)
			memset((void *)start, 0xa5, end - start);
	}
	if (maps)
		fclose(maps);
}

/* clang-format off */
static const struct fault {
	char name;
	void (*run)(const uint8_t *data, size_t size);
} FAULTS[] = {
	{ 's', fault_segv },
	{ 'a', fault_abort },
	{ 'A', fault_assert },
	{ 'f', fault_divide },
	{ 't', fault_trap },
	{ 'i', fault_illegal },
	{ 'R', fault_recurse },
	{ 'J', fault_jump },
	{ 'x', fault_exit_0 },
	{ 'y', fault_exit_70 },
	{ 'X', fault_exit_now },
	{ 'q', fault_exit_quickly },
	{ 'Q', fault_exit_beside },
	{ 'k', fault_kill },
	{ 'T', fault_term },
	{ 'S', fault_stop },
	{ 'h', fault_hang },
	{ 'H', fault_sleep },
	{ 'm', fault_modify },
	{ 'e', fault_fail },
	{ 'E', fault_fail_silently },
	{ 'c', fault_close_low },
	{ 'C', fault_close_all },
	{ 'j', fault_junk },
	{ 'p', fault_files },
	{ 'd', fault_daemon },
	{ 'F', fault_fork },
	{ 'D', fault_become_daemon },
	{ 'P', fault_orphan },
	{ 'b', fault_heap },
	{ 'o', fault_overread },
	{ 'u', fault_overflow },
	{ 'n', fault_uninitialised },
	{ 'r', fault_race },
	{ 'O', fault_chatter },
	{ 'w', fault_wild },
	{ 'L', fault_like_ubsan },
};
/* clang-format on */

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	for (size_t i = 0; i < sizeof(FAULTS) / sizeof(FAULTS[0]); i++) {
		if (FAULTS[i].name == (char)data[0]) {
			FAULTS[i].run(data, size);
			return 0;
		}
	}
	if (data[0] == '-')
		return -1;
	if (data[0] == '7')
		return 7;
	return 0;
}
