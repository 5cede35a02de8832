/*
 * min: makes one failing input smaller.
 *
 * The input runs first: the smaller input must fail as it does. A worker
 * minimizes until nothing gets smaller or the budget is used up. The result
 * runs once more in a fresh child, and is written only if it fails there too.
 * The input itself is never changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "findings/finding.h"
#include "tools/min_private.h"
#include "worker/input_text.h"

/* ---- steps -------------------------------------------------------------- */

static unsigned
min_runs_wanted(const struct min *m)
{
	return m->runner.settings.verify > 0
		? (unsigned)m->runner.settings.verify
		: 1;
}

static void
min_enter(struct min *m, enum min_step step)
{
	m->step = step;
	m->runs = m->reproduced = 0;
	if (step == MIN_SHRINK && m->shrink_ns == 0)
		m->shrink_ns = clock_now_ns();
	if (step == MIN_END)
		runner_stop(&m->runner);
}

static void
min_give_up(struct min *m, enum exit_status status, const char *text)
{
	m->status = status;
	error_set(&m->error, E_STATE, "%s", text);
	min_enter(m, MIN_END);
}

bool
min_left(const struct min *m, uint64_t *ms, uint64_t *executions)
{
	const struct budget *budget = &m->runner.settings.minimizetime;
	uint64_t used = (clock_now_ns() - m->shrink_ns) / CLOCK_NS_PER_MS;

	*ms = used < budget->duration_ms ? budget->duration_ms - used : 0;
	*executions = m->execs < budget->executions
		? budget->executions - m->execs
		: 0;
	return !m->stopped && (budget->duration_ms == 0 || *ms > 0) &&
		(budget->executions == 0 || *executions > 0);
}

static void
min_set_best(struct min *m, const uint8_t *data, size_t len)
{
	uint8_t *copy = xmemdup(data, len > 0 ? len : 1);

	free(m->best);
	m->best = copy;
	m->best_len = len;
}

static void
min_machine_clear(struct min *m)
{
	free(m->machine.other);
	m->machine = (struct min_machine){ 0 };
}

void
min_take_best(struct min *m, const uint8_t *best, size_t len, bool time_over)
{
	bool smaller = best != NULL && len < m->best_len;

	min_machine_clear(m);
	m->time_over = time_over && !m->stopped;
	if (best != NULL && len <= m->best_len)
		min_set_best(m, best, len);
	/*
	 * No result, perhaps because the input fails only sometimes: try again.
	 */
	else if (!time_over && !m->stopped &&
		++m->fork_servers < min_runs_wanted(m))
		return;
	/* A smaller input may make further cuts possible. */
	if (m->stopped || time_over || !smaller)
		min_enter(m, MIN_CONFIRM);
}

/* Saves the state in which the fork server met an unknown failure. */
static void
min_take_machine(struct min *m, const struct worker_result *r)
{
	struct min_machine *at = &m->machine;

	min_machine_clear(m);
	if (r->best == NULL || r->machine == NULL)
		return;
	min_set_best(m, r->best, r->best_len);
	memcpy(at->state, r->machine, sizeof(at->state));
	at->other_len = r->other_len;
	if (r->other != NULL)
		at->other =
			xmemdup(r->other, r->other_len > 0 ? r->other_len : 1);
	at->set = true;
}

/* Fills a job for the fork server. False: the budget is used up. */
static bool
min_shrink_job(struct min *m, struct job *job)
{
	runner_job(&m->runner, JOB_MINIMIZE_FAILURE, job);
	job->data = m->best;
	job->len = m->best_len;
	job->signature = m->signature;
	job->failure_kind = m->failure.kind;
	job->what = m->failure.what;
	job->rule = m->rule;
	job->known = m->known;
	job->known_n = m->known_n;
	job->ask = m->rule == MINIMIZE_SAME_BUCKET && !min_known_is_full(m);
	if (m->machine.set) {
		job->machine = m->machine.state;
		job->other = m->machine.other;
		job->other_len = m->machine.other_len;
	}
	if (min_left(m, &job->budget_ms, &job->limit))
		return true;
	min_take_best(m, m->best, m->best_len, true);
	return false;
}

/* Runs the input of this step in a fresh child. */
static void
min_run_job(const struct min *m, struct job *job)
{
	runner_job(&m->runner, JOB_REPLAY, job);
	job->data = m->step == MIN_CHECK ? m->files.input
		: m->step == MIN_RESUME  ? m->files.earlier
					 : m->best;
	job->len = m->step == MIN_CHECK ? m->files.len
		: m->step == MIN_RESUME ? m->files.earlier_len
					: m->best_len;
}

static bool
min_next(void *arg, struct job *job)
{
	struct min *m = arg;

	if (m->asking || m->step == MIN_BUCKET || m->step == MIN_END)
		return false;
	while (m->step == MIN_SHRINK)
		if (m->runner.no_fork ? min_hand_next(m, job)
				      : min_shrink_job(m, job))
			return true;
	min_run_job(m, job);
	return true;
}

/* ---- results ------------------------------------------------------------ */

static void
min_on_check(struct min *m, const struct worker_result *r)
{
	const struct failure *f = &r->failure;
	char name[512], text[900];

	m->runs++;
	if (f->kind != FAILURE_NONE && !failure_is_suspect(f->kind)) {
		m->fails = true;
		m->failure = *f;
		m->signature = failure_stack_hash(f);
		min_set_best(m, m->files.input, m->files.len);
		min_enter(m, MIN_BUCKET);
		min_ask_bucket(m);
		return;
	}
	if (m->runs < min_runs_wanted(m))
		return;
	text_clean_string(m->files.input_path, name, sizeof(name));
	snprintf(text, sizeof(text),
		"%s does not fail, in %u run%s: there is "
		"nothing to minimize",
		name, m->runs, m->runs == 1 ? "" : "s");
	min_give_up(m, EXIT_SETUP, text);
}

void
min_on_bucket(struct min *m)
{
	min_enter(m, m->files.earlier != NULL ? MIN_RESUME : MIN_SHRINK);
	runner_wake(&m->runner);
}

static void
min_on_resume(struct min *m, const struct worker_result *r)
{
	m->runs++;
	if (min_accepts(m, &r->failure))
		min_set_best(m, m->files.earlier, m->files.earlier_len);
	else if (m->runs < min_runs_wanted(m))
		return;
	min_enter(m, MIN_SHRINK);
}

static void
min_on_shrunk(struct min *m, const struct worker_result *r)
{
	m->execs += r->count;
	m->tries += r->tries;
	m->accepted += r->accepted;
	if (r->end == CALL_UNKNOWN && !m->stopped &&
		min_must_ask(m, &r->failure)) {
		min_take_machine(m, r);
		return;
	}
	min_take_best(m, r->best, r->best_len,
		r->end == CALL_TIME || r->end == CALL_LIMIT);
}

/* Each run costs a whole time-out or all of the memory. */
static bool
min_is_slow(const struct failure *f)
{
	return f->kind == FAILURE_HANG || f->kind == FAILURE_OOM ||
		f->kind == FAILURE_STOPPED;
}

static void
min_on_confirm(struct min *m, const struct worker_result *r)
{
	m->runs++;
	if (min_accepts(m, &r->failure))
		m->reproduced++;
	m->believed = m->reproduced > 0;
	if (m->runs < min_runs_wanted(m) &&
		!(m->believed && min_is_slow(&m->failure)))
		return;
	if (!m->believed) {
		min_give_up(m, EXIT_LOST,
			"the smaller input did not fail again: nothing was "
			"written");
	} else {
		m->step = MIN_END;
		runner_stop(&m->runner);
	}
}

static void
min_on_result(void *arg, const struct worker *w, const struct worker_result *r)
{
	struct min *m = arg;
	char why[512], text[600];

	(void)w;
	if (r->job.kind == JOB_MINIMIZE_FAILURE)
		min_on_shrunk(m, r);
	else if (m->step != MIN_CHECK && min_must_ask(m, &r->failure))
		m->execs += r->count;
	else if (m->step == MIN_SHRINK)
		min_hand_on_result(m, r);
	else if (r->interrupted || r->count == 0) {
		text_clean_string(r->error, why, sizeof(why));
		snprintf(text, sizeof(text), "the input was not run%s%s",
			why[0] != '\0' ? ": " : "", why);
		min_give_up(m, EXIT_LOST, text);
	} else if (m->step == MIN_CHECK) {
		min_on_check(m, r);
	} else if (m->step == MIN_RESUME) {
		min_on_resume(m, r);
	} else if (m->step == MIN_CONFIRM) {
		min_on_confirm(m, r);
	}
}

static void
min_on_second(void *arg)
{
	struct min *m = arg;

	if (m->step == MIN_SHRINK)
		min_say_progress(m);
}

/* Keeps the best input so far, which still has to be confirmed. */
static void
min_on_stop(void *arg)
{
	struct min *m = arg;

	m->stopped = true;
	if (m->asking) {
		m->asking = false;
		runner_wake(&m->runner);
	}
	if (m->step == MIN_SHRINK)
		worker_end_call(m->runner.workers[0]);
	else if (m->step < MIN_SHRINK)
		min_give_up(m, EXIT_LOST,
			"stopped before anything was smaller: nothing was "
			"written");
}

/* ---- the whole ---------------------------------------------------------- */

static enum status
min_on_ready(void *arg, struct error *err)
{
	struct min *m = arg;

	return min_files_convert(&m->files, &m->runner.types,
		m->runner.memory.head->max_len, err);
}

static void
min_write(struct min *m)
{
	struct error err = { 0 };

	if (min_files_write(&m->files, m->best, m->best_len, &err) != OK) {
		m->status = EXIT_LOST;
		error_set(&m->error, err.code, "%s", err.text);
		return;
	}
	min_say_result(m);
}

static enum status
min_open(struct min *m, struct error *err)
{
	static const struct runner_handlers handlers = {
		.on_ready = min_on_ready,
		.next = min_next,
		.on_result = min_on_result,
		.on_stop = min_on_stop,
		.on_second = min_on_second,
	};
	uint64_t max_len = m->archive.settings.max_len;
	uint64_t room = input_room(m->files.input, m->files.len);
	enum status status;
	char text[1024];

	if (max_len < room)
		max_len = room;
	status = runner_open(&m->runner, &m->archive.config, &handlers, m, 1,
		max_len, err);
	if (status != OK)
		return status;
	m->rule = minimize_rule_parse(m->runner.settings.minimize_rule);
	m->start_ns = clock_now_ns();
	archive_config_tell(&m->archive, text, sizeof(text));
	if (text[0] != '\0')
		runner_say(&m->runner, "%s", text);
	return OK;
}

static void
min_run(struct min *m, struct error *err)
{
	enum status status = min_open(m, err);

	if (status == OK)
		status = runner_run(&m->runner, err);
	if (status != OK)
		m->status = EXIT_SETUP;
	else if (m->believed)
		min_write(m);
	else if (m->error.code == OK)
		min_give_up(m, EXIT_LOST, "stopped: nothing was written");
	runner_close(&m->runner);
}

enum exit_status
engine_min(const struct engine_config *config, const char *path,
	const char *output, struct error *err)
{
	struct min m = { .files.lock_fd = -1 };
	const struct budget *budget = &config->settings->minimizetime;

	if (budget->duration_ms == 0 && budget->executions == 0)
		error_set(err, E_USAGE,
			"--minimizetime 0 leaves no time to minimize");
	if (err->code != OK ||
		min_files_read(&m.files, path, output, err) != OK) {
		m.status = EXIT_SETUP;
	} else {
		archive_config_init(&m.archive, config, m.files.archive);
		min_run(&m, err);
		archive_config_clear(&m.archive);
	}
	if (m.error.code != OK)
		error_set(err, m.error.code, "%s", m.error.text);
	min_files_clear(&m.files);
	min_hand_clear(&m);
	min_judge_clear(&m);
	min_machine_clear(&m);
	free(m.best);
	return m.status;
}
