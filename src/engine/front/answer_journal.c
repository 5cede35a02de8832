/* answer_journal: rows of the journal that are in memory. */
#include "base/xmalloc.h"
#include "control/query.h"
#include "engine/front/answers.h"
#include "engine/log/event_ring.h"
#include "engine/log/messages.h"

enum status
answer_journal(struct engine *e, uint64_t id, const struct query *query,
	struct reply *reply, struct error *err)
{
	struct reply_journal *r = &reply->journal;
	struct query asked = *query;
	uint64_t i, n;

	r->total = event_ring_kept(message_events(e));
	r->dropped = event_ring_ever(message_events(e)) - r->total;
	event_ring_choose_kinds(message_events(e), query->kinds);
	r->matching = event_ring_match(message_events(e), query->filter);
	if (query->since > r->dropped)
		asked.first = query->since - r->dropped;
	r->first = asked.first < r->matching ? asked.first : r->matching;
	n = answer_count(&asked, r->matching, QUERY_ROWS_MAX);
	r->rows = xcalloc(n + 1, sizeof(*r->rows));
	for (i = 0; i < n; i++)
		event_ring_get(message_events(e),
			event_ring_matching(message_events(e), r->first + i),
			&r->rows[i]);
	r->rows_n = n;
	return OK;
}
