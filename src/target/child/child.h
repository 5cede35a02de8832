/*
 * child: the process that runs inputs, and the calls that it serves.
 *
 * Everything is mapped before the fork, so that a new child starts with no
 * more than a few system calls, and an execution makes none and allocates
 * nothing. Without a fork (a target with threads) the keeper's process is
 * the child.
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

#define CHILD_OPS 256 /* places in the lottery of kinds of steps */

/* How the execution under way is looked at for leaks. */
enum child_leaks {
	CHILD_LEAKS_USUAL,
	CHILD_LEAKS_NEWS,  /* it reaches something new, or keeps much */
	CHILD_LEAKS_QUIET, /* a second one: counted and not watched */
};

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
	struct mutation_sources sources;
	uint8_t ops[CHILD_OPS]; /* kinds of steps, by weight */
	uint8_t next_op;
	uint8_t *copy;        /* room for a start value of the call's own */
	const uint8_t *start; /* what the chain starts from */
	size_t start_len;
	struct exec_log_origin origin; /* of that, see havoc_begin() */
	uint32_t steps;                /* in the trail */
	uint32_t tape_n;
	struct mutation *trail; /* in the log of runs, behind its record */
	uint8_t *log_start, *log_limit; /* of the half in use; where it turns */
	uint32_t *log_used;             /* of that half, in worker memory */
	uint32_t log_turns;
	uint32_t runs, runs_max; /* executions of the chain */
	bool listening;          /* a chain that follows comparisons … */
	bool deep;               /* … further with each execution */
	bool hushed;
	uint64_t listen_at; /* executions of the call when one is due */
	uint64_t lived;     /* executions of this process before the call */
	/* The keeper's minimizer, as it was at the fork; NULL: there is none. */
	struct minimizer *shrink;
	bool shrink_failed; /* its candidate ended the last call */
	/* Something is done around each execution. */
	bool attends;
	enum child_leaks leaks;
	bool leaks_watched; /* in the last execution */
	uint64_t leaks_at;  /* executions of this process when one is due */
};

/* How one execution went. */
enum child_run {
	CHILD_FINE,
	CHILD_REJECTED, /* the target returned -1 */
	CHILD_FAILED,   /* worker_head.failure says how */
	CHILD_KEEPS,    /* fine, but it kept memory; only if leaks count */
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
void havoc_open(struct child *child);
/*
 * Makes one; false: nothing can be made of the value, or the target's own
 * mutator has failed: see fail_happened().
 */
bool havoc_next(struct child *child);

/* Empties the trail: the value is the parent's again. */
void havoc_reset(struct child *child);
/* A step with what the target compared. False: it declines. */
bool havoc_try_compare(struct child *child, struct mutable *m);

/*
 * A chain that follows comparisons: first the parent itself, while the hooks
 * record, then what follows from single pairs of operands. cmplog_next()
 * makes its next candidate; false: it is over.
 */
bool cmplog_is_due(const struct child *child);
void cmplog_begin(struct child *child);
bool cmplog_next(struct child *child);
/* The execution that records. */
bool cmplog_records(const struct child *child);
enum child_run cmplog_execute(struct child *child);
/* For a call: hooks that nobody hears are made cheap, or are not. */
void cmplog_open(struct child *child);

/* What surrounds a call of the target, and what its result is then. */
void child_attend(struct child *child, const uint8_t *data);
int64_t child_attended(const struct child *child, int result);
#define CHILD_KEPT_MEMORY INT64_MAX
#define CHILD_KEPT_REJECTED INT64_MIN

/*
 * Has the last execution lost memory? May execute the value once more, whose
 * coverage is nobody's. CALL_RUNNING, or CALL_FAILED.
 */
enum call_end child_look_for_leaks(struct child *child);
/* Before the first call of a process: where leaks abound, not at once. */
void child_rest_from_leaks(struct child *child);

/*
 * The log of runs, see shared/wire/execution_log.h. An execution is marked before it is
 * done; chains are closed before they begin anew, other inputs are put there
 * with their bytes, when they have been executed.
 */
void log_open(struct child *child);
void log_close(struct child *child);
void log_put(struct child *child, uint32_t flags);

static inline void
log_run(struct child *child)
{
	child->head->log.runs |= UINT64_C(1)
		<< (child->steps % EXEC_LOG_STEPS_MAX);
}

static inline void
log_run_again(struct child *child)
{
	child->head->log.again |= UINT64_C(1)
		<< (child->steps % EXEC_LOG_STEPS_MAX);
}

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

/*
 * CALL_SHRINK: runs candidates as long as they do not fail. The keeper, which
 * makes the same ones, counts them.
 */
enum call_end child_candidates(struct child *child);

#endif
