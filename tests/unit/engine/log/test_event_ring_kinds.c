/*
 * test_event_ring_kinds: filters by kind, and the time of events.
 */
#include "engine/log/event_ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static struct event_ring *
some_events(void)
{
	struct event_ring *events = event_ring_create();

	event_ring_add(events, "find", 1, "coverage +3 bits",
		"3fa9c177d0aa9b01");
	event_ring_add(events, "crash", 2, "SIGSEGV in next_chunk", "90be77c2");
	event_ring_add(events, "hang", 3, "hang in inflate_block", "d2204f11");
	event_ring_add(events, "finds", 4, "no such kind", "");
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
	struct event_ring *events = some_events();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t n;

		event_ring_choose_kinds(events, rows[i].kinds);
		n = event_ring_match(events, rows[i].filter);
		if (n != rows[i].n)
			fail_msg("`%s` and `%s`: %lu", rows[i].kinds,
				rows[i].filter, (unsigned long)n);
		if (n > 0)
			assert_int_equal(event_ring_matching(events, 0),
				rows[i].first);
	}
	event_ring_destroy(events);
}

/* Later events are filtered as well. */
static void
test_later(void **state)
{
	struct event_ring *events = some_events();

	event_ring_choose_kinds(events, "crash");
	assert_int_equal(event_ring_match(events, ""), 1);
	event_ring_add(events, "crash", 5, "another", "");
	event_ring_add(events, "find", 5, "another", "");
	assert_int_equal(event_ring_match(events, ""), 2);
	assert_int_equal(event_ring_matching(events, 1), 5);
	event_ring_destroy(events);
}

static void
test_when(void **state)
{
	double now = (double)time(NULL);
	struct event_ring *events = some_events();
	struct snapshot_event event;

	event_ring_get(events, 2, &event);
	assert_true(event.wall_s >= now && event.wall_s < now + 60);
	assert_string_equal(event.about, "90be77c2");
	event_ring_destroy(events);
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
