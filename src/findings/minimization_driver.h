/*
 * minimization_driver: carries a minimization from call to call of a worker.
 *
 * A call makes many tries at full speed, or a single one. The owner (a campaign
 * or `cfuzz min`) sends the calls and limits them. Only the owner can look up
 * the names of a failure: where the verdict depends on them, the minimization
 * waits for the owner.
 */
#ifndef CFUZZ_FINDINGS_MINIMIZATION_DRIVER_H
#define CFUZZ_FINDINGS_MINIMIZATION_DRIVER_H

#include "findings/minimization.h"
#include "worker/worker.h"

#define MINIMIZATION_LOSSES 2  /* worker deaths before single tries */
#define MINIMIZATION_IN_VAIN 3 /* answers in a row without an execution */

struct minimization_driver {
	struct minimization *minimization; /* owned */
	/* The failure to keep, borrowed; NULL: an input of the corpus. */
	const struct failure *failure;
	uint64_t stack_hash; /* its stack hash */
	enum minimize_rule rule;
	struct known_failure *known; /* owned; failures of earlier tries */
	uint32_t known_n;
	struct feature *keep; /* owned; features to keep */
	uint32_t keep_n;
	bool verified;    /* the first input passes the test */
	bool by_steps;    /* the user wants calls of a single try */
	bool alone;       /* candidates kill the worker: single tries */
	bool single;      /* the present call does */
	bool asking;      /* the last try waits for its verdict */
	uint64_t unknown; /* the stack hash of its failure */
	char unknown_words[96];
	unsigned losses;  /* calls at full speed that the worker died of */
	unsigned in_vain; /* calls in a row that ran nothing */
	uint64_t count;   /* executions of all calls */
};

/* The effect of a result. */
enum minimization_outcome {
	MINIMIZATION_GOES_ON,
	MINIMIZATION_ACCEPTED, /* the same, and a single try was accepted */
	MINIMIZATION_NOTHING,  /* nothing was executed */
	MINIMIZATION_ASKS,     /* wait for minimization_driver_settle() */
	/* The first input does not pass the test, or calls run nothing. */
	MINIMIZATION_FAILED,
};

void minimization_driver_clear(struct minimization_driver *d);

/* Fills in the input, its state and the test; for a single try also the limit.
 * The job borrows them until the next change. False: all candidates were
 * tried. */
bool minimization_driver_job(struct minimization_driver *d, struct job *job);
enum minimization_outcome minimization_driver_on_result(
	struct minimization_driver *d, const struct worker_result *r);

/* The input that was tried last without a verdict, valid until the verdict. */
const uint8_t *minimization_driver_trial(const struct minimization_driver *d,
	size_t *len);
/* Gives the verdict of a try that waits, and remembers it. */
enum minimization_outcome minimization_driver_settle(
	struct minimization_driver *d, enum try_verdict verdict);

/* Has the target failed? False for suspects, such as signals from outside. */
bool minimization_is_failure(const struct failure *failure);
/* Does the rule accept the failure? By MINIMIZE_SAME_BUCKET only a known stack
 * hash is accepted. */
bool minimization_driver_accepts(const struct minimization_driver *d,
	const struct failure *failure);
/* Do failures with this stack hash have a verdict? */
bool minimization_driver_knows(const struct minimization_driver *d,
	uint64_t stack_hash);
/* Remembers the verdict; without effect if the list is full. */
void minimization_driver_know(struct minimization_driver *d,
	uint64_t stack_hash, bool same);

/*
 * Completes the view that a worker has filled in. For a worker that has not
 * begun its call, or that makes a single try, the driver's own state is shown.
 */
void minimization_driver_view(const struct minimization_driver *d,
	const struct tuple_types *types, struct snapshot_minimization *view);

#endif
