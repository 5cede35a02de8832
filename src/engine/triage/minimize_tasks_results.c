/*
 * minimize_tasks_results: judges the tries of a minimization. A verdict may
 * have to wait for the names of a failure.
 */
#include <stdio.h>

#include "base/clock.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/triage/dedup.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/minimize_tasks_private.h"
#include "engine/triage/naming.h"
#include "engine/triage/triage_needs.h"
#include "findings/bucket.h"
#include "findings/finding.h"
#include "worker/worker.h"

static void
task_on_outcome(struct engine *e, struct minimize_task *m,
	enum minimization_outcome outcome, const char *why_not)
{
	if (outcome == MINIMIZATION_FAILED && m->former && !m->driver.verified)
		minimize_tasks_begin_with_input(e, m);
	else if (outcome == MINIMIZATION_FAILED)
		minimize_tasks_finish(e, m, why_not);
	else if (outcome == MINIMIZATION_ACCEPTED &&
		m->step == MINIMIZE_STEP_ACCEPTED)
		m->step = MINIMIZE_STEP_NONE;
}

/* The question about the task's unknown failure; NULL: none. */
static struct unknown_failure *
task_question(struct engine *e, const struct minimize_task *m)
{
	struct unknown_failure *unknown = &engine_minimize_tasks(e)->unknown;

	return unknown->failure.kind != FAILURE_NONE &&
			failure_stack_hash(&unknown->failure) ==
				m->driver.unknown
		? unknown
		: NULL;
}

/* Is the unknown failure that of the finding? */
static bool
task_is_same(struct engine *e, const struct minimize_task *m)
{
	const struct finding *other =
		dedup_find_stack_hash(e, m->driver.unknown);
	const struct unknown_failure *unknown = task_question(e, m);

	if (m->finding == NULL ||
		triage_minimize_rule(e) != MINIMIZE_SAME_BUCKET)
		return false;
	if (other != NULL)
		return other == m->finding;
	return unknown != NULL && unknown->bucket == m->finding->bucket;
}

/* The unknown failure has its names: judges the try. */
static void
task_settle(struct engine *e, struct minimize_task *m)
{
	struct finding *other = dedup_find_stack_hash(e, m->driver.unknown);
	bool same = task_is_same(e, m);
	bool news = other != NULL && other != m->finding && other->count == 1;

	task_on_outcome(e, m,
		minimization_driver_settle(&m->driver,
			same           ? TRY_SAME
				: news ? TRY_FINDING
				       : TRY_OTHER),
		"the input failed in another way");
}

/* Its names may still show that it is the same failure. */
static bool
task_is_unnamed(struct engine *e, const struct minimize_task *m)
{
	const struct finding *other =
		dedup_find_stack_hash(e, m->driver.unknown);
	const struct unknown_failure *unknown = task_question(e, m);

	if (other == NULL)
		return unknown != NULL && unknown->waits;
	return other != m->finding && other->state == FINDING_NEW;
}

static void
task_on_names(void *arg, struct symbols_answer *take_answer)
{
	struct engine *e = arg;
	struct unknown_failure *unknown = &engine_minimize_tasks(e)->unknown;

	unknown->waits = false;
	unknown->bucket = bucket_identity(&unknown->failure, take_answer);
	symbols_answer_destroy(take_answer);
	minimize_tasks_on_named(e);
	pool_wake(e);
}

/* The campaign ends with this finding, and makes no other. */
static void
task_ask_names(struct engine *e, const struct minimize_task *m,
	const struct failure *failure)
{
	struct unknown_failure *unknown = &engine_minimize_tasks(e)->unknown;

	if (unknown->waits || task_question(e, m) != NULL)
		return;
	unknown->failure = *failure;
	unknown->waits = naming_ask_once(e, failure, task_on_names, e);
	unknown->bucket = unknown->waits ? 0 : bucket_identity(failure, NULL);
}

/* An unknown failure: saves it as a finding, then compares. */
static void
task_ask(struct engine *e, struct slot *slot, struct minimize_task *m,
	const struct worker_result *r)
{
	struct worker_result own = *r;

	own.candidate =
		minimization_driver_trial(&m->driver, &own.candidate_len);
	own.candidate_raw = true;
	if (own.candidate != NULL &&
		dedup_find_stack_hash(e, m->driver.unknown) == NULL)
		engine_minimize_tasks(e)->handlers->on_failure(e, slot, &own,
			NULL);
	if (findings_crash(e) != NULL &&
		dedup_find_stack_hash(e, m->driver.unknown) == NULL)
		task_ask_names(e, m, &r->failure);
	if (!task_is_unnamed(e, m))
		task_settle(e, m);
}

bool
minimize_tasks_ask(const struct engine *e)
{
	return engine_minimize_tasks(e)->unknown.waits;
}

void
minimize_tasks_on_named(struct engine *e)
{
	size_t i;

	for (i = 0; i < engine_minimize_tasks(e)->n; i++) {
		struct minimize_task *m = engine_minimize_tasks(e)->tasks[i];

		if (!m->driver.asking || m->busy || m->ended ||
			task_is_unnamed(e, m))
			continue;
		task_settle(e, m);
		minimize_tasks_advance(e, m);
	}
}

void
minimize_tasks_drop(struct finding *f)
{
	if (f->minimization == NULL)
		return;
	f->minimization->ended = true;
	f->minimization->driver.asking = f->minimization->held = false;
	f->minimization = NULL;
}

/* Not while the user steps. */
static void
task_count_time(const struct slot *slot, struct minimize_task *m,
	const struct worker_result *r)
{
	if (m->driver.by_steps)
		return;
	m->used_ns += r->took_ns;
	m->lost = r->lost ? slot : NULL;
	m->lost_ns = clock_now_ns();
}

void
minimize_tasks_on_start(struct engine *e, const struct slot *slot, bool due)
{
	size_t i;

	for (i = 0; i < engine_minimize_tasks(e)->n; i++) {
		struct minimize_task *m = engine_minimize_tasks(e)->tasks[i];

		if (m->lost != slot)
			continue;
		if (due)
			m->used_ns += clock_now_ns() - m->lost_ns;
		m->lost = NULL;
	}
}

void
minimize_tasks_on_result(struct engine *e, struct slot *slot,
	struct minimize_task *m, const struct worker_result *r)
{
	enum minimization_outcome outcome;
	struct finding *f = m->finding;

	m->busy = false;
	if (m->ended)
		return;
	task_count_time(slot, m, r);
	if (f != NULL && r->best != NULL &&
		r->failure.kind == f->failure.kind &&
		minimization_driver_accepts(&m->driver, &r->failure))
		/* Its report may be more exact than the first input's. */
		snprintf(f->failure.text, sizeof(f->failure.text), "%s",
			r->failure.text);
	outcome = minimization_driver_on_result(&m->driver, r);
	if (outcome == MINIMIZATION_ASKS)
		task_ask(e, slot, m, r);
	else
		task_on_outcome(e, m, outcome,
			r->count == 0       ? "the worker ran no input"
				: f != NULL ? "the input did not fail again"
					    : "the coverage of the input did "
					      "not come back");
	minimize_tasks_advance(e, m);
}
