/*
 * min_private: one minimization, from the first run of the input to the file
 * that is written.
 *
 *	min.c		the steps
 *	min_hand.c	… without a keeper
 *	min_say.c	what is told of it
 *	min_files.c	what is read and written
 */
#ifndef CFUZZ_ENGINE_MIN_PRIVATE_H
#define CFUZZ_ENGINE_MIN_PRIVATE_H

#include "engine/archive_config.h"
#include "engine/min_files.h"
#include "engine/rig.h"
#include "shared/minimize.h"

enum min_step {
	MIN_CHECK,   /* does the input fail? */
	MIN_RESUME,  /* does what an earlier minimization made? */
	MIN_SHRINK,  /* a keeper has it */
	MIN_CONFIRM, /* does the smaller one? */
	MIN_NAMES,   /* all is done, but for what its frames are called */
	MIN_END,
};

struct min {
	struct rig rig;
	struct archive_config archive;
	struct min_files files;
	enum min_step step;
	enum minimize_rule rule;
	uint8_t *best;
	size_t best_len;
	struct failure failure; /* of the input: the one to keep */
	uint64_t signature;
	unsigned runs, reproduced; /* of this step */
	unsigned keepers;          /* that began and came to nothing */
	/* Where there can be no keeper: the machine, and the two values. */
	struct minimizer hand;
	uint8_t *hand_best, *hand_candidate;
	uint64_t tries, accepted, execs;
	uint64_t start_ns, shrink_ns; /* of the whole, of the minimization */
	bool stopped, time_over, fails, believed;
	struct event *late_event;
	bool naming;
	char what[FAILURE_WHAT_MAX * 4], where[256];
	struct error error; /* why it comes to nothing … */
	enum exit_status status;
};

/* Would this failure do in place of the input's? */
bool min_accepts(const struct min *m, const struct failure *f);
/* How much of the budget is left: false: nothing. 0 in them: no limit. */
bool min_left(const struct min *m, uint64_t *ms, uint64_t *executions);
/* A minimization is over: best is what it came to, NULL: nothing. */
void min_take_best(struct min *m, const uint8_t *best, size_t len,
	bool time_over);

/* min_hand.c: a candidate in each job. False: there is none left, or no
 * time; min_take_best() was called. */
bool min_hand_next(struct min *m, struct job *job);
void min_hand_on_result(struct min *m, const struct worker_result *r);
void min_hand_clear(struct min *m);

/* min_say.c */
void min_say_progress(struct min *m);
void min_say_result(const struct min *m); /* to people and programs */

#endif
