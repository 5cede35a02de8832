/*
 * test_view_dashboard: the dashboard's screens as text, see screen.h.
 */
#include "lib/dump.h"
#include "lib/screen.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct screen_case cases[] = {
	{ "empty", "empty", NULL, KEYS_COMMON },
	{ "starting", "starting", NULL, KEYS_COMMON },
	{ "warm-up", "warm-up", NULL, KEYS_COMMON },
	{ "busy", "busy", NULL, KEYS_COMMON },
	{ "minimizing", "minimizing", NULL, KEYS_COMMON },
	{ "paused", "paused", NULL, KEYS_COMMON },
	{ "stopping", "stopping", NULL, KEYS_COMMON },
	{ "ended", "ended", NULL, KEYS_COMMON },
	{ "many-workers", "many-workers", NULL, KEYS_COMMON },
	{ "no-coverage", "no-coverage", NULL, KEYS_COMMON },
	{ "disk-full", "disk-full", NULL, KEYS_COMMON },
	{ "hostile", "hostile", NULL, KEYS_COMMON },
	{ "second-worker", "busy", "down", KEYS_COMMON },
};
/* clang-format on */

/* The console has the selection: moving sends it a line. */
static void
test_selects(void **state)
{
	struct screen screen;

	screen_open(&screen, &view_dashboard, "busy");
	screen_draw(&screen, 80, 24, false);
	assert_true(screen_command(&screen, "down"));
	assert_string_equal(screen.sent, "select 1");
	assert_true(screen_command(&screen, "open"));
	assert_string_equal(screen.sent, "view workers");
	assert_false(screen_command(&screen, "sort"));
	assert_false(screen_command(&screen, "no such command"));
	screen_close(&screen);
}

/* Values that are too old are dimmed, with a note. */
static void
test_stale(void **state)
{
	struct screen screen;
	char *text;

	screen_open(&screen, &view_dashboard, "busy");
	screen.model->stale_s = 3;
	screen_draw(&screen, 80, 24, false);
	text = grid_dump(screen.grid);
	assert_non_null(strstr(text, "no snapshot for 3 s"));
	assert_int_equal(grid_cell(screen.grid, 6, 2)->style, STYLE_STALE);
	free(text);
	screen_close(&screen);
}

/* A failed start is not told as one that goes on. */
static void
test_nothing_ran(void **state)
{
	struct screen screen;
	char *text;

	screen_open(&screen, &view_dashboard, "empty");
	screen.model->link = LINK_ENDED;
	for (int small = 0; small < 2; small++) {
		screen_draw(&screen, small ? 40 : 80, small ? 12 : 24, false);
		text = grid_dump(screen.grid);
		assert_non_null(strstr(text, "Nothing ran."));
		assert_null(strstr(text, "is being started"));
		free(text);
	}
	screen_close(&screen);
}

/* A hint that newer events have driven off takes the last row of them. */
static void
test_hint(void **state)
{
	struct screen screen;
	char *text;

	screen_open(&screen, &view_dashboard, "busy");
	screen.model->hint = (struct snapshot_event){
		.kind = "hint",
		.text = "faster with cfuzz-cc",
	};
	for (int small = 0; small < 2; small++) {
		screen_draw(&screen, small ? 40 : 80, small ? 12 : 24, false);
		text = grid_dump(screen.grid);
		assert_non_null(strstr(text, "hint      faster with"));
		assert_non_null(strstr(text, "new input +3 bits"));
		assert_null(strstr(text, "timeout 1s, was 2s"));
		free(text);
	}
	screen_close(&screen);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int
main(void)
{
	const struct CMUnitTest more[] = {
		cmocka_unit_test(test_selects),
		cmocka_unit_test(test_stale),
		cmocka_unit_test(test_nothing_ran),
		cmocka_unit_test(test_hint),
	};

	return screen_run(&view_dashboard, cases, COUNT(cases), more,
		COUNT(more));
}
