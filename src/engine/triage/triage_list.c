/*
 * triage_list: which finding is next, and questions about all of them.
 */
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "control/settings.h"
#include "engine/engine_end.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/schedule/schedule.h"
#include "engine/triage/dedup.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/suspect.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "engine/triage/triage_sequence.h"
#include "findings/finding.h"
#include "store/store.h"

struct finding *
triage_find(struct engine *e, const char *id)
{
	struct finding *f = findings_find(e, id);

	return f != NULL ? f : dedup_find_merged(e, id);
}

void
triage_clear(struct engine *e)
{
	size_t i;

	for (i = 0; i < findings_count(e); i++)
		triage_drop_sequence(findings_at(e, i));
	for (i = 0; i < suspects_waiting(e); i++)
		triage_drop_sequence(suspects_at(e, i));
	findings_clear(e);
	dedup_clear(e);
	suspect_clear(e);
}

/* ---- the next one to work on ---- */

static bool
triage_disk_trouble(const struct engine *e)
{
	struct writer_status writer;

	store_get_status(engine_store(e), &writer);
	return writer.trouble != OK;
}

/* Estimated duration of a call for a finding; 0: unknown. */
static uint64_t
triage_cost_ms(const struct engine *e, const struct finding *f)
{
	if (f->state == FINDING_SEQUENCE)
		return triage_sequence_ms(e, f);
	if (f->failure.kind == FAILURE_HANG && f->state != FINDING_QUEUED)
		return engine_settings(e)->timeout_ms;
	return 0;
}

/* After the end of the campaign only what the user asks for is worked on. */
static bool
triage_is_wanted(const struct engine *e, const struct finding *f)
{
	return f->asked || !engine_over(e);
}

void
triage_drop_left(const struct engine *e, struct finding *f)
{
	if (triage_is_wanted(e, f) ||
		finding_state_info(f->state)->left == NULL)
		return;
	triage_drop_sequence(f);
	finding_move(f, FINDING_DONE);
}

/* Whether a worker may have its next call for the finding now. */
static bool
triage_is_due(struct engine *e, const struct finding *f)
{
	uint32_t busy = pool_jobs_of(e, f);

	if (!triage_is_wanted(e, f) || triage_waits_for_names(e, f))
		return false;
	/* No more replays in flight than are wanted. */
	if (f->state == FINDING_VERIFYING)
		return f->replays + busy < f->replays_wanted;
	if (busy > 0)
		return false;
	/* Minimize only after the input is on disk, unless the disk fails. */
	return f->state != FINDING_QUEUED ||
		((f->announcement != ANNOUNCE_UNSAVED ||
			 triage_disk_trouble(e)) &&
			minimize_tasks_is_due(f));
}

static uint64_t
triage_suspect_ms(const struct engine *e, const struct finding *f)
{
	return f->sequence != NULL
		? engine_settings(e)->timeout_ms + triage_sequence_ms(e, f)
		: suspect_least_ms(e, f);
}

/* in_a_row: one that is to run after its process history. */
static struct finding *
triage_next_suspect(const struct engine *e, bool in_a_row, uint64_t room_ms)
{
	struct finding *f;
	size_t i;

	for (i = 0; i < suspects_waiting(e); i++) {
		f = suspects_at(e, i);
		if ((f->sequence != NULL) == in_a_row &&
			pool_jobs_of(e, f) == 0 &&
			triage_suspect_ms(e, f) <= room_ms)
			return f;
	}
	return NULL;
}

struct finding *
triage_next(struct engine *e, enum finding_state state, uint64_t room_ms)
{
	struct finding *f;
	size_t i;

	for (i = 0; i < findings_count(e); i++) {
		f = findings_at(e, i);
		if (f->state == state && triage_cost_ms(e, f) <= room_ms &&
			triage_is_due(e, f))
			return f;
	}
	if (engine_over(e) ||
		(state != FINDING_VERIFYING && state != FINDING_SEQUENCE))
		return NULL;
	return triage_next_suspect(e, state == FINDING_SEQUENCE, room_ms);
}

/* Sequences and minimizations together use one worker in four. */
bool
triage_next_sequence(struct engine *e, uint64_t room_ms, struct job *job)
{
	struct finding *f = triage_next(e, FINDING_SEQUENCE, room_ms);

	if (f == NULL || !schedule_minimizer_free(e))
		return false;
	triage_fill_sequence(e, f, job);
	if (f->state == FINDING_SUSPECT)
		suspect_let_hang(e, f, room_ms, job);
	return true;
}

/* ---- questions about all of them ---- */

/* The end waits for no replay that takes longer than what is left of it, nor
 * for one that is not made. */
static bool
triage_awaits_rerun(const struct engine *e, const struct finding *f)
{
	return f->state == FINDING_RERUN && engine_drain_reruns(e) &&
		triage_replays(e, &f->failure) > 0 &&
		triage_cost_ms(e, f) <= engine_drain_left_ms(e);
}

bool
triage_busy(const struct engine *e)
{
	enum finding_state state;
	size_t i;

	for (i = 0; i < findings_count(e); i++) {
		state = triage_outlook(e, findings_at(e, i));
		if (finding_state_info(state)->is_verifying &&
			triage_is_wanted(e, findings_at(e, i)))
			return true;
		if (triage_awaits_rerun(e, findings_at(e, i)))
			return true;
	}
	return !engine_over(e) && suspects_waiting(e) > 0;
}

bool
triage_minimizes(const struct engine *e)
{
	size_t i;

	for (i = 0; i < findings_count(e); i++)
		if (triage_outlook(e, findings_at(e, i)) == FINDING_QUEUED &&
			triage_is_wanted(e, findings_at(e, i)))
			return true;
	return false;
}

void
triage_tell_left(struct engine *e)
{
	json_t *suspects = suspects_left(e);
	size_t i, verify = 0, minimize = 0, again = json_array_size(suspects);
	size_t rerun = triage_count_reruns(e);
	char others[64] = "", text[256];

	json_decref(suspects);
	for (i = 0; i < findings_count(e); i++) {
		const char *left = triage_left(e, findings_at(e, i));

		verify += left != NULL && strcmp(left, "verify") == 0;
		minimize += left != NULL && strcmp(left, "minimize") == 0;
	}
	if (verify + minimize + again + rerun == 0)
		return;
	if (rerun > 0)
		snprintf(others, sizeof(others),
			", %zu of other builds to replay", rerun);
	snprintf(text, sizeof(text),
		"%zu finding%s to verify, %zu to make smaller, %zu suspect%s "
		"to run again%s",
		verify, verify == 1 ? "" : "s", minimize, again,
		again == 1 ? "" : "s", others);
	message_event(e, "left",
		json_pack("{s:i, s:i, s:i, s:i}", "verify", (int)verify,
			"minimize", (int)minimize, "suspects", (int)again,
			"rerun", (int)rerun),
		"%s", text);
	message_print(e, "left for the next start: %s", text);
}
