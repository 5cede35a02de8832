/*
 * ways: a target that fails on each input with a '!' in it, in the way that
 * MODE names. FLAGS: -Itests/e2e/lib -pthread
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe.h"

static volatile int zero;
static jmp_buf before;

static void
ways_exit(void)
{
	if (probe_is("exit-0"))
		exit(0);
	if (probe_is("exit-1"))
		exit(1);
	if (probe_is("exit-70"))
		exit(70);
	if (probe_is("exit-77"))
		exit(77);
	if (probe_is("exit-now"))
		_exit(3);
	if (probe_is("thread-exit"))
		pthread_exit(NULL);
	if (probe_is("longjmp"))
		longjmp(before, 1);
}

static int
ways_recurse(volatile char *above)
{
	char here[4096];

	here[0] = above[0];
	return ways_recurse(here) + here[0];
}

static void
ways_crash(void)
{
	void (*volatile nothing)(void) = NULL;
	char top = 1;

	if (probe_is("abort"))
		abort();
	if (probe_is("null"))
		*(volatile int *)NULL = 1;
	if (probe_is("call-null"))
		nothing();
	if (probe_is("trap"))
		__builtin_trap();
	if (probe_is("divide"))
		zero = (zero + 7) / zero;
	if (probe_is("bus"))
		raise(SIGBUS);
	if (probe_is("stack"))
		ways_recurse(&top);
}

static void
ways_signals(void)
{
	sigset_t all;
	int signo;

	if (probe_is("handlers-reset"))
		signal(SIGSEGV, SIG_DFL);
	if (probe_is("signals-blocked")) {
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
	}
	for (signo = 1; probe_is("signals-ignored") && signo < 65; signo++)
		signal(signo, SIG_IGN);
	if (probe_is("handlers-reset") || probe_is("signals-blocked") ||
		probe_is("signals-ignored"))
		*(volatile int *)NULL = 1;
}

static void
ways_surroundings(void)
{
	/* in one call: 65,536 of them take longer than a time limit beside load */
	if (probe_is("close-all") && syscall(SYS_close_range, 0, ~0u, 0) != 0)
		_exit(1);
	if (probe_is("umask"))
		umask(0777);
	if (probe_is("chdir") && chdir("/") != 0)
		_exit(1);
	if (probe_is("close-all") || probe_is("umask") || probe_is("chdir"))
		abort();
}

static void
ways_hang(void)
{
	sigset_t all;

	while (probe_is("loop"))
		zero = 0;
	if (probe_is("sleep"))
		probe_wait_for_ever();
	if (probe_is("deaf")) {
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
		for (;;)
			pause();
	}
	if (probe_is("stop"))
		raise(SIGSTOP);
}

static void
ways_fail(const uint8_t *data, size_t size)
{
	static uint64_t *first;

	/* Only the first one of a run: replays come later. */
	if (first == NULL)
		first = probe_number("failures");
	if (probe_add(first) == 1)
		probe_save("first", data, size);
	ways_exit();
	ways_crash();
	ways_signals();
	ways_surroundings();
	ways_hang();
	if (probe_is("fail-and-log"))
		fputs("a word before\n", stderr);
	if (probe_is("fail") || probe_is("fail-and-log"))
		cfuzz_fail("%zu bytes", size);
	if (probe_is("write-input"))
		*(uint8_t *)(uintptr_t)data ^= 1;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	/* Whoever jumps there finds a frame that is gone. */
	return setjmp(before);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0 && memchr(data, '!', size) != NULL)
		ways_fail(data, size);
	return 0;
}
