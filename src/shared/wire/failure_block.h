/*
 * failure_block: the raw account of a failure in worker memory, and the loaded
 * modules.
 */
#ifndef CFUZZ_SHARED_WIRE_FAILURE_BLOCK_H
#define CFUZZ_SHARED_WIRE_FAILURE_BLOCK_H

#include <stdint.h>

#define FAILURE_FRAMES_MAX 32u
#define FAILURE_TEXT_MAX 1024u  /* bytes, with the NUL */
#define FAILURE_MODULE_MAX 128u /* bytes, with the NUL */
#define FAILURE_MODULES_MAX 64u /* with the parts of the runtime */

/* The code that failed. */
enum failure_origin {
	FAILURE_IN_TARGET,
	FAILURE_IN_MUTATOR,   /* LLVMFuzzerCustomMutator */
	FAILURE_IN_CROSSOVER, /* LLVMFuzzerCustomCrossOver */
	FAILURE_ORIGIN_COUNT
};

/* The access of the faulting instruction, if known. */
enum failure_access {
	FAILURE_ACCESS_UNKNOWN,
	FAILURE_ACCESS_READ,
	FAILURE_ACCESS_WRITE,
};

/* The engine asks for the stack of an execution that continues. */
enum sample_request {
	SAMPLE_NOT,
	SAMPLE_WATCH, /* take the stack, then watch which frames return */
	SAMPLE_ONCE,  /* take the stack, and wait in the handler */
};
enum sample_state {
	SAMPLE_NONE,
	SAMPLE_TAKEN, /* its frames are watched */
	SAMPLE_FINAL, /* nothing changes any more */
};
/* The last of the frames, in place of an address: the rest of the stack was
 * overwritten. */
#define FAILURE_SMASHED (UINT64_MAX - 1)
#define FAILURE_SMASHED_WHAT "stack-smashed"

/* The engine's request. A process without a handler ignores the signal. */
#define SAMPLE_SIGNAL SIGURG

/* Written by the child's handlers into worker memory: untrusted. */
struct failure_block {
	uint32_t kind;       /* enum failure_kind that the child knows, or 0 */
	int32_t signo, code; /* si_signo, si_code */
	uint32_t access;     /* enum failure_access */
	uint32_t origin;     /* enum failure_origin */
	uint32_t frames_n;
	uint32_t sample;               /* enum sample_request, by the engine */
	uint32_t sampled;              /* enum sample_state */
	uint64_t room_start, room_end; /* addresses of a mutator's buffer */
	uint64_t address;              /* si_addr */
	uint64_t pc, sp;               /* at the fault */
	uint64_t frames[FAILURE_FRAMES_MAX]; /* addresses, innermost first; [0]
						is pc, the others are inside a
						call */
	uint64_t starts[FAILURE_FRAMES_MAX]; /* of a sample: the start of each
						frame's function; 0: unknown */
	uint32_t text_len;
	char text[FAILURE_TEXT_MAX]; /* of cfuzz_fail() */
};

/*
 * A loaded module, which turns addresses into frames. Behind the modules come
 * parts of the runtime's code, each inside one of the modules; no file has such
 * a name.
 */
#define FAILURE_PART_CALLS "/calls"     /* code that calls the target */
#define FAILURE_PART_STRINGS "/strings" /* hooks of string functions */
#define FAILURE_PART_TEXT "/text"       /* all else */
#define FAILURE_PART_MAIN "/main"       /* main(), if each input runs it */
#define FAILURE_PARTS 4u
struct failure_module {
	uint64_t start, end; /* addresses; end: the first behind it */
	uint64_t bias;       /* offset = address - bias */
	char name[FAILURE_MODULE_MAX];
};

#endif
