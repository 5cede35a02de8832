/*
 * events: what happened, one line each, the newest first.
 */
#include "ui/events.h"

#include <string.h>

#include "base/text.h"
#include "ui/pen.h"

#define EVENTS_KIND 10 /* columns */

/* clang-format off */
static const struct {
	const char *kind;
	enum style style;
} events_styles[] = {
	{ "find",      STYLE_GOOD },
	{ "crash",     STYLE_BAD },
	{ "hang",      STYLE_WARN },
	{ "oom",       STYLE_WARN },
	{ "leak",      STYLE_WARN },
	{ "suspect",   STYLE_WARN },
	{ "worker",    STYLE_WARN },
	{ "minimized", STYLE_MINIMIZING },
};
/* clang-format on */

static enum style
events_style(const char *kind)
{
	size_t i;

	for (i = 0; i < sizeof(events_styles) / sizeof(events_styles[0]); i++)
		if (strcmp(kind, events_styles[i].kind) == 0)
			return events_styles[i].style;
	return STYLE_INFO;
}

static void
events_draw_one(struct grid *grid, struct rect rect, int row,
	const struct snapshot_event *event)
{
	struct pen pen = pen_at(grid, rect, row);
	char clock[TEXT_NUMBER_SIZE];

	pen_text(&pen, STYLE_DIM, text_clock(event->at_s, clock));
	pen_gap(&pen, 2);
	pen_field(&pen, EVENTS_KIND, events_style(event->kind), event->kind);
	pen_clean(&pen, STYLE_VALUE, event->text);
}

void
events_draw(const struct snapshot *snapshot, struct grid *grid,
	struct rect rect)
{
	size_t n = snapshot->events_n;
	int row;

	for (row = 0; row < rect.h && (size_t)row < n; row++)
		events_draw_one(grid, rect, row,
			&snapshot->events[n - 1 - (size_t)row]);
}
