/*
 * min_private: one minimization, from the first run of the input to the file
 * with the result.
 *
 *	min.c		the steps
 *	min_judge.c	decides which failures count as the input's
 *	min_record.c	describes the result in crash.json
 *	min_say.c	prints the result
 *	min_files.c	reads and writes files
 */
#ifndef CFUZZ_TOOLS_MIN_PRIVATE_H
#define CFUZZ_TOOLS_MIN_PRIVATE_H

#include "findings/minimization_driver.h"
#include "tools/archive_config.h"
#include "tools/min_files.h"
#include "tools/runner.h"

enum min_step {
	MIN_CHECK,    /* does the input fail? */
	MIN_BUCKET,   /* look up the names of its failure */
	MIN_MINIMIZE, /* a worker minimizes */
	MIN_CONFIRM,  /* does the smaller input fail? */
	MIN_END,
};

struct min {
	struct runner runner;
	struct archive_config archive;
	struct min_files files;
	enum min_step step;
	/* Its minimization is that of the present round; NULL before. */
	struct minimization_driver driver;
	struct failure failure; /* of the input: the one to keep */
	uint64_t bucket;
	struct failure unknown; /* failure being looked up, if asking */
	bool asking;
	/* The finding whose folder gets the result; NULL: none. Owned. */
	struct finding *finding;
	unsigned runs, reproduced;      /* in this step */
	unsigned lost;                  /* runs, see runner_again() */
	uint64_t tries, accepted;       /* of all rounds, at the end */
	uint64_t start_ns, minimize_ns; /* start of all, of the minimization */
	bool stopped;                   /* by the user */
	bool time_over;                 /* before all candidates were tried */
	bool believed;                  /* the smaller input has failed again */
	char what[FAILURE_WHAT_MAX * 4], where[256];
	struct error error; /* reason of a failure */
	enum exit_status status;
};

/* The bucket to keep is known: enters MIN_MINIMIZE. */
void min_on_bucket(struct min *m);
/* The input has not failed as its finding. */
void min_on_other(struct min *m);
/* Judges the try that waits, if any, by what is known of its failure. */
void min_settle(struct min *m, const struct failure *f);
/* The best input so far, borrowed until the next result. */
const uint8_t *min_best(const struct min *m, size_t *len);

/*
 * min_judge.c. Reads the finding of a folder whose "minimized" is to be written,
 * if any. E_USAGE: by this rule, that file might fail in a way that crash.json
 * rules out.
 */
enum status min_read_finding(struct min *m, const char *rule, struct error *err)
	MUST_CHECK;
/* Looks up the names of m->failure, the input's failure. min_on_bucket() or
 * min_on_other() follows, at once or from the loop. */
void min_ask_bucket(struct min *m);
/*
 * Must the failure's names be looked up before it is judged? True: the look-up
 * is under way. At its end a try gets its verdict, any other input must run
 * again, and runner_wake() is called.
 */
bool min_must_ask(struct min *m, const struct failure *f);
/* Are unknown failures to be looked up? */
bool min_may_ask(const struct min *m);

/* min_record.c. crash.json of the finding, if any, says what its "minimized" is,
 * which has been written. */
enum status min_record(const struct min *m, struct error *err) MUST_CHECK;

/* min_say.c */
size_t min_len(const struct min *m); /* of the result's file, in bytes */
void min_say_progress(struct min *m);
void min_say_result(const struct min *m); /* for people and for programs */

#endif
