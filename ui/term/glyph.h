/*
 * glyph: symbols with a meaning, each with an ASCII form.
 *
 * Both forms of a symbol have the same width, so the layout of a screen does
 * not depend on the form.
 */
#ifndef CFUZZ_UI_TERM_GLYPH_H
#define CFUZZ_UI_TERM_GLYPH_H

#include "ui/term/grid.h"

enum glyph {
	GLYPH_MORE, /* text is cut here */
	GLYPH_RUNNING,
	GLYPH_PAUSED, /* two columns wide */
	GLYPH_ENDED,
	GLYPH_ALERT,
	GLYPH_DONE,
	GLYPH_FAILED,
	GLYPH_HERE, /* the current one of several */
	GLYPH_TO,
	GLYPH_TIMES,
	GLYPH_DOT,    /* between parts of a sentence */
	GLYPH_RISING, /* sorted, smallest first */
	GLYPH_FALLING,
	GLYPH_PLUS, /* a gain */
	GLYPH_NOTE,
	GLYPH_UP,
	GLYPH_DOWN,
	GLYPH_HLINE,
	GLYPH_VLINE,
	GLYPH_TOP_LEFT,
	GLYPH_TOP_RIGHT,
	GLYPH_BOTTOM_LEFT,
	GLYPH_BOTTOM_RIGHT,
	GLYPH_THUMB,  /* handle of a scroll bar */
	GLYPH_PLAY,   /* a recording is playing */
	GLYPH_TRACK,  /* empty part of a bar */
	GLYPH_NEW,    /* hit a moment ago */
	GLYPH_FRESH,  /* hit within the last minute */
	GLYPH_PARTLY, /* some of it was hit */
	GLYPH_COUNT
};

/* A literal, in the form that the grid uses. */
const char *glyph(const struct grid *grid, enum glyph which);

#endif
