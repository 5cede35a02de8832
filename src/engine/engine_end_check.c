/*
 * engine_end_check: when a run ends.
 *
 * A limit begins a drain: no further inputs, but replays and minimizations of
 * known findings get a bounded time. The loop ends when all workers are down.
 */
#include "engine/engine_end_check.h"

#include <stdio.h>

#include <event2/event.h>

#include "base/clock.h"
#include "base/text.h"
#include "control/settings.h"
#include "engine/corpus/load.h"
#include "engine/engine_end_private.h"
#include "engine/functions/new_functions.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/schedule/schedule.h"
#include "engine/statistics/counts.h"
#include "engine/statistics/run_clock.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/naming.h"
#include "engine/triage/triage.h"
#include "worker/worker.h"

#define MS 1000000ull
/* To wait for the names of frames, from the limit on: the work at the end takes
 * a part of it. */
#define NAMES_MS 2000

/* A drain that the user ordered has no time limit. A deterministic run has none
 * either: there, no clock may decide. */
static uint64_t
engine_end_drain_end_ns(const struct engine *e, enum end_reason why)
{
	if (why == END_USER ||
		(why == END_LIMIT && engine_settings(e)->deterministic))
		return 0;
	return clock_now_ns() + engine_settings(e)->finish_time_ms * MS;
}

void
engine_drain(struct engine *e, enum end_reason why, bool minimizations)
{
	struct engine_end *end = engine_end(e);
	uint32_t i;

	end->draining = true;
	end->drain_minimize = minimizations;
	end->drain_ns = engine_end_drain_end_ns(e, why);
	end->drain_paused_ns =
		run_clock_paused_ns(engine_clock(e), clock_now_ns());
	end->names_ns = clock_now_ns() + NAMES_MS * MS;
	/* A longer --finish-time holds for the names, too. */
	if (end->names_ns < end->drain_ns)
		end->names_ns = end->drain_ns;
	if (end->why == END_NONE)
		end->why = why;
	for (i = 0; i < pool_count(e); i++) {
		const struct job *job = worker_job(pool_worker(e, i));

		if (job != NULL &&
			(job->kind == JOB_FUZZ || job->kind == JOB_WARMUP ||
				job->kind == JOB_MEASURE ||
				job->kind == JOB_MINIMIZE_COVERAGE ||
				(job->kind == JOB_MINIMIZE_FAILURE &&
					!minimizations)))
			worker_end_call(pool_worker(e, i));
	}
	minimize_tasks_drain(e, minimizations);
	pool_wake(e);
	engine_check_end(e);
}

static bool
engine_end_limit_reached(const struct engine *e)
{
	uint64_t limit = engine_limit(e);

	return limit > 0 && counts_executions(e) >= limit;
}

static bool
engine_end_time_reached(const struct engine *e)
{
	uint64_t ms = engine_settings(e)->fuzztime.duration_ms;
	uint64_t ns = run_clock_fuzzed_ns(engine_clock(e));

	if (engine_settings(e)->ci) {
		/* A file that fails is news, however short the time. */
		if (load_is_warming(e))
			return false;
		ns = run_clock_elapsed_ns(engine_clock(e));
	}
	return ms > 0 && ns >= ms * MS;
}

/* For the run lines, the journal and the console. */
static void
engine_end_say_idle(struct engine *e, uint64_t idle_ms, const char *when)
{
	char idle[TEXT_NUMBER_SIZE];

	text_elapsed(idle_ms * MS, idle);
	message_print(e, "fuzz: nothing new for %s: the campaign ends%s", idle,
		when);
	message_event(e, "idle", NULL,
		"nothing new for %s: the campaign ends%s", idle, when);
}

/* After half of the idle time, announce that the run will end. */
static void
engine_end_warn_idle(struct engine *e, uint64_t idle_ms)
{
	char limit[TEXT_NUMBER_SIZE], when[TEXT_NUMBER_SIZE + 8];

	if (engine_end(e)->idle_said)
		return;
	engine_end(e)->idle_said = true;
	text_elapsed(engine_settings(e)->stop_after_idle_ms * MS, limit);
	snprintf(when, sizeof(when), " after %s", limit);
	engine_end_say_idle(e, idle_ms, when);
}

static bool
engine_end_is_idle(struct engine *e)
{
	uint64_t ms = engine_settings(e)->stop_after_idle_ms;
	uint64_t idle_ms = (uint64_t)(counts_idle_s(e) * 1000);

	if (ms == 0 || idle_ms < ms / 2) {
		engine_end(e)->idle_said = false;
		return false;
	}
	if (idle_ms < ms) {
		engine_end_warn_idle(e, idle_ms);
		return false;
	}
	engine_end_say_idle(e, idle_ms, "");
	return true;
}

bool
engine_drained(const struct engine *e)
{
	uint32_t i;

	for (i = 0; i < pool_count(e); i++)
		if (worker_job(pool_worker(e, i)) != NULL)
			return false;
	if (triage_busy(e))
		return false;
	if (!engine_end(e)->drain_minimize || !schedule_may_minimize(e))
		return true;
	return !triage_minimizes(e) && !minimize_tasks_any(e);
}

/*
 * The drain took too long: unfinished work is left for the next start. The
 * drain asked busy workers to end their calls; here they are stopped.
 */
static void
end_late_drain(struct engine *e)
{
	uint32_t i;

	engine_stop(e, engine_end(e)->why);
	for (i = 0; i < pool_count(e); i++)
		if (worker_job(pool_worker(e, i)) != NULL)
			worker_stop(pool_worker(e, i));
}

bool
engine_names_settled(const struct engine *e)
{
	return !naming_busy(e) ||
		(!engine_settings(e)->deterministic &&
			engine_end(e)->names_ns != 0 &&
			clock_now_ns() > engine_end(e)->names_ns);
}

void
engine_check_end(struct engine *e)
{
	struct engine_end *end = engine_end(e);

	if (end->over)
		return; /* engine_over.c decides */
	if (!end->stopping && !end->draining && !load_is_under_way(e)) {
		if (engine_end_limit_reached(e))
			engine_drain(e, END_LIMIT, false);
		else if (engine_end_time_reached(e))
			engine_drain(e, END_TIME, false);
		else if (!load_is_warming(e) && engine_end_is_idle(e))
			engine_drain(e, END_IDLE, false);
	}
	if (end->draining && !end->stopping && engine_drained(e))
		engine_stop(e, end->why);
	if (end->draining && !end->stopping && engine_drain_left_ms(e) == 0)
		end_late_drain(e);
	/* Only a request: callers up the stack still use the engine. */
	if (end->stopping && pool_all_down(e, true) && !end->ended &&
		engine_names_settled(e) && new_functions_settle(e)) {
		end->ended = true;
		event_base_loopexit(engine_base(e), NULL);
	}
}
