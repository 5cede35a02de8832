/*
 * test_schedule_trim: trimming: which entries are trimmed, how much, and the
 * result.
 */
#include "engine/schedule/schedule.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "engine/schedule/trim.h"
#include "lib/scheduling.h"

static const struct feature PAIRS[] = { { 3, 4 }, { 70, 1 } };
static const uint32_t HITS[] = { 1, 3, 70, 99 };

/* Queues a trim as for the entry's own find record. */
static void
queue_trim(struct scheduling *f, struct corpus_entry *entry,
	uint32_t edges_hit_n)
{
	const struct ring_input find = {
		.record = { .features_n = 2, .edges_hit_n = edges_hit_n },
		.features = PAIRS,
		.edges_hit = HITS,
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
	struct scheduling *f;
	struct job job;
	void *made;

	scheduling_open(&made);
	f = made;
	scheduling_set(f, "schedule", row->schedule);
	scheduling_set(f, "minimizetime", row->minimizetime);
	if (row->fuzztime != NULL)
		scheduling_set(f, "fuzztime", row->fuzztime);
	scheduling_set(f, "deterministic", row->deterministic);
	f->e->counts.executions = row->count;
	f->e->trims.executions = row->trimmed;
	queue_trim(f, f->entry, 4);
	job = scheduling_take(f, row->want ? JOB_MINIMIZE_COVERAGE : JOB_FUZZ);
	if (row->want) {
		assert_int_equal(job.limit, row->limit);
		assert_int_equal(job.budget_ms, row->budget_ms);
		assert_int_equal(job.len, 100);
		assert_int_equal(f->e->trims.queue.n, 0);
		trim_job_destroy(job_owner_trim(&job));
	}
	scheduling_close(&made);
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
	struct scheduling *f = *state;
	struct job job;

	queue_trim(f, f->entry, 4);
	job = scheduling_take(f, JOB_MINIMIZE_COVERAGE);
	assert_int_equal(job.keep_n, 6);
	check_pair(&job.keep[0], 3, 4);
	check_pair(&job.keep[1], 70, 1);
	check_pair(&job.keep[2], 1, 0xff);
	check_pair(&job.keep[5], 99, 0xff);
	trim_job_destroy(job_owner_trim(&job));
	/* The find record had no list of edges hit. */
	queue_trim(f, f->entry, 0);
	job = scheduling_take(f, JOB_MINIMIZE_COVERAGE);
	assert_int_equal(job.keep_n, 2);
	trim_job_destroy(job_owner_trim(&job));
	/* The job has no room for all edges. */
	queue_trim(f, f->entry, MEMORY_KEEP_MAX);
	job = scheduling_take(f, JOB_MINIMIZE_COVERAGE);
	assert_int_equal(job.keep_n, 2);
	trim_job_destroy(job_owner_trim(&job));
}

static void
test_trim_nothing(void **state)
{
	const struct ring_input nothing_new = { .record = { .edges_hit_n = 4 },
		.edges_hit = HITS };
	const struct ring_input damaged = {
		.record = { .features_n = MEMORY_KEEP_MAX + 1 }
	};
	struct scheduling *f = *state;

	trim_add(f->e, f->entry, &nothing_new);
	trim_add(f->e, f->entry, &damaged);
	queue_trim(f, scheduling_add(f, 1), 4); /* it cannot get smaller */
	assert_int_equal(f->e->trims.queue.n, 0);
	for (int i = 0; i < 5000; i++)
		queue_trim(f, f->entry, 4);
	assert_int_equal(f->e->trims.queue.n, 4096);
}

/* The value profile does not count in a trim. */
static void
test_trim_progress(void **state)
{
	static const struct feature features[] = {
		{ SCHEDULING_COUNTERS + 4, 1 }, { 3, 4 }
	};
	static const uint32_t hits[] = { 1, SCHEDULING_COUNTERS + 4, 3 };
	const struct ring_input find = {
		.record = { .features_n = 2, .edges_hit_n = 3 },
		.features = features,
		.edges_hit = hits,
	};
	struct scheduling *f = *state;
	struct job job;

	assert_true(campaign_memory_add_module(&f->e->campaign.memory,
		MEMORY_VALUE_PROFILE_KEY, 10));
	trim_add(f->e, f->entry, &find);
	job = scheduling_take(f, JOB_MINIMIZE_COVERAGE);
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
	struct scheduling *f = *state;
	uint32_t *hits = xcalloc(60000, sizeof(*hits));
	const struct ring_input find = {
		.record = { .features_n = 1, .edges_hit_n = 60000 },
		.features = PAIRS,
		.edges_hit = hits,
	};
	struct job job;

	for (int i = 0; i < 1000; i++)
		trim_add(f->e, f->entry, &find);
	assert_in_range(f->e->trims.queue.n, 100, 200);
	assert_in_range(f->e->trims.bytes, most, most + (1u << 20));
	while (f->e->trims.queue.n > 0) {
		job = scheduling_take(f, JOB_MINIMIZE_COVERAGE);
		trim_job_destroy(job_owner_trim(&job));
	}
	assert_int_equal(f->e->trims.bytes, 0);
	trim_add(f->e, f->entry, &find);
	trim_drop_all(f->e);
	assert_int_equal(f->e->trims.bytes, 0);
	free(hits);
}

int
main(void)
{
	const struct CMUnitTest single[] = {
		CASE(test_trim_keeps),
		CASE(test_trim_nothing),
		CASE(test_trim_progress),
		CASE(test_trim_memory),
	};
	struct CMUnitTest rows[TRIMS_N];
	size_t i;

	for (i = 0; i < TRIMS_N; i++)
		rows[i] = scheduling_row(TRIMS[i].name, test_trim, &TRIMS[i]);
	return cmocka_run_group_tests(single, NULL, NULL) +
		_cmocka_run_group_tests("schedule_trim", rows, TRIMS_N, NULL,
			NULL);
}
