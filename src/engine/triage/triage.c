/*
 * triage: the life of a finding inside the engine, from its arrival.
 *
 * A failing input goes to the disk first. It is announced when the disk has it.
 * Then it is replayed in fresh children (triage_verify.c) and minimized
 * (triage_minimize.c). The smallest input runs once more for its report. Ends
 * that need not be the input's fault are suspects: they are kept apart,
 * replayed, and become findings only if they fail again.
 */
#include "engine/triage/triage.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/messages.h"
#include "engine/pool.h"
#include "engine/triage/dedup.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/mutation_origin.h"
#include "engine/triage/mutator.h"
#include "engine/triage/naming.h"
#include "engine/triage/record.h"
#include "engine/triage/suspect.h"
#include "engine/triage/triage_sequence.h"
#include "engine/trim.h"
#include "worker/input_text.h"
#include "worker/mutation_stack.h"

/* Rebuilds the failing bytes from the mutation stack; NULL: impossible. */
static uint8_t *
triage_second_witness(struct engine *e, const struct worker_result *r,
	struct corpus_entry *parent, size_t *len)
{
	const struct mutation_stack *chain = &r->chain;
	struct mutation_sources sources;
	size_t parent_len = 0;
	const uint8_t *data;

	if (r->candidate_raw || parent == NULL)
		return NULL;
	sources = campaign_memory_sources(&e->campaign.memory, chain->partner,
		chain->words_n);
	/* The arena first: the entry may have been minimized since. */
	data = campaign_memory_entry(&e->campaign.memory, chain->parent,
		&parent_len);
	if (data == NULL) {
		if (corpus_load(e->campaign.corpus, parent, &data, NULL) != OK)
			return NULL;
		parent_len = parent->len;
	}
	return mutation_stack_rebuild(chain, data, parent_len, r->job.cap,
		&sources, len);
}

/* Announces a finding when its names and its file are there. A deterministic
 * run does not wait for the disk, whose speed must not show. */
static void
triage_announce(struct engine *e, struct finding *f)
{
	if (!f->announced && !f->held && f->merged == NULL &&
		(f->answered || e->settings.deterministic))
		record_announce(e, f);
}

static void
triage_on_saved(void *arg, enum status status)
{
	struct finding *f = arg;
	struct engine *e = f->owner;

	f->on_disk = status == OK;
	f->answered = true;
	if (status != OK)
		e->end.lost = true;
	else
		suspect_drop_file(e, f);
	triage_announce(e, f);
	pool_wake(e);
}

void
triage_on_named(struct engine *e, struct finding *f, bool news)
{
	if (f->merged != NULL)
		return;
	if (news && !dedup_settle(e, f))
		record_save_json(e, f);
	f->held = false;
	triage_announce(e, f);
	minimize_tasks_on_named(e);
	pool_wake(e);
}

/* Nothing more will be added to the report. */
void
triage_on_source(struct engine *e, struct finding *f)
{
	if (f->report != NULL)
		record_put_report(e, f, f->report, f->report_len);
	free(f->report);
	f->report = NULL;
	pool_wake(e);
}

void
triage_adopt(struct engine *e, struct finding *take_finding)
{
	e->findings.list = xreallocarray(e->findings.list, e->findings.n + 1,
		sizeof(*e->findings.list));
	e->findings.list[e->findings.n++] = take_finding;
}

static struct finding *
triage_make_finding(struct engine *e, const struct failure *failure,
	const uint8_t *data, size_t len, uint8_t *take_other, size_t other_len)
{
	struct finding *f = dedup_create(e, failure);

	f->input = xmemdup(data, len);
	f->len = len;
	finding_measure(f, &e->target.types);
	f->other = take_other;
	f->other_len = other_len;
	f->count = 1;
	f->this_run = true;
	f->first_s = f->last_s = engine_campaign_s(e);
	clock_wall_iso(f->first_at);
	memcpy(f->last_at, f->first_at, sizeof(f->last_at));
	snprintf(f->build, sizeof(f->build), "%s", e->target.info.id);
	f->unasked = true;
	f->replays_wanted = verify_replays(e, failure);
	f->work = f->replays_wanted > 0 ? WORK_VERIFY : WORK_NONE;
	f->owner = e;
	return f;
}

/* Lists and saves a finding. r: its failure or its last replay. */
static void
triage_admit_finding(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	char wanted[STORE_FOLDER_SIZE];

	snprintf(wanted, sizeof(wanted), "%s", f->folder);
	triage_adopt(e, f);
	if (!f->homed)
		store_claim(e->store, wanted, f->folder);
	store_put(e->store, f->folder, "input", f->input, f->len,
		triage_on_saved, f);
	if (f->other != NULL)
		store_put(e->store, f->folder, "witness", f->other,
			f->other_len, NULL, NULL);
	record_save_report(e, f, r);
	record_save_json(e, f);
	if (e->settings.stop_on_crash) {
		e->findings.crash_minimizing = f;
		trim_drop_all(e);
	}
}

static void
triage_add_finding(struct engine *e, struct finding *take_finding,
	const struct worker_result *r)
{
	struct finding *f = take_finding;

	triage_admit_finding(e, f, r);
	if (f->work == WORK_NONE)
		triage_after_verify(e, f);
	naming_start(e, f);
}

static void
triage_see_again(struct engine *e, struct finding *f, const uint8_t *data,
	size_t len)
{
	f->count++;
	f->last_s = engine_campaign_s(e);
	clock_wall_iso(f->last_at);
	triage_note_build(e, f, data, len);
	if (!f->this_run) {
		/* A finding of an earlier run that still occurs. */
		f->this_run = true;
		record_report_again(e, f);
	}
	if ((len != f->len || memcmp(data, f->input, len) != 0) &&
		(f->count & (f->count - 1)) == 0)
		store_put_more(e->store, f->folder, data, len);
	if ((f->count & (f->count - 1)) == 0)
		record_save_json(e, f);
	if (e->settings.stop_on_crash && e->findings.crash_minimizing == NULL &&
		f->verdict != VERDICT_IGNORED)
		engine_stop(e, END_CRASH);
}

/* A failing seed under --stop-on-crash ends the run; nothing is written. */
static bool
triage_on_failing_seed(struct engine *e, const struct worker_result *r,
	const struct corpus_entry *parent)
{
	char text[ERROR_TEXT_MAX];

	if (!e->settings.stop_on_crash || r->job.kind != JOB_WARMUP ||
		parent == NULL || !parent->is_seed)
		return false;
	message_print(e, "failure while testing seed corpus entry: %s/%s",
		e->target.name,
		parent->index < e->campaign.labels_n
			? e->campaign.labels[parent->index]
			: parent->name);
	e->end.found = true;
	e->end.fatal_status = EXIT_FOUND;
	text_clean_string(r->failure.text, text, sizeof(text));
	error_set(&e->end.fatal, E_TARGET, "%s", text);
	engine_stop(e, END_SEED);
	return true;
}

struct finding *
triage_make(struct engine *e, const struct worker_result *r,
	struct corpus_entry *parent)
{
	size_t other_len = 0;
	uint8_t *other = triage_second_witness(e, r, parent, &other_len);
	struct finding *f;

	if (other != NULL &&
		((other_len == r->candidate_len &&
			 memcmp(other, r->candidate, other_len) == 0) ||
			!input_is_sound(&e->target.types, other, other_len))) {
		free(other);
		other = NULL;
	}
	f = triage_make_finding(e, &r->failure, r->candidate, r->candidate_len,
		other, other_len);
	mutation_origin_note_finding(e, f, r, parent);
	message_event(e, "lineage",
		json_pack("{s:s, s:o}", "finding", f->id, "trail",
			record_trail(r)),
		NULL);
	return f;
}

/* A hang that also exceeded its longer limit: that run was its replay. */
void
triage_believe(struct engine *e, struct finding *take_finding,
	const struct worker_result *r)
{
	struct finding *f = take_finding, *known;

	/* A hang in a minimization has no stack; the replay may have one. */
	if (f->failure.frames_n == 0 && r->failure.frames_n > 0)
		dedup_renew(e, f, &r->failure);
	known = dedup_find(e, &f->failure);
	if (known != NULL) {
		triage_see_again(e, known, f->input, f->len);
		suspect_drop_file(e, f);
		finding_destroy(f);
		return;
	}
	f->suspect = false;
	f->replays_wanted = f->replays = f->reproduced = 1;
	triage_note_verdict(e, f);
	f->verdict = VERDICT_CONFIRMED;
	f->work = WORK_NONE;
	triage_admit_finding(e, f, r);
	triage_after_verify(e, f);
	naming_start(e, f);
}

void
triage_on_failure(struct engine *e, struct slot *slot,
	const struct worker_result *r, struct corpus_entry *parent)
{
	const struct failure *failure = &r->failure;
	struct finding *f;

	(void)slot;
	if (failure->kind == FAILURE_MUTATOR) {
		mutator_on_failure(e, failure);
		return;
	}
	f = failure_is_suspect(failure->kind) ? dedup_find(e, failure) : NULL;
	if (r->count > 0 && failure_is_suspect(failure->kind) &&
		(f == NULL || !f->this_run)) {
		suspect_on_end(e, r);
		return;
	}
	if (r->count == 0) {
		/* Nothing ran, so no input is to blame. */
		message_event(e, "worker", NULL,
			"a worker ended before it ran an input: %s",
			failure->text);
		return;
	}
	if (e->findings.crash_minimizing != NULL ||
		triage_on_failing_seed(e, r, parent))
		return;
	f = dedup_find(e, failure);
	if (failure->kind == FAILURE_HANG && e->settings.verify > 0 &&
		(f == NULL || !f->this_run)) {
		suspect_on_hang(e, r, parent);
		return;
	}
	if (f != NULL) {
		triage_see_again(e, f, r->candidate, r->candidate_len);
		return;
	}
	f = triage_make(e, r, parent);
	if (f->work == WORK_VERIFY)
		triage_note_history(e, f, r);
	triage_add_finding(e, f, r);
}

const char *
triage_left(const struct finding *f)
{
	if (f->work == WORK_VERIFY || f->work == WORK_SEQUENCE)
		return "verify";
	if (f->work == WORK_MINIMIZE || f->work == WORK_BUSY || f->unfinished)
		return "minimize";
	return NULL;
}

/* A finding left over by an earlier run counts for this run when it fails. */
void
triage_seen_again(struct engine *e, struct finding *f)
{
	if (!f->left || f->this_run)
		return;
	f->this_run = true;
	f->last_s = engine_campaign_s(e);
	clock_wall_iso(f->last_at);
	record_report_again(e, f);
}

static void
triage_tell_left(struct engine *e)
{
	size_t i, verify = 0, minimize = 0, again = e->suspects.waiting_n;

	for (i = 0; i < e->findings.n; i++) {
		const char *left = triage_left(e->findings.list[i]);

		verify += left != NULL && strcmp(left, "verify") == 0;
		minimize += left != NULL && strcmp(left, "minimize") == 0;
	}
	if (verify + minimize + again == 0)
		return;
	message_event(e, "left",
		json_pack("{s:i, s:i, s:i}", "verify", (int)verify, "minimize",
			(int)minimize, "suspects", (int)again),
		"left");
	message_print(e,
		"left for the next start: %zu finding%s to verify, %zu to make "
		"smaller, %zu suspect%s to run again",
		verify, verify == 1 ? "" : "s", minimize, again,
		again == 1 ? "" : "s");
}

/* At the end: keeps inputs that can no longer be replayed, and saves the
 * findings. */
void
triage_finish(struct engine *e)
{
	struct finding *f;
	size_t i;

	for (i = 0; i < e->findings.n; i++) {
		f = e->findings.list[i];
		if (f->work == WORK_FINAL)
			triage_keep_minimized(e, f);
		triage_finish_sequence(e, f);
		/* The count of a finding is written only now and then. */
		if (f->this_run || f->stale || triage_left(f) != NULL)
			record_save_json(e, f);
	}
	triage_tell_left(e);
}

static bool
triage_disk_trouble(const struct engine *e)
{
	struct writer_status writer;

	store_get_status(e->store, &writer);
	return writer.trouble != OK;
}

/* Estimated duration of a call for a finding; 0: unknown. */
static uint64_t
triage_cost_ms(const struct engine *e, const struct finding *f)
{
	if (f->work == WORK_SEQUENCE)
		return triage_sequence_ms(e, f);
	if (f->failure.kind == FAILURE_HANG && f->work != WORK_MINIMIZE)
		return e->settings.timeout_ms;
	return 0;
}

struct finding *
triage_next(struct engine *e, enum finding_work work, uint64_t room_ms)
{
	uint32_t busy;
	size_t n;

	for (n = 0; n < e->findings.n; n++) {
		struct finding *f = e->findings.list[n];

		/* A held finding may be merged when its names arrive. */
		if (f->work != work || f->held ||
			triage_cost_ms(e, f) > room_ms)
			continue;
		/* Minimize only after the input is on disk, unless the disk
		 * fails. */
		if (work == WORK_MINIMIZE && !f->answered && !f->announced &&
			!triage_disk_trouble(e))
			continue;
		/* No more replays in flight than are wanted. */
		busy = pool_jobs_of(e, f);
		if (work == WORK_VERIFY &&
			f->replays + busy >= f->replays_wanted)
			continue;
		if (work != WORK_VERIFY && busy > 0)
			continue;
		if (work == WORK_MINIMIZE && !minimize_tasks_is_due(f))
			continue;
		return f;
	}
	return work == WORK_VERIFY ? suspect_next(e, room_ms) : NULL;
}

void
triage_add_suspect(struct engine *e, const struct finding *suspect,
	const struct worker_result *r)
{
	struct finding *f = dedup_find(e, &r->failure);

	if (f != NULL) {
		triage_see_again(e, f, suspect->input, suspect->len);
		if (suspect->homed)
			store_merge(e->store, suspect->folder, f->folder,
				suspect->input, suspect->len);
		return;
	}
	f = triage_make_finding(e, &r->failure, suspect->input, suspect->len,
		NULL, 0);
	f->homed = suspect->homed;
	if (f->homed)
		memcpy(f->folder, suspect->folder, sizeof(f->folder));
	triage_add_finding(e, f, r);
}

struct finding *
triage_find(struct engine *e, const char *id)
{
	size_t i;

	for (i = 0; i < e->findings.n; i++)
		if (strcmp(e->findings.list[i]->id, id) == 0 ||
			strcmp(e->findings.list[i]->folder, id) == 0)
			return e->findings.list[i];
	for (i = 0; i < e->dedup.merged_n; i++)
		if (strcmp(e->dedup.merged[i]->id, id) == 0 ||
			strcmp(e->dedup.merged[i]->folder, id) == 0)
			return finding_merged(e->dedup.merged[i]);
	return NULL;
}

void
triage_ignore(struct engine *e, struct finding *f)
{
	f->verdict =
		f->verdict == VERDICT_IGNORED ? VERDICT_KNOWN : VERDICT_IGNORED;
	record_save_json(e, f);
}

/* New again: its replays decide between confirmed and flaky. */
void
triage_mark(struct engine *e, struct finding *f, enum finding_verdict verdict)
{
	if (verdict == VERDICT_NEW && f->replays > 0)
		verdict = f->reproduced == f->replays ? VERDICT_CONFIRMED
						      : VERDICT_FLAKY;
	f->verdict = verdict;
	record_save_json(e, f);
}

bool
triage_busy(const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->findings.n; i++)
		if (e->findings.list[i]->work == WORK_VERIFY ||
			e->findings.list[i]->work == WORK_SEQUENCE ||
			e->findings.list[i]->work == WORK_FINAL)
			return true;
	return e->suspects.waiting_n > 0;
}

/* Ignored findings do not count. */
bool
triage_found(const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->findings.n; i++)
		if (e->findings.list[i]->this_run &&
			e->findings.list[i]->verdict != VERDICT_IGNORED)
			return true;
	return false;
}

void
triage_clear(struct engine *e)
{
	size_t i;

	for (i = 0; i < e->findings.n; i++) {
		triage_drop_sequence(e->findings.list[i]);
		finding_destroy(e->findings.list[i]);
	}
	free(e->findings.list);
	e->findings.list = NULL;
	e->findings.n = 0;
	dedup_clear(e);
	suspect_clear(e);
}

bool
triage_minimizes(const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->findings.n; i++)
		if (e->findings.list[i]->work == WORK_MINIMIZE)
			return true;
	return false;
}
