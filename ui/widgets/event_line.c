/*
 * event_line: what happened, one line each, the newest first.
 */
#include "ui/widgets/event_line.h"

#include <string.h>

#include "base/text.h"
#include "ui/term/row_writer.h"

#define EVENTS_KIND 10 /* columns */

/* clang-format off */
static const struct events_look {
	const char *kind;
	enum style style;
	enum symbol symbol;
} events_looks[] = {
	{ "find",      STYLE_GOOD,	 SYMBOL_PLUS },
	{ "crash",     STYLE_BAD,	 SYMBOL_ALERT },
	{ "hang",      STYLE_WARN,	 SYMBOL_ALERT },
	{ "oom",       STYLE_WARN,	 SYMBOL_ALERT },
	{ "leak",      STYLE_WARN,	 SYMBOL_ALERT },
	{ "suspect",   STYLE_WARN,	 SYMBOL_FAILED },
	{ "worker",    STYLE_WARN,	 SYMBOL_FAILED },
	{ "unstable",  STYLE_WARN,	 SYMBOL_FAILED },
	{ "merged",    STYLE_VALUE,	 SYMBOL_DONE },
	{ "verified",  STYLE_VALUE,	 SYMBOL_DONE },
	{ "replayed",  STYLE_WARN,	 SYMBOL_FAILED },
	{ "reached",   STYLE_GOOD,	 SYMBOL_UP },
	{ "minimized", STYLE_MINIMIZING, SYMBOL_DOWN },
	{ "hint",      STYLE_WARN,	 SYMBOL_NOTE },
	{ "operator",  STYLE_STRONG,	 SYMBOL_HERE },
	{ "limit",     STYLE_STRONG,	 SYMBOL_HERE },
	{ "resume",    STYLE_STRONG,	 SYMBOL_RUNNING },
	{ "",	       STYLE_INFO,	 SYMBOL_NOTE }, /* any other */
};
/* clang-format on */

static const struct events_look *
events_look(const char *kind)
{
	const struct events_look *look = events_looks;

	while (look->kind[0] != '\0' && strcmp(kind, look->kind) != 0)
		look++;
	return look;
}

enum style
events_style(const char *kind)
{
	return events_look(kind)->style;
}

enum symbol
events_symbol(const char *kind)
{
	return events_look(kind)->symbol;
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
