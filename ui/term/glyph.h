/*
 * glyph: signs with a meaning, each with its plain ASCII form.
 *
 * Both forms of a symbol take the same columns, so a screen has the same
 * shape with either.
 */
#ifndef CFUZZ_UI_TERM_GLYPH_H
#define CFUZZ_UI_TERM_GLYPH_H

#include "ui/term/grid.h"

enum glyph {
	GLYPH_MORE, /* text was cut */
	GLYPH_RUNNING,
	GLYPH_PAUSED, /* two columns */
	GLYPH_ENDED,
	GLYPH_ALERT,
	GLYPH_DONE,
	GLYPH_FAILED,
	GLYPH_HERE, /* the present one of several */
	GLYPH_TO,
	GLYPH_TIMES,
	GLYPH_DOT,    /* between parts of a sentence */
	GLYPH_RISING, /* sorted: smallest first */
	GLYPH_FALLING,
	GLYPH_PLUS, /* something was gained */
	GLYPH_NOTE,
	GLYPH_UP,
	GLYPH_DOWN,
	GLYPH_HLINE,
	GLYPH_VLINE,
	GLYPH_TOP_LEFT,
	GLYPH_TOP_RIGHT,
	GLYPH_BOTTOM_LEFT,
	GLYPH_BOTTOM_RIGHT,
	GLYPH_THUMB,  /* of a scroll bar */
	GLYPH_PLAY,   /* a recording runs */
	GLYPH_TRACK,  /* the empty part of a bar */
	GLYPH_NEW,    /* hit a moment ago */
	GLYPH_FRESH,  /* hit in the last minute */
	GLYPH_PARTLY, /* some of it hit, some not */
	GLYPH_COUNT
};

const char *glyph(const struct grid *grid, enum glyph which);

#endif
