/*
 * triage_sequence: findings that need several inputs in one process.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_TRIAGE_SEQUENCE_H
#define CFUZZ_ENGINE_TRIAGE_TRIAGE_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings/finding_states.h"
#include "shared/status.h"

struct engine;
struct finding;
struct input_sequence;
struct job;
struct worker_result;

/* Starts the search for a sequence: the input alone does not fail. False: there
 * is no process history that could be used. */
bool triage_begin_sequence(struct engine *e, struct finding *f);
/* Fills the job of its next try, which borrows its bytes from the finding. */
void triage_fill_sequence(const struct engine *e, struct finding *f,
	struct job *job);
/* Estimated duration of its next try; 0: unknown. */
uint64_t triage_sequence_ms(const struct engine *e, const struct finding *f);
/* Notes the result of a try and returns the state that follows. */
enum finding_state triage_judge_sequence(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* Whether a suspect is to be tried with its process history, before it can be
 * judged by this result. A hang that keeps to the limit alone is tried once;
 * without a try the process history is freed. */
bool triage_try_history(struct engine *e, struct finding *suspect,
	const struct worker_result *r);
/* Whether a replay of the sequence has failed; false: none is under way. */
bool triage_sequence_failed(const struct finding *f);
/* Reads the saved sequence, to be replayed f->replays_wanted times. E_RANGE: it
 * is too large for the workers. Other errors as of store_read_sequence(). */
enum status triage_load_sequence(struct engine *e, struct finding *f,
	struct error *err) MUST_CHECK;
/* If f has failed in none of its replays, it takes the sequence of a finding
 * that is merged into it, which is replayed. */
void triage_take_sequence(struct engine *e, struct finding *f,
	struct finding *merged);
/* The input fails alone: removes the saved sequence. */
void triage_remove_sequence(struct engine *e, struct finding *f);
/* At the end of a run: saves what the next start needs to go on. */
void triage_finish_sequence(struct engine *e, struct finding *f);
/* Frees the process history and the search. */
void triage_drop_sequence(struct finding *f);

/* ---- process histories: triage_sequence_history.c ---- */

#define TRIAGE_HISTORIES_MAX 64u /* process histories that are kept */
#define TRIAGE_HISTORY_BYTES (16u << 20)
/* Takes the process history from the result, and keeps it until the new finding
 * is verified or the suspect judged, unless TRIAGE_HISTORIES_MAX are kept. */
void triage_note_history(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* Moves the newest part of the process history that fits to an empty sequence:
 * from this run, or from an earlier run that had no time for it. */
void triage_take_history(struct engine *e, struct finding *f, size_t room,
	struct input_sequence *inputs);
/* Saves inputs that ran before the failing one, for the next start. */
void triage_save_before(struct engine *e, struct finding *f,
	const struct input_sequence *inputs, const uint32_t *which, size_t n);
/* The same for the whole process history, which is freed. */
void triage_save_history(struct engine *e, struct finding *f);
/* Drops the saved process history of a verified finding. */
void triage_drop_before(struct engine *e, struct finding *f);

#endif
