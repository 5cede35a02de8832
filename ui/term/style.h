/*
 * style: meanings that a theme gives colours to.
 *
 * Code uses meanings, never colours. The names (style_name()) are the keys in
 * themes/<name>.json. Gradient styles take a level, 0 … 100.
 */
#ifndef CFUZZ_UI_TERM_STYLE_H
#define CFUZZ_UI_TERM_STYLE_H

enum style {
	STYLE_NORMAL,
	STYLE_DIM,    /* secondary text, units */
	STYLE_LABEL,  /* names of values */
	STYLE_VALUE,  /* values */
	STYLE_STRONG, /* the most important values */
	STYLE_FRAME,  /* box lines */
	STYLE_FRAME_FOCUS,
	STYLE_TITLE,    /* text in a frame */
	STYLE_KEY,      /* a key to press */
	STYLE_HEADER,   /* the first row */
	STYLE_BRAND,    /* the program's name */
	STYLE_FOOTER,   /* the last row */
	STYLE_COLUMN,   /* heads of columns */
	STYLE_SELECTED, /* the selected row */
	STYLE_GOOD,
	STYLE_WARN,
	STYLE_BAD, /* failures, findings */
	STYLE_INFO,
	STYLE_STALE,   /* an old value */
	STYLE_RUNNING, /* words for states */
	STYLE_WARMUP,
	STYLE_MINIMIZING,
	STYLE_PAUSED,
	STYLE_STOPPING,
	STYLE_ENDED,
	STYLE_ANNOUNCE, /* the announcement line */
	STYLE_INPUT,    /* text fields and the prompt */
	STYLE_DIALOG,
	STYLE_DIALOG_FRAME,
	STYLE_MARK, /* bytes being tried */
	STYLE_HEX,
	STYLE_SPEED, /* gradients */
	STYLE_COVERAGE,
	STYLE_SIZE,
	STYLE_COUNT
};

/* "normal", "dim", "frame-focus" …; never NULL. */
const char *style_name(enum style style);

#endif
