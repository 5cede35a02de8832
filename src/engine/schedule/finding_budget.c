/*
 * finding_budget: the share of a worker's time that findings get.
 *
 * Replays, sequences, repeated hangs and minimizations get a quarter of each
 * worker's time, and all time that fuzzing leaves idle. A worker that was busy
 * with a finding owes three times as long to fuzzing, and takes up no finding
 * before that is paid. So neither the number of failures nor their slowness
 * stops fuzzing. Work that the user asked for is not charged.
 *
 * The price is the time of the call as the engine saw it, and of the worker
 * start that it made necessary; fuzzing pays with the same. A deterministic run
 * counts executions instead.
 */
#include "engine/schedule/finding_budget.h"

#include "base/clock.h"
#include "control/settings.h"
#include "engine/engine_end.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/schedule/trim.h"
#include "engine/statistics/earlier_runs.h"
#include "engine/statistics/run_clock.h"
#include "engine/triage/minimize_tasks.h"
#include "findings/finding.h"
#include "worker/worker.h"

#define MS 1000000ll
#define FINDING_BUDGET_OWED 3 /* times the price goes to fuzzing */
#define FINDING_BUDGET_SAVED_MS \
	250 /* fuzzing time that can be saved up for findings */
#define FINDING_BUDGET_LONG_MS \
	250u /* longer calls must fit the length of the campaign */
#define FINDING_BUDGET_PART 4          /* 1/4 of the campaign is for findings */
#define FINDING_BUDGET_HANGS 20u       /* assumed length: that many time-outs */
#define FINDING_BUDGET_LEAST_MS 20000u /* and at least that long */
#define FINDING_BUDGET_SAVED_EXECUTIONS 1000

/* By the user. */
static bool
budget_is_asked(const struct job *job)
{
	const struct finding *f = job_owner_finding(job);
	const struct trim_job *trim = job_owner_trim(job);
	const struct minimize_task *m = NULL;

	if (job->kind == JOB_MINIMIZE_FAILURE)
		m = f->minimization;
	else if (trim != NULL)
		m = trim->minimization;
	return m != NULL && m->asked;
}

static bool
budget_is_for_findings(const struct job *job)
{
	return job->kind == JOB_REPLAY || job->kind == JOB_SEQUENCE ||
		job->kind == JOB_MINIMIZE_FAILURE;
}

/* Pays for fuzzing. Only a limited advance is kept. */
static void
finding_budget_pay(const struct engine *e, struct slot *slot, int64_t price)
{
	int64_t saved = FINDING_BUDGET_OWED *
		(engine_settings(e)->deterministic
				? FINDING_BUDGET_SAVED_EXECUTIONS
				: FINDING_BUDGET_SAVED_MS * MS);

	slot->owed -= price;
	if (slot->owed < -saved)
		slot->owed = -saved;
}

/* A finding owes, fuzzing pays. */
static void
budget_settle(const struct engine *e, struct slot *slot, int64_t price)
{
	if (slot->was_finding)
		slot->owed += FINDING_BUDGET_OWED * price;
	else
		finding_budget_pay(e, slot, price);
}

void
finding_budget_charge(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	int64_t price = engine_settings(e)->deterministic ? (int64_t)r->count
							  : (int64_t)r->took_ns;

	slot->result_ns = 0;
	if (budget_is_asked(&r->job))
		return;
	slot->result_ns = clock_now_ns();
	slot->was_finding = budget_is_for_findings(&r->job);
	if (slot->was_finding)
		slot->finding_ns += r->took_ns;
	budget_settle(e, slot, price);
}

void
finding_budget_charge_start(struct engine *e, struct slot *slot)
{
	uint64_t took = clock_now_ns() - slot->result_ns;

	minimize_tasks_on_start(e, slot, true);
	if (slot->result_ns == 0 || engine_paused(e))
		return;
	slot->result_ns = 0;
	if (slot->was_finding)
		slot->finding_ns += took;
	if (!engine_settings(e)->deterministic)
		budget_settle(e, slot, (int64_t)took);
}

void
finding_budget_note_renewal(struct slot *slot)
{
	if (slot->result_ns != 0)
		slot->result_ns = clock_now_ns();
}

void
finding_budget_waive_start(struct engine *e, struct slot *slot)
{
	minimize_tasks_on_start(e, slot, false);
	slot->result_ns = 0;
}

bool
finding_budget_has_time(const struct slot *slot)
{
	return slot->owed <= 0;
}

/* Estimated length of the whole campaign. */
static uint64_t
finding_budget_span_ms(const struct engine *e)
{
	uint64_t span = engine_settings(e)->fuzztime.duration_ms;
	uint64_t least = FINDING_BUDGET_HANGS * engine_settings(e)->timeout_ms;
	uint64_t elapsed = run_clock_elapsed_ns(engine_clock(e)) / (uint64_t)MS;

	if (span == 0) {
		span = least > FINDING_BUDGET_LEAST_MS
			? least
			: FINDING_BUDGET_LEAST_MS;
		if (span < elapsed)
			span = elapsed;
	}
	return span + (uint64_t)(earlier_runs_elapsed_s(e) * 1e3);
}

uint64_t
finding_budget_room_ms(const struct engine *e, bool idle)
{
	uint64_t all = finding_budget_span_ms(e) * pool_wanted(e) /
		FINDING_BUDGET_PART;
	uint64_t used = 0;
	uint32_t i;

	if (engine_draining(e))
		return engine_drain_left_ms(e);
	if (idle || engine_settings(e)->deterministic)
		return UINT64_MAX;
	for (i = 0; i < pool_count(e); i++)
		used += pool_at(e, i)->finding_ns / (uint64_t)MS;
	return all > used + FINDING_BUDGET_LONG_MS ? all - used
						   : FINDING_BUDGET_LONG_MS;
}
