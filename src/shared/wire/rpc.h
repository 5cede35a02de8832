/*
 * rpc: the messages between engine and worker, as structs and as JSON lines.
 *
 * One request, one reply: newline-terminated JSON with the members of Go's
 * engine (internal/fuzz, worker.go) and our own. Values travel in worker
 * memory, never in JSON. Both ends use this file. Lines come from a process
 * that runs hostile code, so decoding bounds everything.
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

#define RPC_KIND_AFL "AFL++" /* an adapter runs a program of AFL++ */
#define RPC_LINE_MAX 65536u  /* longest line, newline included */
#define RPC_DEPTH_MAX 8      /* nested objects and arrays of a line */

enum rpc_kind {
	RPC_PING,
	RPC_FUZZ,
	RPC_MINIMIZE,
	RPC_PC_TABLE,
	RPC_KIND_COUNT
};

/* Whether leaks are detected. */
enum rpc_leaks {
	LEAKS_NONE,    /* no sanitizer can, or the user does not want it */
	LEAKS_FOUND,   /* they are detected */
	LEAKS_BROKEN,  /* the sanitizer does not work here */
	LEAKS_EARLY,   /* memory is lost before the first input */
	LEAKS_THREADS, /* the target cannot be forked */
	LEAKS_PROGRAM, /* each input has a process of its own */
	LEAKS_COUNT
};

/* When a minimization accepts a candidate. */
enum minimize_rule {
	MINIMIZE_SAME_BUCKET, /* the same stack hash */
	MINIMIZE_SAME_KIND,   /* the same kind and what */
	MINIMIZE_ANY_FAILURE, /* as in Go's engine */
};

struct rpc_request {
	enum rpc_kind kind;
	uint64_t seq;   /* chosen by the engine; the reply repeats it */
	uint64_t nonce; /* repeated as well; unguessable, new for each call */
	/* Ping */
	bool leaks;        /* look for leaks */
	bool fail_on_exit; /* a program that exits with a status is a failure */
	/* Fuzz, Minimize */
	uint64_t timeout_ns; /* 0 = none; informative: the engine ends calls */
	uint64_t limit;      /* executions, 0 = none */
	/* Fuzz */
	bool warmup;         /* run once, unchanged */
	bool fresh;          /* in a child forked for this call */
	bool confirm;        /* run a new input again before it is reported */
	uint32_t parent;     /* arena entry, or MEMORY_NO_ENTRY */
	uint32_t cap;        /* logical capacity of the mutators, bytes */
	uint32_t stack_max;  /* mutations before the value is reset */
	bool draw;           /* parents come from the selection table */
	bool value_profile;  /* value profile; also in Minimize */
	uint32_t sequence_n; /* values of CALL_SEQUENCE; 0: none */
	/* Minimize */
	uint32_t index;      /* of the argument, in Go's engine; ours is 0 */
	bool want_coverage;  /* keep features in worker memory … */
	uint32_t keep_n;     /* … this many, 0: those of the start; else keep
			       the failure */
	uint64_t stack_hash; /* SAME_BUCKET: of the failure to keep */
	enum minimize_rule rule;
	char what[FAILURE_WHAT_MAX];    /* SAME_KIND: of that failure */
	enum failure_kind failure_kind; /* kind of that failure */
	bool machine;     /* continue from the state in worker memory; the start
			   was verified before */
	uint32_t tries;   /* room for this many results, 0: none wanted */
	uint32_t known_n; /* known failures, in worker memory */
	bool ask;         /* ask the engine about others: CALL_UNKNOWN */
	/* Tables: report the PC table of this module from counter `first` on.
	 * The value area receives it, see struct pc_table_head. */
	struct counter_module module;
	uint32_t first;
};

struct rpc_reply {
	enum rpc_kind kind; /* known from the request, not from the line */
	uint64_t seq, nonce;
	/* Why the worker could not run the call; "": it could. */
	char internal_err[FAILURE_TEXT_MAX];
	/* Ping */
	uint32_t version; /* WIRE_VERSION of the runtime */
	int32_t threads;  /* of the target after initialisation */
	bool no_fork;     /* threads run: each death costs a new exec */
	enum rpc_leaks leaks;
	char target_kind[16]; /* "function", "main()", "binary", RPC_KIND_AFL */
	char sanitizer[32];   /* "address", "memory" …, "" */
	char instrumentation[32]; /* "inline-8bit-counters", "trace-pc", "" */
	uint32_t modules_n;       /* edge counters of the start-up modules */
	struct counter_module modules[MEMORY_MODULES_MAX];
	struct tuple_types types; /* arguments of a typed target; n 0: bytes */
	char function[64];        /* its name in the source; "": unknown */
	/*
	 * Inputs that the target itself brings. They are in place of the ring,
	 * as in SEQUENCE: lengths as uint32_t, then bytes.
	 */
	uint32_t seeds_n;
	uint32_t seeds_lost; /* seeds without room */
	uint32_t words_n;    /* its dictionary follows them, in the same way */
	bool custom_unused;  /* typed target: its mutators are not used */
	/* Fuzz, Minimize */
	uint64_t count;    /* executions of this call; Tables: its numbers */
	uint64_t total_ns; /* TotalDuration, Duration: of the call */
	uint64_t run_ns;   /* InterestingDuration: as in struct outcome */
	enum call_end end;
	/* As in struct outcome. */
	uint32_t finds;
	uint64_t ring_used;
	uint64_t rejected;
	bool odd_return;
	bool custom_bad;
	bool wrote_to_mem; /* Minimize: `best` holds the best value */
	uint64_t best_len;
	uint64_t tries, accepted;
	uint32_t results_n; /* they are in place of the ring */
	uint32_t lost;      /* features that the start lacks */
	uint32_t kept;      /* features to keep, if keep_n was 0 */
	uint32_t late_n;    /* CALL_MODULES */
	struct counter_module late[MEMORY_LATE_MAX];
	bool spent; /* the worker can run no more: it has to be started again */
	bool died;  /* the child is dead; Failure says how */
	uint64_t fork_ns;       /* duration of this call's fork, 0: none */
	struct failure failure; /* kind FAILURE_NONE: none */
};

/*
 * Writes one line, newline included, into buf, and its length into *len.
 * E_RANGE, with *len 0: it does not fit, a number is above INT64_MAX, or there
 * is no memory.
 */
enum status rpc_encode_request(const struct rpc_request *request, char *buf,
	size_t size, size_t *len, struct error *err) MUST_CHECK;
enum status rpc_encode_reply(const struct rpc_reply *reply, char *buf,
	size_t size, size_t *len, struct error *err) MUST_CHECK;

/*
 * Reads one line, without its newline, into a struct that is cleared before.
 * E_PROTOCOL: the message names the fault. Unknown members are ignored; missing
 * ones are zero; numbers out of range are an error, never cut.
 */
enum status rpc_decode_request(const char *line, size_t len,
	struct rpc_request *request, struct error *err) MUST_CHECK;
enum status rpc_decode_reply(const char *line, size_t len, enum rpc_kind kind,
	struct rpc_reply *reply, struct error *err) MUST_CHECK;
/* Whether the text is empty or a name in C or C++: no character of it can do harm
 * elsewhere. */
bool rpc_is_name(const char *text);

/* Sets jansson's allocator in the whole process; take() may return NULL. */
void rpc_set_memory(void *(*take)(size_t n), void (*give)(void *piece));

#endif
