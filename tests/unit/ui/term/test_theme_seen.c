/*
 * test_theme_seen: themes as colour-blind people see them, and with few
 * colours.
 */
#include "ui/term/theme.h"

#include <math.h>

#include "lib/check.h"

/*
 * Minimum distance of two colours in CIELAB: ten times what people can just
 * distinguish side by side, because words on a screen are farther apart.
 */
#define SEEN_APART 22.0

struct linear {
	double v[3];
};

/*
 * Machado, Oliveira and Fernandes, "A Physiologically-based Model for
 * Simulation of Color Vision Deficiency", 2009: severity 1.0, on linear RGB.
 */
static const struct eyes {
	const char *name;
	double m[3][3];
} seen_eyes[] = {
	/* clang-format off */
	{ "normal", { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
	{ "protanopia", { { 0.152286, 1.052583, -0.204868 },
			  { 0.114503, 0.786281, 0.099216 },
			  { -0.003882, -0.048116, 1.051998 } } },
	{ "deuteranopia", { { 0.367322, 0.860646, -0.227968 },
			    { 0.280085, 0.672501, 0.047413 },
			    { -0.011820, 0.042940, 0.968881 } } },
	{ "tritanopia", { { 1.255528, -0.076749, -0.178779 },
			  { -0.078411, 0.930809, 0.147602 },
			  { 0.004733, 0.691367, 0.303900 } } },
	/* clang-format on */
};

/* sRGB to XYZ, divided by its white (D65). */
static const double seen_xyz[3][3] = {
	{ 0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047 },
	{ 0.2126729, 0.7151522, 0.0721750 },
	{ 0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883 },
};

static struct linear
seen_times(const double m[3][3], struct linear c)
{
	struct linear out;

	for (int i = 0; i < 3; i++)
		out.v[i] =
			m[i][0] * c.v[0] + m[i][1] * c.v[1] + m[i][2] * c.v[2];
	return out;
}

static double
seen_linear(uint8_t value)
{
	double x = value / 255.0;

	return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static struct linear
seen_lab(struct color color, const struct eyes *eyes)
{
	struct linear c = { { seen_linear(color.r), seen_linear(color.g),
		seen_linear(color.b) } };

	c = seen_times(eyes->m, c);
	for (int i = 0; i < 3; i++)
		c.v[i] = fmin(1, fmax(0, c.v[i]));
	c = seen_times(seen_xyz, c);
	for (int i = 0; i < 3; i++)
		c.v[i] = c.v[i] > 216.0 / 24389
			? cbrt(c.v[i])
			: (24389.0 / 27 * c.v[i] + 16) / 116;
	return (struct linear){ { 116 * c.v[1] - 16, 500 * (c.v[0] - c.v[1]),
		200 * (c.v[1] - c.v[2]) } };
}

static double
seen_distance(struct color a, struct color b, const struct eyes *eyes)
{
	struct linear p = seen_lab(a, eyes), q = seen_lab(b, eyes);

	return sqrt(pow(p.v[0] - q.v[0], 2) + pow(p.v[1] - q.v[1], 2) +
		pow(p.v[2] - q.v[2], 2));
}

static void
check_apart(const struct theme *theme, const enum style *styles, size_t n,
	const struct eyes *eyes)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < i; j++) {
			double distance =
				seen_distance(theme_fg(theme, styles[i], 100),
					theme_fg(theme, styles[j], 100), eyes);

			check(distance >= SEEN_APART,
				"%s: %s and %s are %.1f apart", eyes->name,
				style_name(styles[i]), style_name(styles[j]),
				distance);
		}
	}
}

/* In the colour-blind theme, different meanings have different colours. */
static void
test_color_blind(void **state)
{
	static const enum style judged[] = { STYLE_GOOD, STYLE_WARN, STYLE_BAD,
		STYLE_INFO };
	static const enum style states[] = { STYLE_RUNNING, STYLE_WARMUP,
		STYLE_MINIMIZING, STYLE_PAUSED, STYLE_STOPPING };
	struct theme theme;

	assert_int_equal(theme_load("colour-blind", &theme, NULL), OK);
	for (size_t e = 0; e < ROWS(seen_eyes); e++) {
		check_apart(&theme, judged, ROWS(judged), &seen_eyes[e]);
		check_apart(&theme, states, ROWS(states), &seen_eyes[e]);
	}
}

/* The low and the high end of its gradients are different, too. */
static void
test_color_blind_gradients(void **state)
{
	struct theme theme;

	assert_int_equal(theme_load("colour-blind", &theme, NULL), OK);
	for (size_t e = 0; e < ROWS(seen_eyes); e++) {
		for (int s = 0; s < STYLE_COUNT; s++) {
			enum style style = (enum style)s;

			if (!theme_is_gradient(style))
				continue;
			check(seen_distance(theme_fg(&theme, style, 0),
				      theme_fg(&theme, style, 100),
				      &seen_eyes[e]) >= SEEN_APART,
				"%s: %s", seen_eyes[e].name, style_name(style));
		}
	}
}

/* These styles differ from plain text without colour, in each theme. */
static void
test_monochrome_differs(void **state)
{
	static const enum style loud[] = { STYLE_BAD, STYLE_WARN, STYLE_PAUSED,
		STYLE_STOPPING, STYLE_KEY, STYLE_SELECTED, STYLE_ANNOUNCE,
		STYLE_MARK, STYLE_INPUT, STYLE_STALE };
	struct theme theme;

	assert_int_equal(theme_load("monochrome", &theme, NULL), OK);
	for (size_t i = 0; i < ROWS(loud); i++)
		check(theme.styles[loud[i]].attr !=
				theme.styles[STYLE_NORMAL].attr,
			"%s", style_name(loud[i]));
	for (int s = 0; s < STYLE_COUNT; s++)
		check(theme.styles[s].fg[0].kind == COLOR_DEFAULT &&
				theme.styles[s].bg.kind == COLOR_DEFAULT,
			"%s has a colour", style_name((enum style)s));
}

/* ---- few colours ---- */

static struct color
shown(int index, bool text)
{
	if (index >= 0)
		return color_of_index((unsigned)index);
	return text ? color_of_index(15) : color_of_index(0);
}

/* Contrast that a text must keep with that many colours. */
static double
needed(const char *theme, enum style style, unsigned colors)
{
	if (style == STYLE_FRAME && strcmp(theme, "high-contrast") != 0)
		return 1.2;
	if (strcmp(theme, "high-contrast") == 0 && colors == 256)
		return 6.0;
	return colors == 256 ? 3.0 : 2.4;
}

/* With 256, 16 and 8 colours, all text is readable. */
static void
test_fallbacks(void **state)
{
	static const unsigned colors[] = { 256, 16, 8 };
	const char *name;

	for (size_t i = 0; (name = theme_builtin(i)) != NULL; i++) {
		struct theme theme;

		assert_int_equal(theme_load(name, &theme, NULL), OK);
		for (size_t k = 0; k < ROWS(colors) * STYLE_COUNT * 101; k++) {
			unsigned n = colors[k / (STYLE_COUNT * 101UL)];
			enum style style = (enum style)(k / 101 % STYLE_COUNT);
			struct color bg = theme.styles[style].bg;
			int fg = color_nearest_text(theme_fg(&theme, style,
							    (int)(k % 101)),
				bg, n);
			double ratio = color_contrast(shown(fg, true),
				shown(color_nearest(bg, n), false));

			/* Steps of gradients; the terminal uses 21. */
			if (k % 101 % 5 != 0 ||
				(k % 101 != 0 && !theme_is_gradient(style)))
				continue;
			check(ratio >= needed(name, style, n),
				"%s: %s at %zu has %.2f with %u colours", name,
				style_name(style), k % 101, ratio, n);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_color_blind),
		cmocka_unit_test(test_color_blind_gradients),
		cmocka_unit_test(test_monochrome_differs),
		cmocka_unit_test(test_fallbacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
