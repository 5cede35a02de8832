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

/* An execution failed: makes a finding or a suspect, or counts a known finding.
 * parent: the entry whose mutation failed; NULL: unknown. */
void triage_on_failure(struct engine *e, struct slot *slot,
	const struct worker_result *r, struct corpus_entry *parent);
/* A replay of a finding or of a suspect, which may become a finding. */
void triage_on_replay(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* A try of the process history, or of a sequence. */
void triage_on_sequence(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* A minimization is over; see struct minimize_tasks_handlers. */
void triage_on_minimized(struct engine *e, struct finding *f,
	const uint8_t *best, size_t len, uint64_t tries, const char *why_not);
/* Restores the findings and suspects of earlier runs. */
void triage_resume(struct engine *e);
/* The types of the target have become known, and are not those with which the
 * inputs of earlier runs were read: the target would refuse them. No replay is
 * made of such an input; the next start knows the types. */
void triage_on_types(struct engine *e);
/* Saves those of which this run says something else, such as "known". Call it
 * when a worker is ready: the directory may belong to another target. */
void triage_save_stale(struct engine *e);
/* At the end: findings of runs that were killed, of which nobody was told, fail
 * the step of `cfuzz ci`, even if they do not occur again. */
void triage_tell_untold(struct engine *e);
/* Saves findings and unfinished work at the end. Call before store_finish(). If
 * no worker was ever ready, it writes only what the user asked for. */
void triage_finish(struct engine *e);
/* The same for work that a user requested after the end of the campaign. */
void triage_finish_asked(struct engine *e);

/* ---- decisions: triage_step.c ---- */

/* Looks at the finding's states and takes the next step. Call it when its names
 * have come or are late, and when the writer has its input. */
void triage_step(struct engine *e, struct finding *f);
/* Moves the finding to the state that follows a result. */
void triage_move_on(struct engine *e, struct finding *f, enum finding_state to);
/* Under --stop-on-crash, ends the run if this is its finding and is done. */
void triage_check_crash(struct engine *e, const struct finding *f);
/* If the finding that was to end the run is gone, or does not fail it any more,
 * the first one that fails it takes its place. Without any the run goes on. */
void triage_pass_crash(struct engine *e);
/* Call each second: asks for names, and settles the findings that had to
 * wait. */
void triage_tick(struct engine *e);

/* ---- parts of the work ---- */

/* Begins new replays of the input or of the saved sequence, and forgets the old
 * ones. E_STATE: triage_unseen() says why, or triage_can_run() is false; others
 * as of triage_load_sequence(). */
enum status triage_replay(struct engine *e, struct finding *f, uint32_t replays,
	struct error *err) MUST_CHECK;
/* Notes that these bytes fail on the present build; verdicts of another build
 * become void. */
void triage_note_build(struct engine *e, struct finding *f, const uint8_t *data,
	size_t len);
/* A finding that failed in none of its replays failed on these bytes: they are
 * replayed, too. */
void triage_try_other(struct engine *e, struct finding *f, const uint8_t *data,
	size_t len);
/* The next functions note a result and return the state that follows. */
enum finding_state triage_judge_replay(struct engine *e, struct finding *f,
	const struct worker_result *r);
enum finding_state triage_judge_minimized(struct engine *e, struct finding *f,
	const uint8_t *best, size_t len, uint64_t tries, const char *why_not);
enum finding_state triage_judge_final(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* Nothing can be replayed any more: saves the smaller input as the minimized
 * one. That of a hang, which may only be slow, is left to the next start. */
void triage_end_trial(struct engine *e, struct finding *f);
/* The setting minimizetime has changed. 0 ends minimizations that the user did
 * not ask for: findings that wait for one are left to the next start, or until
 * the setting allows it again. */
void triage_on_minimizetime(struct engine *e);
/* Removes a minimized input that is larger than the input itself. */
void triage_drop_larger(struct engine *e, struct finding *f);

/* ---- other builds of the target: triage_builds.c ---- */

/* The finding failed with an earlier build and has not been replayed with this
 * one, or it was fixed and this is the build with which it failed. */
bool triage_wants_rerun(const struct engine *e, const struct finding *f);
/* Begins the replays of the next finding that waits for them, if a replay takes
 * at most room_ms. */
void triage_rerun_next(struct engine *e, uint64_t room_ms);
/* Whether names must tell first if this failure of another build is in the
 * finding's function; then the replay is made once more when they are known. Asks
 * for them; without names, the kind and the words of the failure decide. */
bool triage_awaits_names(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* Whether no replay is to be made before names have come. */
bool triage_waits_for_names(const struct engine *e, const struct finding *f);
size_t triage_count_reruns(const struct engine *e); /* findings that wait */
/* Is it the build-id of the target as it is now? */
bool triage_is_this_build(const struct engine *e, const char *build);
/* Keeps the counts of an earlier build's replays. Call it before they are
 * forgotten. */
void triage_keep_before(const struct engine *e, struct finding *f);
/* Notes this build, and its sanitizer, as the last one that failed. */
void triage_set_build(const struct engine *e, struct finding *f);
/* The finding failed with this build: a fixed one becomes new. */
void triage_note_back(struct engine *e, struct finding *f);
/* It fails with the limits as they are now. */
void triage_note_limits(const struct engine *e, struct finding *f);
/* It failed in this run: it does not need stricter limits. */
void triage_relax_limits(const struct engine *e, struct finding *f);
/* The replays are done: sets their verdict, and notes that the finding fails with
 * this build, or that it is fixed. */
void triage_note_replays(struct engine *e, struct finding *f);
/* A replay is done. If it has not failed as the finding does, notes if that tells
 * nothing. whole: all of its inputs ran, or one of them failed. */
void triage_note_replay(const struct engine *e, struct finding *f,
	const struct worker_result *r, bool whole);
/* If none of these replays has failed, and that tells nothing, says why and leaves
 * them to the next start, as an end that cuts them short does. False: they tell
 * something. */
bool triage_leave_replays(struct engine *e, struct finding *f, uint32_t replays,
	uint32_t failed);
/* The end cuts the replays of a fixed finding short: if one has failed, it is
 * new; else it stays fixed by the build that was replayed before. */
void triage_finish_rerun(struct engine *e, struct finding *f);

/* ---- verdicts: triage_verdict.c ---- */

/* Sets the verdict of replays. One of the user's, known or accepted, stays. */
void triage_set_verdict(struct finding *f, enum finding_verdict verdict);
/* Confirmed or flaky, as the replays say; new if there were none. */
enum finding_verdict triage_replays_verdict(const struct finding *f);
/* A replay has failed: a finding that an earlier run left to verify counts for
 * this run now. */
void triage_seen_again(struct engine *e, struct finding *f);
/* Sets the user's verdict: known, accepted, or new, which leaves the verdict to
 * the replays so far. */
void triage_mark(struct engine *e, struct finding *f,
	enum finding_verdict verdict);

/* ---- the list: triage_list.c ---- */

/* Destroys all findings and suspects. */
void triage_clear(struct engine *e);
/* The finding with this id or folder; for a merged one, the finding to which it
 * belongs now. NULL: none. */
struct finding *triage_find(struct engine *e, const char *id);
/* The next finding in this state that can have a call of at most room_ms; for
 * FINDING_VERIFYING and FINDING_SEQUENCE also a suspect. NULL: none. */
struct finding *triage_next(struct engine *e, enum finding_state state,
	uint64_t room_ms);
/* Fills a job for the next try of a sequence; false: none now. */
bool triage_next_sequence(struct engine *e, uint64_t room_ms, struct job *job);
bool triage_minimizes(const struct engine *e); /* one is to be minimized */
bool triage_busy(const struct engine *e);      /* replays are outstanding */
/* Says at the end what work is left for the next start, if any is. */
void triage_tell_left(struct engine *e);
/* After the end of the campaign: drops work on the finding that the campaign
 * had no time for, unless the user asked for it. */
void triage_drop_left(const struct engine *e, struct finding *f);

#endif
