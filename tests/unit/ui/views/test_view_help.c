/*
 * test_view_help: the help view's screens as text, see screen.h.
 */
#include "lib/screen.h"

/* clang-format off */
static const struct screen_case cases[] = {
	{ "dashboard", "busy", NULL, KEYS_DASHBOARD },
	{ "findings", "busy", NULL, KEYS_FINDINGS },
	{ "end", "many-workers", "page-down down up end", KEYS_WORKERS },
	{ "nothing-yet", "empty", NULL, KEYS_COMMON },
	{ "hostile", "hostile", NULL, KEYS_COMMON },
};
/* clang-format on */

int
main(void)
{
	return screen_run(&view_help, cases, sizeof(cases) / sizeof(cases[0]),
		NULL, 0);
}
