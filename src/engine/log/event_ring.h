/*
 * event_ring: the newest events of the journal, in memory.
 *
 * Events are numbered from 1. The newest EVENT_RING_MAX are kept; older ones
 * are only in journal.jsonl. Each event is compared with a filter once: the
 * matches of the last filter are remembered.
 */
#ifndef CFUZZ_ENGINE_LOG_EVENT_RING_H
#define CFUZZ_ENGINE_LOG_EVENT_RING_H

#include <stdint.h>

#include "control/snapshot.h"

#define EVENT_RING_MAX 16384u

struct event_ring;

struct event_ring *event_ring_create(void);
void event_ring_destroy(struct event_ring *events); /* NULL is fine */

/* at_s: campaign time; the wall clock is read here. The texts are cleaned and
 * cut as in a snapshot. */
void event_ring_add(struct event_ring *events, const char *kind, double at_s,
	const char *text, const char *about);
/* The same for an event of an earlier run. */
void event_ring_add_past(struct event_ring *events, const char *kind,
	double at_s, double wall_s, const char *text, const char *about);

/* The number of the newest event, and how many of the newest are kept. */
uint64_t event_ring_ever(const struct event_ring *events);
uint64_t event_ring_kept(const struct event_ring *events);

/* Copies an event; seq: of one that is kept. */
void event_ring_get(const struct event_ring *events, uint64_t seq,
	struct snapshot_event *to);

/* From now on only events of these kinds match, which blanks separate; "":
 * all. */
void event_ring_choose_kinds(struct event_ring *events, const char *kinds);

/* Counts the kept events with all words of the filter, see base/sieve.h, in
 * their kinds and texts. */
uint64_t event_ring_match(struct event_ring *events, const char *filter);
/* The number of match i, below the count of the last event_ring_match(); oldest
 * first. */
uint64_t event_ring_matching(const struct event_ring *events, uint64_t i);

#endif
