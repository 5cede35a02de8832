/*
 * schedule_call: how long a fuzzing call lasts, how long its inputs may be, and
 * which parents its children draw.
 */
#include "engine/schedule/schedule.h"

#include <string.h>

#include "base/clock.h"
#include "control/settings.h"
#include "corpus/corpus.h"
#include "corpus/energy.h"
#include "corpus/mutator_stats.h"
#include "engine/engine_end.h"
#include "engine/parts.h"
#include "engine/pool/grow_memory.h"
#include "engine/pool/pool.h"
#include "engine/schedule/schedule_private.h"
#include "engine/statistics/counts.h"
#include "worker/memory/campaign_memory.h"
#include "worker/worker.h"

#define CALL_MS 100           /* duration of a fuzz call */
#define CALL_MS_FOUND 2       /* the same while new inputs come */
#define CALL_MS_MAX 2000      /* the most where workers share processors */
#define SELECTION_MS 1        /* least time between two selection tables */
#define SELECTION_IDLE 1000   /* factor when nothing is new */
#define SELECTION_PART 100    /* 1/100 of the time is for making them */
#define LEN_CAP_MIN 64        /* length control: first limit, in bytes */
#define LEN_CAP_COUNT 200000  /* executions in vain before it grows */
#define LEN_CAP_S 10          /* ... or seconds, where these take too long, */
#define LEN_CAP_SLOW 1000     /* with at least so many executions */
#define LEN_CAP_PART 4        /* by 1/4 */
#define PROFILE_AFTER 2000000 /* executions without a new input, ... */
#define PROFILE_AFTER_S 30    /* ... or seconds, where these take too long */
#define PROFILE_MAX 2000      /* entries of the value profile only */
#define PROFILE_BYTES_MAX (32u << 20) /* and their bytes in memory */
#define CALL_EXECUTIONS_FIRST 500     /* the least of a call */
#define CALLS_MIN 16                  /* under a limit: calls per worker */
#define CALL_EXECUTIONS_MIN 50        /* the least in such a call */
/* A stage of comparisons begins within so many (child_cmplog.c). */
#define CALL_EXECUTIONS_SLOW 128

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
	if (strcmp(engine_settings(e)->schedule, "even") == 0)
		return ENERGY_EVEN;
	return strcmp(engine_settings(e)->schedule, "fast") == 0 ? ENERGY_FAST
								 : ENERGY_FULL;
}

/* Seconds without a new input or finding; 0 in deterministic mode, where times do
 * not count. */
static double
schedule_idle_s(const struct engine *e)
{
	return engine_settings(e)->deterministic ? 0 : counts_idle_s(e);
}

/* Has the present limit of lengths been in vain for long enough? */
static bool
schedule_length_is_vain(struct engine *e)
{
	struct schedule *s = engine_schedule(e);
	double idle_s = schedule_idle_s(e);
	uint64_t n;

	if (s->len_count < s->find_count)
		s->len_count = s->find_count;
	if (s->len_idle_s > idle_s)
		s->len_idle_s = 0;
	n = counts_executions(e) - s->len_count;
	return n >= LEN_CAP_COUNT ||
		(n >= LEN_CAP_SLOW && idle_s - s->len_idle_s >= LEN_CAP_S);
}

/*
 * Long inputs are slow and few targets need them. New inputs may be twice as
 * long as the longest entry, and longer when that finds nothing new.
 */
static size_t
schedule_length_cap(struct engine *e)
{
	struct schedule *s = engine_schedule(e);
	size_t max = grow_memory_max_len(e), least = LEN_CAP_MIN;

	if (schedule_is_fifo(e))
		return max;
	if (least < 2 * s->longest)
		least = 2 * s->longest;
	if (s->len_cap < least)
		s->len_cap = least;
	if (schedule_length_is_vain(e)) {
		s->len_cap += s->len_cap / LEN_CAP_PART;
		s->len_count = counts_executions(e);
		s->len_idle_s = schedule_idle_s(e);
	}
	if (s->len_cap > max)
		s->len_cap = max;
	return s->len_cap;
}

/* Making the selection table takes longer with a larger corpus, so its share of
 * the time is limited. */
static uint64_t
schedule_selection_pause_ns(const struct engine *e)
{
	uint64_t pause = SELECTION_MS * 1000000ull;

	if (!energy_is_stale(engine_energy(e)))
		pause *= SELECTION_IDLE;
	if (pause < engine_schedule(e)->refresh_ns * SELECTION_PART)
		pause = engine_schedule(e)->refresh_ns * SELECTION_PART;
	return pause;
}

void
schedule_refresh(struct engine *e)
{
	struct schedule *s = engine_schedule(e);
	uint64_t now = clock_now_ns();

	if (schedule_is_fifo(e))
		return;
	if (!engine_settings(e)->deterministic &&
		engine_memory(e)->head->selection_n > 0 &&
		now - s->refreshed_ns < schedule_selection_pause_ns(e))
		return;
	energy_publish(engine_energy(e), schedule_energy_rule(e),
		!engine_settings(e)->deterministic);
	mutator_stats_publish(engine_mutator_stats(e), engine_memory(e));
	s->refreshed_ns = clock_now_ns();
	s->refresh_ns = s->refreshed_ns - now;
}

void
schedule_adapt(struct engine *e, struct slot *slot,
	const struct worker_result *r, bool found)
{
	struct schedule *s = engine_schedule(e);

	/* A value profile slows executions down: its rate would make the next
	 * call, without a profile, too short. */
	if (r->total_ns > 0 && r->count > 0 && !r->job.profile)
		slot->exec_rate = (double)r->count * 1e6 / (double)r->total_ns;
	if (found)
		s->call_ms = CALL_MS_FOUND;
	else if (s->call_ms < CALL_MS)
		s->call_ms += 1 + s->call_ms / 4;
}

static bool
schedule_processors_are_shared(const struct engine *e)
{
	return pool_wanted(e) > engine_schedule(e)->processors;
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
	const struct schedule *s = engine_schedule(e);
	uint64_t least = schedule_call_ms_found(e);
	uint64_t ms = s->call_ms < CALL_MS ? s->call_ms : CALL_MS;

	if (schedule_is_fifo(e))
		return CALL_MS;
	if (schedule_processors_are_shared(e))
		ms = ms * pool_wanted(e) / s->processors;
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
 * Calls of a slow target are longer, or most of them would end before a stage of
 * comparisons has begun.
 */
static uint64_t
schedule_budget_ms(const struct engine *e, const struct slot *slot)
{
	uint64_t ms = schedule_call_ms(e);

	if (ms < CALL_MS)
		ms = CALL_MS;
	if (schedule_is_fifo(e) || slot->exec_rate <= 0 ||
		slot->exec_rate * (double)ms >= CALL_EXECUTIONS_SLOW)
		return ms;
	return slot->exec_rate * CALL_MS_MAX > CALL_EXECUTIONS_SLOW
		? (uint64_t)(CALL_EXECUTIONS_SLOW / slot->exec_rate)
		: CALL_MS_MAX;
}

static bool
schedule_is_stuck(const struct engine *e)
{
	uint64_t idle = counts_executions(e) - engine_schedule(e)->find_count;

	return idle > PROFILE_AFTER || schedule_idle_s(e) > PROFILE_AFTER_S;
}

/*
 * When coverage does not grow, one call in four keeps inputs with a new
 * feature of the value profile.
 */
static bool
schedule_wants_profile(const struct engine *e, const struct slot *slot)
{
	return !schedule_is_fifo(e) && schedule_is_stuck(e) &&
		counts_value_entries(e) < PROFILE_MAX &&
		counts_value_bytes(e) < PROFILE_BYTES_MAX &&
		slot->calls % 4 == 0;
}

/* Fills the parameters of a fuzzing call that begins with this entry. */
void
schedule_fill_call(struct engine *e, const struct slot *slot,
	const struct corpus_entry *entry, struct job *job)
{
	bool fifo = schedule_is_fifo(e);
	uint64_t limit = engine_limit(e), share;

	schedule_refresh(e);
	job->draw = !fifo && engine_memory(e)->head->selection_n > 0 &&
		entry->arena != MEMORY_NO_ENTRY && !job->user_queue;
	job->cap = (uint32_t)schedule_length_cap(e) + 1;
	if (limit > 0)
		job->limit = schedule_call_executions(e, limit);
	job->profile = schedule_wants_profile(e, slot);
	if (engine_settings(e)->deterministic) {
		if (job->limit == 0 || job->limit > SCHEDULE_CALL_EXECUTIONS)
			job->limit = SCHEDULE_CALL_EXECUTIONS;
		return;
	}
	job->budget_ms = schedule_budget_ms(e, slot);
	if (fifo)
		return;
	if (schedule_processors_are_shared(e) || job->budget_ms > CALL_MS)
		job->found_ms = schedule_call_ms_found(e);
	share = schedule_call_share(e, slot);
	if (job->limit == 0 || job->limit > share)
		job->limit = share;
}

/* ---- for others ---- */

void
schedule_note_find(struct engine *e)
{
	engine_schedule(e)->find_count = counts_executions(e);
}

void
schedule_note_length(struct engine *e, size_t len)
{
	struct schedule *s = engine_schedule(e);

	if (len > s->longest)
		s->longest = len;
}

uint64_t
schedule_refreshed_ns(const struct engine *e)
{
	return engine_schedule(e)->refreshed_ns;
}

size_t
schedule_shown_length(const struct engine *e)
{
	return schedule_is_fifo(e) ? engine_settings(e)->max_len
				   : engine_schedule(e)->len_cap;
}
