/*
 * function_events: reports functions that were newly reached.
 *
 * The functions of about a second share an event, so that the start of a
 * campaign does not flood the journal. The newest are kept for queries.
 */
#ifndef CFUZZ_ENGINE_FUNCTIONS_FUNCTION_EVENTS_H
#define CFUZZ_ENGINE_FUNCTIONS_FUNCTION_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include <event2/event.h>

#include "control/query.h"

struct engine;

#define FUNCTION_EVENTS_NAMES_MAX 32u /* in one event */

struct function_events {
	struct engine *engine;
	struct event *timer;
	bool timing;      /* the timer is set */
	uint64_t told_ns; /* when the last event was reported; 0: never */
	/* Not reported yet: the names of the first ones. */
	char names[FUNCTION_EVENTS_NAMES_MAX]
		  [sizeof(((struct reply_new_function *)0)->name)];
	uint32_t names_n;
	uint64_t more;   /* further functions */
	uint32_t inputs; /* that reached them */
	char by[17];     /* the last input; "": not in the corpus */
	struct reply_new_function newest[QUERY_NEW_FUNCTIONS_MAX];
	uint64_t newest_n; /* added since the start; a ring holds the last */
};

void function_events_init(struct function_events *events, struct engine *e);
/* Drops the functions that are not reported yet. */
void function_events_clear(struct function_events *events);

/* The places to which a function is added, as bits. */
enum function_events_where {
	FUNCTION_EVENTS_LIST = 1,  /* the list of the newest */
	FUNCTION_EVENTS_EVENT = 2, /* the next event */
};
/* Adds a copy of a function. where: bits of enum function_events_where. */
void function_events_add(struct function_events *events,
	const struct reply_new_function *function, unsigned where);
/* Copies the newest, oldest first; returns their number, at most
 * QUERY_NEW_FUNCTIONS_MAX. */
uint32_t function_events_list(const struct function_events *events,
	struct reply_new_function *list);
/* Reports the waiting functions now. */
void function_events_tell(struct function_events *events);

#endif
