/*
 * past: what a run shows of the earlier ones and does not need itself. Inputs
 * and findings come from their folders (load.c, triage_resume.c), totals from
 * the journal (growth.h); this is read from stats.json.
 *
 * Anybody may have written to the file: what cannot be decoded begins anew.
 */
#include <math.h>

#include "engine/engine_private.h"

/* What was made smaller, the newest first. */
static void
past_minimized(struct engine *e, const struct snapshot *s)
{
	for (; e->minimized_n < s->minimized_n; e->minimized_n++)
		e->minimized[e->minimized_n] = s->minimized[e->minimized_n];
}

void
past_resume(struct engine *e)
{
	const struct growth *growth = &store_past(e->store)->growth;
	struct snapshot s;

	e->last_find_s = fmin(growth->find_s, e->past_s);
	e->plateau_gap_s = growth->gap_s;
	snapshot_init(&s);
	if (snapshot_decode(&s, store_past(e->store)->stats, NULL) == OK)
		past_minimized(e, &s);
	snapshot_clear(&s);
}
