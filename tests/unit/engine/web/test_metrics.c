/*
 * A snapshot as metrics, and the series of points behind the curve.
 */
#include "engine/web/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/web/web_series.h"
#include "lib/rows.h"

static const char *const LINES[] = {
	"cfuzz_info{version=\"" CFUZZ_VERSION
	"\",target=\"./a \\\"b\\\" \\\\ \\nc\"} 1\n",
	"cfuzz_fuzzing 1\n",
	"# TYPE cfuzz_executions_total counter\ncfuzz_executions_total "
	"18446744073709551615\n",
	"cfuzz_executions_per_second 1.25e+06\n",
	"cfuzz_stability_ratio 0.985\n",
	"cfuzz_findings{kind=\"hang\"} 3\n",
	"# HELP cfuzz_failures_total Executions of all runs of the campaign that "
	"failed.\n# TYPE cfuzz_failures_total counter\n",
	"cfuzz_failures_total{kind=\"leak\"} 9\n",
	"\ncfuzz_workers 2\n",
	"cfuzz_workers_memory_bytes 5120\n",
	"cfuzz_worker_deaths_total 11\n",
};

static char *
metrics_of(const struct snapshot *s)
{
	struct evbuffer *buffer = evbuffer_new();
	size_t len;
	char *text;

	metrics_write(s, buffer);
	len = evbuffer_get_length(buffer);
	text = calloc(1, len + 1);
	evbuffer_remove(buffer, text, len);
	evbuffer_free(buffer);
	return text;
}

static void
test_text(void **state)
{
	struct snapshot_worker workers[2] = { { .rss_kb = 2, .deaths = 4 },
		{ .rss_kb = 3, .deaths = 7 } };
	struct snapshot s;
	char *text;

	snapshot_init(&s);
	strcpy(s.target, "./a \"b\" \\ \nc");
	s.state = RUN_FUZZING;
	s.execs = UINT64_MAX;
	s.execs_per_sec = 1250000;
	s.stability = 98.5;
	s.hangs = 3;
	s.leaks_seen = 9;
	s.last_find_s = -1;
	s.workers = workers;
	s.workers_n = 2;
	text = metrics_of(&s);
	for (size_t i = 0; i < ROWS(LINES); i++)
		row_check(strstr(text, LINES[i]) != NULL, "%s in:\n%s",
			LINES[i], text);
	assert_null(strstr(text, "cfuzz_last_new_input_seconds"));
	free(text);
	s.last_find_s = 2.5;
	text = metrics_of(&s);
	assert_non_null(strstr(text, "\ncfuzz_last_new_input_seconds 2.5\n"));
	free(text);
}

/* However long it runs: bounded, in order, evenly, with both ends. */
static void
test_series(void **state)
{
	static const struct {
		const char *name;
		size_t seconds, least;
	} rows[] = {
		{ "a moment", 1, 1 },
		{ "a few", 10, 10 },
		{ "full", WEB_SERIES_MAX, WEB_SERIES_MAX },
		{ "one more", WEB_SERIES_MAX + 1, WEB_SERIES_MAX / 2 },
		{ "a day", 86400, WEB_SERIES_MAX / 2 },
	};
	struct snapshot s;

	snapshot_init(&s);
	for (size_t i = 0; i < ROWS(rows); i++) {
		struct web_series *series = calloc(1, sizeof(*series));
		json_t *json;

		for (size_t t = 0; t < rows[i].seconds; t++) {
			s.elapsed_s = (double)t;
			s.coverage_bits = t;
			web_series_add(series, &s);
		}
		row_check(series->n >= rows[i].least &&
				series->n <= WEB_SERIES_MAX,
			"%s: %zu points", rows[i].name, series->n);
		row_check(series->points[0].bits == 0 &&
				series->points[series->n - 1].bits ==
					rows[i].seconds - 1,
			"%s: the ends", rows[i].name);
		for (size_t k = 1; k + 1 < series->n; k++)
			row_check(series->points[k].at_s -
						series->points[k - 1].at_s ==
					series->step_s,
				"%s: point %zu", rows[i].name, k);
		json = web_series_encode(series);
		row_check(json_array_size(json_object_get(json, "at_s")) ==
				series->n,
			"%s", rows[i].name);
		json_decref(json);
		free(series);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
