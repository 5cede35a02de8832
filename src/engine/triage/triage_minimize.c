/*
 * triage_minimize: handles the result of a finding's minimization.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/front/snapshot_view.h"
#include "engine/messages.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/record.h"
#include "engine/triage/triage.h"

bool
triage_can_minimize(const struct finding *f)
{
	/* Not for strange ends: a kill from outside during the minimization
	 * would look like the failure. */
	return f->len > 1 && f->sequence_n < 2 &&
		!failure_is_suspect(f->failure.kind);
}

static void
triage_finish_minimizing(struct engine *e, struct finding *f)
{
	f->work = WORK_NONE;
	record_save_json(e, f);
	if (e->findings.crash_minimizing == f)
		engine_stop(e, END_CRASH);
}

/* An input minimized with another build need not fail in this one. */
bool
triage_is_minimized(const struct engine *e, const struct finding *f)
{
	return f->minimized != NULL &&
		strcmp(f->minimized_build, e->target.info.id) == 0;
}

/* The present minimized input stays if it is smaller, was made with this build,
 * and by a rule at least as strict. */
bool
triage_is_beaten(const struct engine *e, const struct finding *f, size_t len)
{
	return triage_is_minimized(e, f) && f->minimized_len < len &&
		f->minimized_rule <= minimize_tasks_rule(e);
}

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
	triage_finish_minimizing(e, f);
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
	view_note_minimized(e, &told);
	message_event(e, "minimized",
		json_pack("{s:s, s:I, s:I, s:I}", "finding", f->id, "len",
			(json_int_t)f->minimized_file_len, "was_len",
			(json_int_t)f->file_len, "tries",
			(json_int_t)f->minimize_tries),
		"%zu -> %zu bytes, same failure   %s", f->file_len,
		f->minimized_file_len, f->folder);
}

void
triage_keep_minimized(struct engine *e, struct finding *f)
{
	f->work = WORK_NONE;
	if (f->minimized != NULL && f->minimized_len < f->trial_len)
		(void)store_put_more(e->store, f->folder, f->minimized,
			f->minimized_len);
	free(f->minimized);
	f->minimized = f->trial;
	f->minimized_len = f->trial_len;
	f->minimize_tries = f->trial_tries;
	f->minimized_rule = minimize_tasks_rule(e);
	snprintf(f->minimized_build, sizeof(f->minimized_build), "%s",
		e->target.info.id);
	f->trial = NULL;
	triage_drop_trial(f);
	finding_measure(f, &e->target.types);
	f->pending_writes++;
	store_put(e->store, f->folder, "minimized", f->minimized,
		f->minimized_len, record_on_kept, f);
	triage_tell_minimized(e, f);
	f->minimized_news = true;
	record_when_kept(e, f);
	triage_finish_minimizing(e, f);
}

/* By the rule, as far as the failure's bucket is known. */
static bool
triage_is_same(struct engine *e, const struct finding *f,
	const struct failure *failure)
{
	const struct finding *other;

	if (minimize_tasks_rule(e) == MINIMIZE_ANY_FAILURE)
		return failure->kind != FAILURE_NONE;
	if (failure->kind != f->failure.kind)
		return false;
	if (minimize_tasks_rule(e) == MINIMIZE_SAME_KIND)
		return true;
	other = triage_of_signature(e, failure_signature(failure));
	return other == NULL || other == f;
}

/* An input counts as minimized only if the engine's own copy fails again in a
 * fresh child. */
void
triage_on_final(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	f->final_replays++;
	if (triage_is_same(e, f, &r->failure)) {
		record_save_report(e, f, r);
		triage_keep_minimized(e, f);
		return;
	}
	if (f->final_replays < e->settings.verify)
		return; /* one more replay */
	if (f->failure.kind == FAILURE_HANG && !f->whole_limit) {
		/* The input was only slow: minimize with the full time-out. */
		f->whole_limit = true;
		f->work = WORK_MINIMIZE;
	}
	triage_drop_trial(f);
	if (f->work == WORK_FINAL)
		triage_not_minimized(e, f,
			"the smaller input did not fail again");
}

/* Also after a stop. The best input so far is kept, unless an earlier one is
 * smaller. */
void
triage_on_minimized(struct engine *e, struct finding *f, const uint8_t *best,
	size_t len, uint64_t tries, const char *why_not)
{
	if (best == NULL || len > f->len) {
		triage_not_minimized(e, f, why_not);
		return;
	}
	if (triage_is_beaten(e, f, len)) {
		triage_keep_former(e, f);
		return;
	}
	triage_drop_trial(f);
	f->trial = xmemdup(best, len > 0 ? len : 1);
	f->trial_len = len;
	f->trial_tries = tries;
	f->final_replays = 0;
	if (e->settings.verify > 0 && !e->end.stopping)
		f->work = WORK_FINAL;
	else
		triage_keep_minimized(e, f);
}
