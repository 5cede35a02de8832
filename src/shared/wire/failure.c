/*
 * failure: names, the meaning of a wait status, and the stack hash; see
 * failure.h. report.c reads sanitizer reports.
 */

#include "shared/wire/failure.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define FAILURE_FNV_BASIS 0xcbf29ce484222325u
#define FAILURE_FNV_PRIME 0x100000001b3u

/* An address this low comes from a null pointer and a small offset. */
#define FAILURE_NULL_PAGE 4096u

/* A stack overflow faults this close to the stack pointer. */
#define FAILURE_STACK_BELOW (64u << 10)
#define FAILURE_STACK_ABOVE (4u << 10)

/* A fault this close to a mutator's buffer overran that buffer. */
#define FAILURE_BESIDE 8192u

static const char *const FAILURE_NAMES[FAILURE_KIND_COUNT] = {
	[FAILURE_NONE] = "none",
	[FAILURE_SIGNAL] = "signal",
	[FAILURE_SANITIZER] = "sanitizer",
	[FAILURE_EXIT] = "exit",
	[FAILURE_ERROR] = "error",
	[FAILURE_INPUT_MODIFIED] = "input-modified",
	[FAILURE_HANG] = "hang",
	[FAILURE_STOPPED] = "stopped",
	[FAILURE_OOM] = "oom",
	[FAILURE_LEAK] = "leak",
	[FAILURE_KILLED] = "killed",
	[FAILURE_LINK] = "link",
	[FAILURE_PROTOCOL] = "protocol",
	[FAILURE_MUTATOR] = "mutator",
};

/* clang-format off */
static const struct failure_signal {
	int signo;
	bool crash;
	const char *name;
	const char *text;
} FAILURE_SIGNALS[] = {
	{ SIGILL,    true,  "SIGILL",    "illegal instruction" },
	{ SIGTRAP,   true,  "SIGTRAP",   "trace/breakpoint trap" },
	{ SIGABRT,   true,  "SIGABRT",   "aborted" },
	{ SIGBUS,    true,  "SIGBUS",    "bus error" },
	{ SIGFPE,    true,  "SIGFPE",    "floating point exception" },
	{ SIGSEGV,   true,  "SIGSEGV",   "segmentation fault" },
	{ SIGPIPE,   true,  "SIGPIPE",   "broken pipe" },
	{ SIGSYS,    true,  "SIGSYS",    "bad system call" },
	{ SIGHUP,    false, "SIGHUP",    "hangup" },
	{ SIGINT,    false, "SIGINT",    "interrupt" },
	{ SIGQUIT,   false, "SIGQUIT",   "quit" },
	{ SIGKILL,   false, "SIGKILL",   "killed" },
	{ SIGUSR1,   false, "SIGUSR1",   "user defined signal 1" },
	{ SIGUSR2,   false, "SIGUSR2",   "user defined signal 2" },
	{ SIGALRM,   false, "SIGALRM",   "alarm clock" },
	{ SIGTERM,   false, "SIGTERM",   "terminated" },
	{ SIGSTKFLT, false, "SIGSTKFLT", "stack fault" },
	{ SIGCHLD,   false, "SIGCHLD",   "child exited" },
	{ SIGCONT,   false, "SIGCONT",   "continued" },
	{ SIGSTOP,   false, "SIGSTOP",   "stopped (signal)" },
	{ SIGTSTP,   false, "SIGTSTP",   "stopped" },
	{ SIGTTIN,   false, "SIGTTIN",   "stopped (tty input)" },
	{ SIGTTOU,   false, "SIGTTOU",   "stopped (tty output)" },
	{ SIGURG,    false, "SIGURG",    "urgent I/O condition" },
	{ SIGXCPU,   false, "SIGXCPU",   "CPU time limit exceeded" },
	{ SIGXFSZ,   false, "SIGXFSZ",   "file size limit exceeded" },
	{ SIGVTALRM, false, "SIGVTALRM", "virtual timer expired" },
	{ SIGPROF,   false, "SIGPROF",   "profiling timer expired" },
	{ SIGWINCH,  false, "SIGWINCH",  "window changed" },
	{ SIGIO,     false, "SIGIO",     "I/O possible" },
	{ SIGPWR,    false, "SIGPWR",    "power failure" },
};

/* Libraries whose frames hide their caller. */
static const char *const FAILURE_LIBRARIES[] = {
	"libc.so", "libc-", "ld-linux", "ld-musl", "libpthread", "libgcc_s",
	"libstdc++", "libc++", "libasan", "libubsan", "libtsan", "liblsan",
	"libclang_rt", "linux-vdso",
};

/* Signals without a name in the table: the number as a word. */
static const char *const FAILURE_NUMBERS[] = {
	"signal 0",  "SIG1",  "SIG2",  "SIG3",  "SIG4",  "SIG5",  "SIG6",
	"SIG7",      "SIG8",  "SIG9",  "SIG10", "SIG11", "SIG12", "SIG13",
	"SIG14",     "SIG15", "SIG16", "SIG17", "SIG18", "SIG19", "SIG20",
	"SIG21",     "SIG22", "SIG23", "SIG24", "SIG25", "SIG26", "SIG27",
	"SIG28",     "SIG29", "SIG30", "SIG31", "SIG32", "SIG33", "SIG34",
	"SIG35",     "SIG36", "SIG37", "SIG38", "SIG39", "SIG40", "SIG41",
	"SIG42",     "SIG43", "SIG44", "SIG45", "SIG46", "SIG47", "SIG48",
	"SIG49",     "SIG50", "SIG51", "SIG52", "SIG53", "SIG54", "SIG55",
	"SIG56",     "SIG57", "SIG58", "SIG59", "SIG60", "SIG61", "SIG62",
	"SIG63",     "SIG64",
};
/* clang-format on */

#define FAILURE_N(array) (sizeof(array) / sizeof((array)[0]))

static const struct failure_signal *
failure_find_signal(int signo)
{
	for (size_t i = 0; i < FAILURE_N(FAILURE_SIGNALS); i++) {
		if (FAILURE_SIGNALS[i].signo == signo)
			return &FAILURE_SIGNALS[i];
	}
	return NULL;
}

bool
failure_is_crash_signal(int signo)
{
	const struct failure_signal *found = failure_find_signal(signo);

	return found != NULL && found->crash;
}

bool
failure_is_suspect(enum failure_kind kind)
{
	return kind == FAILURE_KILLED || kind == FAILURE_LINK ||
		kind == FAILURE_PROTOCOL;
}

const char *
failure_kind_name(enum failure_kind kind)
{
	if ((unsigned)kind >= FAILURE_KIND_COUNT)
		return "unknown";
	return FAILURE_NAMES[kind];
}

enum failure_kind
failure_kind_parse(const char *name)
{
	for (unsigned i = 0; i < FAILURE_KIND_COUNT; i++) {
		if (strcmp(name, FAILURE_NAMES[i]) == 0)
			return (enum failure_kind)i;
	}
	return FAILURE_NONE;
}

const char *
failure_signal_name(int signo)
{
	const struct failure_signal *found = failure_find_signal(signo);

	if (found != NULL)
		return found->name;
	if (signo > 0 && (size_t)signo < FAILURE_N(FAILURE_NUMBERS))
		return FAILURE_NUMBERS[signo];
	return FAILURE_NUMBERS[0];
}

const char *
failure_signal_text(int signo)
{
	const struct failure_signal *found = failure_find_signal(signo);

	return found != NULL ? found->text : failure_signal_name(signo);
}

static bool
failure_frame_is_library(const struct failure_frame *frame)
{
	for (size_t i = 0; i < FAILURE_N(FAILURE_LIBRARIES); i++) {
		if (strncmp(frame->module, FAILURE_LIBRARIES[i],
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
		if (!failure_frame_is_library(&frames[i]) &&
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

static void
failure_describe_signal(struct failure *f, int signo,
	const struct failure_block *block)
{
	bool seen = block->signo == signo;
	const char *where = "";

	f->kind = failure_is_crash_signal(signo) ? FAILURE_SIGNAL
						 : FAILURE_KILLED;
	f->signo = signo;
	if (seen && signo == SIGSEGV && block->code > 0 &&
		block->address < FAILURE_NULL_PAGE)
		where = " near address 0";
	if (signo == SIGXFSZ)
		where = ": a file got larger than --file-limit allows";
	(void)snprintf(f->what, sizeof(f->what), "%s",
		failure_signal_name(signo));
	(void)snprintf(f->text, sizeof(f->text), "%s (%s)%s",
		failure_signal_text(signo), failure_signal_name(signo), where);
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
		seen ? "" : " by _exit(), which leaves no place", exit_status);
}

static void
failure_describe_stop(struct failure *f, int signo)
{
	f->kind = FAILURE_STOPPED;
	f->signo = signo;
	(void)snprintf(f->what, sizeof(f->what), "%s",
		failure_signal_name(signo));
	(void)snprintf(f->text, sizeof(f->text),
		"the target stopped the process (%s)",
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

/* A live process reports on its last execution. */
static void
failure_describe_claim(struct failure *f, const struct failure_block *block)
{
	uint32_t len = block->text_len;

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
		if (len >= sizeof(f->text))
			len = sizeof(f->text) - 1;
		memcpy(f->text, block->text, len);
		f->text[len] = '\0';
	} else {
		f->kind = FAILURE_PROTOCOL;
		(void)snprintf(f->text, sizeof(f->text),
			"the target wrote over the memory of its worker");
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
	static const char *const PLACES[] = { "", "custom mutator",
		"custom crossover" };
	char how[FAILURE_TEXT_MAX], access[64] = "";
	size_t used;

	if (block->place == FAILURE_IN_TARGET ||
		block->place >= FAILURE_PLACE_COUNT || f->kind == FAILURE_NONE)
		return;
	if (f->kind == FAILURE_SIGNAL)
		failure_say_access(block, access, sizeof(access));
	memcpy(how, f->text, sizeof(how));
	how[sizeof(how) - 1] = '\0';
	if (f->kind == FAILURE_EXIT)
		(void)snprintf(how, sizeof(how), "ended the process: %s",
			f->what);
	(void)snprintf(f->text, sizeof(f->text), "%s: %.*s%s",
		PLACES[block->place], (int)(sizeof(f->text) / 2), how, access);
	used = strlen(f->text);
	if (f->frames_n > 0)
		(void)snprintf(f->text + used, sizeof(f->text) - used,
			", at %s+0x%llx", f->frames[0].module,
			(unsigned long long)f->frames[0].offset);
	f->kind = FAILURE_MUTATOR;
}

static uint64_t
failure_hash(uint64_t hash, const void *data, size_t len)
{
	const uint8_t *bytes = data;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ bytes[i]) * FAILURE_FNV_PRIME;
	return hash;
}

static uint64_t
failure_hash_frame(uint64_t hash, const struct failure_frame *frame)
{
	hash = failure_hash(hash, frame->module,
		strnlen(frame->module, sizeof(frame->module)));
	for (unsigned shift = 0; shift < 64; shift += 8) {
		uint8_t byte = (uint8_t)(frame->offset >> shift);

		hash = failure_hash(hash, &byte, sizeof(byte));
	}
	return hash;
}

/* Stack overflow: the innermost frame is arbitrary; hash one round of it. */
static bool
failure_is_recursion(const struct failure *failure)
{
	return failure->frames_n > 1 &&
		(failure->stack_full ||
			strcmp(failure->what, "stack-overflow") == 0);
}

static bool
failure_same_frame(const struct failure_frame *a, const struct failure_frame *b)
{
	return a->offset == b->offset &&
		strncmp(a->module, b->module, sizeof(a->module)) == 0;
}

/* Hashes the frames that occur more than once, in any order. */
static bool
failure_hash_rounds(uint64_t *hash, const struct failure_frame *frames,
	uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t same = 0;
		bool again = false;

		for (uint32_t j = 0; j < n; j++) {
			if (!failure_same_frame(&frames[i], &frames[j]))
				continue;
			same++;
			again |= j < i;
		}
		if (same > 1 && !again)
			sum += failure_hash_frame(FAILURE_FNV_BASIS,
				&frames[i]);
	}
	if (sum != 0)
		*hash = failure_hash(*hash, &sum, sizeof(sum));
	return sum != 0;
}

/*
 * A hang below a recursion of any depth: hashes one round of the recursion, and
 * the innermost function unless it belongs to the round.
 */
static bool
failure_hash_hang(uint64_t *hash, const struct failure_frame *frames,
	uint32_t n)
{
	bool inside = false;

	if (!failure_hash_rounds(hash, frames, n))
		return false;
	for (uint32_t i = 1; i < n; i++)
		inside |= failure_same_frame(&frames[0], &frames[i]);
	if (!inside)
		*hash = failure_hash_frame(*hash, &frames[0]);
	return true;
}

uint64_t
failure_signature(const struct failure *failure)
{
	const struct failure_frame *frames = failure->frames;
	uint64_t hash = FAILURE_FNV_BASIS;
	uint8_t kind = (uint8_t)failure->kind;
	uint32_t n = failure->frames_n;
	char detail[FAILURE_DETAIL_MAX];

	if (n > FAILURE_FRAMES_MAX)
		n = FAILURE_FRAMES_MAX;
	hash = failure_hash(hash, &kind, sizeof(kind));
	hash = failure_hash(hash, failure->what,
		strnlen(failure->what, sizeof(failure->what)) + 1);
	failure_detail(failure, detail, sizeof(detail));
	hash = failure_hash(hash, detail, strlen(detail));
	if (failure_is_recursion(failure) &&
		failure_hash_rounds(&hash, frames + 1, n - 1))
		return hash != 0 ? hash : 1;
	if (failure->kind == FAILURE_HANG &&
		failure_hash_hang(&hash, frames, n))
		return hash != 0 ? hash : 1;
	if (n > FAILURE_SIGNATURE_FRAMES)
		n = FAILURE_SIGNATURE_FRAMES;
	for (uint32_t i = 0; i < n; i++)
		hash = failure_hash_frame(hash, &frames[i]);
	return hash != 0 ? hash : 1;
}
