/*
 * min_private: one minimization, from the first run of the input to the file
 * that is written.
 *
 *	min.c		the steps
 *	min_judge.c	which failures are the one to be kept
 *	min_hand.c	… without a keeper
 *	min_say.c	what is told of it
 *	min_files.c	what is read and written
 */
#ifndef CFUZZ_TOOLS_MIN_PRIVATE_H
#define CFUZZ_TOOLS_MIN_PRIVATE_H

#include "shared/minimize/minimize.h"
#include "tools/archive_config.h"
#include "tools/min_files.h"
#include "tools/runner.h"

enum min_step {
	MIN_CHECK,   /* does the input fail? */
	MIN_BUCKET,  /* what are the frames of its failure called? */
	MIN_RESUME,  /* does what an earlier minimization made? */
	MIN_SHRINK,  /* a keeper has it */
	MIN_CONFIRM, /* does the smaller one? */
	MIN_END,
};

struct min {
	struct runner rig;
	struct archive_config archive;
	struct min_files files;
	enum min_step step;
	enum minimize_rule rule;
	uint8_t *best;
	size_t best_len;
	struct failure failure; /* of the input: the one to keep */
	uint64_t signature, bucket;
	/* Failures whose bucket was looked up; the fork server gets this list. */
	struct known_failure *known;
	uint32_t known_n;
	struct failure unknown; /* the one that is looked up now, if asking */
	bool asking;
	/* Where the fork server goes on after it met an unknown failure. */
	struct min_machine {
		bool set;
		uint64_t state[MINIMIZE_STATE_N];
		uint8_t *other; /* owned; NULL: none */
		size_t other_len;
	} machine;
	unsigned runs, reproduced; /* of this step */
	unsigned keepers;          /* that began and came to nothing */
	/* Where there can be no keeper: the machine, and the two values. */
	struct minimizer hand;
	uint8_t *hand_best, *hand_candidate;
	uint64_t tries, accepted, execs;
	uint64_t start_ns, shrink_ns; /* of the whole, of the minimization */
	bool stopped, time_over, fails, believed;
	char what[FAILURE_WHAT_MAX * 4], where[256];
	struct error error; /* why it comes to nothing … */
	enum exit_status status;
};

/* Enters MIN_RESUME or MIN_SHRINK: the bucket to keep is known. */
void min_on_bucket(struct min *m);
/* How much of the budget is left: false: nothing. 0 in them: no limit. */
bool min_left(const struct min *m, uint64_t *ms, uint64_t *executions);
/* A minimization is over: best is what it came to, NULL: nothing. */
void min_take_best(struct min *m, const uint8_t *best, size_t len,
	bool time_over);

/*
 * min_judge.c. The failure of the input is m->failure: asks what its frames are
 * called; min_on_bucket() follows, at once or from the loop.
 */
void min_ask_bucket(struct min *m);
/* Would this failure do in place of the input's? */
bool min_accepts(const struct min *m, const struct failure *f);
/*
 * Whether it would do has to be looked up first. True: it is under way, runner_wake()
 * follows, and the same value is to be run again.
 */
bool min_must_ask(struct min *m, const struct failure *f);
/* No further failure can be looked up. */
bool min_known_is_full(const struct min *m);
void min_judge_clear(struct min *m);

/* min_hand.c: a candidate in each job. False: there is none left, or no
 * time; min_take_best() was called. */
bool min_hand_next(struct min *m, struct job *job);
void min_hand_on_result(struct min *m, const struct worker_result *r);
void min_hand_clear(struct min *m);

/* min_say.c */
void min_say_progress(struct min *m);
void min_say_result(const struct min *m); /* to people and programs */

#endif
