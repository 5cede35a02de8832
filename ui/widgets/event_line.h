/*
 * event_line: what happened, one line each, the newest first.
 */
#ifndef CFUZZ_UI_WIDGETS_EVENT_LINE_H
#define CFUZZ_UI_WIDGETS_EVENT_LINE_H

#include "control/snapshot.h"
#include "ui/term/glyph.h"
#include "ui/term/grid.h"

/* How a kind of events looks: a style, and a sign for who sees no colours. */
enum style event_line_style(const char *kind);
enum glyph event_line_symbol(const char *kind);

/* Its name on the screen: a "find" of the journal is a new input. */
const char *event_line_kind(const char *kind);

void event_line_draw(const struct snapshot *snapshot, struct grid *grid,
	struct rect rect);

#endif
