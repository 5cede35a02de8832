/* snapshot_view: the snapshot, a plain copy of the engine's present state. */
#include "engine/front/snapshot_view.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/settings.h"
#include "control/snapshot.h"
#include "corpus/corpus.h"
#include "corpus/energy.h"
#include "engine/corpus/load.h"
#include "engine/engine_end.h"
#include "engine/engine_over_state.h"
#include "engine/front/snapshot_view_private.h"
#include "engine/log/event_ring.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/trim.h"
#include "engine/statistics/counts.h"
#include "engine/statistics/earlier_runs.h"
#include "engine/statistics/minimized.h"
#include "engine/statistics/rate.h"
#include "engine/statistics/run_clock.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/suspect.h"
#include "engine/triage/view_finding.h"
#include "findings/bucket.h"
#include "findings/distinguish.h"
#include "findings/finding.h"
#include "store/store.h"
#include "worker/memory/campaign_memory.h"
#include "worker/target/elf.h"
#include "worker/worker.h"

#define FINDINGS_SHOWN 200u

static enum run_state
view_run_state(const struct engine *e)
{
	if (engine_ended(e))
		return RUN_ENDED;
	if (engine_stopping(e))
		return RUN_STOPPING;
	if (engine_paused(e))
		return RUN_PAUSED;
	if (!pool_any_ready(e))
		return RUN_STARTING;
	if (load_is_warming(e))
		return RUN_WARMUP;
	return findings_crash(e) != NULL ? RUN_MINIMIZING : RUN_FUZZING;
}

/* 0 after the end and in a pause, whatever the last seconds' rate was. */
static double
view_rate(const struct engine *e, const struct rate *r, uint64_t now,
	uint64_t execs)
{
	return engine_paused(e) || engine_ended(e) ? 0
						   : rate_get(r, now, execs);
}

static void
view_slot(struct engine *e, struct slot *slot, uint64_t now,
	struct snapshot_worker *view)
{
	uint64_t execs = slot->execs + worker_sample_count(slot->worker);

	worker_view(slot->worker, now, view);
	snprintf(view->entry, sizeof(view->entry), "%s", slot->entry);
	snprintf(view->restart_why, sizeof(view->restart_why), "%.63s",
		slot->restart_why);
	view->restart_asked = slot->restart_asked;
	view->generation = slot->generation;
	view->entry_len = slot->entry_len;
	view->execs = execs;
	view->finds = slot->finds;
	if (!engine_over(e))
		slot->restarts = view->restarts;
	view->restarts = slot->restarts;
	view->retiring = !slot->wanted && !worker_is_down(slot->worker);
	rate_add(&slot->rate, now, execs);
	view->execs_per_sec = view_rate(e, &slot->rate, now, execs);
}

void
snapshot_put_workers(struct engine *e, struct snapshot *s, uint64_t now)
{
	uint32_t i;

	s->workers = xcalloc(pool_count(e) + 1, sizeof(*s->workers));
	for (i = 0; i < pool_count(e); i++) {
		s->triage_time_s += (double)pool_at(e, i)->finding_ns / 1e9;
		s->fuzz_time_s += (double)pool_at(e, i)->fuzz_ns / 1e9;
		if (worker_is_down(pool_worker(e, i)) && !pool_at(e, i)->wanted)
			s->execs_retired += pool_at(e, i)->execs;
		else
			view_slot(e, pool_at(e, i), now,
				&s->workers[s->workers_n++]);
	}
}

static void
view_count_finding(const struct engine *e, struct snapshot *s,
	const struct finding *f)
{
	if (f->verdict == VERDICT_ACCEPTED)
		s->findings_ignored++;
	else if (finding_standing(f->build, f->replays_build, f->reproduced,
			 program_info(e)->build) != STANDING_OPEN)
		s->findings_not_seen++;
	s->findings_new += finding_is_news(f);
	switch (f->failure.kind) {
	case FAILURE_HANG:
	case FAILURE_STOPPED:
		s->hangs++;
		s->hangs_seen += f->count;
		break;
	case FAILURE_OOM:
		s->ooms++;
		s->ooms_seen += f->count;
		break;
	case FAILURE_LEAK:
		s->leaks++;
		s->leaks_seen += f->count;
		break;
	default:
		s->crashes++;
		s->crashes_seen += f->count;
		break;
	}
}

/* The key is slow to make and each snapshot needs it. */
static const char *
view_identity(const struct distinguish *item)
{
	struct finding *f = item->arg;
	char key[BUCKET_KEY_SIZE];

	if (f->key == NULL || f->key_bucket != f->bucket) {
		bucket_key(&f->failure, f->names, key, sizeof(key));
		free(f->key);
		f->key = xstrdup(key);
		f->key_bucket = f->bucket;
	}
	return f->key;
}

/* A finding that waits for its names may be a known one: it is neither counted
 * nor listed until it is announced or merged. */
void
snapshot_put_findings(struct engine *e, struct snapshot *s)
{
	struct distinguish items[FINDINGS_SHOWN] = { 0 };
	size_t i;

	s->findings = xcalloc(findings_count(e) < FINDINGS_SHOWN
			? findings_count(e) + 1
			: FINDINGS_SHOWN,
		sizeof(*s->findings));
	for (i = findings_count(e); i > 0; i--) {
		struct finding *f = findings_at(e, i - 1);
		struct snapshot_finding *v = &s->findings[s->findings_n];

		if (!finding_state_info(f->state)->is_public)
			continue;
		view_count_finding(e, s, f);
		if (s->findings_n == FINDINGS_SHOWN)
			continue;
		view_finding(e, f, v);
		items[s->findings_n++] = (struct distinguish){ .what = v->what,
			.where = v->where,
			.text = v->apart,
			.size = sizeof(v->apart),
			.arg = f };
	}
	distinguish_tell(items, s->findings_n, view_identity);
}

/* Adds the automatic trims of new inputs. */
static void
view_trims(struct engine *e, struct snapshot *s)
{
	const struct trim_job *trim;
	const struct job *job;
	uint32_t i;

	for (i = 0; i < pool_count(e); i++) {
		struct snapshot_minimization *v =
			&s->minimizations[s->minimizations_n];

		job = worker_job(pool_worker(e, i));
		if (job == NULL || job->kind != JOB_MINIMIZE_COVERAGE)
			continue;
		trim = job_owner_trim(job);
		if (trim->minimization != NULL)
			continue;
		worker_view_minimization(pool_worker(e, i), v);
		snprintf(v->entry, sizeof(v->entry), "%s",
			pool_at(e, i)->entry);
		snprintf(v->title, sizeof(v->title), "input %.6s", v->entry);
		s->minimizations_n++;
	}
}

void
snapshot_put_minimizations(struct engine *e, struct snapshot *s)
{
	size_t i;

	s->minimizations = xcalloc(pool_count(e) + minimize_tasks_count(e) + 1,
		sizeof(*s->minimizations));
	for (i = 0; i < minimize_tasks_count(e); i++) {
		const struct minimize_task *m = minimize_tasks_at(e, i);
		struct snapshot_minimization *v =
			&s->minimizations[s->minimizations_n];

		if (m->ended)
			continue;
		if (m->busy && !m->driver.single)
			worker_view_minimization(pool_worker(e, m->worker), v);
		minimize_tasks_view(e, m, v);
		if (m->finding != NULL)
			view_finding_title(m->finding, v->title,
				sizeof(v->title));
		else
			snprintf(v->title, sizeof(v->title), "input %.6s",
				v->entry);
		s->minimizations_n++;
	}
	view_trims(e, s);
	if (s->minimizations_n > SNAPSHOT_MINIMIZATIONS_MAX)
		s->minimizations_n = SNAPSHOT_MINIMIZATIONS_MAX;
}

void
snapshot_put_past(const struct engine *e, struct snapshot *s)
{
	const struct growth *growth = store_growth(engine_store(e));

	s->past = xmemdup(growth->points, growth->n * sizeof(*s->past));
	s->past_n = growth->n;
}

void
snapshot_put_events(struct engine *e, struct snapshot *s)
{
	uint64_t n = event_ring_kept(message_events(e)), i;

	if (n > SNAPSHOT_EVENTS_MAX)
		n = SNAPSHOT_EVENTS_MAX;
	s->events = xcalloc(n + 1, sizeof(*s->events));
	for (i = 0; i < n; i++)
		event_ring_get(message_events(e),
			event_ring_ever(message_events(e)) - n + 1 + i,
			&s->events[i]);
	s->events_n = n;
}

static void
view_limits(struct engine *e, struct snapshot *s)
{
	static const char *const origins[] = {
		[ORIGIN_DEFAULT] = "default",
		[ORIGIN_FLAG] = "flag",
		[ORIGIN_KEY] = "key",
	};
	const struct settings *settings = engine_settings(e);
	const struct option *option;
	struct snapshot_limit *v;
	bool live;
	int i;

	s->limits = xcalloc(OPT_COUNT_, sizeof(*s->limits));
	for (i = 0; i < OPT_COUNT_; i++) {
		option = settings_option((enum option_id)i);
		live = option->flags & OPTION_LIVE;
		if (!live && !(i == OPT_ISOLATE && settings->isolate) &&
			!(option->flags & OPTION_TARGET &&
				settings->origin[i] != ORIGIN_DEFAULT))
			continue;
		v = &s->limits[s->limits_n++];
		snprintf(v->name, sizeof(v->name), "%s", option->name);
		settings_format(settings, option->id, v->value,
			sizeof(v->value));
		snprintf(v->origin, sizeof(v->origin), "%s",
			origins[settings->origin[i] % 3]);
		v->live = live;
	}
}

static void
view_counts(struct engine *e, struct snapshot *s, uint64_t now)
{
	const struct campaign_memory *memory = engine_memory(e);
	double fuzzed = (double)run_clock_run_ns(engine_clock(e)) / 1e9;
	struct writer_status writer;

	s->execs = engine_executions(e);
	rate_add(counts_rate(e), now, s->execs);
	s->execs_per_sec = view_rate(e, counts_rate(e), now, s->execs);
	s->execs_per_sec_avg = fuzzed > 0 ? (double)s->execs / fuzzed : 0;
	s->counters_total = memory->head->counters - memory->profile_n;
	s->counters_hit = memory->counters_hit;
	s->coverage_bits = memory->bits;
	s->instrumented = program_is_instrumented(e);
	s->isolated = engine_settings(e)->isolate;
	s->warmup_total = load_warmup_total(e);
	s->warmup_done = load_warmup_total(e) - load_warmup_left(e);
	s->corpus = corpus_len(engine_corpus(e));
	s->favoured = energy_favoured(engine_energy(e));
	counts_view(e, s);
	s->input_queue = schedule_inputs(e);
	s->minimize_queue = trim_waiting(e);
	s->suspects = suspect_count(e);
	snprintf(s->suspects_signal, sizeof(s->suspects_signal), "%s",
		suspect_signal(e));
	store_get_status(engine_store(e), &writer);
	s->unsaved = writer.unsaved + writer.lost;
	s->writer_behind_s = (double)writer.behind_ms / 1e3;
}

void
view_make(struct engine *e, struct snapshot *s)
{
	uint64_t now = clock_now_ns();
	uint32_t i;

	if (over_stats(e) != NULL) {
		view_make_past(e, s);
		return;
	}
	snapshot_init(s);
	s->seq = engine_next_snapshot(e);
	text_clean_string(program_path(e), s->target, sizeof(s->target));
	text_clean_string(engine_output_path(e), s->output, sizeof(s->output));
	snprintf(s->kind, sizeof(s->kind), "%s", program_kind(e));
	snprintf(s->sanitizer, sizeof(s->sanitizer), "%s",
		program_sanitizer(e));
	text_clean_string(engine_failure(e), s->ended_why,
		sizeof(s->ended_why));
	snprintf(s->ended_by, sizeof(s->ended_by), "%s", engine_ended_by(e));
	view_finding_build(program_info(e)->build, s->build);
	s->state = view_run_state(e);
	s->exit_status = (int)engine_status(e);
	s->elapsed_s = (double)run_clock_run_ns(engine_clock(e)) / 1e9;
	earlier_runs_view(e, s);
	s->paused = engine_paused(e);
	s->paused_s = (double)run_clock_paused_ns(engine_clock(e), now) / 1e9;
	s->seed = engine_settings(e)->seed;
	s->stop_step = engine_stop_step(e);
	s->next_step_s = -1;
	view_counts(e, s, now);
	view_search(e, s);
	snapshot_put_workers(e, s, now);
	for (i = 0; i < s->workers_n; i++) {
		if (s->workers[i].next_step_s > s->next_step_s)
			s->next_step_s = s->workers[i].next_step_s;
		/* The slowest worker decides the step. */
		if (engine_stopping(e) &&
			s->workers[i].stop_step > s->stop_step)
			s->stop_step = s->workers[i].stop_step;
	}
	snapshot_put_findings(e, s);
	snapshot_put_minimizations(e, s);
	minimized_view(e, s);
	snapshot_put_events(e, s);
	snapshot_put_past(e, s);
	view_limits(e, s);
}
