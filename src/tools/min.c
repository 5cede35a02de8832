/*
 * min: makes one failing input smaller.
 *
 * The input runs first: the smaller input must fail as it does. A worker
 * minimizes until nothing gets smaller or the budget is used up. The result
 * runs once more in a fresh child, and is written only if it fails there too.
 * The input itself is never changed.
 */
#include <stdio.h>

#include "base/clock.h"
#include "base/text.h"
#include "findings/finding.h"
#include "shared/values/encode.h"
#include "tools/min_private.h"
#include "worker/inputs/input_text.h"

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
	if (step == MIN_MINIMIZE && m->minimize_ns == 0)
		m->minimize_ns = clock_now_ns();
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

/* The rest of the budget; 0: no limit. False: nothing is left. */
static bool
min_left(const struct min *m, uint64_t *ms, uint64_t *executions)
{
	const struct budget *budget = &m->runner.settings.minimizetime;
	uint64_t used = (clock_now_ns() - m->minimize_ns) / CLOCK_NS_PER_MS;

	*ms = used < budget->duration_ms ? budget->duration_ms - used : 0;
	*executions = m->driver.count < budget->executions
		? budget->executions - m->driver.count
		: 0;
	return !m->stopped && (budget->duration_ms == 0 || *ms > 0) &&
		(budget->executions == 0 || *executions > 0);
}

const uint8_t *
min_best(const struct min *m, size_t *len)
{
	return minimization_best(m->driver.minimization, len);
}

static void
min_count_round(struct min *m)
{
	m->tries += minimization_state(m->driver.minimization)->tries;
	m->accepted += minimization_state(m->driver.minimization)->accepted;
}

/* The data may be in the former round, too. */
static void
min_begin_round(struct min *m, const uint8_t *data, size_t len)
{
	struct minimization *former = m->driver.minimization;
	const struct minimization_options options = {
		.tuples = m->runner.types.n > 0,
	};

	m->driver.minimization = minimization_create(data, len, &options);
	m->driver.alone |= m->runner.no_fork;
	minimization_destroy(former);
}

/* A round that made the input smaller is followed by another. */
static bool
min_begin_another(struct min *m)
{
	size_t len;
	const uint8_t *best = min_best(m, &len);

	if (len == minimization_start_len(m->driver.minimization))
		return false;
	min_count_round(m);
	min_begin_round(m, best, len);
	return true;
}

/* Fills a job for the next tries. False: the step is over. */
static bool
min_minimize_job(struct min *m, struct job *job)
{
	uint64_t ms, executions;
	bool left = min_left(m, &ms, &executions);
	bool done = minimization_is_done(m->driver.minimization) &&
		!min_begin_another(m);

	runner_job(&m->runner, JOB_MINIMIZE_FAILURE, job);
	job_let_grow(job, m->failure.kind);
	if (left && !done && minimization_driver_job(&m->driver, job)) {
		job->ask = min_may_ask(m);
		if (!m->driver.single) {
			job->budget_ms = ms;
			job->limit = executions;
		}
		return true;
	}
	m->time_over = !left && !done && !m->stopped;
	min_enter(m, MIN_CONFIRM);
	return false;
}

/* Runs the input of this step in a fresh child. */
static void
min_run_job(const struct min *m, struct job *job)
{
	runner_job(&m->runner, JOB_REPLAY, job);
	job_let_grow(job, m->failure.kind);
	job->data = m->files.input;
	job->len = m->files.len;
	if (m->step == MIN_CONFIRM)
		job->data = min_best(m, &job->len);
}

static bool
min_next(void *arg, const struct worker *w, struct job *job)
{
	struct min *m = arg;

	if (m->asking || m->step == MIN_BUCKET || m->step == MIN_END)
		return false;
	if (m->step == MIN_MINIMIZE && min_minimize_job(m, job))
		return true;
	min_run_job(m, job);
	return true;
}

/* ---- results ------------------------------------------------------------ */

static void
min_fails_otherwise(struct min *m)
{
	const struct finding *was = m->finding;
	char name[512];

	text_clean_string(m->files.input_path, name, sizeof(name));
	error_set(&m->error, E_STATE,
		"%s fails in another way than its finding: %s%s%s, not "
		"%s%s%s; with -o FILE it is minimized all the same",
		name, m->what, m->where[0] != '\0' ? " in " : "", m->where,
		was->failure.what, was->where[0] != '\0' ? " in " : "",
		was->where);
	m->status = EXIT_SETUP;
	min_enter(m, MIN_END);
}

/* The next run may fail as the finding. */
void
min_on_other(struct min *m)
{
	m->step = MIN_CHECK;
	if (m->runs >= min_runs_wanted(m))
		min_fails_otherwise(m);
	else
		runner_wake(&m->runner);
}

static void
min_on_check(struct min *m, const struct worker_result *r)
{
	const struct failure *f = &r->failure;
	char name[512], text[900];

	m->runs++;
	if (minimization_is_failure(f)) {
		m->failure = *f;
		m->driver.failure = &m->failure;
		m->driver.stack_hash = failure_stack_hash(f);
		m->step = MIN_BUCKET;
		min_ask_bucket(m);
		return;
	}
	if (m->runs < min_runs_wanted(m))
		return;
	if (m->what[0] != '\0') { /* an earlier run failed */
		min_fails_otherwise(m);
		return;
	}
	text_clean_string(m->files.input_path, name, sizeof(name));
	if (failure_is_suspect(f->kind))
		snprintf(text, sizeof(text),
			"%s is not minimized: a smaller input that ends like "
			"this (%.90s) may have been ended from outside",
			name, f->text);
	else
		snprintf(text, sizeof(text),
			"%s does not fail, in %u run%s: there is "
			"nothing to minimize",
			name, m->runs, m->runs == 1 ? "" : "s");
	min_give_up(m, EXIT_SETUP, text);
}

void
min_on_bucket(struct min *m)
{
	if (m->files.earlier != NULL)
		min_begin_round(m, m->files.earlier, m->files.earlier_len);
	else
		min_begin_round(m, m->files.input, m->files.len);
	min_enter(m, MIN_MINIMIZE);
	runner_wake(&m->runner);
}

/*
 * An input that fails or runs only sometimes gets another chance. An earlier
 * result that does not fail is not used.
 */
static void
min_on_outcome(struct min *m, enum minimization_outcome outcome)
{
	bool nothing = outcome == MINIMIZATION_FAILED ||
		outcome == MINIMIZATION_NOTHING;

	if (!nothing || ++m->runs < min_runs_wanted(m))
		return;
	if (m->files.earlier == NULL || m->driver.verified) {
		min_enter(m, MIN_CONFIRM);
		return;
	}
	min_files_drop_earlier(&m->files);
	min_begin_round(m, m->files.input, m->files.len);
	min_enter(m, MIN_MINIMIZE);
}

void
min_settle(struct min *m, const struct failure *f)
{
	if (m->step == MIN_MINIMIZE && m->driver.asking)
		min_on_outcome(m,
			minimization_driver_settle(&m->driver,
				minimization_driver_accepts(&m->driver, f)
					? TRY_SAME
					: TRY_OTHER));
}

static void
min_on_tries(struct min *m, const struct worker_result *r)
{
	enum minimization_outcome outcome =
		minimization_driver_on_result(&m->driver, r);

	/* Nor would the next call run: the confirmation says why. */
	if (r->error[0] != '\0')
		outcome = MINIMIZATION_NOTHING;
	if (outcome != MINIMIZATION_ASKS)
		min_on_outcome(m, outcome);
	else if (!m->stopped && !min_must_ask(m, &r->failure))
		min_settle(m, &r->failure);
}

static void
min_on_confirm(struct min *m, const struct worker_result *r)
{
	m->runs++;
	if (minimization_driver_accepts(&m->driver, &r->failure))
		m->reproduced++;
	m->believed = m->reproduced > 0;
	if (m->runs < min_runs_wanted(m) &&
		!(m->believed && failure_is_slow(m->failure.kind)))
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

	if (m->step == MIN_MINIMIZE) {
		min_on_tries(m, r);
	} else if (runner_again(r, &m->lost) ||
		(m->step == MIN_CONFIRM && min_must_ask(m, &r->failure))) {
		return;
	} else if (r->interrupted || r->count == 0) {
		text_clean_string(r->error, why, sizeof(why));
		snprintf(text, sizeof(text), "the input was not run%s%s",
			why[0] != '\0' ? ": " : "", why);
		min_give_up(m, EXIT_LOST, text);
	} else if (m->step == MIN_CHECK) {
		min_on_check(m, r);
	} else if (m->step == MIN_CONFIRM) {
		min_on_confirm(m, r);
	}
}

static void
min_on_second(void *arg)
{
	struct min *m = arg;

	if (m->step == MIN_MINIMIZE)
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
	if (m->step == MIN_MINIMIZE)
		worker_end_call(m->runner.workers[0]);
	else if (m->step < MIN_MINIMIZE)
		min_give_up(m, EXIT_LOST,
			"stopped before anything was smaller: nothing was "
			"written");
}

/* ---- the whole ---------------------------------------------------------- */

static enum status
min_on_ready(void *arg, struct worker *w, struct error *err)
{
	struct min *m = arg;
	char name[512];

	if (min_files_convert(&m->files, &m->runner.types,
		    m->runner.memory.head->max_len, err) != OK)
		return err->code;
	/* The input is the value of a text, which is always shorter. */
	if (m->runner.types.n == 0 && m->files.len != m->files.file_len) {
		text_clean_string(m->files.input_path, name, sizeof(name));
		runner_say(&m->runner,
			"%s: %zu bytes (" ENCODE_VERSION ": %zu bytes)", name,
			m->files.file_len, m->files.len);
	}
	return OK;
}

static void
min_write(struct min *m)
{
	struct error err = { 0 };
	size_t len;
	const uint8_t *best = min_best(m, &len);

	min_count_round(m);
	if (min_files_write(&m->files, best, len, &err) != OK ||
		min_record(m, &err) != OK) {
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
	m->driver.rule = minimize_rule_parse(m->runner.settings.minimize_rule);
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
		min_files_read(&m.files, path, output, err) != OK ||
		min_read_finding(&m, config->settings->minimize_rule, err) !=
			OK) {
		m.status = EXIT_SETUP;
	} else {
		archive_config_init(&m.archive, config, m.files.archive);
		archive_config_take_finding(&m.archive, config->settings, path);
		min_run(&m, err);
		archive_config_clear(&m.archive);
	}
	if (m.error.code != OK)
		error_set(err, m.error.code, "%s", m.error.text);
	min_files_clear(&m.files);
	finding_destroy(m.finding);
	minimization_driver_clear(&m.driver);
	return m.status;
}
