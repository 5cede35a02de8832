/*
 * triage: the life of a finding inside the engine.
 *
 * A failing input is handed to the disk first. It is announced when the disk
 * has it, then replayed in fresh children, then minimized, then the smallest
 * input is run once more for its report. Ends that need not be the input's
 * fault are suspects: kept apart, replayed once, and believed only if the
 * input then fails by itself.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/chain.h"
#include "engine/engine_private.h"

#define TRIAGE_SLOW_REPLAYS 1 /* of a hang or memory hog: each costs much */

static double
elapsed_s(const struct engine *e)
{
	return (double)engine_elapsed_ns(e) / 1e9;
}

/* The failing bytes as the engine can make them itself; NULL: cannot. */
static uint8_t *
second_witness(struct engine *e, const struct worker_result *r,
	struct corpus_entry *parent, size_t *len)
{
	const struct chain *chain = &r->chain;
	struct step_sources sources = {
		.words = campaign_memory_words(&e->memory),
	};
	size_t parent_len = 0;
	const uint8_t *data;

	if (r->candidate_raw || parent == NULL)
		return NULL;
	if (chain->words_n < sources.words.n)
		sources.words.n = chain->words_n;
	sources.partner = campaign_memory_entry(&e->memory, chain->partner,
		&sources.partner_len);
	/* The arena first: the entry may have been minimized since. */
	data = campaign_memory_entry(&e->memory, chain->parent, &parent_len);
	if (data == NULL) {
		if (corpus_load(e->corpus, parent, &data, NULL) != OK)
			return NULL;
		parent_len = parent->len;
	}
	return chain_rebuild(chain, data, parent_len, r->job->cap, &sources,
		len);
}

/* The disk has it: only now it is said to be saved. */
static void
on_saved(void *arg, enum status status)
{
	struct finding *f = arg;
	struct engine *e = f->owner;

	f->on_disk = status == OK;
	f->answered = true;
	if (status != OK)
		e->lost = true;
	if (!f->announced && !f->held)
		record_announce(e, f);
	pool_wake(e);
}

void
triage_on_named(struct engine *e, struct finding *f, bool news)
{
	if (news) {
		record_save_json(e, f);
		if (f->report != NULL)
			record_put_report(e, f, f->report, f->report_len);
		free(f->report);
		f->report = NULL;
	}
	if (!f->held)
		return;
	f->held = false;
	if (f->answered && !f->announced)
		record_announce(e, f);
	pool_wake(e);
}

static uint32_t
replays_wanted(const struct engine *e, const struct failure *failure)
{
	uint32_t n = (uint32_t)e->settings.verify;

	if (failure->kind == FAILURE_HANG || failure->kind == FAILURE_OOM ||
		failure->kind == FAILURE_STOPPED)
		return n > TRIAGE_SLOW_REPLAYS ? TRIAGE_SLOW_REPLAYS : n;
	return n;
}

/* The keeper of a minimization sees our own SIGKILL, not why it was sent. */
static bool
can_minimize(const struct finding *f)
{
	return f->len > 1 && f->failure.kind != FAILURE_HANG &&
		f->failure.kind != FAILURE_OOM;
}

/* After the replays: minimize, or be done. */
static void
work_after_verify(struct engine *e, struct finding *f)
{
	bool allowed = e->settings.minimizetime.duration_ms > 0 ||
		e->settings.minimizetime.executions > 0;

	f->work = WORK_NONE;
	if (allowed && f->minimized == NULL && can_minimize(f) &&
		(f->state == FINDING_CONFIRMED || e->settings.verify == 0)) {
		f->work = WORK_MINIMIZE;
		return;
	}
	if (e->crash_minimizing == f)
		engine_stop(e, END_CRASH);
}

static struct finding *
triage_find_signature(struct engine *e, uint64_t signature)
{
	size_t i;

	for (i = 0; i < e->findings_n; i++)
		if (e->findings[i]->signature == signature)
			return e->findings[i];
	return NULL;
}

void
triage_adopt(struct engine *e, struct finding *take_finding)
{
	e->findings = xreallocarray(e->findings, e->findings_n + 1,
		sizeof(*e->findings));
	e->findings[e->findings_n++] = take_finding;
}

static void
add_finding(struct engine *e, const struct failure *failure,
	const uint8_t *data, size_t len, uint8_t *take_other, size_t other_len,
	const struct worker_result *r)
{
	struct finding *f = finding_create(failure, failure_signature(failure));
	char wanted[STORE_FOLDER_SIZE];

	snprintf(wanted, sizeof(wanted), "%s", f->folder);
	f->input = xmemdup(data, len > 0 ? len : 1);
	f->len = len;
	f->other = take_other;
	f->other_len = other_len;
	f->count = 1;
	f->this_run = true;
	f->first_s = f->last_s = elapsed_s(e);
	f->replays_wanted = replays_wanted(e, failure);
	f->work = f->replays_wanted > 0 ? WORK_VERIFY : WORK_NONE;
	triage_adopt(e, f);
	e->found = true;
	f->owner = e;
	store_claim(e->store, wanted, f->folder);
	store_put(e->store, f->folder, "input", data, len, on_saved, f);
	if (f->other != NULL)
		store_put_more(e->store, f->folder, f->other, f->other_len);
	naming_start(e, f);
	record_save_report(e, f, r);
	record_save_json(e, f);
	/* The disk takes its own time, and a seed shall always tell the same. */
	if (e->settings.deterministic)
		record_announce(e, f);
	lines_event(e, "lineage",
		json_pack("{s:s, s:o}", "finding", f->id, "trail",
			record_trail(r)),
		NULL);
	if (e->settings.stop_on_crash) {
		e->crash_minimizing = f;
		trim_drop_all(e);
	}
	if (f->work == WORK_NONE)
		work_after_verify(e, f);
}

static void
see_again(struct engine *e, struct finding *f, const uint8_t *data, size_t len)
{
	f->count++;
	f->last_s = elapsed_s(e);
	e->found = true;
	if (!f->this_run) {
		/* Known from an earlier run, and still there. */
		f->this_run = true;
		record_report(e, REPORT_FINDING, f);
	}
	if ((len != f->len || memcmp(data, f->input, len) != 0) &&
		(f->count & (f->count - 1)) == 0)
		store_put_more(e->store, f->folder, data, len);
	if ((f->count & (f->count - 1)) == 0)
		record_save_json(e, f);
	if (e->settings.stop_on_crash && e->crash_minimizing == NULL)
		engine_stop(e, END_CRASH);
}

/* A failing seed under --stop-on-crash ends the run; nothing is written. */
static bool
on_failing_seed(struct engine *e, const struct worker_result *r,
	const struct corpus_entry *parent)
{
	char text[ERROR_TEXT_MAX];

	if (!e->settings.stop_on_crash || r->job->kind != JOB_WARMUP ||
		parent == NULL || !parent->is_seed)
		return false;
	lines_print(e, "failure while testing seed corpus entry: %s/%s",
		e->target_name,
		parent->index < e->labels_n ? e->labels[parent->index]
					    : parent->name);
	e->found = true;
	e->fatal_status = EXIT_FOUND;
	text_clean_string(r->failure.text, text, sizeof(text));
	error_set(&e->fatal, E_TARGET, "%s", text);
	engine_stop(e, END_SEED);
	return true;
}

void
triage_on_failure(struct engine *e, struct slot *slot,
	const struct worker_result *r, struct corpus_entry *parent)
{
	const struct failure *failure = &r->failure;
	size_t other_len = 0;
	struct finding *f;
	uint8_t *other;

	(void)slot;
	if (failure->kind == FAILURE_MUTATOR) {
		mutator_on_failure(e, failure);
		return;
	}
	if (r->count > 0 && failure_is_suspect(failure->kind)) {
		suspect_on_end(e, r);
		return;
	}
	if (r->count == 0) {
		/* Nothing ran: no input is to blame. */
		lines_event(e, "worker", NULL,
			"a worker ended before it ran an input: %s",
			failure->text);
		return;
	}
	if (e->crash_minimizing != NULL || on_failing_seed(e, r, parent))
		return;
	f = triage_find_signature(e, failure_signature(failure));
	if (f != NULL) {
		see_again(e, f, r->candidate, r->candidate_len);
		return;
	}
	other = second_witness(e, r, parent, &other_len);
	if (other != NULL && other_len == r->candidate_len &&
		memcmp(other, r->candidate, other_len) == 0) {
		free(other);
		other = NULL;
	}
	add_finding(e, failure, r->candidate, r->candidate_len, other,
		other_len, r);
}

static void
swap_witnesses(struct finding *f)
{
	uint8_t *data = f->input;
	size_t len = f->len;

	f->input = f->other;
	f->len = f->other_len;
	f->other = data;
	f->other_len = len;
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
		swap_witnesses(f);
	else if (f->reproduced == 0 && f->other != NULL) {
		swap_witnesses(f);
		f->replays = 0;
		return true;
	}
	return false;
}

static void
finish_verify(struct engine *e, struct finding *f)
{
	if (try_other(e, f))
		return;
	f->state =
		f->reproduced == f->replays ? FINDING_CONFIRMED : FINDING_FLAKY;
	lines_event(e, "verified",
		json_pack("{s:s, s:i, s:i}", "finding", f->id, "reproduced",
			(int)f->reproduced, "replays", (int)f->replays),
		"%s reproduced %u of %u", f->folder, f->reproduced, f->replays);
	work_after_verify(e, f);
	record_save_json(e, f);
}

static void
finish_minimizing(struct engine *e, struct finding *f)
{
	f->work = WORK_NONE;
	record_save_json(e, f);
	if (e->crash_minimizing == f)
		engine_stop(e, END_CRASH);
}

static void
keep_minimized(struct engine *e, struct finding *f)
{
	store_put(e->store, f->folder, "minimized", f->minimized,
		f->minimized_len, NULL, NULL);
	lines_event(e, "minimized",
		json_pack("{s:s, s:I, s:I, s:I}", "finding", f->id, "len",
			(json_int_t)f->minimized_len, "was_len",
			(json_int_t)f->len, "tries",
			(json_int_t)f->minimize_tries),
		"%s minimized %zu -> %zu bytes, same failure", f->folder,
		f->len, f->minimized_len);
	record_report(e, REPORT_MINIMIZED, f);
	finish_minimizing(e, f);
}

static void
not_minimized(struct engine *e, struct finding *f, const char *why)
{
	lines_event(e, "minimized",
		json_pack("{s:s, s:b}", "finding", f->id, "failed", 1),
		"%s could not be minimized: %s", f->folder, why);
	finish_minimizing(e, f);
}

/* Minimized is only what fails again, from our own copy, in a fresh child. */
static void
on_final_replay(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	bool any = strcmp(e->settings.minimize_rule, "any-failure") == 0;

	f->final_replays++;
	if (r->failure.kind == f->failure.kind ||
		(any && r->failure.kind != FAILURE_NONE)) {
		record_save_report(e, f, r);
		keep_minimized(e, f);
		return;
	}
	if (f->final_replays < e->settings.verify)
		return; /* once more */
	free(f->minimized);
	f->minimized = NULL;
	f->minimized_len = 0;
	not_minimized(e, f, "the smaller input did not fail again");
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
		on_final_replay(e, f, r);
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

/* Its own words may be more exact than those of the first input. */
static bool
take_minimized(struct finding *f, const struct worker_result *r)
{
	if (r->best == NULL || r->best_len > f->len)
		return false;
	free(f->minimized);
	f->minimized = xmemdup(r->best, r->best_len > 0 ? r->best_len : 1);
	f->minimized_len = r->best_len;
	f->minimize_tries = r->tries;
	f->final_replays = 0;
	if (r->failure.kind == f->failure.kind)
		snprintf(f->failure.text, sizeof(f->failure.text), "%s",
			r->failure.text);
	return true;
}

/* Also after a stop: the best so far is kept, never the progress lost. */
void
triage_on_minimized(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	bool nothing_ran = r->lost && r->count == 0;

	if (!e->stopping && r->best == NULL &&
		(r->interrupted || nothing_ran)) {
		f->work = WORK_MINIMIZE; /* in another worker, then */
		return;
	}
	if (!take_minimized(f, r)) {
		not_minimized(e, f,
			r->interrupted || r->end == CALL_TIME
				? "there was no time"
				: "it did not fail again");
		return;
	}
	record_save_report(e, f, r);
	if (e->settings.verify > 0 && !e->stopping)
		f->work = WORK_FINAL;
	else
		keep_minimized(e, f);
}

/* The end: what nobody can look at any more is kept all the same. */
void
triage_finish(struct engine *e)
{
	struct finding *f;
	size_t i;

	for (i = 0; i < e->findings_n; i++) {
		f = e->findings[i];
		if (f->work == WORK_FINAL)
			keep_minimized(e, f);
		/* How often it was seen is written now and then only. */
		if (f->this_run)
			record_save_json(e, f);
	}
}

static bool
disk_trouble(const struct engine *e)
{
	struct writer_status writer;

	store_get_status(e->store, &writer);
	return writer.trouble != OK;
}

struct finding *
triage_next(struct engine *e, enum finding_work work)
{
	uint32_t i, busy;
	size_t n;

	for (n = 0; n < e->findings_n; n++) {
		struct finding *f = e->findings[n];

		if (f->work != work)
			continue;
		/* On disk before the first try, unless the disk is sick. */
		if (work == WORK_MINIMIZE && !f->answered && !f->announced &&
			!disk_trouble(e))
			continue;
		/* No more replays in flight than are still wanted. */
		for (i = busy = 0; i < e->slots_n; i++)
			if (e->slots[i].worker != NULL &&
				worker_job(e->slots[i].worker) != NULL &&
				worker_job(e->slots[i].worker)->owner == f)
				busy++;
		if (work == WORK_VERIFY &&
			f->replays + busy >= f->replays_wanted)
			continue;
		if (work != WORK_VERIFY && busy > 0)
			continue;
		return f;
	}
	return work == WORK_VERIFY ? suspect_next(e) : NULL;
}

void
triage_add_suspect(struct engine *e, const struct finding *suspect,
	const struct worker_result *r)
{
	struct finding *f =
		triage_find_signature(e, failure_signature(&r->failure));

	if (f != NULL)
		see_again(e, f, suspect->input, suspect->len);
	else
		add_finding(e, &r->failure, suspect->input, suspect->len, NULL,
			0, r);
}

struct finding *
triage_find(struct engine *e, const char *id)
{
	size_t i;

	for (i = 0; i < e->findings_n; i++)
		if (strcmp(e->findings[i]->id, id) == 0 ||
			strcmp(e->findings[i]->folder, id) == 0)
			return e->findings[i];
	return NULL;
}

void
triage_ignore(struct engine *e, struct finding *f)
{
	f->state =
		f->state == FINDING_IGNORED ? FINDING_KNOWN : FINDING_IGNORED;
	record_save_json(e, f);
}

bool
triage_busy(const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->findings_n; i++)
		if (e->findings[i]->work == WORK_VERIFY ||
			e->findings[i]->work == WORK_FINAL)
			return true;
	return e->on_probation_n > 0;
}

void
triage_clear(struct engine *e)
{
	size_t i;

	for (i = 0; i < e->findings_n; i++)
		finding_destroy(e->findings[i]);
	free(e->findings);
	e->findings = NULL;
	e->findings_n = 0;
	suspect_clear(e);
}
