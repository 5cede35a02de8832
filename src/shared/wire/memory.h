/*
 * memory: the layout of the two shared memories of engine and workers.
 *
 * Worker memory (one memfd per worker, sealed against resizing) is written by
 * both sides: the worker owns it during a call, the engine between calls.
 * Campaign memory (one memfd, sealed so that only the engine can write) is read
 * by all workers.
 *
 * The engine trusts nothing in worker memory: it copies each field once and
 * checks the copy. A worker trusts campaign memory. The layout is part of the
 * wire: change it only together with WIRE_VERSION.
 */
#ifndef CFUZZ_SHARED_WIRE_MEMORY_H
#define CFUZZ_SHARED_WIRE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "shared/minimize/minimize.h"
#include "shared/wire/execution_log.h"
#include "shared/wire/failure.h"
#include "shared/wire/memory_call.h"
#include "shared/wire/memory_campaign.h"
#include "shared/wire/memory_ring.h"

#define WIRE_VERSION 10
#define MEMORY_PATHS_SIZE 8192u

/* Descriptors of a worker process, counted from the base in CFUZZ_WORKER. */
#define WORKER_FD_DEFAULT 3
enum worker_fd {
	WORKER_FD_IN,       /* fuzz_in: requests, JSON lines */
	WORKER_FD_OUT,      /* fuzz_out: replies, JSON lines */
	WORKER_FD_MEMORY,   /* worker memory */
	WORKER_FD_CAMPAIGN, /* campaign memory, sealed read-only */
	WORKER_FD_REPORT,   /* memfd for sanitizer reports */
	WORKER_FD_COUNT
};
/* After them, until the runtime starts: the program, for a sanitizer to run it. */
#define WORKER_FD_PROGRAM (WORKER_FD_DEFAULT + WORKER_FD_COUNT)
#define WORKER_ENVIRONMENT "CFUZZ_WORKER"
#define WORKER_HEAD_ENVIRONMENT "CFUZZ_HEAD" /* the memory's, for src/preload */
#define WORKER_SHM_NAME "cfuzz-%d-" /* its POSIX memory: how names begin */
/* The exit status of a worker that cannot go on. Its last line says why. */
#define WORKER_EXIT_INTERNAL 70

/* The file from which a program reads its input; absent: standard input. */
#define WORKER_INPUT "CFUZZ_INPUT"
/* The program of --cmplog, for src/adapter. */
#define WORKER_CMPLOG "CFUZZ_CMPLOG"
/* For src/adapter: what file_stamp() said of both programs at the start. */
#define WORKER_PROGRAM_STAMP "CFUZZ_PROGRAM_STAMP"
#define WORKER_CMPLOG_STAMP "CFUZZ_CMPLOG_STAMP"
/* The dynamic linker resolves all calls at the start, and not again in each
 * process that runs an input. The value says that the user has not set it. */
#define WORKER_BIND_NOW "LD_BIND_NOW=cfuzz"
/* Present: a program without instrumentation is to run without coverage. */
#define WORKER_PLAIN "CFUZZ_PLAIN"

/*
 * How often the target's own mutators are called, see target/child/custom.c.
 * The struct outlives the processes of a worker, so that a mutator that ends
 * every process is called less often, too.
 */
struct custom_rest {
	uint32_t running; /* 1: a call began and has not ended */
	uint32_t level;   /* one call in 2^level */
	uint32_t fine;    /* good calls since the level changed */
	uint32_t pad;
};

/* Leak checks. Like custom_rest, the struct outlives the processes of a
 * worker. */
struct leaks_rest {
	uint32_t looking; /* 1: a check is under way, which takes long */
	uint32_t vain;    /* checks without a leak, in a row */
	uint32_t found;   /* leaks, in all */
	uint32_t usual;   /* allocations that an execution keeps, no leak */
};

/* Progress of a minimization, sampled only for the screen. */
struct minimize_live {
	uint32_t phase; /* enum minimize_phase */
	uint32_t position;
	uint64_t tries, accepted;
	uint64_t best_len, start_len;
	uint64_t cut_offset, cut_len;
};

/*
 * The head of worker memory. The first 32 bytes are laid out as the header of
 * Go's engine.
 */
struct worker_head {
	uint64_t count;      /* executions of the call; +1 before each */
	uint64_t value_len;  /* valid bytes in the value area */
	uint64_t rand_state; /* PRNG at the start of the mutation stack */
	uint64_t rand_inc;

	/* The mutation stack under way: rebuilds a failing input. */
	uint32_t parent;     /* as in struct call */
	uint32_t partner;    /* entry spliced with, or MEMORY_NO_ENTRY */
	uint32_t dict_len;   /* tokens in the dictionary at that time */
	uint32_t stack_n;    /* mutations since the parent's bytes */
	uint32_t literals_n; /* literal bytes; over MEMORY_LITERALS_MAX: lost */
	struct exec_log log; /* its mutations, and earlier executions */
	uint8_t literals
		[MEMORY_LITERALS_MAX]; /* literal bytes: no PRNG gives them */
	uint64_t mutations[MEMORY_OPS_MAX]; /* mutations of the call, by kind */

	int32_t child_pid; /* by the fork server after each fork; 0: none */
	uint32_t slot;     /* worker number, by the engine before the start */
	struct custom_rest custom_rest; /* by the child; the engine keeps it */
	struct leaks_rest leaks;        /* by the child */
	struct call call;
	struct outcome outcome;
	struct minimize_live live;
	/* The minimizer's state: the state to continue from, if the request
	 * says so, and the state at the end of the call. */
	struct minimizer_state machine;
	/* enum failure_kind: why the engine kills the child that runs a try of
	 * the fork server's minimizer; written before the kill. */
	uint32_t kill_reason;
	/* 1: the input has run, and runs once more to record comparisons; until
	 * the next input. By the adapter. */
	uint32_t comparing;
	/* Odd: the program of another fuzzer is started again, or was, and no
	 * input has run since. Half of it: how often. By the adapter. */
	uint32_t reviving;
	uint32_t exits_fail; /* 1: exit statuses are failures; by the adapter */
	/* New modules, see CALL_MODULES: outcome.late_n of them. */
	struct counter_module late[MEMORY_LATE_MAX];
	struct failure_block failure;
	uint32_t map_n; /* loaded modules, for failure_describe() */
	struct failure_module map[FAILURE_MODULES_MAX];
	/* Lines: absolute paths of modules with counters, or with frames of a
	 * failure, that any process of the worker has loaded after its start. */
	char paths[MEMORY_PATHS_SIZE];
};

#define MEMORY_RING_INPUTS 4u /* of max_len, that a ring has room for */

/*
 * Offsets in worker memory. Both sides compute them from max_len and read none
 * of them from the memory itself. The value area has two halves: `value` (the
 * candidate) and `best` (the best value of a minimization, or room for the
 * confirming run). Then come the features to keep, the ring, and the execution
 * log. All sizes are in bytes, all offsets multiples of 4096.
 *
 * The values of SEQUENCE are in place of the ring: for each its length as a
 * uint32_t, then its bytes, without padding.
 */
struct worker_layout {
	size_t value_offset, value_size;
	size_t best_offset, best_size;
	size_t keep_offset, keep_size; /* struct feature[] */
	size_t ring_offset, ring_size;
	size_t log_offset, log_size; /* EXEC_LOG_HALF bytes, twice */
	size_t size;
};

/*
 * The value area after PC_TABLE: this head, then for each counter the virtual
 * address of the counted code in the module's file, 0 if unknown. The highest
 * bit is set if a function begins there.
 */
#define TABLE_ENTRY (1ull << 63)
#define TABLE_PATH_MAX 512u
struct pc_table_head {
	uint32_t n;                /* numbers that follow */
	uint32_t id_len;           /* of the build-id, 0: none */
	uint8_t id[64];            /* build-id */
	char path[TABLE_PATH_MAX]; /* "": the program, or unknown */
};

/*
 * Copies memory that another process may be writing to. The copy is made here,
 * and once: after a plain assignment a compiler may read the source again,
 * after the checks.
 */
static inline void
memory_take(void *to, const void *from, size_t len)
{
	memcpy(to, from, len);
	__asm__ volatile("" : : "r"(to) : "memory");
}

/* max_len: bytes, 1 … 1 GiB; the caller checks this. */
void worker_layout_init(struct worker_layout *layout, uint32_t max_len);

/*
 * The offset of the mutations under way, by the log's turns and used. Invalid
 * numbers (a target can write them) give the start of a half.
 */
size_t worker_layout_mutations(const struct worker_layout *layout,
	uint32_t turns, uint32_t used);

#endif
