/*
 * event_line: the last events, one per row, the newest first.
 */
#ifndef CFUZZ_UI_WIDGETS_EVENT_LINE_H
#define CFUZZ_UI_WIDGETS_EVENT_LINE_H

#include "control/snapshot.h"
#include "ui/term/glyph.h"
#include "ui/term/grid.h"

/* Style and symbol of a kind of event; the symbol serves without colours. */
enum style event_line_style(const char *kind);
enum glyph event_line_symbol(const char *kind);

/* Its name on the screen: a "find" of the journal is a new input. */
const char *event_line_kind(const char *kind);

/* A hint that has no row any more, because events are newer, keeps the last
 * row. kind "": no hint. */
void event_line_draw(const struct snapshot *snapshot,
	const struct snapshot_event *hint, struct grid *grid, struct rect rect);

#endif
