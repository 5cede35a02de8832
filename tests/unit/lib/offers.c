/*
 * offers: see offers.h.
 */
#include "lib/offers.h"
#include "lib/dump.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "control/command.h"
#include "ui/console/explain.h"
#include "ui/console/screen_footer.h"
#include "ui/model/action.h"
#include "ui/term/hot_spot.h"

static const int offers_sizes[][2] = { { 40, 12 }, { 80, 24 }, { 120, 40 },
	{ 200, 60 } };
#define OFFERS_SIZES (sizeof(offers_sizes) / sizeof(offers_sizes[0]))

/* What it looks like at all sizes. */
static char *
offers_look(struct screen *s)
{
	char *all = xstrdup("");

	for (size_t i = 0; i < OFFERS_SIZES; i++) {
		char *one, *more;

		screen_draw(s, offers_sizes[i][0], offers_sizes[i][1], false);
		one = grid_dump(s->grid);
		more = xasprintf("%s%s", all, one);
		free(one);
		free(all);
		all = more;
	}
	return all;
}

/* A line that the console or the engine knows; see console_line(). */
static bool
offers_known(const char *line)
{
	char name[32];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(line, " "), line);
	return action_find(name) != NULL || command_find(name) != NULL;
}

/* The view does something, says something, or leaves it to who can. */
static void
offers_try(struct screen *s, const struct key_row *row)
{
	char *before = offers_look(s), *after;

	if (!screen_command(s, row->command)) {
		if (!offers_known(row->command))
			fail_msg("%s is in the footer, and nobody knows `%s`",
				row->key, row->command);
	} else if (s->sent[0] != '\0') {
		if (!offers_known(s->sent))
			fail_msg("%s sends `%s`", row->key, s->sent);
	} else {
		after = offers_look(s);
		if (strcmp(before, after) == 0)
			fail_msg("%s is in the footer and does nothing:\n%s",
				row->key, before);
		free(after);
	}
	free(before);
}

void
offers_check_keys(offers_open_fn *open, const void *arg)
{
	const struct key_row *row;
	struct screen s;

	for (size_t i = 0; (row = keys_row(i)) != NULL; i++) {
		open(&s, arg);
		s.model->context = s.model->view = s.view->context;
		if ((row->context == s.view->context ||
			    row->context == KEYS_COMMON) &&
			screen_footer_offers(s.model, s.view, s.state, row))
			offers_try(&s, row);
		screen_close(&s);
	}
}

/* ---- fields ---- */

void
offers_check_fields(struct screen *s)
{
	const struct hot_spots *marks;
	struct explained e;

	s->model->view = s->view->context;
	for (size_t i = 0; i < OFFERS_SIZES; i++) {
		screen_draw(s, offers_sizes[i][0], offers_sizes[i][1], false);
		marks = grid_hot_spots(s->grid);
		for (size_t k = 0; k < marks->n; k++)
			if (marks->items[k].kind == HOT_SPOT_FIELD &&
				!explain_find(s->model, marks->items[k].text,
					&e))
				fail_msg("no words for `%s`",
					marks->items[k].text);
	}
}
