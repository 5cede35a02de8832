/*
 * triage_builds: the findings of earlier builds, when the target was rebuilt.
 *
 * A finding that failed with another build says nothing about this one. At the
 * start of a run it waits for its turn (FINDING_RERUN) and is then replayed as
 * a new one is. Fuzzing goes first: a worker takes up such a finding with time
 * that it has saved for findings, see schedule/finding_budget.c. A finding that
 * had no turn still belongs to the other build, so the next start replays it. In
 * CI it may have its turn after a limit, see engine_drain_reruns().
 *
 * If no replay fails, the finding is fixed, unless that tells nothing: nobody
 * would see the failure, or a replay failed in another way or did not run to its
 * end. The next start then replays it. A fixed finding that fails again is
 * a new finding in all respects.
 */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "engine/corpus/load.h"
#include "engine/engine_end.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/naming.h"
#include "engine/triage/record.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "engine/triage/triage_sequence.h"
#include "findings/bucket.h"
#include "findings/finding.h"
#include "findings/finding_limits.h"
#include "worker/target/elf.h"
#include "worker/worker.h"

bool
triage_is_this_build(const struct engine *e, const char *build)
{
	return strcmp(build, program_info(e)->build) == 0;
}

bool
triage_wants_rerun(const struct engine *e, const struct finding *f)
{
	enum finding_standing standing = finding_standing(f->build,
		f->replays_build, f->reproduced, program_info(e)->build);

	/* The user may have gone back to the build that failed. */
	return triage_replays(e, &f->failure) > 0 &&
		(standing == STANDING_NOT_SEEN ||
			(standing == STANDING_OPEN && f->fixed));
}

bool
triage_awaits_names(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	if (!triage_is_rebuilt(e, f) || f->newer_is != NEWER_UNKNOWN ||
		!triage_fails_again(e, f, r) || r->count == 0 || r->interrupted)
		return false;
	if (f->newer == NULL && !naming_renew(e, f, r))
		return false;
	return bucket_line_counts(&f->failure);
}

bool
triage_waits_for_names(const struct engine *e, const struct finding *f)
{
	return triage_is_rebuilt(e, f) &&
		(f->newer != NULL ||
			(f->newer_is == NEWER_UNKNOWN && naming_is_full(e)));
}

static bool
builds_may_rerun(const struct engine *e)
{
	return engine_draining(e) ? engine_drain_reruns(e)
				  : !load_is_warming(e);
}

static void
builds_tell_why(struct engine *e, const struct finding *f, uint32_t replays,
	const char *why)
{
	message_event(e, "verified",
		json_pack("{s:s, s:i, s:i, s:s, s:s}", "finding", f->id,
			"reproduced", 0, "replays", (int)replays, "build",
			program_info(e)->build, "why", why),
		"no verdict: %s   %s", why, f->folder);
	message_print(e, "fuzz: no verdict: %s%s%s: %s", f->failure.what,
		f->where[0] != '\0' ? " in " : "", f->where, why);
}

void
triage_rerun_next(struct engine *e, uint64_t room_ms)
{
	const char *unseen;
	struct finding *f;
	uint32_t replays;

	if (!builds_may_rerun(e))
		return;
	while ((f = triage_next(e, FINDING_RERUN, room_ms)) != NULL) {
		replays = triage_replays(e, &f->failure);
		/* The user has turned replays off: it waits as before. */
		if (replays == 0)
			return;
		/* The finding counts for this run if it fails. */
		if (f->seen == SEEN_BEFORE)
			f->seen = SEEN_LEFT;
		if (triage_replay(e, f, replays, NULL) == OK)
			return;
		log_debug("%s: no replay", f->folder);
		finding_move(f, FINDING_DONE);
		unseen = triage_unseen(e, f);
		if (unseen != NULL && f->seen != SEEN_NOW)
			builds_tell_why(e, f, 0, unseen);
	}
}

void
triage_keep_before(const struct engine *e, struct finding *f)
{
	if (f->fixed && f->replays_build[0] != '\0') {
		snprintf(f->fixed_build, sizeof(f->fixed_build), "%s",
			f->replays_build);
		f->fixed_replays = f->replays;
	}
	if (f->reproduced == 0 || f->replays_build[0] == '\0' ||
		triage_is_this_build(e, f->replays_build))
		return;
	f->replays_before = f->replays;
	f->reproduced_before = f->reproduced;
}

void
triage_set_build(const struct engine *e, struct finding *f)
{
	snprintf(f->build, sizeof(f->build), "%s", program_info(e)->build);
	snprintf(f->sanitizer, sizeof(f->sanitizer), "%s",
		program_sanitizer(e));
}

void
triage_note_back(struct engine *e, struct finding *f)
{
	if (!f->fixed)
		return;
	f->fixed = false;
	f->is_new = true;
	f->is_back = true;
	if (f->reproduced == 0)
		f->replays = 0; /* of the build that had fixed it */
	if (f->verdict != VERDICT_ACCEPTED)
		f->verdict = VERDICT_NEW;
	if (f->seen != SEEN_NOW)
		record_report_again(e, f);
	f->seen = SEEN_NOW;
	record_announce_back(e, f);
}

void
triage_note_limits(const struct engine *e, struct finding *f)
{
	json_decref(f->limits);
	f->limits = finding_limits_json(engine_settings(e));
}

/* Has this run options with which the failure cannot be seen? */
static bool
builds_needs_limits(const struct engine *e, const struct finding *f)
{
	char limits[64];

	finding_limits_needed(engine_settings(e), f->limits, &f->failure,
		limits, sizeof(limits));
	return limits[0] != '\0';
}

void
triage_relax_limits(const struct engine *e, struct finding *f)
{
	if (builds_needs_limits(e, f))
		triage_note_limits(e, f);
}

static void
builds_note_failing(struct engine *e, struct finding *f)
{
	triage_set_build(e, f);
	triage_note_limits(e, f);
	triage_note_back(e, f);
}

static void
builds_note_fixed(struct engine *e, struct finding *f)
{
	f->fixed = true;
	f->later = FINDING_NEW;
	message_print(e,
		"fuzz: fixed: %s%s%s: 0 of %u replays fail with this "
		"build",
		f->failure.what, f->where[0] != '\0' ? " in " : "", f->where,
		f->replays);
}

/* The replays are done, with this build. */
void
triage_note_replays(struct engine *e, struct finding *f)
{
	const char *now = program_info(e)->build;

	snprintf(f->replays_build, sizeof(f->replays_build), "%s", now);
	if (f->later == FINDING_VERIFYING)
		f->later = FINDING_NEW;
	if (f->reproduced > 0)
		builds_note_failing(e, f);
	else if (finding_standing(f->build, now, 0, now) == STANDING_FIXED)
		builds_note_fixed(e, f);
	triage_set_verdict(f, triage_replays_verdict(f));
}

void
triage_note_replay(const struct engine *e, struct finding *f,
	const struct worker_result *r, bool whole)
{
	if (triage_fails_otherwise(e, f, r))
		f->untold = "a replay failed in another way";
	else if (!whole)
		f->untold = "a replay did not run to its end";
}

/* One failure shows that it is back, and no failure so far shows nothing. */
void
triage_finish_rerun(struct engine *e, struct finding *f)
{
	bool failed = triage_sequence_failed(f);

	/* Until the last replay of a sequence, it holds the results itself. */
	if (!f->fixed || (f->replays_build[0] != '\0' && !failed))
		return;
	if (f->reproduced > 0 || failed) {
		builds_note_failing(e, f);
		return;
	}
	if (f->fixed_build[0] == '\0')
		return; /* none are under way */
	snprintf(f->replays_build, sizeof(f->replays_build), "%s",
		f->fixed_build);
	f->replays = f->fixed_replays;
}

/* Why replays that did not fail tell nothing; NULL: they do. */
static const char *
builds_untold(const struct engine *e, const struct finding *f)
{
	if (f->untold != NULL)
		return f->untold;
	return builds_needs_limits(e, f)
		? "it failed with other limits: see crash.json"
		: triage_unseen(e, f);
}

bool
triage_leave_replays(struct engine *e, struct finding *f, uint32_t replays,
	uint32_t failed)
{
	const char *why = builds_untold(e, f);

	f->untold = NULL;
	if (failed > 0 || why == NULL)
		return false;
	builds_tell_why(e, f, replays, why);
	f->later = FINDING_VERIFYING;
	triage_finish_rerun(e, f);
	triage_finish_sequence(e, f);
	triage_drop_sequence(f);
	return true;
}

size_t
triage_count_reruns(const struct engine *e)
{
	size_t i, n = 0;

	for (i = 0; i < findings_count(e); i++)
		n += findings_at(e, i)->state == FINDING_RERUN;
	return n;
}
