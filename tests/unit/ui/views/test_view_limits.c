/*
 * test_view_limits: the limits dialog's screens as text, see screen.h.
 */
#include "lib/rows.h"
#include "lib/screen.h"

#include <stdio.h>
#include <string.h>

#include "control/settings.h"
#include "ui/views/limit_dialog.h"

/* clang-format off */
static const struct screen_case cases[] = {
	{ "open", "busy", "limits", KEYS_COMMON },
	{ "selected", "busy", "limits end", KEYS_COMMON },
	{ "editing", "busy", "limits down down down open left", KEYS_COMMON },
	{ "refused", "busy", "limits down refuse", KEYS_COMMON },
	{ "agreed", "busy", "limits down agree", KEYS_COMMON },
	{ "none", "empty", "limits", KEYS_COMMON },
	{ "hostile", "hostile", "limits open", KEYS_COMMON },
};
/* clang-format on */

/* The dialog as a view. */
static void *
dialog_create(void)
{
	return NULL;
}

static void
dialog_destroy(void *state)
{
}

static void
dialog_draw(void *state, const struct model *model, struct grid *grid,
	struct rect area)
{
	limit_dialog_draw(model, grid, area);
}

static bool
dialog_command(void *state, const struct model *model, const char *command,
	char *send)
{
	struct model *own = (struct model *)model;

	if (strcmp(command, "limits") == 0)
		limit_dialog_open(own);
	else if (strcmp(command, "refuse") == 0)
		limit_dialog_answer(own, false,
			"timeout: \"soon\" is no time: 250ms and 1s are");
	else if (strcmp(command, "agree") == 0)
		limit_dialog_answer(own, true, "timeout is now 250ms, was 1s");
	else
		return limit_dialog_command(own, command, send);
	return true;
}

static const struct view_ops dialog = {
	.name = "limits",
	.title = "Limits",
	.context = KEYS_LIMITS,
	.create = dialog_create,
	.destroy = dialog_destroy,
	.draw = dialog_draw,
	.command = dialog_command,
};

/* The name is what `:set` wants. */
static void
test_names(void **state)
{
	const struct option *option;
	struct snapshot_limit *limit;
	struct screen screen;
	int i;

	screen_open(&screen, &dialog, "busy");
	screen_command(&screen, "limits");
	limit = &screen.model->snapshot->limits[0];
	for (i = 0; i < OPT_COUNT_; i++) {
		option = settings_option((enum option_id)i);
		if (!(option->flags & (OPTION_LIVE | OPTION_TARGET)))
			continue;
		snprintf(limit->name, sizeof(limit->name), "%s", option->name);
		row_check(screen_shows(&screen, 80, 24, option->name), "%s",
			option->name);
	}
	screen_close(&screen);
}

int
main(void)
{
	const struct CMUnitTest more[] = {
		cmocka_unit_test(test_names),
	};

	return screen_run(&dialog, cases, sizeof(cases) / sizeof(cases[0]),
		more, sizeof(more) / sizeof(more[0]));
}
