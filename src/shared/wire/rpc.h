/*
 * rpc: the messages between engine and worker, as structs and as JSON lines.
 *
 * One request, one reply, newline-terminated JSON with the reference
 * engine's members; what we add stands beside them. Values never travel in
 * JSON but in worker memory. Both ends use this file; lines come from a
 * process that runs hostile code, so decoding bounds everything.
 */
#ifndef CFUZZ_SHARED_WIRE_RPC_H
#define CFUZZ_SHARED_WIRE_RPC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"
#include "shared/values/tuple.h"
#include "shared/wire/failure.h"
#include "shared/wire/memory.h"

#define RPC_LINE_MAX 65536u /* longest line, newline included */
#define RPC_DEPTH_MAX 8

enum rpc_kind {
	RPC_PING,
	RPC_FUZZ,
	RPC_MINIMIZE,
	RPC_TABLES,
	RPC_KIND_COUNT
};

/* Are leaks looked for? */
enum rpc_leaks {
	LEAKS_NONE,    /* nobody is there who could, or nobody wants it */
	LEAKS_FOUND,   /* they are */
	LEAKS_BROKEN,  /* the sanitizer does not work here */
	LEAKS_EARLY,   /* something is lost before the first input */
	LEAKS_THREADS, /* the target cannot be forked */
	LEAKS_COUNT
};

/* How a minimization tells a success. */
enum minimize_rule {
	MINIMIZE_SAME_BUCKET, /* the same raw signature */
	MINIMIZE_SAME_KIND,   /* the same kind and what */
	MINIMIZE_ANY_FAILURE, /* the reference's rule */
};

struct rpc_request {
	enum rpc_kind kind;
	uint64_t seq;   /* chosen by the engine; the reply repeats it */
	uint64_t nonce; /* ditto: unguessable, new for each call */
	/* Ping */
	bool leaks; /* are to be looked for */
	/* Fuzz, Minimize */
	uint64_t timeout_ns; /* 0 = none; informative: the engine ends calls */
	uint64_t limit;      /* executions, 0 = none */
	/* Fuzz */
	bool warmup;         /* run once, unchanged */
	bool fresh;          /* in a child made for this call */
	bool confirm;        /* run a find once more before it is reported */
	uint32_t parent;     /* arena entry, or MEMORY_NO_ENTRY */
	uint32_t cap;        /* logical capacity of the mutators */
	uint32_t chain_max;  /* mutations before the value is reset */
	bool draw;           /* each chain draws its own parent */
	bool profile;        /* comparisons count; also in Minimize */
	uint32_t sequence_n; /* values of CALL_SEQUENCE; 0: none */
	/* Minimize */
	uint32_t index;     /* which argument */
	bool want_coverage; /* keep the pairs in worker memory … */
	uint32_t keep_n;    /* … so many of them, 0: what the start reaches;
			       else keep the failure */
	uint64_t signature; /* the failure to keep (SAME_BUCKET) */
	enum minimize_rule rule;
	char what[FAILURE_WHAT_MAX]; /* the failure to keep (SAME_KIND) */
	enum failure_kind failure_kind;
	bool machine;     /* goes on from the state in worker memory; the start
			   was verified before */
	uint32_t tries;   /* marks that there is room for, 0: none are wanted */
	uint32_t known_n; /* failures that are known, in worker memory */
	bool ask;         /* of others the engine is asked: CALL_UNKNOWN */
	/* Tables: where the counters of this module stand, from first on. They
	 * come in the value area, as struct table_head says. */
	struct counter_module module;
	uint32_t first;
};

struct rpc_reply {
	enum rpc_kind kind; /* known from the request, not from the line */
	uint64_t seq, nonce;
	char internal_err[FAILURE_TEXT_MAX];
	/* Ping */
	uint32_t version; /* WIRE_VERSION of the runtime */
	int32_t threads;  /* of the target after initialisation */
	bool no_fork;     /* threads: each death costs a new exec */
	enum rpc_leaks leaks;
	char sanitizer[32];       /* "address", "memory" …, "" */
	char instrumentation[32]; /* "inline-8bit-counters", "trace-pc", "" */
	uint32_t modules_n;       /* counters of the start-up modules */
	struct counter_module modules[MEMORY_MODULES_MAX];
	struct tuple_types types; /* what a typed target takes; n 0: bytes */
	char function[64];        /* its name in the source; "": not told */
	/*
	 * Inputs that the target itself brings. They stand where the ring is
	 * otherwise, as in SEQUENCE: lengths as uint32_t, then bytes.
	 */
	uint32_t seeds_n;
	uint32_t seeds_lost; /* there was no room for these */
	bool custom_unused;  /* mutators of its own, which know no types */
	/* Fuzz, Minimize */
	uint64_t count;    /* executions of this call; Tables: numbers */
	uint64_t total_ns; /* TotalDuration / Duration */
	uint64_t run_ns;   /* InterestingDuration */
	enum call_end end;
	uint32_t finds; /* records in the ring */
	uint64_t ring_used;
	uint64_t rejected;
	bool odd_return;
	bool custom_bad;
	bool wrote_to_mem; /* Minimize: the best value stands in `best` */
	uint64_t best_len;
	uint64_t tries, accepted;
	uint32_t marks_n; /* stand where the ring is */
	uint32_t lost;    /* pairs that the start does not reach */
	uint32_t kept;    /* pairs that it found to keep */
	uint32_t late_n;  /* CALL_MODULES */
	struct counter_module late[16];
	bool died;        /* the child is gone; Failure says how */
	uint64_t fork_ns; /* making the child of this call took, 0: none */
	struct failure failure; /* kind FAILURE_NONE: none */
};

/* Writes one line, newline included, into buf. E_RANGE if it does not fit. */
enum status rpc_encode_request(const struct rpc_request *request, char *buf,
	size_t size, size_t *len, struct error *err) MUST_CHECK;
enum status rpc_encode_reply(const struct rpc_reply *reply, char *buf,
	size_t size, size_t *len, struct error *err) MUST_CHECK;

/*
 * Reads one line (without its newline). E_PROTOCOL names what is wrong.
 * Unknown members are ignored; missing ones are zero; numbers out of range
 * are an error, never cut.
 */
enum status rpc_decode_request(const char *line, size_t len,
	struct rpc_request *request, struct error *err) MUST_CHECK;
enum status rpc_decode_reply(const char *line, size_t len, enum rpc_kind kind,
	struct rpc_reply *reply, struct error *err) MUST_CHECK;

/* Where encoding and decoding take memory from, and give it back to. */
void rpc_set_memory(void *(*take)(size_t n), void (*give)(void *piece));

#endif
