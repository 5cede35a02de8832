/*
 * check_private: runs the findings of a campaign again.
 *
 *	check.c		jobs and results
 *	check_say.c	lines and JSON
 */
#ifndef CFUZZ_TOOLS_CHECK_PRIVATE_H
#define CFUZZ_TOOLS_CHECK_PRIVATE_H

#include "tools/archive_config.h"
#include "tools/runner.h"

#define CHECK_FILES 2 /* minimized, input; or sequence */

enum check_verdict {
	CHECK_UNKNOWN, /* not known yet */
	CHECK_STILL_FAILS,
	CHECK_FAILS_DIFFERENTLY, /* see names_same() */
	CHECK_FIXED,             /* no run failed */
	CHECK_NOT_RUN,           /* see check_item.why */
	CHECK_VERDICTS
};

/* One finding. */
struct check_item {
	const struct archive_finding *finding;
	struct check *check;
	const char *files[CHECK_FILES]; /* existing files, smaller first */
	unsigned files_n, file;         /* index of the current file */
	unsigned runs;                  /* of the current file */
	unsigned runs_all;              /* of all files */
	unsigned tries;                 /* see runner_again() */
	bool busy, done;                /* busy: a worker or a query has it */
	enum check_verdict verdict;     /* so far */
	uint8_t *data;                  /* of the current file; owned */
	size_t len;
	size_t row_n;     /* inputs in the sequence; 0: a single input */
	uint64_t row_ran; /* of these, in a run that ended early; 0: none did */
	struct failure was; /* the failure in crash.json, and its names */
	struct symbols_answer *was_names; /* owned; NULL: none */
	struct failure failure;           /* of the last run that failed */
	char what[FAILURE_WHAT_MAX * 4], where[256]; /* of the failure */
	char why[256];                               /* for CHECK_NOT_RUN */
};

struct check {
	struct runner runner;
	struct archive_config archive;
	const char *output;
	struct archive_findings findings;
	struct check_item *items;
	size_t items_n;
	size_t told, done; /* of the items: printed, finished */
	unsigned naming;   /* questions for names under way */
	uint64_t counts[CHECK_VERDICTS];
};

/* Prints lines for finished items, in their order, up to the first that is not
 * finished. */
void check_say_done(struct check *check);
void check_say_end(struct check *check);

#endif
