/*
 * schedule_next: the next job of an idle worker.
 *
 * Findings come first while their share of the time lasts (finding_budget.c),
 * then trimming of coverage inputs, then inputs whose time is in doubt, then
 * inputs to fuzz: weighted by
 * corpus/energy.h, or round robin as in the reference engine. An execution
 * limit is exact: executions of a job are reserved until its result is in.
 */
#include "engine/schedule/schedule_next.h"

#include "control/settings.h"
#include "corpus/corpus.h"
#include "corpus/energy.h"
#include "corpus/queue.h"
#include "engine/corpus/load.h"
#include "engine/corpus/warmup.h"
#include "engine/engine_end.h"
#include "engine/functions/pc_table_calls.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/grow_memory.h"
#include "engine/pool/pool.h"
#include "engine/schedule/finding_budget.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/schedule_private.h"
#include "engine/schedule/trim.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/naming.h"
#include "engine/triage/suspect.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "findings/finding.h"
#include "worker/worker.h"

#define FINDINGS_PART 4 /* the last quarter of a limit */

static void
schedule_job_defaults(const struct engine *e, struct job *job)
{
	*job = (struct job){
		.arena = MEMORY_NO_ENTRY,
		.hang_ms = engine_settings(e)->timeout_ms,
		.cap = (uint32_t)grow_memory_max_len(e) + 1,
		.stack_max = (uint32_t)engine_settings(e)->chain,
		.confirm = true,
	};
}

static bool
schedule_next_minimize_failure(struct engine *e, uint64_t room_ms,
	struct job *job)
{
	struct finding *f;

	if (engine_draining(e) && !engine_drain_minimizes(e))
		return false;
	if (!schedule_may_minimize(e))
		return false;
	f = triage_next(e, FINDING_QUEUED, room_ms);
	if (f == NULL || !schedule_minimizer_free(e))
		return false;
	return minimize_tasks_job(e, minimize_tasks_of_finding(e, f), job);
}

static bool
schedule_next_replay(struct engine *e, uint64_t room_ms, struct job *job)
{
	struct finding *f = triage_next(e, FINDING_VERIFYING, room_ms);
	bool final = false;

	if (f == NULL) {
		f = triage_next(e, FINDING_FINAL, room_ms);
		final = true;
	}
	if (f == NULL)
		return false;
	job->kind = JOB_REPLAY;
	job->limit = 1;
	job->data = final ? f->trial : f->input;
	job->len = final ? f->trial_len : f->len;
	if (f->state == FINDING_SUSPECT || f->failure.kind == FAILURE_OOM)
		suspect_let_hang(e, f, room_ms, job);
	job_set_finding(job, f);
	return true;
}

/* Refills the queue, which is one round, from the corpus. */
static void
schedule_fill_inputs(struct engine *e)
{
	uint32_t i, n = (uint32_t)corpus_len(engine_corpus(e));

	for (i = 0; i < n; i++)
		if (!corpus_get(engine_corpus(e), i)->is_lost)
			queue_push(&engine_schedule(e)->inputs,
				corpus_get(engine_corpus(e), i));
}

/*
 * Any input in the arena will do: children draw their parents there by
 * themselves. Inputs that are not in the arena get calls of their own.
 */
static void
schedule_push_any_input(struct engine *e)
{
	struct corpus_entry *entry = energy_draw(engine_energy(e));
	uint32_t i, n = (uint32_t)corpus_len(engine_corpus(e));

	for (i = 0; i < n && (entry == NULL || entry->is_lost); i++)
		entry = corpus_get(engine_corpus(e), i);
	if (entry != NULL && !entry->is_lost)
		queue_push(&engine_schedule(e)->inputs, entry);
}

/*
 * Fuzzing waits for a disk that is slower than the new inputs. It does not wait
 * for a disk that takes nothing: pending writes stay in memory.
 */
static bool
schedule_disk_is_behind(const struct engine *e)
{
	return engine_schedule(e)->pending_writes >
		SCHEDULE_PENDING_WRITES_MAX &&
		!message_disk_said(e);
}

/* The queue of the next input; the user queue comes first. */
static struct queue *
schedule_inputs_queue(struct engine *e)
{
	struct schedule *s = engine_schedule(e);

	if (s->user_queue.n > 0)
		return &s->user_queue;
	if (s->inputs.n > 0 || load_is_warming(e))
		/* or wait for outstanding results */
		return &s->inputs;
	if (schedule_is_fifo(e))
		schedule_fill_inputs(e);
	else
		schedule_push_any_input(e);
	return &s->inputs;
}

/*
 * Finds the first entry of the queue, and its bytes if they are not in the arena.
 * E_NOT_FOUND: the file was lost, and the entry is drawn no more. Others: the queue
 * is empty, or the disk has trouble.
 */
static enum status
schedule_load_input(struct engine *e, struct queue *queue,
	struct corpus_entry **entry, const uint8_t **data)
{
	enum status status;

	*entry = queue_peek(queue);
	if (*entry == NULL)
		return E_STATE;
	if ((*entry)->arena != MEMORY_NO_ENTRY)
		return OK;
	status = corpus_load(engine_corpus(e), *entry, data, NULL);
	if (status != OK) {
		queue_pop(queue);
		warmup_skip_input(e, *entry, status == E_NOT_FOUND);
	}
	return status;
}

static bool
schedule_next_input(struct engine *e, const struct slot *slot, struct job *job)
{
	struct corpus_entry *entry;
	struct queue *queue;
	enum status status;

	if (schedule_disk_is_behind(e))
		return false;
	do {
		queue = schedule_inputs_queue(e);
		status = schedule_load_input(e, queue, &entry, &job->data);
	} while (status == E_NOT_FOUND);
	if (status != OK)
		return false;
	job->user_queue = queue == &engine_schedule(e)->user_queue;
	job->kind = load_is_warming(e) ? JOB_WARMUP : JOB_FUZZ;
	job->len = entry->len;
	job->arena = entry->arena;
	job_set_entry(job, entry);
	if (job->kind == JOB_WARMUP) {
		job->limit = 1;
		return true;
	}
	schedule_fill_call(e, slot, entry, job);
	return true;
}

/* An entry whose time is in doubt runs once more, unless it is longer than inputs
 * may be by now. */
static bool
schedule_next_measure(struct engine *e, struct job *job)
{
	struct corpus_entry *entry = energy_doubtful(engine_energy(e));

	if (entry == NULL)
		return false;
	if (entry->len > grow_memory_max_len(e) ||
		corpus_load(engine_corpus(e), entry, &job->data, NULL) != OK) {
		entry->is_measured = true; /* its time stays */
		return false;
	}
	job->kind = JOB_MEASURE;
	job->len = entry->len;
	job->limit = 1;
	job_set_entry(job, entry);
	return true;
}

/*
 * The last quarter of a limit is kept for findings that are still to be
 * verified and minimized. Held minimizations do not count: they wait for the
 * user.
 */
static bool
schedule_keeps_rest(const struct engine *e)
{
	uint64_t limit = engine_limit(e);
	size_t i;

	if (limit == 0 || load_is_warming(e) ||
		!schedule_minimizing_allowed(e) ||
		schedule_executions_left(e) > limit / FINDINGS_PART)
		return false;
	for (i = 0; i < findings_count(e); i++) {
		const struct finding *f = findings_at(e, i);

		if (finding_state_info(triage_outlook(e, f))->takes_limit &&
			(f->minimization == NULL || !f->minimization->held))
			return true;
	}
	return false;
}

/* Jobs that count as executions, the most important first. */
static bool
schedule_next_counted(struct engine *e, const struct slot *slot,
	struct job *job)
{
	if (engine_draining(e) && !engine_drain_minimizes(e))
		return false;
	if (minimize_tasks_next_asked(e, job))
		return true;
	if (engine_draining(e))
		return false;
	if (findings_crash(e) != NULL || schedule_keeps_rest(e))
		return false;
	return trim_next(e, job) || schedule_next_measure(e, job) ||
		schedule_next_input(e, slot, job);
}

/* Findings are few, so each gets its turn as soon as possible. */
static bool
schedule_next_for_finding(struct engine *e, const struct slot *slot, bool idle,
	struct job *job)
{
	uint64_t room = finding_budget_room_ms(e, idle);

	if (schedule_next_replay(e, room, job) ||
		triage_next_sequence(e, room, job))
		return true;
	/* Findings of other builds wait until the worker has fuzzed. */
	if (idle || slot->has_fuzzed)
		triage_rerun_next(e, room);
	return schedule_next_replay(e, room, job) ||
		triage_next_sequence(e, room, job) ||
		schedule_next_minimize_failure(e, room, job);
}

/* A limit is exact: reserves the executions of a job. */
static void
schedule_reserve(const struct engine *e, struct job *job)
{
	uint64_t left = schedule_executions_left(e);

	if (left == UINT64_MAX || job->kind == JOB_REPLAY ||
		job->kind == JOB_SEQUENCE)
		return;
	if (job->limit == 0 || job->limit > left)
		job->limit = left;
	job->reserved = job->limit;
}

bool
schedule_next(struct engine *e, struct slot *slot, struct job *job)
{
	schedule_job_defaults(e, job);
	job->seed_call = slot->calls;
	if (engine_stopping(e) || engine_paused(e))
		return false;
	/* Names may merge findings, and thereby change the next job; so does
	 * the number of inputs that are read already. */
	if (engine_settings(e)->deterministic &&
		(load_is_reading(e) || naming_busy(e) || minimize_tasks_ask(e)))
		return false;
	if (pc_table_calls_next(e, job))
		return true;
	/* Findings get a share of the time, and all time left idle. */
	if (((slot->renewed || finding_budget_has_time(slot)) &&
		    schedule_next_for_finding(e, slot, false, job)) ||
		(schedule_executions_left(e) > 0 &&
			schedule_next_counted(e, slot, job)) ||
		schedule_next_for_finding(e, slot, true, job)) {
		schedule_reserve(e, job);
		return true;
	}
	return false;
}

/* Takes a job that was sent to a worker from its queue. */
void
schedule_taken(struct engine *e, struct slot *slot, struct job *job)
{
	struct finding *f = job_owner_finding(job);
	const struct trim_job *trim = job_owner_trim(job);

	slot->calls++;
	engine_schedule(e)->reserved += job->reserved;
	switch (job->kind) {
	case JOB_WARMUP:
	case JOB_FUZZ:
		slot->has_fuzzed |= job->kind == JOB_FUZZ;
		queue_pop(job->user_queue ? &engine_schedule(e)->user_queue
					  : &engine_schedule(e)->inputs);
		break;
	case JOB_MEASURE:
		job_owner_entry(job)->is_measured = true;
		break;
	case JOB_MINIMIZE_COVERAGE:
		if (trim->minimization != NULL)
			minimize_tasks_taken(trim->minimization, slot);
		else
			(void)trim_pop(e);
		break;
	case JOB_MINIMIZE_FAILURE:
		if (f->minimization->driver.count == 0)
			message_print(e,
				"fuzz: minimizing %zu-byte failing input file",
				f->file_len);
		finding_move(f, FINDING_MINIMIZING);
		minimize_tasks_taken(f->minimization, slot);
		break;
	case JOB_REPLAY:
	case JOB_SEQUENCE: /* triage counts outstanding replays */
	case JOB_PC_TABLE: /* never in a queue */
		break;
	}
}
