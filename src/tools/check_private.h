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

enum verdict {
	VERDICT_NONE, /* not known yet */
	VERDICT_STILL,
	VERDICT_DIFFERENT,
	VERDICT_FIXED,
	VERDICT_NOT_RUN,
	VERDICT_COUNT
};

/* One finding. */
struct check_item {
	const struct archive_finding *finding;
	struct check *check;
	const char *files[CHECK_FILES]; /* existing files, smaller first */
	unsigned files_n, file;         /* index of the current file */
	unsigned runs;                  /* of the current file */
	unsigned runs_all;
	bool busy, done;      /* busy: a worker or a query has it */
	enum verdict verdict; /* so far */
	uint8_t *data;        /* of the current file; owned */
	size_t len;
	size_t row_n; /* inputs in the sequence; 0: a single input */
	struct failure was;
	struct symbols_answer *was_names;
	struct failure failure; /* of the last run that failed */
	char what[FAILURE_WHAT_MAX * 4], where[256]; /* of the failure */
	char why[256];                               /* for VERDICT_NOT_RUN */
};

struct check {
	struct runner runner;
	struct archive_config archive;
	const char *output;
	struct archive_findings findings;
	struct check_item *items;
	size_t items_n, told, done;
	unsigned naming; /* questions for names under way */
	uint64_t counts[VERDICT_COUNT];
};

/* Prints lines for finished items, in their order. */
void check_say_done(struct check *check);
void check_say_end(struct check *check);

#endif
