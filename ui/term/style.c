/*
 * style: the names of styles in themes.
 */
#include "ui/term/style.h"

static const char *const style_names[STYLE_COUNT] = {
	[STYLE_NORMAL] = "normal",
	[STYLE_DIM] = "dim",
	[STYLE_LABEL] = "label",
	[STYLE_VALUE] = "value",
	[STYLE_STRONG] = "strong",
	[STYLE_FRAME] = "frame",
	[STYLE_FRAME_FOCUS] = "frame-focus",
	[STYLE_TITLE] = "title",
	[STYLE_KEY] = "key",
	[STYLE_HEADER] = "header",
	[STYLE_BRAND] = "brand",
	[STYLE_FOOTER] = "footer",
	[STYLE_COLUMN] = "column",
	[STYLE_SELECTED] = "selected",
	[STYLE_GOOD] = "good",
	[STYLE_WARN] = "warn",
	[STYLE_BAD] = "bad",
	[STYLE_INFO] = "info",
	[STYLE_STALE] = "stale",
	[STYLE_RUNNING] = "running",
	[STYLE_WARMUP] = "warmup",
	[STYLE_MINIMIZING] = "minimizing",
	[STYLE_PAUSED] = "paused",
	[STYLE_STOPPING] = "stopping",
	[STYLE_ENDED] = "ended",
	[STYLE_ANNOUNCE] = "announce",
	[STYLE_INPUT] = "input",
	[STYLE_DIALOG] = "dialog",
	[STYLE_DIALOG_FRAME] = "dialog-frame",
	[STYLE_MARK] = "mark",
	[STYLE_HEX] = "hex",
	[STYLE_SPEED] = "speed",
	[STYLE_COVERAGE] = "coverage",
	[STYLE_SIZE] = "size",
};

const char *
style_name(enum style style)
{
	if ((unsigned)style >= STYLE_COUNT)
		style = STYLE_NORMAL;
	return style_names[style];
}
