/*
 * Screens of the findings view as text, see screen.h.
 */
#include "screen.h"

/* clang-format off */
static const struct screen_case cases[] = {
	{ "none", "no-coverage", NULL, KEYS_COMMON },
	{ "nothing-ran", "empty", NULL, KEYS_COMMON },
	{ "busy", "busy", NULL, KEYS_COMMON },
	{ "detail", "busy", "down down open", KEYS_COMMON },
	{ "flaky", "busy", "open", KEYS_COMMON },
	{ "many", "many-workers", "page-down", KEYS_COMMON },
	{ "hostile", "hostile", "open", KEYS_COMMON },
};
/* clang-format on */

static void
test_commands(void **state)
{
	struct screen screen;

	(void)state;
	screen_open(&screen, &view_findings, "busy");
	screen_draw(&screen, 80, 24, false);
	assert_true(screen_command(&screen, "minimize"));
	assert_string_equal(screen.sent, "minimize 90be77c2");
	assert_true(screen_command(&screen, "down"));
	assert_true(screen_command(&screen, "replay"));
	assert_string_equal(screen.sent, "replay d2204f11");
	assert_true(screen_command(&screen, "ignore"));
	assert_string_equal(screen.sent, "ignore d2204f11");
	assert_false(screen_command(&screen, "sort"));
	screen_close(&screen);
}

/* Without a finding there is nothing to send. */
static void
test_commands_none(void **state)
{
	struct screen screen;

	(void)state;
	screen_open(&screen, &view_findings, "no-coverage");
	assert_true(screen_command(&screen, "minimize"));
	assert_string_equal(screen.sent, "");
	assert_true(screen_command(&screen, "down"));
	screen_close(&screen);
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

int
main(void)
{
	const struct CMUnitTest more[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_commands_none),
	};

	return screen_run(&view_findings, cases, COUNT(cases), more,
		COUNT(more));
}
