/*
 * test_event_ring: the newest events are kept, and matches of a filter.
 */
#include "engine/log/event_ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct event_ring *
filled(uint64_t n)
{
	struct event_ring *events = event_ring_create();
	char text[64];

	for (uint64_t i = 1; i <= n; i++) {
		snprintf(text, sizeof(text), "event %llu",
			(unsigned long long)i);
		event_ring_add(events, i % 3 == 0 ? "crash" : "find", (double)i,
			text, i % 3 == 0 ? "90be77c2" : "3fa9c1");
	}
	return events;
}

static void
test_newest_are_kept(void **state)
{
	static const uint64_t counts[] = { 0, 1, 63, EVENT_RING_MAX - 1,
		EVENT_RING_MAX, EVENT_RING_MAX + 1, 3 * EVENT_RING_MAX + 7 };
	struct snapshot_event event;
	struct event_ring *events;
	char text[64];
	uint64_t kept;

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		events = filled(counts[i]);
		kept = event_ring_kept(events);
		assert_int_equal(event_ring_ever(events), counts[i]);
		assert_int_equal(kept,
			counts[i] < EVENT_RING_MAX ? counts[i]
						   : EVENT_RING_MAX);
		for (uint64_t seq = counts[i] - kept + 1; seq <= counts[i];
			seq++) {
			snprintf(text, sizeof(text), "event %llu",
				(unsigned long long)seq);
			event_ring_get(events, seq, &event);
			assert_int_equal(event.seq, seq);
			assert_string_equal(event.text, text);
			assert_true(event.at_s == (double)seq);
		}
		event_ring_destroy(events);
	}
}

static void
test_matches(void **state)
{
	static const struct {
		const char *filter;
		uint64_t n, first;
	} rows[] = {
		{ "", 100, 1 },
		{ "crash", 33, 3 },
		{ "CRASH event 8", 6, 18 },
		{ "90be", 33, 3 },
		{ "event 100", 1, 100 },
		{ "crash find", 0, 0 },
		{ "nothing", 0, 0 },
		{ "", 100, 1 },
	};
	struct event_ring *events = filled(100);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(event_ring_match(events, rows[i].filter),
			rows[i].n);
		if (rows[i].n > 0)
			assert_int_equal(event_ring_matching(events, 0),
				rows[i].first);
	}
	event_ring_destroy(events);
}

/* New matches are found, and old ones leave with the ring's events. */
static void
test_matches_move_on(void **state)
{
	struct event_ring *events = filled(EVENT_RING_MAX);
	uint64_t n = event_ring_match(events, "crash");

	assert_int_equal(n, EVENT_RING_MAX / 3);
	assert_int_equal(event_ring_matching(events, 0), 3);
	for (uint64_t i = 0; i < 2 * EVENT_RING_MAX; i++) {
		event_ring_add(events, i % 2 == 0 ? "crash" : "warm", 0, "",
			"");
		if (i % 1000 == 0)
			event_ring_match(events, "crash");
	}
	assert_int_equal(event_ring_match(events, "crash"), EVENT_RING_MAX / 2);
	assert_true(event_ring_matching(events, 0) > 2 * EVENT_RING_MAX);
	/* Many events between two queries. */
	for (uint64_t i = 0; i < 2 * EVENT_RING_MAX; i++)
		event_ring_add(events, "warm", 0, "", "");
	assert_int_equal(event_ring_match(events, "crash"), 0);
	assert_int_equal(event_ring_match(events, "warm"), EVENT_RING_MAX);
	event_ring_destroy(events);
}

static void
test_texts_are_clean(void **state)
{
	struct event_ring *events = event_ring_create();
	char text[1000];
	struct snapshot_event event;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	event_ring_add(events, "find\033[31m", 1, text, text);
	event_ring_get(events, 1, &event);
	assert_string_equal(event.kind, "find\\x1b[31m");
	assert_int_equal(strlen(event.text), sizeof(event.text) - 1);
	assert_int_equal(strlen(event.about), sizeof(event.about) - 1);
	event_ring_destroy(events);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_newest_are_kept),
		cmocka_unit_test(test_matches),
		cmocka_unit_test(test_matches_move_on),
		cmocka_unit_test(test_texts_are_clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
