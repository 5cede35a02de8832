/*
 * test_worker_history: which states of a worker are recorded.
 */
#include "worker/worker_history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MS 1000000u

/* Each letter is a state; a long time passes after '+', else a short one. */
static void
note_all(struct worker_history *history, const char *states)
{
	static const char letters[] = "dsifmrpx";
	uint64_t now = 0;

	for (const char *at = states; *at != '\0'; at++) {
		if (*at == '+') {
			now += 1000 * (uint64_t)MS;
			continue;
		}
		now += MS;
		worker_history_note(history,
			(enum worker_view_state)(
				strchr(letters, *at) - letters),
			now, at);
	}
}

static void
told(const struct worker_history *history, char *buf, size_t size)
{
	static const char letters[] = "dsifmrpx";
	const struct worker_moment *moment;
	uint32_t n = 0;

	for (; worker_history_get(history, n) != NULL; n++)
		;
	assert_true(n < size);
	buf[n] = '\0';
	for (uint32_t i = 0; i < n; i++) {
		moment = worker_history_get(history, i);
		buf[n - 1 - i] = letters[moment->state];
	}
}

static void
test_what_is_told(void **state)
{
	static const struct {
		const char *states, *told;
	} rows[] = {
		{ "", "" },
		{ "s", "s" },
		{ "sif", "sf" },            /* idle for a moment */
		{ "si+f", "sif" },          /* idle for long */
		{ "sififififif", "sf" },    /* many calls */
		{ "sififirif", "sfrf" },    /* with a replay in between */
		{ "si+fifi+fif", "sifif" }, /* without a job in between */
		{ "sifipf", "sfpf" },       /* a pause */
		{ "sifppp", "sfp" },        /* the same again */
		{ "sifxxdsif", "sfxdsf" },  /* another process */
		{ "sifi", "sfi" },          /* it is idle now */
		{ "i", "i" },
		{ "if", "f" },
	};
	char buf[QUERY_STATES_MAX + 1];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct worker_history history = { .n = 0 };

		note_all(&history, rows[i].states);
		told(&history, buf, sizeof(buf));
		assert_string_equal(buf, rows[i].told);
	}
}

/* Start and reason are those of the first of many equal states. */
static void
test_beginning(void **state)
{
	struct worker_history history = { .n = 0 };
	const struct worker_moment *moment;

	worker_history_note(&history, WORKER_VIEW_FUZZING, 5 * MS, "call");
	worker_history_note(&history, WORKER_VIEW_IDLE, 100 * MS, "waits");
	worker_history_note(&history, WORKER_VIEW_FUZZING, 101 * MS, "again");
	moment = worker_history_get(&history, 0);
	assert_int_equal(moment->at_ns, 5 * MS);
	assert_string_equal(moment->why, "call");
	assert_null(worker_history_get(&history, 1));
}

static void
test_ring(void **state)
{
	struct worker_history history = { .n = 0 };
	char why[300];

	for (uint64_t i = 0; i < 1000; i++) {
		snprintf(why, sizeof(why), "%llu\033%0200d",
			(unsigned long long)i, 0);
		worker_history_note(&history,
			i % 2 == 0 ? WORKER_VIEW_FUZZING : WORKER_VIEW_PAUSED,
			i, why);
	}
	assert_int_equal(worker_history_get(&history, 0)->at_ns, 999);
	assert_int_equal(
		worker_history_get(&history, QUERY_STATES_MAX - 1)->at_ns,
		1000 - QUERY_STATES_MAX);
	assert_null(worker_history_get(&history, QUERY_STATES_MAX));
	assert_memory_equal(worker_history_get(&history, 0)->why, "999\\x1b0",
		8);
}

/* Removing the newest state has not cost the oldest one. */
static void
test_full_ring(void **state)
{
	struct worker_history history = { .n = 0 };
	const uint32_t last = QUERY_STATES_MAX - 1;
	uint64_t i;

	for (i = 0; i < QUERY_STATES_MAX; i++)
		worker_history_note(&history,
			i % 2 == 0 ? WORKER_VIEW_PAUSED : WORKER_VIEW_FUZZING,
			i, "");
	worker_history_note(&history, WORKER_VIEW_IDLE, i, "");
	worker_history_note(&history, WORKER_VIEW_FUZZING, i + 1, "");
	assert_int_equal(worker_history_get(&history, 0)->at_ns, i - 1);
	assert_int_equal(worker_history_get(&history, last)->at_ns, 0);
	assert_null(worker_history_get(&history, QUERY_STATES_MAX));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_told),
		cmocka_unit_test(test_beginning),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_full_ring),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
