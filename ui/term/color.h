/*
 * color: colours of themes, and the nearest that a terminal has.
 *
 * Palettes are the first 8, 16 or 256 entries of xterm's; more colours than
 * 256 means direct colour. Distances are taken in a space where equal
 * steps look equal, and a text never sinks into its background.
 */
#ifndef CFUZZ_UI_TERM_COLOR_H
#define CFUZZ_UI_TERM_COLOR_H

#include <stdbool.h>
#include <stdint.h>

enum color_kind {
	COLOR_DEFAULT, /* the terminal's own */
	COLOR_INDEX,   /* of its palette */
	COLOR_RGB,
};

struct color {
	uint8_t kind; /* enum color_kind */
	uint8_t index;
	uint8_t r, g, b;
};

/* "#rrggbb", "default", "red", "bright-blue" …; false: none of them. */
bool color_parse(const char *text, struct color *color);

/* The entry of xterm's palette, as COLOR_RGB. */
struct color color_of_index(unsigned index);

/* A mixture: 0 = all a, 100 = all b. Other kinds: the nearer end. */
struct color color_mix(struct color a, struct color b, int percent);

/* WCAG contrast ratio, 1 … 21; the default colours count as white on black. */
double color_contrast(struct color fg, struct color bg);

/*
 * The palette's entry for a background, -1 for the terminal's default.
 * colors: 8, 16, 256.
 */
int color_nearest(struct color color, unsigned colors);

/* The same for a text on that background: it stays readable. */
int color_nearest_text(struct color fg, struct color bg, unsigned colors);

#endif
