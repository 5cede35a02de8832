/*
 * journal: what happened in a campaign, one JSON object per line.
 *
 * Each line has "t" (wall clock, ISO), "at_s" (elapsed seconds, the earlier
 * runs included) and "event". The first line is of the event "campaign";
 * each later run of the same campaign starts with a line "resume". Both name
 * the target; what a typed one takes is told by a line "types". Reading is
 * tolerant: whatever a crash, a full disk or an editor left behind, what is
 * whole is used. It is bounded, too: a file that is too long is read in part.
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
#include "worker/elf.h"

#define JOURNAL_VERSION 1
#define JOURNAL_LINE_MAX (1u << 20)
/* More is not read of a file, whose size anybody may choose. */
#define JOURNAL_FILE_MAX (1u << 30)
#define JOURNAL_NONSENSE_MAX (64u << 20) /* in lines that are too long */

/* A new object with the three members; add others with the setters. */
json_t *journal_event(const char *kind, double at_s);

/* The event gets another member. Text of any origin: cleaned, never lost. */
void journal_set_text(json_t *event, const char *key, const char *text);
/* A number beyond 63 bits becomes decimal text. */
void journal_set_count(json_t *event, const char *key, uint64_t value);
void journal_set_real(json_t *event, const char *key, double value);
void journal_set_bool(json_t *event, const char *key, bool value);

/* What targets run isolated, and may read beside their own. */
void journal_set_isolated(json_t *event, char *const *readable, size_t n);
/* "campaign" or "resume": the start of a run. args may be NULL. */
json_t *journal_start_event(const char *kind, double at_s,
	const struct target_info *target, char **args, uint64_t seed);

/* "types": what the target takes, as its worker says when it has started. */
json_t *journal_types_event(double at_s, const struct tuple_types *types);

/* One compact line that ends with a newline; the caller's. */
char *journal_line(const json_t *event);

/* How far a journal was read. */
struct journal_extent {
	uint64_t good_len; /* bytes up to the end of the last whole line */
	uint64_t torn_len; /* bytes behind that */
	bool cut;          /* it goes on: it is too long, or has gone to ruin */
};

/* A whole line, without its newline, and a 0 behind it. NULL: it is longer
 * than JOURNAL_LINE_MAX. */
typedef void journal_line_fn(void *arg, const char *line, size_t len);

/* All lines, from the descriptor's start. Only reading fails (E_IO). */
enum status journal_each(int fd, journal_line_fn *fn, void *arg,
	struct journal_extent *extent, struct error *err) MUST_CHECK;

/* What an existing journal says. */
struct journal_summary {
	json_t *first;        /* of the event "campaign", or NULL: damaged */
	json_t *latest;       /* start of the latest run, or NULL */
	uint32_t runs;        /* starts of runs that it tells of */
	double elapsed_s;     /* the last "at_s" */
	struct growth growth; /* of coverage, over all of them */
	struct tuple_types types; /* of the target, as it was told last */
	uint64_t lines;           /* whole ones */
	uint64_t bad;             /* whole lines that are no JSON object */
	struct journal_extent extent;
};

/* Only reading fails (E_IO). */
enum status journal_read(int fd, struct journal_summary *summary,
	struct error *err) MUST_CHECK;
void journal_summary_clear(struct journal_summary *summary);

#endif
