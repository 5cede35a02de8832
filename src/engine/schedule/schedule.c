/* schedule: see schedule.h. */
#include "engine/schedule/schedule.h"

#include <string.h>

#include "control/settings.h"
#include "corpus/queue.h"
#include "engine/engine_end.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/schedule/schedule_private.h"
#include "engine/statistics/counts.h"
#include "worker/worker.h"

bool
schedule_is_fifo(const struct engine *e)
{
	return strcmp(engine_settings(e)->schedule, "fifo") == 0;
}

bool
schedule_minimizing_allowed(const struct engine *e)
{
	return !budget_is_zero(&engine_settings(e)->minimizetime);
}

uint64_t
schedule_executions_left(const struct engine *e)
{
	uint64_t limit = engine_limit(e);

	if (limit == 0 || engine_over(e))
		return UINT64_MAX;
	return counts_executions(e) + engine_schedule(e)->reserved >= limit
		? 0
		: limit - counts_executions(e) - engine_schedule(e)->reserved;
}

bool
schedule_may_minimize(const struct engine *e)
{
	return schedule_minimizing_allowed(e) &&
		schedule_executions_left(e) > 0;
}

bool
schedule_minimizer_free(const struct engine *e)
{
	uint32_t i, busy = 0;
	const struct job *job;

	for (i = 0; i < pool_count(e); i++) {
		job = pool_worker(e, i) == NULL ? NULL
						: worker_job(pool_worker(e, i));
		if (job != NULL &&
			(job->kind == JOB_MINIMIZE_COVERAGE ||
				job->kind == JOB_MINIMIZE_FAILURE ||
				job->kind == JOB_SEQUENCE))
			busy++;
	}
	return busy < (pool_wanted(e) + 3) / 4;
}

void
schedule_open(struct engine *e)
{
	engine_schedule(e)->processors = settings_processors();
}

void
schedule_close(struct engine *e)
{
	queue_clear(&engine_schedule(e)->inputs);
	queue_clear(&engine_schedule(e)->user_queue);
}

void
schedule_add_input(struct engine *e, struct corpus_entry *entry)
{
	queue_push(&engine_schedule(e)->inputs, entry);
}

size_t
schedule_inputs(const struct engine *e)
{
	return engine_schedule(e)->inputs.n;
}

void
schedule_add_user_input(struct engine *e, struct corpus_entry *entry)
{
	queue_push(&engine_schedule(e)->user_queue, entry);
}

size_t
schedule_user_inputs(const struct engine *e)
{
	return engine_schedule(e)->user_queue.n;
}

void
schedule_end_job(struct engine *e, const struct job *job)
{
	engine_schedule(e)->reserved -= job->reserved;
}

void
schedule_begin_write(struct engine *e)
{
	engine_schedule(e)->pending_writes++;
}

bool
schedule_end_write(struct engine *e)
{
	return --engine_schedule(e)->pending_writes ==
		SCHEDULE_PENDING_WRITES_MAX;
}
