/*
 * journal_event: a box with the whole text and the key that leads further.
 */
#include "ui/views/journal_event.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/event_line.h"

static void
journal_event_draw_lead(const struct model *model, struct grid *grid,
	struct rect rect, const struct snapshot_event *event)
{
	struct row_writer out = row_put_at(grid, rect, 0);
	char key[KEY_HINT_SIZE];

	if (event->about[0] == '\0') {
		row_text(&out, STYLE_DIM, "It is about no input or finding.");
		return;
	}
	row_text(&out, STYLE_KEY, keys_hint(KEYS_JOURNAL, "open", key));
	row_gap(&out, 1);
	row_text(&out, STYLE_LABEL,
		snapshot_find_finding(model->snapshot, event->about)
			? "opens finding "
			: "opens input ");
	row_clean(&out, STYLE_STRONG, event->about);
}

void
journal_event_draw(const struct snapshot_event *event,
	const struct model *model, struct grid *grid, struct rect area)
{
	char title[96], number[TEXT_NUMBER_SIZE], clock[TEXT_NUMBER_SIZE];
	char below[64];
	struct draw_box box = { .title = title,
		.focus = true,
		.below = keys_text(KEYS_JOURNAL, "{back} closes", below,
			sizeof(below)) };
	struct rect rect;
	struct row_writer out;

	if (event == NULL || area.h <= 0)
		return;
	snprintf(title, sizeof(title), "event %s",
		text_count(event->seq, number));
	rect = draw_box(grid, area, &box);
	out = row_put_at(grid, draw_cut_top(&rect, 1), 0);
	row_text(&out, event_line_style(event->kind),
		glyph(grid, event_line_symbol(event->kind)));
	row_gap(&out, 1);
	row_clean(&out, event_line_style(event->kind),
		event_line_kind(event->kind));
	row_text(&out, STYLE_LABEL, "   at ");
	row_text(&out, STYLE_VALUE, text_clock(event->at_s, clock));
	journal_event_draw_lead(model, grid, draw_cut_bottom(&rect, 1), event);
	draw_words(grid, rect, STYLE_VALUE, event->text);
}
