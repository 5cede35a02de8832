/*
 * recording: a recorded campaign, read with distrust.
 *
 * The file (see recorder.h) is looked through once: each line must parse, and
 * its time must not go back; what is wrong is said with file, line and
 * column. A last line without its end is what a crash leaves, and is left
 * out. Kept in memory is where the whole snapshots stand, thinned out as they
 * become many, and where answers that never change do; all else is read again
 * when it is shown. A file that is no regular one is refused, and no line may
 * be longer than RECORDING_LINE_MAX.
 */
#ifndef CFUZZ_UI_CONSOLE_RECORDING_H
#define CFUZZ_UI_CONSOLE_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "control/query.h"
#include "shared/status.h"

#define RECORDING_LINE_MAX (6u << 20)
#define RECORDING_KEYS_MAX 4096u
#define RECORDING_POINTS_MAX 1024u
#define RECORDING_FIXED_MAX 1024u

/* A whole snapshot. */
struct recording_key {
	double at_s;
	int64_t offset; /* of its line */
	uint64_t line;
};

/* What graphs need of a snapshot. */
struct recording_point {
	double at_s;
	double elapsed_s, execs_per_sec;
	bool warm; /* seeds and inputs of earlier runs have been run */
	uint64_t coverage_bits, interesting, crashes, hangs, ooms, leaks;
};

/* A line that was read. */
struct recording_line {
	json_t *json; /* borrowed, until the next one; NULL: at the end */
	double at_s;
};

struct recording;

/* Reads all of it once. NULL: err says why, and where. */
struct recording *recording_open(const char *path, struct error *err)
	MUST_CHECK;
void recording_close(struct recording *recording); /* NULL is fine */

const char *recording_target(const struct recording *recording);
double recording_length(const struct recording *recording); /* seconds */

/* Whole snapshots, in the order of time; at least one. */
size_t recording_keys(const struct recording *recording);
const struct recording_key *recording_key(const struct recording *recording,
	size_t i);

/* Snapshots at about even times, the first one among them. */
size_t recording_points(const struct recording *recording);
const struct recording_point *recording_point(const struct recording *recording,
	size_t i);

/* The next line is that of the key. */
void recording_go(struct recording *recording, const struct recording_key *key);
enum status recording_next(struct recording *recording,
	struct recording_line *line, struct error *err) MUST_CHECK;

/*
 * An answer that is the same at any time (bytes, trail, modules, places of
 * counters); a new reference, NULL: there is none.
 */
json_t *recording_fixed(struct recording *recording, const struct query *query);

#endif
