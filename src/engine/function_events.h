/*
 * function_events: what is told of functions that were newly reached.
 *
 * Those of about a second make one event, so that the start of a campaign is
 * no flood; the newest are kept for who asks.
 */
#ifndef CFUZZ_ENGINE_FUNCTION_EVENTS_H
#define CFUZZ_ENGINE_FUNCTION_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/event.h>

#include "control/query.h"

struct engine;

#define FUNCTION_EVENTS_NAMES_MAX 32u /* in one event */

struct function_events {
	struct engine *engine;
	struct event *timer;
	bool timing;
	uint64_t told_ns;
	/* To be told of: the names of the first ones. */
	char names[FUNCTION_EVENTS_NAMES_MAX]
		  [sizeof(((struct reply_reached *)0)->name)];
	uint32_t names_n;
	uint64_t more;   /* beyond those */
	uint32_t inputs; /* that came there */
	char by[17];     /* the last of them; "": not in the corpus */
	struct reply_reached newest[QUERY_REACHED_MAX];
	uint64_t newest_n; /* ever */
};

void function_events_init(struct function_events *news, struct engine *e);
void function_events_clear(struct function_events *news);

enum function_events_where {
	FUNCTION_EVENTS_LIST = 1,  /* of the newest */
	FUNCTION_EVENTS_EVENT = 2, /* in the next event */
};
void function_events_add(struct function_events *news,
	const struct reply_reached *function, unsigned where);
/* The newest, oldest first; returns how many, at most QUERY_REACHED_MAX. */
uint32_t function_events_list(const struct function_events *news,
	struct reply_reached *list);
/* Tells what waits, now. */
void function_events_tell(struct function_events *news);

#endif
