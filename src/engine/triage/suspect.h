/*
 * suspect: inputs that ran when a worker ended, perhaps through no fault of
 * theirs.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_SUSPECT_H
#define CFUZZ_ENGINE_TRIAGE_SUSPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "findings/finding.h"

struct engine;
struct job;
struct worker_result;

/* A worker ended while it ran the candidate: makes that a suspect. */
void suspect_on_end(struct engine *e, const struct worker_result *r);
enum suspect_verdict {
	SUSPECT_WAITS,   /* for one more replay */
	SUSPECT_CLEARED, /* no finding */
	SUSPECT_FAILS,   /* it is a finding, with the failure of its replay */
	SUSPECT_HANGS,   /* the suspect itself is a finding */
};

/* Judges a replay of the suspect, alone or after its process history. Unless the
 * verdict is SUSPECT_WAITS, the suspect waits no longer, and the caller owns
 * it. */
enum suspect_verdict suspect_judge(struct engine *e, struct finding *suspect,
	const struct worker_result *r);
/* The replay of a hang shows that the input hangs by itself. */
bool suspect_hangs_alone(const struct failure *f);
/* A hang becomes a finding if it hangs again with more time. Keeps its input.
 * True: make a finding of it for suspect_add_hang(). */
bool suspect_keep_hang(struct engine *e, const struct worker_result *r);
void suspect_add_hang(struct engine *e, struct finding *take_finding);
/* Removes the suspect's file: it is saved as a finding now. */
void suspect_drop_file(struct engine *e, struct finding *f);
/* Time limits for a replay of a suspect, or of a finding over the memory limit:
 * the usual one, and the shortest with which a replay makes sense; 0: any. */
uint64_t suspect_hang_ms(const struct engine *e, const struct finding *f);
uint64_t suspect_least_ms(const struct engine *e, const struct finding *f);
/* Gives the job the longer limit, as far as there is room for it. */
void suspect_let_hang(const struct engine *e, const struct finding *f,
	uint64_t room_ms, struct job *job);
size_t suspects_waiting(const struct engine *e); /* for replays */
struct finding *suspects_at(const struct engine *e, size_t i);
void suspect_clear(struct engine *e);
uint64_t suspect_count(const struct engine *e); /* of the whole campaign */
/* The name of the signal that ended most of this run's suspects with a file,
 * static; "": none did. */
const char *suspect_signal(const struct engine *e);
/* Suspects with a file that are still to be replayed, for stats.json: an array,
 * maybe empty, a new reference. */
json_t *suspects_left(const struct engine *e);
/* count: suspects of earlier runs. left: those that were not replayed, as from
 * suspects_left(); NULL: none. */
void suspects_resume(struct engine *e, uint64_t count, const json_t *left);
/* Replays the input of a finding's folder that lost its crash.json. */
void suspect_adopt(struct engine *e, const char *folder);

#endif
