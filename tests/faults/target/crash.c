/* Inputs that end the process. */
#include <setjmp.h>
#include <signal.h>
#include <sys/syscall.h>

#include "fault.h"

static volatile int zero;

FAULT(crash_null, *(volatile int *)8 = 1)
FAULT(crash_abort, abort())
FAULT(crash_divide, zero = ((int)size + 7) / zero)
FAULT(crash_illegal, __builtin_trap())
FAULT(crash_exit_0, exit(0))
FAULT(crash_exit_1, exit(1))
FAULT(crash_exit_70, exit(70))
FAULT(crash_exit_77, exit(77))
FAULT(crash_exit_now, _exit(0))
FAULT(crash_exit_now_70, _Exit(70))
FAULT(crash_exit_group, syscall(SYS_exit_group, 0))

static int
recurse(volatile char *above)
{
	volatile char here[4096];

	here[0] = above[0];
	return recurse(here) + here[0];
}

static void
crash_recursion(const uint8_t *data, size_t size)
{
	char top = (char)data[0];

	fault_sink += (uint64_t)recurse(&top);
}

static void
on_signal_recurse(int signo)
{
	char top = (char)signo;

	fault_sink += (uint64_t)recurse(&top);
}

static void
handle(void (*handler)(int), int flags)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = flags };

	sigemptyset(&sa.sa_mask);
	sigaction(SIGSEGV, &sa, NULL);
}

/* The handler has a stack of its own, with room for nothing. */
static void
crash_small_stack(const uint8_t *data, size_t size)
{
	static char room[1 << 16];
	const stack_t stack = { .ss_sp = room, .ss_size = MINSIGSTKSZ };

	sigaltstack(&stack, NULL);
	handle(on_signal_recurse, SA_ONSTACK);
	crash_recursion(data, size);
}

static void
crash_handler_recurses(const uint8_t *data, size_t size)
{
	handle(on_signal_recurse, 0);
	crash_null(data, size);
}

static void
crash_ignored(const uint8_t *data, size_t size)
{
	for (int signo = 1; signo < 65; signo++)
		signal(signo, SIG_IGN);
	crash_null(data, size);
}

static void
crash_default(const uint8_t *data, size_t size)
{
	for (int signo = 1; signo < 65; signo++)
		signal(signo, SIG_DFL);
	crash_null(data, size);
}

static void
on_signal_exit(int signo)
{
	_exit(0);
}

static void
crash_handler_exits(const uint8_t *data, size_t size)
{
	handle(on_signal_exit, 0);
	crash_null(data, size);
}

static sigjmp_buf safe;

static void
on_signal_jump(int signo)
{
	siglongjmp(safe, 1);
}

/* It saves itself: nobody can know that there was anything. */
static void
crash_handler_returns(const uint8_t *data, size_t size)
{
	handle(on_signal_jump, 0);
	if (sigsetjmp(safe, 1) == 0)
		crash_null(data, size);
}

static void
block_all(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
}

static void
crash_blocked(const uint8_t *data, size_t size)
{
	block_all();
	crash_null(data, size);
}

FAULT(crash_not_blocked, block_all())
FAULT(crash_soft_words,
	fputs("odd.c:7:3: runtime error: signed integer overflow: 2147483647 "
	      "+ 1 cannot be represented in type 'int'\n",
		stderr))

const struct fault crash_faults[] = {
	{ "null", crash_null, ON_F },
	{ "abort", crash_abort, ON_F },
	{ "divide", crash_divide, ON_F },
	{ "illegal instruction", crash_illegal, ON_F },
	{ "exit 0", crash_exit_0, ON_F },
	{ "exit 1", crash_exit_1, ON_F },
	{ "exit 70", crash_exit_70, ON_F },
	{ "exit 77", crash_exit_77, ON_F },
	{ "_exit 0", crash_exit_now, ON_F },
	{ "_exit 70", crash_exit_now_70, ON_F },
	{ "exit_group", crash_exit_group, ON_F },
	{ "recursion", crash_recursion, ON_F },
	{ "recursion, small signal stack", crash_small_stack, ON_F },
	{ "handler recurses", crash_handler_recurses, ON_F },
	{ "crash signals ignored", crash_ignored, ON_F },
	{ "crash signals reset", crash_default, ON_F },
	{ "crash handler exits", crash_handler_exits, ON_F },
	{ "crash handler jumps back", crash_handler_returns, ON_F },
	{ "all signals blocked, crash", crash_blocked, ON_F },
	{ "all signals blocked", crash_not_blocked, ON_F },
	{ "words of a sanitizer", crash_soft_words, ON_F },
	{ "every input crashes", crash_abort, ON_EACH },
	{ "every input exits", crash_exit_now, ON_EACH },
	{ NULL, NULL, ON_F },
};
