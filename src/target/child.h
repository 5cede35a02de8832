/*
 * child: the process that runs inputs, and the calls that it serves.
 *
 * Everything is mapped before the fork, so that a new child starts with no
 * more than a few system calls, and an execution makes none and allocates
 * nothing. Without a fork (a target with threads) the keeper's process is
 * the child.
 */
#ifndef CFUZZ_TARGET_CHILD_H
#define CFUZZ_TARGET_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/prng.h"
#include "shared/steps.h"
#include "target/custom.h"
#include "target/guard.h"
#include "target/scan.h"
#include "target/worker.h"

#define CHILD_OPS 256 /* places in the lottery of kinds of steps */

struct child {
	struct worker *worker;
	struct worker_head *head;
	uint8_t *value; /* the candidate, in worker memory */
	size_t value_len;
	struct guard guard;
	struct custom custom; /* the target's own mutators */
	struct scan scan;
	/* A copy of this process that the target forks reads a 0 here. */
	volatile uint8_t *original;
	uint32_t *hits; /* all counters of a find; MEMORY_HITS_MAX of them */
	uint32_t hits_n, gone_n;
	uint8_t *mask;    /* what the campaign or this child has seen */
	struct call call; /* copied once */
	uint64_t count;   /* executions of the call */
	/* fuzzing */
	struct prng choice; /* what is tried; recorded is what was done */
	struct step_sources sources;
	uint8_t ops[CHILD_OPS]; /* kinds of steps, by weight */
	uint8_t next_op;
	uint8_t *copy;        /* room for a start value of the call's own */
	const uint8_t *start; /* what the chain starts from */
	size_t start_len;
	uint32_t parent; /* where that stands in the arena, or NO_ENTRY */
	uint32_t steps;  /* in the trail */
	uint32_t tape_n;
	uint32_t runs, runs_max; /* executions of the chain */
	bool listening;          /* a chain that follows comparisons … */
	bool deep;               /* … further with each execution */
	bool hushed;
	uint64_t listen_at; /* executions of the call when one is due */
	uint64_t lived;     /* executions of this process before the call */
};

/* How one execution went. */
enum child_run {
	CHILD_FINE,
	CHILD_REJECTED, /* the target returned -1 */
	CHILD_FAILED,   /* worker_head.failure says how */
};

bool child_init(struct child *child, struct worker *worker);

/* This process is the one that runs inputs; copies of it are not. */
void child_claim(struct child *child);

/* Serves calls on the link until it ends, then ends the process. */
void child_serve(struct child *child, int link_fd) __attribute__((noreturn));

/* Serves the call that stands in worker memory. */
void child_call(struct child *child);

/* May another execution begin? CALL_RUNNING, or why not. */
static inline enum call_end
child_may_run(const struct child *child)
{
	if (child->call.limit != 0 && child->count >= child->call.limit)
		return CALL_LIMIT;
	if (worker_call_is_over(child->worker, child->call.seq))
		return CALL_TIME;
	return CALL_RUNNING;
}

/*
 * Counters that appeared have their places from now on. False: the engine has
 * to be told of some, see worker_head.late.
 */
bool child_place_counters(struct child *child);

/* Runs the candidate once; counted. */
enum child_run child_execute(struct child *child);

/* The same, with the time it took. */
enum child_run child_execute_timed(struct child *child, uint64_t *run_ns);

/* The bytes of an entry of the arena; NULL: there is none. */
const uint8_t *child_entry(const struct child *child, uint32_t index,
	size_t *len);

/* The next candidates of a fuzzing call are chains of steps. */
void chain_open(struct child *child);
/*
 * Makes one; false: nothing can be made of the value, or the target's own
 * mutator has failed: see fail_happened().
 */
bool chain_next(struct child *child);

/* Empties the trail: the value is the parent's again. */
void chain_reset(struct child *child);
/* A step with what the target compared. False: it declines. */
bool chain_try_compare(struct child *child, struct mutable *m);

/*
 * A chain that follows comparisons: first the parent itself, while the hooks
 * record, then what follows from single pairs of operands. listen_next()
 * makes its next candidate; false: it is over.
 */
bool listen_is_due(const struct child *child);
void listen_begin(struct child *child);
bool listen_next(struct child *child);
/* The execution that records. */
bool listen_records(const struct child *child);
enum child_run listen_execute(struct child *child);
/* For a call: hooks that nobody hears are made cheap, or are not. */
void listen_open(struct child *child);

/* CALL_FUZZ: chains of mutations until something ends the call. */
enum call_end child_fuzz(struct child *child);

/*
 * The candidate has reached the pairs of the scan: confirms them and writes
 * a record, of CALL_RUN also without a pair. CALL_RUNNING, or what ended the
 * call.
 */
enum call_end child_keep(struct child *child, bool confirm, uint64_t run_ns);

/* CALL_MINIMIZE: the smallest value that keeps the pairs. */
enum call_end child_minimize(struct child *child);

#endif
