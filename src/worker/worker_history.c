/* worker_history: see worker_history.h. */
#include "worker/worker_history.h"

#include <stddef.h>

#include "base/text.h"

#define IDLE_SHORT_NS 50000000u /* shorter idle times are dropped */

static struct worker_moment *
worker_history_moment(struct worker_history *history, uint64_t n)
{
	return &history->ring[n % WORKER_HISTORY_RING];
}

void
worker_history_note(struct worker_history *history,
	enum worker_view_state state, uint64_t at_ns, const char *why)
{
	struct worker_moment *last = history->n > 0
		? worker_history_moment(history, history->n - 1)
		: NULL;

	if (last != NULL && last->state == WORKER_VIEW_IDLE &&
		at_ns - last->at_ns < IDLE_SHORT_NS)
		last = --history->n > 0
			? worker_history_moment(history, history->n - 1)
			: NULL;
	if (last != NULL && last->state == state)
		return; /* the same state continues */
	last = worker_history_moment(history, history->n++);
	last->state = state;
	last->at_ns = at_ns;
	text_clean_string(why, last->why, sizeof(last->why));
}

const struct worker_moment *
worker_history_get(const struct worker_history *history, uint32_t i)
{
	if (i >= history->n || i >= QUERY_STATES_MAX)
		return NULL;
	return &history->ring[(history->n - 1 - i) % WORKER_HISTORY_RING];
}
