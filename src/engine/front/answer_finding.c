/*
 * answer_finding: details of a finding beyond its row in the snapshot.
 *
 * All but the report is in memory. The report is read from disk on request, one
 * piece at a time.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/query.h"
#include "corpus/corpus.h"
#include "engine/front/answers.h"
#include "engine/front/commands.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/triage/rerun.h"
#include "findings/finding.h"
#include "findings/names.h"
#include "shared/values/tuple.h"
#include "store/store.h"
#include "store/store_finding.h"

static void
finding_answer_put_symbol(const struct symbol *s, struct reply_frame *to)
{
	text_clean_string(s->function, to->function, sizeof(to->function));
	text_clean_string(s->path[0] != '\0' ? s->path : s->file, to->file,
		sizeof(to->file));
	to->line = s->line;
}

/* A frame of the stack and the functions it is inlined into. */
static void
finding_answer_put_frame(const struct finding *f, uint32_t i,
	struct reply_finding *r)
{
	const struct failure_frame *frame = &f->failure.frames[i];
	const struct symbols_at *at =
		f->names != NULL && i < f->names->n ? &f->names->at[i] : NULL;
	uint32_t k = 0;

	do {
		struct reply_frame *to = &r->frames[r->frames_n];

		if (r->frames_n == QUERY_FRAMES_MAX)
			return;
		to->depth = i;
		to->offset = frame->offset;
		text_clean_string(frame->module, to->module,
			sizeof(to->module));
		to->library = names_is_library(&f->failure, f->names, i, k);
		if (at != NULL && k < at->n)
			finding_answer_put_symbol(&at->symbols[k], to);
		r->frames_n++;
	} while (at != NULL && ++k < at->n);
}

static void
finding_answer_put_frames(const struct finding *f, struct reply_finding *r)
{
	uint32_t i;

	r->frames = xcalloc(QUERY_FRAMES_MAX, sizeof(*r->frames));
	for (i = 0; i < f->failure.frames_n; i++)
		finding_answer_put_frame(f, i, r);
}

/* The report may be missing; the rest is sent all the same. */
static void
finding_answer_put_report(const struct engine *e, const struct finding *f,
	const struct query *query, struct reply_finding *r)
{
	struct store_piece part = { .first = query->first,
		.max = query->count < QUERY_BYTES_MAX ? query->count
						      : QUERY_BYTES_MAX };
	size_t n;

	if (f->report != NULL) { /* waits for the names of its frames */
		n = (size_t)answer_count(query, f->report_len, QUERY_BYTES_MAX);
		r->report_len = f->report_len;
		r->first = query->first < f->report_len ? query->first
							: f->report_len;
		r->report.data = xmemdup(f->report + r->first, n);
		r->report.len = n;
		return;
	}
	if (!store_read_part(engine_store(e), f->folder, "report.txt", &part))
		return;
	r->report.data = part.data;
	r->report.len = part.len;
	r->report_len = part.total;
	r->first = part.first < part.total ? part.first : part.total;
}

enum status
answer_finding(struct engine *e, uint64_t id, const struct query *query,
	struct reply *reply, struct error *err)
{
	const struct finding *f = command_find_finding(e, query->name, err);
	struct reply_finding *r = &reply->finding;
	const struct corpus_entry *parent;
	char text[RERUN_MAX];

	if (f == NULL)
		return err->code;
	snprintf(r->name, sizeof(r->name), "%s", f->id);
	snprintf(r->note, sizeof(r->note), "%s", f->note);
	rerun_command(e, f, true, text, sizeof(text));
	if (strlen(text) < sizeof(r->command))
		text_clean_string(text, r->command, sizeof(r->command));
	rerun_path(e, f->folder, text, sizeof(text));
	text_clean_string(text, r->path, sizeof(r->path));
	parent = corpus_get(engine_corpus(e), f->parent);
	if (parent != NULL)
		snprintf(r->parent, sizeof(r->parent), "%.16s", parent->name);
	r->inputs = store_more(engine_store(e), f->folder);
	r->sequence = f->sequence_n;
	r->typed = program_types(e)->n > 0;
	finding_answer_put_frames(f, r);
	finding_answer_put_report(e, f, query, r);
	return OK;
}
