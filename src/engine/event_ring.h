/*
 * event_ring: the newest events of the journal, in memory, for who asks.
 *
 * Each has a number, from 1 on; the newest EVENT_RING_MAX are kept, older ones
 * are in journal.jsonl alone. Which of them match a filter is found out once
 * for each event and filter: the last filter's matches are remembered.
 */
#ifndef CFUZZ_ENGINE_EVENT_RING_H
#define CFUZZ_ENGINE_EVENT_RING_H

#include <stdint.h>

#include "control/snapshot.h"

#define EVENT_RING_MAX 16384u

struct event_ring;

struct event_ring *event_ring_create(void);
void event_ring_destroy(struct event_ring *events); /* NULL is fine */

/* at_s: time of the campaign; the wall clock is looked at here. The texts are
 * cleaned and cut as in a snapshot. */
void event_ring_add(struct event_ring *events, const char *kind, double at_s,
	const char *text, const char *about);
/* The same, of an earlier run. */
void event_ring_add_past(struct event_ring *events, const char *kind,
	double at_s, double wall_s, const char *text, const char *about);

uint64_t event_ring_ever(
	const struct event_ring *events); /* the newest's number */
uint64_t event_ring_kept(const struct event_ring *events);

/* A copy; seq: of one that is kept. */
void event_ring_get(const struct event_ring *events, uint64_t seq,
	struct snapshot_event *to);

/* From now on only events match whose kind is one of these words; "": all. */
void event_ring_choose_kinds(struct event_ring *events, const char *kinds);

/*
 * How many have all the words of a filter in their texts, and the number of
 * the i-th of those, the oldest first.
 */
uint64_t event_ring_match(struct event_ring *events, const char *filter);
uint64_t event_ring_matching(const struct event_ring *events, uint64_t i);

#endif
