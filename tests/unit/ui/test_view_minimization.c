/*
 * Screens of the minimization view as text, see screen.h.
 */
#include "screen.h"

/* clang-format off */
static const struct screen_case cases[] = {
	{ "none", "busy", NULL, KEYS_COMMON },
	{ "nothing-yet", "starting", NULL, KEYS_COMMON },
	{ "minimizing", "minimizing", NULL, KEYS_COMMON },
	{ "second", "minimizing", "down", KEYS_COMMON },
	{ "hostile", "hostile", NULL, KEYS_COMMON },
};
/* clang-format on */

int
main(void)
{
	return screen_run(&view_minimization, cases,
		sizeof(cases) / sizeof(cases[0]), NULL, 0);
}
