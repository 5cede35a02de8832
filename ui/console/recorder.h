/*
 * recorder: a campaign as the console sees it, written down.
 *
 * A recording is a file of JSON lines. The first says what it is:
 *   {"recording": 1, "program": "0.1.0", "target": "…", "date": "…"}
 * and each other one what happened when, in seconds from the first:
 *   {"at": 1.2, "snapshot": {…}}   all of it, every RECORDER_FULL_S seconds
 *   {"at": 1.3, "delta": {…}}      what has changed since; see delta.h
 *   {"at": 1.4, "command": "pause", "ok": true, "text": "paused"}
 *   {"at": 1.5, "query": {…}, "reply": {…}}
 *   {"at": 9.0, "end": {"dropped": 0}}
 * Deltas that had no room are dropped and counted; the next one tells their
 * change too. Beside what the views ask for, the recorder itself asks for the
 * map, the corpus and the journal now and then, so that those who look at it
 * later find something in every view.
 */
#ifndef CFUZZ_UI_CONSOLE_RECORDER_H
#define CFUZZ_UI_CONSOLE_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "control/query.h"
#include "shared/status.h"

#define RECORDING_VERSION 1
#define RECORDING_VIEW_SIZE 24 /* of a view's name */
#define RECORDER_FULL_S 10.0   /* between whole snapshots */
#define RECORDER_AGAIN_S 60.0  /* between whole answers that grow */

struct recorder;

/* A new file; one that is there already is left alone (E_EXISTS). */
enum status recorder_open_file(const char *path, int *fd, struct error *err)
	MUST_CHECK;

struct recorder *recorder_create(int take_fd, const char *target, double now_s);
/* False: the end is missing, as the disk is too slow. NULL is fine. */
bool recorder_destroy(struct recorder *recorder, double now_s);

/* What the console sent, with its id. */
void recorder_command(struct recorder *recorder, uint64_t id, const char *line);
void recorder_query(struct recorder *recorder, uint64_t id,
	const struct query *query);

/* A message of the engine. True: it answers a question of the recorder's. */
bool recorder_message(struct recorder *recorder, const json_t *message,
	double now_s);

/* What is looked at now; told when it changes, and after each whole snapshot. */
void recorder_view(struct recorder *recorder, const char *view, double now_s);

/* Is there something that the recorder would ask? recorder_asked() then. */
bool recorder_wants(struct recorder *recorder, struct query *query,
	double now_s);
void recorder_asked(struct recorder *recorder, uint64_t id,
	const struct query *query);

/* The first call after writing failed: its errno; else 0. */
int recorder_failed(struct recorder *recorder);

#endif
