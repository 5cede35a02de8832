/* minimized: see minimized.h. */
#include "engine/statistics/minimized.h"

#include <string.h>

#include "base/xmalloc.h"
#include "control/snapshot.h"
#include "engine/parts.h"
#include "engine/statistics/minimized_private.h"

void
minimized_note(struct engine *e, const struct snapshot_minimized *of)
{
	struct minimized *m = engine_minimized(e);

	if (m->n < SNAPSHOT_MINIMIZED_MAX)
		m->n++;
	memmove(m->list + 1, m->list, (m->n - 1) * sizeof(*m->list));
	m->list[0] = *of;
	m->list[0].at_s = engine_campaign_s(e);
}

void
minimized_resume(struct engine *e, const struct snapshot *s)
{
	struct minimized *m = engine_minimized(e);

	for (; m->n < s->minimized_n; m->n++)
		m->list[m->n] = s->minimized[m->n];
}

void
minimized_view(const struct engine *e, struct snapshot *s)
{
	const struct minimized *m = engine_minimized(e);

	s->minimized = xmemdup(m->list, m->n * sizeof(*m->list));
	s->minimized_n = m->n;
}
