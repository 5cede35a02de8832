/* test_rlimits: how many descriptors are kept for what a campaign needs, and
 * which limit is named when memory runs out. */

#include "base/rlimits.h"

#include <errno.h>
#include <string.h>
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

#define NONE RLIM_INFINITY
#define TB ((rlim_t)1 << 40)

/* clang-format off */
static const struct memory_row {
	const char *name;
	rlim_t data, space;
	const char *text;
} MEMORY[] = {
	{ "no limit", NONE, NONE, "Cannot allocate memory" },
	{ "data", TB, NONE,
	  "Cannot allocate memory; `ulimit -d` is 1073741824 KB: raise it" },
	{ "address space", NONE, TB,
	  "Cannot allocate memory; `ulimit -v` is 1073741824 KB: raise it" },
	{ "less data", TB, 2 * TB,
	  "Cannot allocate memory; `ulimit -d` is 1073741824 KB: raise it" },
	{ "less address space", 2 * TB, TB,
	  "Cannot allocate memory; `ulimit -v` is 1073741824 KB: raise it" },
};
/* clang-format on */

static void
test_memory(void **state)
{
	struct rlimit data, space, limit;
	const struct memory_row *row;
	char text[RLIMITS_TEXT_MAX];

	assert_int_equal(getrlimit(RLIMIT_DATA, &data), 0);
	assert_int_equal(getrlimit(RLIMIT_AS, &space), 0);
	if (data.rlim_max != NONE || space.rlim_max != NONE)
		skip(); /* this machine allows less */
	for (row = MEMORY; row < MEMORY + ROWS(MEMORY); row++) {
		limit = (struct rlimit){ row->data, NONE };
		assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
		limit = (struct rlimit){ row->space, NONE };
		assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
		rlimits_text(ENOMEM, text, sizeof(text));
		assert_int_equal(setrlimit(RLIMIT_DATA, &data), 0);
		assert_int_equal(setrlimit(RLIMIT_AS, &space), 0);
		row_check(strcmp(text, row->text) == 0, "%s: %s", row->name,
			text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_spare),
	};

	return cmocka_run_group_tests_name("base/rlimits", tests, NULL, NULL);
}
