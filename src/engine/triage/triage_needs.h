/*
 * triage_needs: what a finding needs next, from its state and the settings.
 */
#ifndef CFUZZ_ENGINE_TRIAGE_TRIAGE_NEEDS_H
#define CFUZZ_ENGINE_TRIAGE_TRIAGE_NEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings/finding.h"

struct engine;
struct worker_result;

/* Whether the process has perhaps ended, or stopped, through no fault of its
 * input, which one more run shows. */
bool triage_doubts(const struct engine *e, const struct worker_result *r);
/* Whether somebody else has perhaps ended the replay, alone or after other inputs,
 * of a hang that is a suspect, so that it is replayed once more. Counts these
 * replays in f->replays: they are three at most. */
bool triage_was_cut(struct finding *f, const struct worker_result *r);
/* Why replays that do not fail tell nothing about the finding: in this run nobody
 * would see the failure. NULL: they do tell something, or no worker is ready, so
 * it is not known. Static. */
const char *triage_unseen(const struct engine *e, const struct finding *f);
/* Whether it is replayed with another build than the one that failed. */
bool triage_is_rebuilt(const struct engine *e, const struct finding *f);
/* Whether a replay fails as the finding does. */
bool triage_fails_again(const struct engine *e, const struct finding *f,
	const struct worker_result *r);
/* Whether a replay of a finding of another build fails in another way. */
bool triage_fails_otherwise(const struct engine *e, const struct finding *f,
	const struct worker_result *r);
/* The number of replays for a new failure. */
uint32_t triage_replays(const struct engine *e, const struct failure *failure);
/* Whether workers can have the input: it was read, is not too long, and is of
 * the target's types, as far as these are known. */
bool triage_can_run(const struct engine *e, const struct finding *f);
/* The same, and not a single byte, not a sequence, and not a suspect's kind of
 * failure. */
bool triage_can_minimize(const struct engine *e, const struct finding *f);
/* Whether smaller inputs are tried with the whole time limit, so that a failure
 * needs no replay. For a hang, tries have a part of it if replays are made. */
bool triage_tries_are_whole(const struct engine *e, const struct finding *f);
/* Whether the finding has an input that was minimized with this build. */
bool triage_is_minimized(const struct engine *e, const struct finding *f);
/* Whether its minimized input, if any, is shorter than this input, or as long
 * and simpler. */
bool triage_is_smaller(const struct engine *e, const struct finding *f,
	const uint8_t *than, size_t len);
/* The same of one made with this build, by a rule at least as strict as that of
 * the settings: this input does not replace it. */
bool triage_is_beaten(const struct engine *e, const struct finding *f,
	const uint8_t *than, size_t len);
/* Whether its minimization begins with the minimized input: that of another build,
 * which may fail in this one, too, or of an earlier run that had no time for more.
 * Otherwise the user wants another one, from the input. */
bool triage_begins_with_former(const struct engine *e, const struct finding *f);
/* The rule in the settings. */
enum minimize_rule triage_minimize_rule(const struct engine *e);
/* Whether the finding has failed in none of its replays. */
bool triage_is_unproven(const struct finding *f);
/* The state that follows when the finding is verified. */
enum finding_state triage_after_verification(const struct engine *e,
	const struct finding *f);
/* The state of the finding; of a new one the state that follows. */
enum finding_state triage_outlook(const struct engine *e,
	const struct finding *f);
/* Work for the next start: "verify", "minimize"; NULL: none. */
const char *triage_left(const struct engine *e, const struct finding *f);

#endif
