/*
 * memory: the layout of the two memories that engine and workers share.
 *
 * Worker memory (one memfd per worker, sealed against resizing) is written
 * by both sides: during a call it is the worker's, between calls the
 * engine's. Campaign memory (one memfd, sealed so that the engine alone can
 * write) is read by all workers.
 *
 * The engine trusts nothing that it reads from worker memory: each field is
 * copied once, then checked. A worker trusts campaign memory. Layout is part
 * of the wire: change it only together with WIRE_VERSION.
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

/* Descriptors of a worker process, from the base in CFUZZ_WORKER on. */
#define WORKER_FD_DEFAULT 3
enum worker_fd {
	WORKER_FD_IN,       /* fuzz_in: requests, JSON lines */
	WORKER_FD_OUT,      /* fuzz_out: replies, JSON lines */
	WORKER_FD_MEMORY,   /* worker memory */
	WORKER_FD_CAMPAIGN, /* campaign memory, read only by its seal */
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
#define MEMORY_TICKETS_MAX 65536u
#define MEMORY_TAPE_MAX 16384u
#define MEMORY_OPS_MAX 64u         /* kinds of mutations, on the wire */
#define MEMORY_HITS_MAX 65536u     /* counters of one find */
#define MEMORY_SEQUENCE_MAX 10000u /* values that run one after the other */

/* What a call asks for; the keeper copies it from the request. */
enum call_kind {
	CALL_NONE,
	CALL_FUZZ,     /* mutate and run until limit, time or failure */
	CALL_RUN,      /* run the value once, unchanged (warm-up, replay) */
	CALL_MINIMIZE, /* shrink the value, keeping its coverage pairs */
	CALL_TRY,      /* one candidate of the keeper's minimizer */
	CALL_TABLES,   /* tell where counters stand; executes nothing */
	CALL_SHRINK,   /* candidates of the keeper's, until one fails */
	CALL_SEQUENCE, /* run many values, unchanged, one after the other */
};

/* Why a call ended; the child writes it, the keeper checks it. */
enum call_end {
	CALL_RUNNING, /* not ended: with a dead child, the child died */
	CALL_LIMIT,   /* the execution limit was reached */
	CALL_TIME,    /* the engine raised the end word */
	CALL_RING,    /* the ring of finds is full */
	CALL_DONE,    /* run, try or minimize went to its end */
	CALL_FAILED,  /* a failure that did not kill the process */
	CALL_MODULES, /* new counters appeared; see worker_head.late */
	CALL_REFUSED, /* the arguments make no sense */
	CALL_UNKNOWN, /* minimize: the last try failed in a way that the engine
			 has not judged yet; its machine asks for it again */
};

/* A group of counters of one loaded module. */
struct counter_module {
	uint64_t key;  /* hash of the build-id or file name, and n */
	uint32_t n;    /* counters */
	uint32_t base; /* first index in the mask; UINT32_MAX: no room */
};

/* The key of the counters of progress in comparisons: they say nothing of
 * code, and are of interest only where nothing else grows. */
#define MEMORY_PROFILE_KEY 0x65726170706d6f63u

/* The call under way. Written by the keeper before it wakes the child. */
struct call {
	uint64_t seq;       /* number of the call; the end word names it */
	uint64_t limit;     /* executions, 0 = none */
	uint32_t kind;      /* enum call_kind */
	uint32_t parent;    /* arena entry of the start value, or NO_ENTRY:
			       it stands in the value area */
	uint32_t cap;       /* logical capacity of the mutators, bytes */
	uint32_t chain_max; /* mutations before the value is reset */
	uint32_t confirm;   /* 1: a find is run once more before it is kept */
	uint32_t keep_n;    /* coverage pairs that MINIMIZE must keep; 0: all
			       that the start reaches, which it then tells */
	uint32_t draw;      /* 1: each chain draws its parent by ticket */
	uint32_t profile;   /* 1: comparisons count, see compare_profile.h */
	/*
	 * TABLES: whose counters, and from which one on. SHRINK: first is 1 if
	 * the candidate that failed in the call before was accepted.
	 */
	struct counter_module module;
	uint32_t first;
	uint32_t machine;    /* MINIMIZE, 1: goes on from worker_head.machine */
	uint32_t tries_max;  /* MINIMIZE: marks that there is room for */
	uint32_t leaks;      /* enum call_leaks */
	uint32_t sequence_n; /* SEQUENCE: values, see below */
	uint32_t pad;
};

enum call_leaks {
	CALL_LEAKS_NOT,
	CALL_LEAKS_USUAL,  /* looked for where it pays */
	CALL_LEAKS_ALWAYS, /* after each execution that keeps memory */
};

/* What the child leaves behind at the end of a call. */
struct outcome {
	uint32_t end;        /* enum call_end */
	uint32_t finds;      /* records in the ring */
	uint64_t ring_used;  /* bytes of the ring in use */
	uint64_t total_ns;   /* duration of the call */
	uint64_t run_ns;     /* CALL_RUN: duration of the execution */
	uint64_t rejected;   /* executions that returned -1 */
	uint64_t best_len;   /* MINIMIZE: length of the best value */
	uint32_t verified;   /* MINIMIZE: 1: the start itself passed, so that
				  the best value means something */
	uint32_t odd_return; /* 1: a value other than 0 and -1 was returned */
	uint32_t late_n;     /* entries in worker_head.late */
	uint32_t custom_bad; /* 1: the target's mutator returned more than it
				was allowed to */
	uint32_t lost;       /* MINIMIZE: pairs that the start does not reach */
	uint32_t kept; /* MINIMIZE: pairs that it found to keep, by itself */
};

/*
 * How often the target's own mutators are called, see custom.c. It outlives
 * the processes of a worker, so that one which ends them all rests, too.
 */
struct custom_rest {
	uint32_t running; /* 1: a call began, and did not end */
	uint32_t level;   /* one call in 2^level */
	uint32_t fine;    /* calls since the level changed */
	uint32_t pad;
};

/*
 * What came of each try of a minimization, a byte for one: the call's, in
 * their order, stand where the ring of finds is otherwise. With the state that
 * the call began with they say everything that happened.
 */
enum minimize_mark {
	MARK_NONE,
	MARK_SAME,        /* accepted */
	MARK_NOTHING,     /* no failure */
	MARK_OTHER,       /* another failure, which the engine knows */
	MARK_LOST = 0x80, /* and above: so many pairs are not reached, at most
			     127 */
};

/* A failure that the engine has judged: is it the one to be kept? */
struct known_failure {
	uint64_t signature;
	uint32_t same;
	uint32_t pad;
};
#define MEMORY_KNOWN_MAX 1024u /* in the place of the pairs to keep */

/* Looks for leaks. As above, it outlives the processes of a worker. */
struct leaks_rest {
	uint32_t looking; /* 1: one is under way, which takes long */
	uint32_t vain;    /* in a row */
	uint32_t found;   /* in all */
	uint32_t usual;   /* pieces that an execution keeps, no news */
};

/* Live view of a minimization, sampled for the screen; decides nothing. */
struct minimize_live {
	uint32_t phase; /* enum minimize_phase */
	uint32_t position;
	uint64_t tries, accepted;
	uint64_t best_len, start_len;
	uint64_t cut_offset, cut_len;
};

/*
 * The head of worker memory. The first 32 bytes are the reference engine's
 * header, offset by offset.
 */
struct worker_head {
	uint64_t count;      /* executions of the call; +1 before each */
	uint64_t value_len;  /* valid bytes in the value area */
	uint64_t rand_state; /* PRNG when the chain under way began */
	uint64_t rand_inc;

	/* The chain under way: the second witness of a failing input. */
	uint32_t parent;  /* as in struct call */
	uint32_t partner; /* arena entry spliced with, or NO_ENTRY */
	uint32_t dict_len;
	uint32_t chain;      /* steps since the parent's bytes */
	uint32_t tape_n;     /* bytes on the tape; over MEMORY_TAPE_MAX: lost */
	struct exec_log log; /* its steps, and what ran before it */
	uint8_t tape[MEMORY_TAPE_MAX];  /* what nobody can draw again */
	uint64_t steps[MEMORY_OPS_MAX]; /* taken in this call, of each kind */

	int32_t child_pid; /* by the keeper after each fork; 0: none */
	uint32_t slot;     /* worker number, by the engine, before the start */
	struct custom_rest custom_rest; /* by the child; the engine keeps it */
	struct leaks_rest leaks;        /* by the child */
	struct call call;
	struct outcome outcome;
	struct minimize_live live;
	/* The minimizer's, see minimizer_save(): where a call begins, if its
	 * request says so, and where it ended. */
	uint64_t machine[MINIMIZE_STATE_N];
	/* enum failure_kind: why the engine kills the child that runs a try of
	 * the keeper's, written before it does. */
	uint32_t blame;
	uint32_t pad2;
	struct counter_module late[16];
	struct failure_block failure;
	uint32_t map_n; /* where modules are loaded, for failure_describe() */
	struct failure_module map[FAILURE_MODULES_MAX];
};

/* One slot per worker in campaign memory: words that the child looks at. */
struct campaign_slot {
	uint64_t end_seq; /* calls up to this number shall end now */
	uint32_t paused;  /* 1: being stopped by SIGSTOP is no fault */
	uint32_t pad[13];
};

/*
 * One corpus entry of the arena. How often it is a parent says its share of
 * the tickets: a table of entries' numbers, in which one place is drawn. The
 * engine writes it while workers draw; each place is always some entry.
 */
struct campaign_entry {
	uint64_t offset; /* into campaign memory */
	uint32_t len;    /* bytes */
	uint32_t pad;
};

/* One word of the dictionary; never changed once published. */
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
	uint64_t tickets_offset; /* uint32_t[MEMORY_TICKETS_MAX] */
	uint32_t modules_n;      /* published with release order */
	uint32_t entries_n;      /* published with release order */
	uint32_t words_n;        /* dictionary; published with release order */
	uint32_t counters;       /* in use: mask bytes that mean something */
	uint32_t tickets_n;      /* published with release order; 0: none yet */
	/* How often each kind of mutation is tried, relative; all 0: as
	 * mutations_weights() has it. */
	uint32_t weights[MEMORY_OPS_MAX];
	struct counter_module modules[MEMORY_MODULES_MAX];
	struct campaign_slot slots[MEMORY_WORKERS_MAX];
};

/*
 * One record in the ring of finds, followed by `pairs_n` struct
 * coverage_pair (what is new), `trail_n` struct mutation, `hits_n` numbers of
 * counters (all that the input reaches), `gone_n` more (those that did not
 * come back), `tape_n` bytes of the tape and `len` bytes of the input, then
 * padding up to a multiple of 8. `size` is the whole record.
 */
struct find_record {
	uint64_t size;
	uint64_t rand_state, rand_inc;
	uint64_t run_ns; /* duration of the confirming execution, 0: none */
	uint32_t len;
	uint32_t parent, partner, dict_len;
	uint32_t chain;
	uint32_t pairs_n, trail_n;
	uint32_t hits_n; /* 0: there was no room for them */
	uint32_t tape_n; /* over MEMORY_TAPE_MAX: lost, nothing is here */
	uint32_t gone_n;
	uint32_t flags; /* FIND_… */
	uint32_t pad;
};
#define FIND_CONFIRMED 1u /* the bits came back in a second execution */
#define FIND_UNSTABLE 2u  /* some did not */
#define FIND_PROFILE 4u   /* all that is new is progress in a comparison */

/* One counter and the hit-count buckets (a bit each) that it reached. */
struct coverage_pair {
	uint32_t counter;
	uint32_t buckets;
};

/*
 * Where things lie in worker memory. Both sides compute it from max_len;
 * nothing of it is read from the memory itself. The value area has two
 * halves: `value` (the candidate) and `best` (what a minimization has
 * reached, or room for the confirming run), then the pairs to keep, then
 * the ring, then the log of runs. All sizes in bytes, all offsets multiples of
 * 4096.
 *
 * SEQUENCE finds its values where the ring stands otherwise: of each its
 * length as a uint32_t, then its bytes, without padding.
 */
struct worker_layout {
	size_t value_offset, value_size;
	size_t best_offset, best_size;
	size_t keep_offset, keep_size; /* struct coverage_pair[] */
	size_t ring_offset, ring_size;
	size_t log_offset, log_size; /* EXEC_LOG_HALF bytes, twice */
	size_t size;
};

#define MEMORY_KEEP_MAX 65536u /* pairs in KeepCoverage */

/*
 * What stands in the value area after TABLES: a head, then for each counter
 * the virtual address in the module's file where the code is that counts, 0
 * if it is not known, and in the highest bit whether a function begins there.
 */
#define TABLE_ENTRY (1ull << 63)
#define TABLE_PATH_MAX 512u
struct table_head {
	uint32_t n;                /* numbers that follow */
	uint32_t id_len;           /* of the build-id, 0: none */
	uint8_t id[64];            /* build-id */
	char path[TABLE_PATH_MAX]; /* "": the program, or not known */
};

/*
 * A copy of what somebody else may be writing to meanwhile. It is made here and
 * once: a compiler that sees only an assignment may look there again later, behind
 * the checks.
 */
static inline void
memory_take(void *to, const void *from, size_t len)
{
	memcpy(to, from, len);
	__asm__ volatile("" : : "r"(to) : "memory");
}

/* max_len: 1 … 1 GiB; bounds are the caller's to check. */
void worker_layout_init(struct worker_layout *layout, uint32_t max_len);

/*
 * Where the steps of the chain under way stand, as the log says. Numbers that
 * make no sense, read from where a target can write, give the log's begin.
 */
size_t worker_layout_trail(const struct worker_layout *layout, uint32_t turns,
	uint32_t used);

/*
 * Bytes of a record with this one's numbers, padding included. The ring has
 * room for at least two of the largest: value_size bytes, MEMORY_KEEP_MAX
 * pairs, MEMORY_HITS_MAX hits.
 */
uint64_t find_record_size(const struct find_record *record);

/* A find copied out of the ring: pointers into the copy, all in bounds. */
struct find {
	struct find_record record;
	const struct coverage_pair *pairs;
	const struct mutation *trail;
	const uint32_t *hits, *gone;
	const uint8_t *tape; /* tape_n bytes; NULL: lost */
	const uint8_t *bytes;
};

/*
 * Parses the record at *offset of a private copy of a ring's used part and
 * moves *offset behind it. False at the end or at a record whose numbers do
 * not fit: then *damaged tells which. The copy must be aligned to 8. A find
 * may be longer than max_len, if the call's capacity was, but never longer
 * than the value area.
 */
bool find_next(const uint8_t *ring, size_t used, size_t *offset,
	uint32_t max_len, struct find *find, bool *damaged);

#endif
