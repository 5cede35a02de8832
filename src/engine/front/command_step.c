/*
 * command_step: the user steps through a minimization, see control/command.h.
 *
 * While a worker has the task, commands are noted and the call is asked to end.
 * They are carried out after the call.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "control/command.h"
#include "engine/engine_end.h"
#include "engine/front/commands.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "findings/finding.h"
#include "worker/inputs/input_text.h"
#include "worker/worker.h"

#define PACE_FIRST 32.0 /* tries a second when first slowed down */
#define PACE_MIN 0.25

typedef void step_fn(struct engine *e, struct minimize_task *m, char *answer,
	size_t size);

/* Ends the current call after its present try. */
static void
step_end_call(struct engine *e, const struct minimize_task *m)
{
	if (m->busy && !m->driver.single)
		worker_end_call(pool_worker(e, m->worker));
}

static void
step_stay(struct engine *e, struct minimize_task *m)
{
	step_end_call(e, m);
	m->driver.by_steps = m->held = true;
	m->step = MINIMIZE_STEP_NONE;
}

static void
step_let_go(struct minimize_task *m)
{
	m->held = false;
	m->at = 0;
	m->step = MINIMIZE_STEP_NONE;
	m->driver.by_steps = m->pace > 0;
	m->next_ns = clock_now_ns();
}

static void
step_say_try(const struct minimize_task *m, char *answer, size_t size)
{
	uint64_t last = minimization_state(m->driver.minimization)->tries;

	if (m->at != 0)
		snprintf(answer, size, "try %llu of %llu, looking back",
			(unsigned long long)m->at, (unsigned long long)last);
	else
		snprintf(answer, size, "%llu tries so far",
			(unsigned long long)last);
}

static void
step_hold(struct engine *e, struct minimize_task *m, char *answer, size_t size)
{
	step_stay(e, m);
	snprintf(answer, size, "the minimization is held");
}

static void
step_go(struct engine *e, struct minimize_task *m, char *answer, size_t size)
{
	step_let_go(m);
	snprintf(answer, size, "the minimization goes on");
}

/* Forward through past tries. False: the newest is shown already. */
static bool
step_look_forward(struct minimize_task *m)
{
	if (m->at == 0)
		return false;
	if (++m->at >= minimization_state(m->driver.minimization)->tries)
		m->at = 0;
	return true;
}

static void
step_next(struct engine *e, struct minimize_task *m, char *answer, size_t size)
{
	bool looked = step_look_forward(m);

	step_stay(e, m);
	if (looked) {
		step_say_try(m, answer, size);
		return;
	}
	m->step = MINIMIZE_STEP_TRY;
	snprintf(answer, size, "the next try");
}

static void
step_accepted(struct engine *e, struct minimize_task *m, char *answer,
	size_t size)
{
	step_stay(e, m);
	m->at = 0;
	m->step = MINIMIZE_STEP_ACCEPTED;
	snprintf(answer, size, "running to the next accepted try");
}

static void
step_back(struct engine *e, struct minimize_task *m, char *answer, size_t size)
{
	uint64_t last = minimization_state(m->driver.minimization)->tries;
	uint64_t oldest = minimization_oldest(m->driver.minimization);
	uint64_t at = m->at != 0 ? m->at : last;

	step_stay(e, m);
	if (at <= 1 || at - 1 < oldest) {
		snprintf(answer, size, "earlier tries are not stored");
		return;
	}
	m->at = at - 1;
	step_say_try(m, answer, size);
}

static void
step_undo(struct engine *e, struct minimize_task *m, char *answer, size_t size)
{
	step_stay(e, m);
	m->undo_wanted =
		minimization_state(m->driver.minimization)->accepted > 0;
	snprintf(answer, size,
		m->undo_wanted ? "the last accepted cut is undone"
			       : "no cut has been accepted so far");
}

static void
step_skip(struct engine *e, struct minimize_task *m, char *answer, size_t size)
{
	step_end_call(e, m);
	m->at = 0;
	m->skip_wanted = true;
	snprintf(answer, size, "the rest of the phase \"%s\" is skipped",
		minimize_phase_name(
			minimization_state(m->driver.minimization)->phase));
}

static void
step_accept(struct engine *e, struct minimize_task *m, char *answer,
	size_t size)
{
	const uint8_t *best;
	size_t len;

	step_end_call(e, m);
	m->accepted = true;
	best = minimization_best(m->driver.minimization, &len);
	if (m->finding != NULL && triage_is_beaten(e, m->finding, best, len))
		snprintf(answer, size,
			"ended; the earlier minimized input of %zu bytes stays",
			m->finding->minimized_file_len);
	else
		snprintf(answer, size, "accepted as it is: %zu bytes",
			input_text_len(program_types(e), best, len));
}

static void
step_say_pace(const struct minimize_task *m, char *answer, size_t size)
{
	if (m->pace > 0)
		snprintf(answer, size, "%g tries a second", m->pace);
	else
		snprintf(answer, size, "unlimited speed");
}

static void
step_slower(struct engine *e, struct minimize_task *m, char *answer,
	size_t size)
{
	step_end_call(e, m);
	m->driver.by_steps = true;
	m->pace = m->pace <= 0 ? PACE_FIRST : m->pace / 2;
	if (m->pace < PACE_MIN)
		m->pace = PACE_MIN;
	m->next_ns = clock_now_ns();
	step_say_pace(m, answer, size);
}

static void
step_faster(struct engine *e, struct minimize_task *m, char *answer,
	size_t size)
{
	m->pace = m->pace * 2 > MINIMIZE_TASKS_PACE_MAX ? 0 : m->pace * 2;
	m->driver.by_steps = m->held || m->pace > 0;
	m->next_ns = clock_now_ns();
	step_say_pace(m, answer, size);
}

static const struct {
	const char *name;
	step_fn *act;
} steps[] = {
	{ "hold", step_hold },
	{ "go", step_go },
	{ "next", step_next },
	{ "accepted", step_accepted },
	{ "back", step_back },
	{ "undo", step_undo },
	{ "skip", step_skip },
	{ "accept", step_accept },
	{ "slower", step_slower },
	{ "faster", step_faster },
};

/* The only task, for a command without a name. */
static struct minimize_task *
step_only_task(const struct engine *e, struct error *err)
{
	struct minimize_task *found = NULL;
	size_t i, n = 0;

	for (i = 0; i < minimize_tasks_count(e); i++)
		if (!minimize_tasks_at(e, i)->ended) {
			found = minimize_tasks_at(e, i);
			n++;
		}
	if (n == 1)
		return found;
	error_set(err, E_NOT_FOUND,
		n == 0 ? "nothing is being minimized"
		       : "%zu inputs are being minimized: name one of them",
		n);
	return NULL;
}

/* A finding that waits for a worker may be held before its first try. */
static struct minimize_task *
step_find_task(struct engine *e, const char *name, struct error *err)
{
	struct minimize_task *m = minimize_tasks_find(e, name);
	struct finding *f = triage_find(e, name);

	if ((m == NULL || m->ended) && f != NULL &&
		f->state == FINDING_QUEUED && !engine_stopping(e))
		m = minimize_tasks_of_finding(e, f);
	if (m == NULL || m->ended)
		error_set(err, E_NOT_FOUND, "%s is not being minimized", name);
	return m == NULL || m->ended ? NULL : m;
}

bool
command_hold(struct engine *e, const char *name, char *answer, size_t size)
{
	struct command hold = { .id = COMMAND_STEP, .argc = 2 };
	struct error err = { 0 };

	snprintf(hold.line, sizeof(hold.line), "%s", name);
	hold.argv[0] = (char[]){ "hold" };
	hold.argv[1] = hold.line;
	return command_step(e, &hold, answer, size, &err) == OK;
}

enum status
command_step(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	struct minimize_task *m;
	size_t i;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (strcmp(steps[i].name, c->argv[0]) == 0)
			break;
	if (i == sizeof(steps) / sizeof(steps[0]))
		return error_set(err, E_USAGE, "write: step %s, not %s",
			COMMAND_STEPS, c->argv[0]);
	/* Before a task is made. */
	if (engine_stopping(e) && !engine_over(e))
		return error_set(err, E_STATE, "the campaign is stopping");
	m = c->argc > 1 ? step_find_task(e, c->argv[1], err)
			: step_only_task(e, err);
	if (m == NULL)
		return err->code;
	m->asked = true;
	if (m->finding != NULL)
		m->finding->asked = true;
	m->looked_ns = clock_now_ns();
	steps[i].act(e, m, answer, size);
	minimize_tasks_advance(e, m);
	pool_wake(e);
	return OK;
}
