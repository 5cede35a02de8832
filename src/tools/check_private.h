/*
 * check_private: the findings of a campaign, run again.
 *
 *	check.c		jobs and results
 *	check_say.c	what is told of them
 */
#ifndef CFUZZ_TOOLS_CHECK_PRIVATE_H
#define CFUZZ_TOOLS_CHECK_PRIVATE_H

#include "tools/archive_config.h"
#include "tools/runner.h"

#define CHECK_FILES 2 /* minimized, input; or sequence */

enum verdict {
	VERDICT_NONE, /* not yet */
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
	const char *files[CHECK_FILES]; /* that there are, the smaller first */
	unsigned files_n, file;         /* which one is next */
	unsigned runs;                  /* of that one */
	unsigned runs_all;
	bool busy, done;      /* a worker or a question is under way; no more */
	enum verdict verdict; /* so far */
	uint8_t *data;        /* of the file under way; owned */
	size_t len;
	size_t row_n; /* inputs that it has in a row, 0: it is one */
	struct failure was;
	struct symbols_answer *was_names;
	struct failure failure; /* of the last run that failed */
	char what[FAILURE_WHAT_MAX * 4], where[256]; /* for the verdict */
	char why[256];                               /* NOT_RUN */
};

struct check {
	struct runner rig;
	struct archive_config archive;
	const char *output;
	struct archive_findings findings;
	struct check_item *items;
	size_t items_n, told, done;
	unsigned naming; /* questions under way */
	uint64_t counts[VERDICT_COUNT];
};

/* Lines of those that are done, in their order. */
void check_say_done(struct check *check);
void check_say_end(struct check *check);

#endif
