/*
 * answer_coverage: the coverage, its modules, and the PC table; see
 * control/query.h.
 */
#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/query.h"
#include "engine/engine_over_state.h"
#include "engine/front/answers.h"
#include "engine/front/server.h"
#include "engine/functions/new_functions.h"
#include "engine/functions/pc_table_calls.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "worker/memory/campaign_memory.h"
#include "worker/pc_table.h"
#include "worker/target/replaced.h"

_Static_assert(PC_TABLE_MODULES_MAX <= QUERY_MODULES_MAX, "all fit one answer");
_Static_assert(TABLE_ENTRY == REPLY_PC_ENTRY, "the same number");

/* Leaves out the counters of the value profile behind those of code. */
static uint64_t
coverage_answer_counters_of_code(const struct campaign_memory *m)
{
	uint64_t n = m->head->counters;

	return m->profile_n > 0 && m->profile_base + m->profile_n == n
		? m->profile_base
		: n;
}

static void
answer_changes(const struct coverage_log *log, uint64_t since, size_t n,
	struct reply_coverage *c)
{
	const struct coverage_change *change;
	size_t i;

	c->changes = xcalloc(n + 1, sizeof(*c->changes));
	for (i = 0; i < n; i++) {
		change = coverage_log_get(log, since + 1 + i);
		c->changes[i] = (struct reply_change){
			.counter = change->counter,
			.bits = change->bits,
			.at_s = change->at_s,
		};
	}
	c->changes_n = n;
}

static void
answer_edges(const struct campaign_memory *m, const struct query *query,
	struct reply_coverage *c)
{
	uint32_t i,
		n = (uint32_t)answer_count(query, c->counters,
			QUERY_COUNTERS_MAX);

	c->whole = true;
	c->first = query->first;
	c->mask.data = xmalloc(n + 1);
	c->mask.len = n;
	for (i = 0; i < n; i++)
		c->mask.data[i] =
			campaign_memory_bits(m, (uint32_t)(query->first + i));
}

enum status
answer_coverage(struct engine *e, uint64_t id, const struct query *query,
	struct reply *reply, struct error *err)
{
	struct reply_coverage *c = &reply->coverage;
	const struct coverage_log *log = &engine_memory(e)->log;
	size_t n;

	c->revision = coverage_log_revision(log);
	c->counters = coverage_answer_counters_of_code(engine_memory(e));
	if (coverage_log_since(log, query->since, &n) && n <= QUERY_CHANGES_MAX)
		answer_changes(log, query->since, n, c);
	else
		answer_edges(engine_memory(e), query, c);
	c->reached = xcalloc(QUERY_NEW_FUNCTIONS_MAX, sizeof(*c->reached));
	c->reached_n = over_stats(e) != NULL
		? over_new_functions(e, c->reached)
		: new_functions_list(e, c->reached);
	return OK;
}

/*
 * Leaves out a path that cannot be sent unchanged: it would name another file.
 */
static void
coverage_answer_put_path(struct reply_module *to, const char *path)
{
	char clean[sizeof(to->path)];

	if (path == NULL || strlen(path) >= sizeof(to->path))
		return;
	text_clean_string(path, clean, sizeof(clean));
	if (strcmp(clean, path) == 0)
		memcpy(to->path, clean, sizeof(clean));
}

/* A query that waited for a PC table. */
static bool
coverage_answer_late(struct engine *e, uint64_t id, const struct query *query)
{
	if (server_is_behind(engine_server(e), id))
		return false;
	answers_take(e, id, query);
	return true;
}

void
answer_put_modules(const struct engine *e, struct reply_modules *all)
{
	const struct pc_table *table = pc_table_calls_table(e);
	uint32_t i;

	all->modules = xcalloc(table->n + 1, sizeof(*all->modules));
	for (i = 0; i < table->n; i++) {
		const struct pc_table_module *m = &table->modules[i];
		struct reply_module *to = &all->modules[i];

		if (m->path != NULL &&
			!target_is_replaced(program_info(e), m->path, m->id))
			coverage_answer_put_path(to, m->path);
		snprintf(to->id, sizeof(to->id), "%s", m->id);
		to->base = m->base;
		to->n = m->n;
	}
	all->modules_n = table->n;
}

enum status
answer_modules(struct engine *e, uint64_t id, const struct query *query,
	struct reply *reply, struct error *err)
{
	if (pc_table_calls_hold(e, id, query, coverage_answer_late))
		return E_BUSY;
	answer_put_modules(e, &reply->modules);
	return OK;
}

void
answer_put_pcs(const struct pc_table_module *m, const struct query *query,
	struct reply_pcs *p)
{
	uint64_t number;
	uint32_t i, n;

	n = (uint32_t)answer_count(query, m->known, QUERY_COUNTERS_MAX);
	p->module = query->module;
	p->first = query->first;
	p->n = m->n;
	p->pcs.len = n * sizeof(uint64_t);
	p->pcs.data = xmalloc(p->pcs.len + 1);
	for (i = 0; i < n; i++) {
		number = htole64(m->numbers[query->first + i]);
		memcpy(p->pcs.data + i * sizeof(number), &number,
			sizeof(number));
	}
}

enum status
answer_pcs(struct engine *e, uint64_t id, const struct query *query,
	struct reply *reply, struct error *err)
{
	const struct pc_table_module *m = NULL;

	if (query->module < pc_table_calls_table(e)->n)
		m = &pc_table_calls_table(e)->modules[query->module];
	if ((m == NULL || m->state != PC_TABLE_KNOWN) &&
		pc_table_calls_hold(e, id, query, coverage_answer_late))
		return E_BUSY;
	if (m == NULL)
		return error_set(err, E_RANGE, "there is no such module");
	if (m->known == 0)
		return error_set(err, E_STATE,
			m->state == PC_TABLE_NONE
				? "the target has no PC table"
				: "the target has not sent its PC table yet");
	answer_put_pcs(m, query, &reply->pcs);
	return OK;
}
