/*
 * test_growth: reads the journal into few points, and keeps every new input.
 */
#include "lib/rows.h"
#include "store/growth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

static void
test_lines(void **state)
{
	static const char *const lines[] = {
		"{\"at_s\":0.0,\"event\":\"campaign\",\"seed\":3}",
		"{\"at_s\":0.5,\"event\":\"warm\",\"text\":\"a \\\"bits\\\":9\","
		"\"bits\":20}",
		"{\"at_s\":0.7,\"event\":\"find\",\"bits\":3,\"len\":8}",
		"{\"at_s\":8.5,\"event\":\"find\",\"bits\":1}",
		"{\"at_s\":9.5,\"event\":\"crash\",\"text\":"
		"\"\\\"event\\\":\\\"find\\\"\"}",
		"{\"at_s\":12.5,\"event\":\"end\",\"bits\":23}",
		"{\"at_s\":12.5,\"event\":\"resume\"}",
		"{\"at_s\":13.5,\"event\":\"warm\",\"bits\":22}",
		/* Invalid lines are ignored; time does not go back. */
		"{\"at_s\":nan,\"event\":\"find\",\"bits\":3}",
		"{\"at_s\":1e99,\"event\":\"find\",\"bits\":3}",
		"{\"at_s\":15,\"event\":\"find\",\"bits\":-3}",
		"{\"at_s\":15,\"event\":\"find\"}",
		"{\"event\":\"find\",\"bits\":3}",
		"{\"at_s\":2.5,\"event\":\"leak\"}",
		"{\"at_s\":9.5,\"event\":\"find\",\"bits\":0}",
	};
	static const struct snapshot_past want[] = {
		{ 0.7, 23, 1, 0 },
		{ 8.5, 24, 1, 0 },
		{ 9.5, 24, 0, 1 },
		{ 12.5, 23, 0, 0 },
		{ 13.5, 22, 1, 1 },
	};
	struct growth *g = calloc(1, sizeof(*g));

	for (size_t i = 0; i < ROWS(lines); i++)
		growth_take_line(g, lines[i]);
	assert_int_equal(g->n, ROWS(want));
	assert_true(g->find_s == 9.5);
	assert_true(g->gap_s == 8.5 - 0.7);
	for (size_t i = 0; i < ROWS(want); i++) {
		assert_true(g->points[i].at_s == want[i].at_s);
		assert_int_equal(g->points[i].bits, want[i].bits);
		assert_int_equal(g->points[i].finds, want[i].finds);
		assert_int_equal(g->points[i].findings, want[i].findings);
	}
	free(g);
}

/* However long it took: few points, all new inputs, and the shape of the
 * curve. */
static void
test_bounded(void **state)
{
	static const double gaps_s[] = { 0, 0.01, 1, 60, 3600, 1e5 };

	for (size_t i = 0; i < ROWS(gaps_s); i++) {
		struct growth *g = calloc(1, sizeof(*g));
		struct snapshot_past now = { .finds = 1 };
		uint64_t finds = 0;

		for (now.bits = 1; now.bits <= 9000; now.bits++) {
			growth_add(g, &now);
			now.at_s += gaps_s[i];
		}
		assert_true(g->n <= SNAPSHOT_PAST_MAX);
		assert_true(now.at_s < 1000 || g->n >= SNAPSHOT_PAST_MAX / 2);
		assert_int_equal(g->points[g->n - 1].bits, 9000);
		for (size_t k = 0; k < g->n; k++) {
			finds += g->points[k].finds;
			assert_int_equal(g->points[k].bits, finds);
			if (k > 0)
				assert_true(g->points[k].at_s >
					g->points[k - 1].at_s);
		}
		assert_int_equal(finds, 9000);
		free(g);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
