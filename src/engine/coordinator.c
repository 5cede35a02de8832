/*
 * coordinator: handles the results of workers. All that workers find passes
 * through coordinator_on_result(); its new inputs are added by new_inputs.c.
 * Beside it, only loading (corpus/load_files.c) and the coverage of a former run
 * (engine_coverage.c) change the corpus, the global coverage map or the counts.
 */
#include "engine/coordinator.h"

#include <stdlib.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "corpus/corpus.h"
#include "corpus/energy.h"
#include "corpus/mutator_stats.h"
#include "engine/corpus/entries.h"
#include "engine/corpus/new_inputs.h"
#include "engine/corpus/warmup.h"
#include "engine/engine_end.h"
#include "engine/engine_end_check.h"
#include "engine/functions/new_functions.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/schedule/finding_budget.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/trim.h"
#include "engine/statistics/counts.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/mutator.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "findings/finding.h"
#include "findings/names.h"
#include "worker/worker.h"

#define WARMUP_TRIES 3 /* starts, if the worker ends before the input runs */

/* The estimated time of a death, with or without a sanitizer. */
#define DEATH_NS 2000000

static void
coordinator_count_work(struct engine *e, const struct worker_result *r)
{
	struct corpus_entry *entry = job_owner_entry(&r->job);

	if (r->job.draw) {
		energy_spend(engine_energy(e), r->count);
		return;
	}
	entry->work += (double)r->count;
	entry->executions += (double)r->count;
}

/* The time a failure costs: its end, the report, and a new child. */
static uint64_t
coordinator_failure_ns(const struct worker_result *r)
{
	return r->failure.kind == FAILURE_HANG ? r->job.hang_ms * 1000000u
					       : DEATH_NS;
}

/* Adds the numbers that every result carries. */
static void
coordinator_count_result(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	/* The start was not in vain if an input was executed. The last one does
	 * not count if it ended in a protocol failure, which may be our own
	 * trouble: a directory may stand in the place of the input's file. */
	if (r->count > (r->failure.kind == FAILURE_PROTOCOL ? 1 : 0))
		slot->vain_starts = 0;
	slot->fuzz_ns += r->total_ns;
	finding_budget_charge(e, slot, r);
	if (r->job.kind == JOB_REPLAY || r->job.kind == JOB_SEQUENCE) {
		counts_add_replays(e, r->count);
		return;
	}
	schedule_end_job(e, &r->job);
	if (engine_over(e)) {
		counts_add_replays(e, r->count);
		return;
	}
	counts_add_executions(e, r->count, r->rejected);
	slot->execs += r->count;
	if (r->odd_return)
		message_odd_return(e);
	if (r->custom_bad)
		mutator_on_length(e);
	if (r->job.kind == JOB_FUZZ)
		coordinator_count_work(e, r);
	mutator_stats_add_mutations(engine_mutator_stats(e), r->mutations);
}

static void
coordinator_on_failure(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	struct worker_result *own = xmemdup(r, sizeof(*r));
	struct corpus_entry *parent = job_owner_entry(&r->job);
	const struct trim_job *trim = job_owner_trim(&r->job);

	if (r->job.draw &&
		energy_owner(engine_energy(e), r->stack.parent) != NULL)
		parent = energy_owner(engine_energy(e), r->stack.parent);
	else if (trim != NULL)
		parent = trim->entry;
	if (parent != NULL)
		energy_charge(engine_energy(e), parent,
			coordinator_failure_ns(r));
	/* The input ran unchanged: use our own bytes. */
	if (r->job.kind == JOB_REPLAY) {
		own->candidate = job_owner_finding(&r->job)->input;
		own->candidate_len = job_owner_finding(&r->job)->len;
	}
	if (r->job.kind == JOB_WARMUP && parent != NULL &&
		corpus_load(engine_corpus(e), parent, &own->candidate, NULL) ==
			OK)
		own->candidate_len = parent->len;
	triage_on_failure(e, slot, own, parent);
	free(own);
}

static void
coordinator_on_minimized_coverage(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	struct trim_job *trim = job_owner_trim(&r->job);
	bool failed = r->failure.kind != FAILURE_NONE;

	if (trim->minimization != NULL) {
		minimize_tasks_on_result(e, slot, trim->minimization, r);
		if (failed)
			coordinator_on_failure(e, slot, r);
		return;
	}
	trim_add_executions(e, r->count);
	(void)entries_shrink(e, trim->entry, r->best, r->best_len, r->tries);
	if (failed)
		coordinator_on_failure(e, slot, r);
	trim_job_destroy(trim);
}

/* When a pause or a death kept an input from running, queues it again. */
static void
coordinator_on_warmup(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	struct corpus_entry *entry = job_owner_entry(&r->job);
	bool failed = r->failure.kind != FAILURE_NONE;

	if (failed)
		coordinator_on_failure(e, slot, r);
	if (r->count == 0 && (!failed || entry->warmup_tries++ < WARMUP_TRIES))
		schedule_add_input(e, entry);
	else
		warmup_end_input(e);
}

/* If it failed, its bytes are those of the worker: the entry may have smaller ones
 * by now. */
static void
coordinator_on_measure(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	struct corpus_entry *entry = job_owner_entry(&r->job);

	if (r->failure.kind != FAILURE_NONE)
		coordinator_on_failure(e, slot, r);
	else if (r->count == 0)
		entry->is_measured = false; /* it did not run */
	else if (r->run_ns > 0)
		energy_measure(engine_energy(e), entry, r->run_ns);
}

/* A candidate killed the fork server, or a target without one, or the worker
 * refused the call: reports that failure as well. */
static void
coordinator_on_minimized_failure(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	struct finding *f = job_owner_finding(&r->job);
	bool single = f->minimization->driver.single;
	bool own =
		(!single && r->lost && r->count > 0) || r->end == CALL_REFUSED;

	minimize_tasks_on_result(e, slot, f->minimization, r);
	if (own && r->failure.kind != FAILURE_NONE)
		coordinator_on_failure(e, slot, r);
}

/* Another failure than that of the finding is one of its own, as long as the
 * campaign lasts. */
static void
coordinator_on_replay(struct engine *e, struct slot *slot,
	const struct worker_result *r)
{
	struct finding *f = job_owner_finding(&r->job);

	if (triage_awaits_names(e, f, r))
		return; /* the replay is still to be made */
	if (triage_fails_otherwise(e, f, r) && !engine_over(e))
		coordinator_on_failure(e, slot, r);
	if (r->job.kind == JOB_SEQUENCE)
		triage_on_sequence(e, f, r);
	else
		triage_on_replay(e, f, r);
}

static void
coordinator_on_internal_error(struct engine *e, struct slot *slot,
	const char *error)
{
	char text[FAILURE_TEXT_MAX];

	text_clean_string(error, text, sizeof(text));
	message_event(e, "worker", NULL, "worker %u: internal fault: %s",
		worker_slot(slot->worker), text);
	engine_fail(e, EXIT_LOST, "%s", text);
}

void
coordinator_on_result(void *arg, struct worker *w,
	const struct worker_result *r)
{
	struct engine *e = arg;
	struct slot *slot = pool_slot(e, w);
	const struct job *job = &r->job;
	bool failed = r->failure.kind != FAILURE_NONE;
	uint64_t known = counts_new_inputs(e);

	if (job->kind == JOB_PC_TABLE) {
		new_functions_on_table(e, r);
		return;
	}
	coordinator_count_result(e, slot, r);
	names_add_paths(engine_names(e), r->paths);
	if (r->error[0] != '\0')
		coordinator_on_internal_error(e, slot, r->error);
	if (!engine_over(e))
		new_inputs_take(e, slot, r);
	switch (job->kind) {
	case JOB_WARMUP:
		coordinator_on_warmup(e, slot, r);
		break;
	case JOB_MEASURE:
		coordinator_on_measure(e, slot, r);
		break;
	case JOB_FUZZ:
		if (failed)
			coordinator_on_failure(e, slot, r);
		schedule_adapt(e, slot, r, counts_new_inputs(e) > known);
		break;
	case JOB_MINIMIZE_COVERAGE:
		coordinator_on_minimized_coverage(e, slot, r);
		break;
	case JOB_MINIMIZE_FAILURE:
		coordinator_on_minimized_failure(e, slot, r);
		break;
	case JOB_REPLAY:
	case JOB_SEQUENCE:
		coordinator_on_replay(e, slot, r);
		break;
	case JOB_PC_TABLE:
		break; /* not the result of an input */
	}
	engine_check_end(e);
}
