/*
 * The calls of a minimization: what a worker gets, and the effect of its
 * results.
 */
#include "lib/rows.h"

#include "findings/minimization_driver.h"

static const struct minimization_options coverage = { .coverage = true };
static const struct minimization_options failing = { .coverage = false };
static const struct failure input = { .kind = FAILURE_SIGNAL,
	.what = "SIGSEGV" };
static const struct failure another = { .kind = FAILURE_SIGNAL,
	.what = "SIGABRT" };

static struct minimization_driver
driver(const struct minimization_options *options)
{
	return (struct minimization_driver){
		.minimization = minimization_create((const uint8_t *)"abcdefgh",
			8, options),
		.failure = options->coverage ? NULL : &input,
		.stack_hash = failure_stack_hash(&input),
	};
}

/* One call with this result. */
static enum minimization_outcome
call(struct minimization_driver *d, const struct worker_result *r)
{
	struct job job = { .data = NULL };

	assert_true(minimization_driver_job(d, &job));
	return minimization_driver_on_result(d, r);
}

/* clang-format off */
static const struct single_row {
	const char *name;
	struct worker_result result;
	enum minimization_outcome first, later; /* of the start, of a try */
} SINGLE[] = {
	{ "the same", { .count = 1, .best = (const uint8_t *)"" },
		MINIMIZATION_GOES_ON, MINIMIZATION_ACCEPTED },
	{ "no failure", { .count = 1 }, MINIMIZATION_FAILED,
		MINIMIZATION_GOES_ON },
	{ "an unknown failure", { .count = 1, .end = CALL_UNKNOWN },
		MINIMIZATION_ASKS, MINIMIZATION_ASKS },
	{ "the worker died of the same",
		{ .count = 1, .lost = true,
			.failure = { .kind = FAILURE_SIGNAL, .what = "SIGSEGV" } },
		MINIMIZATION_GOES_ON, MINIMIZATION_ACCEPTED },
	{ "the worker died of another failure",
		{ .count = 1, .lost = true,
			.failure = { .kind = FAILURE_SIGNAL, .what = "SIGABRT" } },
		MINIMIZATION_ASKS, MINIMIZATION_ASKS },
	{ "the worker was killed",
		{ .count = 1, .lost = true,
			.failure = { .kind = FAILURE_KILLED, .what = "SIGTERM" } },
		MINIMIZATION_FAILED, MINIMIZATION_GOES_ON },
	{ "it was interrupted",
		{ .count = 1, .interrupted = true },
		MINIMIZATION_NOTHING, MINIMIZATION_NOTHING },
	{ "it did not run", { .count = 0 }, MINIMIZATION_NOTHING,
		MINIMIZATION_NOTHING },
};
/* clang-format on */

static void
test_single(void **state)
{
	size_t i;

	for (i = 0; i < ROWS(SINGLE); i++) {
		const struct single_row *row = &SINGLE[i];
		struct minimization_driver d = driver(&failing);
		uint64_t tries;

		row_check(call(&d, &row->result) == row->first, "%s: first",
			row->name);
		row_check(d.verified == (row->first == MINIMIZATION_GOES_ON),
			"%s", row->name);
		d.verified = d.by_steps = true;
		d.asking = false;
		row_check(call(&d, &row->result) == row->later, "%s: later",
			row->name);
		row_check(d.asking == (row->later == MINIMIZATION_ASKS), "%s",
			row->name);
		tries = minimization_state(d.minimization)->tries;
		row_check(tries ==
				(row->later == MINIMIZATION_GOES_ON ||
					row->later == MINIMIZATION_ACCEPTED),
			"%s: %llu tries", row->name, (unsigned long long)tries);
		minimization_driver_clear(&d);
	}
}

/* A try whose verdict the owner gave. */
static void
test_settle(void **state)
{
	const struct worker_result unknown = { .count = 1,
		.end = CALL_UNKNOWN,
		.failure = another };
	struct minimization_driver d = driver(&failing);
	uint64_t hash = failure_stack_hash(&another);

	assert_int_equal(call(&d, &unknown), MINIMIZATION_ASKS);
	assert_int_equal(minimization_driver_settle(&d, TRY_OTHER),
		MINIMIZATION_FAILED);
	assert_false(d.asking);
	assert_true(minimization_driver_knows(&d, hash));
	assert_false(minimization_driver_accepts(&d, &another));
	minimization_driver_clear(&d);
	d = driver(&failing);
	d.verified = d.by_steps = true;
	assert_int_equal(call(&d, &unknown), MINIMIZATION_ASKS);
	assert_int_equal(minimization_driver_settle(&d, TRY_SAME),
		MINIMIZATION_ACCEPTED);
	assert_true(minimization_driver_accepts(&d, &another));
	assert_int_equal(minimization_state(d.minimization)->accepted, 1);
	minimization_driver_clear(&d);
}

/* The calls of a worker that dies are calls of one try. */
static void
test_losses(void **state)
{
	const struct worker_result lost = { .count = 1, .lost = true };
	struct minimization_driver d = driver(&failing);
	struct job job = { .data = NULL };

	d.verified = true;
	assert_int_equal(call(&d, &lost), MINIMIZATION_GOES_ON);
	assert_true(minimization_driver_job(&d, &job));
	assert_non_null(job.machine);
	assert_non_null(job.other);
	assert_int_equal(job.limit, 0);
	assert_int_equal(job.len, 8);
	assert_int_equal(call(&d, &lost), MINIMIZATION_GOES_ON);
	job = (struct job){ .data = NULL };
	assert_true(minimization_driver_job(&d, &job));
	assert_true(d.single);
	assert_false(d.by_steps); /* the user does not step */
	assert_null(job.machine);
	assert_int_equal(job.limit, 1);
	assert_true(job.len < 8);
	assert_int_equal(d.count, 2);
	minimization_driver_clear(&d);
}

/* The first calls learn the features that the input must keep. */
static void
test_coverage(void **state)
{
	const struct feature feature = { .counter = 3, .buckets = 1 };
	const struct worker_result nothing = { .count = 3,
		.best = (const uint8_t *)"" };
	const struct worker_result first = { .count = 3,
		.best = (const uint8_t *)"",
		.kept = &feature,
		.kept_n = 1 };
	const struct worker_result less = { .count = 1, .missed = 1 };
	struct minimization_driver d = driver(&coverage);
	struct job job = { .data = NULL };
	char words[64];

	assert_int_equal(call(&d, &nothing), MINIMIZATION_FAILED);
	assert_true(minimization_driver_job(&d, &job));
	assert_int_equal(job.kind, JOB_MINIMIZE_COVERAGE);
	assert_true(job.limit > 1);
	assert_int_equal(call(&d, &first), MINIMIZATION_GOES_ON);
	assert_true(d.verified);
	d.by_steps = true;
	assert_true(minimization_driver_job(&d, &job));
	assert_int_equal(job.keep_n, 1);
	assert_int_equal(job.keep[0].counter, 3);
	assert_int_equal(job.limit, 1);
	assert_int_equal(call(&d, &less), MINIMIZATION_GOES_ON);
	minimization_verdict_words(d.minimization, words, sizeof(words));
	assert_string_equal(words, "lost 1 of its coverage");
	assert_int_equal(call(&d, &nothing), MINIMIZATION_ACCEPTED);
	minimization_driver_clear(&d);
}

/*
 * A program that leaves its loop learns in two processes: only what both reach
 * has to be kept.
 */
static void
test_coverage_left(void **state)
{
	static const struct feature none[1],
		later[] = { { 3, 1 }, { 4, 6 }, { 5, 1 }, { 7, 1 } },
		first[] = { { 1, 1 }, { 3, 1 }, { 4, 3 }, { 5, 2 } };
	static const struct {
		const char *name;
		const struct feature *features;
		uint32_t features_n;
		enum call_end end;
		const uint8_t *best;
		bool goes_on;
		uint32_t keep_n;
	} rows[] = {
		{ "left again", first, 4, CALL_LIMIT, NULL, true, 2 },
		{ "not left", first, 4, CALL_LIMIT, (const uint8_t *)"", true,
			2 },
		{ "the same", later, 4, CALL_LIMIT, NULL, true, 4 },
		{ "others", first, 1, CALL_LIMIT, NULL, false, 0 },
		{ "none", none, 0, CALL_LIMIT, NULL, false, 0 },
		{ "not tried", first, 4, CALL_FAILED, NULL, false, 2 },
	};
	const struct worker_result learned = { .count = 1,
		.end = CALL_LIMIT,
		.kept = later,
		.kept_n = 4 };

	for (size_t i = 0; i < ROWS(rows); i++) {
		const struct worker_result again = { .count = 1,
			.end = rows[i].end,
			.best = rows[i].best,
			.kept = rows[i].features,
			.kept_n = rows[i].features_n };
		struct minimization_driver d = driver(&coverage);
		struct job job = { .data = NULL };
		enum minimization_outcome outcome;

		row_check(call(&d, &learned) == MINIMIZATION_GOES_ON &&
				!d.verified,
			"%s: learned", rows[i].name);
		row_check(minimization_driver_job(&d, &job) &&
				job.keep_n == 0 && job.limit > 1,
			"%s: asked again", rows[i].name);
		outcome = call(&d, &again);
		row_check(outcome ==
				(rows[i].goes_on ? MINIMIZATION_GOES_ON
						 : MINIMIZATION_FAILED),
			"%s: outcome", rows[i].name);
		row_check(d.verified == rows[i].goes_on, "%s: verified",
			rows[i].name);
		row_check(d.keep_n == rows[i].keep_n, "%s: %u features",
			rows[i].name, d.keep_n);
		row_check(d.keep_n != 2 ||
				(d.keep[0].counter == 3 &&
					d.keep[1].counter == 4 &&
					d.keep[1].buckets == 2),
			"%s: features", rows[i].name);
		minimization_driver_clear(&d);
	}
}

/* The candidate after `marks_n` others left the loop by _exit(): nothing was
 * saved of the call. */
static void
test_candidate_left(void **state)
{
	static const uint8_t marks[] = { CANDIDATE_LOST + 1, CANDIDATE_SAME,
		CANDIDATE_LOST + 2 };
	const struct failure hang = { .kind = FAILURE_HANG, .what = "hang" };

	for (size_t n = 0; n <= sizeof(marks); n++) {
		struct minimization_driver d = driver(&coverage);
		struct minimizer_state saved;
		struct worker_result left = {
			.count = n + 1,
			.end = CALL_LIMIT,
			.best = (const uint8_t *)"abcdefgh",
			.marks = marks,
			.marks_n = n,
			.machine = &saved,
		};

		d.verified = true;
		saved = *minimization_state(d.minimization);
		left.best_len = n < 2 ? 8 : 4;
		row_check(call(&d, &left) == MINIMIZATION_GOES_ON, "%zu", n);
		row_check(minimization_state(d.minimization)->tries == n + 1,
			"%zu: %llu tries", n,
			(unsigned long long)minimization_state(d.minimization)
				->tries);
		row_check(minimization_state(d.minimization)->accepted ==
				(n >= 2),
			"%zu: accepted", n);
		/* One that failed is one try, too. */
		saved = *minimization_state(d.minimization);
		left.failure = hang;
		left.count = 1;
		left.marks_n = 0;
		(void)call(&d, &left);
		row_check(minimization_state(d.minimization)->tries == n + 2,
			"%zu: failed", n);
		/* A call that ran nothing has none. */
		saved = *minimization_state(d.minimization);
		left.failure = (struct failure){ .kind = FAILURE_NONE };
		left.count = 0;
		left.end = CALL_TIME;
		(void)call(&d, &left);
		row_check(minimization_state(d.minimization)->tries == n + 2,
			"%zu: nothing ran", n);
		minimization_driver_clear(&d);
	}
}

/* A worker that answers each time without having run anything would do so for
 * ever. A pause and a death are no such answers. */
static void
test_in_vain(void **state)
{
	static const struct {
		const char *name;
		struct worker_result result;
		enum minimization_outcome last;
	} rows[] = {
		{ "refused", { .end = CALL_REFUSED }, MINIMIZATION_FAILED },
		{ "unknown counters", { .end = CALL_DONE },
			MINIMIZATION_FAILED },
		{ "refused, with the state as it was",
			{ .end = CALL_REFUSED,
				.best = (const uint8_t *)"abcdefgh",
				.best_len = 8 },
			MINIMIZATION_FAILED },
		{ "paused", { .end = CALL_TIME }, MINIMIZATION_NOTHING },
		{ "lost", { .lost = true }, MINIMIZATION_NOTHING },
		{ "stopped", { .end = CALL_DONE, .interrupted = true },
			MINIMIZATION_NOTHING },
	};
	const struct worker_result ran = { .count = 1, .end = CALL_TIME };

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct minimization_driver d = driver(&failing);
		struct minimizer_state saved;
		struct worker_result result = rows[i].result;
		unsigned n;

		d.verified = true;
		saved = *minimization_state(d.minimization);
		result.machine = &saved;
		/* One that ran something begins the count anew. */
		for (n = 1; n < 2 * MINIMIZATION_IN_VAIN; n++)
			row_check(call(&d,
					  n == MINIMIZATION_IN_VAIN
						  ? &ran
						  : &result) !=
					MINIMIZATION_FAILED,
				"%s: %u", rows[i].name, n);
		row_check(call(&d, &result) == rows[i].last, "%s",
			rows[i].name);
		minimization_driver_clear(&d);
	}
}

/* The stop of a run cuts the last try of a call: it is to be made again. Those
 * before it count. */
static void
test_candidate_cut(void **state)
{
	static const uint8_t marks[] = { CANDIDATE_NOTHING, CANDIDATE_SAME,
		CANDIDATE_NOTHING };

	for (size_t n = 0; n <= sizeof(marks); n++) {
		struct minimization_driver d = driver(&failing);
		struct minimizer_state saved;
		struct worker_result cut = {
			.interrupted = true,
			.count = n,
			.end = CALL_TIME,
			.best = (const uint8_t *)"abcd",
			.best_len = 4,
			.marks = marks,
			.marks_n = n,
			.machine = &saved,
		};
		uint64_t tries = n > 0 ? n - 1 : 0;

		d.verified = true;
		saved = *minimization_state(d.minimization);
		saved.tries = n;
		row_check(call(&d, &cut) == MINIMIZATION_NOTHING, "%zu", n);
		row_check(minimization_state(d.minimization)->tries == tries,
			"%zu: tries", n);
		row_check(minimization_state(d.minimization)->accepted ==
				(tries >= 2),
			"%zu: accepted", n);
		minimization_driver_clear(&d);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_settle),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_coverage_left),
		cmocka_unit_test(test_candidate_left),
		cmocka_unit_test(test_candidate_cut),
		cmocka_unit_test(test_in_vain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
