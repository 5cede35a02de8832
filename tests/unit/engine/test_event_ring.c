/*
 * test_events: the newest are kept, and those that match a filter are known.
 */
#include "engine/event_ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct events *
filled(uint64_t n)
{
	struct events *events = events_create();
	char text[64];

	for (uint64_t i = 1; i <= n; i++) {
		snprintf(text, sizeof(text), "event %llu",
			(unsigned long long)i);
		events_add(events, i % 3 == 0 ? "crash" : "find", (double)i,
			text, i % 3 == 0 ? "90be77c2" : "3fa9c1");
	}
	return events;
}

static void
test_newest_are_kept(void **state)
{
	static const uint64_t counts[] = { 0, 1, 63, EVENTS_MAX - 1, EVENTS_MAX,
		EVENTS_MAX + 1, 3 * EVENTS_MAX + 7 };
	struct snapshot_event event;
	struct events *events;
	char text[64];
	uint64_t kept;

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		events = filled(counts[i]);
		kept = events_kept(events);
		assert_int_equal(events_ever(events), counts[i]);
		assert_int_equal(kept,
			counts[i] < EVENTS_MAX ? counts[i] : EVENTS_MAX);
		for (uint64_t seq = counts[i] - kept + 1; seq <= counts[i];
			seq++) {
			snprintf(text, sizeof(text), "event %llu",
				(unsigned long long)seq);
			events_get(events, seq, &event);
			assert_int_equal(event.seq, seq);
			assert_string_equal(event.text, text);
			assert_true(event.at_s == (double)seq);
		}
		events_destroy(events);
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
	struct events *events = filled(100);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(events_match(events, rows[i].filter),
			rows[i].n);
		if (rows[i].n > 0)
			assert_int_equal(events_matching(events, 0),
				rows[i].first);
	}
	events_destroy(events);
}

/* What matches is found as it comes, and leaves with what the ring drops. */
static void
test_matches_move_on(void **state)
{
	struct events *events = filled(EVENTS_MAX);
	uint64_t n = events_match(events, "crash");

	(void)state;
	assert_int_equal(n, EVENTS_MAX / 3);
	assert_int_equal(events_matching(events, 0), 3);
	for (uint64_t i = 0; i < 2 * EVENTS_MAX; i++) {
		events_add(events, i % 2 == 0 ? "crash" : "warm", 0, "", "");
		if (i % 1000 == 0)
			events_match(events, "crash");
	}
	assert_int_equal(events_match(events, "crash"), EVENTS_MAX / 2);
	assert_true(events_matching(events, 0) > 2 * EVENTS_MAX);
	/* A long time without a question. */
	for (uint64_t i = 0; i < 2 * EVENTS_MAX; i++)
		events_add(events, "warm", 0, "", "");
	assert_int_equal(events_match(events, "crash"), 0);
	assert_int_equal(events_match(events, "warm"), EVENTS_MAX);
	events_destroy(events);
}

static void
test_texts_are_clean(void **state)
{
	struct events *events = events_create();
	char text[1000];
	struct snapshot_event event;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	events_add(events, "find\033[31m", 1, text, text);
	events_get(events, 1, &event);
	assert_string_equal(event.kind, "find\\x1b[31m");
	assert_int_equal(strlen(event.text), sizeof(event.text) - 1);
	assert_int_equal(strlen(event.about), sizeof(event.about) - 1);
	events_destroy(events);
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
