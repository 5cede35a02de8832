/*
 * test_color: parsing, mixing, contrast, and the nearest palette entry.
 */
#include "ui/term/color.h"

#include "lib/check.h"

static void
test_parse(void **state)
{
	static const struct {
		const char *text;
		bool ok;
		enum color_kind kind;
		int index, r, g, b;
	} rows[] = {
		{ "#000000", true, COLOR_RGB, 0, 0, 0, 0 },
		{ "#FfA50c", true, COLOR_RGB, 0, 255, 165, 12 },
		{ "default", true, COLOR_DEFAULT, 0, 0, 0, 0 },
		{ "black", true, COLOR_INDEX, 0, 0, 0, 0 },
		{ "bright-white", true, COLOR_INDEX, 15, 0, 0, 0 },
		{ "#12345", false, 0, 0, 0, 0, 0 },
		{ "#1234567", false, 0, 0, 0, 0, 0 },
		{ "#12345g", false, 0, 0, 0, 0, 0 },
		{ "#", false, 0, 0, 0, 0, 0 },
		{ "", false, 0, 0, 0, 0, 0 },
		{ "purple", false, 0, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct color c;

		check(color_parse(rows[i].text, &c) == rows[i].ok, "%s",
			rows[i].text);
		if (!rows[i].ok)
			continue;
		check(c.kind == rows[i].kind && c.index == rows[i].index &&
				c.r == rows[i].r && c.g == rows[i].g &&
				c.b == rows[i].b,
			"%s", rows[i].text);
	}
}

static void
test_nearest(void **state)
{
	static const struct {
		const char *text;
		unsigned colors;
		int want;
	} rows[] = {
		{ "#000000", 8, 0 },
		{ "#10141b", 8, 0 },
		{ "#93a0b3", 8, 7 },
		{ "#ffa552", 8, 3 },
		{ "#ffffff", 8, 7 },
		{ "#ff6470", 8, 1 },
		{ "#7fd46b", 16, 2 },
		{ "#ff0000", 256, 196 },
		{ "#ffffff", 256, 231 },
		{ "#080808", 256, 232 },
		{ "#5f87af", 256, 67 },
		{ "default", 256, -1 },
		{ "red", 256, 1 },
		{ "bright-red", 8, 1 },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct color c;
		int got;

		assert_true(color_parse(rows[i].text, &c));
		got = color_nearest(c, rows[i].colors);
		check(got == rows[i].want, "%s of %u: %d", rows[i].text,
			rows[i].colors, got);
	}
}

static void
test_palette(void **state)
{
	for (unsigned i = 16; i < 256; i++) {
		struct color c = color_of_index(i);
		struct color again =
			color_of_index((unsigned)color_nearest(c, 256));

		check(c.r == again.r && c.g == again.g && c.b == again.b, "%u",
			i);
	}
}

/* A grey text on black stays visible with eight colours. */
static void
test_text(void **state)
{
	struct color grey, black, white;

	assert_true(color_parse("#5a5a5a", &grey));
	assert_true(color_parse("#101010", &black));
	assert_true(color_parse("#ffffff", &white));
	assert_int_not_equal(color_nearest_text(grey, black, 8), 0);
	assert_int_equal(color_nearest_text(grey, black, 16), 8);
	assert_int_not_equal(color_nearest_text(white, white, 8), -1);
}

static void
test_contrast(void **state)
{
	struct color white, black, grey;

	assert_true(color_parse("#ffffff", &white));
	assert_true(color_parse("#000000", &black));
	assert_true(color_parse("#767676", &grey));
	assert_int_equal((int)(color_contrast(white, black) * 10), 210);
	assert_int_equal((int)(color_contrast(black, white) * 10), 210);
	assert_int_equal((int)(color_contrast(grey, white) * 10), 45);
	assert_int_equal((int)color_contrast(grey, grey), 1);
	assert_int_equal(color_mix(black, white, 50).r, 127);
	assert_int_equal(color_mix(black, white, 0).r, 0);
	assert_int_equal(color_mix(black, white, 100).r, 255);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_palette),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_contrast),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
