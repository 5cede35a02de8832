/*
 * test_schedule: the next job: its length limit, its value profile, and the
 * choice of its input.
 */
#include <stdlib.h>

#include "base/xmalloc.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/schedule_next.h"
#include "engine/triage/findings_list.h"
#include "findings/finding.h"
#include "lib/scheduling.h"

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
		SCHEDULING_MAX_LEN, 10, 0, 0, 0, 0, 64 },
	{ "length: twice the longest", "energy",
		SCHEDULING_MAX_LEN, 100, 0, 0, 0, 0, 200 },
	{ "length: with other rules, too", "even",
		SCHEDULING_MAX_LEN, 100, 0, 0, 0, 0, 200 },
	{ "length: the limit", "energy",
		SCHEDULING_MAX_LEN, 3000, 0, 0, 0, 0, SCHEDULING_MAX_LEN },
	{ "length: a small limit", "energy",
		20, 10, 0, 0, 0, 0, 20 },
	{ "length: a limit that became smaller", "energy",
		100, 10, 2000, 0, 0, 0, 100 },
	{ "length: it stays", "energy",
		SCHEDULING_MAX_LEN, 10, 500, 0, 0, 0, 500 },
	{ "length: not yet in vain", "energy",
		SCHEDULING_MAX_LEN, 10, 0, 199999, 0, 0, 64 },
	{ "length: in vain", "energy",
		SCHEDULING_MAX_LEN, 10, 0, 200000, 0, 0, 80 },
	{ "length: something was found meanwhile", "energy",
		SCHEDULING_MAX_LEN, 10, 0, 300000, 0, 150000, 64 },
	{ "length: found long ago", "energy",
		SCHEDULING_MAX_LEN, 10, 0, 350000, 0, 150000, 80 },
	{ "length: the last step was not long ago", "energy",
		SCHEDULING_MAX_LEN, 10, 80, 300000, 150000, 0, 80 },
	{ "length: a quarter more", "energy",
		SCHEDULING_MAX_LEN, 10, 1000, 400000, 200000, 0, 1250 },
	{ "length: up to the limit", "energy",
		SCHEDULING_MAX_LEN, 10, 4000, 400000, 200000, 0, SCHEDULING_MAX_LEN },
	{ "length: no control", "fifo",
		SCHEDULING_MAX_LEN, 10, 0, 0, 0, 0, SCHEDULING_MAX_LEN },
};
/* clang-format on */

#define LENGTHS_N (sizeof(LENGTHS) / sizeof(LENGTHS[0]))

static void
test_length(void **state)
{
	const struct length_row *row = *state;
	struct scheduling *f;
	void *made;

	scheduling_open(&made);
	f = made;
	scheduling_set(f, "schedule", row->schedule);
	f->e->settings.max_len = row->max_len;
	f->e->schedule.longest = row->longest;
	f->e->schedule.len_cap = row->cap;
	f->e->counts.executions = row->count;
	f->e->schedule.len_count = row->last_step;
	f->e->schedule.find_count = row->last_find;
	/* Mutations stay below their capacity: it is the limit plus 1. */
	assert_int_equal(scheduling_take(f, JOB_FUZZ).cap, row->want + 1);
	scheduling_close(&made);
}

/* The limit grows once per stretch without finds, not in each call. */
static void
test_length_grows(void **state)
{
	static const size_t want[] = { 64, 80, 100, 125, 156, 195 };
	struct scheduling *f = *state;

	for (size_t i = 0; i < 6; i++) {
		f->e->counts.executions = 200000 * i;
		assert_int_equal(scheduling_take(f, JOB_FUZZ).cap, want[i] + 1);
		f->e->counts.executions += 199999;
		assert_int_equal(scheduling_take(f, JOB_FUZZ).cap, want[i] + 1);
	}
}

/* Slow targets never reach that number of executions. */
static const struct slow_length_row {
	const char *name, *deterministic;
	/* Seconds without a new input: when it grew, and now. */
	double raised_s, idle_s;
	uint64_t count;
	size_t want;
} SLOW_LENGTHS[] = {
	{ "length: slow, not yet", "no", 0, 9, 1000, 64 },
	{ "length: slow, in vain", "no", 0, 11, 1000, 80 },
	{ "length: very slow", "no", 0, 11, 999, 64 },
	{ "length: it grew a moment ago", "no", 11, 20, 1000, 64 },
	{ "length: it grew long ago", "no", 11, 22, 1000, 80 },
	{ "length: there was a new input", "no", 50, 9, 1000, 64 },
	{ "length: and that long ago", "no", 50, 11, 1000, 80 },
	{ "length: times do not count", "yes", 0, 11, 1000, 64 },
};

#define SLOW_LENGTHS_N (sizeof(SLOW_LENGTHS) / sizeof(SLOW_LENGTHS[0]))

static void
test_slow_length(void **state)
{
	const struct slow_length_row *row = *state;
	struct scheduling *f;
	void *made;

	scheduling_open(&made);
	f = made;
	scheduling_set(f, "deterministic", row->deterministic);
	f->e->counts.executions = row->count;
	f->e->schedule.len_idle_s = row->raised_s;
	f->e->counts.news_s = 1;
	f->e->earlier.elapsed_s = f->e->counts.news_s + row->idle_s;
	assert_int_equal(scheduling_take(f, JOB_FUZZ).cap, row->want + 1);
	assert_int_equal(scheduling_take(f, JOB_FUZZ).cap, row->want + 1);
	scheduling_close(&made);
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
	struct scheduling *f;
	void *made;

	scheduling_open(&made);
	f = made;
	scheduling_set(f, "schedule", row->schedule);
	f->e->counts.executions = row->count;
	f->e->schedule.find_count = row->last_find;
	f->e->counts.value_entries = row->progress;
	f->e->counts.value_bytes = row->bytes;
	f->slot->calls = row->calls;
	assert_int_equal(scheduling_take(f, JOB_FUZZ).profile, row->want);
	scheduling_close(&made);
}

/* Slow targets never reach that number of executions. */
static const struct slow_row {
	const char *name, *deterministic;
	double idle_s;
	bool want;
} SLOW[] = {
	{ "progress: slow, not yet", "no", 29, false },
	{ "progress: slow", "no", 31, true },
	{ "progress: times do not count", "yes", 31, false },
};

#define SLOW_N (sizeof(SLOW) / sizeof(SLOW[0]))

static void
test_slow(void **state)
{
	const struct slow_row *row = *state;
	struct scheduling *f;
	void *made;

	scheduling_open(&made);
	f = made;
	scheduling_set(f, "deterministic", row->deterministic);
	f->e->counts.news_s = 1;
	f->e->earlier.elapsed_s = f->e->counts.news_s + row->idle_s;
	assert_int_equal(scheduling_take(f, JOB_FUZZ).profile, row->want);
	scheduling_close(&made);
}

/* ---- choice of the input ------------------------------------------------ */

/* Children draw inputs from the arena; other inputs get calls of their own. */
static void
test_draw(void **state)
{
	struct scheduling *f = *state;
	struct corpus_entry *outside;
	int drawn = 0, own = 0;
	struct job job;

	outside = corpus_add(f->e->campaign.corpus, "outside", 7, CORPUS_NONE,
		NULL);
	energy_place(f->e->campaign.energy, outside);
	scheduling_set(f, "schedule", "even");
	for (int i = 0; i < 100; i++) {
		job = scheduling_take(f, JOB_FUZZ);
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
	struct scheduling *f = *state;
	struct corpus_entry *second = scheduling_add(f, 10),
			    *third = scheduling_add(f, 20);
	struct corpus_entry *const want[] = { f->entry, second, third };
	struct job job;

	scheduling_set(f, "schedule", "fifo");
	for (int i = 0; i < 9; i++) {
		job = scheduling_take(f, JOB_FUZZ);
		assert_ptr_equal(job_owner_entry(&job), want[i % 3]);
		assert_false(job.draw);
	}
	assert_int_equal(f->e->campaign.memory.head->selection_n, 0);
}

/* Each seed runs once before fuzzing begins. */
static void
test_warmup(void **state)
{
	struct scheduling *f = *state;
	struct job job;

	f->e->load.warmup_left = 1;
	queue_push(&f->e->schedule.inputs, f->entry);
	assert_int_equal(scheduling_take(f, JOB_WARMUP).limit, 1);
	assert_false(schedule_next(f->e, f->slot, &job));
	f->e->load.warmup_left = 0;
	scheduling_take(f, JOB_FUZZ);
}

/*
 * A worker that cannot be forked was started again for a replay. The start has
 * used up the time of findings; still the replay comes first, or the process
 * would not be fresh any more, and the next replay would need another start.
 */
static void
test_renewed(void **state)
{
	struct scheduling *f = *state;
	struct finding *finding = xcalloc(1, sizeof(*finding));

	finding->state = FINDING_VERIFYING;
	finding->replays_wanted = 5;
	finding->input = f->entry->data;
	finding->len = f->entry->len;
	findings_add(f->e, finding);
	f->slot->owed = 1000000000;
	scheduling_take(f, JOB_FUZZ);
	f->slot->renewed = true;
	scheduling_take(f, JOB_REPLAY);
	/* Others do not make a fresh process for the last replay, too. */
	f->slot->owed = 0;
	f->slot->renewed = false;
	finding->replays = 4;
	scheduling_take(f, JOB_REPLAY);
	f->slot->renewed_for = finding;
	f->slot->wanted = true;
	f->slot->restart_ns = 1;
	scheduling_take(f, JOB_FUZZ);
	free(f->e->findings.list);
	free(finding);
}

static void
test_stopped(void **state)
{
	bool *const flags[] = { &((struct scheduling *)*state)->e->end.stopping,
		&((struct scheduling *)*state)->e->clock.paused,
		&((struct scheduling *)*state)->e->end.draining };
	struct scheduling *f = *state;
	struct job job;

	for (size_t i = 0; i < 3; i++) {
		*flags[i] = true;
		assert_false(schedule_next(f->e, f->slot, &job));
		*flags[i] = false;
		scheduling_take(f, JOB_FUZZ);
	}
}

/* Fuzzing waits for a slow disk, but not for one that takes nothing. */
static void
test_disk(void **state)
{
	struct scheduling *f = *state;
	struct job job;

	f->e->schedule.pending_writes = SCHEDULE_PENDING_WRITES_MAX;
	scheduling_take(f, JOB_FUZZ);
	f->e->schedule.pending_writes = SCHEDULE_PENDING_WRITES_MAX + 1;
	assert_false(schedule_next(f->e, f->slot, &job));
	f->e->messages.disk_said = true;
	scheduling_take(f, JOB_FUZZ);
}

/* The user queue comes first; its calls keep their one parent. */
static void
test_wishes(void **state)
{
	struct scheduling *f = *state;
	struct corpus_entry *wished = scheduling_add(f, 7);
	struct job job;

	schedule_refresh(f->e);
	assert_true(scheduling_take(f, JOB_FUZZ).draw);
	queue_push(&f->e->schedule.inputs, f->entry);
	queue_push(&f->e->schedule.user_queue, wished);
	queue_push(&f->e->schedule.user_queue, wished);
	for (unsigned i = 0; i < 2; i++) {
		job = scheduling_take(f, JOB_FUZZ);
		assert_ptr_equal(job_owner_entry(&job), wished);
		assert_int_equal(job.arena, wished->arena);
		assert_int_equal(job.len, 7);
		assert_false(job.draw);
	}
	assert_int_equal(f->e->schedule.user_queue.n, 0);
	job = scheduling_take(f, JOB_FUZZ);
	assert_ptr_equal(job_owner_entry(&job), f->entry);
	assert_true(job.draw);
}

/* An entry whose time is in doubt runs once more, alone and unchanged. */
static void
test_measure(void **state)
{
	struct scheduling *f = *state;
	struct energy *energy = f->e->campaign.energy;
	struct corpus_entry *slow = scheduling_add(f, 7);
	struct job job;

	f->entry->exec_ns = 100;
	slow->exec_ns = 1000000;
	schedule_refresh(f->e);
	job = scheduling_take(f, JOB_MEASURE);
	assert_ptr_equal(job_owner_entry(&job), slow);
	assert_int_equal(job.limit, 1);
	assert_int_equal(job.len, 7);
	assert_memory_equal(job.data, slow->data, 7);
	scheduling_take(f, JOB_FUZZ);
	/* Nor is it measured a third time. */
	energy_publish(energy, ENERGY_FULL, true);
	scheduling_take(f, JOB_FUZZ);
}

/* The time of an entry stays if it is longer than inputs may be by now. */
static void
test_measure_long(void **state)
{
	struct scheduling *f = *state;
	struct corpus_entry *slow = scheduling_add(f, 61);

	f->entry->exec_ns = 100;
	slow->exec_ns = 1000000;
	f->e->settings.max_len = 60;
	schedule_refresh(f->e);
	scheduling_take(f, JOB_FUZZ);
	assert_true(slow->is_measured);
}

/* Nor is one executed whose bytes cannot be read. */
static void
test_measure_lost(void **state)
{
	struct scheduling *f = *state;
	struct corpus_entry *slow = scheduling_add(f, 7);

	f->entry->exec_ns = 100;
	slow->exec_ns = 1000000;
	free(slow->data);
	slow->data = NULL;
	schedule_refresh(f->e);
	scheduling_take(f, JOB_FUZZ);
	assert_true(slow->is_measured);
}

/* ---- all tests ---------------------------------------------------------- */

int
main(void)
{
	const struct CMUnitTest single[] = {
		CASE(test_length_grows),
		CASE(test_draw),
		CASE(test_fifo),
		CASE(test_warmup),
		CASE(test_renewed),
		CASE(test_stopped),
		CASE(test_disk),
		CASE(test_wishes),
		CASE(test_measure),
		CASE(test_measure_long),
		CASE(test_measure_lost),
	};
	struct CMUnitTest
		rows[LENGTHS_N + SLOW_LENGTHS_N + PROFILES_N + SLOW_N];
	size_t i, n = 0;

	for (i = 0; i < LENGTHS_N; i++)
		rows[n++] = scheduling_row(LENGTHS[i].name, test_length,
			&LENGTHS[i]);
	for (i = 0; i < SLOW_LENGTHS_N; i++)
		rows[n++] = scheduling_row(SLOW_LENGTHS[i].name,
			test_slow_length, &SLOW_LENGTHS[i]);
	for (i = 0; i < PROFILES_N; i++)
		rows[n++] = scheduling_row(PROFILES[i].name, test_profile,
			&PROFILES[i]);
	for (i = 0; i < SLOW_N; i++)
		rows[n++] = scheduling_row(SLOW[i].name, test_slow, &SLOW[i]);
	return cmocka_run_group_tests(single, NULL, NULL) +
		_cmocka_run_group_tests("schedule", rows, n, NULL, NULL);
}
