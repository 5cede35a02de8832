/*
 * dedup: finds the finding that a failure belongs to.
 *
 * A known stack hash is looked up at once. A failure with a new hash becomes a
 * finding at once, on disk and in the list; its stack hash is its bucket until
 * its names are known. The names then give the final bucket. If another finding
 * has that bucket, the new one is merged into it: counts, stack hashes and
 * input move there, and its folder is removed (triage_step.c). Snapshots,
 * announcement and replays wait for names. Late names lead to a late merge.
 *
 * A target that fails differently each time fills the tables. From then on, all
 * new failures of a kind share one bucket.
 */
#include "engine/triage/dedup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "control/json_text.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/triage/dedup_private.h"
#include "engine/triage/findings_list.h"
#include "findings/bucket.h"
#include "findings/finding.h"
#include "findings/names.h"
#include "findings/stack_hash.h"
#include "worker/target/elf.h"

/* A question for the bucket of a failure that has no finding. */
static struct finding *
dedup_find_bucket(const struct engine *e, uint64_t bucket)
{
	size_t i;

	for (i = 0; i < findings_count(e); i++)
		if (findings_at(e, i)->bucket == bucket)
			return findings_at(e, i);
	return NULL;
}

static bool
dedup_is_full(const struct engine *e)
{
	return findings_count(e) >= DEDUP_FINDINGS_MAX ||
		stack_hashes_full(&engine_dedup(e)->hashes);
}

struct finding *
dedup_find_stack_hash(struct engine *e, uint64_t stack_hash)
{
	uint64_t bucket;

	return stack_hashes_find(&engine_dedup(e)->hashes, stack_hash, &bucket)
		? dedup_find_bucket(e, bucket)
		: NULL;
}

struct finding *
dedup_find(struct engine *e, const struct failure *failure)
{
	struct finding *f =
		dedup_find_stack_hash(e, failure_stack_hash(failure));

	if (f == NULL && dedup_is_full(e))
		f = dedup_find_bucket(e, bucket_overflow(failure->kind));
	return f;
}

static void
dedup_say_full(struct engine *e)
{
	char text[160];

	if (engine_dedup(e)->overflow_said)
		return;
	engine_dedup(e)->overflow_said = true;
	snprintf(text, sizeof(text),
		"too many findings (%zu, in %u places): from now on, "
		"new ones of a kind are one finding",
		findings_count(e), engine_dedup(e)->hashes.n);
	message_warn(e, "findings", text);
}

/* Makes a finding, which is on no list yet, the one of all further failures of
 * its kind. */
static void
dedup_make_overflow(struct engine *e, struct finding *f)
{
	const struct failure failure = f->failure;
	uint64_t bucket = bucket_overflow(failure.kind);
	uint64_t stack_hash = f->stack_hash;

	dedup_say_full(e);
	finding_identify(f, &failure, bucket);
	f->stack_hash = stack_hash;
	f->bucket = bucket;
	snprintf(f->folder, sizeof(f->folder), "%s/others-%s-%08x",
		failure_class(failure.kind)->folder,
		failure_kind_name(failure.kind),
		(unsigned)(bucket ^ (bucket >> 32)));
}

/* Another bug of an earlier build may have failed at the same addresses. */
static void
dedup_make_id_unique(const struct engine *e, struct finding *f)
{
	uint64_t id = f->stack_hash;

	while (findings_find(e, f->id) != NULL)
		snprintf(f->id, sizeof(f->id), "%016llx",
			(unsigned long long)++id);
}

struct finding *
dedup_create(struct engine *e, const struct failure *failure)
{
	uint64_t stack_hash = failure_stack_hash(failure), bucket = stack_hash;
	struct finding *f;

	f = finding_create(failure, stack_hash);
	if (dedup_is_full(e)) {
		dedup_make_overflow(e, f);
		return f;
	}
	dedup_make_id_unique(e, f);
	(void)stack_hashes_find(&engine_dedup(e)->hashes, stack_hash, &bucket);
	f->bucket = bucket;
	return f;
}

/* The finding is on no list yet. */
static void
dedup_renew(struct engine *e, struct finding *f, const struct failure *failure)
{
	uint64_t stack_hash = failure_stack_hash(failure), bucket = stack_hash;

	finding_identify(f, failure, stack_hash);
	dedup_make_id_unique(e, f);
	(void)stack_hashes_find(&engine_dedup(e)->hashes, stack_hash, &bucket);
	f->bucket = bucket;
}

void
dedup_add_stack_hash(struct engine *e, const struct finding *f,
	uint64_t stack_hash)
{
	if (!finding_is_overflow(f))
		(void)stack_hashes_put(&engine_dedup(e)->hashes, stack_hash,
			f->bucket);
}

struct finding *
dedup_find_again(struct engine *e, struct finding *f,
	const struct failure *again, bool alone)
{
	struct finding *known;

	/* A hang in a minimization has no stack. */
	if (f->failure.frames_n == 0 && again->frames_n > 0)
		dedup_renew(e, f, again);
	known = dedup_find(e, &f->failure);
	/* On a busy machine the first stack may show a function that returns. */
	if (known == NULL && alone && again->frames_n > 0 &&
		again->kind == f->failure.kind)
		known = dedup_find(e, again);
	/* The tables may have filled since it became a suspect. */
	if (known == NULL && dedup_is_full(e))
		dedup_make_overflow(e, f);
	return known;
}

/* Keeps a merged finding in memory: the writer and timers may still refer to
 * it. */
void
dedup_keep_merged(struct engine *e, struct finding *take_finding,
	struct finding *into)
{
	struct dedup *dedup = engine_dedup(e);

	stack_hashes_move(&dedup->hashes, take_finding->bucket, into->bucket);
	take_finding->merged = into;
	dedup->merged = xreallocarray(dedup->merged, dedup->merged_n + 1,
		sizeof(*dedup->merged));
	dedup->merged[dedup->merged_n++] = take_finding;
}

struct finding *
dedup_find_merged(const struct engine *e, const char *id)
{
	const struct dedup *dedup = engine_dedup(e);
	size_t i;

	for (i = 0; i < dedup->merged_n; i++)
		if (strcmp(dedup->merged[i]->id, id) == 0 ||
			strcmp(dedup->merged[i]->folder, id) == 0)
			return finding_merged(dedup->merged[i]);
	return NULL;
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

	while (i < findings_count(e) &&
		!dedup_is_older_form(findings_at(e, i), f))
		i++;
	if (i == findings_count(e))
		return NULL;
	old = findings_at(e, i);
	old->older = false;
	memcpy(old->failure.frames, f->failure.frames,
		sizeof(old->failure.frames));
	old->failure.frames_n = f->failure.frames_n;
	symbols_answer_destroy(old->names);
	old->names = names_copy(&f->failure, f->names);
	memcpy(old->where, f->where, sizeof(old->where));
	stack_hashes_move(&engine_dedup(e)->hashes, old->bucket, bucket);
	old->bucket = bucket;
	return old;
}

bool
dedup_settle(struct engine *e, struct finding *f, struct finding **into)
{
	bool idle = pool_jobs_of(e, f) == 0;
	uint64_t bucket = bucket_identity(&f->failure, f->names);
	struct finding *other;

	*into = NULL;
	if (finding_is_overflow(f))
		return true;
	other = dedup_find_bucket(e, bucket);
	if (other == NULL && idle)
		other = dedup_renew_older(e, f, bucket);
	if (other != NULL && other != f) {
		*into = other;
		return idle;
	}
	if (bucket != f->bucket)
		stack_hashes_move(&engine_dedup(e)->hashes, f->bucket, bucket);
	f->bucket = bucket;
	return true;
}

/* ---- earlier runs ---- */

/* Another build has other code at these addresses. */
static bool
dedup_is_of_another_build(const struct engine *e, const json_t *info)
{
	const char *id = json_text_get(info, "build_id");

	return id != NULL && strcmp(id, program_info(e)->build) != 0;
}

static void
dedup_resume_stack_hashes(struct engine *e, const struct finding *f,
	const json_t *info)
{
	const json_t *list = json_object_get(info, "signatures");
	const char *text;
	uint64_t stack_hash;
	size_t i;

	if (dedup_is_of_another_build(e, info))
		return;
	if (f->stack_hash != 0)
		(void)stack_hashes_put(&engine_dedup(e)->hashes, f->stack_hash,
			f->bucket);
	for (i = 0; i < json_array_size(list); i++) {
		text = json_string_value(json_array_get(list, i));
		stack_hash = text != NULL ? strtoull(text, NULL, 16) : 0;
		if (stack_hash != 0)
			(void)stack_hashes_put(&engine_dedup(e)->hashes,
				stack_hash, f->bucket);
	}
}

void
dedup_resume(struct engine *e, struct finding *f, const json_t *info)
{
	bool overflow = json_is_true(json_object_get(info, "overflow"));
	/* The names in another build would be those of other code. */
	bool unnamed = json_is_false(json_object_get(info, "named"));
	bool named = !unnamed || dedup_is_of_another_build(e, info);

	f->unnamed = unnamed;
	f->failure.stack_full =
		json_is_true(json_object_get(info, "stack_full"));
	f->older = json_integer_value(json_object_get(info, "format")) <
		FINDING_FORMAT;
	if (overflow)
		f->bucket = bucket_overflow(f->failure.kind);
	else if (named)
		f->bucket = bucket_identity(&f->failure, f->names);
	else
		f->bucket = f->stack_hash;
	if (!overflow)
		dedup_resume_stack_hashes(e, f, info);
	f->lineage = json_incref(json_object_get(info, "lineage"));
	/* If that run ended before the names were known, this run asks. */
	if (overflow || named)
		finding_move_naming(f, NAMING_DONE);
}

void
dedup_clear(struct engine *e)
{
	struct dedup *dedup = engine_dedup(e);

	while (dedup->merged_n > 0)
		finding_destroy(dedup->merged[--dedup->merged_n]);
	free(dedup->merged);
	dedup->merged = NULL;
	stack_hashes_clear(&dedup->hashes);
}

size_t
dedup_stack_hashes(const struct engine *e, uint64_t bucket, uint64_t *list,
	size_t room)
{
	return stack_hashes_list(&engine_dedup(e)->hashes, bucket, list, room);
}
