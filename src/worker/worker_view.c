/* worker_view: the display of a worker's state; it decides nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "worker/inputs/input_text.h"
#include "worker/worker_private.h"

#define SAMPLE_MAX 16384u /* bytes of an input that are formatted */

uint64_t
worker_sample_count(const struct worker *w)
{
	uint64_t count;

	if (!w->has_job)
		return 0;
	count = __atomic_load_n(&worker_head(w)->count, __ATOMIC_RELAXED);
	return worker_count_plausible(w, count) ? count : w->seen_count;
}

static enum worker_view_state
worker_view_state(const struct worker *w)
{
	static const enum worker_view_state states[] = {
		[WORKER_DOWN] = WORKER_VIEW_DOWN,
		[WORKER_STARTING] = WORKER_VIEW_STARTING,
		[WORKER_IDLE] = WORKER_VIEW_IDLE,
		[WORKER_BUSY] = WORKER_VIEW_FUZZING,
		[WORKER_STOPPING] = WORKER_VIEW_STOPPING,
	};

	if (w->paused && w->state != WORKER_DOWN && w->state != WORKER_STOPPING)
		return WORKER_VIEW_PAUSED;
	if (w->state != WORKER_BUSY)
		return states[w->state];
	switch (w->job.kind) {
	case JOB_MINIMIZE_COVERAGE:
	case JOB_MINIMIZE_FAILURE:
		return WORKER_VIEW_MINIMIZING;
	case JOB_REPLAY:
	case JOB_SEQUENCE:
		return WORKER_VIEW_REPLAYING;
	default:
		return WORKER_VIEW_FUZZING;
	}
}

void
worker_note(struct worker *w, const char *why)
{
	const struct worker_handlers *handlers = w->config.handlers;

	worker_history_note(&w->history, worker_view_state(w),
		handlers->elapsed_ns != NULL
			? handlers->elapsed_ns(w->config.arg)
			: clock_now_ns(),
		why);
}

const struct worker_history *
worker_get_history(const struct worker *w)
{
	return &w->history;
}

/*
 * Formats the first values of an input of a typed target. Longer inputs are not
 * copied for display.
 */
static size_t
worker_sample_text(const struct worker *w, uint64_t len, uint8_t *to,
	size_t size)
{
	size_t n = len < SAMPLE_MAX ? (size_t)len : SAMPLE_MAX;
	uint8_t *copy = xmemdup(w->memory.map + w->layout.value_offset, n);

	n = input_text_sample(&w->types, copy, n, to, size);
	free(copy);
	return n < size ? n : size;
}

size_t
worker_sample_input(const struct worker *w, uint8_t *to, size_t size,
	uint64_t *len)
{
	*len = __atomic_load_n(&worker_head(w)->value_len, __ATOMIC_RELAXED);
	if (!w->has_job || *len > w->max_len)
		*len = 0;
	if (w->types.n > 0)
		return *len = worker_sample_text(w, *len, to, size);
	if (size > *len)
		size = *len;
	memcpy(to, w->memory.map + w->layout.value_offset, size);
	return size;
}

/* The input under execution may change meanwhile: for display only. */
static void
worker_view_input(const struct worker *w, struct snapshot_worker *view)
{
	uint64_t len =
		__atomic_load_n(&worker_head(w)->value_len, __ATOMIC_RELAXED);

	if (len > w->max_len)
		return;
	view->input_len = len;
	view->input_n = len > SNAPSHOT_INPUT ? SNAPSHOT_INPUT : (uint32_t)len;
	memcpy(view->input, w->memory.map + w->layout.value_offset,
		view->input_n);
	if (w->types.n > 0)
		view->input_len = view->input_n =
			(uint32_t)worker_sample_text(w, len, view->input,
				SNAPSHOT_INPUT);
}

/* A new start in history restarts the time, even if the state is the same. */
static void
worker_view_since(struct worker *w, uint64_t now, struct snapshot_worker *view)
{
	const struct worker_moment *newest = worker_history_get(&w->history, 0);
	uint64_t at_ns = newest != NULL && newest->state == view->state
		? newest->at_ns
		: 0;

	if (view->state != w->shown_state || w->shown_ns == 0 ||
		at_ns != w->shown_at_ns) {
		w->shown_state = view->state;
		w->shown_at_ns = at_ns;
		w->shown_ns = now;
	}
	view->state_s = (double)(now - w->shown_ns) / 1e9;
}

void
worker_view(struct worker *w, uint64_t now, struct snapshot_worker *view)
{
	view->id = w->slot;
	view->pid = w->process.fork_server;
	view->child = worker_claimed_child(w);
	view->state = worker_view_state(w);
	worker_view_since(w, now, view);
	view->paused = w->paused;
	view->stop_step = w->step;
	view->next_step_s = w->state == WORKER_STOPPING && w->step_ns > now
		? (double)(w->step_ns - now) / 1e9
		: -1;
	view->deaths = w->deaths;
	view->restarts = w->restarts;
	view->rss_kb = w->rss_kb;
	view->cpu = w->paused ? 0 : w->cpu;
	view->fork_us = w->fork_ns / 1000;
	view->threads = w->threads;
	view->no_fork = w->no_fork;
	if (w->has_job)
		worker_view_input(w, view);
}

void
worker_view_best(const struct tuple_types *types, const uint8_t *best,
	size_t len, struct snapshot_minimization *view)
{
	struct input_text text;

	input_text_init(&text, types, best, len);
	view->best_n =
		text.len > SNAPSHOT_HEX ? SNAPSHOT_HEX : (uint32_t)text.len;
	if (view->best_n > 0)
		memcpy(view->best, text.data, view->best_n);
	if (types->n > 0) {
		view->text_len = text.len;
		view->text_cut = view->cut_offset;
		view->text_cut_len = view->cut_len;
		input_text_place(types, best, len, &view->text_cut,
			&view->text_cut_len);
	}
	input_text_clear(&text);
}

/* The input may change meanwhile. A damaged input of a typed target is not
 * shown. */
static void
worker_view_own_best(const struct worker *w, struct snapshot_minimization *view)
{
	const uint8_t *best = w->memory.map + w->layout.best_offset;
	size_t n = view->best_len;
	uint8_t *copy;

	if (w->types.n == 0 && n > SNAPSHOT_HEX)
		n = SNAPSHOT_HEX;
	copy = xmemdup(best, n);
	if (input_is_sound(&w->types, copy, n))
		worker_view_best(&w->types, copy, n, view);
	free(copy);
}

void
worker_view_minimization(const struct worker *w,
	struct snapshot_minimization *view)
{
	const struct minimize_live *live = &worker_head(w)->live;
	/* Read it once: the target may be writing there. */
	uint64_t len = __atomic_load_n(&live->best_len, __ATOMIC_RELAXED);

	view->worker = w->slot;
	view->coverage = w->job.kind == JOB_MINIMIZE_COVERAGE;
	view->phase = live->phase;
	view->position = live->position;
	view->tries = live->tries;
	view->accepted = live->accepted;
	view->start_len = w->job.len;
	view->cut_offset = live->cut_offset;
	view->cut_len = live->cut_len;
	if (len > w->job.len)
		len = w->job.len;
	view->best_len = len;
	if (view->tries > 0)
		worker_view_own_best(w, view);
	/* The call may have begun after the last tick. */
	view->elapsed_s =
		(double)worker_since(w->tick_ns, w->call_start_ns) / 1e9;
}
