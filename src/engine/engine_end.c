/*
 * engine_end: when and how a run ends.
 *
 * A limit begins a drain: no further inputs, but replays and minimizations of
 * known findings get a bounded time. A stop ends all calls. The loop ends when
 * all workers are down.
 */
#include "engine/engine_end.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/log.h"
#include "engine/engine_private.h"
#include "engine/front/limit_effects.h"
#include "engine/messages.h"
#include "engine/pool.h"
#include "engine/schedule.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/naming.h"
#include "engine/triage/triage.h"

#define MS 1000000ull
#define NAMES_MS 1000 /* to wait for the names of frames at the end */

uint64_t
engine_limit(const struct engine *e)
{
	return e->settings.fuzztime.executions;
}

enum exit_status
engine_status(const struct engine *e)
{
	if (e->end.lost)
		return EXIT_LOST;
	if (e->end.fatal.code != OK)
		return e->end.fatal_status;
	return e->end.found || triage_found(e) ? EXIT_FOUND : EXIT_NOTHING;
}

void
engine_fail(struct engine *e, enum exit_status status, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (e->end.fatal.code == OK) {
		e->end.fatal_status = status;
		error_set(&e->end.fatal, E_TARGET, "%s", text);
	}
	engine_stop(e, END_ERROR);
}

/* The first call begins the stop; each later call by the user takes its next
 * step. */
void
engine_stop(struct engine *e, enum end_reason why)
{
	uint32_t i;

	if (e->end.stopping && why != END_USER)
		return;
	if (!e->end.stopping) {
		limit_effects_tick(e, true);
		log_debug("stop called, reason %d", (int)why);
		e->end.why = why;
		if (why == END_USER)
			message_event(e, "operator", NULL, "stop");
		run_clock_set_paused(&e->clock, false);
		e->end.stopping = true;
		e->end.stop_ns = clock_now_ns();
		e->end.stop_step = STOP_CLOSED;
	} else if (e->end.stop_step < STOP_KILL) {
		e->end.stop_step++;
	}
	for (i = 0; i < e->pool.n; i++) {
		e->pool.slots[i].restart_ns = 0;
		worker_stop(e->pool.slots[i].worker);
	}
	engine_check_end(e);
}

/* A drain that the user ordered has no time limit. A deterministic run has none
 * either: there, no clock may decide. */
static uint64_t
engine_end_drain_end_ns(const struct engine *e, enum end_reason why)
{
	if (why == END_USER || (why == END_LIMIT && e->settings.deterministic))
		return 0;
	return clock_now_ns() + e->settings.finish_time_ms * MS;
}

uint64_t
engine_drain_left_ms(const struct engine *e)
{
	uint64_t now = clock_now_ns();

	if (e->end.drain_ns == 0)
		return UINT64_MAX;
	return e->end.drain_ns > now ? (e->end.drain_ns - now) / MS : 0;
}

/* Starts no further inputs; findings known so far are still checked. */
void
engine_drain(struct engine *e, enum end_reason why, bool minimizations)
{
	uint32_t i;

	e->end.draining = true;
	e->end.drain_minimize = minimizations;
	e->end.drain_ns = engine_end_drain_end_ns(e, why);
	if (e->end.why == END_NONE)
		e->end.why = why;
	for (i = 0; i < e->pool.n; i++) {
		const struct job *job = worker_job(e->pool.slots[i].worker);

		if (job != NULL &&
			(job->kind == JOB_FUZZ || job->kind == JOB_WARMUP ||
				job->kind == JOB_MINIMIZE_COVERAGE ||
				(job->kind == JOB_MINIMIZE_FAILURE &&
					!minimizations)))
			worker_end_call(e->pool.slots[i].worker);
	}
	minimize_tasks_drain(e, minimizations);
	pool_wake(e);
	engine_check_end(e);
}

static bool
engine_end_limit_reached(const struct engine *e)
{
	uint64_t limit = engine_limit(e);

	return limit > 0 && e->counts.executions >= limit;
}

static bool
engine_end_time_reached(const struct engine *e)
{
	uint64_t ms = e->settings.fuzztime.duration_ms;

	return ms > 0 && run_clock_fuzzed_ns(&e->clock) >= ms * MS;
}

/* Draining is over when no worker has a job and no permitted work is left. */
static bool
engine_end_drained(const struct engine *e)
{
	uint32_t i;

	for (i = 0; i < e->pool.n; i++)
		if (worker_job(e->pool.slots[i].worker) != NULL)
			return false;
	if (triage_busy(e))
		return false;
	if (!e->end.drain_minimize || !schedule_may_minimize(e))
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

	engine_stop(e, e->end.why);
	for (i = 0; i < e->pool.n; i++)
		if (worker_job(e->pool.slots[i].worker) != NULL)
			worker_stop(e->pool.slots[i].worker);
}

/* Missing names must not delay the end for ever. */
static bool
engine_end_names_are_late(const struct engine *e)
{
	return !e->settings.deterministic && e->end.stop_ns != 0 &&
		clock_now_ns() - e->end.stop_ns > NAMES_MS * MS;
}

void
engine_check_end(struct engine *e)
{
	if (!e->end.stopping && !e->end.draining && !e->load.under_way) {
		if (engine_end_limit_reached(e))
			engine_drain(e, END_LIMIT, false);
		else if (engine_end_time_reached(e))
			engine_drain(e, END_TIME, false);
	}
	if (e->end.draining && !e->end.stopping && engine_end_drained(e))
		engine_stop(e, e->end.why);
	if (e->end.draining && !e->end.stopping && engine_drain_left_ms(e) == 0)
		end_late_drain(e);
	/* Only a request: callers up the stack still use the engine. */
	if (e->end.stopping && pool_all_down(e) && !e->end.ended &&
		(!naming_busy(e) || engine_end_names_are_late(e)) &&
		new_functions_settle(e)) {
		e->end.ended = true;
		event_base_loopexit(e->base, NULL);
	}
}
