/*
 * subscriptions: what the shown view asks the engine for, and when it asks again.
 *
 * A view says what it wants to show (view_ops.want); each want is asked for
 * once, again as soon as it changes, and from time to time while it stays the
 * same, if what it is about can change. One question per want is under way at
 * a time, so a slow engine is not asked faster than it answers.
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

/* Sends a query; 0: it cannot be sent, else the id that its reply will have. */
typedef uint64_t subscriptions_send_fn(void *arg, const struct query *query);

struct subscriptions {
	subscriptions_send_fn *send;
	void *arg;
	struct subscription {
		struct query query; /* the last one that was sent */
		bool asked;
		uint64_t id;  /* of the question under way, 0: none */
		uint64_t seq; /* of the snapshot when it was sent */
		double at_s;  /* when it was sent, or answered */
		bool failed;
	} wants[SUBSCRIPTIONS_VIEWS_MAX][VIEW_WANTS_MAX];
};

/* Asks what the view (number `view`, below SUBSCRIPTIONS_VIEWS_MAX) now lacks. */
void subscriptions_update(struct subscriptions *wants, size_t view,
	const struct view_ops *ops, void *state, const struct model *model);

/*
 * Whose reply it is: the number of its view, and the query that it answers.
 * False: nobody's, or no longer.
 */
bool subscriptions_match(struct subscriptions *wants, uint64_t id,
	const struct reply *reply, double now_s, size_t *view,
	struct query *query);

/* The engine is gone or another: nothing is under way, all is asked anew. */
void subscriptions_reset(struct subscriptions *wants);

#endif
