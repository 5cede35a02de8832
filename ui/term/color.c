/*
 * color: a theme's colours, and the nearest ones that a terminal has.
 */
#include "ui/term/color.h"

#include <math.h>
#include <string.h>

/* A text keeps 70 % of its contrast, or 3:1 if that is less. */
#define COLOR_TEXT_CONTRAST 3.0
#define COLOR_KEEP 0.7
#define COLOR_HUE 4.0
#define COLOR_GREY 0.05

static const char *const color_names[] = { "black", "red", "green", "yellow",
	"blue", "magenta", "cyan", "white", "bright-black", "bright-red",
	"bright-green", "bright-yellow", "bright-blue", "bright-magenta",
	"bright-cyan", "bright-white" };

static const uint8_t color_base[16][3] = {
	/* clang-format off */
	{ 0x00, 0x00, 0x00 }, { 0xcd, 0x00, 0x00 },
	{ 0x00, 0xcd, 0x00 }, { 0xcd, 0xcd, 0x00 },
	{ 0x00, 0x00, 0xee }, { 0xcd, 0x00, 0xcd },
	{ 0x00, 0xcd, 0xcd }, { 0xe5, 0xe5, 0xe5 },
	{ 0x7f, 0x7f, 0x7f }, { 0xff, 0x00, 0x00 },
	{ 0x00, 0xff, 0x00 }, { 0xff, 0xff, 0x00 },
	{ 0x5c, 0x5c, 0xff }, { 0xff, 0x00, 0xff },
	{ 0x00, 0xff, 0xff }, { 0xff, 0xff, 0xff },
	/* clang-format on */
};

static struct color
color_rgb(uint8_t r, uint8_t g, uint8_t b)
{
	return (struct color){ .kind = COLOR_RGB, .r = r, .g = g, .b = b };
}

static bool
color_parse_hex(const char *text, struct color *color)
{
	unsigned rgb = 0;

	if (strlen(text) != 7)
		return false;
	for (int i = 1; i < 7; i++) {
		const char *digits = "0123456789abcdef";
		const char *at = strchr(digits, text[i] | 0x20);

		if (at == NULL)
			return false;
		rgb = rgb << 4 | (unsigned)(at - digits);
	}
	*color = color_rgb((uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8),
		(uint8_t)rgb);
	return true;
}

bool
color_parse(const char *text, struct color *color)
{
	if (text[0] == '#')
		return color_parse_hex(text, color);
	*color = (struct color){ .kind = COLOR_DEFAULT };
	if (strcmp(text, "default") == 0)
		return true;
	for (uint8_t i = 0; i < 16; i++) {
		if (strcmp(text, color_names[i]) != 0)
			continue;
		*color = (struct color){ .kind = COLOR_INDEX, .index = i };
		return true;
	}
	return false;
}

static uint8_t
color_cube_step(unsigned n)
{
	return n == 0 ? 0 : (uint8_t)(55 + 40 * n);
}

struct color
color_of_index(unsigned index)
{
	uint8_t grey;

	if (index < 16)
		return color_rgb(color_base[index][0], color_base[index][1],
			color_base[index][2]);
	if (index < 232) {
		index -= 16;
		return color_rgb(color_cube_step(index / 36),
			color_cube_step(index / 6 % 6),
			color_cube_step(index % 6));
	}
	grey = (uint8_t)(8 + 10 * ((index - 232) % 24));
	return color_rgb(grey, grey, grey);
}

struct color
color_mix(struct color a, struct color b, int percent)
{
	if (a.kind != COLOR_RGB || b.kind != COLOR_RGB)
		return percent < 50 ? a : b;
	return color_rgb((uint8_t)(a.r + (b.r - a.r) * percent / 100),
		(uint8_t)(a.g + (b.g - a.g) * percent / 100),
		(uint8_t)(a.b + (b.b - a.b) * percent / 100));
}

/* ---- distance between colours ---- */

static double
color_linear(uint8_t v)
{
	double x = v / 255.0;

	return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static struct color
color_seen(struct color color, bool text)
{
	if (color.kind == COLOR_DEFAULT)
		return text ? color_rgb(255, 255, 255) : color_rgb(0, 0, 0);
	return color.kind == COLOR_INDEX ? color_of_index(color.index) : color;
}

static double
color_luminance(struct color c)
{
	return 0.2126 * color_linear(c.r) + 0.7152 * color_linear(c.g) +
		0.0722 * color_linear(c.b);
}

double
color_contrast(struct color fg, struct color bg)
{
	double a = color_luminance(color_seen(fg, true)) + 0.05;
	double b = color_luminance(color_seen(bg, false)) + 0.05;

	return a > b ? a / b : b / a;
}

struct color_lab {
	double l, a, b;
};

/* Oklab: its distances are close to those that people see. */
static struct color_lab
color_lab(struct color c)
{
	double r = color_linear(c.r), g = color_linear(c.g);
	double b = color_linear(c.b);
	double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

	return (struct color_lab){
		0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
		1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
		0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
	};
}

/* Penalty if one of the colours is nearly grey and the other one is not. */
static double
color_tint(double chroma, double chroma_found)
{
	if ((chroma < COLOR_GREY) == (chroma_found < COLOR_GREY))
		return 0;
	return chroma > chroma_found ? chroma : chroma_found;
}

static double
color_distance(struct color x, struct color y)
{
	struct color_lab p = color_lab(x), q = color_lab(y);
	double l = p.l - q.l, a = p.a - q.a, b = p.b - q.b;
	double hue = sqrt((p.a * p.a + p.b * p.b) * (q.a * q.a + q.b * q.b)) -
		(p.a * q.a + p.b * q.b);

	/* Hue weighs most: a green that is too dark is better than a yellow. */
	return l * l + a * a + b * b + COLOR_HUE * hue +
		color_tint(hypot(p.a, p.b), hypot(q.a, q.b));
}

/* ---- search ---- */

/* With 256 colours, skip the first 16: users redefine them. */
static unsigned
color_first(unsigned colors)
{
	return colors >= 256 ? 16 : 0;
}

/* The nearest colour with at least that contrast to bg; -1: none. */
static int
color_search(struct color color, unsigned colors, const struct color *bg,
	double contrast)
{
	int best = -1;
	double best_distance = 0;

	if (colors > 256)
		colors = 256;
	for (unsigned i = color_first(colors); i < colors; i++) {
		struct color c = color_of_index(i);
		double distance = color_distance(color, c);

		if (best >= 0 && distance >= best_distance)
			continue;
		if (bg != NULL && color_contrast(c, *bg) < contrast)
			continue;
		best = (int)i;
		best_distance = distance;
	}
	return best;
}

int
color_nearest(struct color color, unsigned colors)
{
	if (color.kind == COLOR_DEFAULT)
		return -1;
	if (color.kind == COLOR_INDEX && color.index < colors)
		return color.index;
	return color_search(color_seen(color, true), colors, NULL, 0);
}

int
color_nearest_text(struct color fg, struct color bg, unsigned colors)
{
	double wanted = color_contrast(fg, bg) * COLOR_KEEP;
	struct color back = bg;
	int index, best;

	if (fg.kind != COLOR_RGB)
		return color_nearest(fg, colors);
	if (wanted > COLOR_TEXT_CONTRAST)
		wanted = COLOR_TEXT_CONTRAST;
	index = color_nearest(bg, colors);
	if (index >= 0)
		back = color_of_index((unsigned)index);
	best = color_search(fg, colors, &back, wanted);
	return best >= 0 ? best : color_nearest(fg, colors);
}
