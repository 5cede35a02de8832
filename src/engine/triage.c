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
	struct words words = campaign_memory_words(&e->memory);
	size_t parent_len = 0;
	const uint8_t *data;

	if (r->chain.words_n < words.n)
		words.n = r->chain.words_n;
	if (r->candidate_raw || parent == NULL)
		return NULL;
	/* The arena first: the entry may have been minimized since. */
	data = campaign_memory_entry(&e->memory, r->job->arena, &parent_len);
	if (data == NULL) {
		if (corpus_load(e->corpus, parent, &data, NULL) != OK)
			return NULL;
		parent_len = parent->len;
	}
	return chain_rebuild(data, parent_len, r->chain.rand, r->chain.n,
		r->job->cap, &words, NULL, len);
}

static json_t *
trail_json(const struct worker_result *r)
{
	json_t *steps = json_array();
	uint32_t i;

	for (i = 0; !r->candidate_raw && i < r->chain.n; i++)
		json_array_append_new(steps,
			json_pack("{s:s, s:I, s:I}", "op",
				mutate_name(r->chain.trail[i].op), "offset",
				(json_int_t)r->chain.trail[i].offset, "len",
				(json_int_t)r->chain.trail[i].len));
	return steps;
}

static json_t *
rerun_json(const struct engine *e, const struct finding *f)
{
	char path[2 * PATH_MAX], quoted[2][2 * PATH_MAX];

	text_clean_string(e->target_path, path, sizeof(path));
	text_quote(path, quoted[0], sizeof(quoted[0]));
	text_clean_string(e->output_path, path, sizeof(path) / 2);
	snprintf(path + strlen(path), sizeof(path) - strlen(path), "/%s/input",
		f->folder);
	text_quote(path, quoted[1], sizeof(quoted[1]));
	return json_sprintf("cfuzz repro %s %s", quoted[0], quoted[1]);
}

static json_t *
finding_json(const struct engine *e, const struct finding *f)
{
	char what[FAILURE_WHAT_MAX * 4], text[FAILURE_TEXT_MAX];

	text_clean_string(f->failure.what, what, sizeof(what));
	text_clean_string(f->failure.text, text, sizeof(text));
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:f, s:f, s:I, "
			 "s:I, s:i, s:i, s:o, s:o*}",
		"id", f->id, "kind", failure_kind_name(f->failure.kind), "what",
		what, "where", f->where, "text", text, "state",
		finding_state_name(f->state), "count", (json_int_t)f->count,
		"first_s", f->first_s, "last_s", f->last_s, "len",
		(json_int_t)f->len, "minimized_len",
		(json_int_t)f->minimized_len, "replays", (int)f->replays,
		"reproduced", (int)f->reproduced, "frames",
		names_frames(&f->failure, f->names), "command",
		rerun_json(e, f));
}

static void
save_json(struct engine *e, const struct finding *f)
{
	json_t *json = finding_json(e, f);

	if (json == NULL)
		return;
	store_put_json(e->store, f->folder, "crash.json", json, NULL, NULL);
	json_decref(json);
}

static void
report_finding(struct engine *e, enum report_kind kind, const struct finding *f)
{
	struct snapshot_finding view = { 0 };
	struct report report = { .kind = kind, .finding = &view };

	view_finding(e, f, &view);
	e->report(e->report_arg, &report);
}

static const char *
finding_event(enum failure_kind kind)
{
	switch (kind) {
	case FAILURE_HANG:
	case FAILURE_STOPPED:
		return "hang";
	case FAILURE_OOM:
		return "oom";
	case FAILURE_LEAK:
		return "leak";
	default:
		return "crash";
	}
}

static void
announce(struct engine *e, struct finding *f)
{
	char text[256];

	text_clean_string(f->failure.what, text, sizeof(text));
	lines_event(e, finding_event(f->failure.kind),
		json_pack("{s:s, s:s, s:s, s:s, s:I}", "finding", f->id,
			"folder", f->folder, "what", text, "where", f->where,
			"len", (json_int_t)f->len),
		"%s%s%s   new   %zu B", text, f->where[0] != '\0' ? " in " : "",
		f->where, f->len);
	report_finding(e, REPORT_FINDING, f);
	f->announced = true;
}

/* A failure that nobody reported in words: what we know of it. */
static char *
plain_report(const struct failure *failure)
{
	char text[FAILURE_TEXT_MAX], module[FAILURE_MODULE_MAX];
	char *report, *longer;
	uint32_t i;

	text_clean_string(failure->text, text, sizeof(text));
	report = xasprintf("%s\n", text);
	for (i = 0; i < failure->frames_n; i++) {
		text_clean_string(failure->frames[i].module, module,
			sizeof(module));
		longer = xasprintf("%s    #%u %s+0x%llx\n", report, i, module,
			(unsigned long long)failure->frames[i].offset);
		free(report);
		report = longer;
	}
	return report;
}

/* With the names of the frames, if they are known. */
static void
put_report(struct engine *e, const struct finding *f, const char *report,
	size_t len)
{
	char *stack = names_stack(&f->failure, f->names), *all;
	size_t stack_len = stack != NULL ? strlen(stack) : 0;

	all = xmalloc(len + stack_len + 1);
	memcpy(all, report, len);
	if (stack != NULL)
		memcpy(all + len, stack, stack_len);
	store_put(e->store, f->folder, "report.txt", all, len + stack_len, NULL,
		NULL);
	free(all);
	free(stack);
}

static void
save_report(struct engine *e, struct finding *f, const struct worker_result *r)
{
	char *report;
	size_t len = r->report_len;

	if (r->report != NULL && len > 0) {
		report = xmemdup(r->report, len);
	} else {
		if (r->failure.kind == FAILURE_NONE)
			return;
		report = plain_report(&r->failure);
		len = strlen(report);
	}
	put_report(e, f, report, len);
	free(f->report);
	f->report = NULL;
	if (f->naming) {
		/* Written again when the names are there. */
		f->report = report;
		f->report_len = len;
		return;
	}
	free(report);
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
		announce(e, f);
	pool_wake(e);
}

void
triage_on_named(struct engine *e, struct finding *f, bool news)
{
	if (news) {
		save_json(e, f);
		if (f->report != NULL)
			put_report(e, f, f->report, f->report_len);
		free(f->report);
		f->report = NULL;
	}
	if (!f->held)
		return;
	f->held = false;
	if (f->answered && !f->announced)
		announce(e, f);
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

static void
adopt(struct engine *e, struct finding *f)
{
	e->findings = xreallocarray(e->findings, e->findings_n + 1,
		sizeof(*e->findings));
	e->findings[e->findings_n++] = f;
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
	adopt(e, f);
	e->found = true;
	f->owner = e;
	store_claim(e->store, wanted, f->folder);
	store_put(e->store, f->folder, "input", data, len, on_saved, f);
	if (f->other != NULL)
		store_put_more(e->store, f->folder, f->other, f->other_len);
	naming_start(e, f);
	save_report(e, f, r);
	save_json(e, f);
	/* The disk takes its own time, and a seed shall always tell the same. */
	if (e->settings.deterministic)
		announce(e, f);
	lines_event(e, "lineage",
		json_pack("{s:s, s:o}", "finding", f->id, "trail",
			trail_json(r)),
		NULL);
	if (e->settings.stop_on_crash) {
		e->crash_minimizing = f;
		schedule_drop_minimizations(e);
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
		report_finding(e, REPORT_FINDING, f);
	}
	if ((len != f->len || memcmp(data, f->input, len) != 0) &&
		(f->count & (f->count - 1)) == 0)
		store_put_more(e->store, f->folder, data, len);
	if ((f->count & (f->count - 1)) == 0)
		save_json(e, f);
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
	save_json(e, f);
}

static void
finish_minimizing(struct engine *e, struct finding *f)
{
	f->work = WORK_NONE;
	save_json(e, f);
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
	report_finding(e, REPORT_MINIMIZED, f);
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
		save_report(e, f, r);
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
	save_report(e, f, r);
	if (e->settings.verify > 0 && !e->stopping)
		f->work = WORK_FINAL;
	else
		keep_minimized(e, f);
}

/* The end: what nobody can look at any more is kept all the same. */
void
triage_finish(struct engine *e)
{
	size_t i;

	for (i = 0; i < e->findings_n; i++)
		if (e->findings[i]->work == WORK_FINAL)
			keep_minimized(e, e->findings[i]);
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
		if (work == WORK_MINIMIZE && !f->announced && !disk_trouble(e))
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
	save_json(e, f);
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

static uint32_t
resume_number(const json_t *info, const char *name)
{
	json_int_t n = json_integer_value(json_object_get(info, name));

	return n < 0 || n > UINT32_MAX ? 0 : (uint32_t)n;
}

/* What an earlier run found is known, and seen again it counts again. */
static void
resume_bucket(struct engine *e, const struct store_bucket *bucket)
{
	struct failure failure = { 0 };
	const char *id, *kind, *what, *where = "", *text = "", *state = "";
	struct symbols_answer *names;
	struct finding *f;
	json_int_t count = 0;
	double first = 0, last = 0;

	if (bucket->info == NULL || !bucket->has_input ||
		json_unpack(bucket->info,
			"{s:s, s:s, s:s, s?s, s?s, s?s, s?I, s?F, s?F}", "id",
			&id, "kind", &kind, "what", &what, "where", &where,
			"text", &text, "state", &state, "count", &count,
			"first_s", &first, "last_s", &last) != 0)
		return;
	failure.kind = failure_kind_parse(kind);
	if (failure.kind == FAILURE_NONE)
		return;
	snprintf(failure.what, sizeof(failure.what), "%s", what);
	snprintf(failure.text, sizeof(failure.text), "%s", text);
	names = names_parse(&failure, json_object_get(bucket->info, "frames"));
	f = finding_create(&failure, strtoull(id, NULL, 16));
	f->names = names;
	snprintf(f->folder, sizeof(f->folder), "%s", bucket->folder);
	snprintf(f->where, sizeof(f->where), "%s", where);
	f->state = finding_state_parse(state);
	if (f->state == FINDING_NEW || f->state == FINDING_CONFIRMED)
		f->state = FINDING_KNOWN;
	f->count = (uint64_t)count;
	f->replays = resume_number(bucket->info, "replays");
	f->reproduced = resume_number(bucket->info, "reproduced");
	f->first_s = first;
	f->last_s = last;
	f->on_disk = f->announced = true;
	f->owner = e;
	if (store_read(e->store, f->folder, "input", e->memory.head->max_len,
		    &f->input, &f->len, NULL) != OK) {
		finding_destroy(f);
		return;
	}
	if (bucket->has_minimized &&
		store_read(e->store, f->folder, "minimized",
			e->memory.head->max_len, &f->minimized,
			&f->minimized_len, NULL) != OK)
		f->minimized_len = 0;
	adopt(e, f);
}

void
triage_resume(struct engine *e)
{
	const struct store_past *past = store_past(e->store);
	size_t i;

	for (i = 0; i < past->buckets_n; i++)
		resume_bucket(e, &past->buckets[i]);
	e->suspects = past->suspects;
	e->past_s = past->elapsed_s;
}
