/*
 * worker_watch: what happens to a worker as time passes.
 *
 * The watchdog is the engine's: it sees the count of executions stand still,
 * memory grow, a reply stay away, and ends what must end. Nothing in the
 * target can switch it off. Pause and the stop ladder live here too.
 */
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/worker_private.h"

#define MS 1000000ull
#define EOF_GRACE_MS 100    /* from the link's end to the process's */
#define PAUSE_GRACE_MS 150  /* a call may end by itself */
#define REPLY_GRACE_MS 1000 /* from our SIGKILL to the keeper's reply */
#define MEMORY_LOOK_MS 100
#define MEMORY_NEAR_MS 50  /* over an eighth of the limit */
#define MEMORY_CLOSE_MS 10 /* over half of it */
#define CPU_LOOK_MS 1000
#define TICK_GAP_MS 200 /* a larger gap: we were stopped ourselves */

/* A moment may lie after the tick that is looked at: nothing has passed. */
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
	pid_t child = worker_child(w);

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
worker_blame(struct worker *w, enum failure_kind kind, uint64_t now)
{
	pid_t child = worker_child(w);

	worker_log(w, "%s: process %d is killed", failure_kind_name(kind),
		(int)child);
	w->blame = kind;
	w->blame_ns = now;
	if (child != 0)
		process_signal_group(child, SIGKILL);
	else
		worker_kill(w, failure_kind_name(kind));
}

static void
worker_watch_progress(struct worker *w, uint64_t now)
{
	uint64_t hang = w->job.hang_ms * MS;
	uint64_t count = worker_sample_count(w);

	if (count != w->seen_count) {
		w->seen_count = count;
		w->progress_ns = now;
		/* The candidate that we killed was only one of many. */
		if (worker_minimizes_failure(w))
			w->blame = FAILURE_NONE;
	}
	if (w->blame != FAILURE_NONE) {
		if (worker_since(now, w->blame_ns) > REPLY_GRACE_MS * MS)
			worker_kill(w, "the worker does not answer");
		return;
	}
	/* Each execution looks at the end word, so a raised word also ends
	 * the patience with a count that somebody else moves. */
	if (worker_since(now, w->progress_ns) > hang ||
		(w->end_raised &&
			worker_since(now, w->end_raised_ns) > hang + 500 * MS))
		worker_blame(w, FAILURE_HANG, now);
}

/* Keeper and child together; what ended children used is the keeper's. */
static void
worker_watch_cpu(struct worker *w, uint64_t child_ticks, uint64_t now)
{
	struct process_usage keeper;
	uint64_t ticks;

	if (now - w->usage_ns < CPU_LOOK_MS * MS ||
		!process_usage(w->process.pid, &keeper))
		return;
	ticks = keeper.cpu_ticks + child_ticks;
	if (w->usage_ns != 0 && ticks >= w->usage_ticks)
		w->cpu = (double)(ticks - w->usage_ticks) /
			(double)sysconf(_SC_CLK_TCK) /
			((double)(now - w->usage_ns) / 1e9);
	w->usage_ns = now;
	w->usage_ticks = ticks;
}

static void
worker_watch_memory(struct worker *w, uint64_t now)
{
	uint64_t limit = w->limits.rss_limit_kb;
	struct process_usage usage;
	pid_t child;

	if (now < w->memory_ns)
		return;
	w->memory_ns = now +
		(w->limits.memory_look_ms > MEMORY_LOOK_MS
				? w->limits.memory_look_ms
				: MEMORY_LOOK_MS) *
			MS;
	child = worker_child(w);
	/* One that is dying has no memory any more: that says nothing. */
	if (child == 0 || !process_usage(child, &usage) || usage.rss_kb == 0)
		return;
	w->usage = usage;
	worker_watch_cpu(w, usage.cpu_ticks, now);
	if (limit == 0)
		return;
	if (usage.rss_kb > limit && w->blame == FAILURE_NONE)
		worker_blame(w, FAILURE_OOM, now);
	else if (usage.rss_kb > limit / 2)
		w->memory_ns = now + MEMORY_CLOSE_MS * MS;
	else if (usage.rss_kb > limit / 8)
		w->memory_ns = now + MEMORY_NEAR_MS * MS;
}

static bool
worker_minimizes(const struct worker *w)
{
	return w->has_job &&
		(w->job.kind == JOB_MINIMIZE_COVERAGE ||
			w->job.kind == JOB_MINIMIZE_FAILURE);
}

/* Moves a moment by a time that counts for nothing, but not into the future. */
static void
worker_shift(uint64_t *then, uint64_t by, uint64_t now)
{
	*then = worker_since(now, *then) > by ? *then + by : now;
}

/* For so long nobody could get on: no deadline came nearer. */
static void
worker_excuse(struct worker *w, uint64_t by, uint64_t now)
{
	worker_shift(&w->progress_ns, by, now);
	worker_shift(&w->call_start_ns, by, now);
	worker_shift(&w->end_raised_ns, by, now);
	worker_shift(&w->blame_ns, by, now);
}

void
worker_resume(struct worker *w)
{
	uint64_t now = clock_now_ns();

	if (!w->paused)
		return;
	w->paused = false;
	if (w->child_stopped)
		process_signal_group(worker_child(w), SIGCONT);
	w->child_stopped = false;
	campaign_memory_set_paused(w->config.campaign, w->slot, false);
	worker_excuse(w, worker_since(now, w->paused_ns), now);
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
	/* A minimization goes on later: worker_hold() stops its child. Without
	 * a child it cannot be held, only ended. */
	if (!worker_minimizes(w) || w->no_fork)
		worker_end_call(w);
}

/* A call that goes on after the grace is stopped by the kernel. */
static void
worker_hold(struct worker *w, uint64_t now)
{
	struct process_usage usage;
	pid_t child;

	if (!w->has_job ||
		worker_since(now, w->paused_ns) < PAUSE_GRACE_MS * MS)
		return;
	child = worker_child(w);
	if (child == 0 || (process_usage(child, &usage) && usage.state == 'T'))
		return;
	campaign_memory_set_paused(w->config.campaign, w->slot, true);
	process_signal_group(child, SIGSTOP);
	w->child_stopped = true;
}

void
worker_tick(struct worker *w, uint64_t now)
{
	uint64_t gap = w->tick_ns == 0 ? 0 : worker_since(now, w->tick_ns);

	w->tick_ns = now;
	if (gap > TICK_GAP_MS * MS) {
		/* Machine or engine slept: nobody else is to blame. */
		worker_excuse(w, gap, now);
		if (w->state == WORKER_STARTING)
			worker_shift(&w->state_since_ns, gap, now);
		if (w->eof_ns != 0)
			worker_shift(&w->eof_ns, gap, now);
		if (w->step != STOP_NONE)
			w->step_ns += gap;
	}
	if (w->state == WORKER_STARTING &&
		worker_since(now, w->state_since_ns) >
			w->limits.start_timeout_ms * MS) {
		worker_kill(w,
			"the target did not start in time; "
			"--start-timeout raises the limit");
		w->state_since_ns = now;
	}
	if (w->eof_ns != 0 && w->process.pid != 0 &&
		w->state != WORKER_STOPPING &&
		worker_since(now, w->eof_ns) > EOF_GRACE_MS * MS) {
		worker_kill(w, "communicating with fuzzing process: EOF");
		w->eof_ns = now;
	}
	if (w->step != STOP_NONE && w->state == WORKER_STOPPING &&
		now >= w->step_ns)
		worker_ladder_next(w, now);
	if (w->paused) {
		worker_hold(w, now);
		return;
	}
	if (!w->has_job || w->process.pid == 0)
		return;
	if (w->job.budget_ms > 0 &&
		worker_since(now, w->call_start_ns) >= w->job.budget_ms * MS)
		worker_end_call(w);
	if (w->state == WORKER_BUSY)
		worker_watch_progress(w, now);
	worker_watch_memory(w, now);
}
