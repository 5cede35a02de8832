/*
 * mutation_origin: when an input arrives, logs how it was made. At that time
 * the parent's bytes are still in memory as the child had them.
 */
#include "engine/triage/mutation_origin.h"

#include "corpus/corpus.h"
#include "corpus/energy.h"
#include "engine/parts.h"
#include "findings/finding.h"
#include "worker/campaign_memory.h"
#include "worker/mutation_log.h"
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
	const struct mutation_log *trail =
		mutation_logs_find(engine_mutation_logs(e), parent->index);
	bool old = arena != MEMORY_NO_ENTRY && arena != parent->arena;
	struct mutation_log_step last = { .op = 0 };

	*origin = (struct origin){ .parent_n = trail != NULL ? trail->n : 0 };
	if (origin->parent_n > 0)
		mutation_log_get(trail, origin->parent_n - 1, &last);
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

/* Makes the mutation log of `replay`, whose start is filled in here. */
static struct mutation_log *
origin_make_trail(struct engine *e, struct replay *replay, uint32_t arena,
	struct corpus_entry *parent, const uint8_t *bytes, size_t len)
{
	struct origin origin;
	struct mutation_log *trail;

	origin_find(e, arena, parent, &origin);
	replay->parent = origin.data;
	replay->parent_len = origin.len;
	trail = origin.data != NULL ? mutation_log_make(replay, bytes, len)
				    : mutation_log_unknown();
	trail->parent_n = origin.parent_n;
	return trail;
}

void
mutation_origin_note_find(struct engine *e, const struct corpus_entry *entry,
	struct corpus_entry *parent, const struct job *job,
	const struct find *find)
{
	const struct find_record *record = &find->record;
	struct replay replay = {
		.trail = find->mutations,
		.n = record->mutations_n,
		.literals = find->literals,
		.literals_n = record->literals_n,
		.cap = job->cap,
	};
	struct mutation_log *trail;

	if (parent == NULL || parent->index == entry->index)
		return;
	replay.sources = campaign_memory_sources(engine_memory(e),
		record->partner, record->dict_len);
	trail = origin_make_trail(e, &replay, record->parent, parent,
		find->bytes, record->len);
	trail->partner = origin_index_of(e, record->partner);
	mutation_logs_put(engine_mutation_logs(e), entry->index, trail);
}

void
mutation_origin_note_finding(struct engine *e, struct finding *f,
	const struct worker_result *r, struct corpus_entry *parent)
{
	const struct mutation_stack *chain = &r->chain;
	struct replay replay = {
		.trail = chain->trail,
		.n = chain->n,
		.literals = chain->literals,
		.literals_n = chain->literals_n,
		.cap = r->job.cap,
	};
	uint32_t arena = chain->parent;

	if (parent == NULL)
		return;
	/* A minimizer's try has no mutation stack. */
	if (r->job.kind != JOB_FUZZ) {
		replay.n = 0;
		arena = MEMORY_NO_ENTRY;
	}
	replay.sources = campaign_memory_sources(engine_memory(e),
		chain->partner, chain->words_n);
	f->parent = parent->index;
	f->trail =
		origin_make_trail(e, &replay, arena, parent, f->input, f->len);
	f->trail->partner = origin_index_of(e, chain->partner);
}
