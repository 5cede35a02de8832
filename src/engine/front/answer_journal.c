/* answer_journal: rows of the journal that are in memory. */
#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/front/answers.h"

enum status
answer_journal(struct engine *e, uint64_t id, const struct query *query,
	struct reply *reply, struct error *err)
{
	struct reply_journal *r = &reply->journal;
	uint64_t i, n;

	(void)id;
	(void)err;
	r->total = event_ring_kept(e->messages.events);
	r->dropped = event_ring_ever(e->messages.events) - r->total;
	event_ring_choose_kinds(e->messages.events, query->kinds);
	r->matching = event_ring_match(e->messages.events, query->filter);
	r->first = query->first < r->matching ? query->first : r->matching;
	n = answer_count(query, r->matching, QUERY_ROWS_MAX);
	r->rows = xcalloc(n + 1, sizeof(*r->rows));
	for (i = 0; i < n; i++)
		event_ring_get(e->messages.events,
			event_ring_matching(e->messages.events, r->first + i),
			&r->rows[i]);
	r->rows_n = n;
	return OK;
}
