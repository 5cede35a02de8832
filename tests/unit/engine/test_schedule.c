/*
 * The next job: length limit of inputs, trimming, duration of a call, and an
 * exact execution limit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/schedule.h"
#include "engine/schedule_next.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/trim.h"
#include "findings/finding.h"

#define MAX_LEN 4096u
#define COUNTERS 100u

struct fixture {
	struct engine *e;
	struct slot *slot;
	struct corpus_entry *entry; /* of 100 bytes */
};

static struct corpus_entry *
add(struct fixture *f, size_t len)
{
	uint8_t *data = xcalloc(1, len + 1);
	struct corpus_entry *entry;

	data[0] = (uint8_t)corpus_len(f->e->campaign.corpus);
	entry = corpus_add(f->e->campaign.corpus, data, len, CORPUS_NONE, NULL);
	entry->arena =
		campaign_memory_add_entry(&f->e->campaign.memory, data, len);
	energy_place(f->e->campaign.energy, entry);
	free(data);
	return entry;
}

static int
set_up(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct engine *e = xcalloc(1, sizeof(*e));

	f->e = e;
	f->slot = &e->pool.slots[0];
	settings_init(&e->settings);
	assert_int_equal(campaign_memory_open(&e->campaign.memory, MAX_LEN,
				 65536, NULL),
		OK);
	assert_true(
		campaign_memory_add_module(&e->campaign.memory, 1, COUNTERS));
	e->campaign.corpus = corpus_create(SIZE_MAX, NULL, NULL);
	e->campaign.energy =
		energy_create(&e->campaign.memory, e->campaign.corpus);
	queue_init(&e->schedule.inputs);
	queue_init(&e->trims.queue);
	e->pool.n = e->schedule.processors = 1;
	e->pool.slots[0].wanted = true;
	e->settings.max_len = MAX_LEN;
	f->entry = add(f, 100);
	*state = f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture *f = *state;

	trim_drop_all(f->e);
	queue_clear(&f->e->trims.queue);
	queue_clear(&f->e->schedule.inputs);
	queue_clear(&f->e->schedule.user_queue);
	energy_destroy(f->e->campaign.energy);
	corpus_destroy(f->e->campaign.corpus);
	campaign_memory_close(&f->e->campaign.memory);
	settings_clear(&f->e->settings);
	free(f->e);
	free(f);
	return 0;
}

static void
set(struct fixture *f, const char *name, const char *value)
{
	assert_int_equal(settings_set(&f->e->settings, name, value, ORIGIN_FLAG,
				 NULL),
		OK);
}

/* Takes the next job, which must be of this kind. */
static struct job
take(struct fixture *f, enum job_kind kind)
{
	struct job job;

	assert_true(schedule_next(f->e, f->slot, &job));
	assert_int_equal(job.kind, kind);
	schedule_taken(f->e, f->slot, &job);
	return job;
}

/* ---- length limit ------------------------------------------------------- */

/* clang-format off */
static const struct length_row {
	const char *name;
	const char *schedule;
	size_t max_len, longest, cap; /* cap: present limit */
	uint64_t count, last_step, last_find;
	size_t want;
} LENGTHS[] = {
	{ "length: the first one", "energy",
		MAX_LEN, 10, 0, 0, 0, 0, 64 },
	{ "length: twice the longest", "energy",
		MAX_LEN, 100, 0, 0, 0, 0, 200 },
	{ "length: with other rules, too", "even",
		MAX_LEN, 100, 0, 0, 0, 0, 200 },
	{ "length: the limit", "energy",
		MAX_LEN, 3000, 0, 0, 0, 0, MAX_LEN },
	{ "length: a small limit", "energy",
		20, 10, 0, 0, 0, 0, 20 },
	{ "length: a limit that became smaller", "energy",
		100, 10, 2000, 0, 0, 0, 100 },
	{ "length: it stays", "energy",
		MAX_LEN, 10, 500, 0, 0, 0, 500 },
	{ "length: not yet in vain", "energy",
		MAX_LEN, 10, 0, 199999, 0, 0, 64 },
	{ "length: in vain", "energy",
		MAX_LEN, 10, 0, 200000, 0, 0, 80 },
	{ "length: something was found meanwhile", "energy",
		MAX_LEN, 10, 0, 300000, 0, 150000, 64 },
	{ "length: found long ago", "energy",
		MAX_LEN, 10, 0, 350000, 0, 150000, 80 },
	{ "length: the last step was not long ago", "energy",
		MAX_LEN, 10, 80, 300000, 150000, 0, 80 },
	{ "length: a quarter more", "energy",
		MAX_LEN, 10, 1000, 400000, 200000, 0, 1250 },
	{ "length: up to the limit", "energy",
		MAX_LEN, 10, 4000, 400000, 200000, 0, MAX_LEN },
	{ "length: no control", "fifo",
		MAX_LEN, 10, 0, 0, 0, 0, MAX_LEN },
};
/* clang-format on */

#define LENGTHS_N (sizeof(LENGTHS) / sizeof(LENGTHS[0]))

static void
test_length(void **state)
{
	const struct length_row *row = *state;
	struct fixture *f;
	void *made;

	set_up(&made);
	f = made;
	set(f, "schedule", row->schedule);
	f->e->settings.max_len = row->max_len;
	f->e->schedule.longest = row->longest;
	f->e->schedule.len_cap = row->cap;
	f->e->counts.executions = row->count;
	f->e->schedule.len_count = row->last_step;
	f->e->schedule.find_count = row->last_find;
	/* Mutations stay below their capacity: it is the limit plus 1. */
	assert_int_equal(take(f, JOB_FUZZ).cap, row->want + 1);
	tear_down(&made);
}

/* The limit grows once per stretch without finds, not in each call. */
static void
test_length_grows(void **state)
{
	static const size_t want[] = { 64, 80, 100, 125, 156, 195 };
	struct fixture *f = *state;

	for (size_t i = 0; i < 6; i++) {
		f->e->counts.executions = 200000 * i;
		assert_int_equal(take(f, JOB_FUZZ).cap, want[i] + 1);
		f->e->counts.executions += 199999;
		assert_int_equal(take(f, JOB_FUZZ).cap, want[i] + 1);
	}
}

/* ---- duration of a call ------------------------------------------------- */

/* Ends a call with this many executions in a tenth of a second. */
static void
end_call_of(struct fixture *f, const struct job *job, uint64_t count,
	bool found)
{
	const struct worker_result result = { .job = *job,
		.count = count,
		.total_ns = 100000000 };

	schedule_adapt(f->e, f->slot, &result, found);
}

static void
end_call(struct fixture *f, bool found)
{
	const struct job job = { .kind = JOB_FUZZ };

	end_call_of(f, &job, 100000, found);
}

/* Calls are short after a new input, and longer with each call in vain. */
static void
test_call_grows(void **state)
{
	struct fixture *f = *state;
	uint64_t first, last;
	struct job job;
	int calls = 0;

	end_call(f, true);
	first = take(f, JOB_FUZZ).limit;
	assert_in_range(first, 500, 10000);
	for (last = first; last < 100000; calls++) {
		end_call(f, false);
		job = take(f, JOB_FUZZ);
		assert_int_equal(job.budget_ms, 100);
		assert_true(job.limit > last && job.limit <= 100000);
		last = job.limit;
	}
	assert_in_range(calls, 5, 30);
	end_call(f, false);
	assert_int_equal(take(f, JOB_FUZZ).limit, 100000);
	end_call(f, true);
	assert_int_equal(take(f, JOB_FUZZ).limit, first);
	set(f, "schedule", "fifo");
	job = take(f, JOB_FUZZ);
	assert_int_equal(job.limit, 0);
	assert_int_equal(job.budget_ms, 100);
}

/*
 * Workers that share a processor get longer calls, but report new inputs before
 * the end of a call.
 */
static void
test_call_shared(void **state)
{
	static const struct {
		const char *name;
		uint32_t workers, processors;
		uint64_t found_ms, least_ms, most_ms;
	} rows[] = {
		{ "one", 1, 1, 0, 2, 100 },
		{ "one each", 4, 4, 0, 8, 100 },
		{ "less than one each", 2, 8, 0, 4, 100 },
		{ "four share one", 8, 2, 16, 16, 400 },
		{ "three share two", 3, 2, 6, 6, 150 },
		{ "a crowd", 64, 2, 128, 128, 2000 },
	};
	struct fixture *f = *state;
	struct job job;
	uint64_t most;
	uint32_t w;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("%s\n", rows[i].name);
		f->e->schedule.processors = rows[i].processors;
		f->e->pool.n = rows[i].workers;
		for (w = 0; w < rows[i].workers; w++)
			f->e->pool.slots[w].wanted = true;
		end_call(f, true);
		job = take(f, JOB_FUZZ);
		assert_int_equal(job.found_ms, rows[i].found_ms);
		assert_int_equal(job.limit, rows[i].least_ms * 1000);
		for (int calls = 0; calls < 30; calls++)
			end_call(f, false);
		job = take(f, JOB_FUZZ);
		most = rows[i].most_ms;
		assert_int_equal(job.found_ms, rows[i].found_ms);
		assert_int_equal(job.limit, most * 1000);
		assert_int_equal(job.budget_ms, most);
	}
	set(f, "schedule", "fifo");
	job = take(f, JOB_FUZZ);
	assert_int_equal(job.found_ms, 0);
	assert_int_equal(job.budget_ms, 100);
}

/* The first call has a fixed size; a slow worker's calls are as large. */
static void
test_call_first(void **state)
{
	const struct job job = { .kind = JOB_FUZZ };
	const struct job progress = { .kind = JOB_FUZZ, .profile = true };
	const struct worker_result nothing = { .job = job };
	struct fixture *f = *state;

	assert_int_equal(take(f, JOB_FUZZ).limit, 500);
	end_call_of(f, &job, 1, false);
	assert_int_equal(take(f, JOB_FUZZ).limit, 500);
	for (int i = 0; i < 30; i++)
		end_call(f, false);
	assert_int_equal(take(f, JOB_FUZZ).limit, 100000);
	/* A call without executions does not change the rate, and neither does
	 * a slow call with a value profile. */
	schedule_adapt(f->e, f->slot, &nothing, false);
	end_call_of(f, &progress, 5000, false);
	assert_int_equal(take(f, JOB_FUZZ).limit, 100000);
}

static void
test_call_executions(void **state)
{
	struct fixture *f = *state;
	struct job job;

	set(f, "deterministic", "on");
	job = take(f, JOB_FUZZ);
	assert_int_equal(job.budget_ms, 0);
	assert_int_equal(job.limit, 5000);
	assert_int_equal(job.reserved, 0);
}

/* All reserved executions together are the limit, to the last one. */
static void
test_limit(void **state)
{
	struct fixture *f = *state;
	uint64_t handed = 0;
	struct job job;
	int jobs = 0;

	set(f, "fuzztime", "12345x");
	for (; schedule_next(f->e, f->slot, &job); jobs++) {
		assert_true(job.limit > 0);
		assert_int_equal(job.reserved, job.limit);
		schedule_taken(f->e, f->slot, &job);
		handed += job.reserved;
		assert_int_equal(f->e->schedule.waiting, handed);
		assert_true(handed <= 12345);
	}
	assert_int_equal(handed, 12345);
	assert_in_range(jobs, 16, 30);
	/* A job ended with 7 executions left. */
	f->e->schedule.waiting -= 7;
	assert_int_equal(take(f, JOB_FUZZ).limit, 7);
}

/* The last quarter of a limit is kept for the work on a finding. */
static void
test_limit_of_findings(void **state)
{
	struct minimize_task by_hand = { .held = true };
	struct finding finding = { .state = FINDING_NEW, .replays_wanted = 1 };
	struct finding *findings[] = { &finding };
	struct fixture *f = *state;
	struct job job;

	f->e->findings.list = findings;
	f->e->findings.n = 1;
	set(f, "fuzztime", "1000x");
	f->e->counts.executions = 749;
	assert_true(schedule_next(f->e, f->slot, &job));
	f->e->counts.executions = 750;
	assert_false(schedule_next(f->e, f->slot, &job));
	finding.minimization = &by_hand;
	assert_true(schedule_next(f->e, f->slot, &job));
	finding.minimization = NULL;
	finding.state = FINDING_DONE;
	assert_true(schedule_next(f->e, f->slot, &job));
	finding.state = FINDING_VERIFYING;
	set(f, "fuzztime", "60s");
	assert_true(schedule_next(f->e, f->slot, &job));
}

/* ---- value profile ------------------------------------------------------ */

/* clang-format off */
static const struct value_profile_row {
	const char *name;
	const char *schedule;
	uint64_t count, last_find, progress, calls;
	bool want;
	size_t bytes;
} PROFILES[] = {
	{ "progress: nothing for long", "energy", 2000001, 0, 0, 0, true, 0 },
	{ "progress: not yet", "energy", 2000000, 0, 0, 0, false, 0 },
	{ "progress: found since", "energy", 3000000, 1500000, 0, 0, false, 0 },
	{ "progress: found long ago", "energy", 3000000, 999999, 0, 0, true, 0 },
	{ "progress: one call in four", "energy", 3000000, 0, 0, 5, false, 0 },
	{ "progress: the next of them", "energy", 3000000, 0, 0, 8, true, 0 },
	{ "progress: room for one", "energy", 3000000, 0, 1999, 0, true, 0 },
	{ "progress: no room", "energy", 3000000, 0, 2000, 0, false, 0 },
	{ "progress: memory for one", "energy", 3000000, 0, 9, 0, true,
		(32u << 20) - 1 },
	{ "progress: no memory", "energy", 3000000, 0, 9, 0, false, 32u << 20 },
	{ "progress: never one after the other", "fifo",
		3000000, 0, 0, 0, false, 0 },
};
/* clang-format on */

#define PROFILES_N (sizeof(PROFILES) / sizeof(PROFILES[0]))

static void
test_profile(void **state)
{
	const struct value_profile_row *row = *state;
	struct fixture *f;
	void *made;

	set_up(&made);
	f = made;
	set(f, "schedule", row->schedule);
	f->e->counts.executions = row->count;
	f->e->schedule.find_count = row->last_find;
	f->e->counts.value_entries = row->progress;
	f->e->counts.value_bytes = row->bytes;
	f->slot->calls = row->calls;
	assert_int_equal(take(f, JOB_FUZZ).profile, row->want);
	tear_down(&made);
}

/* ---- trimming ----------------------------------------------------------- */

static const struct feature PAIRS[] = { { 3, 4 }, { 70, 1 } };
static const uint32_t HITS[] = { 1, 3, 70, 99 };

/* Queues a trim as for the entry's own find record. */
static void
queue_trim(struct fixture *f, struct corpus_entry *entry, uint32_t hits_n)
{
	const struct ring_input find = {
		.record = { .features_n = 2, .hits_n = hits_n },
		.features = PAIRS,
		.hits = HITS,
	};

	trim_add(f->e, entry, &find);
}

/* clang-format off */
static const struct trim_row {
	const char *name;
	const char *schedule, *minimizetime, *fuzztime, *deterministic;
	uint64_t count, trimmed;
	bool want;
	uint64_t limit, budget_ms;
} TRIMS[] = {
	{ "trim: at the start", "energy", "60s", NULL, "off",
		0, 0, true, 264, 200 },
	{ "trim: a part of all, not yet reached", "energy", "60s", NULL, "off",
		3200, 100, true, 264, 200 },
	{ "trim: a part of all, reached", "energy", "60s", NULL, "off",
		3200, 101, false, 0, 0 },
	{ "trim: always, one after the other", "fifo", "60s", NULL, "off",
		3200, 3000, true, 0, 200 },
	{ "trim: a short time", "energy", "50ms", NULL, "off",
		0, 0, true, 264, 50 },
	{ "trim: few executions", "energy", "30x", NULL, "off",
		0, 0, true, 30, 0 },
	{ "trim: many executions", "energy", "9999x", NULL, "off",
		0, 0, true, 264, 0 },
	{ "trim: never", "energy", "0", NULL, "off",
		0, 0, false, 0, 0 },
	{ "trim: under a limit", "energy", "60s", "1000x", "off",
		0, 0, true, 264, 200 },
	{ "trim: nearly at the limit", "energy", "60s", "1000x", "off",
		990, 0, true, 10, 200 },
	{ "trim: no clock", "energy", "60s", NULL, "on",
		0, 0, true, 264, 0 },
	{ "trim: no clock, one after the other", "fifo", "60s", NULL, "on",
		0, 0, true, 5000, 0 },
};
/* clang-format on */

#define TRIMS_N (sizeof(TRIMS) / sizeof(TRIMS[0]))

static void
test_trim(void **state)
{
	const struct trim_row *row = *state;
	struct fixture *f;
	struct job job;
	void *made;

	set_up(&made);
	f = made;
	set(f, "schedule", row->schedule);
	set(f, "minimizetime", row->minimizetime);
	if (row->fuzztime != NULL)
		set(f, "fuzztime", row->fuzztime);
	set(f, "deterministic", row->deterministic);
	f->e->counts.executions = row->count;
	f->e->trims.executions = row->trimmed;
	queue_trim(f, f->entry, 4);
	job = take(f, row->want ? JOB_MINIMIZE_COVERAGE : JOB_FUZZ);
	if (row->want) {
		assert_int_equal(job.limit, row->limit);
		assert_int_equal(job.budget_ms, row->budget_ms);
		assert_int_equal(job.len, 100);
		assert_int_equal(queue_len(&f->e->trims.queue), 0);
		trim_job_destroy(job_owner_trim(&job));
	}
	tear_down(&made);
}

static void
check_pair(const struct feature *feature, uint32_t counter, uint32_t buckets)
{
	assert_int_equal(feature->counter, counter);
	assert_int_equal(feature->buckets, buckets);
}

/* New features are kept exactly, all other edges with any count. */
static void
test_trim_keeps(void **state)
{
	struct fixture *f = *state;
	struct job job;

	queue_trim(f, f->entry, 4);
	job = take(f, JOB_MINIMIZE_COVERAGE);
	assert_int_equal(job.keep_n, 6);
	check_pair(&job.keep[0], 3, 4);
	check_pair(&job.keep[1], 70, 1);
	check_pair(&job.keep[2], 1, 0xff);
	check_pair(&job.keep[5], 99, 0xff);
	trim_job_destroy(job_owner_trim(&job));
	/* The find record had no list of edges hit. */
	queue_trim(f, f->entry, 0);
	job = take(f, JOB_MINIMIZE_COVERAGE);
	assert_int_equal(job.keep_n, 2);
	trim_job_destroy(job_owner_trim(&job));
	/* The job has no room for all edges. */
	queue_trim(f, f->entry, MEMORY_KEEP_MAX);
	job = take(f, JOB_MINIMIZE_COVERAGE);
	assert_int_equal(job.keep_n, 2);
	trim_job_destroy(job_owner_trim(&job));
}

static void
test_trim_nothing(void **state)
{
	const struct ring_input nothing_new = { .record = { .hits_n = 4 },
		.hits = HITS };
	const struct ring_input damaged = {
		.record = { .features_n = MEMORY_KEEP_MAX + 1 }
	};
	struct fixture *f = *state;

	trim_add(f->e, f->entry, &nothing_new);
	trim_add(f->e, f->entry, &damaged);
	queue_trim(f, add(f, 1), 4); /* it cannot get smaller */
	assert_int_equal(queue_len(&f->e->trims.queue), 0);
	for (int i = 0; i < 5000; i++)
		queue_trim(f, f->entry, 4);
	assert_int_equal(queue_len(&f->e->trims.queue), 4096);
}

/* The value profile does not count in a trim. */
static void
test_trim_progress(void **state)
{
	static const struct feature features[] = { { COUNTERS + 4, 1 },
		{ 3, 4 } };
	static const uint32_t hits[] = { 1, COUNTERS + 4, 3 };
	const struct ring_input find = {
		.record = { .features_n = 2, .hits_n = 3 },
		.features = features,
		.hits = hits,
	};
	struct fixture *f = *state;
	struct job job;

	assert_true(campaign_memory_add_module(&f->e->campaign.memory,
		MEMORY_VALUE_PROFILE_KEY, 10));
	trim_add(f->e, f->entry, &find);
	job = take(f, JOB_MINIMIZE_COVERAGE);
	assert_int_equal(job.keep_n, 3);
	check_pair(&job.keep[0], 3, 4);
	check_pair(&job.keep[1], 1, 0xff);
	check_pair(&job.keep[2], 3, 0xff);
	trim_job_destroy(job_owner_trim(&job));
}

/* Waiting trims have a memory limit, and free their memory. */
static void
test_trim_memory(void **state)
{
	const size_t most = 64u << 20;
	struct fixture *f = *state;
	uint32_t *hits = xcalloc(60000, sizeof(*hits));
	const struct ring_input find = {
		.record = { .features_n = 1, .hits_n = 60000 },
		.features = PAIRS,
		.hits = hits,
	};
	struct job job;

	for (int i = 0; i < 1000; i++)
		trim_add(f->e, f->entry, &find);
	assert_in_range(queue_len(&f->e->trims.queue), 100, 200);
	assert_in_range(f->e->trims.bytes, most, most + (1u << 20));
	while (queue_len(&f->e->trims.queue) > 0) {
		job = take(f, JOB_MINIMIZE_COVERAGE);
		trim_job_destroy(job_owner_trim(&job));
	}
	assert_int_equal(f->e->trims.bytes, 0);
	trim_add(f->e, f->entry, &find);
	trim_drop_all(f->e);
	assert_int_equal(f->e->trims.bytes, 0);
	free(hits);
}

/* ---- choice of the input ------------------------------------------------ */

/* Children draw inputs from the arena; other inputs get calls of their own. */
static void
test_draw(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *outside;
	int drawn = 0, own = 0;
	struct job job;

	outside = corpus_add(f->e->campaign.corpus, "outside", 7, CORPUS_NONE,
		NULL);
	energy_place(f->e->campaign.energy, outside);
	set(f, "schedule", "even");
	for (int i = 0; i < 100; i++) {
		job = take(f, JOB_FUZZ);
		drawn += job.draw;
		if (job.draw) {
			assert_ptr_equal(job_owner_entry(&job), f->entry);
			continue;
		}
		own++;
		assert_ptr_equal(job_owner_entry(&job), outside);
		assert_int_equal(job.arena, MEMORY_NO_ENTRY);
		assert_int_equal(job.len, 7);
		assert_memory_equal(job.data, "outside", 7);
	}
	assert_in_range(drawn, 48, 52);
	assert_in_range(own, 48, 52);
}

static void
test_fifo(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *second = add(f, 10), *third = add(f, 20);
	struct corpus_entry *const want[] = { f->entry, second, third };
	struct job job;

	set(f, "schedule", "fifo");
	for (int i = 0; i < 9; i++) {
		job = take(f, JOB_FUZZ);
		assert_ptr_equal(job_owner_entry(&job), want[i % 3]);
		assert_false(job.draw);
	}
	assert_int_equal(f->e->campaign.memory.head->selection_n, 0);
}

/* Each seed runs once before fuzzing begins. */
static void
test_warmup(void **state)
{
	struct fixture *f = *state;
	struct job job;

	f->e->load.warmup_left = 1;
	queue_push(&f->e->schedule.inputs, f->entry);
	assert_int_equal(take(f, JOB_WARMUP).limit, 1);
	assert_false(schedule_next(f->e, f->slot, &job));
	f->e->load.warmup_left = 0;
	take(f, JOB_FUZZ);
}

static void
test_stopped(void **state)
{
	bool *const flags[] = { &((struct fixture *)*state)->e->end.stopping,
		&((struct fixture *)*state)->e->clock.paused,
		&((struct fixture *)*state)->e->end.draining };
	struct fixture *f = *state;
	struct job job;

	for (size_t i = 0; i < 3; i++) {
		*flags[i] = true;
		assert_false(schedule_next(f->e, f->slot, &job));
		*flags[i] = false;
		take(f, JOB_FUZZ);
	}
}

/* ---- all tests ---------------------------------------------------------- */

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define CASES_N 17

static struct CMUnitTest
row(const char *name, CMUnitTestFunction function, const void *of)
{
	return (struct CMUnitTest){ name, function, NULL, NULL,
		(void *)(uintptr_t)of };
}

/* Fuzzing waits for a slow disk, but not for one that takes nothing. */
static void
test_disk(void **state)
{
	struct fixture *f = *state;
	struct job job;

	f->e->schedule.pending_writes = PENDING_WRITES_MAX;
	take(f, JOB_FUZZ);
	f->e->schedule.pending_writes = PENDING_WRITES_MAX + 1;
	assert_false(schedule_next(f->e, f->slot, &job));
	f->e->messages.disk_said = true;
	take(f, JOB_FUZZ);
}

/* The user queue comes first; its calls keep their one parent. */
static void
test_wishes(void **state)
{
	struct fixture *f = *state;
	struct corpus_entry *wished = add(f, 7);
	struct job job;

	schedule_refresh(f->e);
	assert_true(take(f, JOB_FUZZ).draw);
	queue_push(&f->e->schedule.inputs, f->entry);
	queue_push(&f->e->schedule.user_queue, wished);
	queue_push(&f->e->schedule.user_queue, wished);
	for (unsigned i = 0; i < 2; i++) {
		job = take(f, JOB_FUZZ);
		assert_ptr_equal(job_owner_entry(&job), wished);
		assert_int_equal(job.arena, wished->arena);
		assert_int_equal(job.len, 7);
		assert_false(job.draw);
	}
	assert_int_equal(queue_len(&f->e->schedule.user_queue), 0);
	job = take(f, JOB_FUZZ);
	assert_ptr_equal(job_owner_entry(&job), f->entry);
	assert_true(job.draw);
}

int
main(void)
{
	struct CMUnitTest tests[CASES_N + LENGTHS_N + PROFILES_N + TRIMS_N] = {
		CASE(test_length_grows),
		CASE(test_call_grows),
		CASE(test_call_shared),
		CASE(test_call_first),
		CASE(test_call_executions),
		CASE(test_limit),
		CASE(test_limit_of_findings),
		CASE(test_trim_keeps),
		CASE(test_trim_nothing),
		CASE(test_trim_progress),
		CASE(test_trim_memory),
		CASE(test_draw),
		CASE(test_fifo),
		CASE(test_warmup),
		CASE(test_stopped),
		CASE(test_disk),
		CASE(test_wishes),
	};
	size_t i, n = CASES_N;

	for (i = 0; i < LENGTHS_N; i++)
		tests[n++] = row(LENGTHS[i].name, test_length, &LENGTHS[i]);
	for (i = 0; i < PROFILES_N; i++)
		tests[n++] = row(PROFILES[i].name, test_profile, &PROFILES[i]);
	for (i = 0; i < TRIMS_N; i++)
		tests[n++] = row(TRIMS[i].name, test_trim, &TRIMS[i]);
	return _cmocka_run_group_tests("schedule", tests, n, NULL, NULL);
}
