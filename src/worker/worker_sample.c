/*
 * worker_sample: gets the stack of an execution that is about to be killed.
 *
 * A word in its memory and a signal ask the child for its stack; see
 * target/crash/crash_sample.h. A child that does not answer is killed; the
 * finding then has no stack. Such a child handles the signal itself, or blocks
 * all signals. One that waits for a processor has more time.
 */
#include <signal.h>

#include "worker/worker_private.h"

#define MS 1000000ull
#define SAMPLE_ANSWER_MS 200 /* until the first frames */
#define SAMPLE_LATE_MS 2000  /* the same, if there is no processor for it */
#define SAMPLE_LATE_TICKS 1  /* that rounding may add to the processor time */
#define SAMPLE_WATCH_MS 100  /* frames that return in this time do not hang */
/* A child that answers late gets little of a busy processor: it has this many
 * times as long for its frames to return. */
#define SAMPLE_WATCH_TIMES 4

static struct failure_block *
sample_block(const struct worker *w)
{
	return &worker_head(w)->failure;
}

/* The process that has to answer: the child, or the run that it waits for. */
static pid_t
sample_process(struct worker *w)
{
	pid_t pid = worker_runner(w), run;

	return proc_children(pid, &run, 1) == 1 ? run : pid;
}

bool
worker_sample_begin(struct worker *w, uint64_t now)
{
	pid_t pid = worker_runner(w);
	bool watch = w->kill_reason == FAILURE_HANG;
	struct proc_times times;

	/* A fork server that minimizes a failure cannot report it. */
	if (pid <= 1 || worker_minimizes_failure(w))
		return false;
	w->sampling = true;
	w->sample_taken = false;
	w->sample_ns = now;
	w->sample_limit_ms = SAMPLE_ANSWER_MS;
	w->sample_rss_kb = 0;
	w->sample_ticks =
		proc_times(sample_process(w), &times) ? times.cpu_ticks : 0;
	/* A cancelled request may have left an older stack. */
	__atomic_store_n(&sample_block(w)->sampled, SAMPLE_NONE,
		__ATOMIC_RELEASE);
	__atomic_store_n(&sample_block(w)->sample,
		watch ? SAMPLE_WATCH : SAMPLE_ONCE, __ATOMIC_RELEASE);
	/* Sending the signal by pid is safe: the pid was checked and cannot be
	 * reused, because the fork server reaps only children that it has seen
	 * die. */
	return kill(pid, SAMPLE_SIGNAL) == 0;
}

static uint64_t
sample_watch_ms(uint64_t answer_ms)
{
	uint64_t ms = SAMPLE_WATCH_TIMES * answer_ms;

	if (ms > SAMPLE_LATE_MS)
		return SAMPLE_LATE_MS;
	return ms > SAMPLE_WATCH_MS ? ms : SAMPLE_WATCH_MS;
}

/* A child that gets the processor begins with its signal handler: time that it
 * used without an answer shows that it has none. */
static bool
sample_waits(struct worker *w)
{
	struct proc_times times;

	return proc_times(sample_process(w), &times) && times.state == 'R' &&
		times.cpu_ticks <= w->sample_ticks + SAMPLE_LATE_TICKS;
}

bool
worker_sample_is_over(struct worker *w, uint64_t now)
{
	uint32_t state =
		__atomic_load_n(&sample_block(w)->sampled, __ATOMIC_ACQUIRE);
	uint64_t passed = worker_since(now, w->sample_ns);

	if (state == SAMPLE_TAKEN && !w->sample_taken &&
		w->kill_reason == FAILURE_HANG) {
		w->sample_taken = true;
		w->sample_limit_ms = passed / MS + sample_watch_ms(passed / MS);
	}
	if (state == SAMPLE_FINAL)
		return true;
	if (passed <= w->sample_limit_ms * MS)
		return false;
	return state == SAMPLE_TAKEN || passed > SAMPLE_LATE_MS * MS ||
		!sample_waits(w);
}

/* If the memory of all its processes grows, another one of them runs. It may have
 * grown up to the first look. */
bool
worker_sample_waits(struct worker *w, uint64_t rss_kb)
{
	bool grows = w->sample_rss_kb != 0 && rss_kb > w->sample_rss_kb;

	w->sample_rss_kb = rss_kb;
	return !grows && sample_waits(w);
}

void
worker_sample_cancel(struct worker *w)
{
	struct failure_block *block = sample_block(w);

	w->sampling = false;
	__atomic_store_n(&block->sample, SAMPLE_NOT, __ATOMIC_RELEASE);
	__atomic_store_n(&block->sampled, SAMPLE_NONE, __ATOMIC_RELEASE);
}
