/* Executions per second, with any clock and count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "engine/statistics/rate.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

/* A clock that stops or goes back, and counts at the ends of their range. */
static void
test_edges(void **state)
{
	static const uint64_t edges[] = { 0, 1, UINT32_MAX, UINT64_C(1) << 32,
		INT64_MAX, UINT64_C(1) << 63, UINT64_MAX - 1, UINT64_MAX };
	size_t i, k, m;

	for (i = 0; i < N(edges); i++)
		for (k = 0; k < N(edges); k++)
			for (m = 0; m < N(edges); m++) {
				struct rate r = { .n = 0 };
				double rate;

				rate_add(&r, edges[i], edges[k]);
				rate_add(&r, edges[m], edges[i]);
				rate = rate_get(&r, edges[k], edges[m]);
				assert_true(isfinite(rate) && rate >= 0);
				rate = rate_get(&r, edges[m], edges[k]);
				assert_true(isfinite(rate) && rate >= 0);
			}
}

static void
test_usual(void **state)
{
	struct rate r = { .n = 0 };
	uint64_t second = 1000000000u, i;

	assert_true(rate_get(&r, second, 100) == 0);
	for (i = 0; i < 100; i++)
		rate_add(&r, i * second / 4, i * 25);
	assert_true(fabs(rate_get(&r, 25 * second, 2500) - 100) < 0.01);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_usual),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
