/*
 * dedup: finds the finding that a failure belongs to.
 *
 * A known stack hash is looked up at once. A failure with a new hash becomes a
 * finding at once, on disk and in the list; its stack hash is its bucket until
 * its names are known. The names then give the final bucket. If another finding
 * has that bucket, the new one is merged into it: counts, stack hashes and
 * input move there, and its folder is removed. Only the announcement waits for
 * names. Late names lead to a late dedup_merge.
 *
 * A target that fails differently each time fills the tables. From then on, all
 * new failures of a kind share one bucket.
 */
#include "engine/triage/dedup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/messages.h"
#include "engine/pool.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/record.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_sequence.h"
#include "findings/bucket.h"

#define DEDUP_ASKS_MAX 16u

/* A question for the bucket of a failure that has no finding. */
struct bucket_ask {
	struct engine *engine;
	struct failure failure;
	bucket_done_fn *done;
	void *arg;
};

static struct finding *
dedup_find_bucket(const struct engine *e, uint64_t bucket)
{
	size_t i;

	for (i = 0; i < e->findings.n; i++)
		if (e->findings.list[i]->bucket == bucket)
			return e->findings.list[i];
	return NULL;
}

static bool
dedup_is_full(const struct engine *e)
{
	return e->findings.n >= FINDINGS_MAX ||
		stack_hashes_full(&e->dedup.hashes);
}

struct finding *
triage_of_signature(struct engine *e, uint64_t signature)
{
	uint64_t bucket;

	return stack_hashes_find(&e->dedup.hashes, signature, &bucket)
		? dedup_find_bucket(e, bucket)
		: NULL;
}

struct finding *
dedup_find(struct engine *e, const struct failure *failure)
{
	struct finding *f = triage_of_signature(e, failure_signature(failure));

	if (f == NULL && dedup_is_full(e))
		f = dedup_find_bucket(e, bucket_overflow(failure->kind));
	return f;
}

static void
dedup_say_full(struct engine *e)
{
	char text[160];

	if (e->dedup.overflow_said)
		return;
	e->dedup.overflow_said = true;
	snprintf(text, sizeof(text),
		"too many findings (%zu, in %u places): from now on, "
		"new ones of a kind are one finding",
		e->findings.n, e->dedup.hashes.n);
	message_warn(e, "findings", text);
}

static struct finding *
dedup_create_overflow(struct engine *e, const struct failure *failure,
	uint64_t signature)
{
	uint64_t bucket = bucket_overflow(failure->kind);
	struct finding *f = finding_create(failure, bucket);

	dedup_say_full(e);
	f->signature = signature;
	f->bucket = bucket;
	f->overflow = f->settled = true;
	snprintf(f->folder, sizeof(f->folder), "%s/others-%s-%08x",
		finding_folder(failure->kind), failure_kind_name(failure->kind),
		(unsigned)(bucket ^ (bucket >> 32)));
	return f;
}

struct finding *
dedup_create(struct engine *e, const struct failure *failure)
{
	uint64_t signature = failure_signature(failure), bucket = signature;
	struct finding *f;

	if (dedup_is_full(e))
		return dedup_create_overflow(e, failure, signature);
	f = finding_create(failure, signature);
	if (!stack_hashes_find(&e->dedup.hashes, signature, &bucket))
		(void)stack_hashes_put(&e->dedup.hashes, signature, signature);
	f->bucket = bucket;
	return f;
}

void
dedup_renew(struct engine *e, struct finding *f, const struct failure *failure)
{
	uint64_t signature = failure_signature(failure), bucket = signature;

	finding_identify(f, failure, signature);
	if (!stack_hashes_find(&e->dedup.hashes, signature, &bucket))
		(void)stack_hashes_put(&e->dedup.hashes, signature, signature);
	f->bucket = bucket;
}

/* ---- merging ---- */

static void
dedup_unlist(struct engine *e, const struct finding *f)
{
	size_t i = 0;

	while (e->findings.list[i] != f)
		i++;
	e->findings.n--;
	memmove(&e->findings.list[i], &e->findings.list[i + 1],
		(e->findings.n - i) * sizeof(*e->findings.list));
}

/* Takes a finding off the list. It stays in memory: the writer and timers may
 * still refer to it. */
static void
dedup_retire(struct engine *e, struct finding *take_finding,
	struct finding *into)
{
	dedup_unlist(e, take_finding);
	take_finding->merged = into;
	take_finding->work = WORK_NONE;
	take_finding->held = false;
	minimize_tasks_drop(take_finding);
	triage_drop_sequence(take_finding);
	e->dedup.merged = xreallocarray(e->dedup.merged, e->dedup.merged_n + 1,
		sizeof(*e->dedup.merged));
	e->dedup.merged[e->dedup.merged_n++] = take_finding;
	if (e->findings.crash_minimizing == take_finding)
		e->findings.crash_minimizing = NULL;
}

static void
dedup_add_counts(struct finding *into, const struct finding *f)
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

static void
dedup_merge(struct engine *e, struct finding *f, struct finding *into)
{
	bool again = f->this_run && !into->this_run;

	stack_hashes_move(&e->dedup.hashes, f->bucket, into->bucket);
	dedup_add_counts(into, f);
	dedup_retire(e, f, into);
	store_merge(e->store, f->folder, into->folder, f->input, f->len);
	triage_note_build(e, into, f->input, f->len);
	finding_shed(f);
	message_event(e, "merged",
		json_pack("{s:s, s:s, s:s}", "finding", f->id, "into", into->id,
			"folder", into->folder),
		"%s is the same as %s", f->folder, into->folder);
	into->this_run |= f->this_run;
	if (again)
		record_report_again(e, into);
	record_save_json(e, into);
	if (e->settings.stop_on_crash && into->verdict != VERDICT_IGNORED &&
		e->findings.crash_minimizing == NULL && !e->end.stopping)
		engine_stop(e, END_CRASH);
}

/* ---- findings of older versions ---- */

/* The innermost symbol of the innermost frame; NULL: unknown. */
static const struct symbol *
dedup_first_symbol(const struct finding *f)
{
	return f->names != NULL && f->names->n > 0 && f->names->at[0].n > 0
		? &f->names->at[0].symbols[0]
		: NULL;
}

/*
 * Format 1 had no frames for an exit. For cfuzz_fail() it had the address after
 * the call.
 */
static bool
dedup_is_older_form(const struct finding *old, const struct finding *f)
{
	const struct symbol *a = dedup_first_symbol(old),
			    *b = dedup_first_symbol(f);

	if (!old->older || old->failure.kind != f->failure.kind ||
		strcmp(old->failure.what, f->failure.what) != 0)
		return false;
	if (old->failure.kind == FAILURE_EXIT)
		return old->failure.frames_n == 0;
	if (old->failure.kind != FAILURE_ERROR || old->failure.frames_n == 0 ||
		f->failure.frames_n == 0)
		return false;
	if (old->failure.frames[0].offset == f->failure.frames[0].offset + 1)
		return true;
	return a != NULL && b != NULL &&
		strcmp(a->function, b->function) == 0 &&
		strcmp(a->file, b->file) == 0 &&
		(a->line == 0 || a->line == b->line + 1);
}

/* Updates a finding of an older format, if f matches one, and returns it. */
static struct finding *
dedup_renew_older(struct engine *e, const struct finding *f, uint64_t bucket)
{
	struct finding *old;
	size_t i = 0;

	while (i < e->findings.n &&
		!dedup_is_older_form(e->findings.list[i], f))
		i++;
	if (i == e->findings.n)
		return NULL;
	old = e->findings.list[i];
	old->older = false;
	memcpy(old->failure.frames, f->failure.frames,
		sizeof(old->failure.frames));
	old->failure.frames_n = f->failure.frames_n;
	symbols_answer_destroy(old->names);
	old->names = names_copy(&f->failure, f->names);
	memcpy(old->where, f->where, sizeof(old->where));
	stack_hashes_move(&e->dedup.hashes, old->bucket, bucket);
	old->bucket = bucket;
	return old;
}

bool
dedup_settle(struct engine *e, struct finding *f)
{
	struct finding *other;
	uint64_t bucket;

	if (f->settled)
		return false;
	f->settled = true;
	bucket = bucket_identity(&f->failure, f->names);
	other = dedup_find_bucket(e, bucket);
	if (other == NULL && pool_jobs_of(e, f) == 0)
		other = dedup_renew_older(e, f, bucket);
	if (other != NULL && other != f) {
		/* A worker still uses the finding: dedup_tick() tries again. */
		f->settled = pool_jobs_of(e, f) == 0;
		if (f->settled)
			dedup_merge(e, f, other);
		return f->settled;
	}
	if (bucket != f->bucket)
		stack_hashes_move(&e->dedup.hashes, f->bucket, bucket);
	f->bucket = bucket;
	return false;
}

void
dedup_tick(struct engine *e)
{
	size_t i;

	for (i = 0; i < e->findings.n; i++)
		if (!e->findings.list[i]->settled &&
			!e->findings.list[i]->naming &&
			!e->findings.list[i]->unasked &&
			!e->findings.list[i]->held &&
			dedup_settle(e, e->findings.list[i]))
			return; /* the list has changed: go on next time */
}

/* ---- earlier runs ---- */

static void
dedup_resume_signatures(struct engine *e, const struct finding *f,
	const json_t *info)
{
	const char *id = json_string_value(json_object_get(info, "build_id"));
	const json_t *list = json_object_get(info, "signatures");
	const char *text;
	uint64_t signature;
	size_t i;

	/* Another build has other code at these addresses. */
	if (id != NULL && strcmp(id, e->target.info.id) != 0)
		return;
	if (f->signature != 0)
		(void)stack_hashes_put(&e->dedup.hashes, f->signature,
			f->bucket);
	for (i = 0; i < json_array_size(list); i++) {
		text = json_string_value(json_array_get(list, i));
		signature = text != NULL ? strtoull(text, NULL, 16) : 0;
		if (signature != 0)
			(void)stack_hashes_put(&e->dedup.hashes, signature,
				f->bucket);
	}
}

void
dedup_resume(struct engine *e, struct finding *f, const json_t *info)
{
	const json_t *named = json_object_get(info, "named");

	f->failure.stack_full =
		json_is_true(json_object_get(info, "stack_full"));
	f->older = json_integer_value(json_object_get(info, "format")) <
		FINDING_FORMAT;
	f->overflow = json_is_true(json_object_get(info, "overflow"));
	f->settled = f->overflow || !json_is_false(named);
	if (f->overflow)
		f->bucket = bucket_overflow(f->failure.kind);
	else if (f->settled)
		f->bucket = bucket_identity(&f->failure, f->names);
	else
		f->bucket = f->signature;
	if (!f->overflow)
		dedup_resume_signatures(e, f, info);
	f->lineage = json_incref(json_object_get(info, "lineage"));
	/* That run ended before the names were known. */
	f->unasked = !f->settled;
	f->late = true;
}

/* ---- buckets without findings ---- */

bool
bucket_known(const struct engine *e, uint64_t signature, uint64_t *bucket)
{
	const struct finding *f;

	if (!stack_hashes_find(&e->dedup.hashes, signature, bucket))
		return false;
	f = dedup_find_bucket(e, *bucket);
	return f == NULL || f->settled;
}

static uint64_t
dedup_note_bucket(struct engine *e, const struct failure *failure,
	const struct symbols_answer *names)
{
	uint64_t signature = failure_signature(failure), bucket;

	if (bucket_known(e, signature, &bucket))
		return bucket;
	bucket = bucket_identity(failure, names);
	/* A finding that waits for its names moves its stack hash itself. */
	if (dedup_find_bucket(e, signature) == NULL)
		(void)stack_hashes_put(&e->dedup.hashes, signature, bucket);
	return bucket;
}

static void
dedup_on_bucket(void *arg, struct symbols_answer *take_answer)
{
	struct bucket_ask *ask = arg;
	struct engine *e = ask->engine;
	uint64_t bucket = dedup_note_bucket(e, &ask->failure, take_answer);
	size_t i = 0;

	while (e->dedup.asks[i] != ask)
		i++;
	e->dedup.asks[i] = e->dedup.asks[--e->dedup.asks_n];
	symbols_answer_destroy(take_answer);
	ask->done(ask->arg, bucket);
	free(ask);
}

bool
bucket_ask(struct engine *e, const struct failure *failure,
	bucket_done_fn *done, void *arg)
{
	struct bucket_ask *ask;
	uint64_t bucket;

	if (e->dedup.asks_n == DEDUP_ASKS_MAX ||
		bucket_known(e, failure_signature(failure), &bucket))
		return false;
	ask = xcalloc(1, sizeof(*ask));
	*ask = (struct bucket_ask){ e, *failure, done, arg };
	if (!names_ask(e->naming.names, failure, pool_process(e),
		    dedup_on_bucket, ask)) {
		(void)dedup_note_bucket(e, failure, NULL);
		free(ask);
		return false;
	}
	e->dedup.asks = xreallocarray(e->dedup.asks, e->dedup.asks_n + 1,
		sizeof(struct bucket_ask *));
	e->dedup.asks[e->dedup.asks_n++] = ask;
	return true;
}

void
dedup_clear(struct engine *e)
{
	while (e->dedup.merged_n > 0)
		finding_destroy(e->dedup.merged[--e->dedup.merged_n]);
	free(e->dedup.merged);
	e->dedup.merged = NULL;
	while (e->dedup.asks_n > 0)
		free(e->dedup.asks[--e->dedup.asks_n]);
	free(e->dedup.asks);
	e->dedup.asks = NULL;
	stack_hashes_clear(&e->dedup.hashes);
}
