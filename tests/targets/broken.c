/*
 * A target that spoils the handling of its own crash: the first byte of its
 * input says how, the second whether before any frame was found or after. It
 * gives the functions by which stacks are walked. FLAGS: -fno-builtin
 */
#include <execinfo.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <unwind.h>

static volatile int mode, sink;
static volatile bool early, going_on;
static int *volatile nowhere;

static int
broken_dive(volatile char *above)
{
	char here[1024];

	here[0] = above[0];
	return broken_dive(here) + here[0];
}

static void
broken_walk(void)
{
	char top = 1;

	if (mode == 'f')
		*nowhere = 1;
	if (mode == 'd')
		sink = broken_dive(&top);
	while (mode == 'l' || mode == 't')
		sink++;
}

_Unwind_Reason_Code
_Unwind_Backtrace(_Unwind_Trace_Fn fn, void *arg)
{
	void *codes[64];
	int n = backtrace(codes, 64);

	if (early)
		broken_walk();
	for (int i = 0; i < n; i++)
		if (fn(codes[i], arg) != _URC_NO_REASON)
			break;
	broken_walk();
	return _URC_END_OF_STACK;
}

_Unwind_Ptr
_Unwind_GetIP(struct _Unwind_Context *context)
{
	return (_Unwind_Ptr)context;
}

_Unwind_Word
_Unwind_GetCFA(struct _Unwind_Context *context)
{
	return 0;
}

static void
broken_on_signal(int signo)
{
	*nowhere = signo;
}

static void
broken_go_on(int signo)
{
	going_on = true;
}

/* Has its stack sampled, till SIGUSR1; 'p': there is another signal then. */
static void
broken_be_sampled(uint8_t how)
{
	sigset_t set;

	signal(SIGUSR1, broken_go_on);
	while (!going_on)
		sink++;
	if (how != 'p')
		return;
	sigemptyset(&set);
	sigaddset(&set, SIGURG);
	sigprocmask(SIG_BLOCK, &set, NULL);
	do {
		sigpending(&set);
	} while (!sigismember(&set, SIGURG));
}

static void
broken_trap(void)
{
#if defined(__x86_64__)
	__asm__ volatile("int3");
#elif defined(__aarch64__)
	__asm__ volatile("brk #0");
#else
	raise(SIGTRAP);
#endif
}

/* What lies on top of the stack looks like the address behind a call. */
static void
broken_trap_on_address(void)
{
#if defined(__x86_64__)
	__asm__ volatile("call 1f\n1:\tint3");
#endif
	broken_trap();
}

__attribute__((noinline)) static void
broken_crash(uint8_t how)
{
	if (how == 'p' || how == 'u')
		broken_be_sampled(how);
	mode = how == 'u' ? 't' : how == 'c' ? 'f' : how;
	if (how == 'c')
		broken_trap_on_address();
	if (how == 'p' || mode == 't')
		broken_trap();
	if (how == 'h') {
		signal(SIGSEGV, broken_on_signal);
		*nowhere = 1;
	}
	if (how == 'x') {
		signal(SIGSEGV, _exit);
		*nowhere = 1;
	}
	abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2 || data[0] < 'a')
		return 0;
	early = data[1] == 'e';
	broken_crash(data[0]);
	return 0;
}
