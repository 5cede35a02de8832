/*
 * finding_details: members of crash.json that are not shown at once: dedup,
 * build and time, the origin of the input, and the circumstances of the run.
 */
#include "engine/triage/finding_details.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "corpus/corpus.h"
#include "engine/corpus/load.h"
#include "engine/engine_end.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/triage/dedup.h"
#include "findings/bucket.h"
#include "findings/finding.h"
#include "store/raw_text.h"
#include "worker/inputs/mutation_log.h"
#include "worker/target/elf.h"
#include "worker/target/environment.h"

#define FINDING_DETAILS_STACK_HASHES 64u
#define FINDING_DETAILS_ANCESTORS 64u

static json_t *
details_hex_json(uint64_t number)
{
	return json_sprintf("%016" PRIx64, number);
}

static json_t *
details_stack_hashes_json(const struct engine *e, const struct finding *f)
{
	uint64_t list[FINDING_DETAILS_STACK_HASHES];
	size_t n = dedup_stack_hashes(e, f->bucket, list,
		FINDING_DETAILS_STACK_HASHES);
	json_t *json = json_array();
	size_t i;

	for (i = 0; i < n; i++)
		json_array_append_new(json, details_hex_json(list[i]));
	return json;
}

static void
details_put_text(json_t *json, const char *name, const char *text)
{
	char clean[4096];

	text_clean_string(text, clean, sizeof(clean));
	if (clean[0] != '\0')
		json_object_set_new(json, name, json_string(clean));
}

static void
details_put_identity(const struct engine *e, const struct finding *f,
	json_t *json)
{
	char key[BUCKET_KEY_SIZE];
	/* Its own build may still name it, or a newer one that fails. */
	bool unnamed =
		f->unnamed && strcmp(f->build, program_info(e)->build) != 0;

	bucket_key(&f->failure, f->names, key, sizeof(key));
	json_object_set_new(json, "bucket", details_hex_json(f->bucket));
	json_object_set_new(json, "identity", json_string(key));
	json_object_set_new(json, "named",
		json_boolean(finding_is_named(f) && !unnamed));
	if (finding_is_overflow(f))
		json_object_set_new(json, "overflow", json_true());
	if (f->failure.stack_full)
		json_object_set_new(json, "stack_full", json_true());
	json_object_set_new(json, "signatures",
		details_stack_hashes_json(e, f));
}

/* ---- origin of the input ---- */

static json_t *
details_steps_json(const struct mutation_log *log)
{
	json_t *steps = json_array();
	struct mutation_log_step step;
	uint32_t i;

	for (i = 0; i < log->n; i++) {
		mutation_log_get(log, i, &step);
		json_array_append_new(steps,
			json_pack("{s:s, s:I, s:I, s:I}", "op",
				mutation_log_op_name(step.op), "offset",
				(json_int_t)step.offset, "len_before",
				(json_int_t)step.len_before, "len_after",
				(json_int_t)step.len_after));
	}
	return steps;
}

/* The entries the finding descends from, nearest first, and their seed. */
static void
details_put_ancestors(const struct engine *e, const struct corpus_entry *entry,
	json_t *lineage)
{
	json_t *list = json_array();
	const struct corpus_entry *last = NULL;
	unsigned n;

	for (n = 0; entry != NULL && n < FINDING_DETAILS_ANCESTORS; n++) {
		json_array_append_new(list, json_sprintf("%.16s", entry->name));
		last = entry;
		entry = corpus_parent(engine_corpus(e), entry);
	}
	json_object_set_new(lineage, "entries", list);
	if (entry != NULL || last == NULL || !last->is_seed)
		return;
	details_put_text(lineage, "seed", load_label(e, last));
}

static void
details_put_lineage(const struct engine *e, const struct finding *f,
	json_t *json)
{
	const struct corpus_entry *parent =
		corpus_get(engine_corpus(e), f->parent);
	const struct corpus_entry *partner;
	json_t *lineage;

	/* The lineage of the run that found it is more complete. */
	if (f->lineage != NULL)
		json_object_set(json, "lineage", f->lineage);
	if (f->lineage != NULL || parent == NULL)
		return;
	lineage = json_object();
	details_put_ancestors(e, parent, lineage);
	if (f->log != NULL) {
		partner = corpus_get(engine_corpus(e), f->log->partner);
		if (partner != NULL)
			json_object_set_new(lineage, "partner",
				json_sprintf("%.16s", partner->name));
		json_object_set_new(lineage, "whole",
			json_boolean(f->log->whole));
		json_object_set_new(lineage, "steps",
			details_steps_json(f->log));
	}
	json_object_set_new(json, "lineage", lineage);
}

/* ---- */

static void
details_put_end(const struct finding *f, json_t *json)
{
	if (f->failure.signo > 0)
		json_object_set_new(json, "signal",
			json_integer(f->failure.signo));
	if (f->failure.kind == FAILURE_EXIT)
		json_object_set_new(json, "exit_status",
			json_integer(f->failure.exit_status));
}

void
finding_details_put(const struct engine *e, const struct finding *f,
	json_t *json)
{
	char options[4096];

	details_put_identity(e, f, json);
	details_put_end(f, json);
	/* A run that is killed tells nobody: the finding stays new. */
	if (f->is_new && (f->seen != SEEN_NOW || !engine_ended(e)))
		json_object_set_new(json, "untold", json_true());
	details_put_text(json, "first_at", f->first_at);
	details_put_text(json, "last_at", f->last_at);
	details_put_lineage(e, f, json);
	raw_text_put(json, "target", program_path(e));
	if (f->limits != NULL)
		json_object_set(json, "limits", f->limits);
	details_put_text(json, "build_id", f->build);
	details_put_text(json, "replays_build", f->replays_build);
	if (f->replays_before > 0) {
		json_object_set_new(json, "replays_before",
			json_integer(f->replays_before));
		json_object_set_new(json, "reproduced_before",
			json_integer(f->reproduced_before));
	}
	if (f->minimized != NULL)
		details_put_text(json, "minimized_build", f->minimized_build);
	details_put_text(json, "sanitizer", f->sanitizer);
	environment_describe(program_envp(e), program_sanitizer(e), options,
		sizeof(options));
	details_put_text(json, "options", options);
	details_put_text(json, "version", CFUZZ_VERSION);
	/*
	 * A finding of an older format keeps it until the finding occurs again.
	 */
	if (!f->older)
		json_object_set_new(json, "format",
			json_integer(FINDING_FORMAT));
}
