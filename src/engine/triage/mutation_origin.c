/*
 * mutation_origin: when an input arrives, logs how it was made. At that time
 * the parent's bytes are still in memory as the child had them.
 */
#include "engine/triage/mutation_origin.h"

#include <stdio.h>

#include "corpus/corpus.h"
#include "corpus/energy.h"
#include "engine/parts.h"
#include "findings/finding.h"
#include "worker/inputs/mutation_log.h"
#include "worker/memory/campaign_memory.h"
#include "worker/worker.h"

/* The start of a mutation stack. */
struct origin {
	const uint8_t *data; /* NULL: the bytes are unavailable */
	size_t len;
	uint32_t parent_n; /* see struct mutation_log */
};

/* The parent may have been trimmed since: its former place in the arena still
 * has the old bytes. */
static void
origin_find(struct engine *e, uint32_t arena, struct corpus_entry *parent,
	struct origin *origin)
{
	const struct mutation_log *log =
		mutation_logs_find(engine_mutation_logs(e), parent->index);
	bool old = arena != MEMORY_NO_ENTRY && arena != parent->arena;
	struct mutation_log_step last = { .op = 0 };

	*origin = (struct origin){ .parent_n = log != NULL ? log->n : 0 };
	if (origin->parent_n > 0)
		mutation_log_get(log, origin->parent_n - 1, &last);
	if (old && last.op == MUTATION_LOG_MINIMIZED)
		origin->parent_n--;
	origin->data =
		campaign_memory_entry(engine_memory(e), arena, &origin->len);
	if (origin->data != NULL)
		return;
	if (corpus_load(engine_corpus(e), parent, &origin->data, NULL) == OK)
		origin->len = parent->len;
	else
		origin->data = NULL;
}

static uint32_t
origin_index_of(const struct engine *e, uint32_t arena)
{
	const struct corpus_entry *entry =
		energy_owner(engine_energy(e), arena);

	return entry != NULL ? entry->index : CORPUS_NONE;
}

/* Makes the mutation log of `replay`, whose start is filled in here; NULL: how
 * the bytes were made is not known. */
static struct mutation_log *
origin_make_log(struct engine *e, struct replay *replay, uint32_t arena,
	struct corpus_entry *parent, const uint8_t *bytes, size_t len)
{
	struct origin origin;
	struct mutation_log *log;

	origin_find(e, arena, parent, &origin);
	if (origin.data == NULL) {
		log = mutation_log_unknown();
	} else if (replay == NULL) {
		log = mutation_log_difference(origin.data, origin.len, bytes,
			len);
	} else {
		replay->parent = origin.data;
		replay->parent_len = origin.len;
		log = mutation_log_make(replay, bytes, len);
	}
	log->parent_n = origin.parent_n;
	return log;
}

void
mutation_origin_note_input(struct engine *e, const struct corpus_entry *entry,
	struct corpus_entry *parent, const struct job *job,
	const struct ring_input *input)
{
	const struct ring_record *record = &input->record;
	struct replay replay = {
		.mutations = input->mutations,
		.n = record->mutations_n,
		.literals = input->literals,
		.literals_n = record->literals_n,
		.cap = job->cap,
	};
	struct mutation_log *log;

	if (parent == NULL || parent->index == entry->index)
		return;
	replay.sources = campaign_memory_sources(engine_memory(e),
		record->partner, record->dict_len);
	log = origin_make_log(e, &replay, record->parent, parent, input->bytes,
		record->len);
	log->partner = origin_index_of(e, record->partner);
	mutation_logs_put(engine_mutation_logs(e), entry->index, log);
}

/* The work on another finding came upon it. */
static void
origin_note_work(struct finding *f, const struct job *job)
{
	const struct finding *other = job_owner_finding(job);

	if (other != NULL)
		snprintf(f->origin, sizeof(f->origin), "found by %s of %.6s",
			job->kind == JOB_MINIMIZE_FAILURE ? "the minimization"
							  : "a replay",
			other->id);
}

void
mutation_origin_note_finding(struct engine *e, struct finding *f,
	const struct worker_result *r, struct corpus_entry *parent)
{
	const struct mutation_stack *stack = &r->stack;
	struct replay replay = {
		.mutations = stack->mutations,
		.n = stack->n,
		.literals = stack->literals,
		.literals_n = stack->literals_n,
		.cap = r->job.cap,
	};
	uint32_t arena = stack->parent;

	if (parent == NULL) {
		origin_note_work(f, &r->job);
		return;
	}
	/* A seed and a minimizer's try have no mutation stack. */
	if (r->job.kind != JOB_FUZZ) {
		replay.n = 0;
		arena = MEMORY_NO_ENTRY;
	}
	replay.sources = campaign_memory_sources(engine_memory(e),
		stack->partner, stack->words_n);
	f->parent = parent->index;
	f->log = origin_make_log(e,
		r->job.kind == JOB_MINIMIZE_COVERAGE ? NULL : &replay, arena,
		parent, f->input, f->len);
	f->log->partner = origin_index_of(e, stack->partner);
}
