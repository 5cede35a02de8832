/*
 * snapshot_view_past: the snapshot of a campaign that is over, from the output
 * directory. Numbers are those of its last stats.json, lists those of now.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/text.h"
#include "control/snapshot.h"
#include "corpus/corpus.h"
#include "engine/corpus/load.h"
#include "engine/engine_end.h"
#include "engine/engine_over_state.h"
#include "engine/front/snapshot_view_private.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/triage/findings_list.h"
#include "findings/finding.h"
#include "store/store.h"
#include "worker/worker.h"

/* Lists that are made anew. */
static void
past_drop_lists(struct snapshot *s)
{
	free(s->findings);
	free(s->minimizations);
	free(s->events);
	free(s->past);
	s->findings = NULL;
	s->minimizations = NULL;
	s->events = NULL;
	s->past = NULL;
	s->findings_n = s->minimizations_n = s->events_n = s->past_n = 0;
	s->crashes = s->hangs = s->ooms = s->leaks = 0;
	s->crashes_seen = s->hangs_seen = s->ooms_seen = s->leaks_seen = 0;
	s->findings_ignored = s->findings_not_seen = 0;
}

/* The workers of the last run; none is left. */
static void
past_end_workers(struct snapshot *s)
{
	size_t i;

	for (i = 0; i < s->workers_n; i++) {
		struct snapshot_worker *w = &s->workers[i];

		w->state = WORKER_VIEW_DOWN;
		w->state_s = -1;
		w->stop_step = STOP_NONE;
		w->next_step_s = -1;
		w->pid = w->child = 0;
		w->paused = w->retiring = false;
		w->execs_per_sec = w->cpu = 0;
		w->rss_kb = 0;
	}
}

/* The last snapshot may be that of any moment, if the campaign was killed. */
static void
past_end(struct snapshot *s, const json_t *stats, enum status decoded)
{
	json_int_t version =
		json_integer_value(json_object_get(stats, "version"));

	if (decoded == E_PROTOCOL)
		snprintf(s->ended_by, sizeof(s->ended_by),
			"stats.json has version %" JSON_INTEGER_FORMAT
			", cfuzz reads %d",
			version, SNAPSHOT_VERSION);
	else if (s->runs == 0)
		snprintf(s->ended_by, sizeof(s->ended_by),
			"stats.json is missing or damaged");
	else if (s->state != RUN_ENDED)
		snprintf(s->ended_by, sizeof(s->ended_by),
			"killed, it did not end by itself");
	s->state = RUN_ENDED;
	s->execs_per_sec = 0;
	s->paused = false;
	s->stop_step = STOP_NONE;
	s->next_step_s = -1;
	s->input_queue = s->minimize_queue = 0;
	s->unsaved = 0;
	s->writer_behind_s = 0;
	s->controller[0] = '\0';
	s->watchers = 0;
	past_end_workers(s);
}

/* stats.json has no more than the number of the run's new findings: what the user
 * has marked since is none, so there are no more than are left. */
static void
past_limit_new(const struct engine *e, struct snapshot *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < findings_count(e); i++) {
		const struct finding *f = findings_at(e, i);

		n += f->verdict != VERDICT_ACCEPTED &&
			f->verdict != VERDICT_KNOWN;
	}
	if (s->findings_new > n)
		s->findings_new = n;
}

/* Without stats.json the journal and the folders tell a little. */
static void
past_fill_gaps(const struct engine *e, struct snapshot *s)
{
	const struct growth *growth = store_growth(engine_store(e));

	if (!load_is_under_way(e)) {
		s->corpus = corpus_len(engine_corpus(e));
		s->progress_inputs = 0; /* not on the disk */
	}
	if (s->runs > 0)
		return;
	s->runs = store_past(engine_store(e))->runs;
	s->exit_status = engine_status(e);
	s->elapsed_s = engine_campaign_s(e);
	s->coverage_bits =
		growth->n > 0 ? growth->points[growth->n - 1].bits : 0;
	s->instrumented = true;
	s->last_find_s = growth->n > 0 ? s->elapsed_s - growth->find_s : -1;
}

void
view_make_past(struct engine *e, struct snapshot *s)
{
	enum status decoded;

	snapshot_init(s);
	decoded = snapshot_decode(s, over_stats(e), NULL);
	if (decoded != OK)
		snapshot_init(s);
	past_drop_lists(s);
	past_end(s, over_stats(e), decoded);
	past_fill_gaps(e, s);
	s->seq = engine_next_snapshot(e);
	text_clean_string(program_path(e), s->target, sizeof(s->target));
	text_clean_string(engine_output_path(e), s->output, sizeof(s->output));
	if (over_works(e)) {
		free(s->workers);
		s->workers_n = 0;
		snapshot_put_workers(e, s, clock_now_ns());
	}
	snapshot_put_findings(e, s);
	past_limit_new(e, s);
	snapshot_put_minimizations(e, s);
	snapshot_put_events(e, s);
	snapshot_put_past(e, s);
}
