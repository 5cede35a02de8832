/*
 * answer_mutation_log: the mutations that made an input, parent by parent.
 *
 * Steps are filled in from the end of the answer towards its beginning, so the
 * newest are always there. The answer tells whether older steps are missing.
 */
#include <stdio.h>
#include <string.h>

#include "base/xmalloc.h"
#include "control/query.h"
#include "corpus/corpus.h"
#include "engine/corpus/load.h"
#include "engine/front/answers.h"
#include "engine/parts.h"
#include "findings/finding.h"
#include "worker/inputs/mutation_log.h"

#define GENERATIONS_MAX 65536u /* the most that are followed */

/* The mutations that made one entry or finding. */
struct link {
	char name[sizeof(((struct reply_mutation *)0)->entry)];
	const struct corpus_entry *parent;
	const struct mutation_log *log; /* NULL: none is kept */
	uint32_t n;                     /* the first steps, which count here */
	uint32_t generation;
};

/* The place of the next step. */
struct writer_of_steps {
	struct engine *engine;
	struct reply_mutation_log *reply;
	size_t free; /* places still free, before the filled ones */
};

/* The first reason is kept: it concerns the step nearest to the query. */
static void
log_say_why(struct reply_mutation_log *r, const char *name, const char *why)
{
	if (r->why[0] == '\0')
		snprintf(r->why, sizeof(r->why), "%.6s: %s", name, why);
}

static void
log_fill_step(const struct engine *e, const struct link *link,
	const struct mutation_log_step *step, struct reply_mutation *to)
{
	const struct corpus_entry *partner = link->log == NULL
		? NULL
		: corpus_get(engine_corpus(e), link->log->partner);

	to->minimized = step->op == MUTATION_LOG_MINIMIZED;
	snprintf(to->entry, sizeof(to->entry), "%s", link->name);
	if (link->parent != NULL)
		snprintf(to->parent, sizeof(to->parent), "%.16s",
			link->parent->name);
	if (partner != NULL && !to->minimized)
		snprintf(to->partner, sizeof(to->partner), "%.16s",
			partner->name);
	snprintf(to->op, sizeof(to->op), "%s", mutation_log_op_name(step->op));
	to->generation = link->generation;
	to->offset = step->offset;
	to->len_before = step->len_before;
	to->len_after = step->len_after;
	to->part_before = step->part_before;
	to->part_after = step->part_after;
	to->before_n = step->before_n;
	to->after_n = step->after_n;
	memcpy(to->before, step->before, step->before_n);
	memcpy(to->after, step->after, step->after_n);
}

static void
log_put_step(struct writer_of_steps *w, const struct link *link,
	const struct mutation_log_step *step)
{
	if (w->free == 0)
		w->reply->cut = true;
	else
		log_fill_step(w->engine, link, step,
			&w->reply->steps[--w->free]);
}

static void
log_put_link(struct writer_of_steps *w, const struct link *link)
{
	struct mutation_log_step step;
	uint32_t i;

	if (link->log == NULL)
		return;
	for (i = link->n < link->log->n ? link->n : link->log->n;
		i > 0 && !w->reply->cut; i--) {
		mutation_log_get(link->log, i - 1, &step);
		log_put_step(w, link, &step);
	}
}

static void
log_link_of_entry(const struct engine *e, const struct corpus_entry *entry,
	uint32_t n, struct link *link)
{
	*link = (struct link){
		.parent = corpus_parent(engine_corpus(e), entry),
		.log = mutation_logs_find(engine_mutation_logs(e),
			entry->index),
		.n = n,
		.generation = entry->generation,
	};
	snprintf(link->name, sizeof(link->name), "%.16s", entry->name);
}

/* Reports gaps in the log of an entry. */
static void
log_say_gaps(const struct engine *e, const struct corpus_entry *entry,
	const struct link *link, struct reply_mutation_log *r)
{
	if (entry->is_resumed && link->parent == NULL && link->log == NULL)
		log_say_why(r, entry->name,
			entry->generation > 0
				? "its parents are no longer in the corpus"
				: "the journal does not contain its mutations");
	else if (link->parent != NULL && link->log == NULL &&
		mutation_logs_dropped(engine_mutation_logs(e), entry->index))
		log_say_why(r, entry->name,
			"its mutations are no longer stored");
	else if (link->parent != NULL &&
		(link->log == NULL || !link->log->whole))
		log_say_why(r, entry->name,
			"replaying the mutations gave other bytes");
}

/* From an entry, with the first n of its steps, back to its start. */
static void
log_put_ancestors(struct writer_of_steps *w, const struct corpus_entry *entry,
	uint32_t n)
{
	struct reply_mutation_log *r = w->reply;
	struct link link;
	uint32_t i;

	for (i = 0; entry != NULL && !r->cut; i++) {
		if (i == GENERATIONS_MAX) {
			r->cut = true;
			break;
		}
		log_link_of_entry(w->engine, entry, n, &link);
		log_say_gaps(w->engine, entry, &link, r);
		log_put_link(w, &link);
		entry = link.parent;
		n = link.log != NULL ? link.log->parent_n : UINT32_MAX;
	}
}

static void
log_put_finding(struct writer_of_steps *w, const struct subject *subject)
{
	const struct finding *f = subject->finding;
	struct link link = {
		.parent = corpus_get(engine_corpus(w->engine), f->parent),
		.log = f->log,
		.n = UINT32_MAX,
	};
	struct mutation_log_step step;

	snprintf(link.name, sizeof(link.name), "%s", f->id);
	if (link.parent != NULL)
		link.generation = link.parent->generation + 1;
	if (subject->minimized && f->input == NULL) {
		log_say_why(w->reply, f->id, "its bytes are only on disk");
	} else if (subject->minimized) {
		mutation_log_compare(MUTATION_LOG_MINIMIZED, f->input, f->len,
			f->minimized, f->minimized_len, &step);
		log_put_step(w, &link, &step);
	}
	if (link.parent == NULL)
		log_say_why(w->reply, f->id,
			f->lineage != NULL
				? "its parent is no longer in the corpus"
				: f->origin[0] != '\0'
				? f->origin
				: "its parent is unknown");
	else if (f->log == NULL || !f->log->whole || f->swapped)
		log_say_why(w->reply, f->id,
			"replaying the mutations gave other bytes");
	if (!f->swapped)
		log_put_link(w, &link);
	if (link.parent != NULL)
		log_put_ancestors(w, link.parent,
			f->log != NULL ? f->log->parent_n : UINT32_MAX);
}

enum status
answer_mutation_log(struct engine *e, uint64_t id, const struct query *query,
	struct reply *reply, struct error *err)
{
	struct reply_mutation_log *r = &reply->mutation_log;
	struct writer_of_steps w = { .engine = e, .reply = r };
	struct subject subject;

	if (answer_find(e, query->name, &subject, err) != OK)
		return err->code;
	if (subject.finding != NULL && load_is_reading(e))
		return error_set(err, E_STATE, "the inputs are still read");
	r->steps = xcalloc(QUERY_MUTATIONS_MAX, sizeof(*r->steps));
	w.free = QUERY_MUTATIONS_MAX;
	if (subject.finding != NULL) {
		log_put_finding(&w, &subject);
		snprintf(r->name, sizeof(r->name), "%s%s", subject.finding->id,
			subject.minimized ? "/min" : "");
	} else {
		log_put_ancestors(&w, subject.entry, UINT32_MAX);
		snprintf(r->name, sizeof(r->name), "%.16s",
			subject.entry->name);
	}
	if (r->cut)
		log_say_why(r, r->name,
			"the log has more mutations than can be shown");
	r->complete = r->why[0] == '\0';
	r->steps_n = QUERY_MUTATIONS_MAX - w.free;
	memmove(r->steps, r->steps + w.free, r->steps_n * sizeof(*r->steps));
	return OK;
}
