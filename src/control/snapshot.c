/*
 * snapshot: the life of a snapshot and the names of its states, see
 * snapshot.h. Its JSON is in snapshot_json.c, made from the tables in
 * snapshot_fields.c.
 */

#include "control/snapshot.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "control/snapshot_fields.h"

void
snapshot_init(struct snapshot *snapshot)
{
	*snapshot = (struct snapshot){
		.last_find_s = -1,
		.next_step_s = -1,
		.counters_stable = 100,
	};
}

void
snapshot_clear(struct snapshot *snapshot)
{
	free(snapshot->workers);
	free(snapshot->findings);
	free(snapshot->minimizations);
	free(snapshot->events);
	free(snapshot->limits);
	free(snapshot->mutators);
	snapshot_init(snapshot);
}

static void *
snapshot_copy_items(const void *items, size_t n, size_t size)
{
	return n ? xmemdup(items, n * size) : NULL;
}

void
snapshot_copy(struct snapshot *to, const struct snapshot *from)
{
	if (to == from)
		return;
	snapshot_clear(to);
	*to = *from;
#define COPY(items) \
	to->items = snapshot_copy_items(from->items, from->items##_n, \
		sizeof(*from->items))
	COPY(workers);
	COPY(findings);
	COPY(minimizations);
	COPY(events);
	COPY(limits);
	COPY(mutators);
#undef COPY
}

static const char *
snapshot_word(const struct words *words, size_t i)
{
	return i < words->n ? words->items[i] : "unknown";
}

const char *
run_state_name(enum run_state state)
{
	return snapshot_word(&RUN_STATE_WORDS, (size_t)state);
}

const char *
worker_view_state_name(enum worker_view_state state)
{
	return snapshot_word(&WORKER_VIEW_STATE_WORDS, (size_t)state);
}

const char *
stop_step_name(enum stop_step step)
{
	return snapshot_word(&STOP_STEP_WORDS, (size_t)step);
}
