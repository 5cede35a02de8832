/*
 * min_private: one minimization, from the first run of the input to the file
 * with the result.
 *
 *	min.c		the steps
 *	min_judge.c	decides which failures count as the input's
 *	min_hand.c	minimizes without a fork server
 *	min_say.c	prints the result
 *	min_files.c	reads and writes files
 */
#ifndef CFUZZ_TOOLS_MIN_PRIVATE_H
#define CFUZZ_TOOLS_MIN_PRIVATE_H

#include "shared/minimize/minimize.h"
#include "tools/archive_config.h"
#include "tools/min_files.h"
#include "tools/runner.h"

enum min_step {
	MIN_CHECK,   /* does the input fail? */
	MIN_BUCKET,  /* look up the names of its failure */
	MIN_RESUME,  /* does an earlier result fail? */
	MIN_SHRINK,  /* a worker minimizes */
	MIN_CONFIRM, /* does the smaller input fail? */
	MIN_END,
};

struct min {
	struct runner runner;
	struct archive_config archive;
	struct min_files files;
	enum min_step step;
	enum minimize_rule rule;
	uint8_t *best;
	size_t best_len;
	struct failure failure; /* of the input: the one to keep */
	uint64_t signature, bucket;
	/* Failures with a known bucket; the fork server gets this list. */
	struct known_failure *known;
	uint32_t known_n;
	struct failure unknown; /* failure being looked up, if asking */
	bool asking;
	/* The state to resume from after an unknown failure. */
	struct min_machine {
		bool set;
		uint64_t state[MINIMIZE_STATE_N];
		uint8_t *other; /* owned; NULL: none */
		size_t other_len;
	} machine;
	unsigned runs, reproduced; /* in this step */
	unsigned fork_servers;     /* minimizations without a result */
	/* Without a fork server: the minimizer and its two values. */
	struct minimizer hand;
	uint8_t *hand_best, *hand_candidate;
	uint64_t tries, accepted, execs;
	uint64_t start_ns, shrink_ns; /* start of all, of the minimization */
	bool stopped, time_over, fails, believed;
	char what[FAILURE_WHAT_MAX * 4], where[256];
	struct error error; /* reason of a failure */
	enum exit_status status;
};

/* The bucket to keep is known: enters MIN_RESUME or MIN_SHRINK. */
void min_on_bucket(struct min *m);
/* The rest of the budget; 0: no limit. False: nothing is left. */
bool min_left(const struct min *m, uint64_t *ms, uint64_t *executions);
/* Ends a minimization with its result; NULL: nothing was found. */
void min_take_best(struct min *m, const uint8_t *best, size_t len,
	bool time_over);

/*
 * min_judge.c. Looks up the names of m->failure, the input's failure.
 * min_on_bucket() follows, at once or from the loop.
 */
void min_ask_bucket(struct min *m);
/* Whether this failure counts as the input's. */
bool min_accepts(const struct min *m, const struct failure *f);
/*
 * Whether the failure's names must be looked up first. True: the look-up is
 * under way, runner_wake() follows, and the same value must run again.
 */
bool min_must_ask(struct min *m, const struct failure *f);
/* Whether no further failure can be looked up. */
bool min_known_is_full(const struct min *m);
void min_judge_clear(struct min *m);

/* min_hand.c: each job tries one candidate. False: no candidate or no time is
 * left; min_take_best() was called. */
bool min_hand_next(struct min *m, struct job *job);
void min_hand_on_result(struct min *m, const struct worker_result *r);
void min_hand_clear(struct min *m);

/* min_say.c */
void min_say_progress(struct min *m);
void min_say_result(const struct min *m); /* for people and for programs */

#endif
