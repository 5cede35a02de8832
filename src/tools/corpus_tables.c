/* corpus_tables: see corpus_tables.h. */
#include "tools/corpus_tables.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "control/query.h"
#include "coverage/coverage_map.h"

void
corpus_tables_add(struct corpus_tables *t)
{
	const struct campaign_head *head = t->runner->memory.head;

	for (uint32_t i = 0; i < head->modules_n; i++)
		pc_table_add(&t->table, head->modules[i].key,
			head->modules[i].n, head->modules[i].base);
}

void
corpus_tables_note_late(struct corpus_tables *t, uint32_t slot)
{
	corpus_tables_add(t);
	for (uint32_t i = 0; i < t->table.n; i++)
		if (t->table.modules[i].state == PC_TABLE_WANTED)
			t->ask[slot] |= 1ull << i;
}

/* The modules in this state among those to ask this worker about, as bits. */
static uint64_t
tables_to_ask(const struct corpus_tables *t, uint32_t slot,
	enum pc_table_state state)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < t->table.n; i++)
		if (t->table.modules[i].state == state)
			bits |= 1ull << i;
	return bits & t->ask[slot];
}

bool
corpus_tables_is_held(const struct corpus_tables *t, uint32_t slot)
{
	return tables_to_ask(t, slot, PC_TABLE_WANTED) == 0 &&
		tables_to_ask(t, slot, PC_TABLE_ASKED) != 0;
}

bool
corpus_tables_next_of(struct corpus_tables *t, uint32_t slot, struct job *job)
{
	uint64_t wanted = tables_to_ask(t, slot, PC_TABLE_WANTED);
	struct pc_table_module *m;

	/* A module that another worker is asked about stays: that worker may
	 * not know it. */
	t->ask[slot] = wanted | tables_to_ask(t, slot, PC_TABLE_ASKED);
	if (wanted == 0)
		return false;
	m = &t->table.modules[__builtin_ctzll(wanted)];
	(void)pc_table_ask(m);
	job_ask_table(job, m);
	return true;
}

bool
corpus_tables_await(const struct corpus_tables *t)
{
	for (uint32_t i = 0; i < t->runner->workers_n; i++)
		if (t->ask[i] != 0)
			return true;
	return false;
}

void
corpus_tables_take(struct corpus_tables *t, uint32_t slot,
	const struct worker_result *r)
{
	struct pc_table_module *m = job_owner_module(&r->job), before = *m;
	uint64_t bit = 1ull << (m - t->table.modules);
	bool meant = (t->ask[slot] & bit) != 0;

	pc_table_take(m, r->job.first, r->table, r->pcs, &t->runner->target,
		t->runner->config->folder, clock_now_ns());
	if (m->known > before.known)
		return;
	/* It does not know it, or not any more. Only the questions that any
	 * worker may answer count as tries. */
	t->ask[slot] &= ~bit;
	if (meant && m->state == PC_TABLE_WANTED) {
		m->tries = before.tries;
		m->ask_ns = before.ask_ns;
	}
}

bool
corpus_tables_next(struct corpus_tables *t, struct job *job)
{
	struct pc_table_module *m;

	corpus_tables_add(t);
	m = pc_table_next(&t->table, clock_now_ns());
	if (m == NULL)
		return false;
	job_ask_table(job, m);
	return true;
}

/* A module that gives no table does not tell its file either: it is named as
 * the target. */
static void
corpus_tables_put_modules(const struct corpus_tables *t,
	struct coverage_map *map)
{
	const struct query query = { .kind = QUERY_MODULES };
	struct reply reply = { .kind = QUERY_MODULES };
	struct reply_module *to;

	reply.modules.modules =
		xcalloc(t->table.n + 1, sizeof(*reply.modules.modules));
	reply.modules.modules_n = t->table.n;
	for (uint32_t i = 0; i < t->table.n; i++) {
		const struct pc_table_module *m = &t->table.modules[i];
		const char *path =
			m->path != NULL ? m->path : t->runner->target.path;

		to = &reply.modules.modules[i];
		if (strlen(path) < sizeof(to->path))
			snprintf(to->path, sizeof(to->path), "%s", path);
		snprintf(to->id, sizeof(to->id), "%s", m->id);
		to->base = m->base;
		to->n = m->n;
	}
	coverage_map_reply(map, &query, &reply);
	reply_clear(&reply);
}

static void
corpus_tables_put_one(const struct corpus_tables *t, struct coverage_map *map,
	uint32_t index)
{
	const struct pc_table_module *m = &t->table.modules[index];
	const struct query query = { .kind = QUERY_PCS, .module = index };
	struct reply reply = { .kind = QUERY_PCS };
	struct reply_pcs *p = &reply.pcs;

	if (m->known == 0)
		return;
	p->module = index;
	p->n = m->n;
	p->pcs.len = (size_t)m->known * sizeof(uint64_t);
	p->pcs.data = xmalloc(p->pcs.len);
	for (size_t i = 0; i < p->pcs.len; i++)
		p->pcs.data[i] = (uint8_t)(m->numbers[i / 8] >> 8 * (i % 8));
	coverage_map_reply(map, &query, &reply);
	p->first = m->known; /* an empty piece ends the table */
	p->pcs.len = 0;
	coverage_map_reply(map, &query, &reply);
	reply_clear(&reply);
}

void
corpus_tables_put(const struct corpus_tables *t, struct coverage_map *map)
{
	corpus_tables_put_modules(t, map);
	for (uint32_t i = 0; i < t->table.n; i++)
		corpus_tables_put_one(t, map, i);
}
