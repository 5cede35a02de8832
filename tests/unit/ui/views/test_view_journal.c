/*
 * test_view_journal: the journal's screens as text (see screen.h), and its
 * queries.
 */
#include "lib/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/xmalloc.h"

/* clang-format off */
static const struct screen_case cases[] = {
	{ "nothing-ran", "empty", NULL, KEYS_COMMON },
	{ "asked", "busy", NULL, KEYS_COMMON },
	{ "following", "busy", "<journal", KEYS_COMMON },
	{ "scrolled", "busy", "<journal up up up", KEYS_COMMON },
	{ "detail", "busy", "<journal open", KEYS_COMMON },
	{ "findings", "busy", "<journal kind kind <journal-findings open",
	  KEYS_COMMON },
	{ "no-such-kind", "busy", "<journal kind kind <journal-none",
	  KEYS_COMMON },
};
/* clang-format on */

/* ---- an engine with a growing journal ---- */

struct growing {
	uint64_t n;       /* events so far */
	uint64_t dropped; /* the oldest of them */
	struct query last;
	double at_s; /* of each event */
};

static void
growing_answer(const struct query *query, struct reply *reply, void *arg)
{
	struct growing *growing = arg;
	struct reply_journal *journal = &reply->journal;
	uint64_t kept = growing->n - growing->dropped;

	growing->last = *query;
	journal->total = journal->matching = kept;
	journal->dropped = growing->dropped;
	journal->first = query->first < kept ? query->first : kept;
	journal->rows = xcalloc(query->count, sizeof(*journal->rows));
	while (journal->rows_n < query->count &&
		journal->first + journal->rows_n < kept) {
		struct snapshot_event *event =
			&journal->rows[journal->rows_n++];

		event->seq =
			growing->dropped + journal->first + journal->rows_n;
		event->at_s = growing->at_s;
		snprintf(event->kind, sizeof(event->kind), "find");
		snprintf(event->text, sizeof(event->text), "number %llu.",
			(unsigned long long)event->seq);
	}
}

/* Answers until the queries do not change any more. */
static void
answer_all(struct screen *screen, struct growing *growing)
{
	for (int i = 0; i < 3; i++) {
		screen_draw(screen, 80, 24, false);
		screen_answer(screen, growing_answer, growing);
	}
}

static void
test_follow(void **state)
{
	struct growing growing = { .n = 10000 };
	struct screen screen;

	screen_open(&screen, &view_journal, "busy");
	answer_all(&screen, &growing);
	assert_true(screen_shows(&screen, 80, 24, "number 10000."));
	assert_true(screen_shows(&screen, 80, 24, "following"));
	growing.n += 7;
	answer_all(&screen, &growing);
	assert_true(screen_shows(&screen, 80, 24, "number 10007."));
	assert_true(screen_command(&screen, "up"));
	growing.n += 500;
	answer_all(&screen, &growing);
	assert_true(screen_shows(&screen, 80, 24, "number 10006."));
	assert_false(screen_shows(&screen, 80, 24, "number 10507."));
	assert_true(screen_shows(&screen, 80, 24, "End follows"));
	assert_true(screen_command(&screen, "end"));
	answer_all(&screen, &growing);
	assert_true(screen_shows(&screen, 80, 24, "number 10507."));
	assert_true(screen_shows(&screen, 80, 24, "following"));
	screen_close(&screen);
}

/* When the oldest events are dropped, the selected one stays visible. */
static void
test_dropped(void **state)
{
	struct growing growing = { .n = 1000 };
	struct screen screen;

	screen_open(&screen, &view_journal, "busy");
	answer_all(&screen, &growing);
	for (int i = 0; i < 10; i++) {
		assert_true(screen_command(&screen, "page-up"));
		answer_all(&screen, &growing);
	}
	assert_true(screen_shows(&screen, 80, 24, "number 815."));
	growing.n += 20;
	growing.dropped += 20;
	answer_all(&screen, &growing);
	assert_true(screen_shows(&screen, 80, 24, "number 815."));
	screen_close(&screen);
}

static void
test_kinds(void **state)
{
	struct growing growing = { .n = 100 };
	struct screen screen;

	screen_open(&screen, &view_journal, "busy");
	answer_all(&screen, &growing);
	assert_string_equal(growing.last.kinds, "");
	assert_true(screen_command(&screen, "kind"));
	answer_all(&screen, &growing);
	assert_non_null(strstr(growing.last.kinds, "find"));
	assert_true(screen_shows(&screen, 80, 24, "journal: new inputs"));
	filter_set(&screen.model->filters[KEYS_JOURNAL], "tile");
	answer_all(&screen, &growing);
	assert_string_equal(growing.last.filter, "tile");
	screen_close(&screen);
}

/* What shows other events closes the page of an event: it never turns to
 * another one, and takes no key when nothing is shown. */
static void
test_closes_page(void **state)
{
	static const struct {
		const char *command, *filter;
		uint64_t n; /* events, then */
	} rows[] = {
		{ "kind", "", 101 },
		{ "end", "", 101 },
		{ NULL, "zzz", 0 },
		{ NULL, "number", 101 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct growing growing = { .n = 100 };
		struct screen s;

		screen_open(&s, &view_journal, "busy");
		answer_all(&s, &growing);
		assert_true(screen_command(&s, "open"));
		answer_all(&s, &growing);
		if (rows[i].command != NULL)
			assert_true(screen_command(&s, rows[i].command));
		filter_set(&s.model->filters[KEYS_JOURNAL], rows[i].filter);
		growing.n = rows[i].n;
		answer_all(&s, &growing);
		assert_false(screen_command(&s, "back"));
		screen_close(&s);
	}
}

/* Kinds that the engine gives to its events; no class is cut. */
static void
test_classes(void **state)
{
	static const char *const classes[] = { "find reached unstable word",
		("crash hang oom leak suspect verified replayed regressed "
		 "merged finding findings"),
		"minimized", "worker", "operator limit" };
	struct growing growing = { .n = 100 };
	struct screen screen;

	screen_open(&screen, &view_journal, "busy");
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		char want[sizeof(growing.last.kinds)];

		snprintf(want, sizeof(want), "%s resume", classes[i]);
		assert_true(screen_command(&screen, "kind"));
		answer_all(&screen, &growing);
		assert_string_equal(growing.last.kinds, want);
	}
	screen_close(&screen);
}

/* Lines that open an event's entry or finding. */
static void
test_leads(void **state)
{
	static const struct {
		const char *about, *line;
	} rows[] = {
		{ "90be77c2", "view findings show 90be77c2" },
		{ "3fa9c177d0aa9b01",
			"view corpus entry 3fa9c177d0aa9b01 journal" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct query query = { .kind = QUERY_JOURNAL };
		struct reply reply = { .kind = QUERY_JOURNAL };
		struct screen screen;

		screen_open(&screen, &view_journal, "busy");
		reply.journal.total = reply.journal.matching = 1;
		reply.journal.rows_n = 1;
		reply.journal.rows = xcalloc(1, sizeof(*reply.journal.rows));
		snprintf(reply.journal.rows[0].about, 24, "%s", rows[i].about);
		screen.view->reply(screen.state, &query, &reply);
		assert_true(screen_command(&screen, "open"));
		assert_string_equal(screen.sent, "");
		assert_true(screen_command(&screen, "open"));
		assert_string_equal(screen.sent, rows[i].line);
		screen_close(&screen);
	}
}

static void
test_clock(void **state)
{
	struct screen screen;

	setenv("TZ", "UTC", 1);
	tzset();
	screen_open(&screen, &view_journal, "busy");
	screen_draw(&screen, 80, 24, false);
	screen_reply(&screen, "journal");
	assert_false(screen_shows(&screen, 80, 24, "06:40:00"));
	assert_true(screen_command(&screen, "clock"));
	assert_true(screen_shows(&screen, 80, 24, "06:40:00"));
	screen_close(&screen);
}

/* A time of more than a day is not cut. */
static void
test_days(void **state)
{
	struct growing growing = { .n = 3, .at_s = 10 * 86400 + 7384 };
	struct screen screen;

	screen_open(&screen, &view_journal, "busy");
	answer_all(&screen, &growing);
	assert_true(screen_shows(&screen, 80, 24, " 10d02:03 "));
	assert_true(screen_shows(&screen, 40, 24, " 10d02:03 "));
	screen_close(&screen);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int
main(void)
{
	const struct CMUnitTest more[] = {
		cmocka_unit_test(test_follow),
		cmocka_unit_test(test_dropped),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_closes_page),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_leads),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_days),
	};

	return screen_run(&view_journal, cases, COUNT(cases), more,
		COUNT(more));
}
