/* pool: see pool.h. */
#include "engine/pool/pool.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "control/settings.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool_private.h"
#include "engine/program.h"
#include "findings/finding.h"
#include "shared/fnv.h"
#include "worker/worker.h"

struct slot *
pool_slot(struct engine *e, const struct worker *w)
{
	return &engine_pool(e)->slots[worker_slot(w)];
}

uint32_t
pool_count(const struct engine *e)
{
	return engine_pool(e)->n;
}

struct slot *
pool_at(const struct engine *e, uint32_t i)
{
	return &engine_pool(e)->slots[i];
}

struct worker *
pool_worker(const struct engine *e, uint32_t i)
{
	return pool_at(e, i)->worker;
}

bool
pool_any_ready(const struct engine *e)
{
	return engine_pool(e)->any_ready;
}

bool
pool_refused(const struct engine *e)
{
	return engine_pool(e)->refused;
}

uint32_t
pool_wanted(const struct engine *e)
{
	const struct pool *pool = engine_pool(e);
	uint32_t i, n = 0;

	for (i = 0; i < pool->n; i++)
		n += pool->slots[i].wanted;
	return n > 0 ? n : 1;
}

bool
pool_is_there(const struct slot *slot)
{
	return slot->wanted &&
		(slot->restart_ns != 0 || !worker_is_down(slot->worker));
}

uint32_t
pool_starts(const struct engine *e)
{
	uint32_t i, n = 0;

	for (i = 0; i < pool_count(e); i++)
		n += pool_is_there(pool_at(e, i)) &&
			worker_is_down(pool_worker(e, i));
	return n;
}

bool
pool_all_down(const struct engine *e, bool stopping)
{
	uint32_t i;

	for (i = 0; i < pool_count(e); i++)
		if (!worker_is_down(pool_worker(e, i)) ||
			(pool_at(e, i)->restart_ns != 0 && !stopping))
			return false;
	return true;
}

bool
pool_set_paused(struct engine *e, uint32_t i, bool paused)
{
	struct slot *slot = pool_at(e, i);

	/* One that retires must run to get there. */
	if (!slot->wanted || worker_paused(slot->worker) == paused)
		return false;
	worker_set_paused(slot->worker, paused);
	return true;
}

void
pool_note_pause(struct engine *e)
{
	uint32_t i, n = 0;

	for (i = 0; i < pool_count(e); i++) {
		if (!pool_is_there(pool_at(e, i)))
			continue;
		if (!worker_paused(pool_worker(e, i)))
			return;
		n++;
	}
	if (n > 0 && !engine_paused(e))
		engine_set_paused(e, true);
}

void
pool_wake(struct engine *e)
{
	if (engine_pool(e)->on_wake != NULL)
		engine_pool(e)->on_wake(e);
}

uint32_t
pool_jobs_of(const struct engine *e, const struct finding *f)
{
	const struct worker *w;
	uint32_t i, n = 0;

	for (i = 0; i < pool_count(e); i++) {
		w = pool_worker(e, i);
		n += w != NULL && worker_job(w) != NULL &&
			job_owner_finding(worker_job(w)) == f;
		/* Retired, or the campaign ends: nobody starts it for that. */
		n += pool_at(e, i)->renewed_for == f &&
			pool_is_there(pool_at(e, i));
	}
	return n;
}

pid_t
pool_process(const struct engine *e)
{
	const struct worker *w;
	uint32_t i;

	for (i = 0; i < pool_count(e); i++) {
		w = pool_worker(e, i);
		if (w != NULL && worker_pid(w) > 0)
			return worker_pid(w);
	}
	return 0;
}

void
pool_set_limits(struct engine *e)
{
	const struct settings *settings = engine_settings(e);
	struct worker_limits limits = {
		.start_timeout_ms = settings->start_timeout_ms,
		.stop_step_ms = settings->stop_step_ms,
		.rss_limit_kb = settings->rss_limit_mb << 10,
		.file_limit_mb = settings->file_limit_mb,
		.workers = pool_wanted(e),
	};
	uint32_t i;

	for (i = 0; i < pool_count(e); i++)
		if (pool_worker(e, i) != NULL)
			worker_set_limits(pool_worker(e, i), &limits);
}

bool
pool_must_renew_limit(const struct engine *e)
{
	/* Before its first answer, the target may be anything. */
	return program_sanitizer(e)[0] != '\0' || !pool_any_ready(e);
}

void
pool_renew_limit(struct engine *e)
{
	uint32_t i;

	program_set_limit(e);
	for (i = 0; i < pool_count(e); i++) {
		if (worker_is_down(pool_worker(e, i)))
			continue;
		pool_at(e, i)->needs_limit = true;
		worker_end_call(pool_worker(e, i));
	}
}

void
pool_say_end(struct engine *e, struct slot *slot, const char *fmt, ...)
{
	char text[512], times[32] = "";
	uint64_t hash;
	uint32_t i, n;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	hash = fnv_add(FNV_BASIS, text, strlen(text));
	for (i = 0; i < POOL_ENDS - 1; i++)
		if (slot->ends[i].n == 0 || slot->ends[i].text == hash)
			break;
	slot->ends[i].text = hash;
	n = ++slot->ends[i].n;
	if ((n & (n - 1)) != 0)
		return;
	if (n > 1)
		snprintf(times, sizeof(times), " (%" PRIu32 " %s)", n,
			i == POOL_ENDS - 1 ? "for other reasons" : "times");
	message_event(e, "worker", NULL, "%.450s%s", text, times);
}
