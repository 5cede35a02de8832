/* failure_describe: a failure from a wait status and its block, see failure.h. */

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "shared/wire/failure.h"

/* An address this low comes from a null pointer and a small offset. */
#define FAILURE_NULL_PAGE 4096u

/* A stack overflow faults this close to the stack pointer. */
#define FAILURE_STACK_BELOW (64u << 10)
#define FAILURE_STACK_ABOVE (4u << 10)

/* A fault this close to a mutator's buffer overran that buffer. */
#define FAILURE_BESIDE 8192u

/* Libraries whose frames hide their caller. */
static const char *const FAILURE_LIBRARIES[] = {
	"libc.so",
	"ld-linux",
	"ld-musl",
	"libpthread",
	"libgcc_s",
	"libstdc++",
	"libc++",
	"libasan",
	"libubsan",
	"libtsan",
	"liblsan",
	"libclang_rt",
	"linux-vdso",
};

#define FAILURE_N(array) (sizeof(array) / sizeof((array)[0]))

bool
failure_is_library(const char *module)
{
	static const char libc[] = "libc-"; /* with a version: "libc-2.31.so" */

	if (strncmp(module, libc, strlen(libc)) == 0)
		return module[strlen(libc)] >= '0' &&
			module[strlen(libc)] <= '9';
	for (size_t i = 0; i < FAILURE_N(FAILURE_LIBRARIES); i++) {
		if (strncmp(module, FAILURE_LIBRARIES[i],
			    strlen(FAILURE_LIBRARIES[i])) == 0)
			return true;
	}
	return false;
}

static void
failure_set_frame(struct failure_frame *frame, uint64_t address,
	const struct failure_module *modules, size_t n)
{
	*frame = (struct failure_frame){ .module = "?", .offset = 0 };
	for (size_t i = 0; i < n; i++) {
		const struct failure_module *m = &modules[i];

		if (address < m->start || address >= m->end)
			continue;
		memcpy(frame->module, m->name, sizeof(frame->module));
		frame->module[sizeof(frame->module) - 1] = '\0';
		frame->offset = address - m->bias;
		return;
	}
}

static bool
failure_is_smashed(const struct failure_block *block)
{
	return block->frames_n > 0 && block->frames_n <= FAILURE_FRAMES_MAX &&
		block->frames[block->frames_n - 1] == FAILURE_SMASHED;
}

/* The number of frames that are addresses. */
static uint32_t
failure_frames_n(const struct failure_block *block)
{
	if (block->frames_n > FAILURE_FRAMES_MAX)
		return FAILURE_FRAMES_MAX;
	return block->frames_n - failure_is_smashed(block);
}

/* The first frame outside the libraries; 0 if there is none. */
static uint32_t
failure_own_frame(const struct failure_frame *frames, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (!failure_is_library(frames[i].module) &&
			strcmp(frames[i].module, "?") != 0)
			return i;
	}
	return 0;
}

static void
failure_set_frames(struct failure *f, const struct failure_block *block,
	const struct failure_module *modules, size_t modules_n)
{
	uint32_t n = failure_frames_n(block), own;

	if (modules_n > FAILURE_MODULES_MAX)
		modules_n = FAILURE_MODULES_MAX;
	for (uint32_t i = 0; i < n; i++)
		failure_set_frame(&f->frames[i], block->frames[i], modules,
			modules_n);
	/* A jump to nowhere keeps its first frame: the jump is the bug. */
	own = n > 0 && strcmp(f->frames[0].module, "?") == 0
		? 0
		: failure_own_frame(f->frames, n);
	memmove(f->frames, f->frames + own, (n - own) * sizeof(f->frames[0]));
	f->frames_n = n - own;
}

/*
 * Frames of an execution that was stopped at an arbitrary instruction: only the
 * function of the innermost frame counts, not the place in it. A recursive
 * function may be stopped at any depth: then only its call frames are kept.
 */
static void
failure_set_sample(struct failure *f, const struct failure_block *block,
	const struct failure_module *modules, size_t modules_n)
{
	uint32_t n = block->frames_n, own;
	uint64_t start;

	failure_set_frames(f, block, modules, modules_n);
	if (f->frames_n == 0)
		return;
	if (n > FAILURE_FRAMES_MAX)
		n = FAILURE_FRAMES_MAX;
	own = n - f->frames_n;
	start = block->starts[own];
	if (start == 0)
		return;
	for (uint32_t i = own + 1; i < n; i++) {
		if (block->starts[i] != start)
			continue;
		f->frames_n--;
		memmove(f->frames, f->frames + 1,
			f->frames_n * sizeof(f->frames[0]));
		return;
	}
	failure_set_frame(&f->frames[0], start, modules,
		modules_n < FAILURE_MODULES_MAX ? modules_n
						: FAILURE_MODULES_MAX);
}

/* A program may forbid the system calls by which a handler goes on, of its
 * crash or of the engine's signal: then the handler ends by SIGSYS. */
static int
failure_first_signal(int signo, const struct failure_block *block)
{
	if (signo != SIGSYS)
		return signo;
	if (failure_is_crash_signal(block->signo))
		return block->signo;
	return block->sampled != SAMPLE_NONE ? SIGKILL : signo;
}

static void
failure_describe_signal(struct failure *f, int signo,
	const struct failure_block *block)
{
	bool seen = block->signo == signo;
	const char *note = "";

	f->kind = failure_is_crash_signal(signo) ? FAILURE_SIGNAL
						 : FAILURE_KILLED;
	f->signo = signo;
	if (seen && signo == SIGSEGV && block->code > 0 &&
		block->address < FAILURE_NULL_PAGE)
		note = " near address 0";
	if (signo == SIGXFSZ)
		note = ": a file got larger than --file-limit allows";
	(void)snprintf(f->what, sizeof(f->what), "%s",
		failure_signal_name(signo));
	(void)snprintf(f->text, sizeof(f->text), "%s (%s)%s",
		failure_signal_text(signo), failure_signal_name(signo), note);
}

/* True if the fault is near the stack pointer, where only a stack ends. */
static bool
failure_is_stack_full(const struct failure *f,
	const struct failure_block *block)
{
	if (f->kind != FAILURE_SIGNAL || block->signo != f->signo ||
		(f->signo != SIGSEGV && f->signo != SIGBUS) || block->code <= 0)
		return false;
	if (block->address < FAILURE_NULL_PAGE)
		return false;
	return block->address - block->sp + FAILURE_STACK_BELOW <
		FAILURE_STACK_BELOW + FAILURE_STACK_ABOVE;
}

static void
failure_append(struct failure *f, const char *words)
{
	size_t used = strlen(f->text);

	(void)snprintf(f->text + used, sizeof(f->text) - used, "%s", words);
}

/* Describes a crash of which only the overwritten stack is known. */
static void
failure_smash(struct failure *f)
{
	char signal[FAILURE_TEXT_MAX];

	memcpy(signal, f->text, sizeof(signal));
	(void)snprintf(f->what, sizeof(f->what), FAILURE_SMASHED_WHAT);
	(void)snprintf(f->text, sizeof(f->text),
		"stack smashed: what calls return to was written over, then "
		"%.*s; -fsanitize=address tells where",
		256, signal);
}

static bool
failure_is_exit(int wait_status, const struct failure_block *block)
{
	return WEXITSTATUS(wait_status) != 0 || block->kind == FAILURE_NONE ||
		block->kind == FAILURE_EXIT;
}

/* seen: exit() was called; otherwise only the exit status is known. */
static void
failure_describe_exit(struct failure *f, int exit_status, bool seen)
{
	f->kind = FAILURE_EXIT;
	f->exit_status = exit_status;
	(void)snprintf(f->what, sizeof(f->what), "exit %d", exit_status);
	(void)snprintf(f->text, sizeof(f->text),
		"the target ended the process%s: exit status %d",
		seen ? "" : " by _exit() or execve(), which leave no place",
		exit_status);
}

static void
failure_describe_stop(struct failure *f, int signo)
{
	f->kind = FAILURE_STOPPED;
	f->signo = signo;
	(void)snprintf(f->what, sizeof(f->what), "%s",
		failure_signal_name(signo));
	(void)snprintf(f->text, sizeof(f->text), "the process was stopped (%s)",
		failure_signal_name(signo));
}

static void
failure_describe_frames(struct failure *f, const struct failure_block *block,
	const struct failure_module *modules, size_t modules_n)
{
	if (f->kind == FAILURE_SIGNAL || f->kind == FAILURE_ERROR ||
		(f->kind == FAILURE_EXIT && block->kind == FAILURE_EXIT))
		failure_set_frames(f, block, modules, modules_n);
	else if (f->signo == SIGKILL && block->sampled != SAMPLE_NONE)
		failure_set_sample(f, block, modules, modules_n);
}

static void
failure_take_text(struct failure *f, const struct failure_block *block)
{
	uint32_t len = block->text_len;

	if (len >= sizeof(f->text))
		len = sizeof(f->text) - 1;
	memcpy(f->text, block->text, len);
	f->text[len] = '\0';
}

/* A live process reports on its last execution. */
static void
failure_describe_claim(struct failure *f, const struct failure_block *block)
{
	if (block->kind == FAILURE_INPUT_MODIFIED) {
		f->kind = FAILURE_INPUT_MODIFIED;
		(void)snprintf(f->text, sizeof(f->text),
			"the target changed its input");
	} else if (block->kind == FAILURE_LEAK) {
		f->kind = FAILURE_LEAK;
		(void)snprintf(f->text, sizeof(f->text),
			"the target leaks memory");
	} else if (block->kind == FAILURE_ERROR) {
		f->kind = FAILURE_ERROR;
		failure_take_text(f, block);
	} else {
		f->kind = FAILURE_PROTOCOL;
		(void)snprintf(f->text, sizeof(f->text),
			"the target wrote over the memory of its worker");
		/* The runtime's own trouble has a text. */
		if (block->kind == FAILURE_PROTOCOL && block->text_len > 0)
			failure_take_text(f, block);
	}
	(void)snprintf(f->what, sizeof(f->what), "%s",
		failure_kind_name(f->kind));
}

/* True if the stack, once of n frames, cannot be trusted. */
static bool
failure_is_astray(const struct failure *f, const struct failure_block *block,
	uint32_t n)
{
	if (f->kind != FAILURE_SIGNAL)
		return false;
	/* The crash is in our own code, without a frame of the target. */
	if (n > 0 && f->frames_n == 0)
		return true;
	/* The frames of an abort are good: __stack_chk_fail() is one. */
	return f->signo != SIGABRT && !f->stack_full &&
		failure_is_smashed(block);
}

void
failure_describe(struct failure *failure, int wait_status,
	const struct failure_block *block, const struct failure_module *modules,
	size_t modules_n)
{
	uint32_t n;

	memset(failure, 0, sizeof(*failure));
	if (WIFSIGNALED(wait_status))
		wait_status =
			failure_first_signal(WTERMSIG(wait_status), block);
	if (WIFSTOPPED(wait_status))
		failure_describe_stop(failure, WSTOPSIG(wait_status));
	else if (WIFSIGNALED(wait_status))
		failure_describe_signal(failure, WTERMSIG(wait_status), block);
	else if (failure_is_exit(wait_status, block))
		failure_describe_exit(failure, WEXITSTATUS(wait_status),
			block->kind == FAILURE_EXIT);
	else
		failure_describe_claim(failure, block);
	failure_describe_frames(failure, block, modules, modules_n);
	n = failure->frames_n;
	failure_cut(failure, modules, modules_n);
	failure->stack_full = failure_is_stack_full(failure, block);
	if (failure->stack_full)
		failure_append(failure, ": stack overflow");
	if (failure_is_astray(failure, block, n))
		failure_smash(failure);
}

/* Writes " writing before its buffer" or the like, or nothing. */
static void
failure_say_access(const struct failure_block *block, char *text, size_t size)
{
	static const char *const ACCESS[] = { "reaching", "reading",
		"writing" };
	const char *access = block->access <= FAILURE_ACCESS_WRITE
		? ACCESS[block->access]
		: ACCESS[FAILURE_ACCESS_UNKNOWN];
	uint64_t at = block->address;

	text[0] = '\0';
	if (block->signo != SIGSEGV || block->room_start > block->room_end)
		return;
	if (at >= block->room_end && at - block->room_end < FAILURE_BESIDE)
		(void)snprintf(text, size, " %s behind its buffer", access);
	else if (at < block->room_start &&
		block->room_start - at < FAILURE_BESIDE)
		(void)snprintf(text, size, " %s before its buffer", access);
}

void
failure_set_mutator(struct failure *f, const struct failure_block *block)
{
	static const char *const MUTATORS[] = { "", "custom mutator",
		"custom crossover" };
	char how[FAILURE_TEXT_MAX], access[64] = "";
	size_t used;

	if (block->origin == FAILURE_IN_TARGET ||
		block->origin >= FAILURE_ORIGIN_COUNT ||
		f->kind == FAILURE_NONE)
		return;
	if (f->kind == FAILURE_SIGNAL)
		failure_say_access(block, access, sizeof(access));
	memcpy(how, f->text, sizeof(how));
	how[sizeof(how) - 1] = '\0';
	if (f->kind == FAILURE_EXIT)
		(void)snprintf(how, sizeof(how), "ended the process: %s",
			f->what);
	(void)snprintf(f->text, sizeof(f->text), "%s: %.*s%s",
		MUTATORS[block->origin], (int)(sizeof(f->text) / 2), how,
		access);
	used = strlen(f->text);
	if (f->frames_n > 0)
		(void)snprintf(f->text + used, sizeof(f->text) - used,
			", at %s+0x%llx", f->frames[0].module,
			(unsigned long long)f->frames[0].offset);
	f->kind = FAILURE_MUTATOR;
}
