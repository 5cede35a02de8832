/*
 * subscriptions: the queries of the current view, and when to repeat them.
 *
 * A view lists its queries (view_ops.subscribe). Each query is sent once, again
 * when it changes or was not wanted for a while, and from time to time if its
 * result can change. Each has at most one pending reply, so that a slow engine is
 * not asked faster than it answers. A reply is given up after five seconds.
 */
#ifndef CFUZZ_UI_CONSOLE_SUBSCRIPTIONS_H
#define CFUZZ_UI_CONSOLE_SUBSCRIPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/query.h"
#include "ui/model/model.h"
#include "ui/views/view.h"

#define SUBSCRIPTIONS_VIEWS_MAX 16

/* Sends a query; returns the id of its reply, or 0: not sent. */
typedef uint64_t subscriptions_send_fn(void *arg, const struct query *query);

struct subscriptions {
	subscriptions_send_fn *send;
	void *arg;
	struct subscription {
		struct query query; /* the last one sent */
		bool asked;
		uint64_t id;  /* of the pending query, 0: none */
		uint64_t seq; /* of the snapshot at that time */
		double at_s;  /* when it was sent or answered */
		bool failed;
	} views[SUBSCRIPTIONS_VIEWS_MAX][VIEW_QUERIES_MAX];
};

/*
 * Sends the queries that the view (number `view`, below
 * SUBSCRIPTIONS_VIEWS_MAX) needs now, if the model's link is up.
 */
void subscriptions_update(struct subscriptions *subscriptions, size_t view,
	const struct view_ops *ops, void *state, const struct model *model);

/* Finds the view and the query of a reply. False: it is unknown or outdated. */
bool subscriptions_match(struct subscriptions *subscriptions, uint64_t id,
	const struct reply *reply, double now_s, size_t *view,
	struct query *query);

/* The engine is gone or replaced: no query is pending, all are sent again. */
void subscriptions_reset(struct subscriptions *subscriptions);

#endif
