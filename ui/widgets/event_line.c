/*
 * event_line: the last events, one per row, the newest first.
 */
#include "ui/widgets/event_line.h"

#include <string.h>

#include "base/text.h"
#include "ui/term/row_writer.h"

#define EVENT_LINE_KIND 10 /* columns */

/* clang-format off */
static const struct event_line_look {
	const char *kind;
	enum style style;
	enum glyph symbol;
} events_looks[] = {
	{ "find",      STYLE_GOOD,	 GLYPH_PLUS },
	{ "crash",     STYLE_BAD,	 GLYPH_ALERT },
	{ "hang",      STYLE_WARN,	 GLYPH_ALERT },
	{ "oom",       STYLE_WARN,	 GLYPH_ALERT },
	{ "leak",      STYLE_WARN,	 GLYPH_ALERT },
	{ "suspect",   STYLE_WARN,	 GLYPH_FAILED },
	{ "worker",    STYLE_WARN,	 GLYPH_FAILED },
	{ "unstable",  STYLE_WARN,	 GLYPH_FAILED },
	{ "merged",    STYLE_VALUE,	 GLYPH_DONE },
	{ "verified",  STYLE_VALUE,	 GLYPH_DONE },
	{ "replayed",  STYLE_WARN,	 GLYPH_FAILED },
	{ "reached",   STYLE_GOOD,	 GLYPH_UP },
	{ "regressed", STYLE_BAD,	 GLYPH_ALERT },
	{ "minimized", STYLE_MINIMIZING, GLYPH_DOWN },
	{ "hint",      STYLE_WARN,	 GLYPH_NOTE },
	{ "operator",  STYLE_STRONG,	 GLYPH_HERE },
	{ "limit",     STYLE_STRONG,	 GLYPH_HERE },
	{ "resume",    STYLE_STRONG,	 GLYPH_RUNNING },
	{ "",	       STYLE_INFO,	 GLYPH_NOTE }, /* any other kind */
};
/* clang-format on */

static const struct event_line_look *
event_line_look(const char *kind)
{
	const struct event_line_look *look = events_looks;

	while (look->kind[0] != '\0' && strcmp(kind, look->kind) != 0)
		look++;
	return look;
}

enum style
event_line_style(const char *kind)
{
	return event_line_look(kind)->style;
}

enum glyph
event_line_symbol(const char *kind)
{
	return event_line_look(kind)->symbol;
}

const char *
event_line_kind(const char *kind)
{
	return strcmp(kind, "find") == 0 ? "new input" : kind;
}

static void
event_line_draw_one(struct grid *grid, struct rect rect, int row,
	const struct snapshot_event *event)
{
	struct row_writer out = row_put_at(grid, rect, row);
	char clock[TEXT_NUMBER_SIZE];

	row_text(&out, STYLE_DIM, text_clock(event->at_s, clock));
	row_gap(&out, 2);
	row_field(&out, EVENT_LINE_KIND, event_line_style(event->kind),
		event_line_kind(event->kind));
	if (text_width(event_line_kind(event->kind)) >= EVENT_LINE_KIND)
		row_gap(&out, 1);
	row_clean(&out, STYLE_VALUE, event->text);
}

void
event_line_draw(const struct snapshot *snapshot,
	const struct snapshot_event *hint, struct grid *grid, struct rect rect)
{
	size_t n = snapshot->events_n;
	bool kept = hint->kind[0] != '\0';
	int row;

	for (row = 0; row < rect.h && (size_t)row < n; row++) {
		const struct snapshot_event *event =
			&snapshot->events[n - 1 - (size_t)row];

		if (kept && row > 0 && row == rect.h - 1 &&
			event->seq > hint->seq)
			event = hint;
		event_line_draw_one(grid, rect, row, event);
	}
}
