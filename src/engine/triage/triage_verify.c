/*
 * triage_verify: replays the input of a finding in fresh children.
 *
 * If the engine's own copy of the input differs from the bytes in worker
 * memory, both are tried.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/messages.h"
#include "engine/triage/record.h"
#include "engine/triage/suspect.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_sequence.h"

#define VERIFY_SLOW 1 /* for slow replays: hangs, memory limits */

uint32_t
verify_replays(const struct engine *e, const struct failure *failure)
{
	uint32_t n = (uint32_t)e->settings.verify;

	if (failure->kind == FAILURE_HANG || failure->kind == FAILURE_OOM ||
		failure->kind == FAILURE_STOPPED)
		return n > VERIFY_SLOW ? VERIFY_SLOW : n;
	return n;
}

/* Earlier replays are void: they are old or of another build. */
void
triage_verify_again(struct finding *f, uint32_t replays)
{
	f->replays_wanted = replays;
	f->replays = f->reproduced = 0;
	f->replays_build[0] = '\0';
	f->work = WORK_VERIFY;
}

/* The replays are done, with this build. */
void
triage_note_verdict(struct engine *e, struct finding *f)
{
	snprintf(f->replays_build, sizeof(f->replays_build), "%s",
		e->target.info.id);
	if (f->reproduced > 0)
		snprintf(f->build, sizeof(f->build), "%s", e->target.info.id);
}

/* The finding failed on these bytes. If that is news for this build, its input
 * is replayed, and if that does not fail, these bytes are. */
void
triage_note_build(struct engine *e, struct finding *f, const uint8_t *data,
	size_t len)
{
	uint32_t replays = verify_replays(e, &f->failure);

	if (strcmp(f->build, e->target.info.id) == 0 &&
		(f->replays_build[0] == '\0' ||
			strcmp(f->replays_build, e->target.info.id) == 0))
		return;
	snprintf(f->build, sizeof(f->build), "%s", e->target.info.id);
	if (f->work != WORK_NONE || replays == 0)
		return;
	if (f->sequence_n > 1) {
		f->replays_wanted = replays;
		if (triage_replay_sequence(e, f, NULL) != OK)
			log_debug("%s: no replay", f->folder);
		return;
	}
	free(f->other);
	f->other = NULL;
	f->swapped = false;
	if (len != f->len || memcmp(data, f->input, len) != 0) {
		f->other = xmemdup(data, len);
		f->other_len = len;
		f->other_seen = true;
	}
	triage_verify_again(f, replays);
}

/* After the replays: minimize, or finish. */
void
triage_after_verify(struct engine *e, struct finding *f)
{
	bool allowed = e->settings.minimizetime.duration_ms > 0 ||
		e->settings.minimizetime.executions > 0;

	f->work = WORK_NONE;
	if (allowed && !triage_is_minimized(e, f) && triage_can_minimize(f) &&
		(f->verdict == VERDICT_CONFIRMED ||
			(f->verdict == VERDICT_KNOWN && f->reproduced > 0) ||
			e->settings.verify == 0)) {
		f->work = WORK_MINIMIZE;
		return;
	}
	if (e->findings.crash_minimizing == f)
		engine_stop(e, END_CRASH);
}

static void
verify_swap_witnesses(struct engine *e, struct finding *f)
{
	uint8_t *data = f->input;
	size_t len = f->len;

	f->input = f->other;
	f->len = f->other_len;
	f->other = data;
	f->other_len = len;
	finding_measure(f, &e->target.types);
	f->swapped = !f->swapped;
}

/* Tries the other copy if the first one never failed. */
static bool
verify_try_other(struct engine *e, struct finding *f)
{
	if (f->swapped && f->reproduced > 0)
		store_replace_input(e->store, f->folder, !f->other_seen,
			f->other, f->other_len, f->input, f->len);
	else if (f->swapped)
		verify_swap_witnesses(e, f);
	else if (f->reproduced == 0 && f->other != NULL) {
		verify_swap_witnesses(e, f);
		f->replays = 0;
		return true;
	}
	return false;
}

static void
verify_finish(struct engine *e, struct finding *f)
{
	if (verify_try_other(e, f) ||
		(f->reproduced == 0 && triage_begin_sequence(e, f)))
		return;
	triage_drop_sequence(f);
	triage_drop_before(e, f);
	triage_note_verdict(e, f);
	/* A verdict of the user stays. */
	if (f->verdict != VERDICT_IGNORED && f->verdict != VERDICT_KNOWN)
		f->verdict = f->reproduced == f->replays ? VERDICT_CONFIRMED
							 : VERDICT_FLAKY;
	message_event(e, "verified",
		json_pack("{s:s, s:i, s:i, s:s}", "finding", f->id,
			"reproduced", (int)f->reproduced, "replays",
			(int)f->replays, "build", e->target.info.id),
		"%s %u of %u%s   %s",
		strcmp(f->build, e->target.info.id) == 0 ? "reproduced"
							 : "gone:",
		f->reproduced, f->replays,
		strcmp(f->build, e->target.info.id) == 0 ? ""
							 : " with this build",
		f->folder);
	triage_after_verify(e, f);
	record_save_json(e, f);
}

void
triage_on_replay(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	if (r->interrupted || r->count == 0)
		return; /* the replay is still to be made */
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
	/* The same kind is enough: a failure may have several stacks. */
	if (r->failure.kind == f->failure.kind) {
		f->reproduced++;
		triage_seen_again(e, f);
	}
	if (f->replays == f->replays_wanted)
		verify_finish(e, f);
}
