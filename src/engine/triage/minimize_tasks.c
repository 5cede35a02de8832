/* minimize_tasks: see minimize_tasks.h. */
#include "engine/triage/minimize_tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "control/settings.h"
#include "corpus/corpus.h"
#include "engine/corpus/entries.h"
#include "engine/engine_end.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/trim.h"
#include "engine/statistics/run_clock.h"
#include "engine/triage/minimize_tasks_private.h"
#include "engine/triage/triage_needs.h"
#include "findings/finding.h"
#include "worker/worker.h"

#define MS 1000000ull
#define LOOKED_MS 2000   /* after a query, a user counts as watching */
#define EXECUTIONS 20000 /* the most, where time may not count */
#define HANG_PART 10     /* divides the limit for tries of a hang */
#define HANG_LEAST_MS 50 /* the least limit */

/* ---- the list ------------------------------------------------------------ */

static void
minimize_task_destroy(struct minimize_task *m)
{
	minimization_driver_clear(&m->driver);
	trim_job_destroy(m->trim);
	free(m);
}

static void
task_forget(struct engine *e, size_t i)
{
	struct minimize_tasks *all = engine_minimize_tasks(e);

	minimize_task_destroy(all->tasks[i]);
	all->n--;
	memmove(all->tasks + i, all->tasks + i + 1,
		(all->n - i) * sizeof(*all->tasks));
}

/*
 * Keeps a few ended tasks for users who watch them. Only the loop calls this:
 * code that ends a task goes on to read it.
 */
static void
task_forget_ended(struct engine *e)
{
	size_t i, n = 0;

	for (i = engine_minimize_tasks(e)->n; i-- > 0;)
		if (engine_minimize_tasks(e)->tasks[i]->ended &&
			++n > MINIMIZE_TASKS_ENDED)
			task_forget(e, i);
}

static struct minimization *
task_minimization(const struct engine *e, const uint8_t *data, size_t len,
	bool coverage)
{
	struct minimization_options options = {
		.coverage = coverage,
		.reference = schedule_is_fifo(e),
		.blank = !coverage && engine_settings(e)->minimize_blank,
		.filler = MINIMIZATION_FILLER,
		.tuples = program_types(e)->n > 0,
	};

	return minimization_create(data, len, &options);
}

static struct minimize_task *
task_add(struct engine *e, const char *name, const uint8_t *data, size_t len,
	bool coverage)
{
	struct minimize_tasks *all = engine_minimize_tasks(e);
	struct minimize_task *m = xcalloc(1, sizeof(*m));

	snprintf(m->name, sizeof(m->name), "%s", name);
	m->driver.minimization = task_minimization(e, data, len, coverage);
	m->start_ns = run_clock_elapsed_ns(engine_clock(e));
	all->tasks = xreallocarray(all->tasks, all->n + 1, sizeof(*all->tasks));
	all->tasks[all->n++] = m;
	return m;
}

void
minimize_tasks_open(struct engine *e,
	const struct minimize_tasks_handlers *handlers)
{
	engine_minimize_tasks(e)->handlers = handlers;
}

struct minimize_task *
minimize_tasks_of_finding(struct engine *e, struct finding *f)
{
	bool former = triage_begins_with_former(e, f);

	if (f->minimization != NULL)
		return f->minimization;
	f->minimization = former
		? task_add(e, f->id, f->minimized, f->minimized_len, false)
		: task_add(e, f->id, f->input, f->len, false);
	f->minimization->finding = f;
	f->minimization->former = former;
	return f->minimization;
}

void
minimize_tasks_begin_with_input(struct engine *e, struct minimize_task *m)
{
	minimization_destroy(m->driver.minimization);
	m->driver.minimization =
		task_minimization(e, m->finding->input, m->finding->len, false);
	m->driver.in_vain = 0;
	m->at = 0;
	m->former = false;
}

struct minimize_task *
minimize_tasks_of_entry(struct engine *e, struct corpus_entry *entry)
{
	struct minimize_task *m;
	const uint8_t *data;
	size_t i;

	for (i = 0; i < engine_minimize_tasks(e)->n; i++) {
		m = engine_minimize_tasks(e)->tasks[i];
		if (!m->ended && m->trim != NULL && m->trim->entry == entry)
			return m;
	}
	if (corpus_load(engine_corpus(e), entry, &data, NULL) != OK)
		return NULL;
	m = task_add(e, entry->name, data, entry->len, true);
	m->name[16] = '\0';
	m->trim = xcalloc(1, sizeof(*m->trim));
	m->trim->entry = entry;
	m->trim->minimization = m;
	return m;
}

struct minimize_task *
minimize_tasks_find(struct engine *e, const char *name)
{
	const struct minimize_tasks *all = engine_minimize_tasks(e);
	size_t i, len = strlen(name);

	for (i = all->n; len > 0 && i-- > 0;) {
		struct minimize_task *m = all->tasks[i];

		if (strncmp(m->name, name, len) == 0 ||
			(m->finding != NULL &&
				strcmp(m->finding->folder, name) == 0))
			return m;
	}
	return NULL;
}

void
minimize_tasks_clear(struct engine *e)
{
	struct minimize_tasks *all = engine_minimize_tasks(e);

	while (all->n > 0)
		task_forget(e, all->n - 1);
	free(all->tasks);
	all->tasks = NULL;
}

/* ---- the next call ------------------------------------------------------- */

static uint64_t
task_executions_left(const struct engine *e, const struct minimize_task *m)
{
	uint64_t all = engine_settings(e)->minimizetime.executions;

	if (all == 0 && engine_settings(e)->deterministic)
		all = EXECUTIONS;
	if (all == 0)
		return UINT64_MAX;
	return m->driver.count < all ? all - m->driver.count : 0;
}

static uint64_t
task_ms_left(const struct engine *e, const struct minimize_task *m)
{
	uint64_t all = engine_settings(e)->minimizetime.duration_ms;

	if (all == 0 || engine_settings(e)->deterministic)
		return UINT64_MAX;
	return m->used_ns / MS < all ? all - m->used_ns / MS : 0;
}

/*
 * A hang is tried with a shorter time-out. The last replay uses the full one.
 */
static uint64_t
task_hang_ms(const struct engine *e, const struct finding *f)
{
	uint64_t ms = engine_settings(e)->timeout_ms / HANG_PART;

	if (triage_tries_are_whole(e, f))
		return engine_settings(e)->timeout_ms;
	return ms > HANG_LEAST_MS ? ms : HANG_LEAST_MS;
}

static void
task_fill_subject(struct engine *e, struct minimize_task *m, struct job *job)
{
	struct finding *f = m->finding;

	if (f == NULL) {
		job_set_trim(job, m->trim);
		return;
	}
	m->driver.failure = &f->failure;
	m->driver.stack_hash = f->stack_hash;
	m->driver.rule = triage_minimize_rule(e);
	job->hang_ms = task_hang_ms(e, f);
	job_let_grow(job, f->failure.kind);
	job_set_finding(job, f);
}

/*
 * Limits a call at full speed. 0 would be no limit: a task whose time or
 * executions were used up meanwhile gets the least, and ends after that.
 */
static void
task_limit_call(const struct engine *e, const struct minimize_task *m,
	struct job *job)
{
	uint64_t left = task_executions_left(e, m), ms = task_ms_left(e, m);
	bool looked = m->looked_ns != 0 &&
		clock_now_ns() - m->looked_ns < LOOKED_MS * MS;
	uint64_t slice =
		looked ? MINIMIZE_TASKS_SHOWN_MS : MINIMIZE_TASKS_SLICE_MS;

	left = left > 0 ? left : 1;
	ms = ms > 0 ? ms : 1;
	job->limit = left != UINT64_MAX ? left : engine_limit(e);
	if (!engine_settings(e)->deterministic)
		job->budget_ms = ms < slice ? ms : slice;
}

static bool
task_is_due(const struct minimize_task *m)
{
	if (m->busy || m->ended || m->driver.asking)
		return false;
	/* The test of the first input is not a try yet. */
	if (m->held && m->driver.verified)
		return m->step != MINIMIZE_STEP_NONE;
	return !m->driver.by_steps || m->pace <= 0 ||
		clock_now_ns() >= m->next_ns;
}

bool
minimize_tasks_is_due(const struct finding *f)
{
	return f->minimization == NULL || task_is_due(f->minimization);
}

bool
minimize_tasks_job(struct engine *e, struct minimize_task *m, struct job *job)
{
	if (!task_is_due(m))
		return false;
	task_fill_subject(e, m, job);
	if (!minimization_driver_job(&m->driver, job))
		return false;
	if (!m->driver.single)
		task_limit_call(e, m, job);
	return true;
}

bool
minimize_tasks_next_asked(struct engine *e, struct job *job)
{
	size_t i;

	for (i = 0; i < engine_minimize_tasks(e)->n; i++) {
		struct minimize_task *m = engine_minimize_tasks(e)->tasks[i];

		/* Triage sends those of findings. */
		if (!m->asked ||
			(m->finding != NULL &&
				m->finding->state != FINDING_QUEUED))
			continue;
		if (minimize_tasks_job(e, m, job))
			return true;
	}
	return false;
}

void
minimize_tasks_taken(struct minimize_task *m, const struct slot *slot)
{
	m->busy = true;
	m->worker = worker_slot(slot->worker);
	if (m->step == MINIMIZE_STEP_TRY && m->driver.verified)
		m->step = MINIMIZE_STEP_NONE;
	if (m->driver.by_steps && m->pace > 0)
		m->next_ns = clock_now_ns() + (uint64_t)(1e9 / m->pace);
}

/* Carries out commands of the user that waited for the worker. */
static void
task_act(struct minimize_task *m)
{
	if (m->busy || m->driver.asking)
		return;
	if (m->undo_wanted) {
		(void)minimization_undo(m->driver.minimization, m->at);
		m->at = 0;
	}
	if (m->skip_wanted)
		(void)minimization_skip(m->driver.minimization);
	m->undo_wanted = m->skip_wanted = false;
}

/* ---- its end ------------------------------------------------------------- */

/* The run ends before the minimization does. */
static bool
task_is_cut(struct engine *e, const struct minimize_task *m)
{
	return (engine_stopping(e) || engine_draining(e)) && !m->accepted &&
		!minimization_is_done(m->driver.minimization) &&
		task_executions_left(e, m) > 0 && task_ms_left(e, m) > 0;
}

void
minimize_tasks_finish(struct engine *e, struct minimize_task *m,
	const char *why_not)
{
	struct minimization *s = m->driver.minimization;
	uint64_t tries = minimization_state(s)->tries;
	struct finding *f = m->finding;
	const uint8_t *best;
	size_t len;

	if (m->ended)
		return;
	m->ended = true;
	m->held = m->driver.by_steps = m->driver.asking = false;
	best = minimization_best(s, &len);
	if (!m->driver.verified)
		best = NULL;
	if (f != NULL) {
		if (f->later != FINDING_VERIFYING)
			f->later = task_is_cut(e, m) ? FINDING_QUEUED
						     : FINDING_NEW;
		f->minimization = NULL;
		engine_minimize_tasks(e)->handlers->on_minimized(e, f, best,
			len, tries, why_not);
	} else if (!entries_shrink(e, m->trim->entry, best, len, tries) &&
		m->asked) {
		message_event(e, "minimized",
			json_pack("{s:s, s:b}", "input", m->name, "failed", 1),
			"not made smaller: %s   input %.6s",
			why_not != NULL ? why_not : "none keeps its coverage",
			m->name);
	}
}

/* A task that the user asked for goes on when minimizing is turned off. */
static bool
task_is_allowed(const struct engine *e, const struct minimize_task *m)
{
	return m->asked || schedule_minimizing_allowed(e);
}

static bool
task_is_over(const struct engine *e, const struct minimize_task *m)
{
	return m->accepted || engine_stopping(e) || !task_is_allowed(e, m) ||
		(engine_draining(e) && !engine_drain_minimizes(e)) ||
		minimization_is_done(m->driver.minimization) ||
		task_executions_left(e, m) == 0 ||
		(!m->driver.by_steps && task_ms_left(e, m) == 0);
}

/* After a call: goes on, or ends. */
static void
task_go_on(struct engine *e, struct minimize_task *m)
{
	if (m->driver.asking && !engine_stopping(e))
		return;
	if (m->finding != NULL && m->finding->state == FINDING_MINIMIZING)
		finding_move(m->finding, FINDING_QUEUED);
	if (m->driver.verified && !m->ended && task_is_over(e, m))
		minimize_tasks_finish(e, m, NULL);
	else if (engine_stopping(e) ||
		(engine_draining(e) && !engine_drain_minimizes(e)))
		minimize_tasks_finish(e, m, "no time was left");
	else if (!task_is_allowed(e, m))
		minimize_tasks_finish(e, m, "minimizing was turned off");
}

void
minimize_tasks_advance(struct engine *e, struct minimize_task *m)
{
	if (m->ended || m->busy)
		return;
	task_act(m);
	task_go_on(e, m);
}

/* ---- all of them --------------------------------------------------------- */

void
minimize_tasks_tick(struct engine *e, uint64_t now)
{
	bool due = false;
	size_t i;

	task_forget_ended(e);
	for (i = 0; i < engine_minimize_tasks(e)->n; i++) {
		const struct minimize_task *m =
			engine_minimize_tasks(e)->tasks[i];

		due |= m->driver.by_steps && m->pace > 0 && now >= m->next_ns &&
			task_is_due(m);
	}
	if (due)
		pool_wake(e);
}

void
minimize_tasks_drain(struct engine *e, bool release)
{
	size_t i;

	for (i = engine_minimize_tasks(e)->n; i-- > 0;) {
		struct minimize_task *m = engine_minimize_tasks(e)->tasks[i];

		if (m->ended)
			continue;
		if (release)
			m->held = m->driver.by_steps = false;
		else if (!m->busy)
			minimize_tasks_finish(e, m, "no time was left");
	}
}

bool
minimize_tasks_any(const struct engine *e)
{
	size_t i;

	for (i = 0; i < engine_minimize_tasks(e)->n; i++)
		if (!engine_minimize_tasks(e)->tasks[i]->ended)
			return true;
	return false;
}

void
minimize_tasks_view(const struct engine *e, const struct minimize_task *m,
	struct snapshot_minimization *v)
{
	struct minimization *s = m->driver.minimization;

	v->worker = m->worker;
	v->coverage = m->finding == NULL;
	minimization_driver_view(&m->driver, program_types(e), v);
	minimization_verdict_words(s, v->verdict, sizeof(v->verdict));
	snprintf(v->entry, sizeof(v->entry), "%s", m->name);
	v->elapsed_s =
		(double)(run_clock_elapsed_ns(engine_clock(e)) - m->start_ns) /
		1e9;
	v->by_steps = m->driver.by_steps;
	v->held = m->held;
	v->queued = !m->busy && !m->held && v->tries == 0;
	v->pace = m->pace;
	v->at = m->at;
	v->others = minimization_others(s);
}

size_t
minimize_tasks_count(const struct engine *e)
{
	return engine_minimize_tasks(e)->n;
}

struct minimize_task *
minimize_tasks_at(const struct engine *e, size_t i)
{
	return engine_minimize_tasks(e)->tasks[i];
}
