/*
 * schedule: the next job of an idle worker.
 *
 * Findings come first while their share of the time lasts (finding_budget.c),
 * then trimming of coverage inputs, then inputs to fuzz: weighted by energy.h,
 * or round robin as in the reference engine. An execution limit is exact:
 * executions of a job are reserved until its result is in.
 */
#include "engine/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "engine/coordinator.h"
#include "engine/engine_private.h"
#include "engine/finding_budget.h"
#include "engine/grow_memory.h"
#include "engine/messages.h"
#include "engine/pc_table_calls.h"
#include "engine/pool.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/naming.h"
#include "engine/triage/suspect.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_sequence.h"
#include "engine/trim.h"

#define CALL_MS 100           /* duration of a fuzz call */
#define CALL_MS_FOUND 2       /* the same while new inputs come */
#define CALL_MS_MAX 2000      /* the most where workers share processors */
#define TICKETS_MS 1          /* least time between two selection tables */
#define TICKETS_IDLE 1000     /* factor when nothing is new */
#define SELECTION_PART 100    /* 1/100 of the time is for making them */
#define LEN_CAP_MIN 64        /* length control: first limit, in bytes */
#define LEN_CAP_COUNT 200000  /* executions in vain before it grows */
#define LEN_CAP_PART 4        /* by 1/4 */
#define PROFILE_AFTER 2000000 /* executions without a new input */
#define PROFILE_MAX 2000      /* entries with value profile progress only */
#define PROFILE_BYTES_MAX (32u << 20) /* and their bytes in memory */
#define CALL_EXECUTIONS_FIRST 500     /* the least of a call */
#define FINDINGS_PART 4               /* the last quarter of a limit */
#define CALLS_MIN 16                  /* under a limit: calls per worker */
#define CALL_EXECUTIONS_MIN 50        /* the least in such a call */

bool
schedule_is_fifo(const struct engine *e)
{
	return strcmp(e->settings.schedule, "fifo") == 0;
}

static bool
schedule_minimizing_allowed(const struct engine *e)
{
	return e->settings.minimizetime.duration_ms > 0 ||
		e->settings.minimizetime.executions > 0;
}

/* Executions that may still be handed out; UINT64_MAX without a limit. */
static uint64_t
schedule_executions_left(const struct engine *e)
{
	uint64_t limit = engine_limit(e);

	if (limit == 0)
		return UINT64_MAX;
	return e->counts.executions + e->schedule.waiting >= limit
		? 0
		: limit - e->counts.executions - e->schedule.waiting;
}

bool
schedule_may_minimize(const struct engine *e)
{
	return schedule_minimizing_allowed(e) &&
		schedule_executions_left(e) > 0;
}

bool
schedule_minimizer_free(const struct engine *e)
{
	uint32_t i, busy = 0;
	const struct job *job;

	for (i = 0; i < e->pool.n; i++) {
		job = e->pool.slots[i].worker == NULL
			? NULL
			: worker_job(e->pool.slots[i].worker);
		if (job != NULL &&
			(job->kind == JOB_MINIMIZE_COVERAGE ||
				job->kind == JOB_MINIMIZE_FAILURE ||
				job->kind == JOB_SEQUENCE))
			busy++;
	}
	return busy < (pool_wanted(e) + 3) / 4;
}

static void
schedule_job_defaults(const struct engine *e, struct job *job)
{
	*job = (struct job){
		.arena = MEMORY_NO_ENTRY,
		.hang_ms = e->settings.timeout_ms,
		.cap = (uint32_t)grow_memory_max_len(e) + 1,
		.chain = (uint32_t)e->settings.chain,
		.confirm = true,
	};
}

static bool
schedule_next_minimize_failure(struct engine *e, uint64_t room_ms,
	struct job *job)
{
	struct finding *f;

	if (e->end.draining && !e->end.drain_minimize)
		return false;
	if (!schedule_may_minimize(e) || !schedule_minimizer_free(e))
		return false;
	f = triage_next(e, WORK_MINIMIZE, room_ms);
	if (f == NULL)
		return false;
	return minimize_tasks_job(e, minimize_tasks_of_finding(e, f), job);
}

static bool
schedule_next_replay(struct engine *e, uint64_t room_ms, struct job *job)
{
	struct finding *f = triage_next(e, WORK_VERIFY, room_ms);
	bool final = false;

	if (f == NULL) {
		f = triage_next(e, WORK_FINAL, room_ms);
		final = true;
	}
	if (f == NULL)
		return false;
	job->kind = JOB_REPLAY;
	job->limit = 1;
	job->data = final ? f->trial : f->input;
	job->len = final ? f->trial_len : f->len;
	if (f->suspect)
		job->hang_ms = suspect_hang_ms(e, f);
	if (f->suspect && job->hang_ms > room_ms &&
		f->failure.kind == FAILURE_HANG)
		job->hang_ms = room_ms;
	job_set_finding(job, f);
	return true;
}

/* Refills the queue, which is one round, from the corpus. */
static void
schedule_fill_inputs(struct engine *e)
{
	uint32_t i, n = (uint32_t)corpus_len(e->campaign.corpus);

	for (i = 0; i < n; i++)
		queue_push(&e->schedule.inputs,
			corpus_get(e->campaign.corpus, i));
}

/*
 * A single call could use up a small limit before its new inputs are trimmed or
 * fuzzed. So a worker's share is divided into several calls.
 */
static uint64_t
schedule_call_executions(const struct engine *e, uint64_t limit)
{
	uint64_t n = limit / pool_wanted(e) / CALLS_MIN;

	return n > CALL_EXECUTIONS_MIN ? n : CALL_EXECUTIONS_MIN;
}

static enum energy_rule
schedule_energy_rule(const struct engine *e)
{
	if (strcmp(e->settings.schedule, "even") == 0)
		return ENERGY_EVEN;
	return strcmp(e->settings.schedule, "fast") == 0 ? ENERGY_FAST
							 : ENERGY_FULL;
}

/*
 * Long inputs are slow and few targets need them. New inputs may be twice as
 * long as the longest entry, and longer when that finds nothing new.
 */
static size_t
schedule_length_cap(struct engine *e)
{
	size_t max = grow_memory_max_len(e), least = LEN_CAP_MIN;

	if (schedule_is_fifo(e))
		return max;
	if (least < 2 * e->campaign.longest)
		least = 2 * e->campaign.longest;
	if (e->schedule.len_cap < least)
		e->schedule.len_cap = least;
	if (e->schedule.len_count < e->schedule.find_count)
		e->schedule.len_count = e->schedule.find_count;
	if (e->counts.executions - e->schedule.len_count >= LEN_CAP_COUNT) {
		e->schedule.len_cap += e->schedule.len_cap / LEN_CAP_PART;
		e->schedule.len_count = e->counts.executions;
	}
	if (e->schedule.len_cap > max)
		e->schedule.len_cap = max;
	return e->schedule.len_cap;
}

/* Making the selection table takes longer with a larger corpus, so its share of
 * the time is limited. */
static uint64_t
schedule_tickets_pause_ns(const struct engine *e)
{
	uint64_t pause = TICKETS_MS * 1000000ull;

	if (!energy_is_stale(e->campaign.energy))
		pause *= TICKETS_IDLE;
	if (pause < e->schedule.refresh_ns * SELECTION_PART)
		pause = e->schedule.refresh_ns * SELECTION_PART;
	return pause;
}

void
schedule_refresh(struct engine *e)
{
	uint64_t now = clock_now_ns();

	if (schedule_is_fifo(e))
		return;
	if (!e->settings.deterministic &&
		e->campaign.memory.head->selection_n > 0 &&
		now - e->schedule.refreshed_ns < schedule_tickets_pause_ns(e))
		return;
	energy_publish(e->campaign.energy, schedule_energy_rule(e),
		!e->settings.deterministic);
	mutator_stats_publish(&e->campaign.stats, &e->campaign.memory);
	e->schedule.refreshed_ns = clock_now_ns();
	e->schedule.refresh_ns = e->schedule.refreshed_ns - now;
}

/*
 * Any input in the arena will do: children draw their parents there by
 * themselves. Inputs that are not in the arena get calls of their own.
 */
static void
schedule_push_any_input(struct engine *e)
{
	struct corpus_entry *entry = energy_draw(e->campaign.energy);

	if (entry == NULL)
		entry = corpus_get(e->campaign.corpus, 0);
	queue_push(&e->schedule.inputs, entry);
}

void
schedule_adapt(struct engine *e, struct slot *slot,
	const struct worker_result *r, bool found)
{
	/* A value profile slows executions down: its rate would make the next
	 * call, without a profile, too short. */
	if (r->total_ns > 0 && r->count > 0 && !r->job.profile)
		slot->exec_rate = (double)r->count * 1e6 / (double)r->total_ns;
	if (found)
		e->schedule.call_ms = CALL_MS_FOUND;
	else if (e->schedule.call_ms < CALL_MS)
		e->schedule.call_ms += 1 + e->schedule.call_ms / 4;
}

static bool
schedule_processors_are_shared(const struct engine *e)
{
	return pool_wanted(e) > e->schedule.processors;
}

/* The more workers, the longer the calls: handling results costs time. */
static uint64_t
schedule_call_ms_found(const struct engine *e)
{
	return (uint64_t)pool_wanted(e) * CALL_MS_FOUND;
}

/*
 * Workers that share a processor need longer calls to get as far. New inputs
 * need not wait for the end of such a call, see found_ms.
 */
static uint64_t
schedule_call_ms(const struct engine *e)
{
	uint64_t least = schedule_call_ms_found(e);
	uint64_t ms =
		e->schedule.call_ms < CALL_MS ? e->schedule.call_ms : CALL_MS;

	if (schedule_is_fifo(e))
		return CALL_MS;
	if (schedule_processors_are_shared(e))
		ms = ms * pool_wanted(e) / e->schedule.processors;
	if (ms > CALL_MS_MAX)
		ms = CALL_MS_MAX;
	return ms < least ? least : ms;
}

/*
 * New inputs become parents only after the call. While they come often, calls
 * are shorter than the clock could make them, so executions limit them.
 */
static uint64_t
schedule_call_share(const struct engine *e, const struct slot *slot)
{
	double ms = (double)schedule_call_ms(e);

	if (slot->exec_rate * ms < CALL_EXECUTIONS_FIRST)
		return CALL_EXECUTIONS_FIRST;
	return (uint64_t)(slot->exec_rate * ms);
}

/*
 * When coverage does not grow, one call in four keeps inputs that make progress
 * in the value profile.
 */
static bool
schedule_wants_profile(const struct engine *e, const struct slot *slot)
{
	return !schedule_is_fifo(e) &&
		e->counts.executions - e->schedule.find_count > PROFILE_AFTER &&
		e->campaign.value_entries < PROFILE_MAX &&
		e->campaign.value_bytes < PROFILE_BYTES_MAX &&
		slot->calls % 4 == 0;
}

/*
 * Fuzzing waits for a disk that is slower than the new inputs. It does not wait
 * for a disk that takes nothing: pending writes stay in memory.
 */
static bool
schedule_disk_is_behind(const struct engine *e)
{
	return e->schedule.pending_writes > PENDING_WRITES_MAX &&
		!e->messages.disk_said;
}

/* The queue of the next input; the user queue comes first. */
static struct queue *
schedule_inputs_queue(struct engine *e)
{
	if (queue_len(&e->schedule.user_queue) > 0)
		return &e->schedule.user_queue;
	if (queue_len(&e->schedule.inputs) > 0 || engine_warming(e))
		return &e->schedule
				.inputs; /* or wait for outstanding results */
	if (schedule_is_fifo(e))
		schedule_fill_inputs(e);
	else if (corpus_len(e->campaign.corpus) > 0)
		schedule_push_any_input(e);
	return &e->schedule.inputs;
}

static bool
schedule_next_input(struct engine *e, const struct slot *slot, struct job *job)
{
	uint64_t limit = engine_limit(e);
	struct corpus_entry *entry;
	struct queue *queue;

	if (schedule_disk_is_behind(e))
		return false;
	queue = schedule_inputs_queue(e);

	/* Skips entries that are in no memory and lost their file. */
	while ((entry = queue_peek(queue)) != NULL &&
		entry->arena == MEMORY_NO_ENTRY &&
		corpus_load(e->campaign.corpus, entry, &job->data, NULL) !=
			OK) {
		queue_pop(queue);
		coordinator_skip_input(e, entry);
	}
	if (entry == NULL)
		return false;
	job->wish = queue == &e->schedule.user_queue;
	job->kind = engine_warming(e) ? JOB_WARMUP : JOB_FUZZ;
	job->len = entry->len;
	job->arena = entry->arena;
	job_set_entry(job, entry);
	if (job->kind == JOB_WARMUP) {
		job->limit = 1;
		return true;
	}
	schedule_refresh(e);
	job->draw = !schedule_is_fifo(e) &&
		e->campaign.memory.head->selection_n > 0 &&
		entry->arena != MEMORY_NO_ENTRY && !job->wish;
	job->cap = (uint32_t)schedule_length_cap(e) + 1;
	if (limit > 0)
		job->limit = schedule_call_executions(e, limit);
	job->profile = schedule_wants_profile(e, slot);
	if (!e->settings.deterministic) {
		job->budget_ms = schedule_call_ms(e) > CALL_MS
			? schedule_call_ms(e)
			: CALL_MS;
		if (!schedule_is_fifo(e) && schedule_processors_are_shared(e))
			job->found_ms = schedule_call_ms_found(e);
	} else if (job->limit == 0 || job->limit > CALL_EXECUTIONS)
		job->limit = CALL_EXECUTIONS;
	if (!schedule_is_fifo(e) && !e->settings.deterministic &&
		(job->limit == 0 || job->limit > schedule_call_share(e, slot)))
		job->limit = schedule_call_share(e, slot);
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

	if (limit == 0 || engine_warming(e) ||
		!schedule_minimizing_allowed(e) ||
		schedule_executions_left(e) > limit / FINDINGS_PART)
		return false;
	for (i = 0; i < e->findings.n; i++) {
		const struct finding *f = e->findings.list[i];

		if (f->work != WORK_NONE && f->work != WORK_FINAL &&
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
	if (e->end.draining && !e->end.drain_minimize)
		return false;
	if (minimize_tasks_next_asked(e, job))
		return true;
	if (e->end.draining)
		return false;
	if (e->findings.crash_minimizing != NULL || schedule_keeps_rest(e))
		return false;
	return (schedule_minimizer_free(e) && trim_next(e, job)) ||
		schedule_next_input(e, slot, job);
}

/* Findings are few, so each gets its turn as soon as possible. */
static bool
schedule_next_for_finding(struct engine *e, bool idle, struct job *job)
{
	uint64_t room = finding_budget_room_ms(e, idle);

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
	if (e->end.stopping || e->clock.paused)
		return false;
	/* Names may merge findings, and thereby change the next job. */
	if (e->settings.deterministic && naming_busy(e))
		return false;
	if (pc_table_calls_next(e, job))
		return true;
	/* Findings get a share of the time, and all time left idle. */
	if ((finding_budget_has_time(slot) &&
		    schedule_next_for_finding(e, false, job)) ||
		(schedule_executions_left(e) > 0 &&
			schedule_next_counted(e, slot, job)) ||
		schedule_next_for_finding(e, true, job)) {
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
	e->schedule.waiting += job->reserved;
	switch (job->kind) {
	case JOB_WARMUP:
	case JOB_FUZZ:
		queue_pop(job->wish ? &e->schedule.user_queue
				    : &e->schedule.inputs);
		break;
	case JOB_MINIMIZE_COVERAGE:
		if (trim->minimization != NULL)
			minimize_tasks_taken(trim->minimization, slot);
		else
			trim_taken(e);
		break;
	case JOB_MINIMIZE_FAILURE:
		if (f->work != WORK_BUSY && f->minimization->count == 0)
			message_print(e,
				"fuzz: minimizing %zu-byte failing input file",
				f->len);
		f->work = WORK_BUSY;
		minimize_tasks_taken(f->minimization, slot);
		break;
	case JOB_REPLAY:
	case JOB_SEQUENCE: /* triage counts outstanding replays */
	case JOB_TABLES:   /* never in a queue */
		break;
	}
}
