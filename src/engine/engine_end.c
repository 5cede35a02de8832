/*
 * engine_end: why a run ends, and its stop. A stop ends all calls; the loop
 * ends when all workers are down (engine_end_check.c).
 */
#include "engine/engine_end.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/log.h"
#include "control/settings.h"
#include "engine/engine_end_private.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/statistics/limit_effects.h"
#include "engine/statistics/run_clock.h"
#include "engine/triage/findings_list.h"
#include "worker/worker.h"

#define MS 1000000ull
/* To wait for the names of frames, from the stop on. */
#define NAMES_LEAST_MS 1000

uint64_t
engine_limit(const struct engine *e)
{
	return engine_settings(e)->fuzztime.executions;
}

enum exit_status
engine_status(const struct engine *e)
{
	const struct engine_end *end = engine_end(e);

	if (end->lost || end->unsaved)
		return EXIT_LOST;
	if (end->fatal.code != OK)
		return end->fatal_status;
	return end->found || findings_found(e) ? EXIT_FOUND : EXIT_NOTHING;
}

void
engine_fail(struct engine *e, enum exit_status status, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (engine_over(e)) {
		message_event(e, "worker", NULL, "%s", text);
	} else if (engine_end(e)->fatal.code == OK) {
		engine_end(e)->fatal_status = status;
		error_set(&engine_end(e)->fatal, E_TARGET, "%s", text);
	}
	engine_stop(e, END_ERROR);
}

static void
engine_end_note_stop(struct engine *e, enum end_reason why)
{
	limit_effects_tick(e, true);
	log_debug("stop called, reason %d", (int)why);
	engine_end(e)->why = why;
	if (why == END_USER)
		message_event(e, "operator", NULL, "stop");
	run_clock_set_paused(engine_clock(e), false);
}

/* The first call begins the stop; each later call by the user takes its next
 * step. */
void
engine_stop(struct engine *e, enum end_reason why)
{
	struct engine_end *end = engine_end(e);
	uint64_t names_ns = clock_now_ns() + NAMES_LEAST_MS * MS;
	uint32_t i;

	if (end->stopping && why != END_USER)
		return;
	/* A user who ends a drain does not wait as long as --finish-time. */
	if (why == END_USER && end->why != END_USER && end->names_ns > names_ns)
		end->names_ns = names_ns;
	if (!end->stopping) {
		if (!end->over)
			engine_end_note_stop(e, why);
		end->stopping = true;
		if (end->names_ns < names_ns)
			end->names_ns = names_ns;
		end->stop_step = STOP_CLOSED;
	} else if (end->stop_step < STOP_KILL) {
		end->stop_step++;
	}
	for (i = 0; i < pool_count(e); i++) {
		pool_at(e, i)->restart_ns = 0;
		worker_stop(pool_worker(e, i));
		/* After the end it may be started for a finding. */
		worker_set_paused(pool_worker(e, i), false);
	}
}

uint64_t
engine_drain_left_ms(const struct engine *e)
{
	const struct engine_end *end = engine_end(e);
	uint64_t now = clock_now_ns(), deadline_ns;

	if (end->drain_ns == 0)
		return UINT64_MAX;
	deadline_ns = end->drain_ns +
		(run_clock_paused_ns(engine_clock(e), now) -
			end->drain_paused_ns);
	return deadline_ns > now ? (deadline_ns - now) / MS : 0;
}

void
engine_fail_seed(struct engine *e, const char *text)
{
	struct engine_end *end = engine_end(e);

	end->found = true;
	end->fatal_status = EXIT_FOUND;
	error_set(&end->fatal, E_TARGET, "%s", text);
	engine_stop(e, END_SEED);
}

const char *
engine_failure(const struct engine *e)
{
	const struct error *fatal = &engine_end(e)->fatal;

	return fatal->code != OK ? fatal->text : "";
}

const char *
engine_ended_by(const struct engine *e)
{
	static const char *const words[] = {
		[END_NONE] = "",
		[END_TIME] = "time limit reached",
		[END_IDLE] = "nothing new came any more",
		[END_LIMIT] = "execution limit reached",
		[END_USER] = "stopped by the user",
		[END_CRASH] = "stopped at the first finding",
		[END_SEED] = "",
		[END_ERROR] = "",
	};

	return engine_ended(e) ? words[engine_end(e)->why] : "";
}

bool
engine_stopping(const struct engine *e)
{
	return engine_end(e)->stopping;
}

enum stop_step
engine_stop_step(const struct engine *e)
{
	return engine_end(e)->stop_step;
}

bool
engine_draining(const struct engine *e)
{
	return engine_end(e)->draining;
}

bool
engine_drain_minimizes(const struct engine *e)
{
	return engine_end(e)->drain_minimize;
}

/* In a drain of `cfuzz ci`, since inputs may take all the time of every run. */
bool
engine_drain_reruns(const struct engine *e)
{
	enum end_reason why = engine_end(e)->why;

	return engine_draining(e) && engine_settings(e)->ci &&
		!engine_over(e) &&
		(why == END_TIME || why == END_LIMIT || why == END_IDLE) &&
		engine_drain_left_ms(e) > 0;
}

bool
engine_ended(const struct engine *e)
{
	return engine_end(e)->ended;
}

void
engine_leave(struct engine *e)
{
	engine_end(e)->leaves = true;
}

bool
engine_leaves(const struct engine *e)
{
	return engine_end(e)->leaves;
}

bool
engine_over(const struct engine *e)
{
	return engine_end(e)->over;
}

void
engine_set_over(struct engine *e)
{
	struct engine_end *end = engine_end(e);

	end->over = end->ended = end->stopping = true;
}

void
engine_reopen(struct engine *e)
{
	struct engine_end *end = engine_end(e);

	end->stopping = false;
	end->draining = end->drain_minimize = true;
	end->drain_ns = 0;
	end->stop_step = STOP_NONE;
}

void
engine_note_lost(struct engine *e)
{
	engine_end(e)->lost = true;
}

void
engine_note_unsaved(struct engine *e, bool unsaved)
{
	engine_end(e)->unsaved = unsaved;
}

bool
engine_unsaved(const struct engine *e)
{
	return engine_end(e)->unsaved;
}
