/*
 * repro: runs files through a target, each in a child made for it, and says
 * what happened. One worker, no corpus, nothing written.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/campaign_memory.h"
#include "engine/elf.h"
#include "engine/engine.h"
#include "engine/environment.h"
#include "engine/names.h"
#include "engine/worker.h"

#define TICK_US 10000
#define NAMES_S 2 /* a failure is told without names after this */
#define STARTS_MAX 3

struct repro {
	const struct engine_config *config;
	struct event_base *base;
	struct event *tick_event;
	struct event *signal_events[3];
	struct campaign_memory memory;
	struct target_info target;
	struct worker *worker;
	struct settings settings;
	char **envp, **argv;
	char **files;
	size_t next;
	unsigned failed_starts; /* in a row, without an execution */
	uint8_t *data;          /* of the file under way */
	size_t len;
	bool found, failed, stopping;
	struct names *names;
	struct event *late_event;
	bool naming; /* the failure below is told when it has names */
	struct failure failure;
	char *report;
	size_t report_len;
	struct error fatal;
};

extern char **environ;

static void
repro_say(struct repro *r, const char *text)
{
	struct report report = { .kind = REPORT_LINE, .text = text };

	r->config->report(r->config->arg, &report);
}

static void
repro_stop(struct repro *r)
{
	r->stopping = true;
	if (worker_is_down(r->worker))
		event_base_loopbreak(r->base);
	else
		worker_stop(r->worker);
}

/* A finding's folder stands for the input in it. */
static char *
repro_path(const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return xasprintf("%s/input", path);
	return xstrdup(path);
}

static bool
repro_load(struct repro *r, const char *path)
{
	struct error err = { 0 };
	enum status status;
	char *file = repro_path(path);

	free(r->data);
	r->data = NULL;
	status = file_read(file, r->settings.max_len, &r->data, &r->len, &err);
	free(file);
	if (status == OK)
		return true;
	r->failed = true;
	repro_say(r, err.text);
	return false;
}

static void
repro_on_idle(void *arg, struct worker *w)
{
	struct repro *r = arg;
	struct job job = {
		.kind = JOB_REPLAY,
		.arena = MEMORY_NO_ENTRY,
		.hang_ms = r->settings.timeout_ms,
		.cap = (uint32_t)r->settings.max_len + 1,
		.chain = 5,
	};

	if (r->naming)
		return; /* one after the other */
	while (!r->stopping && r->files[r->next] != NULL) {
		if (!repro_load(r, r->files[r->next++]))
			continue;
		job.data = r->data;
		job.len = r->len;
		worker_assign(w, &job);
		return;
	}
	repro_stop(r);
}

static void
repro_say_lines(struct repro *r, const char *at, size_t len)
{
	const char *end, *stop = at + len;
	char line[1024];

	for (; at < stop; at = end + 1) {
		end = memchr(at, '\n', (size_t)(stop - at));
		if (end == NULL)
			end = stop;
		text_clean(at, (size_t)(end - at), line, sizeof(line));
		repro_say(r, line);
	}
}

/* The stack by name, as our own helper reads it, then the report as it is. */
static void
repro_say_report(struct repro *r, const struct symbols_answer *answer)
{
	char *stack = names_stack(&r->failure, answer);

	if (stack != NULL)
		repro_say_lines(r, stack, strlen(stack));
	free(stack);
	repro_say_lines(r, r->report, r->report_len);
}

static void
repro_write_where(const struct failure *f, const struct symbols_answer *answer,
	char *buf, size_t size)
{
	char module[FAILURE_MODULE_MAX];

	buf[0] = '\0';
	if (f->frames_n == 0 ||
		(answer != NULL && names_where(f, answer, buf, size)))
		return;
	text_clean_string(f->frames[0].module, module, sizeof(module));
	snprintf(buf, size, "%s+0x%llx", module,
		(unsigned long long)f->frames[0].offset);
}

/* Without answer: nothing has a name. */
static void
repro_tell(struct repro *r, const struct symbols_answer *answer)
{
	const struct failure *f = &r->failure;
	char name[512], what[512], text[2048], where[256];

	text_clean_string(r->files[r->next - 1], name, sizeof(name));
	text_clean_string(f->what[0] != '\0' ? f->what
					     : failure_kind_name(f->kind),
		what, sizeof(what));
	repro_write_where(f, answer, where, sizeof(where));
	snprintf(text, sizeof(text), "%s: %zu bytes: fails: %s%s%s", name,
		r->len, what, where[0] != '\0' ? " in " : "", where);
	repro_say(r, text);
	if (f->text[0] != '\0') {
		text_clean_string(f->text, text + 4, sizeof(text) - 4);
		memset(text, ' ', 4);
		repro_say(r, text);
	}
	repro_say_report(r, answer);
	r->naming = false;
	event_del(r->late_event);
	if (!r->stopping && worker_is_idle(r->worker))
		repro_on_idle(r, r->worker);
}

static void
repro_on_names(void *arg, struct symbols_answer *take_answer)
{
	struct repro *r = arg;

	if (r->naming)
		repro_tell(r, take_answer);
	symbols_answer_destroy(take_answer);
}

static void
repro_on_late(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	repro_tell(arg, NULL);
}

/* Told when its frames have names, or none came in time. */
static void
repro_name(struct repro *r, const struct worker_result *result)
{
	const struct timeval late = { NAMES_S, 0 };

	free(r->report);
	r->report_len = result->report != NULL ? result->report_len : 0;
	r->report =
		xmemdup(r->report_len > 0 ? result->report : "", r->report_len);
	r->failure = result->failure;
	r->naming = names_ask(r->names, &r->failure, worker_pid(r->worker),
		repro_on_names, r);
	if (r->naming)
		event_add(r->late_event, &late);
	else
		repro_tell(r, NULL);
}

static void
repro_on_result(void *arg, struct worker *w, const struct worker_result *result)
{
	struct repro *r = arg;
	const struct failure *f = &result->failure;
	char name[512], what[512], text[2048];

	(void)w;
	text_clean_string(r->files[r->next - 1], name, sizeof(name));
	if (result->count > 0)
		r->failed_starts = 0;
	if (result->interrupted || result->count == 0) {
		r->failed = true;
		text_clean_string(result->error, what, sizeof(what));
		snprintf(text, sizeof(text), "%s: %zu bytes: not run%s%s", name,
			r->len, result->interrupted ? " to its end" : "",
			what[0] != '\0' ? ": " : "");
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s",
			what);
		repro_say(r, text);
		return;
	}
	if (f->kind == FAILURE_NONE) {
		snprintf(text, sizeof(text), "%s: %zu bytes: ok, %.1f ms", name,
			r->len, (double)result->run_ns / 1e6);
		repro_say(r, text);
		return;
	}
	r->found = true;
	repro_name(r, result);
}

static void
repro_on_ready(void *arg, struct worker *w, const struct rpc_reply *ping)
{
	struct repro *r = arg;
	uint32_t i;

	(void)w;
	for (i = 0; i < ping->modules_n; i++)
		campaign_memory_add_module(&r->memory, ping->modules[i].key,
			ping->modules[i].n);
}

static void
repro_on_down(void *arg, struct worker *w, bool wanted, const char *why)
{
	struct repro *r = arg;
	char tail[600], reason[256];

	if (r->stopping || wanted) {
		event_base_loopbreak(r->base);
		return;
	}
	if (r->next > 0 && r->failed_starts++ < STARTS_MAX) {
		worker_start(w); /* a target that cannot be forked */
		return;
	}
	text_clean_string(why, reason, sizeof(reason));
	worker_last_output(w, tail, sizeof(tail));
	error_set(&r->fatal, E_TARGET, "the target does not start: %s%s%s",
		reason, tail[0] != '\0' ? "; its last output: " : "", tail);
	event_base_loopbreak(r->base);
}

static void
repro_on_modules(void *arg, struct worker *w,
	const struct counter_module *modules, uint32_t n)
{
	(void)arg;
	(void)w;
	(void)modules;
	(void)n;
}

static void
repro_on_line(void *arg, const char *line)
{
	repro_say(arg, line);
}

static void
repro_on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct repro *r = arg;

	(void)fd;
	(void)what;
	worker_tick(r->worker, clock_now_ns());
}

static void
repro_on_signal(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	repro_stop(arg);
}

static enum status
repro_open(struct repro *r, struct error *err)
{
	const struct environment_spec spec = {
		.rss_limit_mb = r->settings.rss_limit_mb,
		.clean = r->settings.clean_env,
	};
	static const struct worker_handlers handlers = {
		.on_ready = repro_on_ready,
		.on_idle = repro_on_idle,
		.on_result = repro_on_result,
		.on_down = repro_on_down,
		.on_modules = repro_on_modules,
		.on_line = repro_on_line,
	};
	struct worker_config config = { .handlers = &handlers, .arg = r };
	const struct worker_limits limits = {
		.start_timeout_ms = r->settings.start_timeout_ms,
		.stop_step_ms = r->settings.stop_step_ms,
		.rss_limit_kb = r->settings.rss_limit_mb << 10,
	};

	if (target_check(r->config->target, &r->target, err) != OK ||
		campaign_memory_open(&r->memory, (uint32_t)r->settings.max_len,
			1 << 20, err) != OK)
		return err->code;
	r->envp = environment_create(environ, &spec);
	r->argv = xcalloc(2, sizeof(*r->argv));
	r->argv[0] = r->target.path;
	config.base = r->base;
	config.campaign = &r->memory;
	config.target_fd = r->target.fd;
	config.argv = r->argv;
	config.envp = r->envp;
	r->worker = worker_create(&config, 0, err);
	if (r->worker == NULL)
		return err->code;
	worker_set_limits(r->worker, &limits);
	r->names = names_create(r->base, &r->target);
	r->late_event = event_new(r->base, -1, 0, repro_on_late, r);
	return OK;
}

static void
repro_run(struct repro *r)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	const struct timeval tick = { 0, TICK_US };
	int i;

	for (i = 0; i < 3; i++) {
		r->signal_events[i] =
			evsignal_new(r->base, signals[i], repro_on_signal, r);
		event_add(r->signal_events[i], NULL);
	}
	r->tick_event = event_new(r->base, -1, EV_PERSIST, repro_on_tick, r);
	event_add(r->tick_event, &tick);
	worker_start(r->worker);
	if (r->fatal.code == OK)
		event_base_dispatch(r->base);
	if (r->naming) {
		r->stopping = true;
		repro_tell(r, NULL);
	}
	for (i = 0; i < 3; i++)
		event_free(r->signal_events[i]);
	event_free(r->tick_event);
}

static void
repro_close(struct repro *r)
{
	names_destroy(r->names);
	if (r->late_event != NULL)
		event_free(r->late_event);
	worker_destroy(r->worker);
	process_kill_strays();
	campaign_memory_close(&r->memory);
	target_info_clear(&r->target);
	environment_destroy(r->envp);
	free(r->argv);
	free(r->data);
	free(r->report);
	settings_clear(&r->settings);
	event_base_free(r->base);
}

enum exit_status
engine_repro(const struct engine_config *config, char **files,
	struct error *err)
{
	struct repro r = { .config = config, .files = files };
	enum exit_status status;

	signal(SIGPIPE, SIG_IGN);
	process_harden();
	process_become_subreaper();
	r.base = event_base_new();
	r.memory.sealed.fd = r.target.fd = -1;
	settings_init(&r.settings);
	settings_copy(&r.settings, config->settings);
	if (repro_open(&r, err) == OK)
		repro_run(&r);
	else
		r.fatal = *err;
	repro_close(&r);
	if (r.fatal.code != OK) {
		error_set(err, r.fatal.code, "%s", r.fatal.text);
		return EXIT_SETUP;
	}
	status = r.found ? EXIT_FOUND : EXIT_NOTHING;
	return r.failed ? EXIT_LOST : status;
}
