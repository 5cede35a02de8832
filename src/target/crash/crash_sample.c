/*
 * crash_sample: see crash_sample.h.
 *
 * Each return address on the stack is replaced by the address of a trap. The
 * trap shows that the frame has returned, and execution continues at the real
 * address. A loop may be sampled at any of its instructions or inside a
 * function that it calls, but the innermost function that does not return is
 * always the same.
 */

#include "target/crash/crash_sample.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "target/abi.h"
#include "target/crash/crash.h"
#include "target/crash/crash_modules.h"
#include "target/crash/returns.h"
#include "target/crash/sanitizers.h"
#include "target/crash/unwind.h"

#define SAMPLE_MAX RETURNS_MAX /* frames that are watched */

struct sample_walk {
	uintptr_t pc;
	struct unwind_frame frames[SAMPLE_MAX];
	uint32_t n;
};

/* Global, because a signal handler takes no argument. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct sample {
	struct worker_head *head;
	bool wanted;        /* the target does not handle the signal */
	bool late;          /* TSan would delay the signal */
	bool blocks;        /* SIGTRAP's handler blocks the signal */
	uintptr_t thread;   /* walks the stack; 0: none */
	const pid_t *other; /* executes in place of this process; NULL: none */
	uintptr_t owner;    /* the watched frames are this thread's */
	uint32_t watched;   /* the first frame that is; n: none */
	struct sample_walk watch;
	struct sample_walk apart; /* of a thread that is not the owner */
	struct sample_walk *walk; /* the one that answers */
} sample;

void
crash_sample_prepare(void)
{
	struct sigaction old;

	sample.wanted = sigaction(SAMPLE_SIGNAL, NULL, &old) == 0 &&
		!(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL;
	sample.late = strcmp(sanitizers_name(), "thread") == 0;
}

/* Publishes the frames from the first that has not returned. */
static void
sample_publish(const struct sample_walk *walk, uint32_t first)
{
	struct failure_block *block = &sample.head->failure;
	uint32_t n = 0;

	__atomic_store_n(&block->frames_n, 0, __ATOMIC_RELEASE);
	for (uint32_t i = first; i < walk->n && n < FAILURE_FRAMES_MAX; i++) {
		uintptr_t code = walk->frames[i].code - (i > 0);

		block->frames[n] = code;
		block->starts[n++] = unwind_function(code);
	}
	__atomic_store_n(&block->frames_n, n, __ATOMIC_RELEASE);
	crash_modules_add(sample.head);
}

static void
sample_tell(enum sample_state state)
{
	__atomic_store_n(&sample.head->failure.sampled, state,
		__ATOMIC_RELEASE);
}

/*
 * Waits until the engine kills the process. If the execution that the engine
 * meant was over already, the engine withdraws the request and the child goes
 * on. That is rare and takes no longer than one message, so polling is good
 * enough: an event would need system-specific code on both sides.
 */
static void
sample_stay(void)
{
	static const struct timespec LOOK = { .tv_nsec = 1000000 };
	struct failure_block *block = &sample.head->failure;

	sample_tell(SAMPLE_FINAL);
	while (__atomic_load_n(&block->sample, __ATOMIC_ACQUIRE) != SAMPLE_NOT)
		nanosleep(&LOOK, NULL);
}

void
crash_sample_on_fault(void)
{
	if (sample.thread != crash_thread())
		return;
	sample_publish(sample.walk, 0);
	sample_tell(SAMPLE_FINAL);
	for (;;)
		pause(); /* a walk that has faulted cannot go on */
}

static bool
sample_on_frame(void *arg, const struct unwind_frame *frame)
{
	struct sample_walk *walk = arg;

	/* The frames before are the signal handler's. */
	if (walk->n == 0 && frame->code != walk->pc)
		return true;
	walk->frames[walk->n++] = *frame;
	return walk->n < SAMPLE_MAX && !crash_calls_target(frame->code);
}

#if defined(__x86_64__)
static uintptr_t
sample_read_pc(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

/*
 * SIGTRAP must have the runtime's handler and must not be blocked, or the trap
 * kills the process. From now on the handler blocks the engine's signal: another
 * sample would overwrite the frames that a trap is looked up in.
 */
static bool
sample_can_watch(ucontext_t *context)
{
	struct sigaction trap;

	if (sigaction(SIGTRAP, NULL, &trap) != 0 || !crash_is_handler(&trap))
		return false;
	sigaddset(&trap.sa_mask, SAMPLE_SIGNAL);
	if (sigaction(SIGTRAP, &trap, NULL) != 0)
		return false;
	sample.blocks = true;
	sigdelset(&context->uc_sigmask, SIGTRAP);
	return true;
}

/*
 * The number of the trap of a frame, and the frame of a trap; 0: none. They are
 * counted from the outside, so that a frame keeps its number in the next sample:
 * an exception may be on its way.
 */
static uint32_t
sample_number(uint32_t i)
{
	return i > 0 && i < sample.watch.n ? sample.watch.n - i : 0;
}

/* An exception has left a frame, as a return does. */
static void
sample_on_left(uint32_t number)
{
	uint32_t at = sample_number(number);

	if (at == 0)
		return;
	sample.watched = at + 1;
	if (sample.walk == &sample.watch)
		sample_publish(&sample.watch, at);
}

static void
sample_watch(ucontext_t *context)
{
	const struct unwind_frame *frames = sample.watch.frames;

	if (!sample_can_watch(context))
		return;
	returns_watch(sample_on_left);
	for (uint32_t i = 1; i < sample.watch.n; i++) {
		if (frames[i].slot != 0 &&
			!unwind_begins_at(unwind_function(frames[i].code - 1)))
			returns_set(sample_number(i),
				(uintptr_t *)frames[i].slot, frames[i].code);
	}
	sample.watched = 1;
}

/*
 * A sample between two executions watches frames that do not return soon. The
 * next walk needs their return addresses, and overwrites the frames.
 */
static void
sample_unwatch(void)
{
	const struct unwind_frame *frames = sample.watch.frames;

	for (uint32_t i = sample.watched; i < sample.watch.n; i++) {
		uintptr_t *slot = (uintptr_t *)frames[i].slot;

		if (slot != NULL && returns_find(*slot) == sample_number(i))
			*slot = frames[i].code;
	}
}

/* The frame whose return has come to the trap at pc; 0: it is none of ours. */
static uint32_t
sample_find_return(uintptr_t pc)
{
	return sample_number(returns_find(pc));
}

/* Continues where the frame returns to. */
static void
sample_return(ucontext_t *context, uint32_t at)
{
	context->uc_mcontext.gregs[REG_RIP] =
		(greg_t)sample.watch.frames[at].code;
	sample.watched = at + 1;
}

/* A signal may come between a return to a trap and the trap. */
static void
sample_leave_trap(ucontext_t *context)
{
	uint32_t at = sample_find_return(sample_read_pc(context));

	if (at > 0)
		sample_return(context, at);
}

/* Is it a function of the runtime, which the caller of the target calls, too? */
static bool
sample_is_runtime(uintptr_t code)
{
	return code >= (uintptr_t)__start_cfuzz_text &&
		code < (uintptr_t)__stop_cfuzz_text;
}

bool
crash_sample_on_trap(void *arg)
{
	ucontext_t *context = arg;
	uint32_t at = sample_find_return(sample_read_pc(context) - 1);
	bool over;

	if (at == 0)
		return false;
	sample_return(context, at);
	over = crash_calls_target(sample.watch.frames[at].code);
	/* The target has returned: its own function took too long. */
	if (over && !sample_is_runtime(sample.watch.frames[at - 1].code))
		at--;
	if (sample.walk == &sample.watch)
		sample_publish(&sample.watch, at);
	if (over)
		sample_stay(); /* do not blame the next input */
	return true;
}

/*
 * The sampling signal must not end a system call that the target waits in. The
 * kernel restarts some calls by itself. For the others rax no longer holds the
 * number, but the instruction before the call usually loads it and can run
 * again.
 */
static bool
sample_resume_wait(ucontext_t *context)
{
	static const uint8_t CALL[] = { 0x0f, 0x05 };
	enum {
		LOAD = 0xb8, /* mov $number, %eax: opcode and four bytes */
		LEN = 7
	};
	greg_t *registers = context->uc_mcontext.gregs;
	const uint8_t *pc = (const uint8_t *)registers[REG_RIP];

	if (registers[REG_RAX] != -EINTR ||
		memcmp(pc - sizeof(CALL), CALL, sizeof(CALL)) != 0)
		return true;
	if (pc[-LEN] != LOAD)
		return false;
	registers[REG_RIP] -= LEN;
	return true;
}
#else
static void
sample_leave_trap(ucontext_t *context)
{
}

static uintptr_t
sample_read_pc(const ucontext_t *context)
{
#if defined(__aarch64__)
	return context->uc_mcontext.pc;
#else
	return 0;
#endif
}

static void
sample_watch(ucontext_t *context)
{
}

static void
sample_unwatch(void)
{
}

bool
crash_sample_on_trap(void *context)
{
	return false;
}

/* It is unknown whether the target was waiting, so it must not go on. */
static bool
sample_resume_wait(ucontext_t *context)
{
	return false;
}
#endif

/* Another thread still needs the watched frames. The signal came here because
 * that one blocked it, as in a trap. */
static bool
sample_is_apart(void)
{
	return sample.owner != crash_thread() &&
		sample.watched < sample.watch.n;
}

static void
sample_take(const ucontext_t *context)
{
	struct sample_walk *walk = sample.walk;

	walk->pc = sample_read_pc(context);
	walk->n = 0;
	unwind_walk(sample_on_frame, walk, true);
	sample.thread = 0;
	/* The walk has not met pc: pc is the only frame. */
	if (walk->n == 0)
		walk->frames[walk->n++] =
			(struct unwind_frame){ .code = walk->pc };
}

static void
sample_take_own(ucontext_t *context)
{
	sample.owner = sample.thread = crash_thread();
	sample.walk = &sample.watch;
	sample_leave_trap(context);
	sample_unwatch(); /* faults if that stack is gone */
	sample_take(context);
	sample.watched = sample.watch.n;
	sample_publish(&sample.watch, 0);
	if (sample.head->failure.sample == SAMPLE_ONCE ||
		!sample_resume_wait(context))
		sample_stay();
	/* At once, because a sandbox may forbid all that follows. */
	sample_tell(SAMPLE_TAKEN);
	sample_watch(context);
}

/* The owner may wait for ever, or have ended. Its traps remain, and this
 * thread's frames are not watched. */
static void
sample_take_apart(const ucontext_t *context)
{
	sample.thread = crash_thread();
	sample.walk = &sample.apart;
	sample_take(context);
	sample_publish(&sample.apart, 0);
	sample_stay();
	sample.walk = &sample.watch;
}

static void
sample_on_signal(int signo, siginfo_t *info, void *arg)
{
	struct failure_block *block = &sample.head->failure;
	ucontext_t *context = arg;
	int error = errno;
	pid_t other = sample.other != NULL
		? __atomic_load_n(sample.other, __ATOMIC_ACQUIRE)
		: 0;

	/* A signal that is passed on is queued: SI_QUEUE tells it from the
	 * engine's without a system call, which a sandbox may forbid. If the
	 * queue is full, the signal loses this mark, and one that the program
	 * sends could be passed on for ever: so the engine must have asked. */
	if (other > 0 && info->si_code != SI_QUEUE &&
		block->sample != SAMPLE_NOT) {
		(void)sigqueue(other, signo, (union sigval){ 0 });
		return;
	}
	crash_hurry();
	if (block->sample != SAMPLE_WATCH && block->sample != SAMPLE_ONCE)
		return; /* the target's own signal */
	if (block->sampled != SAMPLE_NONE || sample.thread != 0)
		return;
	if (sample_is_apart())
		sample_take_apart(context);
	else
		sample_take_own(context);
	errno = error;
}

void
crash_sample_allow(void)
{
	uint64_t mask = 1ull << (SAMPLE_SIGNAL - 1); /* the kernel's set */

	if (!sample.blocks)
		return;
	/* A sanitizer may keep a mask of its own, so it does not see this. */
	(void)syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &mask, NULL,
		sizeof(mask));
}

void
crash_sample_pass_to(const pid_t *pid)
{
	sample.other = pid;
}

/*
 * ThreadSanitizer delivers a signal when the target next calls the C library,
 * which a target that hangs may never do. The kernel does at once: what the
 * sanitizer has installed keeps its flags, with another handler.
 */
static void
sample_bypass(void)
{
	struct {
		void (*handler)(int signo, siginfo_t *info, void *arg);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} action; /* the kernel's */

	if (syscall(SYS_rt_sigaction, SAMPLE_SIGNAL, NULL, &action,
		    sizeof(action.mask)) != 0)
		return;
	action.handler = sample_on_signal;
	(void)syscall(SYS_rt_sigaction, SAMPLE_SIGNAL, &action, NULL,
		sizeof(action.mask));
}

void
crash_sample_install(struct worker_head *head)
{
	struct sigaction action;

	sample.head = head;
	sample.thread = 0;
	sample.blocks = false;
	if (!sample.wanted)
		return;
	memset(&action, 0, sizeof(action));
	action.sa_sigaction = sample_on_signal;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGSYS); /* as in crash_install() */
	(void)sigaction(SAMPLE_SIGNAL, &action, NULL);
	if (sample.late)
		sample_bypass();
}
