/* minimize_tasks: see minimize_tasks.h. */
#include "engine/triage/minimize_tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/coordinator.h"
#include "engine/engine_private.h"
#include "engine/pool.h"
#include "engine/schedule.h"
#include "engine/triage/triage.h"
#include "engine/trim.h"

#define MS 1000000ull
#define LOOKED_MS 2000   /* after a query, a user counts as watching */
#define EXECUTIONS 20000 /* the most, where time may not count */
#define HANG_PART 10     /* divides the limit for tries of a hang */
#define HANG_LEAST_MS 50 /* the least limit */
#define FIND_PAIRS 3     /* executions to learn the features to keep */
#define FILLER ' '

/* ---- the list ------------------------------------------------------------ */

static void
minimize_task_destroy(struct minimize_task *m)
{
	minimization_destroy(m->minimization);
	trim_job_destroy(m->trim);
	free(m->known);
	free(m);
}

static void
task_forget(struct engine *e, size_t i)
{
	minimize_task_destroy(e->minimize.tasks[i]);
	e->minimize.n--;
	memmove(e->minimize.tasks + i, e->minimize.tasks + i + 1,
		(e->minimize.n - i) * sizeof(*e->minimize.tasks));
}

/*
 * Keeps a few ended tasks for users who watch them. Only the loop calls this:
 * code that ends a task goes on to read it.
 */
static void
task_forget_ended(struct engine *e)
{
	size_t i, n = 0;

	for (i = e->minimize.n; i-- > 0;)
		if (e->minimize.tasks[i]->ended && ++n > MINIMIZE_TASKS_ENDED)
			task_forget(e, i);
}

static struct minimize_task *
task_add(struct engine *e, const char *name, const uint8_t *data, size_t len,
	bool coverage)
{
	struct minimization_options options = {
		.coverage = coverage,
		.reference = schedule_is_fifo(e),
		.blank = !coverage && e->settings.minimize_blank,
		.filler = FILLER,
		.tuples = e->target.types.n > 0,
	};
	struct minimize_task *m = xcalloc(1, sizeof(*m));

	snprintf(m->name, sizeof(m->name), "%s", name);
	m->minimization = minimization_create(data, len, &options);
	m->start_ns = run_clock_elapsed_ns(&e->clock);
	e->minimize.tasks = xreallocarray(e->minimize.tasks, e->minimize.n + 1,
		sizeof(*e->minimize.tasks));
	e->minimize.tasks[e->minimize.n++] = m;
	return m;
}

struct minimize_task *
minimize_tasks_of_finding(struct engine *e, struct finding *f)
{
	if (f->minimization == NULL) {
		f->minimization = task_add(e, f->id, f->input, f->len, false);
		f->minimization->finding = f;
	}
	return f->minimization;
}

struct minimize_task *
minimize_tasks_of_entry(struct engine *e, struct corpus_entry *entry)
{
	struct minimize_task *m;
	const uint8_t *data;
	size_t i;

	for (i = 0; i < e->minimize.n; i++) {
		m = e->minimize.tasks[i];
		if (!m->ended && m->trim != NULL && m->trim->entry == entry)
			return m;
	}
	if (corpus_load(e->campaign.corpus, entry, &data, NULL) != OK)
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
	size_t i, len = strlen(name);

	for (i = e->minimize.n; len > 0 && i-- > 0;)
		if (strncmp(e->minimize.tasks[i]->name, name, len) == 0 ||
			(e->minimize.tasks[i]->finding != NULL &&
				strcmp(e->minimize.tasks[i]->finding->folder,
					name) == 0))
			return e->minimize.tasks[i];
	return NULL;
}

void
minimize_tasks_clear(struct engine *e)
{
	while (e->minimize.n > 0)
		task_forget(e, e->minimize.n - 1);
	free(e->minimize.tasks);
	e->minimize.tasks = NULL;
}

/* ---- the next call ------------------------------------------------------- */

static uint64_t
task_executions_left(const struct engine *e, const struct minimize_task *m)
{
	uint64_t all = e->settings.minimizetime.executions;

	if (all == 0 && e->settings.deterministic)
		all = EXECUTIONS;
	if (all == 0)
		return UINT64_MAX;
	return m->count < all ? all - m->count : 0;
}

static uint64_t
task_ms_left(const struct engine *e, const struct minimize_task *m)
{
	uint64_t all = e->settings.minimizetime.duration_ms;

	if (all == 0 || e->settings.deterministic)
		return UINT64_MAX;
	return m->used_ns / MS < all ? all - m->used_ns / MS : 0;
}

enum minimize_rule
minimize_tasks_rule(const struct engine *e)
{
	return minimize_rule_parse(e->settings.minimize_rule);
}

/*
 * A hang is tried with a shorter time-out. The last replay uses the full one.
 */
static uint64_t
task_hang_ms(const struct engine *e, const struct finding *f)
{
	uint64_t ms = e->settings.timeout_ms / HANG_PART;

	if (f->failure.kind != FAILURE_HANG || f->whole_limit)
		return e->settings.timeout_ms;
	return ms > HANG_LEAST_MS ? ms : HANG_LEAST_MS;
}

static void
task_fill_subject(struct engine *e, struct minimize_task *m, struct job *job)
{
	struct finding *f = m->finding;

	if (f == NULL) {
		job->kind = JOB_MINIMIZE_COVERAGE;
		job->keep = m->trim->keep;
		job->keep_n = m->trim->keep_n;
		job_set_trim(job, m->trim);
		return;
	}
	job->kind = JOB_MINIMIZE_FAILURE;
	job->signature = f->signature;
	job->failure_kind = f->failure.kind;
	job->what = f->failure.what;
	job->hang_ms = task_hang_ms(e, f);
	job->rule = minimize_tasks_rule(e);
	job->known = m->known;
	job->known_n = m->known_n;
	job->ask = true;
	job_set_finding(job, f);
}

/* A call for one test: of the first input, or of the next try. */
static void
task_fill_single(struct minimize_task *m, struct job *job)
{
	job->data = m->verified ? minimization_next(m->minimization, &job->len)
				: minimization_best(m->minimization, &job->len);
	job->limit = 1;
	if (m->finding == NULL && m->trim->keep_n == 0)
		job->limit = FIND_PAIRS;
}

static void
task_fill_slice(const struct engine *e, struct minimize_task *m,
	struct job *job)
{
	uint64_t left = task_executions_left(e, m), ms = task_ms_left(e, m);
	bool looked = m->looked_ns != 0 &&
		clock_now_ns() - m->looked_ns < LOOKED_MS * MS;
	uint64_t slice =
		looked ? MINIMIZE_TASKS_SHOWN_MS : MINIMIZE_TASKS_SLICE_MS;

	job->data = minimization_best(m->minimization, &job->len);
	job->machine = minimization_state(m->minimization);
	job->other = minimization_other(m->minimization, &job->other_len);
	job->tries = MINIMIZE_TASKS_TRIES;
	job->limit = left != UINT64_MAX ? left : engine_limit(e);
	if (!e->settings.deterministic)
		job->budget_ms = ms < slice ? ms : slice;
}

static bool
task_is_due(const struct minimize_task *m)
{
	if (m->busy || m->ended || m->asking)
		return false;
	/* The test of the first input is not a try yet. */
	if (m->held && m->verified)
		return m->wish != WISH_NOTHING;
	return !m->by_steps || m->pace <= 0 || clock_now_ns() >= m->next_ns;
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
	m->single = m->by_steps || !m->verified;
	if (m->single)
		task_fill_single(m, job);
	else
		task_fill_slice(e, m, job);
	return job->data != NULL;
}

bool
minimize_tasks_next_asked(struct engine *e, struct job *job)
{
	size_t i;

	for (i = 0; i < e->minimize.n; i++) {
		struct minimize_task *m = e->minimize.tasks[i];

		/* Triage sends those of findings. */
		if (!m->asked ||
			(m->finding != NULL &&
				m->finding->work != WORK_MINIMIZE))
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
	if (m->wish == WISH_TRY && m->verified)
		m->wish = WISH_NOTHING;
	if (m->by_steps && m->pace > 0)
		m->next_ns = clock_now_ns() + (uint64_t)(1e9 / m->pace);
}

/* ---- its end ------------------------------------------------------------- */

void
minimize_tasks_finish(struct engine *e, struct minimize_task *m,
	const char *why_not)
{
	struct finding *f = m->finding;
	const uint8_t *best;
	size_t len;

	if (m->ended)
		return;
	m->ended = true;
	m->held = m->by_steps = m->asking = false;
	best = minimization_best(m->minimization, &len);
	if (f != NULL) {
		f->unfinished = (e->end.stopping || e->end.draining) &&
			!m->accepted &&
			!minimization_is_done(m->minimization) &&
			task_executions_left(e, m) > 0 &&
			task_ms_left(e, m) > 0;
		f->minimization = NULL;
		triage_on_minimized(e, f, m->verified ? best : NULL, len,
			minimization_tries(m->minimization), why_not);
	} else {
		coordinator_shrink_entry(e, m->trim->entry,
			m->verified ? best : NULL, len,
			minimization_tries(m->minimization));
	}
}

static bool
task_is_over(const struct engine *e, struct minimize_task *m)
{
	return m->accepted || e->end.stopping ||
		(e->end.draining && !e->end.drain_minimize) ||
		minimization_is_done(m->minimization) ||
		task_executions_left(e, m) == 0 ||
		(!m->by_steps && task_ms_left(e, m) == 0);
}

/* After a call: goes on, or ends. */
static void
task_go_on(struct engine *e, struct minimize_task *m)
{
	if (m->asking && !e->end.stopping)
		return;
	if (m->finding != NULL && m->finding->work == WORK_BUSY)
		m->finding->work = WORK_MINIMIZE;
	if (m->verified && !m->ended && task_is_over(e, m))
		minimize_tasks_finish(e, m, NULL);
	else if (e->end.stopping || (e->end.draining && !e->end.drain_minimize))
		minimize_tasks_finish(e, m, "no time was left");
}

void
minimize_tasks_advance(struct engine *e, struct minimize_task *m)
{
	if (m->ended || m->busy)
		return;
	minimize_tasks_act(m);
	task_go_on(e, m);
}

/* ---- all of them --------------------------------------------------------- */

void
minimize_tasks_tick(struct engine *e, uint64_t now)
{
	bool due = false;
	size_t i;

	task_forget_ended(e);
	for (i = 0; i < e->minimize.n; i++) {
		const struct minimize_task *m = e->minimize.tasks[i];

		due |= m->by_steps && m->pace > 0 && now >= m->next_ns &&
			task_is_due(m);
	}
	if (due)
		pool_wake(e);
}

void
minimize_tasks_drain(struct engine *e, bool release)
{
	size_t i;

	for (i = e->minimize.n; i-- > 0;) {
		struct minimize_task *m = e->minimize.tasks[i];

		if (m->ended)
			continue;
		if (release)
			m->held = m->by_steps = false;
		else if (!m->busy)
			minimize_tasks_finish(e, m, "no time was left");
	}
}

bool
minimize_tasks_any(const struct engine *e)
{
	size_t i;

	for (i = 0; i < e->minimize.n; i++)
		if (!e->minimize.tasks[i]->ended)
			return true;
	return false;
}

void
minimize_tasks_view(const struct engine *e, const struct minimize_task *m,
	struct snapshot_minimization *v)
{
	struct minimization *s = m->minimization;
	const uint8_t *best;
	size_t len;

	/* A worker that has not begun the call shows nothing useful. */
	if (!m->busy || m->single || v->tries < minimization_tries(s)) {
		best = minimization_best(s, &len);
		v->worker = m->worker;
		v->coverage = m->finding == NULL;
		v->phase = minimization_phase(s);
		v->tries = minimization_tries(s);
		v->accepted = minimization_accepted(s);
		v->start_len = minimization_start_len(s);
		v->best_len = len;
		minimization_cut(s, &v->position, &v->cut_offset, &v->cut_len);
		view_best(&e->target.types, best, len, v);
	} else {
		v->start_len = minimization_start_len(s);
	}
	minimization_verdict_words(s, v->verdict, sizeof(v->verdict));
	snprintf(v->entry, sizeof(v->entry), "%s", m->name);
	v->elapsed_s =
		(double)(run_clock_elapsed_ns(&e->clock) - m->start_ns) / 1e9;
	v->by_steps = m->by_steps;
	v->held = m->held;
	v->queued = !m->busy && !m->held && v->tries == 0;
	v->pace = m->pace;
	v->at = m->at;
	v->others = minimization_others(s);
}
