/*
 * journal: the events of a campaign, one JSON object per line.
 *
 * Each line has "t" (wall clock, ISO), "at_s" (elapsed seconds, with earlier
 * runs) and "event". The first line has the event "campaign"; each later run of
 * the same campaign starts with the event "resume". Both name the target; the
 * event "types" gives the types of a typed target. Reading is tolerant:
 * complete lines are used, whatever a crash, a full disk or an editor has left
 * behind. Of a file that is too long, start and end are read, and of its middle
 * the starts of runs.
 */
#ifndef CFUZZ_STORE_JOURNAL_H
#define CFUZZ_STORE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "shared/status.h"
#include "shared/values/tuple.h"
#include "store/growth.h"
#include "worker/target/elf.h"

#define JOURNAL_VERSION 1
/* Limits in bytes for reading a file, which may have any size. */
#define JOURNAL_LINE_MAX (1u << 20)
#define JOURNAL_FILE_MAX (1u << 30)
#define JOURNAL_TAIL (16u << 20)         /* of a longer file, its end */
#define JOURNAL_NONSENSE_MAX (64u << 20) /* in lines that are too long */

/* A new object with these three members; add others with the setters. */
json_t *journal_event(const char *kind, double at_s);

/* Adds a member: the cleaned form of a text of any origin. */
void journal_set_text(json_t *event, const char *key, const char *text);

/* Notes that the target is isolated, and the folders it may read. */
void journal_set_isolated(json_t *event, char *const *readable, size_t n);
/* Notes the paths of seeds, made absolute. */
void journal_set_seeds(json_t *event, char *const *paths, size_t n);
/* "campaign" or "resume": the start of a run in our working directory. args is
 * NULL-ended, or NULL. */
json_t *journal_start_event(const char *kind, double at_s,
	const struct target_info *target, char **args, uint64_t seed);

/* "types": the types of the target, as its worker reports them. */
json_t *journal_types_event(double at_s, const struct tuple_types *types);

/* A compact line that ends with a newline; the caller frees it. */
char *journal_line(const json_t *event);

/* The part of a journal that was read. */
struct journal_extent {
	uint64_t good_len; /* bytes up to the end of the last complete line */
	uint64_t torn_len; /* bytes after that */
	uint64_t skipped;  /* bytes in the middle of a file that is too long */
	bool cut;          /* reading stopped: badly damaged */
};

/* A complete line without its newline, followed by '\0', borrowed during the
 * call. NULL: longer than JOURNAL_LINE_MAX. */
typedef void journal_line_fn(void *arg, const char *line, size_t len);

/* Reads all lines, from the start of the file; fd stays open. Of the middle of a
 * file that is too long, fn gets only lines "resume" and "types". Fails only with
 * E_IO. */
enum status journal_each(int fd, journal_line_fn *fn, void *arg,
	struct journal_extent *extent, struct error *err) MUST_CHECK;

/* The summary of an existing journal. */
struct journal_summary {
	json_t *first;            /* owned; event "campaign", NULL: damaged */
	json_t *latest;           /* owned; start of the latest run, or NULL */
	uint32_t runs;            /* number of runs */
	double elapsed_s;         /* the last "at_s" */
	struct growth growth;     /* of coverage, over all runs */
	struct tuple_types types; /* of the target, latest event … */
	bool has_types;           /* … which there is */
	uint64_t lines;           /* complete ones */
	uint64_t bad;             /* complete lines that are no JSON object */
	struct journal_extent extent;
};

/* Fails only with E_IO; then there is nothing to clear. */
enum status journal_read(int fd, struct journal_summary *summary,
	struct error *err) MUST_CHECK;
void journal_summary_clear(struct journal_summary *summary);

#endif
