/*
 * worker_history: the last states of a worker, for display.
 *
 * A worker is idle for a moment between two calls; less than 50 ms of it are
 * not recorded. So any number of calls of the same kind in a row is one state,
 * and the ring goes back to the last real changes.
 */
#ifndef CFUZZ_WORKER_WORKER_HISTORY_H
#define CFUZZ_WORKER_WORKER_HISTORY_H

#include <stdint.h>

#include "control/query.h"

/* One more than displayed, because the newest may be removed again. */
#define WORKER_HISTORY_RING (QUERY_STATES_MAX + 1)

struct worker_history {
	struct worker_moment {
		enum worker_view_state state;
		uint64_t at_ns; /* its start, by the owner's clock */
		char why[64];
	} ring[WORKER_HISTORY_RING];
	uint64_t n; /* number of all moments so far */
};

/* why is cleaned and cut. Nothing is added if the state is the same as
 * before. */
void worker_history_note(struct worker_history *history,
	enum worker_view_state state, uint64_t at_ns, const char *why);

/* The i-th moment before the current one (0), borrowed until the next note;
 * NULL: not so many, or i is QUERY_STATES_MAX or more. */
const struct worker_moment *worker_history_get(
	const struct worker_history *history, uint32_t i);

#endif
