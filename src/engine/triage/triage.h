/*
 * triage: saves, verifies and minimizes findings.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_TRIAGE_H
#define CFUZZ_ENGINE_TRIAGE_TRIAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings/finding.h"

struct corpus_entry;
struct engine;
struct failure;
struct finding;
struct slot;
struct worker_result;

struct findings {
	struct finding **list; /* owned */
	size_t n;
	struct finding *crash_minimizing; /* under --stop-on-crash */
};

void triage_on_failure(struct engine *e, struct slot *slot,
	const struct worker_result *r, struct corpus_entry *parent);
/* Adds the finding to the list, which owns it from now on. */
void triage_adopt(struct engine *e, struct finding *take_finding);
void triage_resume(struct engine *e);
void triage_on_replay(struct engine *e, struct finding *f,
	const struct worker_result *r);
/* A minimization is over. best: NULL if it found nothing smaller. */
void triage_on_minimized(struct engine *e, struct finding *f,
	const uint8_t *best, size_t len, uint64_t tries, const char *why_not);
/* The finding of a stack hash; NULL: it is new. */
struct finding *triage_of_signature(struct engine *e, uint64_t signature);
/* Makes a finding of a failure. It is on no list yet. triage_believe() lists a
 * hang that a longer limit has confirmed. */
struct finding *triage_make(struct engine *e, const struct worker_result *r,
	struct corpus_entry *parent);
void triage_believe(struct engine *e, struct finding *take_finding,
	const struct worker_result *r);
/* The suspect's input failed by itself, in r: lists it as a finding. */
void triage_add_suspect(struct engine *e, const struct finding *suspect,
	const struct worker_result *r);
/*
 * The next finding that waits for this work and takes at most room_ms per call.
 */
struct finding *triage_next(struct engine *e, enum finding_work work,
	uint64_t room_ms);
struct finding *triage_find(struct engine *e, const char *id);
/* The number of replays for a new failure, and the steps after them. */
uint32_t verify_replays(const struct engine *e, const struct failure *failure);
void triage_verify_again(struct finding *f, uint32_t replays);
/* All replays are done. */
void triage_note_verdict(struct engine *e, struct finding *f);
/* Notes that these bytes fail on the present build; verdicts of another build
 * become void. */
void triage_note_build(struct engine *e, struct finding *f, const uint8_t *data,
	size_t len);
void triage_after_verify(struct engine *e, struct finding *f);
bool triage_can_minimize(const struct finding *f);
/* Whether the finding already has a minimized input that stays. */
bool triage_is_minimized(const struct engine *e, const struct finding *f);
bool triage_is_beaten(const struct engine *e, const struct finding *f,
	size_t len);
void triage_on_final(struct engine *e, struct finding *f,
	const struct worker_result *r);
void triage_keep_minimized(struct engine *e, struct finding *f);
bool triage_minimizes(const struct engine *e); /* one is to be minimized */
bool triage_busy(const struct engine *e);      /* replays are outstanding */
bool triage_found(const struct engine *e);     /* a finding in this run */
void triage_finish(struct engine *e);          /* call before store_finish() */
/* Notes that a replay has failed in this run. */
void triage_seen_again(struct engine *e, struct finding *f);
/* Work for the next start: "verify", "minimize"; NULL: none. */
const char *triage_left(const struct finding *f);
void triage_ignore(struct engine *e, struct finding *f); /* toggles */
/* Sets the user's verdict: new, known or ignored. */
void triage_mark(struct engine *e, struct finding *f,
	enum finding_verdict verdict);
void triage_clear(struct engine *e);

#endif
