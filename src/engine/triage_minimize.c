/*
 * triage_minimize: what becomes of the minimization of a finding.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/engine_private.h"

bool
triage_can_minimize(const struct finding *f)
{
	return f->len > 1 && f->sequence_n < 2;
}

static void
finish_minimizing(struct engine *e, struct finding *f)
{
	f->work = WORK_NONE;
	record_save_json(e, f);
	if (e->crash_minimizing == f)
		engine_stop(e, END_CRASH);
}

void
triage_keep_minimized(struct engine *e, struct finding *f)
{
	f->work = WORK_NONE;
	store_put(e->store, f->folder, "minimized", f->minimized,
		f->minimized_len, NULL, NULL);
	lines_event(e, "minimized",
		json_pack("{s:s, s:I, s:I, s:I}", "finding", f->id, "len",
			(json_int_t)f->minimized_file_len, "was_len",
			(json_int_t)f->file_len, "tries",
			(json_int_t)f->minimize_tries),
		"%zu -> %zu bytes, same failure   %s", f->file_len,
		f->minimized_file_len, f->folder);
	record_report(e, REPORT_MINIMIZED, f);
	finish_minimizing(e, f);
}

static void
not_minimized(struct engine *e, struct finding *f, const char *why)
{
	lines_event(e, "minimized",
		json_pack("{s:s, s:b}", "finding", f->id, "failed", 1),
		"not made smaller: %s   %s", why, f->folder);
	finish_minimizing(e, f);
}

/* Minimized is only what fails again, from our own copy, in a fresh child. */
void
triage_on_final(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	bool any = strcmp(e->settings.minimize_rule, "any-failure") == 0;

	f->final_replays++;
	if (r->failure.kind == f->failure.kind ||
		(any && r->failure.kind != FAILURE_NONE)) {
		record_save_report(e, f, r);
		triage_keep_minimized(e, f);
		return;
	}
	if (f->final_replays < e->settings.verify)
		return; /* once more */
	if (f->failure.kind == FAILURE_HANG && !f->whole_limit) {
		/* It was only slow: again, with all the patience there is. */
		f->whole_limit = true;
		f->work = WORK_MINIMIZE;
	}
	free(f->minimized);
	f->minimized = NULL;
	f->minimized_len = 0;
	if (f->work == WORK_FINAL)
		not_minimized(e, f, "the smaller input did not fail again");
}

/* Also after a stop: the best so far is kept, never the progress lost. */
void
triage_on_minimized(struct engine *e, struct finding *f, const uint8_t *best,
	size_t len, uint64_t tries, const char *why_not)
{
	if (best == NULL || len > f->len) {
		not_minimized(e, f, why_not);
		return;
	}
	free(f->minimized);
	f->minimized = xmemdup(best, len > 0 ? len : 1);
	f->minimized_len = len;
	finding_measure(f, &e->types);
	f->minimize_tries = tries;
	f->final_replays = 0;
	if (e->settings.verify > 0 && !e->stopping)
		f->work = WORK_FINAL;
	else
		triage_keep_minimized(e, f);
}
