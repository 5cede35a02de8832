/* test_rlimits: how many descriptors are kept for what a campaign needs. */

#include "base/rlimits.h"

#include <sys/resource.h>

#include "lib/rows.h"

/* clang-format off */
static const struct spare_row {
	const char *name;
	rlim_t limit;
	int fd;
	bool spared;
} SPARES[] = {
	{ "the last of a usual limit", 1024, 959, true },
	{ "one beyond", 1024, 960, false },
	{ "where 64 are a third", 192, 127, true },
	{ "one beyond, there", 192, 128, false },
	{ "a low limit", 64, 42, true },
	{ "one beyond, there", 64, 43, false },
	{ "the limit itself", 64, 64, false },
};
/* clang-format on */

static void
test_spare(void **state)
{
	struct rlimit before, limit;
	const struct spare_row *row;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	for (row = SPARES; row < SPARES + ROWS(SPARES); row++) {
		if (row->limit > before.rlim_max)
			continue; /* this machine allows fewer */
		limit = before;
		limit.rlim_cur = row->limit;
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
		row_check(rlimits_can_spare(row->fd) == row->spared, "%s",
			row->name);
	}
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spare),
	};

	return cmocka_run_group_tests_name("base/rlimits", tests, NULL, NULL);
}
