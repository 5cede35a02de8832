/*
 * archive: reads an output directory for the tools, and changes nothing there
 * but the lock file.
 *
 * The directory is not trusted: names, numbers and texts are bounded here, and
 * texts are cleaned.
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

/* The start of the campaign's latest run, from the journal. */
struct archive_start {
	char *target;               /* path; owned, NULL: unknown */
	char *first_target;         /* the same of the first run */
	char build[TARGET_ID_SIZE]; /* of the target; "": unknown */
	/* Places at that time, owned: where the target worked (NULL: unknown), and
	 * the output directory. */
	char *folder, *output;
	char **args; /* NULL-terminated; owned; not NULL after reading */
	struct tuple_types types; /* types of the target */
	bool isolated;            /* the target was isolated */
	uint32_t runs;            /* with this one; 0: unknown */
	/* As args: folders it could read besides its own, and its seeds. */
	char **readable, **seeds;
};

/* The path to run for a path: for a finding's folder its sequence/, or else its
 * minimized or first input; any other path itself. A new string. */
char *archive_input(const char *path);

/* Overwrites *start; the caller clears it. Never fails: unknown members are
 * empty. */
void archive_read_start(const char *output, struct archive_start *start);
void archive_start_clear(struct archive_start *start);

/*
 * Keeps others out of the directory until archive_unlock(). On failure *fd is
 * -1. E_BUSY: another process is at work there; E_IO: the lock file cannot be
 * opened, or is not a regular file with one name. OK also on a file system
 * without locks.
 */
enum status archive_lock(const char *output, int *fd, struct error *err)
	MUST_CHECK;
void archive_unlock(int *fd); /* -1 is fine */
/* Is another process at work there? False on a file system without locks. */
bool archive_is_locked(const char *output);

/* A finding's folder. */
struct archive_finding {
	char folder[STORE_FOLDER_SIZE]; /* "crashes/x", to open: not cleaned */
	struct snapshot_finding view;   /* from crash.json and the files */
	json_t *info; /* crash.json, owned; NULL: missing or damaged */
	bool has_input, has_minimized;
	uint32_t more; /* inputs in more/ */
};

struct archive_findings {
	struct archive_finding *items; /* by verdict, then latest first */
	size_t n;
	char build[TARGET_ID_SIZE]; /* of the latest run */
};

/* The standing of the findings is for the build of the latest run. E_USAGE: not
 * an output directory; other errors: see dir_open_at(). */
enum status archive_read_findings(const char *output,
	struct archive_findings *list, struct error *err) MUST_CHECK;
void archive_findings_clear(struct archive_findings *list);
/* Fills in the view from folder and info; build: the current one. */
void archive_finding_view(struct archive_finding *f, const char *build);

/* ---- the journal ---- */

#define ARCHIVE_NAME_SIZE 17 /* first digits of an input's name */

/* One step in an input's history; the input itself is the first one. */
struct archive_ancestor {
	char name[ARCHIVE_NAME_SIZE];
	char parent
		[ARCHIVE_NAME_SIZE]; /* the input it was made from, "": none */
	bool minimized; /* trimmed from the next one, not mutated */
	double at_s;    /* time when it was found, < 0: unknown */
	uint64_t len, bits, generation; /* bits: new features */
	bool unstable;
};

struct archive_lineage {
	struct archive_ancestor *items;
	size_t n;
	bool cut; /* there are more */
};

/* Calls fn for all new and trimmed inputs, in order; the input is borrowed
 * during the call. */
typedef void archive_birth_fn(void *arg, const struct archive_ancestor *input);
void archive_each_birth(const char *output, archive_birth_fn *fn, void *arg);

/* Reads the history of an input, given by the first digits of its name. Never
 * fails: an unknown input has none. The caller clears it. */
void archive_read_lineage(const char *output, const char *name,
	struct archive_lineage *lineage);
void archive_lineage_clear(struct archive_lineage *lineage);

/* The mutations that made each finding: an object of untrusted arrays by id; a
 * new reference. */
json_t *archive_read_mutations(const char *output);

#endif
