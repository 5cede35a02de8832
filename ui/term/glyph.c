/*
 * glyph: symbols with a meaning, each with an ASCII form.
 */
#include "ui/term/glyph.h"

/* clang-format off */
static const char *const symbols[GLYPH_COUNT][2] = {
	[GLYPH_MORE]	      = { "…", "~" },
	[GLYPH_RUNNING]      = { "●", "*" },
	[GLYPH_PAUSED]	      = { "▮▮", "||" },
	[GLYPH_ENDED]	      = { "■", "#" },
	[GLYPH_ALERT]	      = { "▲", "!" },
	[GLYPH_DONE]	      = { "✓", "+" },
	[GLYPH_FAILED]	      = { "✗", "x" },
	[GLYPH_HERE]	      = { "▸", ">" },
	[GLYPH_TO]	      = { "→", ">" },
	[GLYPH_TIMES]	      = { "×", "x" },
	[GLYPH_DOT]	      = { "·", "," },
	[GLYPH_RISING]	      = { "▴", "^" },
	[GLYPH_FALLING]      = { "▾", "v" },
	[GLYPH_PLUS]	      = { "+", "+" },
	[GLYPH_NOTE]	      = { "·", "." },
	[GLYPH_UP]	      = { "↑", "^" },
	[GLYPH_DOWN]	      = { "↓", "v" },
	[GLYPH_HLINE]	      = { "─", "-" },
	[GLYPH_VLINE]	      = { "│", "|" },
	[GLYPH_TOP_LEFT]     = { "╭", "+" },
	[GLYPH_TOP_RIGHT]    = { "╮", "+" },
	[GLYPH_BOTTOM_LEFT]  = { "╰", "+" },
	[GLYPH_BOTTOM_RIGHT] = { "╯", "+" },
	[GLYPH_THUMB]	      = { "┃", "#" },
	[GLYPH_PLAY]	      = { "▶", ">" },
	[GLYPH_TRACK]	      = { "·", "." },
	[GLYPH_NEW]	      = { "◆", "@" },
	[GLYPH_FRESH]	      = { "◇", "o" },
	[GLYPH_PARTLY]	      = { "±", "/" },
};
/* clang-format on */

const char *
glyph(const struct grid *grid, enum glyph which)
{
	return symbols[which][grid_ascii(grid) ? 1 : 0];
}
