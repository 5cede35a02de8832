/*
 * pc_table_calls: asks workers for the PC table, once for each module.
 *
 * An idle worker is asked before it gets other work. The call executes nothing,
 * uses no random numbers, and takes less than a millisecond. Queries of a front
 * end that came before the answer wait here.
 */
#include "engine/functions/pc_table_calls.h"

#include "base/clock.h"
#include "engine/engine_end.h"
#include "engine/functions/pc_table_calls_private.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "worker/memory/campaign_memory.h"
#include "worker/pc_table.h"
#include "worker/worker.h"

#define PC_TABLE_CALLS_WAIT_NS \
	(3 * CLOCK_NS_PER_S) /* the most that a query waits */

static void
pc_table_call_add(struct engine *e, const struct counter_module *module)
{
	const struct campaign_head *head = engine_memory(e)->head;
	uint32_t i;

	for (i = 0; i < head->modules_n; i++)
		if (head->modules[i].key == module->key &&
			head->modules[i].n == module->n)
			pc_table_add(&engine_pc_tables(e)->table, module->key,
				module->n, head->modules[i].base);
}

void
pc_table_calls_add_modules(struct engine *e,
	const struct counter_module *modules, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		pc_table_call_add(e, &modules[i]);
}

bool
pc_table_calls_next(struct engine *e, struct job *job)
{
	struct pc_table_module *m;

	if (engine_draining(e))
		return false;
	m = pc_table_next(&engine_pc_tables(e)->table, clock_now_ns());
	if (m == NULL)
		return false;
	job_ask_table(job, m);
	return true;
}

static bool
pc_table_call_answer(struct engine *e, struct pc_table_call_query *waiting)
{
	struct pc_table_call_query query = *waiting;
	bool answered;

	waiting->since_ns = 0;
	engine_pc_tables(e)->answering = true;
	answered = query.answer(e, query.id, &query.query);
	engine_pc_tables(e)->answering = false;
	if (!answered)
		*waiting = query;
	return answered;
}

/* Whether a query should wait. */
static bool
pc_table_calls_wanting(const struct engine *e, uint64_t since_ns)
{
	bool able = !engine_paused(e) && !engine_stopping(e) &&
		!engine_draining(e) && !engine_ended(e);

	return able &&
		(!pool_any_ready(e) ||
			pc_table_outstanding(&engine_pc_tables(e)->table)) &&
		clock_now_ns() - since_ns < PC_TABLE_CALLS_WAIT_NS;
}

void
pc_table_calls_tick(struct engine *e)
{
	struct pc_table_call_query *waiting = engine_pc_tables(e)->queries;
	uint32_t i;

	for (i = 0; i < PC_TABLE_CALL_QUERIES_MAX; i++)
		if (waiting[i].since_ns != 0 &&
			!pc_table_calls_wanting(e, waiting[i].since_ns) &&
			!pc_table_call_answer(e, &waiting[i]))
			return;
}

bool
pc_table_calls_hold(struct engine *e, uint64_t id, const struct query *query,
	pc_table_calls_answer_fn *answer)
{
	uint64_t now = clock_now_ns();
	uint32_t i;

	if (engine_pc_tables(e)->answering || !pc_table_calls_wanting(e, now))
		return false;
	for (i = 0; i < PC_TABLE_CALL_QUERIES_MAX; i++) {
		if (engine_pc_tables(e)->queries[i].since_ns != 0)
			continue;
		engine_pc_tables(e)->queries[i] = (struct pc_table_call_query){
			.id = id,
			.since_ns = now,
			.query = *query,
			.answer = answer,
		};
		return true;
	}
	return false;
}

const struct pc_table_module *
pc_table_calls_take(struct engine *e, const struct worker_result *r,
	uint32_t *from)
{
	struct pc_table_module *m = job_owner_module(&r->job);

	*from = m->known;
	pc_table_take(m, r->job.first, r->table, r->pcs, program_info(e),
		program_folder(e), clock_now_ns());
	return m;
}

struct pc_table *
pc_table_calls_table(const struct engine *e)
{
	return &engine_pc_tables(e)->table;
}
