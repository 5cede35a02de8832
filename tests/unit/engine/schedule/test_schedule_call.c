/*
 * test_schedule_call: the duration of a call, and an exact limit of executions
 * and of findings.
 */
#include "engine/schedule/schedule.h"
#include "engine/schedule/schedule_next.h"

#include "engine/triage/minimize_tasks.h"
#include "findings/finding.h"
#include "lib/scheduling.h"

/* Ends a call with this many executions in a tenth of a second. */
static void
end_call_of(struct scheduling *f, const struct job *job, uint64_t count,
	bool found)
{
	const struct worker_result result = { .job = *job,
		.count = count,
		.total_ns = 100000000 };

	schedule_adapt(f->e, f->slot, &result, found);
}

static void
end_call(struct scheduling *f, bool found)
{
	const struct job job = { .kind = JOB_FUZZ };

	end_call_of(f, &job, 100000, found);
}

/* Calls are short after a new input, and longer with each call in vain. */
static void
test_call_grows(void **state)
{
	struct scheduling *f = *state;
	uint64_t first, last;
	struct job job;
	int calls = 0;

	end_call(f, true);
	first = scheduling_take(f, JOB_FUZZ).limit;
	assert_in_range(first, 500, 10000);
	for (last = first; last < 100000; calls++) {
		end_call(f, false);
		job = scheduling_take(f, JOB_FUZZ);
		assert_int_equal(job.budget_ms, 100);
		assert_true(job.limit > last && job.limit <= 100000);
		last = job.limit;
	}
	assert_in_range(calls, 5, 30);
	end_call(f, false);
	assert_int_equal(scheduling_take(f, JOB_FUZZ).limit, 100000);
	end_call(f, true);
	assert_int_equal(scheduling_take(f, JOB_FUZZ).limit, first);
	scheduling_set(f, "schedule", "fifo");
	job = scheduling_take(f, JOB_FUZZ);
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
	struct scheduling *f = *state;
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
		job = scheduling_take(f, JOB_FUZZ);
		assert_int_equal(job.found_ms, rows[i].found_ms);
		assert_int_equal(job.limit, rows[i].least_ms * 1000);
		for (int calls = 0; calls < 30; calls++)
			end_call(f, false);
		job = scheduling_take(f, JOB_FUZZ);
		most = rows[i].most_ms;
		assert_int_equal(job.found_ms, rows[i].found_ms);
		assert_int_equal(job.limit, most * 1000);
		assert_int_equal(job.budget_ms, most);
	}
	scheduling_set(f, "schedule", "fifo");
	job = scheduling_take(f, JOB_FUZZ);
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
	struct scheduling *f = *state;

	assert_int_equal(scheduling_take(f, JOB_FUZZ).limit, 500);
	end_call_of(f, &job, 1, false);
	assert_int_equal(scheduling_take(f, JOB_FUZZ).limit, 500);
	for (int i = 0; i < 30; i++)
		end_call(f, false);
	assert_int_equal(scheduling_take(f, JOB_FUZZ).limit, 100000);
	/* A call without executions does not change the rate, and neither does
	 * a slow call with a value profile. */
	schedule_adapt(f->e, f->slot, &nothing, false);
	end_call_of(f, &progress, 5000, false);
	assert_int_equal(scheduling_take(f, JOB_FUZZ).limit, 100000);
}

/* A slow target has time for a stage of comparisons, and ends with what it has
 * found. */
static void
test_call_slow(void **state)
{
	static const struct {
		uint64_t count, budget_ms, found_ms;
	} rows[] = {
		{ 128, 100, 0 },
		{ 127, 100, 0 },
		{ 64, 200, 2 },
		{ 8, 1600, 2 },
		{ 6, 2000, 2 },
		{ 1, 2000, 2 },
	};
	const struct job job = { .kind = JOB_FUZZ };
	struct scheduling *f = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct job next;

		end_call_of(f, &job, rows[i].count, false);
		next = scheduling_take(f, JOB_FUZZ);
		assert_int_equal(next.budget_ms, rows[i].budget_ms);
		assert_int_equal(next.found_ms, rows[i].found_ms);
	}
	scheduling_set(f, "schedule", "fifo");
	assert_int_equal(scheduling_take(f, JOB_FUZZ).budget_ms, 100);
}

static void
test_call_executions(void **state)
{
	struct scheduling *f = *state;
	struct job job;

	scheduling_set(f, "deterministic", "on");
	job = scheduling_take(f, JOB_FUZZ);
	assert_int_equal(job.budget_ms, 0);
	assert_int_equal(job.limit, 5000);
	assert_int_equal(job.reserved, 0);
}

/* All reserved executions together are the limit, to the last one. */
static void
test_limit(void **state)
{
	struct scheduling *f = *state;
	uint64_t handed = 0;
	struct job job;
	int jobs = 0;

	scheduling_set(f, "fuzztime", "12345x");
	for (; schedule_next(f->e, f->slot, &job); jobs++) {
		assert_true(job.limit > 0);
		assert_int_equal(job.reserved, job.limit);
		schedule_taken(f->e, f->slot, &job);
		handed += job.reserved;
		assert_int_equal(f->e->schedule.reserved, handed);
		assert_true(handed <= 12345);
	}
	assert_int_equal(handed, 12345);
	assert_in_range(jobs, 16, 30);
	/* A job ended with 7 executions left. */
	f->e->schedule.reserved -= 7;
	assert_int_equal(scheduling_take(f, JOB_FUZZ).limit, 7);
}

/* The last quarter of a limit is kept for the work on a finding. */
static void
test_limit_of_findings(void **state)
{
	struct minimize_task by_hand = { .held = true };
	struct finding finding = { .state = FINDING_NEW, .replays_wanted = 1 };
	struct finding *findings[] = { &finding };
	struct scheduling *f = *state;
	struct job job;

	f->e->findings.list = findings;
	f->e->findings.n = 1;
	scheduling_set(f, "fuzztime", "1000x");
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
	scheduling_set(f, "fuzztime", "60s");
	assert_true(schedule_next(f->e, f->slot, &job));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_call_grows),
		CASE(test_call_shared),
		CASE(test_call_first),
		CASE(test_call_slow),
		CASE(test_call_executions),
		CASE(test_limit),
		CASE(test_limit_of_findings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
