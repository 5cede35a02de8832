/*
 * recorder: records a campaign as seen by the console.
 *
 * A recording is a file of JSON lines. The first one is a header:
 *   {"recording": 1, "program": "0.1.0", "target": "…", "date": "…"}
 * Each of the others has an event and its time in seconds since the first:
 *   {"at": 1.2, "snapshot": {…}}   a full one, every RECORDER_FULL_S seconds
 *   {"at": 1.3, "delta": {…}}      changes since then; see delta.h
 *   {"at": 1.4, "command": "pause", "ok": true, "text": "paused"}
 *   {"at": 1.4, "view": "findings", "place": {…}}
 *   {"at": 1.5, "query": {…}, "reply": {…}}
 *   {"at": 9.0, "end": {"dropped": 0}}
 * Lines without room in the buffer are dropped and counted; after a dropped
 * delta the next one has its changes as well. An entry that a view asks for
 * again gets another line if its bytes have changed. Besides recording the
 * views' queries, the recorder itself queries coverage map, corpus and journal
 * at intervals, so that every view has data when the recording is played.
 */
#ifndef CFUZZ_UI_CONSOLE_RECORDING_RECORDER_H
#define CFUZZ_UI_CONSOLE_RECORDING_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "control/query.h"
#include "shared/status.h"

#define RECORDING_VERSION 1
#define RECORDING_VIEW_SIZE 24 /* of a view's name */
#define RECORDER_FULL_S 10.0   /* between whole snapshots */
#define RECORDER_AGAIN_S 60.0  /* between full replies */

struct recorder;

/* Creates a new file, which the caller closes or gives to recorder_create(); an
 * existing file is left alone (E_EXISTS). E_IO: it cannot be created. */
enum status recorder_open_file(const char *path, int *fd, struct error *err)
	MUST_CHECK;

/* now_s: of a monotonic clock, here and below. All calls but recorder_asked()
 * accept a NULL recorder, for no recording. */
struct recorder *recorder_create(int take_fd, const char *target, double now_s);
/* Not 0: the end is missing: errno as of recorder_file_close(). */
int recorder_destroy(struct recorder *recorder, double now_s);

/* A command or query that the console has sent, with its id. */
void recorder_command(struct recorder *recorder, uint64_t id, const char *line);
void recorder_query(struct recorder *recorder, uint64_t id,
	const struct query *query);

/* A message of the engine. True: a reply to the recorder's own query. */
bool recorder_message(struct recorder *recorder, const json_t *message,
	double now_s);

/*
 * The current view, and the place in it (ui/model/place.h); recorded when it
 * changes, and after each full snapshot. place: NULL: unknown; stays the
 * caller's.
 */
void recorder_view(struct recorder *recorder, const char *view, json_t *place,
	double now_s);

/* Is an own query due? The caller sends it and calls recorder_asked(). */
bool recorder_next_query(struct recorder *recorder, struct query *query,
	double now_s);
void recorder_asked(struct recorder *recorder, uint64_t id,
	const struct query *query);

/* In the first call after writing failed: its errno; else 0. */
int recorder_failed(struct recorder *recorder);

/* How many events came before those of a reply about the journal: the engine
 * keeps only the newest, and its rows begin with them. */
uint64_t recorder_first_event(const json_t *reply);

#endif
