/*
 * triage: saves, verifies and minimizes findings.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_TRIAGE_H
#define CFUZZ_ENGINE_TRIAGE_TRIAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings/finding.h"
#include "shared/status.h"

struct corpus_entry;
struct engine;
struct job;
struct slot;
struct worker_result;

/* ---- arrival: triage.c ---- */

void triage_on_failure(struct engine *e, struct slot *slot,
	const struct worker_result *r, struct corpus_entry *parent);
/* A replay of a finding or of a suspect, which may become a finding. */
void triage_on_replay(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* A try of the inputs that ran before. */
void triage_on_sequence(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* A minimization is over. best: NULL if it found nothing smaller. */
void triage_on_minimized(struct engine *e, struct finding *f,
	const uint8_t *best, size_t len, uint64_t tries, const char *why_not);
void triage_resume(struct engine *e);
void triage_finish(struct engine *e); /* call before store_finish() */
/* The same for work that a user requested after the end of the campaign. */
void triage_finish_asked(struct engine *e);

/* ---- decisions: triage_step.c ---- */

/* Looks at the finding's states and takes the next step. Call it when something
 * is news: its names, their delay, an acknowledgement of the writer. */
void triage_step(struct engine *e, struct finding *f);
/* Moves the finding to the state that follows a result. */
void triage_move_on(struct engine *e, struct finding *f, enum finding_state to);
/* Under --stop-on-crash the run ends when its finding is done. */
void triage_check_crash(struct engine *e, const struct finding *f);
/* Asks for names, and settles the findings that had to wait. */
void triage_tick(struct engine *e);

/* ---- parts of the work ---- */

/* Replays the input or the saved sequence of a finding that is done. */
void triage_verify_again(const struct engine *e, struct finding *f,
	uint32_t replays);
enum status triage_replay_sequence(struct engine *e, struct finding *f,
	uint32_t replays, struct error *err) MUST_CHECK;
/* Notes that these bytes fail on the present build; verdicts of another build
 * become void. */
void triage_note_build(struct engine *e, struct finding *f, const uint8_t *data,
	size_t len);
/* The next functions note a result and return the state that follows. */
enum finding_state triage_judge_replay(struct engine *e, struct finding *f,
	const struct worker_result *r);
enum finding_state triage_judge_minimized(struct engine *e, struct finding *f,
	const uint8_t *best, size_t len, uint64_t tries, const char *why_not);
enum finding_state triage_judge_final(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* The smaller input has failed again: saves it as the minimized one. */
void triage_keep_minimized(struct engine *e, struct finding *f);

/* ---- other builds of the target: triage_builds.c ---- */

/* The finding failed with an earlier build, and has not been replayed with this
 * one. */
bool triage_wants_rerun(const struct engine *e, const struct finding *f);
/* Begins the replays of the next finding that waits for them, if there is
 * time. */
void triage_rerun_next(struct engine *e, uint64_t room_ms);
size_t triage_count_reruns(const struct engine *e); /* findings that wait */
/* Call it before the replays of an earlier build are forgotten. */
/* Is it the build-id of the target as it is now? */
bool triage_is_this_build(const struct engine *e, const char *build);
void triage_keep_before(const struct engine *e, struct finding *f);
/* The finding failed with this build: a fixed one becomes new. */
void triage_note_back(struct engine *e, struct finding *f);
void triage_note_replays(struct engine *e, struct finding *f); /* all done */

/* ---- verdicts: triage_verdict.c ---- */

void triage_set_verdict(struct finding *f, enum finding_verdict verdict);
/* Notes that a replay has failed in this run. */
void triage_seen_again(struct engine *e, struct finding *f);
void triage_accept(struct engine *e, struct finding *f); /* toggles */
/* Sets the user's verdict: known, accepted, or new, which leaves the verdict to
 * the replays so far. */
void triage_mark(struct engine *e, struct finding *f,
	enum finding_verdict verdict);

/* ---- the list: triage_list.c ---- */

void triage_clear(struct engine *e);
/* By its id or folder; of a merged one the finding that it belongs to now. NULL:
 * none. */
struct finding *triage_find(struct engine *e, const char *id);
/* The next finding in this state that can have a call of at most room_ms; for
 * FINDING_VERIFYING also a suspect. NULL: none. */
struct finding *triage_next(struct engine *e, enum finding_state state,
	uint64_t room_ms);
/* Fills a job for the next try of a sequence; false: none now. */
bool triage_next_sequence(struct engine *e, uint64_t room_ms, struct job *job);
bool triage_minimizes(const struct engine *e); /* one is to be minimized */
bool triage_busy(const struct engine *e);      /* replays are outstanding */
/* After the end of the campaign: work that the campaign had no time for makes
 * room for what the user asks for. */
void triage_drop_left(const struct engine *e, struct finding *f);

#endif
