/*
 * test_history: histories in bounded memory.
 */
#include "ui/model/history.h"

#include "lib/check.h"

static void
feed(struct history *history, double from_s, double to_s, double every_s)
{
	struct snapshot s;

	snapshot_init(&s);
	for (double t = from_s; t < to_s; t += every_s) {
		s.elapsed_s = t;
		s.execs_per_sec = 1000;
		s.coverage_bits = (uint64_t)t;
		s.interesting = (uint64_t)(t / 2);
		s.crashes = t >= 30;
		history_add(history, &s);
	}
	snapshot_clear(&s);
}

static void
check_order(const struct history *history)
{
	for (size_t i = 1; i < history->n; i++)
		check(history_at(history, i - 1)->at_s <
				history_at(history, i)->at_s,
			"point %zu", i);
}

/* A week takes as much memory as a minute; no new input is lost. */
static void
test_whole(void **state)
{
	static const double lengths_s[] = { 10, 60, 600, 7200, 604800 };

	for (size_t i = 0; i < ROWS(lengths_s); i++) {
		struct history h;
		double every = lengths_s[i] > 1000 ? 10 : 0.1;
		uint64_t new_inputs = 0, findings = 0;

		history_init(&h, false, 0.2);
		feed(&h, 0, lengths_s[i], every);
		assert_true(h.n <= HISTORY_MAX);
		assert_true(
			h.n >= (lengths_s[i] > 100 ? HISTORY_MAX / 2 - 1 : 40));
		check_order(&h);
		for (size_t p = 0; p < h.n; p++) {
			const struct history_point *point = history_at(&h, p);

			new_inputs += point->new_inputs;
			findings += point->findings;
			assert_int_equal((int)point->execs_per_sec, 1000);
		}
		assert_int_equal(new_inputs, h.new_inputs);
		assert_int_equal(findings, lengths_s[i] > 30 ? 1 : 0);
		assert_true(history_at(&h, h.n - 1)->at_s >=
			lengths_s[i] - 2 * every);
	}
}

static void
test_sliding(void **state)
{
	struct history h;

	history_init(&h, true, 0.2);
	feed(&h, 0, 1000, 0.1);
	assert_int_equal(h.n, HISTORY_MAX);
	check_order(&h);
	assert_true(history_at(&h, 0)->at_s >= 1000 - 0.2 * HISTORY_MAX - 1);
	assert_true(history_at(&h, h.n - 1)->at_s > 999.5);
}

static void
test_bits_at(void **state)
{
	struct history h;

	history_init(&h, true, 1);
	assert_int_equal(history_bits_at(&h, 5), 0);
	feed(&h, 10, 20, 1);
	assert_int_equal(history_bits_at(&h, 5), 0);
	assert_int_equal(history_bits_at(&h, 15.5), 15);
	assert_int_equal(history_bits_at(&h, 1000), 19);
}

/* Totals that fall, as after a resume, are not new inputs. */
static void
test_fall(void **state)
{
	struct history h;
	struct snapshot s;

	history_init(&h, false, 0.2);
	snapshot_init(&s);
	s.interesting = 100;
	history_add(&h, &s);
	s.elapsed_s = 1;
	s.interesting = 3;
	history_add(&h, &s);
	assert_int_equal(history_at(&h, 1)->new_inputs, 0);
	snapshot_clear(&s);
}

/* Points of earlier runs come first, and new points do not change them. */
static void
test_past(void **state)
{
	struct snapshot_past past[] = { { 1, 100, 7, 0 }, { 3600, 150, 2, 1 },
		{ 604000, 180, 1, 1 } };
	struct snapshot s = { .runs = 2,
		.past_s = 604800,
		.past_bits = 180,
		.past = past,
		.past_n = 3,
		.crashes = 2,
		.warmup_total = 10 };
	struct history h;

	history_init(&h, false, 0.2);
	history_add_past(&h, &s);
	assert_int_equal(h.n, 3);
	for (int i = 0; i < 40000; i++) {
		s.elapsed_s = i / 10.0;
		s.state = i < 100 ? RUN_WARMUP : RUN_FUZZING;
		s.warmup_done = i < 100 ? 0 : 10;
		s.coverage_bits = i < 100 ? 2 : 180 + (uint64_t)i / 1000;
		s.crashes = i < 20000 ? 2 : 3;
		history_add(&h, &s);
		/* Coverage does not fall during warm-up. */
		if (i < 200)
			assert_int_equal(history_bits_at(&h, 604900), 180);
	}
	check_order(&h);
	for (size_t i = 0; i < 3; i++) {
		const struct history_point *point = history_at(&h, i);

		check((int)point->at_s == (int)past[i].at_s, "point %zu", i);
		check(point->coverage_bits == past[i].bits, "point %zu", i);
		check(point->new_inputs == past[i].finds, "point %zu", i);
		check(point->findings == past[i].findings, "point %zu", i);
	}
	assert_int_equal(history_bits_at(&h, 604800 + 4000), 219);
	/* Only the third finding is from this run. */
	assert_int_equal(h.findings, 3);
	for (size_t i = 3; i < h.n; i++)
		h.findings -= history_at(&h, i)->findings;
	assert_int_equal(h.findings, 2);
}

static void
minimization_series(struct minimization_series_list *list, const char *entry,
	uint64_t tries, uint64_t len, uint64_t seq)
{
	struct snapshot_minimization m = { .tries = tries,
		.best_len = len,
		.start_len = 1000 };
	struct snapshot s = { .seq = seq,
		.minimizations = &m,
		.minimizations_n = 1 };

	snprintf(m.entry, sizeof(m.entry), "%s", entry);
	snprintf(m.verdict, sizeof(m.verdict), "try %d", (int)tries);
	minimization_series_list_add(list, &s);
}

static void
test_shrink(void **state)
{
	struct minimization_series_list *list = calloc(1, sizeof(*list));
	const struct minimization_series *course;

	assert_null(minimization_series_find(list, "a"));
	for (uint64_t i = 1; i <= 10000; i++)
		minimization_series(list, "a", i, 1000 - i / 20, i);
	course = minimization_series_find(list, "a");
	assert_non_null(course);
	assert_true(course->points_n <= MINIMIZATION_SERIES_POINTS);
	assert_true(course->points_n >= MINIMIZATION_SERIES_POINTS / 2);
	assert_int_equal(course->points[0].len, 1000);
	assert_int_equal(course->points[course->points_n - 1].len, 500);
	assert_int_equal(course->log_n, MINIMIZATION_SERIES_LOG);
	assert_string_equal(minimization_try_at(course, 0)->verdict,
		"try 10000");
	assert_int_equal(
		minimization_try_at(course, MINIMIZATION_SERIES_LOG - 1)->tries,
		10000 - MINIMIZATION_SERIES_LOG + 1);
	assert_true(minimization_try_at(course, 0)->accepted);
	assert_false(minimization_try_at(course, 1)->accepted);

	minimization_series(list, "a", 5, 990, 10001); /* it started again */
	assert_int_equal(course->log_n, 1);
	assert_int_equal(course->points_n, 2);

	for (int i = 0; i < (int)MINIMIZATION_SERIES_MAX; i++) {
		char entry[16];

		snprintf(entry, sizeof(entry), "b%d", i);
		minimization_series(list, entry, 1, 10, 20000 + (uint64_t)i);
	}
	assert_null(minimization_series_find(list,
		"a")); /* replaced, as the oldest */
	assert_non_null(minimization_series_find(list, "b0"));
	free(list);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_sliding),
		cmocka_unit_test(test_bits_at),
		cmocka_unit_test(test_fall),
		cmocka_unit_test(test_past),
		cmocka_unit_test(test_shrink),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
