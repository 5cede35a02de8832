/*
 * glyph: signs with a meaning, each with its plain ASCII form.
 */
#include "ui/term/glyph.h"

/* clang-format off */
static const char *const symbols[SYMBOL_COUNT][2] = {
	[SYMBOL_MORE]	      = { "…", "~" },
	[SYMBOL_RUNNING]      = { "●", "*" },
	[SYMBOL_PAUSED]	      = { "▮▮", "||" },
	[SYMBOL_ENDED]	      = { "■", "#" },
	[SYMBOL_ALERT]	      = { "▲", "!" },
	[SYMBOL_DONE]	      = { "✓", "+" },
	[SYMBOL_FAILED]	      = { "✗", "x" },
	[SYMBOL_HERE]	      = { "▸", ">" },
	[SYMBOL_TO]	      = { "→", ">" },
	[SYMBOL_TIMES]	      = { "×", "x" },
	[SYMBOL_DOT]	      = { "·", "," },
	[SYMBOL_RISING]	      = { "▴", "^" },
	[SYMBOL_FALLING]      = { "▾", "v" },
	[SYMBOL_PLUS]	      = { "+", "+" },
	[SYMBOL_NOTE]	      = { "·", "." },
	[SYMBOL_UP]	      = { "↑", "^" },
	[SYMBOL_DOWN]	      = { "↓", "v" },
	[SYMBOL_HLINE]	      = { "─", "-" },
	[SYMBOL_VLINE]	      = { "│", "|" },
	[SYMBOL_TOP_LEFT]     = { "╭", "+" },
	[SYMBOL_TOP_RIGHT]    = { "╮", "+" },
	[SYMBOL_BOTTOM_LEFT]  = { "╰", "+" },
	[SYMBOL_BOTTOM_RIGHT] = { "╯", "+" },
	[SYMBOL_THUMB]	      = { "┃", "#" },
	[SYMBOL_PLAY]	      = { "▶", ">" },
	[SYMBOL_TRACK]	      = { "·", "." },
	[SYMBOL_NEW]	      = { "◆", "@" },
	[SYMBOL_FRESH]	      = { "◇", "o" },
	[SYMBOL_PARTLY]	      = { "±", "/" },
};
/* clang-format on */

const char *
symbol(const struct grid *grid, enum symbol which)
{
	return symbols[which][grid_ascii(grid) ? 1 : 0];
}
