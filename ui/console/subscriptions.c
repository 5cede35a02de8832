/* subscriptions: see subscriptions.h. */
#include "ui/console/subscriptions.h"

#include <string.h>

#define SUBSCRIPTIONS_LOST_S 5.0  /* time-out of a query */
#define SUBSCRIPTIONS_RETRY_S 2.0 /* after a refusal */
#define SUBSCRIPTIONS_NEVER 1e9

/* The maximum age of a reply while its query is wanted. */
static const double subscription_refresh_s[QUERY_KIND_COUNT] = {
	[QUERY_COVERAGE] = 0.5,
	[QUERY_MODULES] = 5,
	[QUERY_PCS] = SUBSCRIPTIONS_NEVER,
	[QUERY_CORPUS] = 1,
	[QUERY_ENTRY] = 1, /* it may be minimized */
	[QUERY_MUTATION_LOG] = SUBSCRIPTIONS_NEVER,
	[QUERY_WORKER] = 0.2,
	[QUERY_JOURNAL] = 0.3,
	[QUERY_MINIMIZATION] = 0.1,
	[QUERY_FINDING] = 1,
};

static bool
subscription_is_due(const struct subscription *subscription,
	const struct query *query, const struct model *model)
{
	double age = model->now_s - subscription->at_s;

	if (!subscription->asked)
		return true;
	if (subscription->id != 0)
		return age > SUBSCRIPTIONS_LOST_S;
	if (!query_equal(&subscription->query, query))
		return true;
	if (subscription->failed)
		return age > SUBSCRIPTIONS_RETRY_S;
	return age >= subscription_refresh_s[query->kind] &&
		subscription->seq != model->snapshot->seq;
}

void
subscriptions_update(struct subscriptions *subscriptions, size_t view,
	const struct view_ops *ops, void *state, const struct model *model)
{
	struct query queries[VIEW_QUERIES_MAX];
	size_t n;

	if (ops->subscribe == NULL || view >= SUBSCRIPTIONS_VIEWS_MAX ||
		model->link != LINK_UP)
		return;
	memset(queries, 0, sizeof(queries));
	n = ops->subscribe(state, model, queries);
	for (size_t i = 0; i < n && i < VIEW_QUERIES_MAX; i++) {
		struct subscription *subscription =
			&subscriptions->views[view][i];

		if (!subscription_is_due(subscription, &queries[i], model))
			continue;
		subscription->id =
			subscriptions->send(subscriptions->arg, &queries[i]);
		subscription->query = queries[i];
		subscription->asked = subscription->id != 0;
		subscription->failed = false;
		subscription->seq = model->snapshot->seq;
		subscription->at_s = model->now_s;
	}
	/* The view may drop the reply to a query that it does not want. */
	for (size_t i = n; i < VIEW_QUERIES_MAX; i++)
		if (subscriptions->views[view][i].id == 0)
			subscriptions->views[view][i].asked = false;
}

bool
subscriptions_match(struct subscriptions *subscriptions, uint64_t id,
	const struct reply *reply, double now_s, size_t *view,
	struct query *query)
{
	for (size_t v = 0; v < SUBSCRIPTIONS_VIEWS_MAX; v++) {
		for (size_t i = 0; i < VIEW_QUERIES_MAX; i++) {
			struct subscription *subscription =
				&subscriptions->views[v][i];

			if (id == 0 || subscription->id != id ||
				subscription->query.kind != reply->kind)
				continue;
			subscription->id = 0;
			subscription->at_s = now_s;
			subscription->failed = reply->error[0] != '\0';
			*view = v;
			*query = subscription->query;
			return true;
		}
	}
	return false;
}

void
subscriptions_reset(struct subscriptions *subscriptions)
{
	memset(subscriptions->views, 0, sizeof(subscriptions->views));
}
