/*
 * grow_memory: inputs longer than the workers' memory allows.
 *
 * A worker's memory gets its size from the length limit when the worker starts.
 * For a higher limit the workers are restarted one after the other. Until the
 * last one is done, new inputs fit the smallest memory. A worker that minimizes
 * finishes that first.
 */
#include "engine/pool/grow_memory.h"

#include "control/settings.h"
#include "engine/engine_end.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "worker/memory/campaign_memory.h"
#include "worker/worker.h"

enum status
grow_memory_check(const struct engine *e, uint64_t max_len, struct error *err)
{
	struct worker_layout layout;
	struct sealed memory;

	if (max_len <= engine_memory(e)->head->max_len)
		return OK;
	if (!pool_any_ready(e))
		return error_set(err, E_STATE,
			"the target is being started; wait until it runs, then "
			"raise max-len");
	worker_layout_init(&layout, (uint32_t)max_len);
	if (sealed_create(&memory, "cfuzz-worker", layout.size, 0, err) != OK)
		return error_wrap(err,
			"not enough memory for such long inputs");
	sealed_close(&memory);
	return OK;
}

uint64_t
grow_memory_max_len(const struct engine *e)
{
	uint64_t len = engine_settings(e)->max_len;
	uint32_t i;

	if (len > engine_memory(e)->head->max_len)
		len = engine_memory(e)->head->max_len;
	for (i = 0; i < pool_count(e); i++) {
		const struct worker *w = pool_worker(e, i);

		if (w != NULL && !worker_is_down(w) && worker_max_len(w) < len)
			len = worker_max_len(w);
	}
	return len;
}

/* Sequences have a larger area than single inputs. */
static size_t
grow_memory_room(const struct worker *w, const struct job *job)
{
	return job->kind == JOB_SEQUENCE
		? worker_sequence_max(worker_max_len(w))
		: worker_max_len(w);
}

bool
grow_memory_needed(struct slot *slot, const struct job *job)
{
	slot->needs_memory |= job->len > grow_memory_room(slot->worker, job);
	return slot->needs_memory;
}

static bool
grow_memory_minimizes(const struct worker *w)
{
	const struct job *job = worker_job(w);

	return job != NULL &&
		(job->kind == JOB_MINIMIZE_COVERAGE ||
			job->kind == JOB_MINIMIZE_FAILURE);
}

/* Sets the new size for workers that start from now on. */
static void
grow_memory_begin(struct engine *e)
{
	uint32_t i;

	/* A worker that is starting might read the old and the new size. */
	for (i = 0; i < pool_count(e); i++)
		if (worker_is_starting(pool_worker(e, i)))
			return;
	engine_memory(e)->head->max_len = (uint32_t)engine_settings(e)->max_len;
	/* These restarts are not due to failures. */
	for (i = 0; i < pool_count(e); i++)
		pool_at(e, i)->vain_starts = 0;
}

/* Makes a worker stop after its call. True: the worker is on its way. */
static bool
grow_memory_one(struct engine *e, struct slot *slot)
{
	if (worker_is_down(slot->worker) ||
		worker_max_len(slot->worker) >= engine_memory(e)->head->max_len)
		return false;
	if (!slot->needs_memory && !grow_memory_minimizes(slot->worker))
		worker_end_call(slot->worker);
	slot->needs_memory = true;
	if (worker_is_idle(slot->worker))
		worker_stop(slot->worker);
	return !grow_memory_minimizes(slot->worker);
}

void
grow_memory_tick(struct engine *e)
{
	uint32_t i;

	/* No restarts in a pause: they take time, and a pause has none. */
	if (engine_paused(e) || engine_stopping(e) || engine_draining(e))
		return;
	if (engine_settings(e)->max_len > engine_memory(e)->head->max_len)
		grow_memory_begin(e);
	for (i = 0; i < pool_count(e); i++)
		if (worker_is_starting(pool_worker(e, i)))
			return;
	for (i = 0; i < pool_count(e); i++)
		if (grow_memory_one(e, pool_at(e, i)))
			return;
}
