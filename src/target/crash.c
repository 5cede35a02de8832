/*
 * crash: see crash.h. The stack may be what is broken: a fault during the
 * walk jumps back to where the walk began, and what was found by then stays.
 */

#include "target/crash.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include "target/abi.h"
#include "target/sanitizers.h"

#define CRASH_STACK_SIZE (128u << 10)
#define CRASH_WALK_MAX 64
#define CRASH_WRITE 2 /* in the error code of a page fault */

/* Absent from some C libraries. */
ABI_WEAK int backtrace(void **buffer, int size);

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
	volatile sig_atomic_t walking;
	jmp_buf back;
} crash;

static void
crash_install_stack(void)
{
	stack_t stack;
	void *map;

	if (sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE))
		return;
	map = mmap(NULL, CRASH_STACK_SIZE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return;
	stack = (stack_t){ .ss_sp = map, .ss_size = CRASH_STACK_SIZE };
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
	uint64_t frames[CRASH_WALK_MAX];

	(void)crash_walk(frames, CRASH_WALK_MAX, NULL);
	sanitizers_rehearse();
	crash_choose_signals();
	crash_install_stack();
}

uint32_t
crash_walk(uint64_t *frames, uint32_t max, const void *from)
{
	void *raw[CRASH_WALK_MAX];
	uint32_t n = 0;
	int have = backtrace != NULL ? backtrace(raw, CRASH_WALK_MAX) : 0;
	int first = 0;

	while (first < have && raw[first] != from)
		first++;
	if (first == have) {
		frames[0] = (uintptr_t)from;
		return 1;
	}
	for (int i = first; i < have && n < max; i++)
		frames[n++] = (uintptr_t)raw[i] - (i > first);
	return n;
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
	uint64_t caller;

	block->frames[0] = block->pc;
	block->frames_n = 1;
	crash.walking = 1;
	/* NOLINTNEXTLINE(cert-err52-cpp): the only way out of a fault */
	if (_setjmp(crash.back) == 0)
		block->frames_n = crash_walk(block->frames, FAILURE_FRAMES_MAX,
			(const void *)(uintptr_t)block->pc);
	crash.walking = 0;
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

	block->signo = signo;
	block->code = info->si_code;
	block->address = (uintptr_t)info->si_addr;
	crash_read_registers(block, context);
	crash_note_stack(block);
	crash_note_frames(block);
}

static void
crash_on_signal(int signo, siginfo_t *info, void *context)
{
	int thread = (int)syscall(SYS_gettid), none = 0;

	if (!__atomic_compare_exchange_n(&crash.thread, &none, thread, false,
		    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
		if (crash.thread == thread && crash.walking) {
			crash.walking = 0;
			_longjmp(crash.back, 1);
		}
		if (crash.thread != thread) {
			for (;;)
				pause(); /* the first one ends us all */
		}
	} else {
		crash_note(signo, info, context);
	}
	(void)signal(signo, SIG_DFL);
	(void)syscall(SYS_tgkill, getpid(), thread, signo);
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
}
