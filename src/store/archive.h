/*
 * archive: an output directory as the tools see it: read, never changed.
 *
 * Anybody may have written there: names, numbers and texts are bounded here,
 * and texts are cleaned.
 */
#ifndef CFUZZ_STORE_ARCHIVE_H
#define CFUZZ_STORE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "control/snapshot.h"
#include "shared/status.h"
#include "store/store.h"

/* What the journal says of the campaign's latest run. */
struct archive_start {
	char *target;               /* path; owned, NULL: not known */
	char build[TARGET_ID_SIZE]; /* of the target; "": not known */
	char **args;              /* NULL-ended; owned, never NULL once read */
	struct tuple_types types; /* that the target takes */
	bool isolated;            /* it was */
	char **readable; /* as args: what it might read, beside its own */
};

/*
 * The output directory that a path lies in: the nearest folder above it with
 * a journal. A new string; NULL: there is none.
 */
char *archive_of(const char *path);
/* A finding's folder stands for its sequence/, or the smallest input in it; a
 * new string. */
char *archive_input(const char *path);
bool archive_is_output(const char *folder); /* it has a journal */

/* Never fails: what is not known is empty. */
void archive_read_start(const char *output, struct archive_start *start);
void archive_start_clear(struct archive_start *start);

/*
 * Keeps engines away from the directory until *fd is closed. E_BUSY: one is
 * at work there; *fd is -1 then.
 */
enum status archive_lock(const char *output, int *fd, struct error *err)
	MUST_CHECK;

/* A finding's folder. */
struct archive_finding {
	char folder[STORE_FOLDER_SIZE]; /* "crashes/x", to open: not cleaned */
	struct snapshot_finding view;   /* of crash.json and the files */
	json_t *info; /* crash.json; NULL: missing, or makes no sense */
	bool has_input, has_minimized;
	uint32_t more; /* further inputs */
};

struct archive_findings {
	struct archive_finding *items; /* by state, the last seen first */
	size_t n;
	char build[TARGET_ID_SIZE]; /* of the latest run */
};

/* E_USAGE: it is no output directory. Where a finding stands is told for the
 * build of the latest run. */
enum status archive_read_findings(const char *output,
	struct archive_findings *list, struct error *err) MUST_CHECK;
void archive_findings_clear(struct archive_findings *list);
/* Fills its view from folder and info; build: that there is now. */
void archive_finding_view(struct archive_finding *f, const char *build);

/* "crash", "hang", "out of memory" or "leak": the class of a kind. */
const char *archive_class(const char *kind);

/* ---- the journal ---- */

#define ARCHIVE_NAME_SIZE 17 /* first digits of an input's name */

/* What it says of how an input came about; the input itself comes first. */
struct archive_ancestor {
	char name[ARCHIVE_NAME_SIZE];
	bool minimized; /* it was made from the next one by the minimizer */
	double at_s;    /* when it was found, < 0: not known */
	uint64_t len, bits, generation; /* bits: that were new */
	bool unstable;
};

struct archive_lineage {
	struct archive_ancestor *items;
	size_t n;
	bool cut; /* there are more */
};

/* All that came about, in order; parent: what it was made from, "": nothing. */
typedef void archive_birth_fn(void *arg, const struct archive_ancestor *input,
	const char *parent);
void archive_each_birth(const char *output, archive_birth_fn *fn, void *arg);

/* Of an input, by the first digits of its name. */
void archive_read_lineage(const char *output, const char *name,
	struct archive_lineage *lineage);
void archive_lineage_clear(struct archive_lineage *lineage);

/* The mutations that made a finding: an array, maybe empty, of unknown
 * origin; a new reference. NULL: the journal does not tell. */
json_t *archive_read_trail(const char *output, const char *finding);

#endif
