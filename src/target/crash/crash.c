/*
 * crash: see crash.h. The stack may be damaged, so the walk may fault, overflow
 * its own stack, or never end. Each frame is stored as soon as it is found, and
 * the next signal ends the walk. The process still dies of its first signal.
 */

#include "target/crash/crash.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "shared/pages.h"
#include "target/abi.h"
#include "target/crash/crash_modules.h"
#include "target/crash/crash_sample.h"
#include "target/crash/crash_stack.h"
#include "target/crash/returns.h"
#include "target/crash/sanitizers.h"
#include "target/crash/unwind.h"
#include "target/traps/traps.h"

#define CRASH_STACK_SIZE (128u << 10)
#define CRASH_STACK_END (64u << 10) /* inaccessible, below it */
#define CRASH_START_SIZE 64         /* at most, of _start */
#define CRASH_WRITE 2               /* bit in a page fault's error code */

static const int CRASH_SIGNALS[] = { SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE,
	SIGSEGV, SIGPIPE, SIGSYS };
#define N_SIGNALS (sizeof(CRASH_SIGNALS) / sizeof(CRASH_SIGNALS[0]))

/* Global, because a signal handler takes no argument. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct crash {
	struct worker_head *head;
	struct crash_input input;
	pid_t process;    /* whose crash it is */
	uintptr_t thread; /* in the handler, see crash_thread(); 0: none */
	uint32_t wanted;  /* CRASH_SIGNALS left at SIG_DFL, as bits */
	uintptr_t bottom; /* the target's frames lie below it */
	struct crash_main main;
	uint64_t link;   /* aarch64: the link register at the fault */
	int signo;       /* the first signal */
	bool walked;     /* the walk over the stack is complete */
	bool met_call;   /* ... and met the call of the target, or the start */
	uintptr_t start; /* of the program's code */
} crash;

uintptr_t
crash_thread(void)
{
	static __thread char here __attribute__((tls_model("initial-exec")));

	return (uintptr_t)&here;
}

static void
crash_install_stack(void)
{
	stack_t stack;
	void *map;

	if (sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE))
		return;
	map = pages_map(CRASH_STACK_END + CRASH_STACK_SIZE);
	if (map == NULL)
		return;
	/* An overflow must not write to the mapping below. */
	(void)mprotect(map, CRASH_STACK_END, PROT_NONE);
	stack = (stack_t){ .ss_sp = (char *)map + CRASH_STACK_END,
		.ss_size = CRASH_STACK_SIZE };
	(void)sigaltstack(&stack, NULL);
}

static void
crash_choose_signals(void)
{
	struct sigaction old;

	crash.wanted = 0;
	for (size_t i = 0; i < N_SIGNALS; i++) {
		if ((sigaction(CRASH_SIGNALS[i], NULL, &old) == 0 &&
			    !(old.sa_flags & SA_SIGINFO) &&
			    old.sa_handler == SIG_DFL) ||
			(CRASH_SIGNALS[i] == SIGTRAP && traps_exist()))
			crash.wanted |= 1u << i;
	}
}

void
crash_prepare(void)
{
	crash_modules_prepare();
	unwind_prepare();
	sanitizers_rehearse();
	sanitizers_watch_end();
	crash_choose_signals();
	crash_install_stack();
	crash_sample_prepare();
}

/* The frames that a walk stores. */
struct crash_walk {
	uint64_t *frames;
	volatile uint32_t *n;
	uint32_t max;
	uintptr_t from;
	bool called; /* the first frame is a return address, too */
};

bool
crash_calls_target(uintptr_t code)
{
	return code >= (uintptr_t)__start_cfuzz_calls &&
		code <= (uintptr_t)__stop_cfuzz_calls;
}

/* A call at the end of main() returns to the address behind it. */
static bool
crash_is_main(uintptr_t code)
{
	return code > crash.main.start && code <= crash.main.end;
}

/*
 * Is it the first code of the program, at the end of a walk? exit() and what it
 * calls run below it, also after main() has returned.
 */
static bool
crash_is_start(uintptr_t code)
{
	return code > crash.start && code - crash.start < CRASH_START_SIZE;
}

static bool
crash_on_frame(void *arg, const struct unwind_frame *frame)
{
	const struct crash_walk *walk = arg;
	uint32_t n = *walk->n;

	if (n == 0 && frame->code != walk->from)
		return true;
	if (n >= walk->max)
		return false;
	if (crash_calls_target(frame->code) || crash_is_main(frame->code) ||
		crash_is_start(frame->code))
		crash.met_call = true;
	walk->frames[n] = frame->code - (n > 0 || walk->called);
	*walk->n = n + 1;
	return n + 1 < walk->max;
}

uint32_t
crash_walk(uint64_t *frames, uint32_t max, const void *from)
{
	volatile uint32_t n = 0;
	struct crash_walk walk = { frames, &n, max, (uintptr_t)from, true };

	unwind_walk(crash_on_frame, &walk, false);
	if (n > 0)
		return n;
	frames[0] = (uintptr_t)from - 1;
	return 1;
}

#if defined(__x86_64__)
static void
crash_read_registers(struct failure_block *block, const ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;

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

	crash.link = m->regs[30];
	block->pc = m->pc;
	block->sp = m->sp;
}
#else
static void
crash_read_registers(struct failure_block *block, const ucontext_t *context)
{
	block->pc = block->sp = 0;
}
#endif

/* The caller, after a call through a bad pointer. */
static uint64_t
crash_caller(const struct failure_block *block)
{
	uint64_t caller = 0;

#if defined(__aarch64__)
	caller = crash.link;
#else
	if (crash_memory_read(&caller, block->sp, sizeof(caller)) !=
		sizeof(caller))
		return 0;
	if (returns_code(caller) != 0)
		caller = returns_code(caller);
#endif
	return caller > 0 ? caller - 1 : 0;
}

static void
crash_note_frames(struct failure_block *block)
{
	struct crash_walk walk = { block->frames, &block->frames_n,
		FAILURE_FRAMES_MAX, (uintptr_t)block->pc, false };

	unwind_walk(crash_on_frame, &walk, false);
	crash.walked = true;
}

/* After a breakpoint, x86-64 reports the address behind the instruction. */
static uint64_t
crash_instruction(const struct failure_block *block)
{
#if defined(__x86_64__)
	return block->pc -
		(block->signo == SIGTRAP && block->code == SI_KERNEL);
#else
	return block->pc;
#endif
}

/* After the walk, even if a signal ended it. */
static void
crash_complete(struct failure_block *block)
{
	struct crash_stack stack = { .bottom = crash.bottom,
		.met_call = crash.met_call };

	block->frames[0] = crash_instruction(block);
	if (block->frames_n == 0)
		block->frames_n = 1;
	stack.walked = block->frames_n;
	/* If a signal ended the walk, sp proves nothing: guess no caller. */
	if (stack.walked < 2 && crash.walked)
		stack.caller = crash_caller(block);
	if (stack.caller != 0) {
		block->frames[1] = stack.caller;
		block->frames_n = 2;
	}
	if (crash_stack_is_smashed(block, &stack))
		crash_stack_cut(block);
}

/*
 * An impossible length in worker memory shows that the target has overwritten
 * the input there: copy it again.
 */
static void
crash_restore_input(void)
{
	const struct crash_input *input = &crash.input;

	if (input->len == NULL || crash.head->value_len <= input->guard->size)
		return;
	if (crash_memory_read(input->value,
		    (uintptr_t)guard_find(input->guard, *input->len),
		    *input->len) == *input->len)
		crash.head->value_len = *input->len;
}

static void
crash_note(int signo, const siginfo_t *info, const void *context)
{
	struct failure_block *block = &crash.head->failure;

	/* The engine's signal may end all that follows. */
	block->frames_n = 0;
	crash.met_call = crash.walked = false;
	crash_restore_input();
	block->sampled = SAMPLE_NONE;
	block->signo = signo;
	block->code = info->si_code;
	block->address = (uintptr_t)info->si_addr;
	crash_read_registers(block, context);
	if (signo == SIGTRAP)
		crash_sample_allow(); /* a walk that does not end is hurried */
	/* The sanitizer's report has the stack. */
	if (!sanitizers_hold_locks())
		crash_note_frames(block);
}

/*
 * Completes the report and dies of the signal, as without a handler. A process
 * of vfork() has the memory of its parent, whose own crash is still to come. The
 * number is asked late: a sandbox may end the process for that.
 */
static void
crash_die(void)
{
	pid_t self;

	if (!sanitizers_hold_locks()) {
		crash_complete(&crash.head->failure);
		crash_modules_add(crash.head);
	}
	(void)signal(crash.signo, SIG_DFL);
	self = getpid();
	if (self != crash.process)
		crash.thread = 0;
	(void)syscall(SYS_tgkill, self, (int)syscall(SYS_gettid), crash.signo);
}

void
crash_hurry(void)
{
	if (crash.thread == crash_thread())
		crash_die();
}

static void
crash_on_signal(int signo, siginfo_t *info, void *context)
{
	uintptr_t thread = crash_thread(), none = 0;

	if (signo == SIGTRAP &&
		(crash_sample_on_trap(context) ||
			traps_take(signo, info, context)))
		return;
	crash_sample_on_fault();
	if (__atomic_compare_exchange_n(&crash.thread, &none, thread, false,
		    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
		crash.signo = signo;
		crash_note(signo, info, context);
	}
	while (crash.thread != thread)
		pause(); /* the first thread ends the process */
	crash_die();
}

bool
crash_is_handler(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) &&
		action->sa_sigaction == crash_on_signal;
}

bool
crash_is_dying(void)
{
	return __atomic_load_n(&crash.thread, __ATOMIC_SEQ_CST) != 0;
}

void
crash_protect(const struct crash_input *input)
{
	crash.input = *input;
}

void
crash_set_main(const struct crash_main *main)
{
	crash.main = *main;
}

void
crash_report_to(struct worker_head *head)
{
	static struct worker_head nowhere;

	crash.head = head != NULL ? head : &nowhere;
	if (head != NULL)
		crash.process = getpid();
}

void
crash_install(struct worker_head *head)
{
	struct sigaction action = { .sa_sigaction = crash_on_signal,
		.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };

	crash_report_to(head);
	crash.thread = 0;
	crash.start = getauxval(AT_ENTRY);
	crash.bottom = crash.main.bottom != 0
		? crash.main.bottom
		: (uintptr_t)__builtin_frame_address(0);
	sigemptyset(&action.sa_mask);
	/* The kernel then ends a handler whose calls a sandbox traps. */
	sigaddset(&action.sa_mask, SIGSYS);
	for (size_t i = 0; i < N_SIGNALS; i++)
		if (crash.wanted & (1u << i))
			(void)sigaction(CRASH_SIGNALS[i], &action, NULL);
	crash_sample_install(head);
}
