/*
 * failure: how an execution failed, as plain data.
 *
 * A failure has two descriptions. The dying child leaves a block in worker
 * memory (raw, untrusted). The fork server makes a struct failure of the block,
 * the wait status and the sanitizer's report. That struct travels in the reply.
 * Its stack hash decides, without symbols, whether two failures are the same.
 */
#ifndef CFUZZ_SHARED_WIRE_FAILURE_H
#define CFUZZ_SHARED_WIRE_FAILURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/failure_block.h"

#define FAILURE_HASH_FRAMES 5u  /* innermost frames in the stack hash */
#define FAILURE_WHAT_MAX 64u    /* bytes, with the NUL */
#define FAILURE_DETAIL_MAX 256u /* bytes, with the NUL */

enum failure_kind {
	FAILURE_NONE,
	FAILURE_SIGNAL,         /* died of a crash signal */
	FAILURE_SANITIZER,      /* a sanitizer's report, fatal or not */
	FAILURE_EXIT,           /* the target called exit(n) */
	FAILURE_ERROR,          /* cfuzz_fail() */
	FAILURE_INPUT_MODIFIED, /* the target wrote into its input */
	FAILURE_HANG,           /* over the time limit; the engine killed it */
	FAILURE_STOPPED,        /* SIGSTOP or the like; a suspect at first */
	FAILURE_OOM,  /* over the memory limit; the engine killed it */
	FAILURE_LEAK, /* memory is lost after the execution */
	/* suspects: the input may not be the cause */
	FAILURE_KILLED,   /* SIGKILL, SIGTERM, SIGHUP … not sent by us */
	FAILURE_LINK,     /* the child lost its link to the fork server */
	FAILURE_PROTOCOL, /* invalid data on the link, or a damaged header */
	/* not a failure of an input: */
	FAILURE_MUTATOR, /* the target's own mutator failed */
	FAILURE_KIND_COUNT
};

/*
 * One stack frame: a module (file name without folder) and an offset from its
 * load address, inside the faulting instruction or the call. UBSan without a
 * stack gives only a source line: then module is "file.c:12:5" and offset 0.
 */
struct failure_frame {
	char module[FAILURE_MODULE_MAX];
	uint64_t offset;
};

struct failure {
	enum failure_kind kind;
	int signo;       /* FAILURE_SIGNAL, FAILURE_KILLED, FAILURE_STOPPED */
	int exit_status; /* FAILURE_EXIT */
	char what[FAILURE_WHAT_MAX]; /* "heap-buffer-overflow", "SIGSEGV" … */
	char text[FAILURE_TEXT_MAX]; /* one line for people */
	/* Stack overflow: the innermost frame is arbitrary. */
	bool stack_full;
	uint32_t frames_n;
	struct failure_frame frames[FAILURE_FRAMES_MAX];
};

/* Crash signals: SIGILL TRAP ABRT BUS FPE SEGV PIPE SYS. */
bool failure_is_crash_signal(int signo);

/* Suspects are kept apart; by themselves they never count as findings. */
bool failure_is_suspect(enum failure_kind kind);

/* Is the module of a frame a library whose frames hide their caller: the C or C++
 * library, the dynamic linker, or a sanitizer? */
bool failure_is_library(const char *module);

/* Does the module of a frame have this name, of len bytes? In a frame, '?'
 * stands for each byte that is not printable ASCII. */
bool failure_is_module(const char *module, const char *name, size_t len);

/*
 * Turns a failure in the target's own mutator, according to block->origin,
 * into FAILURE_MUTATOR. The text names the mutator, the failure and the frame.
 * Other failures do not change.
 */
void failure_set_mutator(struct failure *failure,
	const struct failure_block *block);

/* Does each execution that fails so take a whole time limit, or all of the
 * memory? */
bool failure_is_slow(enum failure_kind kind);
/* "signal", "sanitizer" …: stable words for JSON; never NULL. */
const char *failure_kind_name(enum failure_kind kind);
/* FAILURE_NONE: no such name. */
enum failure_kind failure_kind_parse(const char *name);

/* The class of a failure that users see: one class covers several kinds. */
struct failure_class {
	const char *name;   /* of its event in the journal: "oom" */
	const char *words;  /* "out of memory" */
	const char *folder; /* of its findings: "ooms" */
};

/* Unknown kinds are crashes; never NULL. */
const struct failure_class *failure_class(enum failure_kind kind);

/* "SIGSEGV", or "SIG42" if there is no name; "signal 0" if signo is not in
 * 1 … 64. Static. */
const char *failure_signal_name(int signo);
/* "segmentation fault", in the words of Go; else the same as the name. */
const char *failure_signal_text(int signo);

/*
 * Describes a dead or stopped process from its wait status and its block. Block
 * and modules are private copies of worker memory; this function checks their
 * numbers. The kind in the block (cfuzz_fail, a changed input) is believed only
 * of a live process: pass wait_status 0. Frames of the C and C++ libraries
 * above the target's own are skipped; frames of the runtime are cut.
 */
void failure_describe(struct failure *failure, int wait_status,
	const struct failure_block *block, const struct failure_module *modules,
	size_t modules_n);

/*
 * Keeps only the target's own frames. The frames below the call of the target
 * are ours and depend on the kind of call; the string hooks and the functions
 * that the target calls in the runtime are ours, too. None of them belongs in
 * the stack hash.
 */
void failure_cut(struct failure *failure, const struct failure_module *modules,
	size_t modules_n);

/*
 * Replaces the failure by the parsed report, which says more than the signal or
 * exit status of the process. The frames of the signal complete a report
 * without a stack.
 */
void failure_take_report(struct failure *failure, const struct failure *report,
	const struct failure_module *modules, size_t modules_n);

/* Adds ": " and the last line of the target's output to the text, at most 256
 * bytes of it. In the text, '?' replaces all but printable ASCII. */
void failure_quote(struct failure *failure, const char *output, size_t len);

/*
 * The words of the text that tell failures apart: the condition of an assertion
 * without numbers, or "READ" or "WRITE" of a sanitizer's report; "" if there
 * are none. FAILURE_DETAIL_MAX bytes are enough.
 */
void failure_detail(const struct failure *failure, char *buf, size_t size);

/*
 * Stack hash without symbols: kind, what, detail, and the innermost frames as
 * (module, offset), hashed (FNV-1a, 64 bit). Never 0. Of a stack overflow, or a
 * hang in a recursion, the frames are those of one round of the recursion, and
 * for a hang the innermost one. It is finer than a bucket (findings/bucket.h):
 * equal hashes mean equal buckets.
 */
uint64_t failure_stack_hash(const struct failure *failure);

/*
 * Reads a sanitizer's report (hostile text, not NUL-terminated, any length)
 * into failure: kind, what, text, and the frames without those of allocator and
 * sanitizer. Returns false if there is no report.
 */
bool failure_parse_report(struct failure *failure, const char *report,
	size_t len);

/* The same in the output of a target without a sanitizer: "runtime error" is the
 * target's own message there. Other reports come from what it has started. */
bool failure_parse_output(struct failure *failure, const char *output,
	size_t len);

#endif
