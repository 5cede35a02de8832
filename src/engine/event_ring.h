/*
 * event_ring: the newest events of the journal, in memory, for who asks.
 *
 * Each has a number, from 1 on; the newest EVENTS_MAX are kept, older ones
 * are in journal.jsonl alone. Which of them match a filter is found out once
 * for each event and filter: the last filter's matches are remembered.
 */
#ifndef CFUZZ_ENGINE_EVENT_RING_H
#define CFUZZ_ENGINE_EVENT_RING_H

#include <stdint.h>

#include "control/snapshot.h"

#define EVENTS_MAX 16384u

struct events;

struct events *events_create(void);
void events_destroy(struct events *events); /* NULL is fine */

/* at_s: time of the campaign; the wall clock is looked at here. The texts are
 * cleaned and cut as in a snapshot. */
void events_add(struct events *events, const char *kind, double at_s,
	const char *text, const char *about);
/* The same, of an earlier run. */
void events_add_past(struct events *events, const char *kind, double at_s,
	double wall_s, const char *text, const char *about);

uint64_t events_ever(const struct events *events); /* the newest's number */
uint64_t events_kept(const struct events *events);

/* A copy; seq: of one that is kept. */
void events_get(const struct events *events, uint64_t seq,
	struct snapshot_event *to);

/* From now on only events match whose kind is one of these words; "": all. */
void events_choose_kinds(struct events *events, const char *kinds);

/*
 * How many have all the words of a filter in their texts, and the number of
 * the i-th of those, the oldest first.
 */
uint64_t events_match(struct events *events, const char *filter);
uint64_t events_matching(const struct events *events, uint64_t i);

#endif
