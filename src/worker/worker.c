/*
 * worker: the state table of a worker, and the one function that changes state.
 */
#include "worker/worker.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "shared/wire/shm_names.h"
#include "worker/worker_private.h"

static void worker_spawn(struct worker *w);
static void worker_on_ready(struct worker *w);
static void worker_on_reply(struct worker *w);
static void worker_on_last_reply(struct worker *w);
static void worker_begin_stop(struct worker *w);
static void worker_reap(struct worker *w);

static const char *const state_names[] = {
	[WORKER_DOWN] = "down",
	[WORKER_STARTING] = "starting",
	[WORKER_IDLE] = "idle",
	[WORKER_BUSY] = "busy",
	[WORKER_STOPPING] = "stopping",
};

static const char *const event_names[] = {
	[EVENT_SPAWN] = "spawn",
	[EVENT_READY] = "ready",
	[EVENT_ASSIGN] = "assign",
	[EVENT_REPLY] = "reply",
	[EVENT_STOP] = "stop",
	[EVENT_EXIT] = "exit",
};

/* clang-format off */
static const struct edge {
	enum worker_state from;
	enum worker_event on;
	enum worker_state to;
	void (*act)(struct worker *);
} edges[] = {
	{ WORKER_DOWN,     EVENT_SPAWN,  WORKER_STARTING, worker_spawn },
	{ WORKER_STARTING, EVENT_READY,  WORKER_IDLE,     worker_on_ready },
	{ WORKER_STARTING, EVENT_STOP,   WORKER_STOPPING, worker_begin_stop },
	{ WORKER_STARTING, EVENT_EXIT,   WORKER_DOWN,     worker_reap },
	{ WORKER_IDLE,     EVENT_ASSIGN, WORKER_BUSY,     worker_send_job },
	{ WORKER_IDLE,     EVENT_STOP,   WORKER_STOPPING, worker_begin_stop },
	{ WORKER_IDLE,     EVENT_EXIT,   WORKER_DOWN,     worker_reap },
	{ WORKER_BUSY,     EVENT_REPLY,  WORKER_IDLE,     worker_on_reply },
	{ WORKER_BUSY,     EVENT_STOP,   WORKER_STOPPING, worker_begin_stop },
	{ WORKER_BUSY,     EVENT_EXIT,   WORKER_DOWN,     worker_reap },
	{ WORKER_STOPPING, EVENT_REPLY,  WORKER_STOPPING, worker_on_last_reply },
	{ WORKER_STOPPING, EVENT_EXIT,   WORKER_DOWN,     worker_reap },
};
/* clang-format on */

/* clang-format off */
static const char *const worker_job_words[] = {
	[JOB_WARMUP] = "warming up",
	[JOB_MEASURE] = "an input is measured again",
	[JOB_FUZZ] = "call",
	[JOB_MINIMIZE_COVERAGE] = "an input is made smaller",
	[JOB_MINIMIZE_FAILURE] = "a failing input is made smaller",
	[JOB_REPLAY] = "a finding is replayed",
	[JOB_PC_TABLE] = "sends its PC table",
	[JOB_SEQUENCE] = "a finding is replayed with what ran before",
};
/* clang-format on */

/* A text for display; the reason of an end is known when it is reaped. */
static const char *
worker_reason(const struct worker *w, enum worker_event event)
{
	switch (event) {
	case EVENT_SPAWN:
		return w->started_once ? "started again" : "started";
	case EVENT_READY:
		return "ready";
	case EVENT_ASSIGN:
		return worker_job_words[w->job.kind];
	case EVENT_STOP:
		return "asked to stop";
	default:
		return "waits for work";
	}
}

void
worker_handle(struct worker *w, enum worker_event event)
{
	const struct edge *edge;
	size_t i;

	for (i = 0; i < sizeof(edges) / sizeof(edges[0]); i++) {
		edge = &edges[i];
		if (edge->from != w->state || edge->on != event)
			continue;
		worker_log(w, "%s --%s--> %s", state_names[w->state],
			event_names[event], state_names[edge->to]);
		if (w->state != edge->to) {
			w->state = edge->to;
			w->state_since_ns = clock_now_ns();
		}
		if (edge->to != WORKER_DOWN &&
			!(w->has_job && w->job.kind == JOB_PC_TABLE))
			worker_note(w, worker_reason(w, event));
		edge->act(w);
		return;
	}
	worker_log(w, "%s --%s--> no such edge, dropped", state_names[w->state],
		event_names[event]);
}

void
worker_log(struct worker *w, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (!log_is_open())
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	log_debug("worker %u: %s", w->slot, text);
}

pid_t
worker_claimed_child(struct worker *w)
{
	pid_t pid =
		__atomic_load_n(&worker_head(w)->child_pid, __ATOMIC_ACQUIRE);

	if (w->config.isolate == NULL)
		return pid;
	/* Isolated, the header has the pid inside of its namespace. */
	if (pid != w->inner_child || w->outer_child == 0) {
		w->outer_child =
			proc_descendant_inside(w->process.fork_server, pid);
		w->inner_child = pid;
	}
	return w->outer_child;
}

pid_t
worker_child(struct worker *w)
{
	pid_t pid = worker_claimed_child(w);

	/* The target can overwrite the header: ask the kernel. */
	if (w->process.fork_server == 0 ||
		!proc_is_descendant(pid, w->process.fork_server))
		return 0;
	return pid;
}

pid_t
worker_runner(struct worker *w)
{
	return w->no_fork ? w->process.fork_server : worker_child(w);
}

static void
worker_on_readable(evutil_socket_t fd, short what, void *arg)
{
	worker_read(arg);
}

static void
worker_on_exit(evutil_socket_t fd, short what, void *arg)
{
	struct worker *w = arg;

	/* A reply that was sent before the end counts: read it first. */
	worker_read(w);
	worker_handle(w, EVENT_EXIT);
}

static void
worker_spawn(struct worker *w)
{
	struct process_spec spec = {
		.target_fd = w->config.target_fd,
		.argv = w->input.argv,
		.envp = input_file_envp(&w->input),
		.folder = w->config.folder,
		.campaign_fd = w->config.campaign->sealed.fd,
		.stderr_fd = w->stderr_file.fd,
		.report_fd = w->report_file.fd,
		.isolate = w->config.isolate,
		.file_limit_mb = w->limits.file_limit_mb,
		.fixed_addresses = w->config.fixed_addresses,
	};
	struct error err = { 0 };
	enum status status;

	w->reply.spent = false;
	w->ran = false;
	status = worker_fit(w, &err);
	worker_clear_memory(w);
	spec.memory_fd = w->memory.fd;
	if (status == OK)
		status = process_spawn(&w->process, &spec, &err);
	xfree_list(spec.envp);
	w->refused = status == E_BUSY || status == E_NOMEM;
	if (status != OK) {
		snprintf(w->why, sizeof(w->why), "%s", err.text);
		/* The loop calls on_down(), as after the end of a process. */
		w->exit_event = evtimer_new(w->config.base, worker_on_exit, w);
		event_active(w->exit_event, EV_TIMEOUT, 0);
		return;
	}
	w->restarts += w->started_once ? 1 : 0;
	w->started_once = true;
	w->read_event = event_new(w->config.base, w->process.out_fd,
		EV_READ | EV_PERSIST, worker_on_readable, w);
	w->exit_event = event_new(w->config.base, w->process.pidfd, EV_READ,
		worker_on_exit, w);
	event_add(w->read_event, NULL);
	event_add(w->exit_event, NULL);
	worker_send_ping(w);
}

void
worker_start(struct worker *w)
{
	w->stop_wanted = false;
	worker_handle(w, EVENT_SPAWN);
}

static void
worker_on_ready(struct worker *w)
{
	w->ready_once = true;
	w->late_starts = 0;
	w->threads = w->reply.threads;
	w->no_fork = w->reply.no_fork;
	/* A program without a loop is forked for each input. */
	w->loops = w->no_fork && strcmp(w->reply.target_kind, "main()") == 0;
	w->foreign = strcmp(w->reply.target_kind, RPC_KIND_AFL) == 0;
	w->sanitized = w->reply.sanitizer[0] != '\0';
	w->types = w->reply.types;
	process_find_fork_server(&w->process);
	proc_memory_open(&w->memory_used, w->process.fork_server);
	w->telling = true;
	w->config.handlers->on_ready(w->config.arg, w, &w->reply);
	w->telling = false;
	if (w->state == WORKER_IDLE)
		w->config.handlers->on_idle(w->config.arg, w);
}

static void
worker_on_reply(struct worker *w)
{
	w->telling = true;
	worker_deliver_reply(w);
	w->telling = false;
	if (w->state == WORKER_IDLE && w->reply.spent) {
		snprintf(w->why, sizeof(w->why),
			"its process can run no more inputs");
		worker_handle(w, EVENT_STOP);
	} else if (w->state == WORKER_IDLE) {
		w->config.handlers->on_idle(w->config.arg, w);
	}
}

/* When stopping, deliver the last result and let the fork server end. */
static void
worker_on_last_reply(struct worker *w)
{
	if (w->has_job)
		worker_deliver_reply(w);
	fd_close(&w->process.in_fd);
}

static void
worker_begin_stop(struct worker *w)
{
	if (w->has_job)
		worker_end_call(w);
	else
		fd_close(&w->process.in_fd);
	worker_ladder_begin(w, clock_now_ns());
}

void
worker_stop(struct worker *w)
{
	bool paused = w->paused;

	w->stop_wanted = true;
	/* It must run to end its call; its next process is paused again. */
	worker_resume(w);
	w->paused = paused;
	if (w->state == WORKER_STOPPING)
		worker_ladder_next(w, clock_now_ns());
	else if (w->state != WORKER_DOWN)
		worker_handle(w, EVENT_STOP);
}

/* Kills the whole worker at once; the exit event does the rest. */
void
worker_kill(struct worker *w, const char *why)
{
	worker_log(w, "killed: %s", why);
	w->condemned = true;
	if (w->why[0] == '\0') /* the first reason is the true one */
		snprintf(w->why, sizeof(w->why), "%s", why);
	process_signal_group(worker_child(w), SIGKILL);
	process_signal(&w->process, SIGKILL);
}

/* Did it end itself, and say why? Without fork, the status may be the
 * target's own. */
static bool
worker_gave_up(const struct worker *w, int status)
{
	return w->ready_once && !w->no_fork && WIFEXITED(status) &&
		WEXITSTATUS(status) == WORKER_EXIT_INTERNAL;
}

static void
worker_describe_end(struct worker *w, int status)
{
	if (w->why[0] == '\0' && worker_gave_up(w, status))
		worker_last_line(w, w->why, sizeof(w->why));
	if (w->why[0] != '\0')
		return; /* the reason is known */
	if (WIFSIGNALED(status))
		snprintf(w->why, sizeof(w->why), "signal: %s",
			failure_signal_text(WTERMSIG(status)));
	else
		snprintf(w->why, sizeof(w->why), "exit status %d",
			WEXITSTATUS(status));
}

static void
worker_reap(struct worker *w)
{
	bool wanted = w->stop_wanted;
	int status;

	if (w->process.pid != 0)
		shm_names_unlink(w->process.pid);
	status = process_reap(&w->process);
	worker_drop_events(w);
	process_close(&w->process);
	proc_memory_close(&w->memory_used);
	if (status < 0)
		status = 0;
	worker_describe_end(w, status);
	worker_note(w, w->why);
	if (w->has_job)
		worker_deliver_lost(w, status);
	w->config.handlers->on_down(w->config.arg, w, wanted, w->why);
	w->why[0] = '\0';
}

void
worker_assign(struct worker *w, const struct job *job)
{
	w->job = *job;
	w->has_job = true;
	w->has_other = job->other != NULL;
	worker_log(w, "job: %s, %zu bytes", worker_job_words[job->kind],
		job->len);
	worker_handle(w, EVENT_ASSIGN);
	job_drop_bytes(&w->job);
}

const struct job *
worker_job(const struct worker *w)
{
	return w->has_job ? &w->job : NULL;
}

void
worker_end_call(struct worker *w)
{
	if (!w->has_job || w->end_raised)
		return;
	w->end_raised = true;
	w->end_raised_ns = clock_now_ns();
	campaign_memory_end_call(w->config.campaign, w->slot, w->seq);
}

bool
worker_is_idle(const struct worker *w)
{
	return w->state == WORKER_IDLE && !w->telling;
}

bool
worker_is_down(const struct worker *w)
{
	return w->state == WORKER_DOWN;
}

bool
worker_was_refused(const struct worker *w)
{
	return w->refused;
}

bool
worker_was_spent(const struct worker *w)
{
	return w->reply.spent;
}

bool
worker_must_renew(const struct worker *w, enum job_kind kind)
{
	return w->no_fork && w->ran && job_is_fresh(kind);
}

bool
worker_is_starting(const struct worker *w)
{
	return w->state == WORKER_STARTING;
}

bool
worker_is_foreign(const struct worker *w)
{
	return w->foreign;
}

uint32_t
worker_max_len(const struct worker *w)
{
	return w->max_len;
}

bool
worker_paused(const struct worker *w)
{
	return w->paused;
}

uint32_t
worker_slot(const struct worker *w)
{
	return w->slot;
}

const struct tuple_types *
worker_types(const struct worker *w)
{
	return &w->types;
}

pid_t
worker_pid(const struct worker *w)
{
	return w->process.fork_server;
}

pid_t
worker_process(const struct worker *w)
{
	return w->process.pid;
}
