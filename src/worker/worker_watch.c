/*
 * worker_watch: the time-outs of a worker.
 *
 * The watchdog runs in the engine, so the target cannot switch it off. It ends
 * executions when the count of executions stands still, memory grows or a reply
 * does not come. The stop ladder is here, too.
 */
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "worker/worker_private.h"

#define MS 1000000ull
#define EOF_GRACE_MS 100    /* from the pipe's end to the end of the process */
#define REPLY_GRACE_MS 1000 /* from our SIGKILL to the fork server's reply */
#define MEMORY_LOOK_MS 50
#define MEMORY_CLOSE_MS 10  /* if over half of the limit */
#define MEMORY_REST_MS 1000 /* maximum interval, however long a check takes */
#define MEMORY_REST 10      /* factor over the time for checks of all workers */
#define LEAKS_LOOK_MS 10000
#define COMPARING_MS 3000 /* more than ADAPTER_CMPLOG_MS, on a busy machine */
#define CPU_LOOK_MS 1000
#define LATE_STARTS_MAX 4 /* the last time limit is 16 times the first */
/* For a fork: the fork server tries for a second, on a busy machine longer. */
#define FORK_MS 2000
/* A tick this late: the engine itself may have been suspended. */
#define TICK_GAP_MS 200

/* `then` may lie after the tick under way: the difference is 0. */
uint64_t
worker_since(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

void
worker_ladder_begin(struct worker *w, uint64_t now)
{
	w->step = STOP_CLOSED;
	w->step_ns = now + w->limits.stop_step_ms * MS;
}

void
worker_ladder_next(struct worker *w, uint64_t now)
{
	pid_t child = worker_runner(w);

	w->step_ns = now + w->limits.stop_step_ms * MS;
	switch (w->step) {
	case STOP_NONE:
	case STOP_CLOSED:
		w->step = STOP_INTERRUPT;
		worker_log(w, "stop: SIGINT to process %d", (int)child);
		w->stop_killed = true;
		process_signal_group(child, SIGINT);
		break;
	case STOP_INTERRUPT:
		w->step = STOP_KILL;
		w->stop_killed = true;
		worker_log(w, "stop: SIGKILL");
		process_signal_group(child, SIGKILL);
		process_signal(&w->process, SIGKILL);
		break;
	default:
		w->config.handlers->on_line(w->config.arg,
			"waiting for fuzzing process to terminate...");
		process_signal_group(child, SIGKILL);
		process_signal(&w->process, SIGKILL);
		w->step_ns = now + 10 * w->limits.stop_step_ms * MS;
		break;
	}
}

static void
worker_end_blamed(struct worker *w, uint64_t now)
{
	pid_t child = worker_child(w);

	worker_log(w, "%s: process %d is killed",
		failure_kind_name(w->kill_reason), (int)child);
	w->sampling = false;
	w->kill_reason_ns = now;
	/* A fork server that minimizes needs to know the reason. */
	if (worker_minimizes_failure(w))
		__atomic_store_n(&worker_head(w)->kill_reason,
			(uint32_t)w->kill_reason, __ATOMIC_RELEASE);
	if (child != 0)
		process_signal_group(child, SIGKILL);
	else
		worker_kill(w, failure_kind_name(w->kill_reason));
}

static void
worker_kill_reason(struct worker *w, enum failure_kind kind, uint64_t now)
{
	w->kill_reason = kind;
	w->kill_reason_ns = now;
	if (!worker_sample_begin(w, now))
		worker_end_blamed(w, now);
}

bool
worker_revives(const struct worker *w)
{
	/* Other targets may write the word; it means nothing there. */
	return w->foreign &&
		__atomic_load_n(&worker_head(w)->reviving, __ATOMIC_ACQUIRE) %
			2 ==
		1;
}

/* The program may have started, and an input begun, since the last check: its
 * new process is exempt, as the first one was. */
static void
worker_exempt_started(struct worker *w)
{
	uint32_t word =
		__atomic_load_n(&worker_head(w)->reviving, __ATOMIC_ACQUIRE);

	if (!w->foreign || word == w->reviving_seen)
		return;
	w->reviving_seen = word;
	proc_memory_open(&w->memory_used, w->process.fork_server);
}

/* A leak check, a run with CmpLog, or another start of the program takes extra
 * time, which does not count for the input. */
static uint64_t
worker_timeout_ms(const struct worker *w)
{
	const struct worker_head *head = worker_head(w);
	bool looks =
		__atomic_load_n(&head->leaks.looking, __ATOMIC_ACQUIRE) == 1;
	bool compares = w->foreign &&
		__atomic_load_n(&head->comparing, __ATOMIC_ACQUIRE) == 1;

	return (w->job.hang_ms + (looks ? LEAKS_LOOK_MS : 0) +
		       (compares ? COMPARING_MS : 0) +
		       (worker_revives(w) ? w->limits.start_timeout_ms : 0)) *
		MS;
}

/*
 * After end_raised there is at most one more execution, to confirm a new input.
 * So the time after it is bounded, even if the target changes the count.
 */
static bool
worker_overstays(const struct worker *w, uint64_t now)
{
	return w->end_raised &&
		worker_since(now, w->end_raised_ns) >
		2 * worker_timeout_ms(w) + 500 * MS;
}

/*
 * A hang that ends during the sample is not a hang, and neither is the next
 * execution. Memory belongs to the process, however many executions have ended.
 */
static void
worker_watch_sample(struct worker *w, uint64_t now)
{
	if (w->kill_reason == FAILURE_HANG &&
		worker_sample_count(w) != w->seen_count &&
		!worker_overstays(w, now)) {
		w->kill_reason = FAILURE_NONE;
		worker_sample_cancel(w);
	} else if (worker_sample_is_over(w, now)) {
		worker_end_blamed(w, now);
	}
}

/* A target that has started before is late on a busy machine: it has twice the
 * time then. */
static void
worker_end_start(struct worker *w)
{
	if (w->ready_once && w->late_starts < LATE_STARTS_MAX)
		w->late_starts++;
	worker_kill(w, WORKER_LATE);
}

bool
worker_starts_again(struct worker *w)
{
	return worker_revives(w) && worker_child(w) == 0;
}

static void
worker_end_execution(struct worker *w, uint64_t now)
{
	if (!worker_starts_again(w))
		worker_kill_reason(w, FAILURE_HANG, now);
	else if (!w->condemned)
		worker_end_start(w);
}

/* For the fork server's reply after a kill. If the program of AFL++ has ended as
 * well, it is started again before. */
static uint64_t
worker_grace_ms(const struct worker *w)
{
	return REPLY_GRACE_MS +
		(worker_revives(w) ? w->limits.start_timeout_ms : 0);
}

/* Does no input run yet, or no more? A target that writes the number gains no
 * more time than a fork takes at most. */
static bool
worker_awaits_child(struct worker *w, uint64_t now)
{
	pid_t child =
		__atomic_load_n(&worker_head(w)->child_pid, __ATOMIC_ACQUIRE);

	if (child != 0 || w->no_fork || worker_revives(w))
		return false;
	if (w->childless_ns == 0)
		w->childless_ns = now;
	return worker_since(now, w->childless_ns) <= FORK_MS * MS;
}

static void
worker_watch_progress(struct worker *w, uint64_t now)
{
	uint64_t hang = worker_timeout_ms(w);
	uint64_t count = worker_sample_count(w);

	if (w->sampling) {
		worker_watch_sample(w, now);
		return;
	}
	if (count != w->seen_count) {
		w->seen_count = count;
		w->progress_ns = now;
		w->childless_ns = 0;
		/* The killed candidate was only one of many. */
		if (worker_minimizes_failure(w))
			w->kill_reason = FAILURE_NONE;
	}
	if (w->kill_reason != FAILURE_NONE) {
		if (worker_since(now, w->kill_reason_ns) >
			worker_grace_ms(w) * MS)
			worker_kill(w, "the worker does not answer");
		return;
	}
	if (worker_awaits_child(w, now))
		w->progress_ns = w->end_raised_ns = now;
	if (worker_since(now, w->progress_ns) > hang ||
		worker_overstays(w, now))
		worker_end_execution(w, now);
}

/* CPU time of fork server and child; the fork server's includes ended
 * children. */
static void
worker_watch_cpu(struct worker *w, pid_t runner, uint64_t now)
{
	struct proc_times fork_server, child;
	uint64_t ticks;

	if (now - w->usage_ns < CPU_LOOK_MS * MS ||
		!proc_times(w->process.fork_server, &fork_server))
		return;
	ticks = fork_server.cpu_ticks;
	if (runner != w->process.fork_server && proc_times(runner, &child) &&
		child.parent == w->process.fork_server)
		ticks += child.cpu_ticks;
	if (w->usage_ns != 0 && ticks >= w->usage_ticks)
		w->cpu = (double)(ticks - w->usage_ticks) /
			(double)sysconf(_SC_CLK_TCK) /
			((double)(now - w->usage_ns) / 1e9);
	w->usage_ns = now;
	w->usage_ticks = ticks;
}

/* Checks are rarer if they take longer. */
static uint64_t
worker_memory_rest(const struct worker *w, uint64_t took)
{
	bool is_close = w->limits.rss_limit_kb > 0 &&
		w->rss_kb > w->limits.rss_limit_kb / 2;
	uint64_t rest = (is_close ? MEMORY_CLOSE_MS : MEMORY_LOOK_MS) * MS;
	uint64_t long_rest = took * MEMORY_REST * w->limits.workers;

	if (long_rest > MEMORY_REST_MS * MS)
		long_rest = MEMORY_REST_MS * MS;
	return rest > long_rest ? rest : long_rest;
}

static void
worker_watch_memory(struct worker *w, uint64_t now)
{
	uint64_t limit = w->limits.rss_limit_kb, start, rss_kb;
	pid_t runner;

	if (now < w->memory_ns)
		return;
	start = clock_now_ns();
	if (worker_starts_again(w)) { /* no input runs: all of it is exempt */
		proc_memory_open(&w->memory_used, w->process.fork_server);
		w->memory_ns = now + MEMORY_LOOK_MS * MS;
		return;
	}
	worker_exempt_started(w);
	/* The child's pid is not trusted: the system tells which processes
	 * exist. */
	runner = w->no_fork ? w->process.fork_server : worker_claimed_child(w);
	rss_kb = proc_memory_kb(&w->memory_used, runner);
	/* A dying process has no memory any more. */
	if (rss_kb > 0) {
		w->rss_kb = rss_kb;
		worker_watch_cpu(w, runner, now);
	}
	w->memory_ns = now + worker_memory_rest(w, clock_now_ns() - start);
	if (limit == 0 || rss_kb <= limit)
		return;
	if (w->kill_reason == FAILURE_NONE)
		worker_kill_reason(w, FAILURE_OOM, now);
	else if (w->sampling &&
		(w->kill_reason == FAILURE_HANG ||
			(rss_kb / 2 > limit &&
				!worker_sample_waits(w, rss_kb))))
		worker_end_blamed(w, now); /* no time for its stack */
}

static bool
worker_minimizes(const struct worker *w)
{
	return w->has_job &&
		(w->job.kind == JOB_MINIMIZE_COVERAGE ||
			w->job.kind == JOB_MINIMIZE_FAILURE);
}

/* Shifts a time by a pause, but not into the future. */
static void
worker_shift(uint64_t *then, uint64_t by, uint64_t now)
{
	*then = worker_since(now, *then) > by ? *then + by : now;
}

/* Shifts all deadlines by a time in which the worker could not run. */
static void
worker_shift_deadline(struct worker *w, uint64_t by, uint64_t now)
{
	worker_shift(&w->progress_ns, by, now);
	worker_shift(&w->call_start_ns, by, now);
	worker_shift(&w->end_raised_ns, by, now);
	worker_shift(&w->kill_reason_ns, by, now);
	worker_shift(&w->sample_ns, by, now);
	if (w->childless_ns != 0)
		worker_shift(&w->childless_ns, by, now);
}

void
worker_resume(struct worker *w)
{
	uint64_t now = clock_now_ns();

	if (!w->paused)
		return;
	w->paused = false;
	if (w->child_stopped)
		process_signal_group(worker_runner(w), SIGCONT);
	w->child_stopped = false;
	/* It may be gone, and its number be another's. */
	if (proc_is_child(w->parent_stopped, w->process.fork_server))
		kill(w->parent_stopped, SIGCONT);
	w->parent_stopped = 0;
	campaign_memory_set_paused(w->config.campaign, w->slot, false);
	worker_shift_deadline(w, worker_since(now, w->paused_ns), now);
	worker_note(w, "goes on");
}

void
worker_set_paused(struct worker *w, bool paused)
{
	if (w->paused == paused)
		return;
	if (!paused) {
		worker_resume(w);
		if (w->state == WORKER_IDLE)
			w->config.handlers->on_idle(w->config.arg, w);
		return;
	}
	w->paused = true;
	w->paused_ns = clock_now_ns();
	worker_note(w, "paused");
	/* A minimization continues later: worker_hold() stops its child. */
	if (!worker_minimizes(w) || w->no_fork)
		worker_end_call(w);
}

/*
 * Does the ring hold new inputs? The engine can use them only after the call. A
 * target that overwrites this only gets shorter calls.
 */
static bool
worker_has_found(const struct worker *w)
{
	const struct outcome *outcome = &worker_head(w)->outcome;

	return __atomic_load_n(&outcome->ring_used, __ATOMIC_RELAXED) > 0;
}

static bool
worker_call_is_over(const struct worker *w, uint64_t now)
{
	uint64_t took = worker_since(now, w->call_start_ns);

	if (w->job.budget_ms > 0 && took >= w->job.budget_ms * MS)
		return true;
	return w->job.found_ms > 0 && took >= w->job.found_ms * MS &&
		worker_has_found(w);
}

static void
worker_watch_start(struct worker *w, uint64_t now)
{
	uint64_t limit_ms = w->limits.start_timeout_ms << w->late_starts;

	if (worker_since(now, w->state_since_ns) <= limit_ms * MS)
		return;
	worker_end_start(w);
	w->state_since_ns = now;
}

/* The part of a late tick that does not count for a limit. The machine may have
 * stood still for any part of it. So it counts for at most half of the limit: one
 * late tick ends nothing, and many in a row hide nothing. */
static uint64_t
worker_excess(uint64_t gap, uint64_t limit)
{
	uint64_t counts = limit / 2;

	if (counts > TICK_GAP_MS * MS)
		counts = TICK_GAP_MS * MS;
	return worker_since(gap, counts);
}

static void
worker_shift_suspended(struct worker *w, uint64_t gap, uint64_t now)
{
	uint64_t by = worker_excess(gap, UINT64_MAX);

	worker_shift(&w->call_start_ns, by, now);
	worker_shift(&w->end_raised_ns, by, now);
	worker_shift(&w->kill_reason_ns, by, now);
	worker_shift(&w->sample_ns, worker_excess(gap, w->sample_limit_ms * MS),
		now);
	worker_shift(&w->state_since_ns,
		worker_excess(gap, w->limits.start_timeout_ms * MS), now);
	if (w->childless_ns != 0)
		worker_shift(&w->childless_ns, by, now);
	if (w->eof_ns != 0)
		worker_shift(&w->eof_ns, worker_excess(gap, EOF_GRACE_MS * MS),
			now);
	w->step_ns += worker_excess(gap, w->limits.stop_step_ms * MS);
}

void
worker_tick(struct worker *w, uint64_t now)
{
	uint64_t gap = w->tick_ns == 0 ? 0 : worker_since(now, w->tick_ns);

	w->tick_ns = now;
	if (w->has_job)
		worker_shift(&w->progress_ns,
			worker_excess(gap, worker_timeout_ms(w)), now);
	if (gap > TICK_GAP_MS * MS)
		worker_shift_suspended(w, gap, now);
	if (w->state == WORKER_STARTING)
		worker_watch_start(w, now);
	if (w->eof_ns != 0 && w->process.pid != 0 &&
		w->state != WORKER_STOPPING &&
		worker_since(now, w->eof_ns) > EOF_GRACE_MS * MS) {
		worker_kill(w, "communicating with fuzzing process: EOF");
		w->eof_ns = now;
	}
	if (w->step != STOP_NONE && w->state == WORKER_STOPPING &&
		now >= w->step_ns)
		worker_ladder_next(w, now);
	if (w->paused && w->state != WORKER_STOPPING) {
		worker_hold(w, now);
		return;
	}
	if (!w->has_job || w->process.pid == 0)
		return;
	if (worker_call_is_over(w, now))
		worker_end_call(w);
	if (w->state == WORKER_BUSY)
		worker_watch_progress(w, now);
	else if (w->sampling) /* a stop does not end it */
		worker_watch_sample(w, now);
	worker_watch_memory(w, now);
}
