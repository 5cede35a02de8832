/*
 * triage_resume: what earlier runs found, read from the output directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/engine_private.h"

static uint32_t
resume_number(const json_t *info, const char *name)
{
	json_int_t n = json_integer_value(json_object_get(info, name));

	return n < 0 || n > UINT32_MAX ? 0 : (uint32_t)n;
}

static void
resume_tried(struct finding *f, const json_t *info)
{
	const char *tried = json_string_value(json_object_get(info, "tried"));

	if (tried != NULL)
		snprintf(f->tried, sizeof(f->tried), "%s", tried);
}

/* What an earlier run found is known, and seen again it counts again. */
static void
resume_bucket(struct engine *e, const struct store_bucket *bucket)
{
	struct failure failure = { 0 };
	const char *id, *kind, *what, *where = "", *text = "", *state = "";
	const char *note = "";
	struct symbols_answer *names;
	struct finding *f;
	json_int_t count = 0;
	double first = 0, last = 0;

	if (bucket->info == NULL || !bucket->has_input ||
		json_unpack(bucket->info,
			"{s:s, s:s, s:s, s?s, s?s, s?s, s?I, s?F, s?F, s?s}",
			"id", &id, "kind", &kind, "what", &what, "where",
			&where, "text", &text, "state", &state, "count", &count,
			"first_s", &first, "last_s", &last, "note", &note) != 0)
		return;
	failure.kind = failure_kind_parse(kind);
	if (failure.kind == FAILURE_NONE)
		return;
	snprintf(failure.what, sizeof(failure.what), "%s", what);
	snprintf(failure.text, sizeof(failure.text), "%s", text);
	names = names_parse(&failure, json_object_get(bucket->info, "frames"));
	f = finding_create(&failure, strtoull(id, NULL, 16));
	f->names = names;
	identity_resume(e, f, bucket->info);
	snprintf(f->folder, sizeof(f->folder), "%s", bucket->folder);
	snprintf(f->where, sizeof(f->where), "%s", where);
	f->state = finding_state_parse(state);
	if (f->state == FINDING_NEW || f->state == FINDING_CONFIRMED)
		f->state = FINDING_KNOWN;
	text_clean_string(note, f->note, sizeof(f->note));
	f->count = (uint64_t)count;
	f->replays = resume_number(bucket->info, "replays");
	f->reproduced = resume_number(bucket->info, "reproduced");
	f->sequence_n = resume_number(bucket->info, "sequence");
	resume_tried(f, bucket->info);
	f->first_s = first;
	f->last_s = last;
	f->on_disk = f->answered = f->announced = true;
	f->owner = e;
	if (store_read_input(e->store, f->folder, "input",
		    e->memory.head->max_len, &f->input, &f->len, NULL) != OK) {
		finding_destroy(f);
		return;
	}
	if (bucket->has_minimized &&
		store_read_input(e->store, f->folder, "minimized",
			e->memory.head->max_len, &f->minimized,
			&f->minimized_len, NULL) != OK)
		f->minimized_len = 0;
	finding_measure(f, &store_past(e->store)->types);
	triage_adopt(e, f);
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
