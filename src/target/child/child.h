/*
 * child: the process that runs inputs, and the calls that it serves.
 *
 * All memory is mapped before the fork. A new child needs only a few system
 * calls to start; an execution makes no system call and allocates nothing.
 * Without fork (a target with threads), the fork server's process is the child.
 */
#ifndef CFUZZ_TARGET_CHILD_CHILD_H
#define CFUZZ_TARGET_CHILD_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/minimize/minimize.h"
#include "shared/mutate/mutation.h"
#include "shared/prng.h"
#include "target/child/custom.h"
#include "target/child/worker.h"
#include "target/crash/guard.h"
#include "target/hooks/scan.h"

#define CHILD_OPS 256 /* slots to draw a mutator from */

/* How the present execution is checked for leaks. */
enum child_leaks {
	CHILD_LEAKS_USUAL,
	CHILD_LEAKS_NEW,   /* it has new coverage or keeps much memory */
	CHILD_LEAKS_QUIET, /* a repetition: counted, not tracked */
};

struct child {
	struct worker *worker;
	struct worker_head *head;
	uint8_t *value; /* the candidate, in worker memory */
	size_t value_len;
	struct guard guard;
	struct custom custom; /* the target's mutators */
	struct scan scan;
	/* Reads 0 in a copy of this process that the target has forked. */
	volatile uint8_t *original;
	uint32_t *edges_hit; /* all edges hit; room for MEMORY_EDGES_HIT_MAX */
	/* unstable_n: features of the candidate that did not come back. */
	uint32_t edges_hit_n, unstable_n;
	uint8_t *coverage; /* features seen by the campaign or this child */
	struct call call;  /* copied once */
	uint64_t count;    /* executions in the call */
	/* fuzzing */
	struct prng choice; /* random choices; only their results are logged */
	struct mutation_sources sources;
	uint8_t ops[CHILD_OPS]; /* mutators, by weight */
	uint8_t next_op;
	uint8_t *copy;        /* start value of a call without a parent */
	const uint8_t *start; /* start of the mutation stack */
	size_t start_len;
	struct exec_log_origin origin; /* of the start, see havoc_begin() */
	uint32_t mutations_n;          /* in the mutation log */
	uint32_t literals_n;
	struct mutation *mutations; /* mutation log of the present record */
	/* The half in use; a record that begins behind log_limit goes to the
	 * other half. */
	uint8_t *log_start, *log_limit;
	uint32_t *log_used;      /* bytes used, in worker memory */
	uint32_t log_turns;      /* changes of the half */
	uint32_t runs, runs_max; /* executions of the mutation stack */
	bool cmplog_on;          /* in the comparison stage ... */
	bool cmplog_each;        /* ... recording each execution */
	bool patched; /* comparison hooks are overwritten, see cmp_patch.h */
	uint64_t cmplog_at; /* count at which the next stage is due */
	uint64_t lived;     /* executions of this process before the call */
	/* The fork server's minimizer, as of the fork; NULL: none. */
	struct minimizer *minimizer;
	bool candidate_failed; /* its candidate failed in the last call */
	bool *forked;          /* see exits_fork_flag() */
	/* Each execution needs extra work before and after it. */
	bool attends;
	enum child_leaks leaks;
	bool leaks_watched; /* in the last execution */
	uint64_t leaks_at;  /* execution of this process when a check is due */
};

/* The result of an execution. */
enum child_run {
	CHILD_FINE,
	CHILD_REJECTED, /* the target returned -1 */
	CHILD_FAILED,   /* see worker_head.failure */
	CHILD_KEEPS,    /* fine, but kept memory; only with leak checks */
};

/* Before the first fork; the worker is borrowed. False: no memory. */
bool child_init(struct child *child, struct worker *worker);

/*
 * Makes this process the one that runs inputs; copies that the target forks
 * exit.
 */
void child_claim(struct child *child);

/* Serves calls until the link closes, then ends the process. */
void child_serve(struct child *child, int link_fd) __attribute__((noreturn));

/* Serves the call in worker memory. */
void child_call(struct child *child);

/* CALL_RUNNING if another execution may begin, or why not. */
static inline enum call_end
child_may_run(const struct child *child)
{
	if ((child->call.limit != 0 && child->count >= child->call.limit) ||
		child->worker->spent)
		return CALL_LIMIT;
	if (worker_call_is_over(child->worker, child->call.seq))
		return CALL_TIME;
	return CALL_RUNNING;
}

/*
 * Assigns map indices to new counters. False: some must be reported to the
 * engine, see worker_head.late.
 */
bool child_assign_counters(struct child *child);

/* The global coverage map. */
const uint8_t *child_campaign_coverage(const struct child *child);

/* Runs the candidate once and counts the execution. */
enum child_run child_execute(struct child *child);

/* The same; also measures the time. */
enum child_run child_execute_timed(struct child *child, uint64_t *run_ns);

/* The bytes of an entry in campaign memory; NULL: no such entry. */
const uint8_t *child_entry(const struct child *child, uint32_t index,
	size_t *len);

/* Prepares mutation stacks for a fuzzing call. */
void havoc_open(struct child *child);
/*
 * Makes the next candidate. False: no mutator accepts the value, which can run
 * as it is, or the target's own mutator has failed: see fail_happened().
 */
bool havoc_next(struct child *child);

/* Empties the mutation log: the value is the parent's again. */
void havoc_reset(struct child *child);
/* Applies a mutation that uses recorded comparisons. False: it declines. */
bool havoc_try_compare(struct child *child, struct mutable *m);

/*
 * Work before and after a call of the target; child_attended() returns the
 * result to use.
 */
void child_attend(struct child *child, const uint8_t *data);
int64_t child_attended(const struct child *child, int result);
#define CHILD_KEPT_MEMORY INT64_MAX   /* memory was kept */
#define CHILD_KEPT_REJECTED INT64_MIN /* ... and the input was rejected */

/*
 * Checks the last execution for leaks. May execute the value again; coverage of
 * that run is discarded. Returns CALL_RUNNING or CALL_FAILED.
 */
enum call_end child_look_for_leaks(struct child *child);
/* In a new process, postpones the first leak check if leaks were frequent. */
void child_rest_from_leaks(struct child *child);

/* CALL_FUZZ: mutates and executes until something ends the call. */
enum call_end child_fuzz(struct child *child);

/*
 * The candidate has reached the features in the scan, in an execution of
 * run_ns. confirm: executes it again and keeps only the features that come
 * back. Writes a record to the ring; CALL_RUN gets a record even without
 * features. Returns CALL_RUNNING, or why the call ends.
 */
enum call_end child_keep(struct child *child, bool confirm, uint64_t run_ns);

/* CALL_MINIMIZE: trims the value; it must keep its features. */
enum call_end child_minimize(struct child *child);

/*
 * CALL_CANDIDATES: runs candidates of the minimizer until one fails. The fork
 * server makes the same candidates and counts them.
 */
enum call_end child_candidates(struct child *child);

#endif
