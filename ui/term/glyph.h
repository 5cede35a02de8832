/*
 * glyph: signs with a meaning, each with its plain ASCII form.
 *
 * Both forms of a symbol take the same columns, so a screen has the same
 * shape with either.
 */
#ifndef CFUZZ_UI_TERM_GLYPH_H
#define CFUZZ_UI_TERM_GLYPH_H

#include "ui/term/grid.h"

enum symbol {
	SYMBOL_MORE, /* text was cut */
	SYMBOL_RUNNING,
	SYMBOL_PAUSED, /* two columns */
	SYMBOL_ENDED,
	SYMBOL_ALERT,
	SYMBOL_DONE,
	SYMBOL_FAILED,
	SYMBOL_HERE, /* the present one of several */
	SYMBOL_TO,
	SYMBOL_TIMES,
	SYMBOL_DOT,    /* between parts of a sentence */
	SYMBOL_RISING, /* sorted: smallest first */
	SYMBOL_FALLING,
	SYMBOL_PLUS, /* something was gained */
	SYMBOL_NOTE,
	SYMBOL_UP,
	SYMBOL_DOWN,
	SYMBOL_HLINE,
	SYMBOL_VLINE,
	SYMBOL_TOP_LEFT,
	SYMBOL_TOP_RIGHT,
	SYMBOL_BOTTOM_LEFT,
	SYMBOL_BOTTOM_RIGHT,
	SYMBOL_THUMB,  /* of a scroll bar */
	SYMBOL_PLAY,   /* a recording runs */
	SYMBOL_TRACK,  /* the empty part of a bar */
	SYMBOL_NEW,    /* hit a moment ago */
	SYMBOL_FRESH,  /* hit in the last minute */
	SYMBOL_PARTLY, /* some of it hit, some not */
	SYMBOL_COUNT
};

const char *symbol(const struct grid *grid, enum symbol which);

#endif
