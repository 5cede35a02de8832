/*
 * earlier_runs: history that a run shows but does not need. Inputs and findings
 * come from their folders (load.c, triage_resume.c), totals from the journal
 * (growth.h). The rest is read here, from the end of the journal and
 * stats.json.
 *
 * These files may have been changed by anybody: nonsense is skipped.
 */
#include "engine/earlier_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine_private.h"
#include "engine/messages.h"
#include "shared/mutate/mutation.h"

/* The latest minimizations, newest first. */
static void
earlier_runs_minimized(struct engine *e, const struct snapshot *s)
{
	for (; e->minimize.ended_n < s->minimized_n; e->minimize.ended_n++)
		e->minimize.ended[e->minimize.ended_n] =
			s->minimized[e->minimize.ended_n];
}

/* By name: another version may number mutators differently. */
static void
earlier_runs_mutators(struct engine *e, const struct snapshot *s)
{
	size_t i;
	unsigned op;

	for (i = 0; i < s->mutators_n; i++)
		for (op = 0; op < MUTATE_N; op++) {
			if (strcmp(s->mutators[i].name, mutate_name(op)) != 0)
				continue;
			e->campaign.stats.steps[op] = s->mutators[i].steps;
			e->campaign.stats.finds[op] = s->mutators[i].finds;
		}
}

/* Skips incomplete lines and nonsense. */
static void
earlier_runs_events(struct engine *e)
{
	size_t len = 0;
	char *text = store_journal_end(e->store, &len);
	const char *line = text, *end;

	for (; len > 0; len -= (size_t)(end + 1 - line), line = end + 1) {
		json_t *event;

		end = memchr(line, '\n', len);
		if (end == NULL)
			break;
		event = json_loadb(line, (size_t)(end - line), 0, NULL);
		message_recall(e, event);
		json_decref(event);
	}
	free(text);
}

void
earlier_runs_resume(struct engine *e)
{
	const struct growth *growth = &store_past(e->store)->growth;
	struct snapshot s;

	e->clock.last_find_s = fmin(growth->find_s, e->earlier.elapsed_s);
	e->clock.plateau_gap_s = growth->gap_s;
	if (e->earlier.runs > 1)
		earlier_runs_events(e);
	snapshot_init(&s);
	if (snapshot_decode(&s, store_past(e->store)->stats, NULL) == OK) {
		earlier_runs_minimized(e, &s);
		earlier_runs_mutators(e, &s);
	}
	snapshot_clear(&s);
}
