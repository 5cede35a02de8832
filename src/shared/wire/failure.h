/*
 * failure: how an execution failed, as plain data.
 *
 * A failure has two descriptions. The block is what the dying child leaves
 * in worker memory (raw, untrusted). The failure is what the keeper makes of
 * the block, the wait status and the sanitizer's report; it travels in the
 * reply, and its raw signature decides, without symbols, whether two
 * failures are the same.
 */
#ifndef CFUZZ_SHARED_WIRE_FAILURE_H
#define CFUZZ_SHARED_WIRE_FAILURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAILURE_FRAMES_MAX 32u
#define FAILURE_SIGNATURE_FRAMES 5u
#define FAILURE_TEXT_MAX 1024u
#define FAILURE_WHAT_MAX 64u
#define FAILURE_DETAIL_MAX 256u
#define FAILURE_MODULE_MAX 128u
#define FAILURE_MODULES_MAX 64u

enum failure_kind {
	FAILURE_NONE,
	FAILURE_SIGNAL,    /* died of a crash signal */
	FAILURE_SANITIZER, /* a sanitizer's report, fatal or not */
	FAILURE_EXIT,      /* the target ended the process: exit(n) */
	FAILURE_ERROR,     /* cfuzz_fail() */
	FAILURE_INPUT_MODIFIED,
	FAILURE_HANG,    /* over the time limit; ended by the engine */
	FAILURE_STOPPED, /* stopped itself (SIGSTOP) */
	FAILURE_OOM,     /* over the memory limit; ended by the engine */
	FAILURE_LEAK,
	/* ends that need not be the input's fault (suspects): */
	FAILURE_KILLED,   /* SIGKILL, SIGTERM, SIGHUP … not sent by us */
	FAILURE_LINK,     /* the child lost its link to the keeper */
	FAILURE_PROTOCOL, /* nonsense on the link, or a damaged header */
	/* no end of an input at all: */
	FAILURE_MUTATOR, /* the target's own mutator did wrong */
	FAILURE_KIND_COUNT
};

/* Whose code it was that failed. */
enum failure_place {
	FAILURE_IN_TARGET,
	FAILURE_IN_MUTATOR,   /* LLVMFuzzerCustomMutator */
	FAILURE_IN_CROSSOVER, /* LLVMFuzzerCustomCrossOver */
	FAILURE_PLACE_COUNT
};

/* What the instruction at fault was about to do, where that can be told. */
enum failure_access {
	FAILURE_ACCESS_UNKNOWN,
	FAILURE_ACCESS_READ,
	FAILURE_ACCESS_WRITE,
};

/* The stack of an execution that goes on, which the engine has asked for. */
enum sample_wish {
	SAMPLE_NOT,
	SAMPLE_WATCH, /* and what of it returns */
	SAMPLE_ONCE,  /* and no step further */
};
enum sample_state {
	SAMPLE_NONE,
	SAMPLE_TAKEN, /* and watched */
	SAMPLE_FINAL, /* nothing changes any more */
};
/* The last of the frames, in place of an address: what comes then has been
 * written over. */
#define FAILURE_SMASHED (UINT64_MAX - 1)
#define FAILURE_SMASHED_WHAT "stack-smashed"

/* Where nobody handles it, it is ignored. */
#define SAMPLE_SIGNAL SIGURG

/*
 * One stack frame: a module (file name without folder) and an offset from
 * its load address, inside the instruction at fault or the call. UBSan
 * without a stack knows only the place in the source: then module is
 * "file.c:12:5" and offset 0.
 */
struct failure_frame {
	char module[FAILURE_MODULE_MAX];
	uint64_t offset;
};

/* What the child's handlers write. In worker memory: untrusted. */
struct failure_block {
	uint32_t kind; /* enum failure_kind the child knows of, or 0 */
	int32_t signo, code;
	uint32_t access; /* enum failure_access */
	uint32_t place;  /* enum failure_place */
	uint32_t frames_n;
	uint32_t sample;               /* enum sample_wish, by the engine */
	uint32_t sampled;              /* enum sample_state */
	uint64_t room_start, room_end; /* what a mutator may write */
	uint64_t address;              /* si_addr */
	uint64_t pc, sp;               /* at the fault */
	uint64_t frames[FAILURE_FRAMES_MAX]; /* absolute; [0] is pc, the others
						lie inside a call */
	uint64_t starts[FAILURE_FRAMES_MAX]; /* of a sample: where the function
						of each begins; 0: unknown */
	uint32_t text_len;
	char text[FAILURE_TEXT_MAX]; /* of cfuzz_fail() */
};

/*
 * Where a module is loaded: what turns addresses into frames. Behind the modules
 * stand parts of the runtime's code, which lies in one of them, by names that no
 * file has.
 */
#define FAILURE_PART_CALLS "/calls"     /* what calls the target */
#define FAILURE_PART_STRINGS "/strings" /* what it calls to compare strings */
#define FAILURE_PART_TEXT "/text"       /* all else */
#define FAILURE_PARTS 3u
struct failure_module {
	uint64_t start, end;
	uint64_t bias; /* offset = address - bias */
	char name[FAILURE_MODULE_MAX];
};

struct failure {
	enum failure_kind kind;
	int signo;       /* FAILURE_SIGNAL, FAILURE_KILLED, FAILURE_STOPPED */
	int exit_status; /* FAILURE_EXIT */
	char what[FAILURE_WHAT_MAX]; /* "heap-buffer-overflow", "SIGSEGV" … */
	char text[FAILURE_TEXT_MAX]; /* one line for people */
	/* The stack was used up: which instruction met its end is chance. */
	bool stack_full;
	uint32_t frames_n;
	struct failure_frame frames[FAILURE_FRAMES_MAX];
};

/* Crash signals: SIGILL TRAP ABRT BUS FPE SEGV PIPE SYS; others are not. */
bool failure_is_crash_signal(int signo);

/* Suspects are kept apart and never counted as findings by themselves. */
bool failure_is_suspect(enum failure_kind kind);

/*
 * A failure in the target's own mutator, by the block's place, becomes one of
 * that kind: the text says whose, how, and where. Other blocks change nothing.
 */
void failure_blame_mutator(struct failure *failure,
	const struct failure_block *block);

/* "signal", "sanitizer" …: stable words for JSON; never NULL. */
const char *failure_kind_name(enum failure_kind kind);
enum failure_kind failure_kind_parse(const char *name);

/* "SIGSEGV", or "SIG42" in buf; and the reference's lower-case words. */
const char *failure_signal_name(int signo);
const char *failure_signal_text(int signo);

/*
 * What a wait status and the block of a dead or stopped process mean. Block
 * and modules are private copies of what stood in worker memory; their
 * numbers are bounded here. A block whose kind is set (cfuzz_fail, a changed
 * input) is believed only of a process that lives: pass wait_status 0.
 * Frames of the C and C++ libraries above the target's own are skipped, and
 * those of the runtime are cut.
 */
void failure_describe(struct failure *failure, int wait_status,
	const struct failure_block *block, const struct failure_module *modules,
	size_t modules_n);

/*
 * Leaves the target's own frames. What lies behind the call of the target is ours
 * and differs with what the call was for, and so does what looks on while
 * strings are compared, and what the target calls of us: all that is no part of
 * a failure's identity.
 */
void failure_cut(struct failure *failure, const struct failure_module *modules,
	size_t modules_n);

/*
 * A report, as it was parsed, says more than the signal or exit status that the
 * process has ended with, whose frames complete a report without a stack.
 */
void failure_take_report(struct failure *failure, const struct failure *report,
	const struct failure_module *modules, size_t modules_n);

/* Adds the last line of what the target has written to the text. */
void failure_quote(struct failure *failure, const char *output, size_t len);

/*
 * The words of its text that say which failure it is: the condition of an
 * assertion, numbers left out, or "READ" or "WRITE" of a sanitizer's report;
 * "" if there are none. FAILURE_DETAIL_MAX bytes will do.
 */
void failure_detail(const struct failure *failure, char *buf, size_t size);

/*
 * Identity of a failure without symbols: kind, what, detail, and the top
 * frames as (module, offset), hashed (FNV-1a, 64 bit). Never 0. It is finer
 * than a bucket (findings/bucket.h): same signature, same bucket.
 */
uint64_t failure_signature(const struct failure *failure);

/*
 * Reads a sanitizer's report (hostile text, not NUL-terminated, any length)
 * into failure: kind, what, text, frames with allocator and sanitizer
 * frames skipped. Returns false when there is no report in it.
 */
bool failure_parse_report(struct failure *failure, const char *report,
	size_t len);

#endif
