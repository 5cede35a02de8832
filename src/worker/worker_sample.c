/*
 * worker_sample: the stack of an execution that is about to be ended.
 *
 * The child is asked for it by a word in its memory and a signal; see
 * target/crash/sample.h. One that does not answer is ended without: it handles the
 * signal by itself, or holds all signals off.
 */
#include <signal.h>

#include "worker/worker_private.h"

#define MS 1000000ull
#define SAMPLE_ANSWER_MS 200 /* to a first word of it, and all in all */
#define SAMPLE_WATCH_MS 100  /* what returns meanwhile is not what hangs */
#define SAMPLE_ONCE_MS 50    /* all in all, of one that takes memory */

static struct failure_block *
sample_block(const struct worker *w)
{
	return &worker_head(w)->failure;
}

bool
worker_sample_begin(struct worker *w, uint64_t now)
{
	pid_t pid = worker_runner(w);
	bool watch = w->blame == FAILURE_HANG;

	/* A keeper that minimizes cannot be told of what hangs. */
	if (pid <= 1 || worker_minimizes_failure(w))
		return false;
	w->sampling = true;
	w->sample_ns = now;
	w->sample_limit_ms = watch ? SAMPLE_ANSWER_MS : SAMPLE_ONCE_MS;
	/* What a wish that was taken back has left is not this stack. */
	__atomic_store_n(&sample_block(w)->sampled, SAMPLE_NONE,
		__ATOMIC_RELEASE);
	__atomic_store_n(&sample_block(w)->sample,
		watch ? SAMPLE_WATCH : SAMPLE_ONCE, __ATOMIC_RELEASE);
	/* It goes by its number, which was checked and cannot be reused: the
	 * keeper buries nobody whom it has not seen die. */
	return kill(pid, SAMPLE_SIGNAL) == 0;
}

bool
worker_sample_is_over(struct worker *w, uint64_t now)
{
	uint32_t state =
		__atomic_load_n(&sample_block(w)->sampled, __ATOMIC_ACQUIRE);
	uint64_t passed = worker_since(now, w->sample_ns), limit_ms;

	if (state == SAMPLE_TAKEN && w->sample_limit_ms == SAMPLE_ANSWER_MS) {
		limit_ms = passed / MS + SAMPLE_WATCH_MS;
		if (limit_ms < SAMPLE_ANSWER_MS)
			w->sample_limit_ms = limit_ms;
	}
	return state == SAMPLE_FINAL || passed > w->sample_limit_ms * MS;
}

void
worker_sample_cancel(struct worker *w)
{
	struct failure_block *block = sample_block(w);

	w->sampling = false;
	__atomic_store_n(&block->sample, SAMPLE_NOT, __ATOMIC_RELEASE);
	__atomic_store_n(&block->sampled, SAMPLE_NONE, __ATOMIC_RELEASE);
}
