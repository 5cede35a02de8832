/*
 * runner: workers as in the pool, but without a campaign.
 */
#include "tools/runner.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/rlimits.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/libraries.h"
#include "worker/environment.h"
#include "worker/type_names.h"

#define RUNNER_TICK_US 10000
#define RUNNER_STARTS_MAX 3
#define RUNNER_ARENA (1u << 20)

extern char **environ;

/* ---- reports ------------------------------------------------------------ */

static void __attribute__((format(printf, 3, 0)))
runner_report(const struct runner *rig, enum report_kind kind, const char *fmt,
	va_list ap)
{
	struct report report = { .kind = kind };
	char text[4096];

	vsnprintf(text, sizeof(text), fmt, ap);
	report.text = text;
	rig->config->report(rig->config->arg, &report);
}

void
runner_say(const struct runner *rig, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	runner_report(rig, REPORT_LINE, fmt, ap);
	va_end(ap);
}

void
runner_say_progress(const struct runner *rig, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	runner_report(rig, REPORT_PROGRESS, fmt, ap);
	va_end(ap);
}

void
runner_say_event(const struct runner *rig, json_t *take_event)
{
	struct report report = { .kind = REPORT_EVENT, .event = take_event };

	if (take_event != NULL)
		rig->config->report(rig->config->arg, &report);
	json_decref(take_event);
}

/* ---- workers ------------------------------------------------------------ */

static bool
runner_all_down(const struct runner *rig)
{
	uint32_t i;

	for (i = 0; i < rig->workers_n; i++)
		if (!worker_is_down(rig->workers[i]))
			return false;
	return true;
}

void
runner_stop(struct runner *rig)
{
	uint32_t i;

	rig->stopping = true;
	for (i = 0; i < rig->workers_n; i++)
		if (!worker_is_down(rig->workers[i]))
			worker_stop(rig->workers[i]);
	if (runner_all_down(rig))
		event_base_loopbreak(rig->base);
}

static void
runner_give(struct runner *rig, struct worker *w)
{
	struct job job;

	if (rig->stopping || !worker_is_idle(w))
		return;
	runner_job(rig, JOB_REPLAY, &job);
	if (rig->handlers->next(rig->arg, &job))
		worker_assign(w, &job);
}

void
runner_wake(struct runner *rig)
{
	uint32_t i;

	for (i = 0; i < rig->workers_n; i++)
		runner_give(rig, rig->workers[i]);
}

void
runner_job(const struct runner *rig, enum job_kind kind, struct job *job)
{
	*job = (struct job){
		.kind = kind,
		.arena = MEMORY_NO_ENTRY,
		.hang_ms = rig->settings.timeout_ms,
		.cap = rig->memory.head->max_len + 1,
		.chain = (uint32_t)rig->settings.chain,
	};
}

static void
runner_on_idle(void *arg, struct worker *w)
{
	struct runner *rig = arg;

	if (rig->stopping)
		worker_stop(w);
	else
		runner_wake(rig); /* a result may make work for others */
}

static void
runner_on_result(void *arg, struct worker *w,
	const struct worker_result *result)
{
	struct runner *rig = arg;

	if (result->count > 0)
		rig->failed_starts = 0;
	rig->handlers->on_result(rig->arg, w, result);
}

static void
runner_on_modules(void *arg, struct worker *w,
	const struct counter_module *modules, uint32_t n)
{
	struct runner *rig = arg;
	uint32_t i;

	(void)w;
	for (i = 0; i < n; i++) {
		if (campaign_memory_add_module(&rig->memory, modules[i].key,
			    modules[i].n) ||
			rig->module_room_said)
			continue;
		rig->module_room_said = true;
		runner_say(rig,
			"warning: no room for the counters of a module that "
			"was loaded later; its coverage does not count");
	}
}

/* All workers must have the same types. */
static enum status
runner_take_types(struct runner *rig, const struct tuple_types *types)
{
	if (rig->any_ready && !type_names_same(types, &rig->types))
		return error_set(&rig->fatal, E_TARGET,
			"the target takes other types each time that it "
			"starts");
	if (rig->any_ready)
		return OK;
	rig->types = *types;
	rig->memory.tuples = types->n > 0;
	return rig->handlers->on_ready != NULL
		? rig->handlers->on_ready(rig->arg, &rig->fatal)
		: OK;
}

static void
runner_on_ready(void *arg, struct worker *w, const struct rpc_reply *ping)
{
	struct runner *rig = arg;

	runner_on_modules(arg, w, ping->modules, ping->modules_n);
	if (!rig->any_ready && worker_leaks_trouble(ping->leaks) != NULL)
		runner_say(rig, "warning: %s",
			worker_leaks_trouble(ping->leaks));
	if (runner_take_types(rig, worker_types(w)) != OK) {
		runner_stop(rig);
		return;
	}
	snprintf(rig->function, sizeof(rig->function), "%s", ping->function);
	rig->any_ready = true;
	rig->no_fork = ping->no_fork;
	rig->instrumented = rig->memory.head->counters > rig->memory.profile_n;
}

static void
runner_fail_start(struct runner *rig, struct worker *w, const char *why)
{
	char tail[600], reason[256];

	text_clean_string(why, reason, sizeof(reason));
	worker_last_output(w, tail, sizeof(tail));
	error_set(&rig->fatal, E_TARGET, "the target does not start: %s%s%s%s",
		reason, tail[0] != '\0' ? "; its last output: " : "", tail,
		isolation_hint(&rig->isolation));
	runner_stop(rig);
}

static void
runner_on_down(void *arg, struct worker *w, bool wanted, const char *why)
{
	struct runner *rig = arg;

	process_kill_orphans(&rig->strangers);
	if (rig->stopping || wanted) {
		if (runner_all_down(rig))
			event_base_loopbreak(rig->base);
		return;
	}
	/* A target that cannot be forked ends with each failure. */
	if (rig->any_ready && rig->failed_starts++ < RUNNER_STARTS_MAX)
		worker_start(w);
	else
		runner_fail_start(rig, w, why);
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
	struct runner *rig = arg;
	uint64_t now = clock_now_ns();
	uint32_t i;

	(void)fd;
	(void)what;
	for (i = 0; i < rig->workers_n; i++)
		worker_tick(rig->workers[i], now);
}

static void
runner_note_orphans(struct runner *rig)
{
	pid_t keepers[MEMORY_WORKERS_MAX];
	uint32_t i, n = 0;

	for (i = 0; i < rig->workers_n; i++)
		if (worker_process(rig->workers[i]) != 0)
			keepers[n++] = worker_process(rig->workers[i]);
	process_note_orphans(&rig->strangers, keepers, n);
}

static void
runner_on_second(evutil_socket_t fd, short what, void *arg)
{
	struct runner *rig = arg;

	(void)fd;
	(void)what;
	runner_note_orphans(rig);
	if (rig->handlers->on_second != NULL && !rig->stopping)
		rig->handlers->on_second(rig->arg);
}

static void
runner_on_signal(evutil_socket_t fd, short what, void *arg)
{
	struct runner *rig = arg;

	(void)fd;
	(void)what;
	if (rig->signals++ == 0 && rig->handlers->on_stop != NULL &&
		!rig->stopping)
		rig->handlers->on_stop(rig->arg);
	else
		runner_stop(rig);
}

static enum status
runner_add_worker(struct runner *rig, struct error *err)
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
		.base = rig->base,
		.campaign = &rig->memory,
		.target_fd = rig->target.fd,
		.argv = rig->argv,
		.envp = rig->envp,
		.isolate = isolation_spec(&rig->isolation),
		.leaks = !rig->settings.no_leaks,
		.handlers = &handlers,
		.arg = rig,
	};
	const struct worker_limits limits = {
		.start_timeout_ms = rig->settings.start_timeout_ms,
		.stop_step_ms = rig->settings.stop_step_ms,
		.rss_limit_kb = rig->settings.rss_limit_mb << 10,
		.file_limit_mb = rig->settings.file_limit_mb,
		.workers = 1,
	};
	struct worker *w = worker_create(&config, rig->workers_n, err);

	if (w == NULL)
		return err->code;
	worker_set_limits(w, &limits);
	rig->workers[rig->workers_n++] = w;
	return OK;
}

static void
runner_make_argv(struct runner *rig)
{
	char **args = rig->config->args;
	size_t i, n = 0;

	while (args != NULL && args[n] != NULL)
		n++;
	rig->argv = xcalloc(n + 2, sizeof(*rig->argv));
	rig->argv[0] = rig->target.path;
	for (i = 0; i < n; i++)
		rig->argv[i + 1] = args[i];
}

static void
runner_watch(struct runner *rig)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	const struct timeval tick = { 0, RUNNER_TICK_US }, second = { 1, 0 };
	int i;

	for (i = 0; i < 3; i++) {
		rig->signal_events[i] = evsignal_new(rig->base, signals[i],
			runner_on_signal, rig);
		event_add(rig->signal_events[i], NULL);
	}
	rig->tick_event =
		event_new(rig->base, -1, EV_PERSIST, runner_on_tick, rig);
	event_add(rig->tick_event, &tick);
	rig->second_event =
		event_new(rig->base, -1, EV_PERSIST, runner_on_second, rig);
	event_add(rig->second_event, &second);
}

enum status
runner_open(struct runner *rig, const struct engine_config *config,
	const struct runner_handlers *handlers, void *arg, uint32_t workers,
	uint64_t max_len, struct error *err)
{
	char why[RLIMITS_TEXT_MAX] = "";
	struct environment_spec spec;
	bool none = false;
	uint32_t i;

	if (workers > 0)
		workers = (uint32_t)process_workers_room(workers, why,
			sizeof(why));
	else
		none = true; /* there is nothing to run */
	*rig = (struct runner){
		.config = config,
		.handlers = handlers,
		.arg = arg,
		.base = workers > 0 || none ? libraries_base_new() : NULL,
		.memory.sealed.fd = -1,
		.target.fd = -1,
	};
	if (rig->base == NULL)
		return error_set(err, E_USAGE, "no worker can be started%s%s",
			why[0] != '\0' ? ": " : "", why);
	signal(SIGPIPE, SIG_IGN);
	process_harden();
	process_note_strangers(&rig->strangers);
	process_become_subreaper();
	settings_init(&rig->settings);
	settings_copy(&rig->settings, config->settings);
	spec = (struct environment_spec){
		.rss_limit_mb = rig->settings.rss_limit_mb,
		.no_leaks = rig->settings.no_leaks,
		.clean = rig->settings.clean_env,
	};
	if (target_check(config->target, &rig->target, err) != OK ||
		isolation_open(&rig->isolation, &rig->settings, rig->target.fd,
			err) != OK ||
		campaign_memory_open(&rig->memory, (uint32_t)max_len,
			RUNNER_ARENA, err) != OK)
		return err->code;
	rig->envp = environment_create(environ, &spec);
	runner_make_argv(rig);
	for (i = 0; i < workers && i < MEMORY_WORKERS_MAX; i++)
		if (runner_add_worker(rig, err) != OK)
			return err->code;
	rig->names = names_create(rig->base, &rig->target);
	runner_watch(rig);
	return OK;
}

enum status
runner_run(struct runner *rig, struct error *err)
{
	uint32_t i;

	for (i = 0; i < rig->workers_n && !rig->stopping; i++)
		worker_start(rig->workers[i]);
	if (!rig->stopping || !runner_all_down(rig))
		event_base_dispatch(rig->base);
	if (rig->fatal.code != OK)
		return error_set(err, rig->fatal.code, "%s", rig->fatal.text);
	return OK;
}

static void
runner_free_event(struct event *event)
{
	if (event != NULL)
		event_free(event);
}

void
runner_close(struct runner *rig)
{
	uint32_t i;

	names_destroy(rig->names);
	runner_free_event(rig->tick_event);
	runner_free_event(rig->second_event);
	for (i = 0; i < 3; i++)
		runner_free_event(rig->signal_events[i]);
	for (i = 0; i < rig->workers_n; i++)
		worker_destroy(rig->workers[i]);
	process_kill_strays(&rig->strangers);
	campaign_memory_close(&rig->memory);
	isolation_close(&rig->isolation);
	target_info_clear(&rig->target);
	environment_destroy(rig->envp);
	free(rig->argv);
	settings_clear(&rig->settings);
	if (rig->base != NULL)
		event_base_free(rig->base);
}
