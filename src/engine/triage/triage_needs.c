/* triage_needs: see triage_needs.h. */
#include "engine/triage/triage_needs.h"

#include <string.h>

#include "control/settings.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/schedule/schedule.h"
#include "engine/triage/suspect.h"
#include "findings/finding.h"
#include "findings/minimization.h"
#include "shared/minimize/minimize_order.h"
#include "worker/inputs/input_text.h"
#include "worker/memory/campaign_memory.h"
#include "worker/target/elf.h"
#include "worker/unseen.h"
#include "worker/worker.h"

#define CUT_TIMES 3u   /* replays of a hang that others may have ended */
#define REPLAYS_SLOW 1 /* for slow replays: hangs, memory limits */

bool
triage_doubts(const struct engine *e, const struct worker_result *r)
{
	enum failure_kind kind = r->failure.kind;

	/* A batch system and a user stop processes, too. */
	return r->count > 0 &&
		(failure_is_suspect(kind) ||
			(kind == FAILURE_STOPPED &&
				engine_settings(e)->verify > 0));
}

bool
triage_was_cut(struct finding *f, const struct worker_result *r)
{
	return f->state == FINDING_SUSPECT && f->failure.kind == FAILURE_HANG &&
		failure_is_suspect(r->failure.kind) &&
		!suspect_hangs_alone(&r->failure) && ++f->replays < CUT_TIMES;
}

const char *
triage_unseen(const struct engine *e, const struct finding *f)
{
	if (!pool_any_ready(e))
		return NULL;
	return unseen_why(&f->failure, f->sanitizer, program_sanitizer(e),
		program_leaks_unseen(e));
}

bool
triage_is_rebuilt(const struct engine *e, const struct finding *f)
{
	return (f->state == FINDING_VERIFYING ||
		       f->state == FINDING_SEQUENCE) &&
		f->build[0] != '\0' &&
		strcmp(f->build, program_info(e)->build) != 0;
}

/* Alone, the same kind is enough: a failure may have several stacks. In a row,
 * that may be a failure of another input, and in another build another bug. */
bool
triage_fails_again(const struct engine *e, const struct finding *f,
	const struct worker_result *r)
{
	bool rebuilt = triage_is_rebuilt(e, f);

	if (r->failure.kind != f->failure.kind)
		return false;
	return !(rebuilt || r->job.kind == JOB_SEQUENCE) ||
		(strcmp(r->failure.what, f->failure.what) == 0 &&
			!(rebuilt && f->newer_is == NEWER_OTHER));
}

/* A new finding of this build may fail in several ways. */
bool
triage_fails_otherwise(const struct engine *e, const struct finding *f,
	const struct worker_result *r)
{
	return triage_is_rebuilt(e, f) && r->failure.kind != FAILURE_NONE &&
		!triage_fails_again(e, f, r) && r->count > 0 && !r->interrupted;
}

uint32_t
triage_replays(const struct engine *e, const struct failure *failure)
{
	uint32_t n = (uint32_t)engine_settings(e)->verify;

	return failure_is_slow(failure->kind) && n > REPLAYS_SLOW ? REPLAYS_SLOW
								  : n;
}

bool
triage_can_run(const struct engine *e, const struct finding *f)
{
	return f->input != NULL && f->len <= engine_memory(e)->head->max_len &&
		input_is_sound(program_types(e), f->input, f->len);
}

bool
triage_can_minimize(const struct engine *e, const struct finding *f)
{
	/* Not for strange ends: a kill from outside during the minimization
	 * would look like the failure. */
	return f->len > 1 && f->sequence_n < 2 && triage_can_run(e, f) &&
		!failure_is_suspect(f->failure.kind);
}

bool
triage_tries_are_whole(const struct engine *e, const struct finding *f)
{
	return f->failure.kind != FAILURE_HANG || f->whole_limit ||
		engine_settings(e)->verify == 0;
}

/* An input minimized with another build need not fail in this one. */
bool
triage_is_minimized(const struct engine *e, const struct finding *f)
{
	return f->minimized != NULL &&
		strcmp(f->minimized_build, program_info(e)->build) == 0;
}

bool
triage_is_smaller(const struct engine *e, const struct finding *f,
	const uint8_t *than, size_t len)
{
	const struct minimize_order order = {
		.types = program_types(e),
		.blank = engine_settings(e)->minimize_blank,
		.filler = MINIMIZATION_FILLER,
	};

	if (f->minimized == NULL || f->minimized_len != len)
		return f->minimized != NULL && f->minimized_len < len;
	return minimize_is_simpler(&order, f->minimized, than, len);
}

bool
triage_is_beaten(const struct engine *e, const struct finding *f,
	const uint8_t *than, size_t len)
{
	return triage_is_minimized(e, f) &&
		f->minimized_rule <= triage_minimize_rule(e) &&
		triage_is_smaller(e, f, than, len);
}

bool
triage_begins_with_former(const struct engine *e, const struct finding *f)
{
	bool goes_on = !triage_is_minimized(e, f) || f->later == FINDING_QUEUED;

	return goes_on && triage_is_smaller(e, f, f->input, f->len) &&
		input_is_sound(program_types(e), f->minimized,
			f->minimized_len);
}

bool
triage_is_unproven(const struct finding *f)
{
	return f->state == FINDING_DONE && f->verdict == VERDICT_FLAKY &&
		f->reproduced == 0 && f->sequence_n < 2;
}

enum minimize_rule
triage_minimize_rule(const struct engine *e)
{
	return minimize_rule_parse(engine_settings(e)->minimize_rule);
}

enum finding_state
triage_after_verification(const struct engine *e, const struct finding *f)
{
	if (schedule_minimizing_allowed(e) && !triage_is_minimized(e, f) &&
		triage_can_minimize(e, f) &&
		((f->reproduced > 0 &&
			 (f->verdict == VERDICT_CONFIRMED ||
				 f->verdict == VERDICT_KNOWN)) ||
			engine_settings(e)->verify == 0))
		return FINDING_QUEUED;
	return FINDING_DONE;
}

enum finding_state
triage_outlook(const struct engine *e, const struct finding *f)
{
	if (f->state != FINDING_NEW)
		return f->state;
	/* A suspect that failed only after what ran before it. */
	if (f->sequence != NULL)
		return FINDING_SEQUENCE;
	return f->replays < f->replays_wanted ? FINDING_VERIFYING
					      : triage_after_verification(e, f);
}

const char *
triage_left(const struct engine *e, const struct finding *f)
{
	const char *left = finding_state_info(triage_outlook(e, f))->left;

	return left != NULL ? left : finding_state_info(f->later)->left;
}
