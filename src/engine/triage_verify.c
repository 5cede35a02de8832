/*
 * triage_verify: does the input of a finding fail again?
 *
 * It is replayed in fresh children. Where the engine's own idea of the input
 * differs from what stood in worker memory, both have their turn.
 */
#include <string.h>

#include "engine/engine_private.h"

#define VERIFY_SLOW 1 /* replays of a hang or memory hog: each costs much */

uint32_t
verify_replays(const struct engine *e, const struct failure *failure)
{
	uint32_t n = (uint32_t)e->settings.verify;

	if (failure->kind == FAILURE_HANG || failure->kind == FAILURE_OOM ||
		failure->kind == FAILURE_STOPPED)
		return n > VERIFY_SLOW ? VERIFY_SLOW : n;
	return n;
}

/* After the replays: minimize, or be done. */
void
triage_after_verify(struct engine *e, struct finding *f)
{
	bool allowed = e->settings.minimizetime.duration_ms > 0 ||
		e->settings.minimizetime.executions > 0;

	f->work = WORK_NONE;
	if (allowed && f->minimized == NULL && triage_can_minimize(f) &&
		(f->state == FINDING_CONFIRMED || e->settings.verify == 0)) {
		f->work = WORK_MINIMIZE;
		return;
	}
	if (e->crash_minimizing == f)
		engine_stop(e, END_CRASH);
}

static void
swap_witnesses(struct engine *e, struct finding *f)
{
	uint8_t *data = f->input;
	size_t len = f->len;

	f->input = f->other;
	f->len = f->other_len;
	f->other = data;
	f->other_len = len;
	finding_measure(f, &e->types);
	f->swapped = !f->swapped;
}

/* The other witness gets its turn when the first never failed. */
static bool
try_other(struct engine *e, struct finding *f)
{
	if (f->swapped && f->reproduced > 0)
		store_replace_input(e->store, f->folder, f->other, f->other_len,
			f->input, f->len);
	else if (f->swapped)
		swap_witnesses(e, f);
	else if (f->reproduced == 0 && f->other != NULL) {
		swap_witnesses(e, f);
		f->replays = 0;
		return true;
	}
	return false;
}

static void
finish_verify(struct engine *e, struct finding *f)
{
	if (try_other(e, f) ||
		(f->reproduced == 0 && triage_begin_sequence(e, f)))
		return;
	triage_drop_sequence(f);
	/* What the user has said of it stays. */
	if (f->state != FINDING_IGNORED && f->state != FINDING_KNOWN)
		f->state = f->reproduced == f->replays ? FINDING_CONFIRMED
						       : FINDING_FLAKY;
	lines_event(e, "verified",
		json_pack("{s:s, s:i, s:i}", "finding", f->id, "reproduced",
			(int)f->reproduced, "replays", (int)f->replays),
		"reproduced %u of %u   %s", f->reproduced, f->replays,
		f->folder);
	triage_after_verify(e, f);
	record_save_json(e, f);
}

void
triage_on_replay(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	if (r->interrupted || r->count == 0)
		return; /* stays outstanding */
	if (f->suspect) {
		suspect_on_replay(e, f, r);
		return;
	}
	if (f->work == WORK_FINAL) {
		triage_on_final(e, f, r);
		return;
	}
	if (f->work != WORK_VERIFY)
		return;
	f->replays++;
	/* The same kind will do: there may be several ways there. */
	if (r->failure.kind == f->failure.kind)
		f->reproduced++;
	if (f->replays == f->replays_wanted)
		finish_verify(e, f);
}
