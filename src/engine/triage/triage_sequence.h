/*
 * triage_sequence: findings that need several inputs in one process.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_TRIAGE_SEQUENCE_H
#define CFUZZ_ENGINE_TRIAGE_TRIAGE_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "findings/finding_states.h"
#include "shared/status.h"

struct engine;
struct finding;
struct job;
struct worker_result;

#define TRIAGE_HISTORIES_MAX 64u /* findings whose process history is kept */
/* Keeps the process history of a new finding until it is verified. */
void triage_note_history(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* Starts the search for a sequence: the input alone does not fail. False: there
 * is no process history. */
bool triage_begin_sequence(struct engine *e, struct finding *f);
/* The job of its next try. */
void triage_fill_sequence(const struct engine *e, struct finding *f,
	struct job *job);
/* Estimated duration of its next try. */
uint64_t triage_sequence_ms(const struct engine *e, const struct finding *f);
/* Notes the result of a try and returns the state that follows. */
enum finding_state triage_judge_sequence(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* Reads the saved sequence, to be replayed replays_wanted times. */
enum status triage_load_sequence(struct engine *e, struct finding *f,
	struct error *err) MUST_CHECK;
/* At the end of a run: saves what the next start needs to go on. */
void triage_finish_sequence(struct engine *e, struct finding *f);
void triage_drop_sequence(struct finding *f);
/* Drops the saved process history of a verified finding. */
void triage_drop_before(struct engine *e, struct finding *f);

#endif
