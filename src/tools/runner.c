/*
 * runner: workers as in the pool, but without a campaign.
 */
#include "tools/runner.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rlimits.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/libraries.h"
#include "worker/inputs/type_names.h"
#include "worker/target/command_line.h"
#include "worker/target/environment.h"
#include "worker/unseen.h"

#define RUNNER_TICK_US 10000
#define RUNNER_STARTS_MAX (3 * RUNNER_TRIES)
#define RUNNER_ARENA (1u << 20)

extern char **environ;

/* ---- workers ------------------------------------------------------------ */

static bool
runner_all_down(const struct runner *runner)
{
	uint32_t i;

	for (i = 0; i < runner->workers_n; i++)
		if (!worker_is_down(runner->workers[i]))
			return false;
	return true;
}

void
runner_stop(struct runner *runner)
{
	uint32_t i;

	runner->stopping = true;
	for (i = 0; i < runner->workers_n; i++)
		if (!worker_is_down(runner->workers[i]))
			worker_stop(runner->workers[i]);
	if (runner_all_down(runner))
		event_base_loopbreak(runner->base);
}

static void
runner_give(struct runner *runner, struct worker *w)
{
	struct runner_job *next = &runner->jobs[worker_slot(w)];

	if (runner->stopping || !worker_is_idle(w))
		return;
	if (!next->waits) {
		runner_job(runner, JOB_REPLAY, &next->job);
		next->waits =
			runner->handlers->next(runner->arg, w, &next->job);
	}
	if (!next->waits)
		return;
	if (worker_must_renew(w, next->job.kind)) {
		worker_stop(w);
		return;
	}
	next->waits = false;
	worker_assign(w, &next->job);
}

void
runner_wake(struct runner *runner)
{
	for (uint32_t i = 0; i < runner->workers_n; i++)
		runner_give(runner, runner->workers[i]);
}

void
runner_job(const struct runner *runner, enum job_kind kind, struct job *job)
{
	*job = (struct job){
		.kind = kind,
		.arena = MEMORY_NO_ENTRY,
		.hang_ms = runner->settings.timeout_ms,
		.cap = runner->memory.head->max_len + 1,
		.stack_max = (uint32_t)runner->settings.chain,
	};
}

static void
runner_on_idle(void *arg, struct worker *w)
{
	struct runner *runner = arg;

	if (runner->stopping)
		worker_stop(w);
	else
		runner_wake(runner); /* a result may make work for others */
}

static void
runner_on_result(void *arg, struct worker *w,
	const struct worker_result *result)
{
	struct runner *runner = arg;

	if (result->count > 0)
		runner->failed_starts = 0;
	names_add_paths(runner->names, result->paths);
	runner->handlers->on_result(runner->arg, w, result);
}

static void
runner_on_modules(void *arg, struct worker *w,
	const struct counter_module *modules, uint32_t n)
{
	struct runner *runner = arg;

	for (uint32_t i = 0; i < n; i++) {
		if (campaign_memory_add_module(&runner->memory, modules[i].key,
			    modules[i].n) ||
			runner->module_room_said)
			continue;
		runner->module_room_said = true;
		runner_say(runner,
			"warning: no room for the counters of a module; its "
			"coverage does not count");
	}
}

/* All workers must have the same types. */
static enum status
runner_take_types(struct runner *runner, struct worker *w)
{
	const struct tuple_types *types = worker_types(w);

	if (runner->any_ready && !type_names_same(types, &runner->types))
		return error_set(&runner->fatal, E_TARGET,
			"the target has other parameter types at each start");
	if (runner->any_ready)
		return OK;
	runner->types = *types;
	runner->memory.tuples = types->n > 0;
	return runner->handlers->on_ready != NULL
		? runner->handlers->on_ready(runner->arg, w, &runner->fatal)
		: OK;
}

static void
runner_on_ready(void *arg, struct worker *w, const struct rpc_reply *ping)
{
	struct runner *runner = arg;

	runner_on_modules(arg, w, ping->modules, ping->modules_n);
	/* Of programs with a main() the manual says that nobody looks for leaks. */
	if (!runner->any_ready && ping->leaks != LEAKS_PROGRAM &&
		unseen_leaks_warning(ping->leaks) != NULL)
		runner_say(runner, "warning: %s",
			unseen_leaks_warning(ping->leaks));
	if (runner_take_types(runner, w) != OK) {
		runner_stop(runner);
		return;
	}
	snprintf(runner->function, sizeof(runner->function), "%s",
		ping->function);
	runner->any_ready = true;
	runner->no_fork = ping->no_fork;
	memcpy(runner->sanitizer, ping->sanitizer, sizeof(runner->sanitizer));
	runner->leaks_unseen |= unseen_leaks(ping, runner->settings.no_leaks);
	runner->instrumented =
		runner->memory.head->counters > runner->memory.profile_n;
}

static void
runner_fail_start(struct runner *runner, struct worker *w, const char *why)
{
	char tail[600], reason[256];

	text_clean_string(why, reason, sizeof(reason));
	worker_last_output(w, tail, sizeof(tail));
	error_set(&runner->fatal, E_TARGET,
		"the target does not start: %s%s%s%s", reason,
		tail[0] != '\0' ? "; its last output: " : "", tail,
		isolation_hint(&runner->isolation));
	runner_stop(runner);
}

static void
runner_on_down(void *arg, struct worker *w, bool wanted, const char *why)
{
	struct runner *runner = arg;

	process_kill_orphans(&runner->strangers);
	if (!runner->stopping && wanted) {
		worker_start(w); /* for runner_give() */
		return;
	}
	if (runner->stopping) {
		if (runner_all_down(runner))
			event_base_loopbreak(runner->base);
		return;
	}
	/* A target that cannot be forked ends with each failure. */
	if (runner->any_ready && runner->failed_starts++ < RUNNER_STARTS_MAX)
		worker_start(w);
	else
		runner_fail_start(runner, w, why);
}

static void
runner_on_line(void *arg, const char *line)
{
	runner_say(arg, "%s", line);
}

/* ---- the loop ----------------------------------------------------------- */

static void
runner_on_tick(evutil_socket_t fd, short what, void *arg)
{
	const struct runner *runner = arg;

	for (uint32_t i = 0; i < runner->workers_n; i++)
		worker_tick(runner->workers[i], clock_now_ns());
}

static void
runner_note_orphans(struct runner *runner)
{
	pid_t fork_servers[MEMORY_WORKERS_MAX];
	uint32_t i, n = 0;

	for (i = 0; i < runner->workers_n; i++)
		if (worker_process(runner->workers[i]) != 0)
			fork_servers[n++] = worker_process(runner->workers[i]);
	process_note_orphans(&runner->strangers, fork_servers, n);
}

static void
runner_on_second(evutil_socket_t fd, short what, void *arg)
{
	struct runner *runner = arg;

	runner_note_orphans(runner);
	if (runner->handlers->on_second != NULL && !runner->stopping)
		runner->handlers->on_second(runner->arg);
}

static void
runner_on_signal(evutil_socket_t fd, short what, void *arg)
{
	struct runner *runner = arg;

	if (runner->signals++ == 0 && runner->handlers->on_stop != NULL &&
		!runner->stopping)
		runner->handlers->on_stop(runner->arg);
	else
		runner_stop(runner);
}

static enum status
runner_add_worker(struct runner *runner, struct error *err)
{
	static const struct worker_handlers handlers = {
		.on_ready = runner_on_ready,
		.on_idle = runner_on_idle,
		.on_result = runner_on_result,
		.on_down = runner_on_down,
		.on_modules = runner_on_modules,
		.on_line = runner_on_line,
	};
	const struct worker_config config = {
		.base = runner->base,
		.campaign = &runner->memory,
		.target_fd = command_line_fd(&runner->target),
		.argv = runner->argv,
		.envp = runner->envp,
		.folder = runner->config->folder,
		.isolate = isolation_spec(&runner->isolation),
		.input = &runner->input,
		.leaks = !runner->settings.no_leaks,
		.fail_on_exit = runner->settings.fail_on_exit,
		.handlers = &handlers,
		.arg = runner,
	};
	const struct worker_limits limits = {
		.start_timeout_ms = runner->settings.start_timeout_ms,
		.stop_step_ms = runner->settings.stop_step_ms,
		.rss_limit_kb = runner->settings.rss_limit_mb << 10,
		.file_limit_mb = runner->settings.file_limit_mb,
		.workers = 1,
	};
	struct worker *w = worker_create(&config, runner->workers_n, err);

	if (w == NULL)
		return err->code;
	worker_set_limits(w, &limits);
	runner->workers[runner->workers_n++] = w;
	return OK;
}

static void
runner_watch(struct runner *runner)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	const struct timeval tick = { 0, RUNNER_TICK_US }, second = { 1, 0 };
	int i;

	for (i = 0; i < 3; i++)
		runner->signal_events[i] = libraries_watch_end(runner->base,
			signals[i], runner_on_signal, runner);
	runner->tick_event =
		event_new(runner->base, -1, EV_PERSIST, runner_on_tick, runner);
	event_add(runner->tick_event, &tick);
	runner->second_event = event_new(runner->base, -1, EV_PERSIST,
		runner_on_second, runner);
	event_add(runner->second_event, &second);
}

static enum status
runner_open_target(struct runner *runner, struct error *err)
{
	const struct engine_config *config = runner->config;
	size_t i;

	if (input_file_check(&runner->settings, config->folder, err) != OK ||
		target_check(config->target, &runner->target, err) != OK ||
		isolation_open(&runner->isolation, &runner->settings,
			runner->target.fd, err) != OK ||
		command_line_show(&runner->target, &runner->isolation, err) !=
			OK)
		return err->code;
	for (i = 0; config->hidden != NULL && config->hidden[i] != NULL; i++)
		isolation_hide(&runner->isolation, config->hidden[i]);
	return OK;
}

enum status
runner_open(struct runner *runner, const struct engine_config *config,
	const struct runner_handlers *handlers, void *arg, uint32_t workers,
	uint64_t max_len, struct error *err)
{
	char why[RLIMITS_TEXT_MAX] = "";
	struct environment_spec spec;
	bool none = workers == 0; /* there is nothing to run */
	uint32_t i;

	if (!none)
		workers = (uint32_t)process_workers_room(workers, 0, why,
			sizeof(why));
	*runner = (struct runner){
		.config = config,
		.handlers = handlers,
		.arg = arg,
		.base = workers > 0 || none ? libraries_base_new() : NULL,
		.memory.sealed.fd = -1,
		.target.fd = -1,
		.input = { .folder = runner->folder,
			.name = config->settings->input_file,
			.isolated = config->settings->isolate,
			.keep = config->keep_input,
			.lock_fd = -1 },
		.jobs = xcalloc(MEMORY_WORKERS_MAX, sizeof(*runner->jobs)),
	};
	if (runner->base == NULL)
		return error_set(err, E_USAGE, "no worker can be started%s%s",
			why[0] != '\0' ? ": " : "", why);
	signal(SIGPIPE, SIG_IGN);
	process_harden();
	process_note_strangers(&runner->strangers);
	process_become_subreaper();
	settings_init(&runner->settings);
	settings_copy(&runner->settings, config->settings);
	spec = (struct environment_spec){
		.rss_limit_mb = runner->settings.rss_limit_mb,
		.no_leaks = runner->settings.no_leaks,
		.clean = runner->settings.clean_env,
		.preload = runner->target.preload,
		.plain = strcmp(runner->settings.coverage, "none") == 0,
	};
	if (runner_open_target(runner, err) != OK ||
		campaign_memory_open(&runner->memory, (uint32_t)max_len,
			RUNNER_ARENA, err) != OK)
		return err->code;
	if ((!none && input_file_take(&runner->input, err) != OK) ||
		(!runner->input.isolated &&
			input_file_make_folder(config->args, runner->folder,
				sizeof(runner->folder), err) != OK))
		return err->code;
	spec.program_fd = command_line_program_fd(&runner->target);
	runner->envp = environment_create(environ, &spec);
	runner->argv = command_line_create(&runner->target, config->args);
	for (i = 0; i < workers && i < runner->settings.parallel; i++)
		if (runner_add_worker(runner, err) != OK)
			return err->code;
	runner->names = names_create(runner->base, &runner->target, NULL);
	runner_watch(runner);
	return OK;
}

enum status
runner_run(struct runner *runner, struct error *err)
{
	uint32_t i;

	for (i = 0; i < runner->workers_n && !runner->stopping; i++)
		worker_start(runner->workers[i]);
	if (!runner->stopping)
		event_base_dispatch(runner->base);
	if (runner->fatal.code != OK)
		return error_set(err, runner->fatal.code, "%s",
			runner->fatal.text);
	return OK;
}

static void
runner_free_event(struct event *event)
{
	if (event != NULL)
		event_free(event);
}

void
runner_close(struct runner *runner)
{
	uint32_t i;

	/* A runner of zeros would close descriptor 0. */
	if (runner->config == NULL)
		return;
	names_destroy(runner->names);
	runner_free_event(runner->tick_event);
	runner_free_event(runner->second_event);
	for (i = 0; i < 3; i++)
		runner_free_event(runner->signal_events[i]);
	for (i = 0; i < runner->workers_n; i++)
		worker_destroy(runner->workers[i]);
	input_file_leave(&runner->input);
	process_kill_leftovers(&runner->strangers);
	free(runner->jobs);
	campaign_memory_close(&runner->memory);
	isolation_close(&runner->isolation);
	target_info_clear(&runner->target);
	xfree_list(runner->envp);
	xfree_list(runner->argv);
	if (runner->folder[0] != '\0')
		(void)rmdir(runner->folder);
	settings_clear(&runner->settings);
	if (runner->base != NULL)
		event_base_free(runner->base);
}
