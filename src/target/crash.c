/*
 * crash: see crash.h. The stack may be what is broken, and the walk may fault,
 * use up its own stack, or never end: each frame is noted as it is found, and
 * the next signal that comes in between ends it. The process dies of its first
 * signal all the same.
 */

#include "target/crash.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include "target/sample.h"
#include "target/sanitizers.h"
#include "target/unwind.h"

#define CRASH_STACK_SIZE (128u << 10)
#define CRASH_STACK_END (64u << 10) /* that cannot be touched */
#define CRASH_WRITE 2               /* in the error code of a page fault */

static const int CRASH_SIGNALS[] = { SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
	SIGSEGV, SIGPIPE, SIGSYS };
#define N_SIGNALS (sizeof(CRASH_SIGNALS) / sizeof(CRASH_SIGNALS[0]))

/* A signal handler gets no argument of ours. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct crash {
	struct worker_head *head;
	int thread;       /* that is in the handler; 0: none */
	uint32_t wanted;  /* CRASH_SIGNALS that nobody else handles, as bits */
	uintptr_t bottom; /* of the stack, as far as it is the target's */
	int signo;        /* that it dies of */
} crash;

static void
crash_install_stack(void)
{
	stack_t stack;
	void *map;

	if (sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE))
		return;
	map = mmap(NULL, CRASH_STACK_END + CRASH_STACK_SIZE,
		PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return;
	/* What lies below is somebody else's. */
	(void)mprotect(map, CRASH_STACK_END, PROT_NONE);
	stack = (stack_t){ .ss_sp = (char *)map + CRASH_STACK_END,
		.ss_size = CRASH_STACK_SIZE };
	(void)sigaltstack(&stack, NULL);
}

/* A child has no time to find out. */
static void
crash_choose_signals(void)
{
	struct sigaction old;

	crash.wanted = 0;
	for (size_t i = 0; i < N_SIGNALS; i++) {
		if (sigaction(CRASH_SIGNALS[i], NULL, &old) == 0 &&
			!(old.sa_flags & SA_SIGINFO) &&
			old.sa_handler == SIG_DFL)
			crash.wanted |= 1u << i;
	}
}

/*
 * Whatever is done here for the first time - loading the unwinder, binding
 * names, filling a sanitizer's tables - is done for all children.
 */
void
crash_prepare(void)
{
	unwind_prepare();
	sanitizers_rehearse();
	crash_choose_signals();
	crash_install_stack();
	sample_prepare();
}

/* The frames of a walk that are wanted. */
struct crash_walk {
	uint64_t *frames;
	volatile uint32_t *n;
	uint32_t max;
	uintptr_t from;
};

static bool
crash_on_frame(void *arg, const struct unwind_frame *frame)
{
	const struct crash_walk *walk = arg;
	uint32_t n = *walk->n;

	if (n == 0 && frame->code != walk->from)
		return true;
	if (n >= walk->max)
		return false;
	walk->frames[n] = frame->code - (n > 0);
	*walk->n = n + 1;
	return n + 1 < walk->max;
}

uint32_t
crash_walk(uint64_t *frames, uint32_t max, const void *from)
{
	volatile uint32_t n = 0;
	struct crash_walk walk = { frames, &n, max, (uintptr_t)from };

	unwind_walk(crash_on_frame, &walk, false);
	if (n > 0)
		return n;
	frames[0] = (uintptr_t)from;
	return 1;
}

#if defined(__x86_64__)
static void
crash_read_registers(struct failure_block *block, const ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;

	for (unsigned i = 0; i < 23; i++)
		block->registers[i] = (uint64_t)registers[i];
	block->pc = (uint64_t)registers[REG_RIP];
	block->sp = (uint64_t)registers[REG_RSP];
	block->access = registers[REG_ERR] & CRASH_WRITE ? FAILURE_ACCESS_WRITE
							 : FAILURE_ACCESS_READ;
}
#elif defined(__aarch64__)
static void
crash_read_registers(struct failure_block *block, const ucontext_t *context)
{
	const mcontext_t *m = &context->uc_mcontext;

	for (unsigned i = 0; i < 31; i++)
		block->registers[i] = m->regs[i];
	block->registers[31] = m->sp;
	block->pc = m->pc;
	block->sp = m->sp;
}
#else
static void
crash_read_registers(struct failure_block *block, const ucontext_t *context)
{
	(void)context;
	block->pc = block->sp = 0;
}
#endif

/* Reads our own memory without a fault, as far as it goes. */
static size_t
crash_read(void *to, uint64_t from, size_t len)
{
	struct iovec local = { to, len };
	struct iovec remote = { (void *)(uintptr_t)from, len };
	long n = syscall(SYS_process_vm_readv, getpid(), &local, 1, &remote, 1,
		0);

	return n > 0 ? (size_t)n : 0;
}

/* Where a call through a bad pointer came from. */
static uint64_t
crash_caller(const struct failure_block *block)
{
	uint64_t caller = 0;

#if defined(__aarch64__)
	caller = block->registers[30];
#else
	if (crash_read(&caller, block->sp, sizeof(caller)) != sizeof(caller))
		return 0;
#endif
	return caller > 0 ? caller - 1 : 0;
}

static void
crash_note_frames(struct failure_block *block)
{
	struct crash_walk walk = { block->frames, &block->frames_n,
		FAILURE_FRAMES_MAX, (uintptr_t)block->pc };

	block->frames_n = 0;
	unwind_walk(crash_on_frame, &walk, false);
}

/* After the walk, however it ended. */
static void
crash_complete(struct failure_block *block)
{
	uint64_t caller;

	if (block->frames_n == 0) {
		block->frames[0] = block->pc;
		block->frames_n = 1;
	}
	caller = block->frames_n < 2 ? crash_caller(block) : 0;
	if (caller != 0) {
		block->frames[1] = caller;
		block->frames_n = 2;
	}
}

/* From the stack pointer up, as much as there is. */
static void
crash_note_stack(struct failure_block *block)
{
	size_t len = MEMORY_STACK_MAX;

	/* On the stack that we came from, what lies behind us is ours. */
	if (block->sp < crash.bottom && crash.bottom - block->sp < len)
		len = crash.bottom - block->sp;
	block->stack_len = 0;
	/* The last pages may be missing: then take what is there. */
	for (; block->stack_len == 0 && len > 0; len /= 2)
		block->stack_len =
			(uint32_t)crash_read(crash.head->stack, block->sp, len);
}

static void
crash_note(int signo, const siginfo_t *info, const void *context)
{
	struct failure_block *block = &crash.head->failure;

	block->sampled = SAMPLE_NONE;
	block->signo = signo;
	block->code = info->si_code;
	block->address = (uintptr_t)info->si_addr;
	crash_read_registers(block, context);
	crash_note_stack(block);
	crash_note_frames(block);
}

/* All has been noted: as if nobody had handled the signal. */
static void
crash_die(int thread)
{
	crash_complete(&crash.head->failure);
	(void)signal(crash.signo, SIG_DFL);
	(void)syscall(SYS_tgkill, getpid(), thread, crash.signo);
}

void
crash_hurry(void)
{
	if (crash.thread == (int)syscall(SYS_gettid))
		crash_die(crash.thread);
}

static void
crash_on_signal(int signo, siginfo_t *info, void *context)
{
	int thread = (int)syscall(SYS_gettid), none = 0;

	if (signo == SIGTRAP && sample_on_trap(context))
		return;
	sample_on_fault();
	if (__atomic_compare_exchange_n(&crash.thread, &none, thread, false,
		    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
		crash.signo = signo;
		crash_note(signo, info, context);
	}
	while (crash.thread != thread)
		pause(); /* the first one ends us all */
	crash_die(thread);
}

bool
crash_is_handler(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) &&
		action->sa_sigaction == crash_on_signal;
}

void
crash_install(struct worker_head *head)
{
	struct sigaction action;

	crash.head = head;
	crash.thread = 0;
	crash.bottom = (uintptr_t)__builtin_frame_address(0);
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = crash_on_signal;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < N_SIGNALS; i++) {
		if (crash.wanted & (1u << i))
			(void)sigaction(CRASH_SIGNALS[i], &action, NULL);
	}
	sample_install(head);
}
