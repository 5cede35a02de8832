/*
 * test_view_workers: the workers view's screens as text, see screen.h.
 */
#include "lib/screen.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct screen_case cases[] = {
	{ "none", "ended", NULL, KEYS_COMMON },
	{ "busy", "busy", NULL, KEYS_COMMON },
	{ "detail", "busy", "down open <worker", KEYS_COMMON },
	{ "history", "busy", "down open <worker right", KEYS_COMMON },
	{ "output", "busy", "down open <worker right right", KEYS_COMMON },
	{ "options", "busy", "down open <worker left", KEYS_COMMON },
	{ "not-told", "busy", "down open right", KEYS_COMMON },
	{ "refused", "busy", "down open <worker-refused right", KEYS_COMMON },
	{ "another", "busy", "open <worker right", KEYS_COMMON },
	{ "nothing", "starting", "open <worker-nothing right", KEYS_COMMON },
	{ "no-fork", "no-coverage", "open", KEYS_COMMON },
	{ "stopping", "stopping", "down open", KEYS_COMMON },
	{ "many-workers", "many-workers", NULL, KEYS_COMMON },
	{ "sorted", "many-workers", "sort sort sort sort sort sort sort sort-reverse end", KEYS_COMMON },
	{ "hostile", "hostile", "open <worker-hostile right", KEYS_COMMON },
	{ "hostile-output", "hostile", "open <worker-hostile right right", KEYS_COMMON },
	{ "ladder", "stopping", NULL, KEYS_COMMON },
};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void
test_commands(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_workers, "many-workers");
	screen_draw(&screen, 80, 24, false);
	assert_true(screen_command(&screen, "end"));
	assert_string_equal(screen.sent, "select 63");
	assert_true(screen_command(&screen, "up"));
	assert_string_equal(screen.sent, "select 62");
	assert_false(screen_command(&screen, "back"));
	assert_true(screen_command(&screen, "open"));
	assert_true(screen_command(&screen, "back"));
	assert_false(screen_command(&screen, "stop-worker"));
	assert_false(screen_command(&screen, "right"));
	screen_close(&screen);
}

/* A worker that the filter hides cannot be paused or stopped; where it hides all,
 * no key for one is offered. */
static void
test_hidden(void **state)
{
	static const char *const commands[] = { "toggle-worker", "stop-worker",
		"open" };
	struct filter *filter;
	struct screen screen;

	screen_open(&screen, &view_workers, "many-workers");
	filter = &screen.model->filters[KEYS_WORKERS];
	for (size_t i = 0; i < COUNT(commands); i++) {
		screen.model->selected_worker = 5;
		filter_set(filter, "63");
		assert_true(screen_command(&screen, commands[i]));
		assert_string_equal(screen.sent, "select 22");
		assert_true(view_workers.offers(screen.state, screen.model,
			commands[i]));
		filter_set(filter, "no worker is called so");
		assert_true(screen_command(&screen, commands[i]));
		assert_string_equal(screen.sent, "");
		assert_false(view_workers.offers(screen.state, screen.model,
			commands[i]));
		assert_true(view_workers.offers(screen.state, screen.model,
			"filter"));
	}
	filter_set(filter, "63");
	screen.model->selected_worker = 63;
	assert_false(screen_command(&screen, "toggle-worker"));
	screen_close(&screen);
}

/* The first key selects the first row that the filter leaves. */
static void
test_hidden_rows(void **state)
{
	static const struct {
		const char *command, *sent;
	} rows[] = {
		{ "down", "select 22" },
		{ "up", "select 22" },
		{ "home", "select 22" },
		{ "row 1", "select 30" },
		{ "end", "select 63" },
	};
	struct screen screen;

	for (size_t i = 0; i < COUNT(rows); i++) {
		screen_open(&screen, &view_workers, "many-workers");
		screen.model->selected_worker = 5;
		filter_set(&screen.model->filters[KEYS_WORKERS], "63");
		screen_draw(&screen, 80, 24, false);
		assert_true(screen_command(&screen, rows[i].command));
		assert_string_equal(screen.sent, rows[i].sent);
		screen_close(&screen);
	}
}

/* Other views select workers, too, while the detail hides the rows. */
static void
test_selected_elsewhere(void **state)
{
	struct screen screen;
	uint32_t next;

	screen_open(&screen, &view_workers, "many-workers");
	screen_draw(&screen, 40, 12, false);
	assert_true(screen_command(&screen, "open"));
	screen_draw(&screen, 40, 12, false);
	next = screen.model->snapshot->workers[4].id;
	screen.model->selected_worker = screen.model->snapshot->workers[3].id;
	screen_draw(&screen, 40, 12, false);
	assert_true(screen_command(&screen, "down"));
	assert_int_equal(strtoul(screen.sent + strlen("select "), NULL, 10),
		next);
	screen_close(&screen);
}

/* Asks for the selected worker, and only while the detail is open. */
static void
test_wants(void **state)
{
	struct query queries[VIEW_QUERIES_MAX] = { 0 };
	struct screen screen;

	screen_open(&screen, &view_workers, "many-workers");
	screen_draw(&screen, 80, 24, false);
	assert_int_equal(view_workers.subscribe(screen.state, screen.model,
				 queries),
		0);
	screen.model->selected_worker = 5;
	assert_true(screen_command(&screen, "open"));
	assert_int_equal(view_workers.subscribe(screen.state, screen.model,
				 queries),
		1);
	assert_int_equal(queries[0].kind, QUERY_WORKER);
	assert_int_equal(queries[0].worker, 5);
	assert_true(queries[0].count > SNAPSHOT_INPUT);
	screen_close(&screen);
	screen_open(&screen, &view_workers, "ended");
	assert_true(screen_command(&screen, "open"));
	assert_int_equal(view_workers.subscribe(screen.state, screen.model,
				 queries),
		0);
	screen_close(&screen);
}

static void
test_one_find(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_workers, "busy");
	screen.model->snapshot->workers[0].finds = 1;
	assert_true(screen_command(&screen, "open"));
	assert_true(screen_shows(&screen, 80, 24, " 1 new input "));
	screen_close(&screen);
}

int
main(void)
{
	const struct CMUnitTest more[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_hidden_rows),
		cmocka_unit_test(test_selected_elsewhere),
		cmocka_unit_test(test_wants),
		cmocka_unit_test(test_one_find),
	};

	return screen_run(&view_workers, cases, COUNT(cases), more,
		COUNT(more));
}
