/*
 * worker_history: the last states of a worker, for who wonders about it.
 *
 * Between two calls a worker is idle for a moment; that is no news. So calls of
 * the same kind that follow each other are one state, however many they are,
 * and the ring reaches back as far as something really changed.
 */
#ifndef CFUZZ_WORKER_WORKER_HISTORY_H
#define CFUZZ_WORKER_WORKER_HISTORY_H

#include <stdint.h>

#include "control/query.h"

/* One moment more than is told: the newest may be taken back. */
#define WORKER_HISTORY_RING (QUERY_STATES_MAX + 1)

struct worker_history {
	struct worker_moment {
		enum worker_view_state state;
		uint64_t at_ns; /* when it began, as its owner counts time */
		char why[64];
	} ring[WORKER_HISTORY_RING];
	uint64_t n; /* ever */
};

void worker_history_note(struct worker_history *history,
	enum worker_view_state state, uint64_t at_ns, const char *why);

/* The i-th before the present one, 0: that; NULL: there are not so many. */
const struct worker_moment *worker_history_get(
	const struct worker_history *history, uint32_t i);

#endif
