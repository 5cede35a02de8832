/*
 * recording: reads a recorded campaign and validates it.
 *
 * The file (see recorder.h) is read once completely. Each line must parse, and
 * its time must not decrease; an error has file, line and column. An incomplete
 * last line, as after a crash, is ignored. Memory holds the offsets of full
 * snapshots, thinned out if there are many, of replies that never change, and
 * of the journal; other lines are read again for playing. The file must be a
 * regular file, and no line may be longer than READER_LINE_MAX.
 */
#ifndef CFUZZ_UI_CONSOLE_RECORDING_RECORDING_H
#define CFUZZ_UI_CONSOLE_RECORDING_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "control/query.h"
#include "control/snapshot.h"
#include "shared/status.h"

#define RECORDING_KEYS_MAX 4096u
#define RECORDING_POINTS_MAX 1024u
#define RECORDING_FIXED_MAX 1024u
#define RECORDING_EVENTS_MAX 65536u

/* A whole snapshot, or another line to go to. */
struct recording_key {
	double at_s;
	int64_t offset; /* of its line, in bytes */
	uint64_t line;  /* its number, from 1 */
};

/* The members of a snapshot that graphs need. */
struct recording_point {
	double at_s;
	enum run_state state;
	double elapsed_s, execs_per_sec;
	uint64_t coverage_bits, interesting, crashes, hangs, ooms, leaks;
};

/* A reply with the first record of an event. */
struct recording_events {
	struct recording_key line;
	uint64_t first; /* number of its first event in the journal */
};

/* The current line. */
struct recording_line {
	json_t *json; /* borrowed until the next one; NULL: end of file */
	double at_s;
};

/* All of it is owned by the recording. */
struct recording_index {
	char target[256];
	double length_s;
	struct recording_key *keys; /* in the order of time; at least one */
	size_t keys_n;
	struct recording_point
		*points; /* at regular intervals, and the first */
	size_t points_n;
	struct recording_events *events; /* all of the journal, in order */
	size_t events_n;
};

struct recording;

/* Reads the whole file once. NULL: err has the reason and the position. */
struct recording *recording_open(const char *path, struct error *err)
	MUST_CHECK;
void recording_close(struct recording *recording); /* NULL is fine */

/* Borrowed until recording_close(). */
const struct recording_index *recording_index(
	const struct recording *recording);

/* Sets the members of a snapshot's JSON that the point has. */
void recording_put_point(const struct recording_point *point, json_t *snapshot);

/* Makes the line of the key the next one. */
void recording_go(struct recording *recording, const struct recording_key *key);
/* Reads the next line. E_FORMAT, E_IO: the file has changed or cannot be
 * read. */
enum status recording_next(struct recording *recording,
	struct recording_line *line, struct error *err) MUST_CHECK;

/* Is it about the journal, without a filter? */
bool recording_is_journal(const struct query *query);

/*
 * A reply that never changes (bytes, mutation log, modules, PC table); a new
 * reference, NULL: there is none.
 */
json_t *recording_fixed(struct recording *recording, const struct query *query);

#endif
