/* subscriptions: see subscriptions.h. */
#include "ui/console/subscriptions.h"

#include <string.h>

#define SUBSCRIPTIONS_LOST_S 5.0  /* time-out of a query */
#define SUBSCRIPTIONS_RETRY_S 2.0 /* after a refusal */
#define SUBSCRIPTIONS_NEVER 1e9

/* The maximum age of a reply while its query is wanted. */
static const double wants_refresh_s[QUERY_KIND_COUNT] = {
	[QUERY_COVERAGE] = 0.5,
	[QUERY_MODULES] = 5,
	[QUERY_PCS] = SUBSCRIPTIONS_NEVER,
	[QUERY_CORPUS] = 1,
	[QUERY_ENTRY] = SUBSCRIPTIONS_NEVER,
	[QUERY_TRAIL] = SUBSCRIPTIONS_NEVER,
	[QUERY_WORKER] = 0.2,
	[QUERY_JOURNAL] = 0.3,
	[QUERY_MINIMIZATION] = 0.1,
	[QUERY_FINDING] = 1,
};

static bool
subscription_is_due(const struct subscription *want, const struct query *query,
	const struct model *model)
{
	double age = model->now_s - want->at_s;

	if (!want->asked)
		return true;
	if (want->id != 0)
		return age > SUBSCRIPTIONS_LOST_S;
	if (!query_equal(&want->query, query))
		return true;
	if (want->failed)
		return age > SUBSCRIPTIONS_RETRY_S;
	return age >= wants_refresh_s[query->kind] &&
		want->seq != model->snapshot->seq;
}

void
subscriptions_update(struct subscriptions *wants, size_t view,
	const struct view_ops *ops, void *state, const struct model *model)
{
	struct query queries[VIEW_WANTS_MAX];
	size_t n;

	if (ops->want == NULL || view >= SUBSCRIPTIONS_VIEWS_MAX ||
		model->link != LINK_UP)
		return;
	memset(queries, 0, sizeof(queries));
	n = ops->want(state, model, queries);
	for (size_t i = 0; i < n && i < VIEW_WANTS_MAX; i++) {
		struct subscription *want = &wants->wants[view][i];

		if (!subscription_is_due(want, &queries[i], model))
			continue;
		want->id = wants->send(wants->arg, &queries[i]);
		want->query = queries[i];
		want->asked = want->id != 0;
		want->failed = false;
		want->seq = model->snapshot->seq;
		want->at_s = model->now_s;
	}
}

bool
subscriptions_match(struct subscriptions *wants, uint64_t id,
	const struct reply *reply, double now_s, size_t *view,
	struct query *query)
{
	for (size_t v = 0; v < SUBSCRIPTIONS_VIEWS_MAX; v++) {
		for (size_t i = 0; i < VIEW_WANTS_MAX; i++) {
			struct subscription *want = &wants->wants[v][i];

			if (id == 0 || want->id != id ||
				want->query.kind != reply->kind)
				continue;
			want->id = 0;
			want->at_s = now_s;
			want->failed = reply->error[0] != '\0';
			*view = v;
			*query = want->query;
			return true;
		}
	}
	return false;
}

void
subscriptions_reset(struct subscriptions *wants)
{
	memset(wants->wants, 0, sizeof(wants->wants));
}
