/*
 * triage_minimize: handles the result of a finding's minimization.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/xmalloc.h"
#include "control/settings.h"
#include "control/snapshot.h"
#include "engine/engine_end.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/schedule/schedule.h"
#include "engine/statistics/minimized.h"
#include "engine/triage/dedup.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/naming.h"
#include "engine/triage/record.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "engine/triage/view_finding.h"
#include "findings/finding.h"
#include "store/store.h"
#include "store/store_finding.h"
#include "worker/target/elf.h"
#include "worker/worker.h"
static void
triage_drop_trial(struct finding *f)
{
	free(f->trial);
	f->trial = NULL;
	f->trial_len = 0;
}

static void
triage_not_minimized(struct engine *e, struct finding *f, const char *why)
{
	message_event(e, "minimized",
		json_pack("{s:s, s:b}", "finding", f->id, "failed", 1),
		"not made smaller: %s   %s", why, f->folder);
}

static void
triage_keep_former(struct engine *e, struct finding *f)
{
	char why[96];

	snprintf(why, sizeof(why), "there is already one of %zu bytes",
		f->minimized_file_len);
	triage_not_minimized(e, f, why);
}

static void
triage_tell_minimized(struct engine *e, const struct finding *f)
{
	struct snapshot_minimized told = {
		.start_len = f->file_len,
		.len = f->minimized_file_len,
		.tries = f->minimize_tries,
	};

	snprintf(told.entry, sizeof(told.entry), "%s", f->id);
	view_finding_title(f, told.title, sizeof(told.title));
	minimized_note(e, &told);
	message_event(e, "minimized",
		json_pack("{s:s, s:I, s:I, s:I}", "finding", f->id, "len",
			(json_int_t)f->minimized_file_len, "was_len",
			(json_int_t)f->file_len, "tries",
			(json_int_t)f->minimize_tries),
		"%zu -> %zu bytes, same failure   %s", f->file_len,
		f->minimized_file_len, f->folder);
}

/* Saves the smaller input as the minimized one. A former one that is smaller still
 * was made with another build or by another rule. */
static void
triage_keep_minimized(struct engine *e, struct finding *f)
{
	if (triage_is_smaller(e, f, f->trial, f->trial_len))
		(void)store_keep_more(engine_store(e), f->folder, f->minimized,
			f->minimized_len);
	free(f->minimized);
	f->minimized = f->trial;
	f->minimized_len = f->trial_len;
	f->minimize_tries = f->trial_tries;
	f->minimized_rule = triage_minimize_rule(e);
	snprintf(f->minimized_build, sizeof(f->minimized_build), "%s",
		program_info(e)->build);
	triage_note_limits(e, f);
	f->trial = NULL;
	triage_drop_trial(f);
	finding_measure(f, program_types(e));
	f->pending_writes++;
	store_put(engine_store(e), f->folder, "minimized", f->minimized,
		f->minimized_len, record_on_kept, f);
	triage_tell_minimized(e, f);
	f->change = CHANGE_MINIMIZED;
	record_when_kept(e, f);
}

void
triage_drop_larger(struct engine *e, struct finding *f)
{
	if (f->minimized_len <= f->len)
		return;
	free(f->minimized);
	f->minimized = NULL;
	f->minimized_len = 0;
	finding_measure(f, program_types(e));
	store_remove_minimized(engine_store(e), f->folder);
}

void
triage_end_trial(struct engine *e, struct finding *f)
{
	if (triage_tries_are_whole(e, f)) {
		triage_keep_minimized(e, f);
		return;
	}
	triage_drop_trial(f);
	if (f->later != FINDING_VERIFYING)
		f->later = FINDING_QUEUED;
}

/* By the rule, as far as the failure's bucket is known. */
static bool
triage_is_same(struct engine *e, const struct finding *f,
	const struct failure *failure)
{
	const struct finding *other;

	if (triage_minimize_rule(e) == MINIMIZE_ANY_FAILURE)
		return failure->kind != FAILURE_NONE;
	if (failure->kind != f->failure.kind)
		return false;
	if (triage_minimize_rule(e) == MINIMIZE_SAME_KIND)
		return true;
	other = dedup_find_stack_hash(e, failure_stack_hash(failure));
	/* Names may show that a new finding is this one, built anew. */
	return other == NULL || other == f || other->state == FINDING_NEW;
}

/* An input counts as minimized only if the engine's own copy fails again in a
 * fresh child. */
enum finding_state
triage_judge_final(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	f->final_replays++;
	if (triage_is_same(e, f, &r->failure)) {
		record_save_report(e, f, r);
		naming_renew_report(e, f);
		triage_keep_minimized(e, f);
		return FINDING_DONE;
	}
	if (f->final_replays < engine_settings(e)->verify)
		return FINDING_FINAL; /* one more replay */
	triage_drop_trial(f);
	if (f->failure.kind == FAILURE_HANG && !f->whole_limit &&
		schedule_minimizing_allowed(e)) {
		/* The input was only slow: minimize with the full time-out. */
		f->whole_limit = true;
		return FINDING_QUEUED;
	}
	triage_not_minimized(e, f, "the smaller input did not fail again");
	return FINDING_DONE;
}

/* One that nobody minimizes now is done, which is what --stop-on-crash waits
 * for. */
static void
triage_turn_off(struct engine *e, struct finding *f)
{
	if (f->state != FINDING_QUEUED || f->minimization != NULL)
		return;
	if (f->later != FINDING_VERIFYING)
		f->later = FINDING_QUEUED;
	triage_move_on(e, f, FINDING_DONE);
}

static void
triage_turn_on(struct engine *e, struct finding *f)
{
	if (f->state != FINDING_DONE || f->later != FINDING_QUEUED ||
		!triage_can_minimize(e, f))
		return;
	f->later = FINDING_NEW;
	triage_move_on(e, f, FINDING_QUEUED);
}

void
triage_on_minimizetime(struct engine *e)
{
	size_t i;

	for (i = 0; i < minimize_tasks_count(e); i++)
		minimize_tasks_advance(e, minimize_tasks_at(e, i));
	for (i = 0; i < findings_count(e); i++)
		if (schedule_minimizing_allowed(e))
			triage_turn_on(e, findings_at(e, i));
		else
			triage_turn_off(e, findings_at(e, i));
}

/* Also after a stop. The best input so far is kept, unless an earlier one is
 * smaller: the user may have ended the minimization before it got as far. */
enum finding_state
triage_judge_minimized(struct engine *e, struct finding *f, const uint8_t *best,
	size_t len, uint64_t tries, const char *why_not)
{
	if (best == NULL || len > f->len) {
		triage_not_minimized(e, f, why_not);
		return FINDING_DONE;
	}
	if (triage_is_beaten(e, f, best, len)) {
		triage_keep_former(e, f);
		return FINDING_DONE;
	}
	triage_drop_trial(f);
	f->trial = xmemdup(best, len > 0 ? len : 1);
	f->trial_len = len;
	f->trial_tries = tries;
	f->final_replays = 0;
	if (engine_settings(e)->verify > 0 && !engine_stopping(e))
		return FINDING_FINAL;
	triage_end_trial(e, f);
	return FINDING_DONE;
}
