/*
 * earlier_runs: history that a run shows but does not need. Inputs and findings
 * come from their folders (corpus/load_files.c, triage/triage_resume.c), totals
 * from the journal (store/growth.h). The rest is read here, from the end of the
 * journal and stats.json.
 *
 * These files may have been changed by anybody: nonsense is skipped.
 */
#include "engine/statistics/earlier_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "control/snapshot.h"
#include "corpus/mutator_stats.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/statistics/counts.h"
#include "engine/statistics/earlier_runs_private.h"
#include "engine/statistics/minimized.h"
#include "store/store.h"

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
			engine_mutator_stats(e)->mutations[op] =
				s->mutators[i].steps;
			engine_mutator_stats(e)->finds[op] =
				s->mutators[i].finds;
		}
}

/* Skips incomplete lines and nonsense. */
static void
earlier_runs_events(struct engine *e)
{
	size_t len = 0;
	char *text = store_journal_end(engine_store(e), &len);
	const char *line = text, *end;

	for (; len > 0; len -= (size_t)(end + 1 - line), line = end + 1) {
		json_t *event;

		end = memchr(line, '\n', len);
		if (end == NULL)
			break;
		event = json_loadb(line, (size_t)(end - line), 0, NULL);
		message_recall(e, event, earlier_runs_elapsed_s(e));
		json_decref(event);
	}
	free(text);
}

void
earlier_runs_resume(struct engine *e)
{
	const struct store_past *past = store_past(engine_store(e));
	const struct growth *growth = store_growth(engine_store(e));
	struct snapshot s;

	*engine_earlier_runs(e) = (struct earlier_runs){
		.elapsed_s = past->elapsed_s,
		.executions = past->execs,
		.bits = past->bits,
		.runs = past->runs + 1,
	};
	counts_resume(e, fmin(growth->find_s, past->elapsed_s), growth->gap_s);
	if (past->runs > 0)
		earlier_runs_events(e);
	snapshot_init(&s);
	if (snapshot_decode(&s, past->stats, NULL) == OK) {
		minimized_resume(e, &s);
		earlier_runs_mutators(e, &s);
	}
	snapshot_clear(&s);
}

double
earlier_runs_elapsed_s(const struct engine *e)
{
	return engine_earlier_runs(e)->elapsed_s;
}

uint32_t
earlier_runs_count(const struct engine *e)
{
	return engine_earlier_runs(e)->runs;
}

void
earlier_runs_view(const struct engine *e, struct snapshot *s)
{
	const struct earlier_runs *earlier = engine_earlier_runs(e);

	s->past_s = earlier->elapsed_s;
	s->past_execs = earlier->executions;
	s->past_bits = earlier->bits;
	s->runs = earlier->runs;
}
