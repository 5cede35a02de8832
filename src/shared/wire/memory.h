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
#include "shared/mutate/mutate.h"
#include "shared/wire/execution_log.h"
#include "shared/wire/failure.h"

#define WIRE_VERSION 5

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
#define WORKER_ENVIRONMENT "CFUZZ_WORKER"

#define MEMORY_TRAIL_MAX 64u
#define MEMORY_WORKERS_MAX 256u
#define MEMORY_MODULES_MAX 256u
#define MEMORY_COUNTERS_MAX (16u << 20)
#define MEMORY_NO_ENTRY UINT32_MAX
#define MEMORY_WORDS_MAX 4096u
#define MEMORY_WORD_LEN_MAX 128u
#define MEMORY_SELECTION_MAX 65536u
#define MEMORY_LITERALS_MAX 16384u
#define MEMORY_OPS_MAX 64u         /* mutation kinds on the wire */
#define MEMORY_HITS_MAX 65536u     /* edges hit by one new input */
#define MEMORY_SEQUENCE_MAX 10000u /* values of one CALL_SEQUENCE */

/* The kind of a call; the fork server copies it from the request. */
enum call_kind {
	CALL_NONE,
	CALL_FUZZ,     /* mutate and run until limit, time or failure */
	CALL_RUN,      /* run the value once, unchanged (warm-up, replay) */
	CALL_MINIMIZE, /* make the value smaller, keep its features */
	CALL_TRY,      /* one candidate of the fork server's minimizer */
	CALL_TABLES,   /* report a part of the PC table; executes nothing */
	CALL_SHRINK,   /* candidates of that minimizer, until one fails */
	CALL_SEQUENCE, /* run many values, unchanged, one after the other */
};

/* Why a call ended; the child writes it, the fork server checks it. */
enum call_end {
	CALL_RUNNING, /* not ended; if the child is dead, it died in the call */
	CALL_LIMIT,   /* the execution limit was reached */
	CALL_TIME,    /* the engine raised campaign_slot.end_seq */
	CALL_RING,    /* the ring of new inputs is full */
	CALL_DONE,    /* run, try or minimize is complete */
	CALL_FAILED,  /* a failure that did not kill the process */
	CALL_MODULES, /* new edge counters appeared, see worker_head.late */
	CALL_REFUSED, /* the arguments are invalid */
	CALL_UNKNOWN, /* minimize: the engine has not judged the last failure
			 yet; the minimizer repeats that try */
};

/* A group of edge counters of one loaded module. */
struct counter_module {
	uint64_t key;  /* hash of the build-id or file name, and n */
	uint32_t n;    /* edge counters */
	uint32_t base; /* first index in the map; UINT32_MAX: no room */
};

/* The key of the value profile's counters (progress in comparisons). They say
 * nothing about code, and matter only where nothing else grows. */
#define MEMORY_PROFILE_KEY 0x65726170706d6f63u

/* The call under way. The fork server writes it before it wakes the child. */
struct call {
	uint64_t seq;       /* number of the call, see campaign_slot.end_seq */
	uint64_t limit;     /* executions, 0 = none */
	uint32_t kind;      /* enum call_kind */
	uint32_t parent;    /* arena entry of the start value; NO_ENTRY: the
			       start is in the value area */
	uint32_t cap;       /* logical capacity of the mutators, bytes */
	uint32_t chain_max; /* mutations before the value is reset */
	uint32_t confirm;   /* 1: a new input runs again before it is kept */
	uint32_t keep_n;    /* features that MINIMIZE must keep; 0: all of the
			       start, see outcome.kept */
	uint32_t draw;      /* 1: parents come from the selection table */
	uint32_t profile;   /* 1: value profile, see value_profile.h */
	/*
	 * TABLES: the module, and its first counter to report. SHRINK: first is
	 * 1 if the engine accepted the candidate that failed in the previous
	 * call.
	 */
	struct counter_module module;
	uint32_t first;
	uint32_t machine;    /* MINIMIZE, 1: continue worker_head.machine */
	uint32_t tries_max;  /* MINIMIZE: room for this many marks */
	uint32_t leaks;      /* enum call_leaks */
	uint32_t sequence_n; /* SEQUENCE: values, see worker_layout */
	uint32_t pad;
};

enum call_leaks {
	CALL_LEAKS_NOT,
	CALL_LEAKS_USUAL,  /* check where it pays */
	CALL_LEAKS_ALWAYS, /* after each execution that keeps memory */
};

/* The child's account of a finished call. */
struct outcome {
	uint32_t end;        /* enum call_end */
	uint32_t finds;      /* records in the ring */
	uint64_t ring_used;  /* bytes of the ring in use */
	uint64_t total_ns;   /* duration of the call */
	uint64_t run_ns;     /* CALL_RUN: duration of the execution */
	uint64_t rejected;   /* executions that returned -1 */
	uint64_t best_len;   /* MINIMIZE: length of the best value */
	uint32_t verified;   /* MINIMIZE, 1: the start itself passed, so the
				best value is valid */
	uint32_t odd_return; /* 1: a value other than 0 and -1 was returned */
	uint32_t late_n;     /* entries in worker_head.late */
	uint32_t custom_bad; /* 1: the target's mutator returned more than its
				limit */
	uint32_t lost;       /* MINIMIZE: features that the start lacks */
	uint32_t kept;       /* MINIMIZE: features to keep, if keep_n was 0 */
};

/*
 * How often the target's own mutators are called, see custom.c. The struct
 * outlives the processes of a worker, so that a mutator that ends every process
 * is called less often, too.
 */
struct custom_rest {
	uint32_t running; /* 1: a call began and has not ended */
	uint32_t level;   /* one call in 2^level */
	uint32_t fine;    /* good calls since the level changed */
	uint32_t pad;
};

/*
 * The result of each try of a minimization, one byte per try. The marks of a
 * call are in order, in place of the ring. Together with the state at the start
 * of the call they say everything that happened.
 */
enum minimize_mark {
	MARK_NONE,
	MARK_SAME,        /* accepted */
	MARK_NOTHING,     /* no failure */
	MARK_OTHER,       /* another failure, which the engine has judged */
	MARK_LOST = 0x80, /* and above: plus the number of lost features, at
			     most 127 */
};

/* A failure that the engine has judged. same: it is the one to keep. */
struct known_failure {
	uint64_t signature;
	uint32_t same;
	uint32_t pad;
};
#define MEMORY_KNOWN_MAX 1024u /* in place of the features to keep */

/* Leak checks. As above, the struct outlives the processes of a worker. */
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
 * The head of worker memory. The first 32 bytes have the offsets of the
 * reference engine's header.
 */
struct worker_head {
	uint64_t count;      /* executions of the call; +1 before each */
	uint64_t value_len;  /* valid bytes in the value area */
	uint64_t rand_state; /* PRNG at the start of the mutation stack */
	uint64_t rand_inc;

	/* The mutation stack under way: rebuilds a failing input. */
	uint32_t parent;  /* as in struct call */
	uint32_t partner; /* arena entry spliced with, or NO_ENTRY */
	uint32_t dict_len;
	uint32_t chain;      /* mutations since the parent's bytes */
	uint32_t literals_n; /* literal bytes; over MEMORY_TAPE_MAX: lost */
	struct exec_log log; /* its mutations, and earlier executions */
	uint8_t literals
		[MEMORY_LITERALS_MAX];  /* literal bytes: no PRNG gives them */
	uint64_t steps[MEMORY_OPS_MAX]; /* mutations of the call, by kind */

	int32_t child_pid; /* by the fork server after each fork; 0: none */
	uint32_t slot;     /* worker number, by the engine before the start */
	struct custom_rest custom_rest; /* by the child; the engine keeps it */
	struct leaks_rest leaks;        /* by the child */
	struct call call;
	struct outcome outcome;
	struct minimize_live live;
	/* The minimizer's state, see minimizer_save(): the state to continue
	 * from, if the request says so, and the state at the end of the
	 * call. */
	uint64_t machine[MINIMIZE_STATE_N];
	/* enum failure_kind: why the engine kills the child that runs a try of
	 * the fork server's minimizer; written before the kill. */
	uint32_t kill_reason;
	uint32_t pad2;
	struct counter_module late[16];
	struct failure_block failure;
	uint32_t map_n; /* loaded modules, for failure_describe() */
	struct failure_module map[FAILURE_MODULES_MAX];
};

/* One slot per worker in campaign memory, read by the child. */
struct campaign_slot {
	uint64_t end_seq; /* calls up to this number must end now */
	uint32_t paused;  /* 1: a stop by SIGSTOP is no failure */
	uint32_t pad[13];
};

/*
 * One corpus entry in the arena. Its share of the selection table decides how
 * often it is a parent: the table holds numbers of entries, and a worker draws
 * one place. The engine writes the table while workers draw; each place always
 * holds some entry.
 */
struct campaign_entry {
	uint64_t offset; /* into campaign memory */
	uint32_t len;    /* bytes */
	uint32_t pad;
};

/* One dictionary token; never changed once published. */
struct memory_word {
	uint8_t len; /* 1 … MEMORY_WORD_LEN_MAX */
	uint8_t bytes[MEMORY_WORD_LEN_MAX];
};

/* The head of campaign memory; offsets count from its start. */
struct campaign_head {
	uint32_t version; /* WIRE_VERSION */
	uint32_t max_len; /* largest input, bytes: fixes the sizes */
	uint64_t size;    /* of campaign memory */
	uint64_t ring_size;
	uint64_t mask_offset; /* MEMORY_COUNTERS_MAX bytes, sparse */
	uint64_t entries_offset;
	uint64_t entries_max;
	uint64_t arena_offset;
	uint64_t words_offset; /* struct memory_word[MEMORY_WORDS_MAX] */
	uint64_t arena_size;
	uint64_t selection_offset; /* uint32_t[MEMORY_TICKETS_MAX] */
	uint32_t modules_n;        /* published with release order */
	uint32_t entries_n;        /* published with release order */
	uint32_t words_n;     /* dictionary; published with release order */
	uint32_t counters;    /* in use: valid bytes of the coverage map */
	uint32_t selection_n; /* published with release order; 0: none yet */
	/* Relative weight of each kind of mutation; all 0: the weights of
	 * mutations_weights(). */
	uint32_t weights[MEMORY_OPS_MAX];
	struct counter_module modules[MEMORY_MODULES_MAX];
	struct campaign_slot slots[MEMORY_WORKERS_MAX];
};

/*
 * A new input in the ring. The record is followed by `pairs_n` struct
 * coverage_pair (new features), `trail_n` struct mutation, `hits_n` numbers of
 * counters (all edges hit), `gone_n` more (unstable edges: not hit again),
 * `literals_n` literal bytes and `len` bytes of the input, then padding up to a
 * multiple of 8. `size` is the size of all this.
 */
struct find_record {
	uint64_t size;
	uint64_t rand_state, rand_inc;
	uint64_t run_ns; /* duration of the confirming execution, 0: none */
	uint32_t len;
	uint32_t parent, partner, dict_len;
	uint32_t chain;
	uint32_t pairs_n, trail_n;
	uint32_t hits_n;     /* 0: there was no room for them */
	uint32_t literals_n; /* over MEMORY_TAPE_MAX: lost, none follow */
	uint32_t gone_n;
	uint32_t flags; /* FIND_… */
	uint32_t pad;
};
#define FIND_CONFIRMED 1u /* a second execution hit the features, too */
#define FIND_UNSTABLE 2u  /* it did not hit some of them */
#define FIND_PROFILE 4u   /* only value profile features are new */

/* One edge counter and the hit-count buckets (a bit each) it reached. */
struct coverage_pair {
	uint32_t counter;
	uint32_t buckets;
};

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
	size_t keep_offset, keep_size; /* struct coverage_pair[] */
	size_t ring_offset, ring_size;
	size_t log_offset, log_size; /* EXEC_LOG_HALF bytes, twice */
	size_t size;
};

#define MEMORY_KEEP_MAX 65536u /* features in KeepCoverage */

/*
 * The value area after TABLES: this head, then for each counter the virtual
 * address of the counted code in the module's file, 0 if unknown. The highest
 * bit is set if a function begins there.
 */
#define TABLE_ENTRY (1ull << 63)
#define TABLE_PATH_MAX 512u
struct table_head {
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

/* max_len: 1 … 1 GiB; the caller checks this. */
void worker_layout_init(struct worker_layout *layout, uint32_t max_len);

/*
 * The offset of the mutations under way, by the log's turns and used. Invalid
 * numbers (a target can write them) give the start of a half.
 */
size_t worker_layout_trail(const struct worker_layout *layout, uint32_t turns,
	uint32_t used);

/*
 * The size of a record with these numbers, padding included. The ring has room
 * for at least two of the largest: value_size bytes, MEMORY_KEEP_MAX features,
 * MEMORY_HITS_MAX edges hit.
 */
uint64_t find_record_size(const struct find_record *record);

/* A new input copied out of the ring: pointers into the copy, in bounds. */
struct find {
	struct find_record record;
	const struct coverage_pair *pairs;
	const struct mutation *trail;
	const uint32_t *hits, *gone;
	const uint8_t *literals; /* tape_n bytes; NULL: lost */
	const uint8_t *bytes;
};

/*
 * Parses the record at *offset of a private copy of a ring's used part and
 * moves *offset behind it. False at the end, or at a record with invalid
 * numbers: *damaged tells which. The copy must be aligned to 8. A new input may
 * be longer than max_len if the call's capacity was, but never longer than the
 * value area.
 */
bool find_next(const uint8_t *ring, size_t used, size_t *offset,
	uint32_t max_len, struct find *find, bool *damaged);

#endif
