/*
 * memory_call: a call in worker memory, from the request to its outcome.
 */
#ifndef CFUZZ_SHARED_WIRE_MEMORY_CALL_H
#define CFUZZ_SHARED_WIRE_MEMORY_CALL_H

#include <stdint.h>

#include "shared/wire/memory_campaign.h"

#define MEMORY_SEQUENCE_MAX 10000u /* values of one CALL_SEQUENCE */
#define MEMORY_KEEP_MAX 65536u     /* features that a minimization keeps */

/* The kind of a call; the fork server copies it from the request. */
enum call_kind {
	CALL_NONE,
	CALL_FUZZ,       /* mutate and run until limit, time or failure */
	CALL_RUN,        /* run the value once, unchanged (warm-up, replay) */
	CALL_MINIMIZE,   /* make the value smaller, keep its features */
	CALL_TRY,        /* one candidate of the fork server's minimizer */
	CALL_PC_TABLE,   /* report a part of the PC table; executes nothing */
	CALL_CANDIDATES, /* candidates of that minimizer, until one fails */
	CALL_SEQUENCE,   /* run many values, unchanged, one after the other */
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
	CALL_REFUSED, /* the arguments are invalid, or the system refused what
			  the first execution needs */
	CALL_UNKNOWN, /* minimize: the engine has not judged the last failure
			 yet; the minimizer repeats that try */
};

/* The call under way. The fork server writes it before it wakes the child. */
struct call {
	uint64_t seq;       /* number of the call, see campaign_slot.end_seq */
	uint64_t limit;     /* executions, 0 = none */
	uint32_t kind;      /* enum call_kind */
	uint32_t parent;    /* arena entry of the start value;
			       MEMORY_NO_ENTRY: it is in the value area */
	uint32_t cap;       /* logical capacity of the mutators, bytes */
	uint32_t stack_max; /* mutations before the value is reset */
	uint32_t confirm;   /* 1: a new input runs again before it is kept */
	uint32_t keep_n;    /* features that MINIMIZE must keep; 0: all of the
			       start, see outcome.kept */
	uint32_t draw;      /* 1: parents come from the selection table */
	uint32_t value_profile; /* 1: value profile, see value_profile.h */
	/*
	 * PC_TABLE: the module, and its first counter to report. CANDIDATES:
	 * first is 1 if the engine accepted the candidate that failed in the
	 * previous call.
	 */
	struct counter_module module;
	uint32_t first;
	uint32_t machine;    /* MINIMIZE, 1: continue worker_head.machine */
	uint32_t tries_max;  /* MINIMIZE: room for this many results */
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
	uint32_t spent;      /* 1: the child has to be replaced */
	uint32_t refused;    /* why the last execution did not take place, see
				target/child/refusal.h */
};

/*
 * The result of each try of a minimization, one byte per try. The results of a
 * call are in order, in place of the ring. Together with the state at the start
 * of the call they say everything that happened.
 */
enum candidate_result {
	CANDIDATE_NONE,
	CANDIDATE_SAME,    /* accepted */
	CANDIDATE_NOTHING, /* no failure */
	CANDIDATE_OTHER,   /* another failure, which the engine has judged */
	CANDIDATE_LOST = 0x80, /* plus the lost features, at most 127 */
};

/* A failure that the engine has judged. same: it is the one to keep. */
struct known_failure {
	uint64_t stack_hash;
	uint32_t same;
	uint32_t pad;
};
#define MEMORY_KNOWN_MAX 1024u /* in place of the features to keep */

#endif
