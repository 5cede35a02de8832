/*
 * triage_step: moves a finding on when more is known of it.
 *
 * A new finding, the writer, names, a timer and the end of the run call
 * triage_step(), which looks at the states of the finding
 * (findings/finding_states.h) and decides what is next; it also announces and
 * merges. Other files judge the result of a worker, and triage_move_on() moves
 * the finding to the state that follows. Both save the finding, and end the run
 * under --stop-on-crash. finding_states.h says who else may move a finding.
 */
#include <string.h>

#include "control/settings.h"
#include "engine/engine_end.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/schedule/trim.h"
#include "engine/triage/dedup.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/naming.h"
#include "engine/triage/record.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "engine/triage/triage_sequence.h"
#include "findings/finding.h"
#include "store/store.h"
#include "store/store_finding.h"

/* ---- merging ---- */

static void
step_add_counts(struct finding *into, const struct finding *f)
{
	into->count += f->count;
	if (f->first_s < into->first_s) {
		into->first_s = f->first_s;
		memcpy(into->first_at, f->first_at, sizeof(into->first_at));
	}
	if (f->last_s > into->last_s) {
		into->last_s = f->last_s;
		memcpy(into->last_at, f->last_at, sizeof(into->last_at));
	}
}

/* Takes over the user's note and acceptance: both findings are the same bug. */
static void
step_take_users_word(struct finding *into, const struct finding *f)
{
	if (into->note[0] == '\0')
		memcpy(into->note, f->note, sizeof(into->note));
	if (f->verdict == VERDICT_ACCEPTED)
		into->verdict = VERDICT_ACCEPTED;
}

/* The bug is new only if both findings were, or if one was fixed and is back. */
static void
step_take_known(struct finding *into, const struct finding *f)
{
	into->is_back = into->is_back || f->is_back || f->fixed;
	if (into->is_back)
		return;
	into->is_new = into->is_new && f->is_new;
	if (f->verdict == VERDICT_KNOWN && into->verdict != VERDICT_ACCEPTED)
		into->verdict = VERDICT_KNOWN;
}

/* Ends the finding's own life. */
static void
step_retire(struct engine *e, struct finding *f, struct finding *into)
{
	finding_move(f, FINDING_MERGED);
	findings_remove(e, f);
	dedup_keep_merged(e, f, into);
	minimize_tasks_drop(f);
	triage_drop_sequence(f);
	if (findings_crash(e) == f)
		findings_set_crash(e, NULL);
}

void
triage_pass_crash(struct engine *e)
{
	struct finding *next;
	size_t i = 0;

	if (findings_crash(e) != NULL &&
		findings_fails_run(e, findings_crash(e)))
		return;
	findings_set_crash(e, NULL);
	while (i < findings_count(e) &&
		!findings_fails_run(e, findings_at(e, i)))
		i++;
	if (i == findings_count(e) || !engine_settings(e)->stop_on_crash ||
		engine_stopping(e) || engine_over(e))
		return;
	next = findings_at(e, i);
	findings_set_crash(e, next);
	trim_drop_all(e);
	/* Also if it waits for replays that this run need not make. */
	if (finding_state_info(next->state)->is_idle)
		engine_stop(e, END_CRASH);
	else
		triage_check_crash(e, next);
}

/* Under --stop-on-crash, `into` takes the place of a finding that was to end the
 * run, and ends it now if it fails it. */
static void
step_merge_crash(struct engine *e, const struct finding *into, bool was_crash)
{
	if (engine_settings(e)->stop_on_crash && findings_fails_run(e, into) &&
		findings_crash(e) == NULL && !engine_stopping(e))
		engine_stop(e, END_CRASH);
	else if (was_crash)
		triage_pass_crash(e);
}

/* Counts, stack hashes, inputs and the user's word move to the other finding. */
static void
step_merge(struct engine *e, struct finding *f, struct finding *into)
{
	bool was_crash = findings_crash(e) == f || findings_crash(e) == into;

	step_add_counts(into, f);
	triage_take_sequence(e, into, f);
	step_retire(e, f, into);
	if (f->minimized != NULL)
		(void)store_keep_more(engine_store(e), into->folder,
			f->minimized, f->minimized_len);
	store_merge(engine_store(e), f->folder, into->folder, f->input, f->len);
	if (!triage_is_this_build(e, into->build))
		naming_take(e, into, f);
	if (f->seen == SEEN_NOW)
		triage_relax_limits(e, into);
	if (triage_is_this_build(e, f->build))
		triage_note_build(e, into, f->input, f->len);
	triage_try_other(e, into, f->input, f->len);
	/* Not before: what was flaky takes what proves it. */
	step_take_users_word(into, f);
	step_take_known(into, f);
	/* Until it is saved, its input names the file of the suspect. */
	if (f->place != PLACE_SUSPECTS)
		finding_shed(f);
	message_event(e, "merged",
		json_pack("{s:s, s:s, s:s}", "finding", f->id, "into", into->id,
			"folder", into->folder),
		"%s is the same as %s", f->folder, into->folder);
	/* Not before: what was fixed and fails again was reported there. */
	if (f->seen == SEEN_NOW && into->seen != SEEN_NOW) {
		into->seen = SEEN_NOW;
		record_report_again(e, into);
	}
	record_save_json(e, into);
	step_merge_crash(e, into, was_crash);
}

/* ---- one step ---- */

/* The names are there: the finding is merged, or keeps its bucket. */
static void
step_settle(struct engine *e, struct finding *f)
{
	struct finding *into;

	/* Not now, or a worker uses it, or its sequence is not yet on the disk,
	 * where a merge looks for it: triage_tick() tries again. */
	if ((f->sequence_n > 1 && f->pending_writes > 0) ||
		store_rests(engine_store(e)) || !dedup_settle(e, f, &into))
		return;
	/* Its replays may find the sequence that proves the other one. */
	if (into != NULL && finding_state_info(f->state)->is_verifying &&
		triage_is_unproven(into))
		return;
	if (into != NULL) {
		step_merge(e, f, into);
		return;
	}
	naming_ask_more(e, f);
	record_save_json(e, f); /* it counts as named only now */
}

/* A deterministic run does not wait for the disk, whose speed must not show. */
static void
step_announce(struct engine *e, struct finding *f)
{
	if (!finding_state_info(f->state)->is_public)
		return;
	if (f->announcement == ANNOUNCE_SAVED ||
		(f->announcement == ANNOUNCE_UNSAVED &&
			engine_settings(e)->deterministic)) {
		record_announce(e, f);
		finding_move_announcement(f, ANNOUNCE_DONE);
	}
}

void
triage_step(struct engine *e, struct finding *f)
{
	bool was_new = f->state == FINDING_NEW;

	if (f->state == FINDING_SUSPECT || f->state == FINDING_MERGED)
		return;
	if (f->naming == NAMING_ANSWERED)
		step_settle(e, f);
	if (f->state == FINDING_NEW && !naming_is_awaited(e, f))
		finding_move(f, triage_outlook(e, f));
	step_announce(e, f);
	/* Verdicts about other failures may have waited for this finding. */
	if (was_new && f->state != FINDING_NEW) {
		triage_check_crash(e, f);
		minimize_tasks_on_named(e);
	}
}

/* A finding of before that failed again in its replays ends the run as a new
 * one does: smaller first. */
static void
step_note_crash(struct engine *e, struct finding *f)
{
	if (!engine_settings(e)->stop_on_crash || engine_stopping(e) ||
		engine_over(e) || findings_crash(e) != NULL ||
		f->reproduced == 0 || !findings_fails_run(e, f))
		return;
	findings_set_crash(e, f);
	trim_drop_all(e);
}

void
triage_move_on(struct engine *e, struct finding *f, enum finding_state to)
{
	bool replayed =
		f->state == FINDING_VERIFYING || f->state == FINDING_SEQUENCE;

	if (f->state != to)
		finding_move(f, to);
	if (to != FINDING_QUEUED && to != FINDING_DONE)
		return;
	record_save_json(e, f);
	if (replayed)
		step_note_crash(e, f);
	triage_check_crash(e, f);
}

void
triage_check_crash(struct engine *e, const struct finding *f)
{
	if (findings_crash(e) == f && triage_outlook(e, f) == FINDING_DONE)
		engine_stop(e, END_CRASH);
}

void
triage_tick(struct engine *e)
{
	size_t i, n = findings_count(e);

	if (!engine_over(e))
		triage_save_stale(e);
	naming_next(e);
	/* A merge changes the list: go on next time. */
	for (i = 0; i < findings_count(e) && findings_count(e) == n; i++)
		if (findings_at(e, i)->naming == NAMING_ANSWERED)
			triage_step(e, findings_at(e, i));
}
