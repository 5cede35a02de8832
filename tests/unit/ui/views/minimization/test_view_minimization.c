/*
 * test_view_minimization: the minimization view's screens as text, see
 * screen.h.
 */
#include "lib/check.h"
#include "lib/dump.h"
#include "lib/screen.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "shared/minimize/minimize_phase.h"

/* clang-format off */
static const struct screen_case cases[] = {
	{ "none", "busy", NULL, KEYS_COMMON },
	{ "nothing-yet", "starting", NULL, KEYS_COMMON },
	{ "minimizing", "minimizing", NULL, KEYS_COMMON },
	{ "second", "minimizing", "down", KEYS_COMMON },
	{ "held", "stepping", "<minimization", KEYS_COMMON },
	{ "looking-back", "looking-back", "<minimization-back", KEYS_COMMON },
	{ "paced", "paced", "<minimization-readable", KEYS_COMMON },
	{ "queued", "queued", NULL, KEYS_COMMON },
	{ "hostile", "hostile", NULL, KEYS_COMMON },
	{ "hostile-reply", "hostile", "<minimization-hostile", KEYS_COMMON },
};
/* clang-format on */

static bool
is_shown(struct screen *screen, const char *text)
{
	char *dump;
	bool found;

	screen_draw(screen, 100, 30, false);
	dump = grid_dump(screen->grid);
	found = strstr(dump, text) != NULL;
	free(dump);
	return found;
}

/* Keys control the minimization that is shown. */
static void
test_steps(void **state)
{
	static const struct {
		const char *snapshot, *command, *sent;
	} rows[] = {
		{ "stepping", "step toggle", "step go d2204f11" },
		{ "paced", "step toggle", "step hold d2204f11" },
		{ "paced", "step next", "step next d2204f11" },
		{ "paced", "step accepted", "step accepted d2204f11" },
		{ "paced", "step back", "step back d2204f11" },
		{ "paced", "step undo", "step undo d2204f11" },
		{ "paced", "step skip", "step skip d2204f11" },
		{ "paced", "step accept", "step accept d2204f11" },
		{ "paced", "step slower", "step slower d2204f11" },
		{ "paced", "step faster", "step faster d2204f11" },
		{ "minimizing", "step next", "step next 90be77c2" },
		{ "busy", "step next", "step next" },
		{ "busy", "step toggle", "step hold" },
	};
	struct screen screen;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		screen_open(&screen, &view_minimization, rows[i].snapshot);
		screen_draw(&screen, 80, 24, false);
		assert_true(screen_command(&screen, rows[i].command));
		assert_string_equal(screen.sent, rows[i].sent);
		assert_false(screen_command(&screen, "step next other"));
		screen_close(&screen);
	}
}

/* Commands that would have an effect on the minimization that is shown. */
static void
test_offers(void **state)
{
	const struct view_ops *view = &view_minimization;
	struct snapshot_minimization *m;
	struct screen s;

	screen_open(&s, view, "stepping");
	m = s.model->snapshot->minimizations;
	m->tries = 1;
	m->accepted = 0;
	screen_draw(&s, 80, 24, false);
	assert_true(view->offers(s.state, s.model, "step next"));
	assert_true(view->offers(s.state, s.model, "step back"));
	assert_false(view->offers(s.state, s.model, "step undo"));
	m->tries = 0;
	screen_draw(&s, 80, 24, false);
	assert_false(view->offers(s.state, s.model, "step back"));
	m->accepted = m->tries = 1;
	screen_draw(&s, 80, 24, false);
	assert_true(view->offers(s.state, s.model, "step undo"));
	screen_close(&s);
	screen_open(&s, view, "busy");
	screen_draw(&s, 80, 24, false);
	assert_false(view->offers(s.state, s.model, "step next"));
	screen_close(&s);
}

/* The filter is for the list: what it hides runs all the same. */
static void
test_filtered(void **state)
{
	static const char *const filters[] = { "", "77d0aa", "no such" };
	struct screen s;

	screen_open(&s, &view_minimization, "minimizing");
	screen_draw(&s, 80, 24, false);
	screen_reply(&s, "minimization");
	for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		filter_set(&s.model->filters[KEYS_MINIMIZATION], filters[i]);
		assert_false(is_shown(&s, "ended"));
		assert_true(is_shown(&s, "inflate_block"));
		assert_true(screen_command(&s, "step next"));
		assert_string_equal(s.sent, "step next 90be77c2");
		assert_true(view_minimization.offers(s.state, s.model,
			"step next"));
	}
	assert_true(is_shown(&s, "filter: no such  0 of "));
	screen_close(&s);
}

/* A click on the only row that the filter leaves is for that row. */
static void
test_click_filtered(void **state)
{
	struct screen s;

	screen_open(&s, &view_minimization, "minimizing");
	screen_draw(&s, 80, 24, false);
	screen_reply(&s, "minimization");
	filter_set(&s.model->filters[KEYS_MINIMIZATION], "77d0aa");
	screen_draw(&s, 80, 24, false);
	assert_true(screen_click(&s, "keeps 3 bits"));
	assert_true(screen_command(&s, "step next"));
	assert_string_equal(s.sent, "step next 77d0aa10f2c3be91");
	screen_close(&s);
}

/* The filter hides the one that is shown: "down" leaves out no row. */
static void
test_filtered_rows(void **state)
{
	static const struct {
		const char *command, *sent;
	} rows[] = {
		{ "down", "step next 77d0aa10f2c3be91" },
		{ "up", "step next 77d0aa10f2c3be91" },
		{ "home", "step next 77d0aa10f2c3be91" },
		{ "row 1", "step next 77d0aa10f2c3be92" },
		{ "end", "step next 77d0aa10f2c3be92" },
	};
	struct snapshot *s;
	struct screen screen;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		screen_open(&screen, &view_minimization, "minimizing");
		s = (struct snapshot *)screen.model->snapshot;
		s->minimizations = xrealloc(s->minimizations,
			3 * sizeof(*s->minimizations));
		s->minimizations[2] = s->minimizations[1];
		s->minimizations[2].entry[15]++;
		s->minimizations_n = 3;
		screen_draw(&screen, 80, 24, false);
		filter_set(&screen.model->filters[KEYS_MINIMIZATION], "77d0");
		screen_draw(&screen, 80, 24, false);
		assert_true(screen_command(&screen, rows[i].command));
		assert_true(screen_command(&screen, "step next"));
		assert_string_equal(screen.sent, rows[i].sent);
		screen_close(&screen);
	}
}

/* The result stays until the user leaves the view. */
static void
test_ended(void **state)
{
	struct snapshot_minimization other = { .entry = "ffff0000",
		.title = "another one" };
	struct snapshot *s;
	struct screen screen;
	size_t n;

	screen_open(&screen, &view_minimization, "stepping");
	s = (struct snapshot *)screen.model->snapshot;
	screen_reply(&screen, "minimization");
	assert_true(is_shown(&screen, "held"));
	n = s->minimizations_n;
	s->minimizations_n = 0;
	assert_true(is_shown(&screen, "ended: 1 132 \u2192 96 bytes"));
	s->minimizations[0] = other;
	s->minimizations_n = n;
	assert_true(is_shown(&screen, "ended: 1 132 \u2192 96 bytes"));
	screen.model->now_s += 5;
	assert_true(is_shown(&screen, "another one"));
	assert_false(is_shown(&screen, "ended"));
	screen_close(&screen);
}

/* Accepted before its first try. */
static void
test_ended_without_tries(void **state)
{
	struct snapshot *s;
	struct screen screen;

	screen_open(&screen, &view_minimization, "stepping");
	s = (struct snapshot *)screen.model->snapshot;
	s->minimizations[0].tries = 0;
	s->minimizations[0].verdict[0] = '\0';
	screen_reply(&screen, "minimization-untried");
	assert_true(is_shown(&screen, "last: no verdict yet"));
	s->minimizations_n = 0;
	assert_true(is_shown(&screen, "ended: "));
	assert_false(is_shown(&screen, "verdict"));
	screen_close(&screen);
}

/* A minimization that the user asked for is shown once it is there. */
static void
test_wanted(void **state)
{
	struct screen screen;
	struct snapshot *s;
	size_t n;

	screen_open(&screen, &view_minimization, "minimizing");
	s = (struct snapshot *)screen.model->snapshot;
	n = s->minimizations_n;
	s->minimizations_n = 1;
	assert_true(screen_command(&screen, "show 77d0aa"));
	assert_true(screen_command(&screen, "step next"));
	assert_string_equal(screen.sent, "step next 77d0aa");
	assert_false(is_shown(&screen, "keeps 3 bits"));
	s->minimizations_n = n;
	assert_true(is_shown(&screen, "15 360 bytes"));
	screen_close(&screen);
}

/* One that was refused, or has ended, does not appear: the keys are for the one
 * that is shown. A silent engine may still begin it. */
static void
test_wanted_in_vain(void **state)
{
	static const struct {
		const char *name;
		bool go; /* it came with a place of another console */
		double later_s, stale_s;
		const char *sent;
	} rows[] = {
		{ "at once", false, 0, 0, "step next 77d0aa" },
		{ "later", false, 5, 0, "step next 90be77c2" },
		{ "silent", false, 5, 5, "step next 77d0aa" },
		{ "a place", true, 0, 0, "step next 77d0aa" },
		{ "a place, later", true, 5, 0, "step next 90be77c2" },
	};
	static const struct place place = { .item = "77d0aa" };
	struct snapshot *s;
	struct screen screen;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("%s\n", rows[i].name);
		screen_open(&screen, &view_minimization, "minimizing");
		s = (struct snapshot *)screen.model->snapshot;
		s->minimizations_n = 1;
		if (rows[i].go)
			view_minimization.go(screen.state, screen.model,
				&place);
		else
			assert_true(screen_command(&screen, "show 77d0aa"));
		screen.model->now_s += rows[i].later_s;
		screen.model->stale_s = rows[i].stale_s;
		assert_true(is_shown(&screen, "inflate_block"));
		assert_true(screen_command(&screen, "step next"));
		assert_string_equal(screen.sent, rows[i].sent);
		screen_close(&screen);
	}
}

/* One that the user asked for, and that ended before it could be shown, or before
 * its first try: what the engine said of it is shown. An event of another entry, of
 * another kind or of before says nothing. */
static void
test_outcome(void **state)
{
	static const char asked[] = "d2204f11";
	static const struct {
		const char *name;
		bool seen; /* before it ended */
		struct snapshot_event event;
		const char *shown;
	} rows[] = {
		{ "ended", false, { 1001, .kind = "minimized", .about = "%s" },
			"no time was left" },
		{ "before", false, { 999, .kind = "minimized", .about = "%s" },
			"Select a finding" },
		{ "another", false,
			{ 1001, .kind = "minimized", .about = "77d0aa" },
			"Select a finding" },
		{ "another kind", false,
			{ 1001, .kind = "limit", .about = "%s" },
			"Select a finding" },
		{ "seen", true, { 1001, .kind = "minimized", .about = "%s" },
			"no time was left" },
		{ "seen before", true,
			{ 999, .kind = "minimized", .about = "%s" },
			"No candidate was tried." },
	};
	struct snapshot_event events[2];
	struct snapshot_event *own;
	struct snapshot *s;
	struct screen screen;
	size_t own_n;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("%s\n", rows[i].name);
		screen_open(&screen, &view_minimization, "stepping");
		s = (struct snapshot *)screen.model->snapshot;
		own = s->events;
		own_n = s->events_n;
		events[0] = (struct snapshot_event){ 1000, .kind = "find" };
		events[1] = rows[i].event;
		if (strcmp(events[1].about, "%s") == 0)
			memcpy(events[1].about, asked, sizeof(asked));
		snprintf(events[1].text, sizeof(events[1].text),
			"not made smaller: no time was left");
		s->events = events;
		s->events_n = 1;
		s->minimizations[0].tries = 0;
		assert_true(screen_command(&screen, "show d2204f11"));
		if (rows[i].seen)
			screen_reply(&screen, "minimization-untried");
		s->minimizations_n = 0;
		s->events_n = 2;
		assert_int_equal(is_shown(&screen,
					 "Nothing is being minimized"),
			!rows[i].seen);
		assert_true(is_shown(&screen, rows[i].shown));
		s->events = own;
		s->events_n = own_n;
		screen_close(&screen);
	}
}

/* Without a reply, a minimization disappears when it ends. */
static void
test_untold(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_minimization, "stepping");
	assert_true(is_shown(&screen, "held"));
	((struct snapshot *)screen.model->snapshot)->minimizations_n = 0;
	assert_true(is_shown(&screen, "Nothing is being minimized"));
	screen_close(&screen);
}

/* Asks for the bytes around the cut, wherever it is. */
static void
test_window(void **state)
{
	static const struct {
		uint64_t cut, first;
	} rows[] = { { 0, 0 }, { 2047, 0 }, { 2048, 0 }, { 4096, 2048 },
		{ 100000, 96256 }, { UINT64_MAX, UINT64_MAX - 4095 } };
	struct query queries[VIEW_QUERIES_MAX];
	struct screen screen;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct query query = { .kind = QUERY_MINIMIZATION,
			.name = "d2204f11" };
		struct reply reply = { .kind = QUERY_MINIMIZATION };

		screen_open(&screen, &view_minimization, "stepping");
		screen_draw(&screen, 80, 24, false);
		reply.minimization.cut_offset = rows[i].cut;
		view_minimization.reply(screen.state, &query, &reply);
		memset(queries, 0, sizeof(queries));
		assert_int_equal(view_minimization.subscribe(screen.state,
					 screen.model, queries),
			1);
		assert_int_equal(queries[0].first, rows[i].first);
		screen_close(&screen);
	}
}

static void
phase_answer(const struct query *query, struct reply *reply, void *arg)
{
	const uint32_t *numbers = arg;

	reply->minimization.phase = numbers[0];
	reply->minimization.skipped = numbers[1];
}

/* The current phase alone where there is no room for all: none is cut. */
static void
test_phases(void **state)
{
	static const struct {
		uint32_t numbers[2]; /* the current phase, those skipped */
		int w;
		const char *shown;
	} rows[] = {
		{ { MINIMIZE_BLOCKS, 0 }, 80,
			"\u25b8 blocks tail bytes ranges readable  " },
		{ { MINIMIZE_READABLE, 0 }, 80,
			"\u2713 ranges \u25b8 readable " },
		{ { MINIMIZE_VALUE, 0 }, 80, "\u2502 \u25b8 value   " },
		{ { MINIMIZE_VALUE, 0 }, 120,
			"\u2713 readable \u25b8 value   " },
		{ { MINIMIZE_ZEROS, 0 }, 80, "\u2502 \u25b8 zeros   " },
		{ { MINIMIZE_RANGES, 1u << MINIMIZE_ZEROS }, 80,
			"\u2502 \u25b8 ranges   " },
		{ { MINIMIZE_RANGES, 1u << MINIMIZE_ZEROS }, 120,
			"\u2717 zeros \u25b8 ranges readable   " },
		/* Skipped for one argument, and tried for the next. */
		{ { MINIMIZE_BYTES, 1u << MINIMIZE_BYTES }, 80,
			"\u25b8 bytes ranges readable  " },
		{ { MINIMIZE_DONE, 0 }, 80, "\u2713 readable  \u2502" },
		{ { MINIMIZE_DONE, 0 }, 120, "\u2713 readable  done  " },
		{ { MINIMIZE_DONE, 1u << MINIMIZE_VALUE }, 80,
			"\u2502 \u2713 done   " },
	};
	struct screen screen;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		screen_open(&screen, &view_minimization, "stepping");
		screen_draw(&screen, 80, 24, false);
		screen_answer(&screen, phase_answer, (void *)rows[i].numbers);
		check(screen_shows(&screen, rows[i].w, 24, rows[i].shown),
			"row %zu: `%s`", i, rows[i].shown);
		screen_close(&screen);
	}
}

/* The start is cut once more while the best input is shown. */
static void
again_answer(const struct query *query, struct reply *reply, void *arg)
{
	reply->minimization = (struct reply_minimization){
		.phase = MINIMIZE_AGAIN,
		.at = 40,
		.last = 40,
		.position = 425,
		.phase_len = 705,
		.start_len = 3557,
		.best_len = 19,
	};
}

static bool
has_field(const struct screen *screen, const char *label)
{
	const struct hot_spots *spots = grid_hot_spots(screen->grid);
	bool found = false;

	for (size_t i = 0; i < spots->n; i++)
		found |= spots->items[i].kind == HOT_SPOT_FIELD &&
			strcmp(spots->items[i].text, label) == 0;
	return found;
}

static void
test_again(void **state)
{
	static const struct {
		const char *name, *snapshot;
		bool answer;
		const char *shown;
	} rows[] = {
		{ "its length", "stepping", true, "position 425 of 705 " },
		{ "the bytes", "stepping", true,
			"best so far; the start is cut once more" },
		{ "looking back", "looking-back", true,
			"the best then; the start is cut once more" },
		{ "no length yet", "stepping", false, "position 1 024   " },
		{ "the bytes alone", "stepping", false,
			"best so far; the start is cut once more" },
	};
	struct snapshot *s;
	struct screen screen;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		screen_open(&screen, &view_minimization, rows[i].snapshot);
		s = (struct snapshot *)screen.model->snapshot;
		s->minimizations[0].phase = MINIMIZE_AGAIN;
		s->minimizations[0].position = 1024;
		screen_draw(&screen, 100, 30, false);
		if (rows[i].answer)
			screen_answer(&screen, again_answer, NULL);
		check(is_shown(&screen, rows[i].shown), "%s", rows[i].name);
		assert_false(is_shown(&screen, "highlighted"));
		assert_true(has_field(&screen, "phase"));
		screen_close(&screen);
	}
}

/* A snapshot has no cut of another input than the best. */
static void
test_again_seen(void **state)
{
	struct snapshot_minimization *m;
	struct screen screen;

	screen_open(&screen, &view_minimization, "stepping");
	m = screen.model->snapshot->minimizations;
	m->phase = MINIMIZE_AGAIN;
	m->cut_len = 0;
	m->tries++;
	m->best_len = 19;
	minimization_series_list_add(&screen.model->minimizations,
		screen.model->snapshot);
	assert_true(is_shown(&screen, "accepted"));
	assert_false(is_shown(&screen, "19 \u2192 19"));
	screen_close(&screen);
}

int
main(void)
{
	const struct CMUnitTest more[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_offers),
		cmocka_unit_test(test_filtered),
		cmocka_unit_test(test_click_filtered),
		cmocka_unit_test(test_filtered_rows),
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_ended_without_tries),
		cmocka_unit_test(test_wanted),
		cmocka_unit_test(test_wanted_in_vain),
		cmocka_unit_test(test_outcome),
		cmocka_unit_test(test_untold),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_phases),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_again_seen),
	};

	return screen_run(&view_minimization, cases,
		sizeof(cases) / sizeof(cases[0]), more,
		sizeof(more) / sizeof(more[0]));
}
