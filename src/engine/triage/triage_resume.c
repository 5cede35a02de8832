/*
 * triage_resume: reads findings of earlier runs from the output directory.
 */
#include <stdio.h>
#include <string.h>

#include "control/json_text.h"
#include "control/settings.h"
#include "engine/engine_end.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/triage/dedup.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/record.h"
#include "engine/triage/suspect.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "engine/triage/triage_sequence.h"
#include "findings/finding.h"
#include "findings/finding_counts.h"
#include "store/store.h"
#include "worker/inputs/input_text.h"

/* The run that found it may have had a higher --max-len. */
static enum status
resume_read(const struct engine *e, const struct finding *f, const char *name,
	uint8_t **data, size_t *len, struct error *err)
{
	return store_read_input(engine_store(e), f->folder, name,
		(size_t)settings_option(OPT_MAX_LEN)->max, data, len, err);
}

/* Without its input the finding is still listed, and its failures are counted
 * there. It is not merged: that would remove the file. */
static void
resume_input(struct engine *e, struct finding *f, const json_t *info)
{
	struct error err = { 0 };
	char text[STORE_FOLDER_SIZE + ERROR_TEXT_MAX + 64];

	if (resume_read(e, f, "input", &f->input, &f->len, &err) == OK) {
		finding_measure(f, &store_past(engine_store(e))->types);
		return;
	}
	f->file_len = finding_read_number(info, "len");
	f->minimized_file_len = finding_read_number(info, "minimized_len");
	if (f->naming != NAMING_DONE)
		finding_move_naming(f, NAMING_DONE);
	snprintf(text, sizeof(text), "%s: the input cannot be read: %s",
		f->folder, err.text);
	message_keep_warning(e, "finding", text);
}

/* Older files have one build for both inputs. If crash.json does not tell of
 * the file, the engine has died between the two: the build is not known. */
static void
resume_minimized(struct engine *e, struct finding *f, const json_t *info)
{
	const char *rule = json_text_get(info, "minimize_rule");
	const char *build = json_text_get(info, "minimized_build");

	if (resume_read(e, f, "minimized", &f->minimized, &f->minimized_len,
		    NULL) != OK)
		f->minimized_len = 0;
	if (rule == NULL && finding_read_number(info, "minimized_len") == 0)
		build = "";
	f->minimized_rule = minimize_rule_parse(rule != NULL ? rule : "");
	snprintf(f->minimized_build, sizeof(f->minimized_build), "%s",
		build != NULL ? build : f->build);
}

/* The work that an earlier run had no time for; FINDING_NEW: none. */
static enum finding_state
resume_state(const json_t *info)
{
	const char *left = json_text_get(info, "left");

	if (left == NULL)
		return FINDING_NEW;
	return strcmp(left, "verify") == 0 ? FINDING_VERIFYING : FINDING_QUEUED;
}

/* Replays of the input, or of a sequence that was found already; the former
 * counts of a sequence stay until then. */
static enum finding_state
resume_replays(struct engine *e, struct finding *f)
{
	f->seen = SEEN_LEFT;
	f->replays_wanted = triage_replays(e, &f->failure);
	if (f->sequence_n > 1 && !f->has_before) {
		if (triage_load_sequence(e, f, NULL) == OK)
			return FINDING_SEQUENCE;
		f->later = FINDING_VERIFYING; /* with a higher max-len */
		return FINDING_DONE;
	}
	/* With another build, replays that do not fail leave it flaky. */
	if (triage_is_this_build(e, f->build))
		triage_set_verdict(f, VERDICT_NEW);
	f->replays = f->reproduced = 0;
	f->replays_build[0] = '\0';
	return FINDING_VERIFYING;
}

static enum finding_state
resume_left(struct engine *e, struct finding *f, const json_t *info)
{
	enum finding_state left = resume_state(info);
	bool unverified = left == FINDING_VERIFYING;

	if (triage_wants_rerun(e, f) && (!unverified || f->replays > 0)) {
		/* The finding is minimized later, if it fails. */
		if (!unverified)
			f->later = left;
		return FINDING_RERUN;
	}
	if (f->fixed)
		return FINDING_DONE;
	if (left == FINDING_NEW || f->verdict == VERDICT_ACCEPTED)
		return FINDING_DONE;
	/* A start with a higher limit, or with replays, does it. */
	if (!triage_can_run(e, f) ||
		(unverified && engine_settings(e)->verify == 0)) {
		f->later = left;
		return FINDING_DONE;
	}
	if (unverified)
		return resume_replays(e, f);
	if (triage_can_minimize(e, f))
		f->later = left; /* it goes on with what is minimized so far */
	return triage_can_minimize(e, f) ? FINDING_QUEUED : FINDING_DONE;
}

/* To a run, a finding that an earlier run has told of is known as soon as it is
 * verified. True: its file is to say so, too. */
static bool
resume_known(const struct engine *e, struct finding *f, const json_t *info)
{
	if (engine_over(e) || f->is_new ||
		resume_state(info) == FINDING_VERIFYING ||
		(f->verdict != VERDICT_NEW && f->verdict != VERDICT_CONFIRMED))
		return false;
	f->verdict = VERDICT_KNOWN;
	return true;
}

/* Lists a finding of an earlier run. It counts for this run if it occurs
 * again. */
static void
resume_bucket(struct engine *e, const struct store_bucket *bucket)
{
	struct finding *f;
	bool was_killed;

	if (!bucket->has_input && bucket->info == NULL)
		return;
	was_killed = finding_counts_take(bucket->info,
		store_past(engine_store(e))->stats);
	f = bucket->info != NULL ? finding_read(bucket->info) : NULL;
	if (f == NULL && engine_over(e))
		return;
	if (f == NULL) {
		suspect_adopt(e, bucket->folder);
		return;
	}
	dedup_resume(e, f, bucket->info);
	snprintf(f->folder, sizeof(f->folder), "%s", bucket->folder);
	finding_move_announcement(f, ANNOUNCE_DONE);
	f->owner = e;
	f->has_before = bucket->has_before &&
		resume_state(bucket->info) == FINDING_VERIFYING;
	if (bucket->has_minimized)
		resume_minimized(e, f, bucket->info);
	resume_input(e, f, bucket->info);
	if (f->input != NULL && !engine_over(e))
		triage_drop_larger(e, f);
	f->stale = resume_known(e, f, bucket->info) || was_killed ||
		f->file_len != finding_read_number(bucket->info, "len") ||
		f->minimized_file_len !=
			finding_read_number(bucket->info, "minimized_len");
	finding_move(f, resume_left(e, f, bucket->info));
	findings_add(e, f);
}

void
triage_resume(struct engine *e)
{
	const struct store_past *past = store_past(engine_store(e));
	size_t i;

	for (i = 0; i < past->buckets_n; i++)
		resume_bucket(e, &past->buckets[i]);
	findings_sort(e);
	if (engine_over(e))
		return; /* suspects wait for the next run */
	suspects_resume(e, past->suspects,
		json_object_get(past->stats, "suspects_left"));
}

/* The work on it is left to the next start. False: it can be run. */
static bool
resume_leave(const struct engine *e, struct finding *f)
{
	bool queued = f->state == FINDING_QUEUED;

	if (f->input == NULL ||
		input_is_sound(program_types(e), f->input, f->len))
		return false;
	triage_drop_sequence(f);
	if (finding_state_info(f->state)->left != NULL)
		f->later = queued ? FINDING_QUEUED : FINDING_VERIFYING;
	if (f->state != FINDING_DONE)
		finding_move(f, FINDING_DONE);
	return true;
}

void
triage_on_types(struct engine *e)
{
	uint64_t suspects = suspect_count(e);
	json_t *left = suspects_left(e);
	char text[128];
	size_t i, n = 0;

	for (i = 0; i < findings_count(e); i++)
		n += resume_leave(e, findings_at(e, i));
	/* The next start adopts these again. */
	for (i = 0; i < suspects_waiting(e); i++)
		n += suspects_at(e, i)->place == PLACE_FOLDER;
	snprintf(text, sizeof(text),
		"the types of the target were lost: %zu finding%s for the next "
		"start",
		n, n == 1 ? " waits" : "s wait");
	if (n > 0)
		message_warn(e, "finding", text);
	suspect_clear(e);
	suspects_resume(e, suspects, left);
	json_decref(left);
}

/* Fails with this build as far as is known, and this run has not told of it. */
static bool
resume_is_untold(const struct engine *e, const struct finding *f)
{
	return f->is_new && !f->fixed && f->seen != SEEN_NOW &&
		f->verdict != VERDICT_ACCEPTED && f->verdict != VERDICT_KNOWN &&
		finding_standing(f->build, f->replays_build, f->reproduced,
			program_info(e)->build) == STANDING_OPEN;
}

void
triage_tell_untold(struct engine *e)
{
	struct finding *f;
	size_t i;

	if (!engine_settings(e)->ci || !pool_any_ready(e))
		return;
	for (i = 0; i < findings_count(e); i++) {
		f = findings_at(e, i);
		if (!resume_is_untold(e, f))
			continue;
		f->seen = SEEN_NOW;
		record_report_again(e, f);
	}
}

void
triage_save_stale(struct engine *e)
{
	struct finding *f;
	size_t i;

	for (i = 0; i < findings_count(e); i++) {
		f = findings_at(e, i);
		if (f->stale)
			record_save_json(e, f);
		f->stale = false;
	}
}
