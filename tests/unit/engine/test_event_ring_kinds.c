/*
 * test_events_kinds: events of some kinds alone, and when they happened.
 */
#include "engine/event_ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static struct events *
some_events(void)
{
	struct events *events = events_create();

	events_add(events, "find", 1, "coverage +3 bits", "3fa9c177d0aa9b01");
	events_add(events, "crash", 2, "SIGSEGV in next_chunk", "90be77c2");
	events_add(events, "hang", 3, "hang in inflate_block", "d2204f11");
	events_add(events, "finds", 4, "no such kind", "");
	return events;
}

static void
test_kinds(void **state)
{
	static const struct {
		const char *kinds, *filter;
		uint64_t n, first; /* number of the first */
	} rows[] = {
		{ "", "", 4, 1 },
		{ "find", "", 1, 1 },
		{ "crash hang oom", "", 2, 2 },
		{ "  hang  ", "", 1, 3 },
		{ "oom", "", 0, 0 },
		{ "fin", "", 0, 0 },
		{ "crash hang", "inflate", 1, 3 },
		{ "find", "inflate", 0, 0 },
		{ "", "inflate", 1, 3 },
	};
	struct events *events = some_events();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t n;

		events_choose_kinds(events, rows[i].kinds);
		n = events_match(events, rows[i].filter);
		if (n != rows[i].n)
			fail_msg("`%s` and `%s`: %lu", rows[i].kinds,
				rows[i].filter, (unsigned long)n);
		if (n > 0)
			assert_int_equal(events_matching(events, 0),
				rows[i].first);
	}
	events_destroy(events);
}

/* What comes later is looked at as well. */
static void
test_later(void **state)
{
	struct events *events = some_events();

	(void)state;
	events_choose_kinds(events, "crash");
	assert_int_equal(events_match(events, ""), 1);
	events_add(events, "crash", 5, "another", "");
	events_add(events, "find", 5, "another", "");
	assert_int_equal(events_match(events, ""), 2);
	assert_int_equal(events_matching(events, 1), 5);
	events_destroy(events);
}

static void
test_when(void **state)
{
	double now = (double)time(NULL);
	struct events *events = some_events();
	struct snapshot_event event;

	(void)state;
	events_get(events, 2, &event);
	assert_true(event.wall_s >= now && event.wall_s < now + 60);
	assert_string_equal(event.about, "90be77c2");
	events_destroy(events);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_later),
		cmocka_unit_test(test_when),
	};

	return cmocka_run_group_tests_name("events_kinds", tests, NULL, NULL);
}
