/*
 * color: a theme's colours, and the nearest ones that a terminal has.
 *
 * A palette is the first 8, 16 or 256 entries of xterm's palette; more than 256
 * colours means direct colour. Distances are those in Oklab (Ottosson, 2020),
 * where equal steps look equal. A text stays readable on its background.
 */
#ifndef CFUZZ_UI_TERM_COLOR_H
#define CFUZZ_UI_TERM_COLOR_H

#include <stdbool.h>
#include <stdint.h>

enum color_kind {
	COLOR_DEFAULT, /* the terminal's own colour */
	COLOR_INDEX,   /* in the terminal's palette */
	COLOR_RGB,
};

struct color {
	uint8_t kind; /* enum color_kind */
	uint8_t index;
	uint8_t r, g, b;
};

/* "#rrggbb", "default", "red", "bright-blue" …; false: no colour. */
bool color_parse(const char *text, struct color *color);

/* The entry 0 to 255 of xterm's palette as COLOR_RGB. */
struct color color_of_index(unsigned index);

/* Mixes two RGB colours: 0 = all a, 100 = all b. Other kinds do not mix:
 * returns the nearer end. */
struct color color_mix(struct color a, struct color b, int percent);

/* Contrast ratio of WCAG 2, 1 … 21. COLOR_DEFAULT counts as white text on
 * black. */
double color_contrast(struct color fg, struct color bg);

/*
 * The nearest palette entry for a background; -1: the terminal's default.
 * `colors` is 8, 16 or 256. With 256, the first 16 are left out, because users
 * redefine them.
 */
int color_nearest(struct color color, unsigned colors);

/* The nearest palette entry for text that stays readable on bg. */
int color_nearest_text(struct color fg, struct color bg, unsigned colors);

#endif
