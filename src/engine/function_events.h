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

#define NEWS_NAMES_MAX 32u /* in one event */

struct news {
	struct engine *engine;
	struct event *timer;
	bool timing;
	uint64_t told_ns;
	/* To be told of: the names of the first ones. */
	char names[NEWS_NAMES_MAX][sizeof(((struct reply_reached *)0)->name)];
	uint32_t names_n;
	uint64_t more;   /* beyond those */
	uint32_t inputs; /* that came there */
	char by[17];     /* the last of them; "": not in the corpus */
	struct reply_reached newest[QUERY_REACHED_MAX];
	uint64_t newest_n; /* ever */
};

void news_init(struct news *news, struct engine *e);
void news_clear(struct news *news);

enum news_where {
	NEWS_LIST = 1,  /* of the newest */
	NEWS_EVENT = 2, /* in the next event */
};
void news_add(struct news *news, const struct reply_reached *function,
	unsigned where);
/* The newest, oldest first; returns how many, at most QUERY_REACHED_MAX. */
uint32_t news_list(const struct news *news, struct reply_reached *list);
/* Tells what waits, now. */
void news_tell(struct news *news);

#endif
