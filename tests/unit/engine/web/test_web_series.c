/*
 * The course of a campaign in a bounded number of points.
 */
#include "engine/web/web_series.h"

#include "lib/rows.h"

#define PAST_S 3600 /* of earlier runs: points have the campaign's time */

/* A point each step_s seconds, n times; its executions are its number. */
static void
add_points(struct web_series *series, size_t n, double step_s)
{
	struct snapshot snapshot = { .past_s = PAST_S, .past_execs = 10 };

	for (size_t i = 0; i < n; i++) {
		snapshot.elapsed_s = (double)i * step_s;
		snapshot.execs = i;
		snapshot.coverage_bits = 2 * i;
		web_series_add(series, &snapshot);
	}
}

/* clang-format off */
static const struct series_row {
	const char *name;
	size_t added;
	double every_s;
	size_t n;      /* points that are kept */
	double step_s; /* between them */
	uint64_t last; /* number of the last one */
} SERIES[] = {
	{ "none", 0, 1, 0, 0, 0 },
	{ "the first", 1, 1, 1, 1, 0 },
	{ "one per second", 10, 1, 10, 1, 9 },
	{ "the newest replaces the last", 9, 0.25, 3, 1, 8 },
	{ "full", WEB_SERIES_MAX, 1, WEB_SERIES_MAX, 1, WEB_SERIES_MAX - 1 },
	{ "one more: every other one is dropped", WEB_SERIES_MAX + 1, 1, WEB_SERIES_MAX / 2 + 1, 2, WEB_SERIES_MAX },
	{ "full again", 2 * WEB_SERIES_MAX - 1, 1, WEB_SERIES_MAX, 2, 2 * WEB_SERIES_MAX - 2 },
	{ "for a long time", 100 * WEB_SERIES_MAX, 1, 401, 128, 100 * WEB_SERIES_MAX - 1 },
};
/* clang-format on */

static void
test_points(void **state)
{
	for (size_t k = 0; k < ROWS(SERIES); k++) {
		static struct web_series series;
		const struct series_row *row = &SERIES[k];

		series = (struct web_series){ 0 };
		add_points(&series, row->added, row->every_s);
		row_check(series.n == row->n && series.step_s == row->step_s,
			"%s: %zu, %g s", row->name, series.n, series.step_s);
		row_check(series.n == 0 || series.points[0].at_s == PAST_S,
			"%s: from %g s", row->name, series.points[0].at_s);
		row_check(series.n == 0 ||
				(series.points[0].execs == 0 &&
					series.points[series.n - 1].execs ==
						row->last),
			"%s: %llu", row->name,
			(unsigned long long)series.points[series.n - 1].execs);
		for (size_t i = 1; i + 1 < series.n; i++)
			row_check(series.points[i].at_s -
						series.points[i - 1].at_s >=
					row->step_s,
				"%s: %zu", row->name, i);
	}
}

static void
test_encode(void **state)
{
	static struct web_series series;
	json_t *got, *want;

	add_points(&series, 2, 1.5);
	series.points[1].corpus = 5;
	series.points[1].findings = 6;
	got = web_series_encode(&series);
	want = json_pack("{s:[f,f], s:[i,i], s:[i,i], s:[i,i], s:[i,i]}",
		"at_s", PAST_S + 0.0, PAST_S + 1.5, "coverage_bits", 0, 2,
		"execs", 0, 1, "corpus", 0, 5, "findings", 0, 6);
	assert_true(json_equal(got, want));
	json_decref(got);
	json_decref(want);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_encode),
	};

	return cmocka_run_group_tests_name("web_series", tests, NULL, NULL);
}
