/*
 * Screens of the workers view as text, see screen.h.
 */
#include "screen.h"

/* clang-format off */
static const struct screen_case cases[] = {
	{ "none", "ended", NULL, KEYS_COMMON },
	{ "busy", "busy", NULL, KEYS_COMMON },
	{ "detail", "busy", "down open", KEYS_COMMON },
	{ "no-fork", "no-coverage", "open", KEYS_COMMON },
	{ "stopping", "stopping", "down open", KEYS_COMMON },
	{ "many-workers", "many-workers", NULL, KEYS_COMMON },
	{ "sorted", "many-workers", "sort sort sort sort sort sort sort sort-reverse end", KEYS_COMMON },
	{ "hostile", "hostile", "open", KEYS_COMMON },
};
/* clang-format on */

static void
test_commands(void **state)
{
	struct screen screen;

	(void)state;
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
	screen_close(&screen);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int
main(void)
{
	const struct CMUnitTest more[] = {
		cmocka_unit_test(test_commands),
	};

	return screen_run(&view_workers, cases, COUNT(cases), more,
		COUNT(more));
}
