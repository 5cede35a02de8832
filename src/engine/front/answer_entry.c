/*
 * answer_entry: the bytes and the lineage of an entry or a finding.
 *
 * Bytes that are not in memory are read from disk, as for a job: one file of at
 * most --max-len.
 */
#include <stdio.h>
#include <string.h>

#include "base/xmalloc.h"
#include "control/query.h"
#include "corpus/corpus.h"
#include "engine/front/answers.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/triage/triage.h"
#include "findings/finding.h"
#include "worker/inputs/input_text.h"

#define MINIMIZED "/min" /* finding's id + this: its minimized input */

enum status
answer_find(struct engine *e, const char *name, struct subject *subject,
	struct error *err)
{
	size_t len = strlen(name), suffix = strlen(MINIMIZED);
	char id[sizeof(((struct query *)0)->name)];

	*subject = (struct subject){ 0 };
	snprintf(id, sizeof(id), "%s", name);
	if (len > suffix && strcmp(name + len - suffix, MINIMIZED) == 0) {
		id[len - suffix] = '\0';
		subject->minimized = true;
	} else {
		subject->entry = corpus_find_name(engine_corpus(e), name);
	}
	if (subject->entry == NULL)
		subject->finding = triage_find(e, id);
	if (subject->entry == NULL && subject->finding == NULL)
		return error_set(err, E_NOT_FOUND,
			"there is no input or finding %s", name);
	if (subject->minimized && subject->finding->minimized == NULL)
		return error_set(err, E_NOT_FOUND, "%s is not minimized", id);
	return OK;
}

static enum status
entry_answer_subject_bytes(struct engine *e, const struct subject *subject,
	const uint8_t **data, size_t *len, struct error *err)
{
	const struct finding *f = subject->finding;

	if (subject->entry != NULL) {
		*len = subject->entry->len;
		return corpus_load(engine_corpus(e), subject->entry, data, err);
	}
	*data = subject->minimized ? f->minimized : f->input;
	*len = subject->minimized ? f->minimized_len : f->len;
	if (*data == NULL)
		return error_set(err, E_STATE, "its bytes are only on disk");
	return OK;
}

void
answer_put_bytes(const struct query *query, const void *data, size_t len,
	struct reply_entry *r)
{
	size_t n = (size_t)answer_count(query, len, QUERY_BYTES_MAX);

	r->len = len;
	r->first = query->first < len ? query->first : len;
	r->bytes.data = xmemdup((const uint8_t *)data + r->first, n);
	r->bytes.len = n;
}

static void
entry_answer_put_lineage(const struct engine *e,
	const struct corpus_entry *entry, struct reply_entry *r)
{
	r->lineage = xcalloc(QUERY_LINEAGE_MAX, sizeof(*r->lineage));
	for (; entry != NULL; entry = corpus_parent(engine_corpus(e), entry)) {
		if (r->lineage_n == QUERY_LINEAGE_MAX) {
			r->cut = true;
			return;
		}
		answer_row(e, entry, &r->lineage[r->lineage_n++]);
	}
}

enum status
answer_entry(struct engine *e, uint64_t id, const struct query *query,
	struct reply *reply, struct error *err)
{
	struct reply_entry *r = &reply->entry;
	const struct finding *f;
	struct subject subject;
	struct input_text text;
	const uint8_t *data;
	size_t len;

	if (answer_text(e, query, r))
		return OK;
	if (answer_find(e, query->name, &subject, err) != OK ||
		entry_answer_subject_bytes(e, &subject, &data, &len, err) != OK)
		return err->code;
	f = subject.finding;
	input_text_init(&text, program_types(e), data, len);
	answer_put_bytes(query, text.data, text.len, r);
	input_text_clear(&text);
	r->finding = f != NULL;
	if (f != NULL)
		snprintf(r->name, sizeof(r->name), "%s%s", f->id,
			subject.minimized ? MINIMIZED : "");
	else
		snprintf(r->name, sizeof(r->name), "%.16s",
			subject.entry->name);
	entry_answer_put_lineage(e,
		f != NULL ? corpus_get(engine_corpus(e), f->parent)
			  : subject.entry,
		r);
	return OK;
}
